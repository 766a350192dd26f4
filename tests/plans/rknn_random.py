"""Random RKNN plans that are right: rknn_inputs_set, zero-copy over several frames, inference(), first generation."""

from __future__ import annotations

import random

from tests.plans.rknn_making import Body, Input, Making, buffer_of, feature_map, finish, picture, vector
from tests.plans.rknn_tables import C_NAME, CHIPS, COPYING, FIRST, GIVEN, MINI, WIDTH


def by_copy(m: Making) -> None:
    """rknn_inputs_set for all inputs, over one to three frames."""
    batch = m.some(1, 1, 1, 2, 4)
    if batch > 1:
        m.inputs = [picture(m, 0, batch=batch)]
        m.model["batch"] = batch
    else:
        makers = [picture, picture, feature_map, vector]
        m.inputs = [m.some(*makers)(m, i) for i in range(m.some(1, 1, 2, 3))]
    fields = []
    for i, given in enumerate(m.inputs):
        name = f"frame{i}"
        through = given.kind == "picture" and not given.padded and m.maybe(0.15)
        codes = given.dtype == "int8" and m.maybe(0.15)
        dtype = given.dtype if through or codes else m.some(*GIVEN[given.dtype])
        if given.kind != "picture" and dtype == "uint8":
            dtype = "float32"
        body = buffer_of(m, given, dtype, name)
        fmt = "NHWC" if given.kind != "vector" else m.some("UNDEFINED", "NHWC", "NCHW")
        if dtype == "float32" and given.kind == "picture" and m.maybe(0.3):
            body.pop("range")
        fields.append(
            {
                "index": i,
                "buffer": name,
                "type": C_NAME[dtype],
                "fmt": fmt,
                "size": body["size"],
                "pass_through": int(through),
            }
        )
    if m.maybe(0.3):
        m.calls.append({"api": "rknn_init", "flags": m.some([], ["COLLECT_PERF_MASK"], ["PRIOR_MEDIUM"])})
    writes = m.maybe()
    for _ in range(m.rng.randint(1, 3)):
        if writes:
            m.calls += [
                {"api": "write", "buffer": f["buffer"], "by": m.some("cpu", "decoder"), "size": f["size"]}
                for f in fields
            ]
        m.calls.append({"api": "rknn_inputs_set", "inputs": [dict(f) for f in fields]})
        m.calls += [{"api": "rknn_run"}] * (1 if writes else m.some(1, 1, 2))
        if m.maybe(0.3):
            m.calls.append({"api": "rknn_outputs_get"})


def bound(m: Making, i: int, given: Input) -> Body:
    """How an input is bound: type, fmt, pass_through, bytes, element type of the writer, pitch of its rows."""
    chip = m.chip
    assert chip is not None
    if given.kind == "picture":
        if given.dtype == "int8" and m.maybe(0.2):
            return {
                "type": "INT8",
                "fmt": "NHWC",
                "pass_through": 1,
                "size": given.native,
                "dtype": "int8",
                "pitch": given.pitch,
            }
        dtype = "uint8" if not chip.copies else m.some("uint8", "uint8", "uint8", "float32")
        if given.dtype == "float16" and dtype == "uint8" and m.maybe():
            dtype = "float16"
        n, h, _, c = given.shape
        return {
            "type": C_NAME[dtype], "fmt": "NHWC", "pass_through": 0, "size": n * h * given.pitch * c * WIDTH[dtype],
            "dtype": dtype, "pitch": given.pitch,
        }  # fmt: skip
    if given.kind == "map" and (not chip.copies or m.maybe()):
        dtype = given.dtype
        return {
            "type": C_NAME[dtype],
            "fmt": "NC1HWC2",
            "pass_through": 1,
            "size": given.native,
            "dtype": dtype,
            "pitch": None,
        }
    dtype = given.dtype if given.dtype in ("int64",) else m.some("float32", given.dtype)
    through = int(not chip.copies or (dtype == given.dtype and m.maybe(0.3)))
    if through:
        dtype = given.dtype
        if given.kind == "map":
            through = 0
    fmt = "NHWC" if given.kind == "map" else "UNDEFINED"
    return {
        "type": C_NAME[dtype],
        "fmt": fmt,
        "pass_through": through,
        "size": given.elements * WIDTH[dtype],
        "dtype": dtype,
        "pitch": None,
    }


