"""Tensor attribute lines of all demos, toolkits and runtimes, read as pairs of key and value.

One grammar for all: `key = value` with or without spaces, separated by commas or spaces; dims in brackets. Which keys
are there, how the type is spelt (FP32, FLOAT32 or a number) and how many dims are printed differs from print to print.
"""

from __future__ import annotations

import re

from prepcheck.core.dtypes import C_NAMES
from prepcheck.facts.log import Field

KEYS = (
    "index", "name", "n_dims", "dims", "n_elems", "size_with_stride", "size", "w_stride", "h_stride", "fmt", "type",
    "qnt_type", "fl", "zp", "scale", "pass_through",
)  # fmt: skip
_KEY = r"(?<![\w.])(?P<key>" + "|".join(KEYS) + r")\s*=\s*"
_PAIR = re.compile(_KEY)
_DIMS = re.compile(r"(?:[A-Za-z]+\s+)?\[\s*(?P<dims>[\d,\s-]*)\]?")
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?(?:e[-+]?\d{1,2})?", re.I)
START = re.compile(r"(?<![\w.\[])index\s*=\s*\d+\b", re.I)
GOES_ON = re.compile(
    r"(?:[^=\s\[\]]{0,60}[,\s\]]\s*){0,8}?(?<![\w.])(?:" + "|".join(k for k in KEYS if k != "index") + r")\s*="
)
"""What the rest of a wrapped attribute line looks like: at most a few pieces, then a key."""

# rknn_api.h of librknnrt (rknn_tensor_type, rknn_tensor_qnt_type, rknn_tensor_format); version 1 has only the first five
TYPES = (
    "float32",
    "float16",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "bool",
    "int4",
    "bfloat16",
)
QNT = {
    "NONE": "none",
    "DFP": "dynamic_fixed_point",
    "AFFINE": "affine",
    "0": "none",
    "1": "dynamic_fixed_point",
    "2": "affine",
}
FMT = {"NCHW": "NCHW", "NHWC": "NHWC", "NC1HWC2": "NC1HWC2", "UNDEFINED": "UNDEFINED"}
_MORE_TYPES = {"BF16": "bfloat16", "BOOL": "bool", "FLOAT": "float32"}


def parse(text: str) -> tuple[dict[str, Field], int] | None:
    """The fields of the first attribute line in a text and where it ends; None where there is none.

    dims is a list; numbers are numbers; type, fmt and qnt_type are our names where they are known, the printed word
    else. numeric: the print gave enumeration values (version 1 demos; its fmt=0 is a literal, not the layout).
    """
    start = START.search(text)
    if start is None:
        return None
    following = START.search(text, start.end())
    stop = following.start() if following else len(text)
    marks = list(_PAIR.finditer(text, start.start(), stop))
    fields: dict[str, Field] = {}
    end = start.end()
    for i, mark in enumerate(marks):
        limit = marks[i + 1].start() if i + 1 < len(marks) else stop
        last = i + 1 == len(marks)
        value, used = _value(mark["key"], text[mark.end() : limit], last)
        if value is None or mark["key"] in fields:
            continue
        fields[mark["key"]] = value
        end = mark.end() + used
    if "dims" not in fields or not isinstance(fields["dims"], list):
        return None
    return _settled(fields), end


def complete(fields: dict[str, Field]) -> bool:
    """Whether nothing that such a line usually ends with is missing (a wrapped line lacks its end)."""
    return (
        "scale" in fields
        or ("zp" in fields and "fl" not in fields)
        or (fields.get("qnt_type") in ("none",) and "fmt" in fields)
    )


def consistent(fields: dict[str, Field]) -> int:
    """How many of the line's own equations hold (to choose between ways to join a wrapped line)."""
    from math import prod

    from prepcheck.core.dtypes import nbytes

    score = 0
    dims, elements, size, kind = (fields.get(k) for k in ("dims", "n_elems", "size", "type"))
    if isinstance(dims, list) and isinstance(elements, int):
        kept = [d for d in dims if isinstance(d, int) and d > 0]
        score += 2 if kept and prod(kept) == elements else 0
    if isinstance(kind, str) and kind in TYPES:
        score += 1
        if isinstance(elements, int) and isinstance(size, int) and nbytes(kind, elements) == size:
            score += 2
    return score + (fields.get("fmt") in FMT) + (fields.get("qnt_type") in QNT.values()) + len(fields)


def _value(key: str, text: str, last: bool) -> tuple[Field, int]:
    if key == "dims":
        match = _DIMS.match(text)
        if match is None:
            return None, 0
        return [int(n) for n in re.findall(r"-?\d{1,18}", match["dims"])[:16]], match.end()
    if key == "name":
        value = text.rstrip().rstrip(",").strip()
        if last:
            value = value.split(",")[0].split(" ")[0]
        return value[:512], len(value)
    word = re.match(r"[^\s,;]*", text)
    raw = word[0].rstrip("!.)") if word else ""
    used = word.end() if word else 0
    if key in ("fmt", "type", "qnt_type"):
        return (raw, used) if raw else (None, 0)
    number = _NUMBER.match(raw)
    if number is None:
        return None, 0
    return (float(number[0]) if key == "scale" else int(float(number[0]))), used


def _settled(fields: dict[str, Field]) -> dict[str, Field]:
    kind = str(fields.get("type", "")).upper().removeprefix("RKNN_TENSOR_")
    if kind.isdigit():
        fields["numeric"] = True
        if int(kind) < len(TYPES):
            fields["type"] = TYPES[int(kind)]
    elif kind in C_NAMES or kind in _MORE_TYPES:
        fields["type"] = C_NAMES.get(kind) or _MORE_TYPES[kind]
    qnt = str(fields.get("qnt_type", "")).upper()
    if qnt in QNT:
        fields["qnt_type"] = QNT[qnt]
    fmt = str(fields.get("fmt", "")).upper()
    if fmt in FMT:
        fields["fmt"] = FMT[fmt]
    elif fmt.isdigit() and fields.get("numeric"):
        del fields["fmt"]  # the version 1 demos print a literal 0 there
    return fields
