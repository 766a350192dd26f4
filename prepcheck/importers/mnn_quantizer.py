"""MNN's quantiser JSON (imageInputConfig.json): how calibration pictures were fed.

Formula: (x − mean) · normal, in pixels 0..255: `normal` multiplies, it is 1/std. Pictures are read as RGBA, converted to
`format` and scaled bilinearly. Source: alibaba/MNN, tools/quantization/calibration.cpp, Helper.cpp, docs/tools/quant.md.
"""

from __future__ import annotations

from prepcheck.importers.document import Document, Plain
from prepcheck.importers.imported import Imported, short
from prepcheck.importers.values import clean, kind, number, numbers, side, table

TITLE = "MNN's quantiser JSON"
FORMULA = "(x - mean) * normal"
FORMATS = {"RGB": 3, "BGR": 3, "GRAY": 1, "RGBA": 4, "BGRA": 4}
"""The formats that the quantiser knows; any other text leaves its default, BGR (calibration.cpp, formatMap)."""
SIGNS = ("feature_quantize_method", "weight_quantize_method", "used_image_num", "feature_clamp_value", "weight_clamp_value",
         "used_sample_num", "skip_quant_op_names", "normal")  # fmt: skip
METHODS = {"feature_quantize_method": ("KL", "ADMM", "EMA"), "weight_quantize_method": ("MAX_ABS", "ADMM")}


def recognises(document: Document) -> bool:
    """A JSON table with the quantiser's own keys."""
    value = document.value
    return document.form == "json" and isinstance(value, dict) and any(key in value for key in SIGNS)


def read(document: Document) -> Imported:
    """The plan. Raises CorruptError with line and column where the file contradicts itself."""
    values = table(document, document.value)
    found = Imported(TITLE, document.name, FORMULA)
    training: dict[str, Plain] = {}
    found.plan["runtime"] = "mnn"
    for key, known in METHODS.items():
        if values.get(key) is not None and values[key] not in known:
            document.fail((key,), f"{short(values[key])} is no method of the quantiser; known: {', '.join(known)}")
    for key in ("feature_clamp_value", "weight_clamp_value"):
        if values.get(key) is not None and not 0 < number(document, values[key], (key,)) <= 127:
            document.fail((key,), f"{short(values[key])} is outside 0 to 127: the quantiser stops")
    if not _is_image(document, values, found):
        return found
    color = _color(document, values, found)
    steps: list[Plain] = [{"decode": {"color": "RGBA"}}, {"convert_color": {"to": color}}]
    found.words["steps.decode"] = "every picture is read as RGBA (calibration.cpp)"
    steps += _geometry(document, values, found, training)
    mean, std = _normalization(document, values, FORMATS[color], found)
    if values.get("format") is None or values["format"] in FORMATS:
        training["color"] = color
    training |= {"range": [0, 255], "mean": [clean(v) for v in mean], "std": [clean(v) for v in std]}
    steps.append({"normalize": {"mean": training["mean"], "std": training["std"]}})
    found.plan["model"] = {"training": training, "build": {"calibration": {"dtype": "float32"}}}
    found.plan["steps"] = steps
    found.unknown.append(
        "whether the application does the same as the calibration that this file describes: correct the steps if not"
    )
    return found


def _is_image(document: Document, values: dict[str, Plain], found: Imported) -> bool:
    given = values.get("input_type")
    if given is not None and not isinstance(given, str):
        document.fail(("input_type",), f"a text is expected, not {kind(given)}")
    if given not in (None, "image", "sequence"):
        document.fail(("input_type",), f"{short(given)} is no type of input; known: image, sequence")
    several = values.get("inputs")
    if given == "sequence":
        found.said("about.input_type", document, "input_type", value=given)
        for key in ("format", "mean", "normal"):
            if key in values:
                document.fail(
                    (key,), f'pictures are described, and input_type is "sequence" (line {document.line("input_type")})'
                )
        found.unknown.append(
            'input_type is "sequence": the samples are text files with numbers; no picture, so no preprocessing is stated'
        )
        return False
    if isinstance(several, list) and several and not any(k in values for k in ("format", "mean", "normal")):
        found.unknown.append(
            f"{len(several)} inputs are listed ({document.at('inputs')}) and no preprocessing: the samples are fed as they are"
        )
        return False
    return True