def by_memory(m: Making) -> None:
    """Zero-copy: memory made once, bound once, written before every run."""
    makers = [picture, picture, feature_map, vector]
    m.inputs = [m.some(*makers)(m, i) for i in range(m.some(1, 1, 2))]
    flush_off = m.maybe(0.2)
    if flush_off or m.maybe(0.3):
        m.calls.append({"api": "rknn_init", "flags": ["DISABLE_FLUSH_INPUT_MEM_CACHE"] if flush_off else []})
    how = [bound(m, i, given) for i, given in enumerate(m.inputs)]
    extra = [m.some(0, 0, 0, 512) for _ in how]
    imported = [m.some(None, None, None, "fd", "phys") for _ in how]
    for i, (given, b, more, way) in enumerate(zip(m.inputs, how, extra, imported, strict=True)):
        name, size = f"mem{i}", b["size"] + more
        entry: Body = {"dtype": b["dtype"], "size": size}
        if b["pitch"] is not None and m.maybe():
            entry |= {"shape": list(given.shape), "layout": "NHWC"}
        if way == "fd":
            offset = m.some(0, 0, 4096)
            entry["memory"] = {
                "kind": "dma_fd",
                "heap": m.some("system-dma32", "cma"),
                "cached": True,
                "address": 10 + i,
                "capacity": size + offset,
            }
            m.calls.append(
                {"api": "rknn_create_mem_from_fd", "buffer": name, "size": size, "fd": 10 + i, "offset": offset}
            )
        elif way == "phys":
            entry["memory"] = {"kind": "physical", "address": 1 << 28, "cached": m.some(True, False)}
            m.calls.append({"api": "rknn_create_mem_from_phys", "buffer": name, "size": size})
        else:
            create: Body = {"api": "rknn_create_mem", "size": size}
            create |= (
                {"for": f"inputs[{i}]", "attr": "NATIVE_INPUT_ATTR" if b["pass_through"] else "INPUT_ATTR"}
                if m.maybe()
                else {"buffer": name}
            )
            if m.maybe(0.2):
                create["flags"] = ["MEMORY_NON_CACHEABLE"]
            m.calls.append(create)
        m.buffers[name] = entry
        bind: Body = {
            "api": "rknn_set_io_mem",
            "index": i,
            "buffer": name,
            **{k: b[k] for k in ("type", "fmt", "pass_through")},
            "size": size,
        }
        if b["pitch"] is not None and m.maybe():
            bind["w_stride"] = b["pitch"]
        if m.maybe(0.4):
            bind["name"] = given.tensor["name"]
        m.calls.append(bind)
    for _ in range(m.rng.randint(1, 3)):
        for i, (given, b, way) in enumerate(zip(m.inputs, how, imported, strict=True)):
            write_memory(m, i, given, b, way, flush_off)
        m.calls.append({"api": "rknn_run"})


