"""The kinds that a file can be, and the refusal that says which one it is and what to do.

`KINDS` is the closed list of what `error.is` can be. A file's name matters only for the wording.
"""

from __future__ import annotations

import re
from typing import Final

from prepcheck.errors import EncryptedError, GitLfsPointerError, PrepcheckError, WrongKindError
from prepcheck.wire.source import Source

HEAD: Final = 4096
"""Bytes looked at. MNN's root table stands within them in every file seen."""

LFS_START: Final = b"version https://git-lfs.github.com/spec/"
ENCRYPTED_START: Final = b"CYPTRKNN"

_CONVERT_RKNN: Final = "convert it with rknn-toolkit2 ({load}, build, export_rknn) and give the .rknn"
_CONVERT_MNN: Final = "convert it with MNNConvert (-f {framework}) and give the .mnn"

KINDS: Final[dict[str, tuple[str, str]]] = {
    "rknn": ("a Rockchip .rknn model", "give it under its own name, with the extension .rknn"),
    "rknn_encrypted": ("an encrypted .rknn model", "give the model as it was before encryption"),
    "rknn_payload": (
        "the inner part of a .rknn model without its container",
        "give the whole file that export_rknn wrote",
    ),
    "vivante_nbg": ("a bare Vivante network binary", "give the .rknn that holds it"),
    "mnn": ("an MNN model", "give it under its own name, with the extension .mnn"),
    "onnx": ("an ONNX model", "{onnx}"),
    "tflite": ("a TensorFlow Lite model", "{tflite}"),
    "zip": ("a zip archive, as PyTorch's .pt and .pth files are", "unpack it, or {pytorch}"),
    "gzip": ("a gzip archive", "unpack it"),
    "xz": ("an xz archive", "unpack it"),
    "zstd": ("a zstandard archive", "unpack it"),
    "bzip2": ("a bzip2 archive", "unpack it"),
    "7z": ("a 7-Zip archive", "unpack it"),
    "rar": ("a RAR archive", "unpack it"),
    "tar": ("a tar archive", "unpack it"),
    "elf": ("an ELF program or library", "give the model, not the program that runs it"),
    "pe": ("a Windows program or library", "give the model, not the program that runs it"),
    "gguf": ("a GGUF language model", "no converter of this kind of model is known here"),
    "safetensors": ("weights in safetensors form", "export the network to ONNX and convert that"),
    "hdf5": (
        "an HDF5 file, as Keras's .h5 files are",
        "export the network to ONNX or TensorFlow Lite and convert that",
    ),
    "pickle": ("a Python pickle, as old PyTorch .pt files are", "{pytorch}"),
    "npy": ("a numpy array", "give it with --buffer, and the model as MODEL"),
    "png": ("a PNG image", "give the model first and images after it"),
    "jpeg": ("a JPEG image", "give the model first and images after it"),
    "gif": ("a GIF image", "give the model first and images after it"),
    "webp": ("a WebP image", "give the model first and images after it"),
    "bmp": ("a BMP image", "give the model first and images after it"),
    "tiff": ("a TIFF image", "give the model first and images after it"),
    "pdf": ("a PDF document", "give the model"),
    "ncnn": ("an ncnn model", "convert the network that it was made from"),
    "html": ("a web page, as a failed download leaves it", "download the file itself (the 'raw' link) again"),
    "xml": ("an XML document", "give the model"),
    "json": ("a JSON document", "give the model"),
    "yaml": ("a YAML document", "give a plan with --plan, and the model as MODEL"),
    "git_lfs_pointer": ("the text that Git LFS leaves in place of the content", "run `git lfs pull`"),
    "utf16": ("text in UTF-16", "give the model"),
    "text": ("a text file", "give the model"),
    "fifo": ("a pipe", "copy its content into a file"),
    "socket": ("a socket", "copy its content into a file"),
    "device": ("a device", "copy its content into a file"),
    "special": ("no regular file", "copy its content into a file"),
    "folder": ("a folder", "name a file inside it"),
    "unknown": ("of no kind that is known here", "check where the file comes from; a download may have been damaged"),
}
"""kind → (what it is, what to do). Advice in braces depends on which kind of model was expected."""

_ADVICE: Final = {
    "rknn": {
        "onnx": _CONVERT_RKNN.format(load="load_onnx"),
        "tflite": _CONVERT_RKNN.format(load="load_tflite"),
        "pytorch": "export the network to ONNX or TorchScript and convert that with rknn-toolkit2",
    },
    "mnn": {
        "onnx": _CONVERT_MNN.format(framework="ONNX"),
        "tflite": _CONVERT_MNN.format(framework="TFLITE"),
        "pytorch": "export the network to ONNX and convert that with MNNConvert",
    },
    "": {
        "onnx": "convert it with rknn-toolkit2 or MNNConvert and give the result",
        "tflite": "convert it with rknn-toolkit2 or MNNConvert and give the result",
        "pytorch": "export the network to ONNX and convert that with rknn-toolkit2 or MNNConvert",
    },
}


def refusal(source: Source, kind: str, expected: str = "") -> PrepcheckError:
    """The error that tells what a file is instead of a model that can be read, and what to do.

    expected: "rknn" or "mnn" where the file's name promises that, else "".
    """
    name = source.name
    what, advice = KINDS[kind]
    advice = advice.format(**_ADVICE[expected])
    if kind == "git_lfs_pointer":
        return GitLfsPointerError(f"{name} is {what}{_lfs_size(source)}: {advice} in the repository.", kind=kind)
    if kind == "rknn_encrypted":
        return EncryptedError(f"{name} is {what}{_level(source)}; nothing in it can be read: {advice}.", kind=kind)
    head = source.head(16)
    if kind == "unknown" and not source.head(HEAD).strip(b"\x00"):
        what = f"all zeros in its first {min(HEAD, source.size)} bytes"
        advice = "it was reserved and never written, or a copy failed: copy it again"
    promised = {"rknn": ", not a .rknn model", "mnn": ", not an .mnn model"}.get(expected, "")
    if promised and kind == expected:
        promised = ""
    return WrongKindError(
        f"{name} is {what}{promised} ({source.size} bytes, the first are {head.hex(' ')}): {advice}.", kind=kind
    )


def _lfs_size(source: Source) -> str:
    """The size that a Git LFS pointer states, as words."""
    found = re.search(rb"^size (\d{1,18})\r?$", source.head(1024), re.MULTILINE)
    return f" ({source.size} bytes here, {int(found[1])} in the real file)" if found else ""


def _level(source: Source) -> str:
    """The encryption level, where it is one of the known ones.

    Source: the u32 at byte 8 is the level 1–3 (netron, rknn.js); no such file was at hand to check it.
    """
    head = source.head(12)
    level = int.from_bytes(head[8:12], "little")
    return f" (level {level})" if len(head) == 12 and 1 <= level <= 3 else ""
