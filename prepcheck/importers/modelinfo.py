"""GStreamer's .modelinfo (1.0 and 1.1): one section for each tensor.

Formula, for 8-bit pictures: x · (max − min) / 255 + min, one pair for each channel or one for all. No layout, no resize, no
place where it happens is in the format. Source: gst-plugins-bad/gst-libs/gst/analytics/modelinfo.c (rules of versions,
PLACEHOLDER, caps since 1.1).
"""

from __future__ import annotations

import re

from prepcheck.errors import UnsupportedVersionError
from prepcheck.importers.document import Document, Path, Plain
from prepcheck.importers.imported import Imported
from prepcheck.importers.values import clean, number, table

TITLE = "GStreamer's .modelinfo"
FORMULA = "x * (max - min) / 255 + min"
HEAD = "modelinfo"
TYPES = {
    "int4", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "bfloat16",
}  # fmt: skip
COLORS = {"RGB": "RGB", "BGR": "BGR", "RGBA": "RGBA", "BGRA": "BGRA", "GRAY8": "GRAY", "NV12": "NV12", "NV21": "NV21",
          "I420": "I420", "YUY2": "YUYV"}  # fmt: skip
"""GstVideoFormat → a colour of plans."""
CHANNELS = {"RGB": 3, "BGR": 3, "RGBA": 4, "BGRA": 4, "GRAY": 1}
MAJOR = 1
MINOR = 1


def recognises(document: Document) -> bool:
    """An INI with a section [modelinfo], or with sections that have `dims` and `dir`."""
    value = document.value
    return document.form == "ini" and isinstance(value, dict) and (
        HEAD in value or any(isinstance(s, dict) and "dims" in s and "dir" in s for s in value.values())
    )  # fmt: skip


def read(document: Document) -> Imported:
    """The plan. Raises CorruptError with the line where the file contradicts itself, UnsupportedVersionError."""
    sections = table(document, document.value)
    found = Imported(TITLE, document.name, FORMULA)
    minor = _version(document, sections, found)
    tensors: dict[str, list[Plain]] = {"input": [], "output": []}
    training: dict[str, Plain] = {}
    for name, section in sections.items():
        if name == HEAD:
            continue
        values = table(document, section, (name,))
        way = _direction(document, name, values)
        tensor: dict[str, Plain] = {"index": len(tensors[way]), "name": name, **_shape(document, name, values, found)}
        tensors[way].append(tensor)
        if way == "input":
            training[name] = _training(document, name, values, minor, tensor, found)
    if not tensors["input"]:
        document.fail((), "no section has dir=input: nothing is said of what goes in")
    model: dict[str, Plain] = {"inputs": tensors["input"]}
    if tensors["output"]:
        model["outputs"] = tensors["output"]
    told: dict[str, Plain] = {name: value for name, value in training.items() if value}
    if told:
        model["training"] = told
    found.plan["model"] = model
    found.unknown.extend(
        [
            "layout (NCHW or NHWC) and resize: the format has no word for either; add `layout:` to the input and `steps:`",
            "who applies the ranges: the inference element does in GStreamer; in your program, state it in a step",
        ]
    )
    return found


def _version(document: Document, sections: dict[str, Plain], found: Imported) -> int:
    if HEAD not in sections:
        document.fail((), "there is no section [modelinfo] with a version: GStreamer refuses such a file")
    head = table(document, sections[HEAD], (HEAD,))
    version = head.get("version")
    if not isinstance(version, str):
        document.fail((HEAD,), "no `version`: GStreamer refuses such a file")
    match = re.fullmatch(r"(\d{1,4})\.(\d{1,4})", version)
    if match is None:
        document.fail((HEAD, "version"), f"{version[:40]!r}: major.minor is expected, as 1.1")
    major, minor = int(match[1]), int(match[2])
    if major != MAJOR:
        raise UnsupportedVersionError(f"{document.at(HEAD, 'version')}: version {version}; {MAJOR}.x is read")
    if minor > MINOR:
        found.doubts.append(
            f"version {version} ({document.at(HEAD, 'version')}) is newer than {MAJOR}.{MINOR}: keys that are new are passed over"
        )
    group = head.get("group-id")
    if isinstance(group, str):
        found.said("about.group-id", document, HEAD, "group-id", value=group)
    return minor


def _direction(document: Document, name: str, values: dict[str, Plain]) -> str:
    way = values.get("dir")
    if way not in ("input", "output"):
        document.fail(
            (name, "dir") if "dir" in values else (name,),
            "`dir` is input or output" + (f", not {str(way)[:40]!r}" if way else ""),
        )
    return str(way)


def _placeholder(value: Plain) -> bool:
    return isinstance(value, str) and value.startswith("PLACEHOLDER")


