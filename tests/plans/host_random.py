"""Right plans of pictures handed over by the host, drawn at random, with tables of their own.

Written from the documents, not from the rules: sizes are products typed out here, values are computed from training.
"""

from __future__ import annotations

from random import Random
from typing import Any

Body = dict[str, Any]

WIDTH = {"float32": 4, "float16": 2, "float64": 8, "uint8": 1, "int8": 1}
SIDES = (64, 96, 128, 224, 320, 416, 640)
FRAMES = ((1920, 1080), (1280, 720), (640, 480), (1000, 748), (800, 800), (480, 640))
IMAGENET = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def product(shape: list[int]) -> int:
    """Elements of a shape."""
    total = 1
    for size in shape:
        total *= size
    return total


def trained(r: Random, channels: int) -> tuple[Body, list[float], list[float]]:
    """What training did, and the same as mean and std in pixels."""
    kind = r.choice(["raw", "unit", "half", "imagenet"])
    if kind == "raw":
        return {"range": [0, 255]}, [0.0] * channels, [1.0] * channels
    if kind == "unit":
        return {"range": [0, 1]}, [0.0] * channels, [255.0] * channels
    mean, std = ([0.5] * channels, [0.5] * channels) if kind == "half" else (list(p[:channels]) for p in IMAGENET)
    pixels = [round(x * 255, 3) for x in mean], [round(x * 255, 3) for x in std]
    return {"range": [0, 1], "mean": mean, "std": std}, *pixels


