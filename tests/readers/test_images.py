"""Image files: what their headers say, their pixels in every order, and what is refused."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest
from PIL import Image

from prepcheck.errors import ImageError, NotFoundError, PrepcheckError
from prepcheck.facts.world import ImageFacts
from prepcheck.readers import images
from prepcheck.readers.images import MAX_PIXELS, OpenImage, decode, read_header

RGBA = np.array(
    [[[1, 2, 3, 255], [40, 50, 60, 7]], [[9, 8, 7, 0], [250, 128, 4, 99]], [[5, 5, 5, 5], [0, 1, 254, 253]]],
    dtype=np.uint8,
)


def saved(path: Path, picture: Image.Image | np.ndarray, form: str = "PNG", **how: object) -> Path:
    image = Image.fromarray(picture) if isinstance(picture, np.ndarray) else picture
    image.save(path, form, **how)
    return path


def with_orientation(path: Path, number: int, form: str = "PNG") -> Path:
    exif = Image.Exif()
    exif[0x0112] = number
    return saved(path, RGBA[..., :3].copy(), form, exif=exif)


def refused(call: Callable[[], object]) -> tuple[type[PrepcheckError], str]:
    with pytest.raises(PrepcheckError) as caught:
        call()
    return type(caught.value), caught.value.message


def test_the_header_of_a_picture(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", RGBA)
    wanted = ImageFacts("a", "png", (2, 3), "RGBA", 8, 1, None, input="x")
    assert read_header(path, name="a", input_name="x") == wanted
    plain = read_header(path)
    assert (plain.name, plain.input) == (str(path), None)


def test_bits_of_every_mode(tmp_path: Path) -> None:
    """Pillow's handbook, concepts, Modes: 1 has one bit, I;16 sixteen, I and F thirty-two, all others eight a channel."""
    for mode, form, bits in (
        ("1", "PNG", 1),
        ("L", "PNG", 8),
        ("P", "PNG", 8),
        ("RGB", "PNG", 8),
        ("CMYK", "TIFF", 8),
        ("I;16", "PNG", 16),
        ("I", "TIFF", 32),
        ("F", "TIFF", 32),
    ):
        got = read_header(saved(tmp_path / "a", Image.new(mode, (4, 2)), form))
        assert (got.mode, got.bits, got.format, got.size) == (mode, bits, form.lower(), (4, 2))


def big_endian_tiff(values: list[int]) -> bytes:
    """One row of 16-bit greys, MM byte order, uncompressed. Tags: TIFF 6.0, section 8."""
    tags = (
        (256, len(values)),
        (257, 1),
        (258, 16),
        (259, 1),
        (262, 1),
        (273, 8),
        (277, 1),
        (278, 1),
        (279, 2 * len(values)),
    )
    pixels = struct.pack(f">{len(values)}H", *values)
    entries = b"".join(struct.pack(">HHIHH", tag, 3, 1, value, 0) for tag, value in tags)
    return b"MM\x00*" + struct.pack(">I", 8 + len(pixels)) + pixels + struct.pack(">H", len(tags)) + entries + bytes(4)


def test_sixteen_bit_greys_lose_their_lower_byte_as_in_opencv(tmp_path: Path) -> None:
    values = [0, 255, 256, 511, 0x1234, 65279, 65280, 65535]
    little, big = tmp_path / "a.png", tmp_path / "b.tif"
    saved(little, np.array([values], dtype=np.uint16))
    big.write_bytes(big_endian_tiff(values))
    assert read_header(big).mode == "I;16B"
    assert read_header(big).bits == 16
    for path in (little, big):
        wanted = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        assert wanted is not None
        assert decode(path, "GRAY").tolist() == wanted.tolist() == [[v >> 8 for v in values]]
    wide = saved(tmp_path / "c.tif", Image.fromarray(np.array([[0, 256, 65280]], dtype=np.int32)), "TIFF")
    assert decode(wide, "GRAY").tolist() == [[0, 1, 255]]


