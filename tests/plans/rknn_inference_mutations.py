"""Single mistakes in plans that call inference()."""

from __future__ import annotations

from tests.plans.mutating import calls, everywhere, mutation, number, pick, version
from tests.plans.rknn_making import Body, Making


def inferences(body: Body) -> list[Body]:
    return calls(body, "inference")


@mutation("RK035", kinds="python")
def batch_axis_left_out(m: Making, body: Body) -> bool:
    one = pick(m, body)
    if one is None or inferences(body)[0]["library"] != "rknn-toolkit-lite2":
        return False
    body["buffers"][f"array{number(one)}"] |= {"shape": list(one.shape[1:]), "layout": "HWC"}
    return True


@mutation("LY001", "LY002", kinds="python")
def planar_array(m: Making, body: Body) -> bool:
    one = pick(m, body, channels=3)
    if one is None:
        return False
    n, h, w, c = one.shape
    body["buffers"][f"array{number(one)}"] |= {"shape": [n, c, h, w], "layout": "NCHW"}
    return True


@mutation("DT004", kinds="python")
def double_array(m: Making, body: Body) -> bool:
    one = pick(m, body, given="float32")
    if one is None:
        return False
    body["buffers"][f"array{number(one)}"] |= {"dtype": "float64", "size": one.elements * 8}
    for call in inferences(body):
        call.pop("data_type", None)
    return True


@mutation("RK037", kinds="python")
def data_type_of_another_array(m: Making, body: Body) -> bool:
    one = pick(m, body, given="float32")
    if one is None or inferences(body)[0]["library"] != "rknn-toolkit-lite2" or len(m.inputs) > 1:
        return False
    return everywhere(inferences(body), data_type="uint8")


@mutation("RK038", kinds="python")
def array_left_out(m: Making, body: Body) -> bool:
    for call in inferences(body):
        call["inputs"] = call["inputs"][:-1]
        call.pop("data_type", None)
        if isinstance(call.get("data_format"), list):
            call["data_format"] = call["data_format"][:-1]
    return len(m.inputs) > 1


@mutation("RK038", kinds="python")
def format_unknown(m: Making, body: Body) -> bool:
    return (
        all(i.kind == "picture" for i in m.inputs)
        and len(m.inputs) == 1
        and everywhere(inferences(body), data_format="chwn")
    )


@mutation("ST005", "ST002", "ST001", kinds="python", severity="warning")
def view_of_another_array(m: Making, body: Body) -> bool:
    if inferences(body)[0]["library"] != "rknn-toolkit-lite2":
        return False
    body["buffers"]["array0"]["contiguous"] = False
    return True


@mutation("RK040", kinds="python", severity="warning")
def codes_for_the_simulator(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="uint8")
    if one is None or inferences(body)[0]["library"] != "rknn-toolkit2":
        return False
    body["buffers"][f"array{number(one)}"]["dtype"] = "int8"
    body["buffers"][f"array{number(one)}"].pop("range")
    return True


@mutation("RK039", kinds="python")
def bytes_passed_through(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    if one is None or inferences(body)[0]["library"] != "rknn-toolkit2":
        return False
    return everywhere(inferences(body), pass_through=[int(i == number(one)) for i in range(len(m.inputs))])


@mutation("RK041", kinds="python")
def list_for_an_old_release(m: Making, body: Body) -> bool:
    version(body, "1.5.2")
    if inferences(body)[0]["library"] != "rknn-toolkit-lite2" or any(i.kind != "picture" for i in m.inputs):
        return False
    return everywhere(inferences(body), data_format=["nhwc"] * len(m.inputs))