def _color(document: Document, values: dict[str, Plain], found: Imported) -> str:
    given = values.get("format")
    if given is None:
        found.words["model.training.color"] = "format is not in the file: the quantiser's default is BGR"
        return "BGR"
    if not isinstance(given, str):
        document.fail(("format",), f"a text is expected, not {kind(given)}")
    found.said("model.training.color", document, "format", value=given)
    if given in FORMATS:
        return given
    found.doubts.append(
        f"format {short(given)} ({document.at('format')}) is none that the quantiser knows ({', '.join(FORMATS)}): it says nothing "
        "and takes BGR"
    )
    found.unknown.append("which colour order was meant: the calibration ran on BGR; state `color` in model.training")
    return "BGR"


def _geometry(document: Document, values: dict[str, Plain], found: Imported, training: dict[str, Plain]) -> list[Plain]:
    sides = {k: side(document, values[k], (k,)) for k in ("width", "height") if values.get(k) is not None}
    if len(sides) == 1:
        (there,) = sides
        missing = "height" if there == "width" else "width"
        document.fail((there,), f"`{missing}` is missing beside it")
    if not sides:
        found.unknown.append("width and height are not in the file: the model's own size holds")
    crops = {
        k: number(document, values[k], (k,)) for k in ("center_crop_h", "center_crop_w") if values.get(k) is not None
    }
    for key, part in crops.items():
        if not 0 < part <= 1:
            document.fail((key,), f"{part} is no part of the picture (0 to 1)")
        found.said(f"about.{key}", document, key, value=values[key])
    if any(part != 1 for part in crops.values()):
        training["resize"] = "crop"
        found.unknown.append(
            "the crop before the resize: the file gives it as parts of the picture "
            f"({', '.join(f'{k} {v:g}' for k, v in crops.items())}); write a `crop` step with pixels for your picture size"
        )
    elif sides:
        training["resize"] = "stretch"
    if not sides:
        return []
    found.said("steps.resize", document, "width", value={"width": sides["width"], "height": sides["height"]})
    return [{"resize": {"size": [sides["width"], sides["height"]], "filter": "bilinear", "library": "mnn"}}]


def _normalization(
    document: Document, values: dict[str, Plain], channels: int, found: Imported
) -> tuple[list[float], list[float]]:
    lists: dict[str, list[float]] = {"mean": [0.0] * channels, "normal": [1.0] * channels}
    for key, default in (("mean", 0.0), ("normal", 1.0)):
        if values.get(key) is None:
            found.words.setdefault(
                f"steps.normalize.{key}", f"{key} is not in the file: the quantiser's default is {default:g}"
            )
            continue
        if not isinstance(values[key], list):
            document.fail((key,), f"a list is expected, not {kind(values[key])}")
        given = numbers(document, values[key], (key,))
        if len(given) > 4:
            document.fail((key,), f"{len(given)} values; the quantiser has room for 4")
        if len(given) < channels:
            document.fail(
                (key,),
                f"{len(given)} value(s) for {channels} channels: the quantiser leaves the other channels at {default:g}",
            )
        if len(given) > channels:
            found.doubts.append(
                f"{key} has {len(given)} values for {channels} channel(s) ({document.at(key)}): the first are used"
            )
        lists[key] = given[:channels]
        found.said(f"steps.normalize.{key}", document, key, value=values[key])
    if 0.0 in lists["normal"]:
        document.fail(("normal", lists["normal"].index(0.0)), "normal multiplies: 0 makes every value 0")
    _doubt(document, lists["mean"], lists["normal"], found)
    return lists["mean"], [1 / v for v in lists["normal"]]


def _doubt(document: Document, mean: list[float], normal: list[float], found: Imported) -> None:
    if min(map(abs, normal)) > 1.5:
        found.doubts.append(
            f"normal {short([clean(v) for v in normal])} ({document.at('normal')}) multiplies: pixels would reach "
            f"{max(abs(255 - m) * abs(n) for m, n in zip(mean, normal, strict=True)):.6g}; a standard deviation was probably given, "
            f"its inverse {1 / normal[0]:.6g} is meant"
        )
    if 0 < max(map(abs, mean)) <= 1 and max(map(abs, normal)) < 0.1:
        found.doubts.append(
            f"mean {short([clean(v) for v in mean])} ({document.at('mean')}) belongs to values 0..1, but it is subtracted from pixels 0..255"
        )
