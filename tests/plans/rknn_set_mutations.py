"""Single mistakes in plans that hand over by rknn_inputs_set."""

from __future__ import annotations

from tests.plans.mutating import at, calls, everywhere, fields, mutation, number, pick, sets, version
from tests.plans.rknn_making import Body, Making
from tests.plans.rknn_tables import WIDTH


@mutation("DT001", kinds="set")
def type_left_unset(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    return one is not None and everywhere(fields(body, number(one)), type=None)


@mutation("RK002", kinds="set")
def planar_format(m: Making, body: Body) -> bool:
    one = pick(m, body)
    return one is not None and everywhere(fields(body, number(one)), fmt="NCHW")


@mutation("RK002", kinds="set")
def undefined_format(m: Making, body: Body) -> bool:
    one = pick(m, body)
    return one is not None and everywhere(fields(body, number(one)), fmt="UNDEFINED")


@mutation("RK022", kinds="set")
def pixels_as_int8(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="uint8")
    return one is not None and everywhere(fields(body, number(one)), type="INT8")


@mutation("DT002", "SZ002", kinds="set rknn1")
def bytes_as_floats(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    return one is not None and everywhere(fields(body, number(one)), type="FLOAT32")


@mutation("DT002", "SZ002", kinds="set rknn1")
def floats_as_bytes(m: Making, body: Body) -> bool:
    one = pick(m, body, given="float32")
    return one is not None and everywhere(fields(body, number(one)), type="UINT8")


@mutation("RK007", kinds="set")
def sixteen_bits(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    if one is None:
        return False
    size = one.elements * 2
    body["buffers"][f"frame{number(one)}"] |= {"dtype": "int16", "size": size}
    everywhere(calls(body, "write", f"frame{number(one)}"), size=size)
    return everywhere(fields(body, number(one)), type="INT16", size=size)


@mutation("RK019", kinds="set")
def pixels_passed_through(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8", padded=False)
    return one is not None and everywhere(fields(body, number(one)), pass_through=1)


@mutation("RK020", kinds="set")
def codes_without_pitch(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="int8", padded=True)
    return one is not None and one.shape[0] == 1 and everywhere(fields(body, number(one)), pass_through=1)


@mutation("RK005", "SZ001", kinds="set rknn1")
def one_image_of_a_batch(m: Making, body: Body) -> bool:
    one = pick(m, body)
    if one is None or one.shape[0] == 1:
        return False
    name = f"frame{number(one)}"
    buffer = body["buffers"][name]
    buffer |= {"shape": [1, *one.shape[1:]], "layout": "NHWC", "size": buffer["size"] // one.shape[0]}
    everywhere(calls(body, "write", name), size=buffer["size"])
    return everywhere(fields(body, number(one)), size=buffer["size"])


@mutation("SZ007", "SZ005", "SZ003", "SZ006", "SZ001", kinds="set rknn1")
def frame_not_resized(m: Making, body: Body) -> bool:
    one = pick(m, body)
    if one is None or one.shape[0] > 1:
        return False
    name = f"frame{number(one)}"
    buffer = body["buffers"][name]
    _, h, w, c = one.shape
    size = (h - 3) * (w - 5) * c * WIDTH[buffer["dtype"]]
    buffer |= {"shape": [h - 3, w - 5, c], "layout": "HWC", "size": size}
    everywhere(calls(body, "write", name), size=size)
    return everywhere(fields(body, number(one)), size=size)


@mutation("SZ005", kinds="set")
def gray_for_color(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8", channels=3)
    if one is None or one.shape[0] > 1:
        return False
    name = f"frame{number(one)}"
    size = one.elements // 3
    body["buffers"][name] |= {"shape": [*one.shape[1:3], 1], "layout": "HWC", "size": size, "color": "GRAY"}
    everywhere(calls(body, "write", name), size=size)
    return everywhere(fields(body, number(one)), size=size)


@mutation("RK008", kinds="set")
def places_exchanged(m: Making, body: Body) -> bool:
    version(body, "1.5.2")
    found = [c for c in sets(body) if len(c["inputs"]) > 1]
    for call in found:
        call["inputs"] = call["inputs"][::-1]
    return bool(found)


@mutation("RK010", kinds="set")
def last_input_left_out(m: Making, body: Body) -> bool:
    found = [c for c in sets(body) if len(c["inputs"]) > 1]
    for call in found:
        call["inputs"] = call["inputs"][:-1]
    return bool(found)


@mutation("RK009", kinds="set")
def one_entry_too_many(m: Making, body: Body) -> bool:
    version(body, "1.5.2")
    for call in sets(body):
        call["inputs"].append({"buffer": "frame0", "type": "UINT8", "fmt": "NHWC", "size": 100, "pass_through": 0})
    return bool(sets(body))


@mutation("RK001", kinds="set")
def chip_without_the_call(m: Making, body: Body) -> bool:
    if any(one.dtype != "int8" for one in m.inputs) or any(one.shape[0] > 1 for one in m.inputs):
        return False
    body["platform"] = "rv1106"
    body["model"].pop("platforms", None)
    return True


@mutation("RK013", kinds="set")
def flush_off(m: Making, body: Body) -> bool:
    body["calls"] = [
        {"api": "rknn_init", "flags": ["DISABLE_FLUSH_INPUT_MEM_CACHE"]},
        *(c for c in body["calls"] if c["api"] != "rknn_init"),
    ]
    return len(m.inputs) == 1


@mutation("RK014", kinds="set memory mini", severity="warning")
def runtime_older(m: Making, body: Body) -> bool:
    body |= {"version": "2.3.0"}
    body["model"]["toolkit"] = "2.3.2"
    return True


@mutation("RK015", kinds="set memory")
def model_for_another_chip(m: Making, body: Body) -> bool:
    body["model"]["platforms"] = ["rv1106" if m.platform != "rv1106" else "rk3588"]
    return True


@mutation("RK030", kinds="set", severity="warning")
def answer_before_run(m: Making, body: Body) -> bool:
    body["calls"].insert(at(body, calls(body, "rknn_run")[0]), {"api": "rknn_outputs_get"})
    return True


@mutation("RK011", kinds="set")
def code_of_set_ignored(m: Making, body: Body) -> bool:
    sets(body)[0]["ret"] = -5
    return len(m.inputs) == 1


@mutation("MM022", kinds="set")
def set_only_once(m: Making, body: Body) -> bool:
    later = sets(body)[1:]
    body["calls"] = [c for c in body["calls"] if not any(c is one for one in later)]
    return bool(later and calls(body, "write")) and len(m.inputs) == 1


@mutation("MM018", kinds="set", severity="warning")
def uncached_source(m: Making, body: Body) -> bool:
    body["buffers"]["frame0"]["memory"] = {"kind": "dma_fd", "heap": "system-uncached"}
    return True


@mutation("LY001", kinds="set")
def planar_bytes(m: Making, body: Body) -> bool:
    one = pick(m, body, channels=3)
    if one is None:
        return False
    n, h, w, c = one.shape
    body["buffers"][f"frame{number(one)}"] |= {"shape": [n, c, h, w], "layout": "NCHW"}
    return True


@mutation("SZ009", kinds="set")
def call_longer_than_buffer(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    if one is None or one.shape[0] > 1:
        return False
    body["buffers"][f"frame{number(one)}"]["size"] -= 100
    body["buffers"][f"frame{number(one)}"].pop("shape")
    return not calls(body, "write")


@mutation("RK024", kinds="set")
def vector_out_of_range(m: Making, body: Body) -> bool:
    version(body, "1.5.2")
    one = pick(m, body, kind="vector", dtype="int8", given="float32")
    if one is None:
        return False
    body["buffers"][f"frame{number(one)}"]["range"] = [-13.5, 14.0]
    return True


@mutation("RK006", kinds="set")
def batch_of_maps(m: Making, body: Body) -> bool:
    one = pick(m, body, kind="map")
    if one is None or len(m.inputs) > 1:
        return False
    one.tensor = body["model"]["inputs"][0]
    one.tensor["shape"] = [4, *one.shape[1:]]
    body["model"]["batch"] = 4
    buffer = body["buffers"]["frame0"]
    buffer |= {"shape": [4, *one.shape[1:]], "layout": "NHWC", "size": buffer["size"] * 4}
    everywhere(calls(body, "write"), size=buffer["size"])
    return everywhere(fields(body, 0), size=buffer["size"])


@mutation("RK004", kinds="set")
def blocks_without_pass_through(m: Making, body: Body) -> bool:
    version(body, "1.5.2")
    one = pick(m, body, kind="map")
    return one is not None and everywhere(fields(body, number(one)), fmt="NC1HWC2")


@mutation("RK033", kinds="set")
def null_buffer(m: Making, body: Body) -> bool:
    for call in sets(body):
        call["t_ms"] = 1.0
        call["inputs"][0]["buffer"] = None
    return len(m.inputs) == 1 and not calls(body, "write")