def fitted(r: Random, way: str, source: tuple[int, int], target: tuple[int, int]) -> list[Body]:
    """The steps that bring a picture into the frame."""
    (sw, sh), (w, h) = source, target
    if way == "stretch":
        return [{"resize": {"size": [w, h], "filter": "bilinear", "keep_ratio": False}}]
    if way == "crop":
        scale = min(sw / w, sh / h)
        cw, ch = int(w * scale), int(h * scale)
        box = [(sw - cw) // 2, (sh - ch) // 2, cw, ch]
        return [{"crop": {"box": box}}, {"resize": {"size": [w, h], "keep_ratio": False}}]
    if r.random() < 0.5:
        return [{"letterbox": {"size": [w, h], "fill": 114, "align": "center"}}]
    scale = min(w / sw, h / sh)
    a, b = min(w, round(sw * scale)), min(h, round(sh * scale))
    left, top = (w - a) // 2, (h - b) // 2
    pad = {"left": left, "top": top, "right": w - a - left, "bottom": h - b - top, "fill": 114}
    return [{"resize": {"size": [a, b], "keep_ratio": True}}, {"pad": pad}]


def on_host(r: Random, training: Body, mean: list[float], std: list[float]) -> list[Body]:
    """The steps that normalise on the host as training did."""
    if all(s == 1 for s in std):
        return []
    if "mean" not in training:
        return [{"scale": {"by": 1 / 255}}]
    two = [{"scale": {"by": 1 / 255}}, {"normalize": {"mean": training["mean"], "std": training["std"]}}]
    return two if r.random() < 0.5 else [{"normalize": {"mean": mean, "std": std}}]


def plan(r: Random) -> Body:
    """A right plan: any runtime, layout, type, way of fitting and normalising."""
    runtime = r.choice(["generic", "rknn", "rknn", "rknn", "rknn1", "mnn", "mnn"])
    channels = r.choice([3, 3, 3, 1])
    h, w = r.choice(SIDES), r.choice(SIDES)
    source = r.choice([*FRAMES, (w, h)])
    color, decoded = (r.choice(["RGB", "BGR"]), r.choice(["RGB", "BGR"])) if channels == 3 else ("GRAY", "GRAY")
    way = r.choice(["letterbox", "stretch", "crop"])
    values, mean, std = trained(r, channels)
    training = {"color": color, "resize": way, **values, **({"fill": 114} if way == "letterbox" else {})}
    steps: list[Body] = [
        {"decode": {"library": r.choice(["opencv", "pillow"]), "color": decoded, "size": list(source)}}
    ]
    if decoded != color:
        steps.append({"convert_color": {"to": color}})
    steps += fitted(r, way, source, (w, h))
    low = min(-m / s for m, s in zip(mean, std, strict=True))
    high = max((255 - m) / s for m, s in zip(mean, std, strict=True))
    scale = (max(high, 0) - min(low, 0)) / 255
    codes = {"scheme": "affine", "scale": scale, "zero_point": round(-128 - min(low, 0) / scale)}
    make = {"generic": _generic, "mnn": _mnn}.get(runtime, _rknn)
    made = make(r, runtime, (channels, h, w), color, on_host(r, training, mean, std), codes, (mean, std), (low, high))
    model = {"inputs": [made["tensor"]], "training": training, **made.get("model", {})}
    found: Body = {"runtime": runtime, **made.get("plan", {}), "model": model, "buffers": {"x": made["buffer"]}}
    found["steps"], found["calls"] = steps + made["steps"], made["calls"]
    if way != "crop":
        found["postprocess"] = {"undo": way}
    if r.random() < 0.15:
        found.pop("steps")
    if r.random() < 0.1:
        model.pop("build", None)
    return found


def _rknn(
    r: Random, runtime: str, size: tuple[int, int, int], color: str, norm: list[Body], codes: Body,
    lists: tuple[list[float], list[float]], ends: tuple[float, float],
) -> Body:  # fmt: skip
    c, h, w = size
    quantized = "int8" if runtime == "rknn" else "uint8"
    dtype = r.choice([quantized, "float16"])
    tensor: Body = {"index": 0, "name": "in", "layout": "NHWC", "shape": [1, h, w, c], "dtype": dtype, "scheme": "none"}
    if dtype == quantized:
        tensor.update(codes)
        tensor["zero_point"] += 0 if dtype == "int8" else 128
    inside = r.random() < 0.5
    build = {"mean": [lists[0]], "std": [lists[1]]} if inside else {"mean": [[0] * c], "std": [[1] * c]}
    steps = [] if inside else norm
    given = "uint8" if inside or not norm else "float32"
    if inside and r.random() < 0.3:
        given, steps = "float32", [{"cast": {"dtype": "float32"}}]
    python = r.random() < 0.4
    shape, layout = ([1, h, w, c], "NHWC") if python or r.random() < 0.5 else ([h, w, c], "HWC")
    buffer: Body = {
        "dtype": given,
        "layout": layout,
        "shape": shape,
        "size": product(shape) * WIDTH[given],
        "color": color,
    }
    if r.random() < 0.7:
        buffer["range"] = [0, 255] if inside else list(ends)
    if python:
        library = "rknn-toolkit" if runtime == "rknn1" else r.choice(["rknn-toolkit2", "rknn-toolkit-lite2"])
        calls: list[Body] = [{"api": "inference", "library": library, "inputs": ["x"], "data_format": "nhwc"}]
        if given != "uint8":
            calls[0]["data_type"] = given
    else:
        field = {
            "index": 0,
            "buffer": "x",
            "type": given.upper(),
            "fmt": "NHWC",
            "size": buffer["size"],
            "pass_through": 0,
        }
        calls = [{"api": "rknn_inputs_set", "inputs": [field]}, {"api": "rknn_run"}]
    version = "2.3.2" if runtime == "rknn" else "1.7.5"
    platform = r.choice(["rk3588", "rk3568", "rk3562", "rk3576"]) if runtime == "rknn" else "rv1126"
    return {
        "tensor": tensor, "buffer": buffer, "steps": steps, "calls": calls, "model": {"build": build, "toolkit": version},
        "plan": {"platform": platform, "version": version},
    }  # fmt: skip


def _generic(
    r: Random, runtime: str, size: tuple[int, int, int], color: str, norm: list[Body], codes: Body,
    lists: tuple[list[float], list[float]], ends: tuple[float, float],
) -> Body:  # fmt: skip
    c, h, w = size
    dtype, layout = r.choice(["float32", "int8", "uint8"]), r.choice(["NCHW", "NHWC"])
    shape = [1, c, h, w] if layout == "NCHW" else [1, h, w, c]
    tensor: Body = {"index": 0, "name": "in", "layout": layout, "shape": shape, "dtype": dtype}
    steps = list(norm)
    if dtype == "float32":
        steps += [] if norm else [{"cast": {"dtype": "float32"}}]
    else:
        tensor.update(codes)
        tensor["zero_point"] += 0 if dtype == "int8" else 128
        steps.append({"quantize": {"dtype": dtype, "scale": tensor["scale"], "zero_point": tensor["zero_point"]}})
    if layout == "NCHW":
        steps.append({"transpose": {"to": "NCHW"}})
    buffer = {"dtype": dtype, "layout": layout, "shape": shape, "size": product(shape) * WIDTH[dtype], "color": color}
    calls = [{"api": "set_input", "tensor": "in", "buffer": "x", "size": buffer["size"]}]
    return {"tensor": tensor, "buffer": buffer, "steps": steps, "calls": calls}


def _mnn(
    r: Random, runtime: str, size: tuple[int, int, int], color: str, norm: list[Body], codes: Body,
    lists: tuple[list[float], list[float]], ends: tuple[float, float],
) -> Body:  # fmt: skip
    c, h, w = size
    layout, kind = r.choice(["NCHW", "NHWC", "NC4HW4"]), r.choice(["CAFFE", "TENSORFLOW"])
    tensor: Body = {
        "index": 0,
        "name": "in",
        "layout": layout,
        "shape": [1, h, w, c] if layout == "NHWC" else [1, c, h, w],
    }
    tensor["dtype"] = "float32"
    planar = kind == "CAFFE"
    shape = [1, c, h, w] if planar else [1, h, w, c]
    steps = norm or [{"cast": {"dtype": "float32"}}]
    if planar:
        steps = [*steps, {"transpose": {"to": "CHW"}}]
    buffer = {
        "dtype": "float32",
        "layout": "CHW" if planar else "HWC",
        "shape": shape[1:],
        "size": product(shape) * 4,
        "color": color,
    }
    host = {"shape": shape, "dimension_type": kind, "dtype": "float32", "fill": {"buffer": "x", "size": buffer["size"]}}
    calls = [{"api": "copyFromHostTensor", "tensor": "in", "host": host}, {"api": "runSession"}]
    return {
        "tensor": tensor, "buffer": buffer, "steps": steps, "calls": calls,
        "plan": {"backend": r.choice(["cpu", "opencl"]), "version": "3.6.1"},
    }  # fmt: skip
