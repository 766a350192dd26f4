"""Single mistakes put into right RKNN plans; each names the rules that may say it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.plans.rknn_random import Body, Input, Making, making
from tests.plans.rknn_tables import WIDTH

Change = Callable[[Making, Body], bool]


@dataclass(frozen=True)
class Mutation:
    """change: puts the mistake into a plan's body, False where the plan has no place for it. severity: at least."""

    name: str
    rules: frozenset[str]
    kinds: tuple[str, ...]
    severity: str
    change: Change


MUTATIONS: list[Mutation] = []


def mutation(*rules: str, kinds: str, severity: str = "error") -> Callable[[Change], Change]:
    """Register a mistake."""

    def register(change: Change) -> Change:
        MUTATIONS.append(Mutation(change.__name__, frozenset(rules), tuple(kinds.split()), severity, change))
        return change

    return register


def mutated(wanted: Mutation, count: int, limit: int = 400) -> Iterator[tuple[str, Body]]:
    """(where from, body) of so many plans with the mistake."""
    found = 0
    for seed in range(limit):
        kind = wanted.kinds[seed % len(wanted.kinds)]
        m = making(seed, kind)
        body = copy.deepcopy(m.plan)
        if wanted.change(m, body):
            found += 1
            yield f"{kind} {seed}", body
            if found == count:
                return


# -- finding one's way in a body


def sets(body: Body) -> list[Body]:
    return [c for c in body["calls"] if c["api"] == "rknn_inputs_set"]


def fields(body: Body, index: int) -> list[Body]:
    return [f for c in sets(body) for f in c["inputs"] if f["index"] == index]


def calls(body: Body, api: str, buffer: str | None = None) -> list[Body]:
    return [c for c in body["calls"] if c["api"] == api and (buffer is None or c.get("buffer") == buffer)]


def at(body: Body, call: Body) -> int:
    return next(i for i, c in enumerate(body["calls"]) if c is call)


def pick(m: Making, body: Body, *, kind: str = "picture", dtype: str | None = None, given: str | None = None,
         padded: bool | None = None, through: int | None = 0, channels: int | None = None) -> Input | None:  # fmt: skip
    """The first input that is as wanted. given: element type of what is handed over."""
    for i, one in enumerate(m.inputs):
        how = (fields(body, i) or calls(body, "rknn_set_io_mem", f"mem{i}") or [{}])[0]
        if one.kind != kind or (dtype is not None and one.dtype != dtype) or (padded is not None and one.padded != padded):
            continue
        if through is not None and how.get("pass_through", 0) != through:
            continue
        if channels is not None and one.shape[3] != channels:
            continue
        names = (f"frame{i}", f"mem{i}", f"array{i}")
        held = next((body["buffers"][n]["dtype"] for n in names if n in body["buffers"]), None)
        if given is not None and held != given:
            continue
        return one
    return None


def number(one: Input) -> int:
    return int(one.tensor["index"])


def everywhere(items: list[Body], **values: Any) -> bool:
    for item in items:
        item.update(values)
    return bool(items)


def version(body: Body, text: str) -> None:
    body["version"] = text
    body["model"].pop("toolkit", None)


# -- rknn_inputs_set


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
    body["calls"] = [{"api": "rknn_init", "flags": ["DISABLE_FLUSH_INPUT_MEM_CACHE"]}, *(c for c in body["calls"] if c["api"] != "rknn_init")]
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


# -- bound memory


def binds(body: Body, i: int) -> list[Body]:
    return [c for c in calls(body, "rknn_set_io_mem") if c.get("index") == i]


def memory(body: Body, i: int, size: int) -> bool:
    """Give the memory of an input another size everywhere."""
    name = f"mem{i}"
    body["buffers"][name]["size"] = size
    for call in body["calls"]:
        made = call["api"].startswith("rknn_create_mem") and (call.get("buffer") == name or call.get("for") == f"inputs[{i}]")
        if made or (call["api"] == "rknn_set_io_mem" and call.get("index") == i):
            call["size"] = size
        if call["api"] == "write" and call["buffer"] == name and call.get("size", 0) > size:
            call["size"] = size
    return True