def write_memory(m: Making, i: int, given: Input, b: Body, way: str | None, flush_off: bool) -> None:
    """One frame into the memory of an input, synced where the runtime does not."""
    name = f"mem{i}"
    by = m.some("cpu", "memcpy", "rga") if b["dtype"] == "uint8" else m.some("cpu", "memcpy")
    write: Body = {"api": "write", "buffer": name, "by": by, "dtype": b["dtype"], "size": b["size"]}
    if b["pitch"] is not None and (given.padded or m.maybe()):
        write["wstride"] = b["pitch"]
    if by == "memcpy":
        write.pop("wstride", None)
        if not given.padded and b["pitch"] is not None:
            source = f"source{i}"
            if source not in m.buffers:
                m.buffers[source] = {
                    "dtype": b["dtype"],
                    "shape": list(given.shape),
                    "layout": "NHWC",
                    "size": b["size"],
                }
            write["from"] = source
    m.calls.append(write)
    cpu = by != "rga"
    if (cpu and (flush_off or way == "phys")) or m.maybe(0.2):
        own = way in (None, "fd") and m.maybe()
        m.calls.append(
            {
                "api": "rknn_mem_sync" if own else "dma_buf_sync",
                "buffer": name,
                "direction": m.some("to_device", "both"),
            }
        )


def by_python(m: Making) -> None:
    """inference() of the PC toolkit or of RKNNLite."""
    lite = m.maybe()
    m.inputs = [m.some(picture, picture, vector)(m, i) for i in range(m.some(1, 1, 2))]
    names = []
    for i, given in enumerate(m.inputs):
        dtype = m.some("uint8", "float32") if given.kind == "picture" else "float32"
        if given.dtype == "int64":
            dtype = "int64"
        body = buffer_of(m, given, dtype, f"array{i}")
        body["shape"] = list(given.shape)
        if given.kind != "vector":
            body["layout"] = "NHWC"
        names.append(f"array{i}")
    call: Body = {"api": "inference", "library": "rknn-toolkit-lite2" if lite else "rknn-toolkit2", "inputs": names}
    if all(g.kind == "picture" for g in m.inputs):
        call["data_format"] = m.some("nhwc", None, ["nhwc"] * len(names) if not lite else "nhwc")
    if lite and m.maybe(0.3):
        call["data_type"] = [m.buffers[n]["dtype"] for n in names]
    m.calls += [dict(call) for _ in range(m.rng.randint(1, 3))]


def first_generation(m: Making) -> None:
    """rknn_inputs_set of librknn_runtime."""
    batch = m.some(1, 1, 1, 4, 100)
    n, h, w, c = batch, m.rng.randint(8, 60), m.rng.randint(8, 60), m.some(1, 3)
    shape = (n, h, w, c)
    tensor: Body = {
        "index": 0,
        "name": "in",
        "layout": "NHWC",
        "shape": list(shape),
        "dtype": "uint8",
        "scheme": "affine",
        "scale": 1.0,
        "zero_point": 0,
    }
    m.inputs = [Input(tensor, "picture", shape, "uint8")]
    m.model |= {"batch": batch, "build": {"mean": [[0] * c], "std": [[1] * c]}}
    dtype = m.some("uint8", "uint8", "float32")
    body = buffer_of(m, m.inputs[0], dtype, "frame0")
    for _ in range(m.rng.randint(1, 2)):
        given = {
            "index": 0,
            "buffer": "frame0",
            "type": C_NAME[dtype],
            "fmt": "NHWC",
            "size": body["size"],
            "pass_through": 0,
        }
        m.calls += [{"api": "rknn_inputs_set", "inputs": [given]}, {"api": "rknn_run"}]


KINDS = {"set": by_copy, "memory": by_memory, "mini": by_memory, "python": by_python, "rknn1": first_generation}


def making(seed: int, kind: str | None = None) -> Making:
    """The parts of the plan of a seed; `plan` is the finished one."""
    rng = random.Random(f"rknn {kind} {seed}")
    kind = kind or rng.choice(["set", "set", "memory", "memory", "mini", "mini", "python", "rknn1"])
    platform = rng.choice(MINI if kind == "mini" else FIRST if kind == "rknn1" else COPYING)
    m = Making(rng, platform, kind, CHIPS.get(platform))
    KINDS[kind](m)
    m.plan = finish(m)
    return m


def right_plan(seed: int, kind: str | None = None) -> Body:
    """The right plan of a seed."""
    return making(seed, kind).plan
