"""Ultralytics' metadata.yaml, which its exporter writes beside a model.

It states size, stride, task, batch and channels, and no preprocessing: RGB, x/255 and the letterbox of 114 are what its own
loader does, not data of the file, and are marked so. Sources: ultralytics 8.4 engine/exporter.py (metadata),
data/augment.py LetterBox (value 114, centred) and classify_transforms (shorter side, centre crop), nn/backends/rknn.py.
"""

from __future__ import annotations

from prepcheck.importers.document import Document, Plain
from prepcheck.importers.imported import Imported, short
from prepcheck.importers.values import kind, side, table

TITLE = "Ultralytics' metadata.yaml"
FORMULA = "none is stated; Ultralytics' own loader does x / 255 on RGB"
TASKS = ("detect", "segment", "pose", "obb", "classify", "semantic")
CUSTOM = "not in the file: what Ultralytics' own loader does"


def recognises(document: Document) -> bool:
    """A YAML table with imgsz and one of the exporter's other keys."""
    value = document.value
    return (
        document.form == "yaml"
        and isinstance(value, dict)
        and "imgsz" in value
        and any(k in value for k in ("task", "stride", "names"))
    )


def read(document: Document) -> Imported:
    """The plan. Raises CorruptError with line and column where the file contradicts itself."""
    values = table(document, document.value)
    found = Imported(TITLE, document.name, FORMULA)
    task = values.get("task")
    if task is not None and task not in TASKS:
        document.fail(("task",), f"{short(task)} is no task of Ultralytics; known: {', '.join(TASKS)}")
    if task is None:
        found.unknown.append("task is not in the file: read as a detector's (letterbox)")
    height, width = _size(document, values)
    found.said("steps.size", document, "imgsz", value=values["imgsz"])
    _stride(document, values, height, width)
    channels = _channels(document, values, found)
    _batch(document, values, found)
    color = {1: "GRAY", 3: "RGB"}.get(channels)
    training: dict[str, Plain] = {"range": [0, 1]}
    if color is not None:
        training["color"] = color
    found.words["model.training.color"] = found.words["steps.scale"] = CUSTOM
    steps: list[Plain] = [{"decode": {"library": "opencv", "color": "BGR" if color == "RGB" else color}}]
    if color == "RGB":
        steps.append({"convert_color": {"to": "RGB"}})
    if task == "classify":
        shorter = min(height, width)
        steps += [
            {"resize": {"shorter": shorter, "filter": "bilinear", "library": "pillow"}},
            {"crop": {"center": [width, height]}},
        ]
        training["resize"] = "crop"
    else:
        steps.append(
            {
                "letterbox": {
                    "size": [width, height],
                    "fill": 114,
                    "align": "center",
                    "filter": "bilinear",
                    "library": "opencv",
                }
            }
        )
        training |= {"resize": "letterbox", "fill": 114, "align": "center"}
        found.plan["postprocess"] = {"undo": "letterbox"}
        found.words["steps.letterbox"] = CUSTOM
    steps.append({"scale": {"by": 1 / 255, "where": "unknown"}})
    found.plan["model"] = {"training": training}
    found.plan["steps"] = steps
    _options(document, values, found)
    found.unknown.extend(
        [
            "mean, std, colour order, layout and element type: the file has none of them; RGB and x/255 are a custom of Ultralytics, "
            "true of its own models and not of every model that it exports",
            "who divides by 255: an RKNN export has mean 0 and std 255 inside, so hand over pixels (`where: model`); other exports "
            "want values 0..1 (`where: host`)",
        ]
    )
    return found


def _size(document: Document, values: dict[str, Plain]) -> tuple[int, int]:
    value = values.get("imgsz")
    if isinstance(value, list):
        if len(value) not in (1, 2):
            document.fail(("imgsz",), f"{len(value)} numbers; [height, width] is expected")
        sides = [side(document, v, ("imgsz", i)) for i, v in enumerate(value)]
        return (sides[0], sides[-1])
    if isinstance(value, dict) or value is None or isinstance(value, str):
        document.fail(("imgsz",), f"[height, width] is expected, not {kind(value)}")
    length = side(document, value, ("imgsz",))
    return (length, length)


def _stride(document: Document, values: dict[str, Plain], height: int, width: int) -> None:
    value = values.get("stride")
    if value is None:
        return
    stride = side(document, value, ("stride",))
    for name, length in (("height", height), ("width", width)):
        if values.get("task") != "classify" and length % stride:
            document.fail(
                ("imgsz",),
                f"{name} {length} is no multiple of stride {stride} (line {document.line('stride')}): {length} = {length // stride} · "
                f"{stride} + {length % stride}; the exporter rounds up, so one of the two was edited",
            )


def _channels(document: Document, values: dict[str, Plain], found: Imported) -> int:
    value = values.get("channels")
    if value is None:
        found.words["about.channels"] = "channels is not in the file: 3, as exporters before 8.3.130 had no other"
        return 3
    channels = side(document, value, ("channels",))
    found.said("about.channels", document, "channels", value=value)
    if channels not in (1, 3):
        found.unknown.append(
            f"what the {channels} channels are ({document.at('channels')}): they are no colours of a picture"
        )
    return channels


def _batch(document: Document, values: dict[str, Plain], found: Imported) -> None:
    value, arguments = values.get("batch"), values.get("args")
    if arguments is not None:
        arguments = table(document, arguments, ("args",))
    inner = arguments.get("batch") if isinstance(arguments, dict) else None
    if value is None and inner is None:
        return
    key = ("batch",) if value is not None else ("args", "batch")
    batch = side(document, value if value is not None else inner, key)
    if value is not None and inner is not None and inner != value:
        document.fail(("args", "batch"), f"{short(inner)}, and batch is {batch} (line {document.line('batch')})")
    found.said("about.batch", document, *key, value=batch)
    if batch > 1:
        found.unknown.append(f"how the {batch} pictures of a batch come together: each run takes {batch} of them")


def _options(document: Document, values: dict[str, Plain], found: Imported) -> None:
    arguments = values.get("args")
    for key in ("half", "int8", "dynamic", "nms", "optimize"):
        if isinstance(arguments, dict) and arguments.get(key) is not None:
            found.said(f"about.args.{key}", document, "args", key, value=arguments[key])
    if isinstance(arguments, dict) and arguments.get("dynamic") is True:
        found.unknown.append(
            f"dynamic is true ({document.at('args', 'dynamic')}): the model takes other sizes than imgsz too"
        )
    for key in ("description", "version", "date"):
        if isinstance(values.get(key), str):
            found.said(f"about.{key}", document, key, value=values[key])