@mutation("MM001", kinds="memory mini")
def memory_without_pitch(m: Making, body: Body) -> bool:
    one = pick(m, body, padded=True, given="uint8")
    if one is None or f"source{number(one)}" in body["buffers"]:
        return False
    everywhere(calls(body, "write", f"mem{number(one)}"), by="cpu")
    return memory(body, number(one), one.elements)


@mutation("MM001", kinds="memory mini")
def memory_by_plain_attribute(m: Making, body: Body) -> bool:
    one = pick(m, body, kind="map", through=1)
    plain = one.elements * WIDTH[one.dtype] if one is not None else 0
    return one is not None and plain < one.native and memory(body, number(one), plain)


@mutation("MM014", kinds="memory mini")
def memory_of_no_bytes(m: Making, body: Body) -> bool:
    if len(m.inputs) > 1 or not calls(body, "rknn_create_mem"):
        return False
    everywhere(calls(body, "rknn_create_mem"), size=0)
    body["calls"] = [c for c in body["calls"] if c["api"] != "write"]
    return True


@mutation("MM003", kinds="memory mini")
def rows_packed_by_rga(m: Making, body: Body) -> bool:
    one = pick(m, body, padded=True, given="uint8")
    if one is None:
        return False
    for write in calls(body, "write", f"mem{number(one)}"):
        write.pop("from", None)
        write |= {"by": "rga", "wstride": one.shape[2], "size": one.elements}
    return True


@mutation("RK003", kinds="memory mini")
def planar_bound(m: Making, body: Body) -> bool:
    version(body, "2.3.2")
    one = pick(m, body)
    return one is not None and everywhere(binds(body, number(one)), fmt="NCHW")


@mutation("MM016", kinds="mini")
def uint8_passed_through(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="int8", through=1)
    return one is not None and everywhere(binds(body, number(one)), type="UINT8")


@mutation("RK022", kinds="memory")
def pixels_bound_as_int8(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="uint8")
    return one is not None and everywhere(binds(body, number(one)), type="INT8")


@mutation("RK019", kinds="memory mini")
def pixels_bound_as_codes(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="uint8")
    return one is not None and everywhere(binds(body, number(one)), type="INT8", pass_through=1)


@mutation("RK004", kinds="memory")
def blocks_bound_without_pass_through(m: Making, body: Body) -> bool:
    version(body, "1.5.2")
    one = pick(m, body, kind="map", through=1)
    return one is not None and everywhere(binds(body, number(one)), pass_through=0)


@mutation("MM015", kinds="memory mini")
def name_misspelt(m: Making, body: Body) -> bool:
    return everywhere(binds(body, 0), name="imagE0")


@mutation("MM015", kinds="memory mini")
def name_lost(m: Making, body: Body) -> bool:
    return everywhere(binds(body, 0), name="")


@mutation("MM006", kinds="memory mini")
def other_memory_filled(m: Making, body: Body) -> bool:
    body["buffers"]["other"] = dict(body["buffers"]["mem0"])
    body["buffers"]["other"].pop("memory", None)
    body["buffers"]["mem0"].pop("range", None)
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"] or c["buffer"] != "mem0"]
    return everywhere(calls(body, "write", "mem0"), buffer="other")


@mutation("MM007", kinds="memory mini")
def flush_off_and_no_sync(m: Making, body: Body) -> bool:
    one = next((i for i in range(len(m.inputs)) if calls(body, "rknn_create_mem") and "memory" not in body["buffers"][f"mem{i}"]), None)
    if one is None or len(m.inputs) > 1 or calls(body, "write")[-1]["by"] == "rga" or calls(body, "rknn_create_mem")[0].get("flags"):
        return False
    body["calls"] = [{"api": "rknn_init", "flags": ["DISABLE_FLUSH_INPUT_MEM_CACHE"]},
                     *(c for c in body["calls"] if "sync" not in c["api"] and c["api"] != "rknn_init")]  # fmt: skip
    return True


