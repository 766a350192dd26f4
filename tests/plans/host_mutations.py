"""Faults of geometry, size, layout and views in right plans of the host's, and the rules that have to name them."""

from __future__ import annotations

from tests.plans.host_mutating import at, distorted, fault, has, known, need, sides, step, tensor, view
from tests.plans.host_random import WIDTH, Body, product


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
