"""Faults of colour, values, types and quantisation in right plans of the host's, and the rules that have to name them."""

from __future__ import annotations

import copy

from tests.plans.host_mutating import at, fault, field, has, known, need, sides, step, tensor
from tests.plans.host_random import Body, product


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