@mutation("MM007", kinds="memory mini")
def physical_and_no_sync(m: Making, body: Body) -> bool:
    held = body["buffers"]["mem0"].get("memory", {})
    if held.get("kind") != "physical" or not held["cached"] or calls(body, "write", "mem0")[-1]["by"] == "rga":
        return False
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"] or c["buffer"] != "mem0"]
    return True


@mutation("MM010", kinds="memory mini")
def destroyed_before_run(m: Making, body: Body) -> bool:
    body["calls"].insert(at(body, calls(body, "rknn_run")[0]), {"api": "rknn_destroy_mem", "buffer": "mem0"})
    return True


@mutation("MM010", kinds="memory mini")
def made_again_after_binding(m: Making, body: Body) -> bool:
    made = calls(body, "rknn_create_mem", "mem0")
    if not made:
        return False
    body["calls"].insert(at(body, binds(body, 0)[0]) + 1, dict(made[0]))
    return True


@mutation("MM011", kinds="memory mini", severity="warning")
def made_per_frame(m: Making, body: Body) -> bool:
    made, bind = calls(body, "rknn_create_mem", "mem0"), binds(body, 0)
    runs = calls(body, "rknn_run")
    if not made or len(runs) < 2:
        return False
    for run in runs[:-1]:
        place = at(body, run) + 1
        body["calls"][place:place] = [{"api": "rknn_destroy_mem", "buffer": "mem0"}, dict(made[0]), dict(bind[0])]
    return True


@mutation("MM012", kinds="memory mini")
def second_frame_elsewhere(m: Making, body: Body) -> bool:
    later = calls(body, "write", "mem0")[1:]
    body["buffers"]["frame"] = {"dtype": "uint8", "size": 1000}
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"] or c["buffer"] != "mem0"
                     or at(body, c) < at(body, calls(body, "rknn_run")[0])]  # fmt: skip
    for write in later:
        write.pop("from", None)
        write |= {"buffer": "frame", "by": "decoder"}
        write.pop("size", None)
    return bool(later) and len(m.inputs) == 1


def imports(body: Body) -> list[Body]:
    return calls(body, "rknn_create_mem_from_fd", "mem0")


@mutation("MM013", kinds="memory mini")
def offset_beyond_the_end(m: Making, body: Body) -> bool:
    return everywhere(imports(body), offset=1 << 20)


@mutation("MM013", kinds="memory mini")
def no_descriptor(m: Making, body: Body) -> bool:
    return everywhere(imports(body), fd=-1)


@mutation("MM013", kinds="memory mini")
def other_descriptor(m: Making, body: Body) -> bool:
    return everywhere(imports(body), fd=77)


@mutation("MM013", kinds="memory mini")
def malloc_imported(m: Making, body: Body) -> bool:
    if not imports(body) or any(w["by"] == "rga" for w in calls(body, "write", "mem0")):
        return False
    body["buffers"]["mem0"]["memory"] = {"kind": "virtual"}
    return True


