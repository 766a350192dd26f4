"""The files of tests/data/models/rknn_bad and mnn_bad: how each comes from a good one, or what it consists of.

Pure data and bytes, nothing to install. `made(read)` gives name → bytes, with `read(name)` for a good file; `KEPT` names
those that are kept as they are, and why.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

IMAGENET = "rknn/rk3588_imagenet_i8.rknn"
MINI = "rknn/rv1106_imagenet_i8.rknn"
FLOAT = "mnn/c3_nchw.mnn"


def _pointer(letters: str, size: int) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{letters}\nsize {size}\n".encode()


def made(read: Callable[[str], bytes]) -> dict[str, bytes]:
    """Every file that follows from good ones or from a few lines."""
    whole, mini, mnn = read(IMAGENET), read(MINI), read(FLOAT)
    payload = struct.unpack_from("<Q", whole, 16)[0]
    text = 64 + payload  # place of the length of the JSON; the JSON comes eight bytes later

    def patched(data: bytes, place: int, new: bytes) -> bytes:
        return data[:place] + new + data[place + len(new) :]

    return {
        "rknn_bad/empty.rknn": b"",
        "rknn_bad/four_bytes.rknn": b"RKNN",
        "rknn_bad/header_only.rknn": whole[:64],
        "rknn_bad/half.rknn": whole[: len(whole) // 2],
        "rknn_bad/cut_in_json.rknn": whole[:-200],
        "rknn_bad/last_byte_gone.rknn": whole[:-1],
        "rknn_bad/mini_half.rknn": mini[: len(mini) // 2],
        "rknn_bad/v1_half.rknn": read("rknn/v1_two_inputs.rknn")[:1064],
        "rknn_bad/appended_junk.rknn": whole + bytes(100),
        "rknn_bad/version_9.rknn": patched(whole, 8, b"\x09"),
        "rknn_bad/huge_payload_len.rknn": patched(whole, 16, b"\xff" * 8),
        "rknn_bad/huge_json_len.rknn": patched(whole, text, struct.pack("<Q", 1 << 50)),
        "rknn_bad/json_damaged.rknn": patched(whole, text + 8, bytes(12)),
        "rknn_bad/flatbuffer_root_wild.rknn": patched(whole, 64, b"\xff\xff\xff\x7f"),
        "rknn_bad/git_lfs_pointer.rknn": _pointer("ab" * 32, 8355648),
        "rknn_bad/html_404.rknn": b"<!DOCTYPE html><html><head><title>404</title></head></html>",
        "rknn_bad/png.rknn": b"\x89PNG\r\n\x1a\n".ljust(68, b"\0"),
        "rknn_bad/renamed_tflite.rknn": b"\x1c\0\0\0TFL3".ljust(208, b"\0"),
        "rknn_bad/rk_text.rknn": b"RKNN is great\n" * 10,
        "rknn_bad/upper_text_magic.rknn": b"RKNN\0\0\0\x01".ljust(68, b"\0"),
        "rknn_bad/utf16.rknn": b"\xff\xfe{".ljust(84, b"\0"),
        "rknn_bad/zeros.rknn": bytes(4096),
        "rknn_bad/zip_pt.rknn": b"PK\x03\x04".ljust(64, b"\0"),
        "mnn_bad/empty.mnn": b"",
        "mnn_bad/flip0.mnn": patched(mnn, 0, bytes([mnn[0] ^ 0xFF])),
        "mnn_bad/trunc_half.mnn": mnn[: len(mnn) // 2],
        "mnn_bad/trunc_tail200.mnn": mnn[:-200],
        "mnn_bad/rknn_renamed.mnn": mini,
        "mnn_bad/lfs.mnn": _pointer("a" * 64, 12345),
        "mnn_bad/text.mnn": b"hello world\n" * 10,
        "mnn_bad/zeros.mnn": bytes(2000),
        "mnn_bad/zip.mnn": b"PK\x03\x04".ljust(204, b"\0"),
    }


KEPT = {
    "rknn_bad/encrypted_like.rknn": "the marker of an encrypted model, then random bytes: no real one may be given away",
    "rknn_bad/random.rknn": "random bytes of no known seed",
    "mnn_bad/random.mnn": "random bytes of no known seed",
    "rknn_bad/renamed_mnn.rknn": "an MNN model of one convolution, whichever: only its first bytes are looked at",
    "rknn_bad/renamed_mnn_fp16.rknn": "the same with --fp16",
    "rknn_bad/renamed_onnx.rknn": "the graph `c3` of recipes_rknn.py as an older ONNX library wrote it",
    "mnn_bad/onnx_renamed.mnn": "the graph `c3` of recipes_mnn.py as an older ONNX library wrote it",
    "mnn_bad/json.mnn": "`c3_nchw` as MNN's converter writes it out with --JsonFile; the text varies with its version",
    "mnn_bad/otherfb.mnn": "the smallest flatbuffer with one string in it, by the flatbuffers library",
}
"""Files that no recipe makes again, and why. They are read as bytes only, and tests depend on nothing else in them."""