def _shape(document: Document, name: str, values: dict[str, Plain], found: Imported) -> dict[str, Plain]:
    tensor: dict[str, Plain] = {}
    kind, dims = values.get("type"), values.get("dims")
    if _placeholder(kind) or kind is None:
        found.unknown.append(
            f"element type of {name}: {'PLACEHOLDER' if kind else 'no `type`'} ({document.at(name, 'type')})"
        )
    elif kind not in TYPES:
        document.fail((name, "type"), f"{str(kind)[:40]!r} is no element type; known: {', '.join(sorted(TYPES))}")
    else:
        tensor["dtype"] = kind
    if dims is None or _placeholder(dims):
        found.unknown.append(f"shape of {name}: {'PLACEHOLDER' if dims else 'no `dims`'} ({document.at(name, 'dims')})")
        return tensor
    parts = [p.strip() for p in str(dims).rstrip(",;").replace(";", ",").split(",")]
    if len(parts) > 16:
        document.fail((name, "dims"), f"{len(parts)} dimensions")
    shape: list[Plain] = []
    for part in parts:
        if not re.fullmatch(r"-?\d{1,9}", part) or int(part) == 0:
            document.fail((name, "dims"), f"{part[:40]!r} is no dimension (a length, or -1 for a dynamic one)")
        shape.append(max(int(part), -1))
    order = values.get("dims-order")
    if order not in (None, "row-major", "col-major"):
        document.fail((name, "dims-order"), f"{str(order)[:40]!r}: row-major or col-major is expected")
    if order == "col-major":
        shape.reverse()
        found.said(f"model.{name}.shape", document, name, "dims-order", value=order)
    tensor["shape"] = shape
    return tensor


def _training(
    document: Document, name: str, values: dict[str, Plain], minor: int, tensor: dict[str, Plain], found: Imported
) -> dict[str, Plain]:
    training: dict[str, Plain] = {}
    color = _color(document, name, values, minor, found)
    if color is not None:
        training["color"] = color
    pairs = _ranges(document, name, values, found)
    if not pairs:
        return training
    channels = CHANNELS.get(color or "")
    if len(pairs) > 1 and channels is not None and len(pairs) != channels:
        document.fail(
            (name, "ranges"),
            f"{len(pairs)} pairs for {channels} channel(s) of {color} (caps, line {document.line(name, 'caps')})",
        )
    shape = tensor.get("shape")
    if len(pairs) > 1 and isinstance(shape, list) and -1 not in shape and len(pairs) not in shape:
        document.fail(
            (name, "ranges"),
            f"{len(pairs)} pairs, and no axis of {shape} (dims, line {document.line(name, 'dims')}) is as long",
        )
    found.said(f"model.training.{name}", document, name, "ranges", value=values["ranges"])
    if len(set(pairs)) == 1:
        training["range"] = [clean(v) for v in pairs[0]]
        return training
    factors = [(high - low) / 255 for low, high in pairs]
    mean: list[Plain] = [clean(-low / f) for (low, _), f in zip(pairs, factors, strict=True)]
    std: list[Plain] = [clean(1 / f) for f in factors]
    return {**training, "range": [0, 255], "mean": mean, "std": std}


def _ranges(document: Document, name: str, values: dict[str, Plain], found: Imported) -> list[tuple[float, float]]:
    text = values.get("ranges")
    if text is None or _placeholder(text):
        found.unknown.append(
            f"value range of {name}: {'PLACEHOLDER' if text else 'no `ranges`'} ({document.at(name, 'ranges')})"
        )
        return []
    place: Path = (name, "ranges")
    parts = [p for p in str(text).split(";") if p.strip()]
    if not 1 <= len(parts) <= 64:
        document.fail(place, f"{len(parts)} pairs; one for each channel, or one for all, is expected")
    found_pairs = []
    for part in parts:
        ends = part.split(",")
        if len(ends) != 2:
            document.fail(place, f"{part.strip()[:40]!r} is no pair min,max")
        try:
            low, high = (number(document, float(e), place) for e in ends)
        except ValueError:
            document.fail(place, f"{part.strip()[:40]!r} is no pair of numbers")
        if low >= high:
            document.fail(place, f"the smallest value {low:g} is not below the largest {high:g}")
        found_pairs.append((low, high))
    return found_pairs


def _color(document: Document, name: str, values: dict[str, Plain], minor: int, found: Imported) -> str | None:
    caps = values.get("caps")
    place: Path = (name, "caps")
    if caps is None or _placeholder(caps):
        if minor >= 1:
            document.fail(
                place,
                f"version 1.{minor} needs `caps` with a format at every input; {'a PLACEHOLDER' if caps else 'none'} is here",
            )
        found.unknown.append(f"colour order of {name}: a file of version 1.0 has no `caps`")
        return None
    match = re.search(r"(?:^|[,;\s])format\s*=\s*(?:\(string\)\s*)?([^,;\s]+)", str(caps))
    if match is None:
        document.fail(place, f"{str(caps)[:60]!r} has no format: GStreamer refuses the file")
    form = match[1].strip("\"'")
    if form.startswith("{"):
        document.fail(place, f"{str(caps)[:60]!r}: one format is expected, not a choice of them")
    found.said("model.training.color", document, name, "caps", value=str(caps))
    if form not in COLORS:
        found.unknown.append(
            f"colour order of {name}: plans have no name for GStreamer's format {form[:40]} ({document.at(*place)})"
        )
    return COLORS.get(form)