@mutation("MM008", kinds="memory mini", severity="warning")
def fill_by_cpu_then_rga(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    if one is None or "memory" in body["buffers"][f"mem{number(one)}"]:
        return False
    name = f"mem{number(one)}"
    made = [c for c in calls(body, "rknn_create_mem") if c.get("buffer") == name or c.get("for") == f"inputs[{number(one)}]"]
    if not made or made[0].get("flags") or any(c["api"] == "rknn_init" and c["flags"] for c in body["calls"]):
        return False
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"]]
    for write in calls(body, "write", name):
        write.pop("from", None)
        write |= {"by": "rga", "wstride": one.pitch}
        body["calls"].insert(at(body, write), {"api": "write", "buffer": name, "by": "cpu", "dtype": "uint8", "size": write["size"]})
    return True


@mutation("MM020", kinds="memory mini", severity="warning")
def sync_in_the_wrong_direction(m: Making, body: Body) -> bool:
    write = calls(body, "write", "mem0")[-1]
    made = calls(body, "rknn_create_mem", "mem0")
    off = any(c["api"] == "rknn_init" and c["flags"] for c in body["calls"])
    if write["by"] == "rga" or "memory" in body["buffers"]["mem0"] or off or (made and made[0].get("flags")):
        return False
    if any(c.get("flags") for c in calls(body, "rknn_create_mem")):
        return False
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"] or c["buffer"] != "mem0"]
    body["calls"].insert(at(body, write) + 1, {"api": "rknn_mem_sync", "buffer": "mem0", "direction": "from_device"})
    return True


@mutation("MM023", kinds="memory mini", severity="warning")
def pitch_edited(m: Making, body: Body) -> bool:
    one = pick(m, body)
    if one is None or "w_stride" not in one.tensor:
        return False
    return everywhere(binds(body, number(one)), w_stride=one.pitch + 64)


@mutation("MM004", kinds="memory mini")
def copy_longer_than_its_source(m: Making, body: Body) -> bool:
    if "source0" not in body["buffers"]:
        return False
    body["buffers"]["source0"]["size"] -= 64
    body["buffers"]["source0"].pop("shape")
    return True


@mutation("RK012", kinds="memory")
def set_as_well(m: Making, body: Body) -> bool:
    one = pick(m, body, given="uint8")
    if one is None or any(c["api"] == "rknn_init" and c["flags"] for c in body["calls"]):
        return False
    body["buffers"]["img"] = {"dtype": "uint8", "shape": list(one.shape), "layout": "NHWC", "size": one.elements}
    field = {"index": number(one), "buffer": "img", "type": "UINT8", "fmt": "NHWC", "size": one.elements, "pass_through": 0}
    body["calls"].append({"api": "rknn_inputs_set", "inputs": [field]})
    return number(one) == 0


@mutation("RK010", kinds="memory mini")
def binding_forgotten(m: Making, body: Body) -> bool:
    body["calls"] = [c for c in body["calls"] if not (c["api"] == "rknn_set_io_mem" and c["index"] == 0)]
    return True


@mutation("MM017", kinds="mini", severity="warning")
def codes_without_pass_through(m: Making, body: Body) -> bool:
    one = pick(m, body, dtype="int8", given="int8", through=1)
    return one is not None and everywhere(binds(body, number(one)), pass_through=0)


@mutation("RK017", kinds="mini")
def float_model(m: Making, body: Body) -> bool:
    body["model"]["quantized"] = False
    return True


@mutation("RK018", kinds="mini")
def batch_of_four(m: Making, body: Body) -> bool:
    body["model"].setdefault("build", {})["batch_size"] = 4
    return "mean" not in body["model"]["build"]


@mutation("MM019", kinds="mini")
def rga_from_malloc(m: Making, body: Body) -> bool:
    write = next((w for w in calls(body, "write", "mem0") if w["by"] == "rga"), None)
    if write is None:
        return False
    body["buffers"]["camera"] = {"dtype": "uint8", "memory": {"kind": "virtual"}}
    write["from"] = "camera"
    return True


@mutation("MM009", kinds="memory mini", severity="warning")
def read_after_rga(m: Making, body: Body) -> bool:
    write = next((w for w in calls(body, "write", "mem0") if w["by"] == "rga"), None)
    if write is None or any(c.get("flags") for c in calls(body, "rknn_create_mem")) or "memory" in body["buffers"]["mem0"]:
        return False
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"] or c["buffer"] != "mem0"]
    body["calls"].insert(at(body, write) + 1, {"api": "read", "buffer": "mem0", "by": "cpu"})
    return not any(c["api"] == "rknn_init" and c["flags"] for c in body["calls"])


# -- inference()


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
    return all(i.kind == "picture" for i in m.inputs) and len(m.inputs) == 1 and everywhere(inferences(body), data_format="chwn")


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
