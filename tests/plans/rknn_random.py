"""Random RKNN plans that are right: rknn_inputs_set, zero-copy over several frames, inference(), first generation."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import prod
from typing import Any

from tests.plans.rknn_tables import BUILDS, C_NAME, CHIPS, COPYING, FIRST, GIVEN, MINI, VERSIONS, WIDTH, Build, Chip

Body = dict[str, Any]


def up(value: int, step: int) -> int:
    """The next multiple."""
    return -(-value // step) * step


@dataclass
class Input:
    """One input in the making: its contract entry, the form in which the NPU holds it, and what is meant to be done."""

    tensor: Body
    kind: str  # picture, map, vector
    shape: tuple[int, ...]
    dtype: str
    pitch: int = 0
    native: int = 0
    block: int | None = None
    build: Build | None = None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def padded(self) -> bool:
        return self.kind == "picture" and self.pitch > self.shape[2]


@dataclass
class Making:
    """A plan in the making."""

    rng: random.Random
    platform: str
    kind: str
    chip: Chip | None
    inputs: list[Input] = field(default_factory=list)
    buffers: Body = field(default_factory=dict)
    calls: list[Body] = field(default_factory=list)
    model: Body = field(default_factory=dict)
    plan: Body = field(default_factory=dict)

    def some(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def maybe(self, chance: float = 0.5) -> bool:
        return self.rng.random() < chance


def picture(m: Making, position: int, *, dtype: str | None = None, batch: int = 1) -> Input:
    """A picture input with 1, 3 or 4 channels."""
    chip = m.chip
    dtype = dtype or ("int8" if chip is None or not chip.floats else m.some("int8", "int8", "float16"))
    n, h, w, c = batch, m.rng.randint(8, 80), m.rng.randint(9, 200), m.some(1, 3, 3, 3, 4)
    build = m.some(*BUILDS)
    tensor: Body = {
        "index": position,
        "name": f"image{position}",
        "layout": "NHWC",
        "shape": [n, h, w, c],
        "dtype": dtype,
    }
    if dtype == "int8":
        tensor |= {"scheme": "affine", "scale": build.scale, "zero_point": build.zero_point}
    else:
        tensor["scheme"] = "none"
    found = Input(tensor, "picture", (n, h, w, c), dtype, build=build)
    width = WIDTH[dtype]
    if chip is not None:
        found.pitch = up(w, chip.rows8 if width == 1 else chip.rows16)
        found.native = n * h * found.pitch * c * width
        if m.maybe(0.7):
            tensor |= {"size": found.elements * width, "w_stride": found.pitch, "size_with_stride": found.native}
    return found


def feature_map(m: Making, position: int) -> Input:
    """A four-dimensional input with other channels: held in blocks."""
    chip = m.chip
    assert chip is not None
    dtype = "int8" if not chip.floats else m.some("int8", "float16")
    channels = m.some(5, 16, 17, 64, 96) if chip.two else m.some(2, 5, 16, 17, 64, 96)
    shape = (1, m.rng.randint(4, 24), m.rng.randint(4, 24), channels)
    tensor: Body = {"index": position, "name": f"map{position}", "layout": "NHWC", "shape": list(shape), "dtype": dtype}
    tensor |= {"scheme": "affine", "scale": 0.05, "zero_point": 3} if dtype == "int8" else {"scheme": "none"}
    block = chip.block8 if dtype == "int8" else chip.block16
    assert block is not None
    size = -(-channels // block) * block * shape[1] * shape[2] * WIDTH[dtype]
    return Input(tensor, "map", shape, dtype, native=size, block=block)


def vector(m: Making, position: int) -> Input:
    """An input that is no picture."""
    shape = m.some((1, 154), (1, 9, 34), (1, 3, 8, 12, 16))
    dtype = m.some("int8", "float16", "int64") if m.chip is not None and m.chip.floats else "int8"
    tensor: Body = {
        "index": position,
        "name": f"vector{position}",
        "layout": "UNDEFINED",
        "shape": list(shape),
        "dtype": dtype,
    }
    tensor |= {"scheme": "affine", "scale": 0.1, "zero_point": 0} if dtype == "int8" else {"scheme": "none"}
    return Input(tensor, "vector", shape, dtype, native=prod(shape) * WIDTH[dtype])


def buffer_of(m: Making, given: Input, dtype: str, name: str) -> Body:
    """An entry of `buffers` that holds the input's content in an element type, rows packed."""
    body: Body = {"dtype": dtype, "shape": list(given.shape), "size": given.elements * WIDTH[dtype]}
    if given.kind != "vector":
        body["layout"] = "NHWC"
        if given.shape[0] == 1 and m.maybe():
            body |= {"layout": "HWC", "shape": list(given.shape[1:])}
    else:
        body["layout"] = "UNDEFINED"
    if given.kind == "picture" and dtype in ("uint8", "float32", "float16"):
        body["range"] = [0, 255]
        if given.shape[3] == 3:
            body["color"] = "RGB"
    elif given.kind == "vector" and dtype.startswith("float"):
        body["range"] = [-12.8, 12.7]
    m.buffers[name] = body
    return body


def finish(m: Making) -> Body:
    """Put the parts together."""
    model: Body = {"inputs": [i.tensor for i in m.inputs], **m.model}
    builds = [i.build for i in m.inputs]
    if m.kind != "rknn1" and any(builds) and m.maybe(0.6):
        rows = [[list(b.mean)[: i.shape[3]] if i.shape[3] <= 3 else [*b.mean, 0] if b else None, b] if b else [None, None]
                for i, b in zip(m.inputs, builds, strict=True)]  # fmt: skip
        if all(i.kind != "picture" or i.shape[3] == 3 for i in m.inputs):
            model["build"] = {
                "mean": [list(b.mean) if b else None for b in builds], "std": [list(b.std) if b else None for b in builds],
            }  # fmt: skip
            if len(rows) == 1 and builds[0] is not None and m.maybe():
                model["training"] = {"color": "RGB", **builds[0].training}
    body: Body = {"runtime": "rknn1" if m.kind == "rknn1" else "rknn", "platform": m.platform, "model": model}
    version = m.some(*VERSIONS) if m.kind != "rknn1" else m.some("1.7.3", "1.7.5", None)
    if version:
        body["version"] = version
        if m.maybe(0.3):
            model["toolkit"] = version
    if m.maybe(0.3) and m.chip is not None:
        model["platforms"] = [m.platform]
    body |= {"buffers": m.buffers, "calls": m.calls, **m.plan}
    return body


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
