"""One fault put into a right plan of the host's, and the rule that has to name it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.plans.host_random import WIDTH, Body, plan, product


class Unfit(Exception):
    """The plan drawn cannot carry this fault."""


Change = Callable[[Body], None]
MUTATIONS: dict[str, tuple[Change, tuple[str, ...]]] = {}


def fault(*rules: str) -> Callable[[Change], Change]:
    """Register a change and the rules of which one must come first."""

    def register(change: Change) -> Change:
        MUTATIONS[change.__name__] = (change, rules)
        return change

    return register


def mutated(r: Random, change: Change) -> Body | None:
    """A right plan with the fault; None where none of 200 plans can carry it."""
    for _ in range(200):
        body = copy.deepcopy(plan(r))
        try:
            change(body)
        except Unfit:
            continue
        return body
    return None


def need(condition: object) -> None:
    """Give the plan up where it cannot carry the fault."""
    if not condition:
        raise Unfit


def tensor(body: Body) -> Body:
    found: Body = body["model"]["inputs"][0]
    return found


def sides(body: Body) -> tuple[int, int, int]:
    """channels, height, width"""
    s = tensor(body)["shape"]
    return (s[3], s[1], s[2]) if tensor(body)["layout"] == "NHWC" else (s[1], s[2], s[3])


def at(body: Body, kind: str) -> int:
    """Place of the first step of a kind."""
    found = [i for i, s in enumerate(body.get("steps", [])) if kind in s]
    need(found)
    return found[0]


def step(body: Body, kind: str) -> Body:
    place = at(body, kind)
    found: Body = body["steps"][place][kind]
    return found


def has(body: Body, kind: str) -> bool:
    return any(kind in s for s in body.get("steps", []))


def known(body: Body) -> Body:
    """Training, where what the model does is known too, and no range of the buffer contradicts the steps."""
    need("steps" in body and (not body["runtime"].startswith("rknn") or "build" in body["model"]))
    body["buffers"]["x"].pop("range", None)
    found: Body = body["model"]["training"]
    return found


def distorted(body: Body) -> None:
    """Only where a stretch and a letterbox differ."""
    _, h, w = sides(body)
    sw, sh = step(body, "decode")["size"]
    ratio = sw * h / (sh * w)
    need(max(ratio, 1 / ratio) > 1.15)


def field(body: Body) -> Body:
    call = body["calls"][0]
    need(call["api"] == "rknn_inputs_set")
    found: Body = call["inputs"][0]
    return found


def view(body: Body, strides: list[int]) -> None:
    buffer = body["buffers"]["x"]
    need(buffer["layout"] in ("HWC", "NHWC") and body["calls"][0]["api"] != "inference")
    whole = product(buffer["shape"]) * WIDTH[buffer["dtype"]]
    buffer["strides"] = strides if buffer["layout"] == "HWC" else [whole, *strides]


# -- colour


@fault("CL001")
def swap_left_out(body: Body) -> None:
    known(body)
    del body["steps"][at(body, "convert_color")]
    body["buffers"]["x"].pop("color")


@fault("CL002")
def swap_too_many(body: Body) -> None:
    training = known(body)
    need(sides(body)[0] == 3 and not has(body, "convert_color"))
    body["steps"].insert(1, {"convert_color": {"to": "BGR" if training["color"] == "RGB" else "RGB"}})
    body["buffers"]["x"].pop("color")


@fault("CL004")
def nv12_given(body: Body) -> None:
    buffer, told = body["buffers"]["x"], field(body)
    c, h, w = sides(body)
    need(c == 3 and buffer["dtype"] == "uint8")
    body.pop("steps", None)
    body["buffers"]["x"] = {"dtype": "uint8", "color": "NV12", "size": h * w * 3 // 2}
    told["size"] = h * w * 3 // 2


# -- normalisation


@fault("NM004")
def built_with_it_as_well(body: Body) -> None:
    known(body)
    need(body["runtime"].startswith("rknn") and tensor(body)["dtype"] == "float16" and has(body, "normalize"))
    c = sides(body)[0]
    need(abs(step(body, "normalize")["mean"][0]) not in (0.5, 127.5))
    body["model"]["build"] = {"mean": [[123.675, 116.28, 103.53][:c]], "std": [[58.395, 57.12, 57.375][:c]]}


@fault("NM004")
def done_two_times(body: Body) -> None:
    known(body)
    i = at(body, "normalize")
    body["steps"].insert(i + 1, copy.deepcopy(body["steps"][i]))


@fault("NM005")
def left_out(body: Body) -> None:
    known(body)
    del body["steps"][at(body, "normalize")]


@fault("NM009")
def not_divided_by_255(body: Body) -> None:
    known(body)
    at(body, "normalize")
    del body["steps"][at(body, "scale")]


@fault("NM007")
def mean_for_std(body: Body) -> None:
    known(body)
    s = step(body, "normalize")
    need(abs(s["mean"][0] / s["std"][0] - 1) > 0.1)
    s["mean"], s["std"] = s["std"], s["mean"]


@fault("NM008")
def inverse_of_std(body: Body) -> None:
    known(body)
    s = step(body, "normalize")
    s["std"] = [1 / x for x in s["std"]]


@fault("NM006")
def lists_turned_round(body: Body) -> None:
    known(body)
    s = step(body, "normalize")
    need(len(s["mean"]) == 3 and s["mean"][0] != s["mean"][2])
    s["mean"], s["std"] = s["mean"][::-1], s["std"][::-1]


@fault("NM011")
def other_constants(body: Body) -> None:
    known(body)
    s = step(body, "normalize")
    s["std"] = [x * 1.5 for x in s["std"]]


@fault("NM002")
def one_value_too_many(body: Body) -> None:
    known(body)
    s = step(body, "normalize")
    s["mean"], s["std"] = [*s["mean"], 0.0], [*s["std"], 1.0]


@fault("NM012")
def std_of_zero(body: Body) -> None:
    known(body)
    s = step(body, "normalize")
    s["std"] = [0, *s["std"][1:]]


@fault("NM001")
def build_list_too_long(body: Body) -> None:
    need(body["model"].get("build"))
    body["model"]["build"]["mean"] = [[*body["model"]["build"]["mean"][0], 0.0]]


@fault("NM013")
def pixels_to_normalised_codes(body: Body) -> None:
    build = body["model"].get("build")
    need(build and build["std"][0][0] > 50 and tensor(body)["dtype"] in ("int8", "uint8"))
    c = sides(body)[0]
    body["model"]["build"] = {"mean": [[0] * c], "std": [[1] * c]}
    body["model"].pop("training")
    body["buffers"]["x"]["range"] = [0, 255]


@fault("NM014")
def fractions_to_pixel_codes(body: Body) -> None:
    t, buffer = tensor(body), body["buffers"]["x"]
    build = body["model"].get("build")
    need(t["dtype"] == "int8" and build and build["std"][0][0] == 1 and 0.9 < t["scale"] < 1.1)
    body.pop("steps", None)
    body["model"].pop("training")
    buffer.update(dtype="float32", range=[0, 1], size=product(buffer["shape"]) * 4)
    call = body["calls"][0]
    if call["api"] == "inference":
        call["data_type"] = "float32"
    else:
        call["inputs"][0].update(type="FLOAT32", size=buffer["size"])


@fault("NM015")
def fractions_kept_as_uint8(body: Body) -> None:
    known(body)
    told, buffer = field(body), body["buffers"]["x"]
    need(buffer["dtype"] == "float32" and (has(body, "scale") or has(body, "normalize")))
    buffer.update(dtype="uint8", size=product(buffer["shape"]))
    told.update(type="UINT8", size=buffer["size"])


# -- resize


@fault("RS002")
def stretched(body: Body) -> None:
    need(known(body)["resize"] == "letterbox")
    distorted(body)
    _, h, w = sides(body)
    body["steps"] = [s for s in body["steps"] if not {"letterbox", "pad", "resize"} & set(s)]
    body["steps"].insert(1, {"resize": {"size": [w, h], "keep_ratio": False}})


@fault("RS002")
def letterboxed(body: Body) -> None:
    need(known(body)["resize"] == "stretch")
    distorted(body)
    _, h, w = sides(body)
    body["steps"][at(body, "resize")] = {"letterbox": {"size": [w, h], "fill": 114}}


@fault("RS003")
def undone_otherwise(body: Body) -> None:
    training = known(body)
    need("postprocess" in body)
    distorted(body)
    body["postprocess"] = {"undo": "stretch" if training["resize"] == "letterbox" else "letterbox"}


@fault("RS004")
def padded_by_nothing(body: Body) -> None:
    pad = step(body, "pad")
    need(sum(pad[k] for k in ("left", "top", "right", "bottom")))
    pad.update(left=0, top=0, right=0, bottom=0)


@fault("RS005")
def black_bars(body: Body) -> None:
    known(body)
    distorted(body)
    kind = "pad" if has(body, "pad") else "letterbox"
    step(body, kind)["fill"] = 0


@fault("RS008")
def crop_beyond_the_picture(body: Body) -> None:
    box, frame = step(body, "crop")["box"], step(body, "decode")["size"]
    box[0] = frame[0] - box[2] + 40


# -- sizes and layouts


@fault("SZ010")
def not_resized(body: Body) -> None:
    _, h, w = sides(body)
    need(not has(body, "pad") and not has(body, "crop") and step(body, "decode")["size"] != [w, h])
    place = at(body, "resize")
    del body["steps"][place]


@fault("SZ010")
def sides_of_resize_exchanged(body: Body) -> None:
    _, h, w = sides(body)
    need(h != w and not has(body, "pad"))
    step(body, "resize")["size"] = [h, w]
    body["model"].pop("training")
    body.pop("postprocess", None)


@fault("SZ008")
def sides_of_shape_exchanged(body: Body) -> None:
    _, h, w = sides(body)
    need(h != w and body["calls"][0]["api"] != "inference")
    buffer = body["buffers"]["x"]
    buffer["shape"] = [{h: w, w: h}.get(s, s) for s in buffer["shape"]]


@fault("SZ001", "RK005")
def batch_of_four(body: Body) -> None:
    need(body["runtime"] != "mnn" and body["calls"][0]["api"] != "inference")
    tensor(body)["shape"][0] = 4


@fault("SZ005")
def four_channels(body: Body) -> None:
    buffer = body["buffers"]["x"]
    need(body["runtime"] == "generic" and sides(body)[0] == 3)
    buffer["shape"] = [4 if s == 3 else s for s in buffer["shape"]]
    buffer["size"] = product(buffer["shape"]) * WIDTH[buffer["dtype"]]
    body["calls"][0]["size"] = buffer["size"]


@fault("SZ009")
def more_than_the_buffer_holds(body: Body) -> None:
    need(body["calls"][0]["api"] == "set_input")
    body["buffers"]["x"] = {"dtype": body["buffers"]["x"]["dtype"], "size": body["calls"][0]["size"] // 2}


@fault("LY001", "RK036")
def other_layout(body: Body) -> None:
    buffer = body["buffers"]["x"]
    c, h, w = sides(body)
    need(c == 3)
    planar = buffer["layout"] in ("CHW", "NCHW")
    buffer["layout"], buffer["shape"] = ("HWC", [h, w, 3]) if planar else ("CHW", [3, h, w])
    need(body["calls"][0]["api"] != "inference")


@fault("LY002")
def axes_permuted(body: Body) -> None:
    buffer = body["buffers"]["x"]
    c, h, w = sides(body)
    need(c == 3 and body["runtime"] != "mnn" and body["calls"][0]["api"] != "inference")
    body["steps"] = [s for s in body.get("steps", []) if "transpose" not in s]
    del buffer["layout"]
    buffer["shape"] = [1, h, w, 3] if tensor(body)["layout"] == "NCHW" else [1, 3, h, w]
    body.pop("steps")


# -- types and views


@fault("DT001")
def type_never_set(body: Body) -> None:
    told = field(body)
    need(body["buffers"]["x"]["dtype"] != "float32")
    told["type"] = None


@fault("DT002", "RK022")
def type_of_the_attribute(body: Body) -> None:
    told = field(body)
    need(body["buffers"]["x"]["dtype"] == "uint8" and tensor(body)["dtype"] == "int8")
    told["type"] = "INT8"


@fault("DT003")
def not_quantised(body: Body) -> None:
    buffer = body["buffers"]["x"]
    need(body["runtime"] == "generic" and tensor(body)["dtype"] != "float32" and "steps" in body)
    buffer.update(dtype="float32", size=product(buffer["shape"]) * 4)
    body["calls"][0]["size"] = buffer["size"]
    body["steps"] = [s for s in body["steps"] if "quantize" not in s]


@fault("DT004")
def double_precision(body: Body) -> None:
    buffer, call = body["buffers"]["x"], body["calls"][0]
    need(buffer["dtype"] == "float32" and call["api"] == "inference")
    buffer.update(dtype="float64", size=buffer["size"] * 2)
    call.pop("data_type", None)


@fault("ST001")
def window_of_a_wider_picture(body: Body) -> None:
    (c, _, w), e = sides(body), WIDTH[body["buffers"]["x"]["dtype"]]
    view(body, [(w + 30) * c * e, c * e, e])


@fault("ST002")
def transposed_view(body: Body) -> None:
    (c, h, w), e = sides(body), WIDTH[body["buffers"]["x"]["dtype"]]
    need(c == 3)
    view(body, [w * e, e, h * w * e])


@fault("ST003")
def mirrored_view(body: Body) -> None:
    (c, _, w), e = sides(body), WIDTH[body["buffers"]["x"]["dtype"]]
    need(c == 3)
    view(body, [w * c * e, c * e, -e])


@fault("ST004")
def part_of_wider_pixels(body: Body) -> None:
    (c, _, w), e = sides(body), WIDTH[body["buffers"]["x"]["dtype"]]
    need(c == 3)
    view(body, [w * 4 * e, 4 * e, e])


# -- zero point and scale


@fault("QT001")
def zero_point_of_another_type(body: Body) -> None:
    t = tensor(body)
    need("zero_point" in t)
    t["zero_point"] = -200 if t["dtype"] == "int8" else -16


@fault("QT002")
def scale_of_zero(body: Body) -> None:
    need("scale" in tensor(body))
    tensor(body)["scale"] = 0.0


@fault("QT003")
def narrow_calibration(body: Body) -> None:
    need("scale" in tensor(body) and body["model"].get("build") and body["model"]["build"]["std"][0][0] > 50)
    tensor(body)["scale"] *= 0.7


@fault("QT004")
def quantised_otherwise(body: Body) -> None:
    step(body, "quantize")["zero_point"] += 20


def every() -> list[tuple[str, Any]]:
    """name, (change, rules) of all faults."""
    return sorted(MUTATIONS.items())
