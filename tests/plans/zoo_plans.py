"""Plans of the example programs of rknn_model_zoo, built from the facts in zoo/examples.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

from prepcheck.contract.yamldoc import parse
from tests.plans.rknn_tables import CHIPS, WIDTH

Body = dict[str, Any]
FACTS = Path(__file__).parent / "zoo" / "examples.yaml"
PLATFORM = {"set": "rk3588", "zero": "rk3588", "mini": "rv1106", "python": "rk3588", "v1": "rv1126"}


def facts() -> Body:
    """The table."""
    value = parse(FACTS.read_text(encoding="utf-8"), FACTS.name).value
    assert isinstance(value, dict)
    return value


def spread(inputs: list[Body]) -> list[Body]:
    """`times: 5` written out."""
    return [dict(one) for one in inputs for _ in range(one.get("times", 1))]


def is_picture(one: Body) -> bool:
    """Whether an input is fed with pixels."""
    return "build" in one


def tensor(one: Body, position: int, way: str, builds: Body) -> Body:
    """The contract's entry."""
    shape, dtype = list(one["shape"]), one["dtype"]
    four = len(shape) == 4
    if way == "v1":
        dtype = "uint8" if dtype == "int8" else dtype
    found: Body = {
        "index": position,
        "name": f"in{position}",
        "layout": "NHWC" if four else "UNDEFINED",
        "shape": shape,
        "dtype": dtype,
    }
    build = builds.get(str(one.get("build")), one)
    if dtype in ("int8", "uint8"):
        found |= {
            "scheme": "affine",
            "scale": build["scale"],
            "zero_point": build["zero_point"] + (128 if dtype == "uint8" else 0),
        }
    else:
        found["scheme"] = "none"
    if four and way != "v1" and shape[3] in (1, 3, 4) and dtype in ("int8", "float16"):
        chip = CHIPS[PLATFORM[way]]
        step = chip.rows8 if dtype == "int8" else chip.rows16
        pitch = -(-shape[2] // step) * step
        found |= {
            "size": prod(shape) * WIDTH[dtype],
            "w_stride": pitch,
            "size_with_stride": prod(shape) // shape[2] * pitch * WIDTH[dtype],
        }
    return found


def steps(entry: Body) -> list[Body]:
    """What the program does to the picture."""
    first = entry["inputs"][0]
    if not entry.get("picture"):
        return []
    _, h, w, _ = first["shape"]
    color = entry.get("color", "RGB")
    made: list[Body] = [{"decode": {"library": "other", "color": color, "size": [1920, 1080]}}]
    if entry["picture"] == "letterbox":
        return [*made, {"letterbox": {"size": [w, h], "fill": entry["fill"], "align": "center"}}]
    return [*made, {"resize": {"size": [w, h], "filter": "bilinear", "library": "other", "keep_ratio": False}}]


def frame(one: Body, entry: Body, dtype: str) -> Body:
    """The buffer that holds an input's content."""
    shape = list(one["shape"])
    body: Body = {
        "dtype": dtype,
        "shape": shape,
        "layout": "NHWC" if len(shape) == 4 else "UNDEFINED",
        "size": prod(shape) * WIDTH[dtype],
    }
    if is_picture(one):
        body |= {"color": entry.get("color", "RGB"), "range": [0, 255]}
    elif "range" in one:
        body["range"] = one["range"]
    return body


def by_copy(entry: Body, inputs: list[Body]) -> tuple[Body, list[Body]]:
    """rknn_inputs_set, as the C++ programs do."""
    buffers, given = {}, []
    for i, one in enumerate(inputs):
        name = one.get("give", "UINT8")
        dtype = name.lower()
        buffers[f"frame{i}"] = frame(one, entry, dtype)
        four = len(one["shape"]) == 4
        fmt = "NHWC" if four else "NCHW" if entry.get("unset_fmt") else "UNDEFINED"  # 0 of an unset field is NCHW
        given.append(
            {
                "index": i,
                "buffer": f"frame{i}",
                "type": name,
                "fmt": fmt,
                "size": buffers[f"frame{i}"]["size"],
                "pass_through": 0,
            }
        )
    return buffers, [{"api": "rknn_inputs_set", "inputs": given}, {"api": "rknn_run"}, {"api": "rknn_outputs_get"}]


def by_memory(entry: Body, inputs: list[Body], way: str) -> tuple[Body, list[Body]]:
    """Zero-copy: UINT8 NHWC in rows of w_stride for pictures, FLOAT16 for lite_transformer."""
    buffers: Body = {}
    make: list[Body] = []
    fill: list[Body] = []
    for i, one in enumerate(inputs):
        picture, name = is_picture(one), f"mem{i}"
        shape = one["shape"]
        described = tensor(one, i, way, facts()["builds"])
        blocks = len(shape) == 4 and not picture and shape[3] not in (1, 3, 4)
        through = int(len(shape) == 4 and not picture)  # the decoder's cache: native attribute, pass_through
        dtype = "uint8" if picture else "float16"
        size = described.get("size_with_stride") or prod(shape) * WIDTH[dtype] * (2 if through else 1)
        buffers[name] = {"dtype": dtype, "size": size, "memory": {"kind": "dma_fd", "cached": True, "capacity": size}}
        fmt = "NC1HWC2" if blocks else "NHWC" if len(shape) == 4 or not picture else "UNDEFINED"
        make.append({"api": "rknn_create_mem", "buffer": name, "size": size})
        make.append({"api": "rknn_set_io_mem", "index": i, "buffer": name, "type": dtype.upper(), "fmt": fmt, "size": size,
                     "pass_through": through, "name": f"in{i}"})  # fmt: skip
        write: Body = {
            "api": "write",
            "buffer": name,
            "by": "rga" if picture and entry["example"] != "LPRNet" else "cpu",
            "dtype": dtype,
        }
        if picture:
            write |= {"wstride": described["w_stride"], "size": size}
        else:
            write["size"] = prod(shape) * WIDTH[dtype]
        fill.append(write)
    return buffers, [*make, *fill, {"api": "rknn_run"}]


def by_python(entry: Body, inputs: list[Body]) -> tuple[Body, list[Body]]:
    """inference() of rknn-toolkit2 with a board connected."""
    buffers: Body = {}
    planar = entry.get("format") == "NCHW"
    for i, one in enumerate(inputs):
        name = one.get("give", "UINT8").lower()
        body = frame(one, entry, name)
        if planar and len(one["shape"]) == 4:
            n, h, w, c = one["shape"]
            body |= {"shape": [n, c, h, w], "layout": "NCHW"}
        elif is_picture(one) and entry["example"] not in ("clip", "mobilesam", "yolo_world"):
            body |= {"shape": one["shape"][1:], "layout": "HWC"}
        if entry.get("view"):
            _, w, c = body["shape"]
            body |= {"strides": [w * c, c, -1], "offset": c - 1, "contiguous": False}
        buffers[f"array{i}"] = body
    call: Body = {"api": "inference", "library": "rknn-toolkit2", "inputs": list(buffers)}
    if planar:
        call["data_format"] = "NCHW"
    return buffers, [call]


def plans() -> Iterator[tuple[str, str, Body]]:
    """(example, name, body) of every way of every model."""
    table = facts()
    builds = table["builds"]
    for entry in table["examples"]:
        inputs = spread(entry["inputs"])
        for way in entry["ways"]:
            model: Body = {"inputs": [tensor(one, i, way, builds) for i, one in enumerate(inputs)]}
            pictures = [builds[one["build"]] if is_picture(one) else None for one in inputs]
            if any(pictures):
                model["build"] = {
                    "mean": [b["mean"] if b else None for b in pictures], "std": [b["std"] if b else None for b in pictures],
                }  # fmt: skip
            if way == "python":
                buffers, calls = by_python(entry, inputs)
            elif way in ("mini", "zero"):
                buffers, calls = by_memory(entry, inputs, way)
            else:
                buffers, calls = by_copy(entry, inputs)
            body: Body = {
                "runtime": "rknn1" if way == "v1" else "rknn",
                "platform": PLATFORM[way],
                "model": model,
                "buffers": buffers,
            }
            body |= {"steps": steps(entry), "calls": calls, "version": "1.7.5" if way == "v1" else "2.3.2"}
            yield entry["example"], "-".join(filter(None, [entry["example"], entry.get("model"), way])), body
