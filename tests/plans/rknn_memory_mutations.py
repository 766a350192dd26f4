"""Single mistakes in plans that bind memory by rknn_set_io_mem."""

from __future__ import annotations

from tests.plans.mutating import at, calls, everywhere, mutation, number, pick, version
from tests.plans.rknn_making import Body, Making
from tests.plans.rknn_tables import WIDTH


def binds(body: Body, i: int) -> list[Body]:
    return [c for c in calls(body, "rknn_set_io_mem") if c.get("index") == i]


def memory(body: Body, i: int, size: int) -> bool:
    """Give the memory of an input another size everywhere."""
    name = f"mem{i}"
    body["buffers"][name]["size"] = size
    for call in body["calls"]:
        made = call["api"].startswith("rknn_create_mem") and (
            call.get("buffer") == name or call.get("for") == f"inputs[{i}]"
        )
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
    writes = calls(body, "write", f"mem{number(one)}")
    if any(w["by"] == "rga" for w in writes) and any(c.get("flags") for c in calls(body, "rknn_init")):
        return False  # the CPU in place of RGA would have to sync
    everywhere(writes, by="cpu")
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
    one = next(
        (
            i
            for i in range(len(m.inputs))
            if calls(body, "rknn_create_mem") and "memory" not in body["buffers"][f"mem{i}"]
        ),
        None,
    )
    if (
        one is None
        or len(m.inputs) > 1
        or calls(body, "write")[-1]["by"] == "rga"
        or calls(body, "rknn_create_mem")[0].get("flags")
    ):
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
    made = [
        c for c in calls(body, "rknn_create_mem") if c.get("buffer") == name or c.get("for") == f"inputs[{number(one)}]"
    ]
    if not made or made[0].get("flags") or any(c["api"] == "rknn_init" and c["flags"] for c in body["calls"]):
        return False
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"]]
    for write in calls(body, "write", name):
        write.pop("from", None)
        write |= {"by": "rga", "wstride": one.pitch}
        body["calls"].insert(
            at(body, write), {"api": "write", "buffer": name, "by": "cpu", "dtype": "uint8", "size": write["size"]}
        )
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
    field = {
        "index": number(one),
        "buffer": "img",
        "type": "UINT8",
        "fmt": "NHWC",
        "size": one.elements,
        "pass_through": 0,
    }
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
    if (
        write is None
        or any(c.get("flags") for c in calls(body, "rknn_create_mem"))
        or "memory" in body["buffers"]["mem0"]
    ):
        return False
    body["calls"] = [c for c in body["calls"] if "sync" not in c["api"] or c["buffer"] != "mem0"]
    body["calls"].insert(at(body, write) + 1, {"api": "read", "buffer": "mem0", "by": "cpu"})
    return not any(c["api"] == "rknn_init" and c["flags"] for c in body["calls"])
