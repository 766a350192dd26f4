"""Files whose first bytes tell what they are, where a picture's bytes were expected."""

from __future__ import annotations

from typing import Final

from prepcheck.forensics.model import Pixels

_MAGIC: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"\x00\x00\x00\x0cjP  \r\n", "jpeg2000"),
    (b"qoif", "qoi"),
)
_NUMPY: Final = b"\x93NUMPY"


def encoded(buffer: Pixels) -> str | None:
    """Name of the image file format that the buffer begins with; None where it is none."""
    head = buffer[:32].tobytes()
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp" and head[8:12] in (b"avif", b"heic", b"heix", b"mif1", b"avis"):
        return "avif" if head[8:10] == b"av" else "heif"
    if (
        head[:2] == b"BM"
        and head[6:10] == b"\0\0\0\0"
        and int.from_bytes(head[14:18], "little") in (12, 40, 56, 108, 124)
    ):
        return "bmp"
    return None


def header_bytes(buffer: Pixels) -> int | None:
    """Length of a header in front of raw elements that states itself: .npy, binary PPM or PGM. None: no such header."""
    head = buffer[:512].tobytes()
    if head.startswith(_NUMPY) and len(head) > 12:
        short = head[6] == 1
        return int.from_bytes(head[8:10] if short else head[8:12], "little") + (10 if short else 12)
    if head[:2] in (b"P5", b"P6") and head[2:3] in (b"\n", b" "):
        at, fields = 2, 0
        while fields < 3 and at < len(head):
            while at < len(head) and head[at : at + 1].isspace():
                at += 1
            if head[at : at + 1] == b"#":
                at = head.find(b"\n", at)
                if at < 0:
                    return None
                continue
            if not head[at : at + 1].isdigit():
                return None
            while at < len(head) and head[at : at + 1].isdigit():
                at += 1
            fields += 1
        return at + 1 if fields == 3 else None
    return None
