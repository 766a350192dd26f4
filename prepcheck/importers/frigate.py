"""Frigate's `model:` section: size, order of axes, colour and type of what its detectors are fed.

Formula by input_dtype: int: pixels as uint8; float: x / 255; float_denorm: pixels cast to float. Regions of the frame are
stretched to the size. Sources: frigate 0.16 frigate/detectors/detector_config.py, frigate/object_detection/base.py
(tensor_transform and dtype), frigate/util/rknn_converter.py (std 1 for yolo-generic, where the documentation's example has 255).
"""

from __future__ import annotations

from prepcheck.importers.document import Document, Plain
from prepcheck.importers.imported import Imported, short
from prepcheck.importers.values import side, table

TITLE = "Frigate's model section"
FORMULA = "int: x; float: x / 255; float_denorm: x as a float"
KEYS = ("width", "height", "input_tensor", "input_pixel_format", "input_dtype")
COLORS = {"rgb": "RGB", "bgr": "BGR", "yuv": "I420"}
TENSORS = {"nhwc": "NHWC", "nchw": "NCHW", "hwnc": None, "hwcn": None}
DTYPES = {"int": "uint8", "float": "float32", "float_denorm": "float32"}
DEFAULTS: dict[str, Plain] = {
    "width": 320,
    "height": 320,
    "input_tensor": "nhwc",
    "input_pixel_format": "rgb",
    "input_dtype": "int",
}


def recognises(document: Document) -> bool:
    """A YAML table whose `model` has one of Frigate's keys for inputs, or `detectors` beside it."""
    value = document.value
    if document.form != "yaml" or not isinstance(value, dict) or not isinstance(value.get("model"), dict):
        return False
    model = value["model"]
    assert isinstance(model, dict)
    return any(k in model for k in KEYS[2:]) or ("detectors" in value and any(k in model for k in KEYS))


def read(document: Document) -> Imported:
    """The plan. Raises CorruptError with line and column where the file contradicts itself."""
    values = table(document, document.value)
    model = table(document, values.get("model"), ("model",))
    found = Imported(TITLE, document.name, FORMULA)
    chosen: dict[str, Plain] = {}
    for key, default in DEFAULTS.items():
        chosen[key] = model[key] if model.get(key) is not None else default
        if model.get(key) is not None:
            found.said(f"about.{key}", document, "model", key, value=model[key])
        else:
            found.words[f"about.{key}"] = f"{key} is not in the file: Frigate's default is {default}"
    width, height = (side(document, chosen[k], ("model", k)) for k in ("width", "height"))
    color = _choice(document, chosen, "input_pixel_format", COLORS)
    layout = _choice(document, chosen, "input_tensor", TENSORS)
    dtype = _choice(document, chosen, "input_dtype", DTYPES)
    steps: list[Plain] = [{"decode": {"library": "ffmpeg", "color": "I420"}}]
    if color != "I420":
        steps.append({"convert_color": {"to": color}})
    steps.append({"resize": {"size": [width, height], "library": "opencv", "keep_ratio": False}})
    if chosen["input_dtype"] == "float":
        steps.append({"scale": {"by": 1 / 255}})
    steps.append({"cast": {"dtype": dtype}})
    if layout == "NCHW":
        steps.append({"transpose": {"to": "NCHW"}})
    elif layout is None:
        found.unknown.append(f"the order {short(chosen['input_tensor'])} has no name in plans")
    found.plan["steps"] = steps
    _detector(document, values, model, chosen, found)
    found.unknown.append(
        "what the network was trained on: the section says what is fed, not what is right; add `training:` under model"
    )
    return found


def _choice(
    document: Document, chosen: dict[str, Plain], key: str, known: dict[str, str | None] | dict[str, str]
) -> str | None:
    value = chosen[key]
    if not isinstance(value, str) or value not in known:
        document.fail(("model", key), f"{short(value)} is none that Frigate knows: {', '.join(known)}")
    return known[value]


def _detector(
    document: Document, values: dict[str, Plain], model: dict[str, Plain], chosen: dict[str, Plain], found: Imported
) -> None:
    detectors = values.get("detectors")
    kinds = {d.get("type") for d in detectors.values() if isinstance(d, dict)} if isinstance(detectors, dict) else set()
    if "rknn" not in kinds:
        return
    found.plan["runtime"] = "rknn"
    if chosen["input_dtype"] != "int":
        found.doubts.append(
            f"input_dtype {short(chosen['input_dtype'])} ({document.at('model', 'input_dtype')}) beside an rknn detector: Frigate's RKNN "
            "models take uint8 pixels; the line was taken out of its documentation because floats never worked there"
        )
    if model.get("model_type") == "yolo-generic":
        found.doubts.append(
            f"model_type yolo-generic ({document.at('model', 'model_type')}): Frigate's own conversion gives the .rknn std 1, its documentation "
            "std 255; `prepcheck inspect` shows which of the two the file has"
        )