def test_pixels_in_every_order_of_channels(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", RGBA)
    for color, order in (("RGB", [0, 1, 2]), ("BGR", [2, 1, 0]), ("RGBA", [0, 1, 2, 3]), ("BGRA", [2, 1, 0, 3])):
        got = decode(path, color)
        assert got.dtype == np.uint8
        assert got.flags.c_contiguous
        assert got.tolist() == RGBA[..., order].tolist()
    bgr = cv2.imread(str(path))
    assert bgr is not None
    assert decode(path, "BGR").tolist() == bgr.tolist()


def test_grey_from_colour_and_colour_from_grey(tmp_path: Path) -> None:
    """ITU-R 601-2 luma, as Pillow documents convert("L"): L = R * 299/1000 + G * 587/1000 + B * 114/1000."""
    grey = decode(saved(tmp_path / "a.png", RGBA[..., :3].copy()), "GRAY")
    assert grey.shape == (3, 2)
    luma = RGBA[..., :3] @ np.array([0.299, 0.587, 0.114])
    assert np.abs(grey - luma).max() <= 0.51
    flat = np.array([[0, 77, 255]], dtype=np.uint8)
    path = saved(tmp_path / "b.png", flat)
    assert decode(path, "GRAY").tolist() == flat.tolist()
    assert decode(path, "RGB").tolist() == [[[v] * 3 for v in flat[0].tolist()]]


def test_orientation_is_told_and_undone_when_asked(tmp_path: Path) -> None:
    """EXIF 2.32, table 4: 6 means that the picture is shown turned by 90 degrees clockwise."""
    upright = RGBA[..., :3]
    for number in (1, 3, 6, 8):
        path = with_orientation(tmp_path / "a.png", number)
        assert read_header(path).orientation == number
        turned = np.rot90(upright, {1: 0, 3: 2, 6: -1, 8: 1}[number])
        assert decode(path, "RGB", exif=True).tolist() == turned.tolist()
        assert decode(path, "RGB").tolist() == upright.tolist()
    for odd in (0, 9):
        assert read_header(with_orientation(tmp_path / "a.png", odd)).orientation is None
    assert read_header(with_orientation(tmp_path / "a.jpg", 8, "JPEG")).orientation == 8


def test_a_png_is_not_decoded_for_its_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow reads all pixels of a PNG to look for EXIF data behind them."""
    path = saved(tmp_path / "a.png", RGBA)
    monkeypatch.setattr(Image.Image, "getexif", lambda self: pytest.fail("asked"))
    assert read_header(path).orientation is None


def test_frames_of_an_animation(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (2, 2), (k * 90, 0, 0)) for k in range(3)]
    path = saved(tmp_path / "a.gif", frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert (read_header(path).frames, read_header(path).format) == (3, "gif")
    assert read_header(saved(tmp_path / "b.bmp", frames[0], "BMP")).frames == 1


def huge(path: Path, width: int, height: int) -> Path:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(9))) + chunk(b"IEND", b""))
    return path


def test_a_picture_of_900_million_pixels_is_judged_by_its_header(tmp_path: Path) -> None:
    path = huge(tmp_path / "a.png", 30000, 30001)
    assert read_header(path).size == (30000, 30001)
    words = (
        "b: 30000 x 30001 = 900030000 pixels, over the limit of 64000000; "
        "it was judged by its header only (raise the limit with --max-pixels)"
    )
    assert refused(lambda: decode(path, "RGB", name="b")) == (ImageError, words)
    with OpenImage(path) as image:
        assert str(MAX_PIXELS) in refused(lambda: image.pixels("RGB"))[1]


def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", RGBA)
    assert decode(path, "RGB", max_pixels=6).shape == (3, 2, 3)
    assert refused(lambda: decode(path, "RGB", max_pixels=5))[0] is ImageError
    with OpenImage(path, max_pixels=6) as image:
        assert image.pixels("RGBA").tolist() == RGBA.tolist()
    with OpenImage(path, max_pixels=5) as image:
        assert "6 pixels, over the limit of 5" in refused(lambda: image.pixels("RGB"))[1]


def test_an_open_image_is_its_header_and_its_pixels(tmp_path: Path) -> None:
    path = with_orientation(tmp_path / "a.png", 6)
    with OpenImage(path, input_name="x") as image:
        assert image.facts == read_header(path, input_name="x")
        assert image.pixels("BGR").tolist() == decode(path, "BGR").tolist()
        assert image.pixels("RGB", exif=True).shape == (2, 3, 3)
    assert OpenImage(path).facts.input is None


def test_an_open_image_is_closed_at_the_end(tmp_path: Path) -> None:
    with OpenImage(saved(tmp_path / "a.png", RGBA)) as image:
        pass
    assert refused(lambda: image.pixels("RGB"))[0] is ImageError


def test_a_picture_cut_short_cannot_be_decoded(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    path = saved(tmp_path / "a.jpg", noise, "JPEG")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    kind, words = refused(lambda: decode(path, "RGB"))
    assert kind is ImageError
    assert words.startswith(f"{path}: cannot be decoded (image file is truncated")
    assert words.endswith("); the file is damaged or cut short")


def test_what_is_no_file(tmp_path: Path) -> None:
    assert refused(lambda: read_header(tmp_path / "no", name="b")) == (NotFoundError, "b: no such file")
    folder = "b: is a folder; give an image file (or use `prepcheck sweep` for a folder)"
    assert refused(lambda: read_header(tmp_path, name="b")) == (NotFoundError, folder)
    (tmp_path / "empty").touch()
    assert refused(lambda: read_header(tmp_path / "empty", name="b")) == (ImageError, "b: the file is empty (0 bytes)")
    assert refused(lambda: OpenImage(tmp_path / "no")) == (NotFoundError, f"{tmp_path / 'no'}: no such file")
    assert refused(lambda: decode(tmp_path / "no", "RGB")) == (NotFoundError, f"{tmp_path / 'no'}: no such file")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        words = "b: is a pipe or a device, not a file; copy its content into one"
        assert refused(lambda: read_header(tmp_path / "pipe", name="b")) == (ImageError, words)


def test_what_is_no_image_says_what_to_do(tmp_path: Path) -> None:
    start = "b: is no image that can be read here; "
    for content, hint in (
        (b"\x93NUMPY\x01\x00", "it is a NumPy array: give it as `--buffer`"),
        (b"version https://git-lfs.github.com/spec/v1\n", "it is a Git LFS pointer: run `git lfs pull`"),
        (b"\x00\x01\x02\x03", "raw bytes are given with `--buffer`"),
        (b"plain text \x93NUMPY", "raw bytes are given with `--buffer`"),
    ):
        (tmp_path / "a").write_bytes(content)
        assert refused(lambda: read_header(tmp_path / "a", name="b")) == (ImageError, start + hint)


def test_pictures_that_a_program_draws_are_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n%%EOF\n")
    drawn = "b: is {}, drawn by a program that is run; save it as PNG or JPEG"
    assert refused(lambda: read_header(path, name="b")) == (ImageError, drawn.format("EPS"))
    # a placeable metafile: key, handle, bounds, units per inch, reserved, checksum; then the header of a WMF
    path.write_bytes(
        struct.pack("<IHhhhhHIH", 0x9AC6CDD7, 0, 0, 0, 100, 100, 96, 0, 0) + b"\x01\x00\x09\x00" + bytes(14)
    )
    assert refused(lambda: read_header(path, name="b")) == (ImageError, drawn.format("WMF"))


@pytest.mark.parametrize(
    "raised,words",
    [
        (OSError("a  b\n c"), "a b c"),
        (struct.error(), "error"),
        (MemoryError(), "MemoryError"),
        (KeyError("k"), "'k'"),
        (SyntaxError("x" * 200), "x" * 120),
        (EOFError("e"), "e"),
        (ValueError("v"), "v"),
        (TypeError("t"), "t"),
        (ZeroDivisionError("z"), "z"),
    ],
)
def test_the_errors_of_pillows_parsers_are_told(
    raised: Exception, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    path = saved(tmp_path / "a.png", RGBA)
    with monkeypatch.context() as patch:
        patch.setattr(Image.Image, "convert", fail)
        decoded = f"b: cannot be decoded ({words}); the file is damaged or cut short"
        assert refused(lambda: decode(path, "RGB", name="b")) == (ImageError, decoded)
    monkeypatch.setattr(PIL.Image, "open", fail)
    assert refused(lambda: read_header(path, name="b")) == (ImageError, f"b: cannot be opened as an image ({words})")


@pytest.mark.parametrize("color", ["RGB", "BGR", "RGBA", "GRAY"])
@pytest.mark.parametrize("strip", [1, 50, 51, 150, 400])
def test_large_pictures_are_copied_in_strips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, color: str, strip: int
) -> None:
    """Whole rows at a time, the last strip shorter; the pixels are those of Pillow's own copy."""
    pixels = np.random.default_rng(1).integers(0, 256, (7, 50, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    whole = decode(tmp_path / "a.png", color)
    monkeypatch.setattr(images, "_STRIP", strip)
    assert np.array_equal(decode(tmp_path / "a.png", color), whole)
    assert np.array_equal(decode(tmp_path / "a.png", "RGB"), pixels)
