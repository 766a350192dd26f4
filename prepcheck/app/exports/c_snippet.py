"""The C lines that hand the inputs over, with the numbers of a plan that was found right (C99, rknn_api.h)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepcheck.app.version import VERSION
from prepcheck.app.worlds import Prepared
from prepcheck.core.dtypes import itemsize
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.base import NotApplicable, Unstated, things
from prepcheck.facts.links import BoundThing
from prepcheck.facts.submitted import SubmittedThing

TITLE = "C lines that hand the inputs over (rknn_api.h)"
NEEDS = "plan"

_UNSAFE = re.compile(r"[^ -~]|[*?\\]")


def export(prepared: Prepared) -> str:
    """One file of C99. Raises UsageError for plans without RKNN calls, or with facts missing that the code needs."""
    world = prepared.world
    if world.runtime not in ("rknn", "rknn1"):
        raise UsageError(f"c-snippet writes RKNN calls; the runtime of this plan is {world.runtime or 'not stated'}")
    bound: dict[int, BoundThing] = {}
    given: dict[int, SubmittedThing] = {}
    for thing in things(world, "bound"):
        if isinstance(thing, BoundThing):
            bound.setdefault(thing.handover.input, thing)
    for other in things(world, "submitted:rknn_inputs_set"):
        if isinstance(other, SubmittedThing):
            given.setdefault(other.handover.input, other)
    if not bound and not given:
        raise UsageError(
            "the plan hands nothing over by rknn_inputs_set or rknn_set_io_mem; without a plan the usual way is written"
        )
    if bound and world.runtime == "rknn1":
        raise UsageError(
            "the memory calls of the first generation have other structures; only rknn_inputs_set is written for it"
        )
    try:
        lines = [*_head(prepared), *_set([given[i] for i in sorted(given)])]
        for position in sorted(bound):
            lines += _bind(bound[position])
    except Unstated as absent:
        raise UsageError(f"not enough is known: {absent.reason.format(**absent.values)}") from None
    except NotApplicable:
        raise UsageError("an input has no fixed shape: the code would have no numbers") from None
    return "\n".join(lines) + "\n"


def comment(text: str | None) -> str:
    """A text that may stand in a C comment: printable ASCII, without asterisks (which end it), trigraphs and backslashes."""
    return _UNSAFE.sub("_", text or "")[:120]


def _head(prepared: Prepared) -> Iterator[str]:
    world, subject = prepared.world, prepared.subject
    for_what = " ".join(filter(None, [subject.model, f"({world.platform})" if world.platform else None]))
    yield f"/* Hand-over of the inputs{': ' if for_what else ''}{comment(for_what)}; written by prepcheck {VERSION}."
    yield " * Each function returns 0, or the code of the call that failed: stop there. */"
    yield "#include <stdint.h>"
    yield "#include <string.h>"
    yield '#include "rknn_api.h"'


def _set(given: list[SubmittedThing]) -> Iterator[str]:
    if not given:
        return
    count = len(given)
    yield ""
    for k, thing in enumerate(given):
        yield f"/* data[{k}]: input {thing.handover.input} '{comment(thing.label)}': {_what(thing)} */"
    yield f"static int prepcheck_set_inputs(rknn_context context, void *const data[{count}])"
    yield "{"
    yield f"    rknn_input inputs[{count}];"
    yield "    memset(inputs, 0, sizeof inputs);"
    for k, thing in enumerate(given):
        yield f"    inputs[{k}].index = {thing.handover.input};"
        yield f"    inputs[{k}].buf = data[{k}];"
        yield f"    inputs[{k}].size = {thing.given_nbytes};"
        yield f"    inputs[{k}].pass_through = {thing.pass_through};"
        yield f"    inputs[{k}].type = RKNN_TENSOR_{thing.declared_dtype.upper()};"
        yield f"    inputs[{k}].fmt = RKNN_TENSOR_{thing.declared_layout};"
    yield f"    return rknn_inputs_set(context, {count}, inputs);"
    yield "}"


def _bind(thing: BoundThing) -> Iterator[str]:
    i, state = thing.handover.input, thing.memory
    native = bool(thing.pass_through) and thing.form.layout == "NC1HWC2"
    query = "RKNN_QUERY_NATIVE_INPUT_ATTR" if native else "RKNN_QUERY_INPUT_ATTR"
    made = state.made_by or "rknn_create_mem"
    extra = {
        "rknn_create_mem_from_fd": ", int32_t fd, void *start",
        "rknn_create_mem_from_phys": ", uint64_t address, void *start",
    }
    size = thing.capacity
    create = {
        "rknn_create_mem": f"rknn_create_mem(context, {size})",
        "rknn_create_mem_from_fd": f"rknn_create_mem_from_fd(context, fd, start, {size}, {_offset(thing)})",
        "rknn_create_mem_from_phys": f"rknn_create_mem_from_phys(context, address, start, {size})",
    }.get(made, f"rknn_create_mem(context, {size})")
    yield ""
    yield f"/* input {i} '{comment(thing.label)}': memory of {size} bytes = {thing.need.formula} ({thing.need.of}). Once at start. */"
    yield f"static int prepcheck_bind_input{i}(rknn_context context, rknn_tensor_mem **memory{extra.get(made, '')})"
    yield "{"
    yield "    rknn_tensor_attr attr;"
    yield "    int code;"
    yield "    memset(&attr, 0, sizeof attr);"
    yield f"    attr.index = {i};"
    yield f"    code = rknn_query(context, {query}, &attr, sizeof attr);"
    yield "    if (code < 0) return code;"
    if not native and len(thing.form.shape) == 4 and thing.form.layout == "NHWC":
        yield f"    if (attr.w_stride != {thing.form.w_stride}) return -1; /* another model than this was written for */"
    yield f"    *memory = {create};"
    yield "    if (*memory == NULL) return -1;"
    yield f"    attr.type = RKNN_TENSOR_{thing.declared_dtype.upper()};"
    yield f"    attr.fmt = RKNN_TENSOR_{thing.declared_layout};"
    yield f"    attr.pass_through = {thing.pass_through};"
    yield "    return rknn_set_io_mem(context, *memory, &attr);"
    yield "}"
    yield ""
    yield from _fill(thing)


def _fill(thing: BoundThing) -> Iterator[str]:
    i, form = thing.handover.input, thing.form
    sync = "DISABLE_FLUSH_INPUT_MEM_CACHE" in thing.flags
    context = "rknn_context context, " if sync else ""
    if form.pitched:
        n, height, width, channels = form.shape
        item = thing.need.size // (n * height * form.w_stride * channels)
        row, pitch = width * channels * item, form.w_stride * channels * item
        yield f"/* per frame: {n * height} packed rows of {row} bytes, each to its place {pitch} bytes after the one before */"
        body = [
            f"    for (y = 0; y < {n * height}; y++)",
            f"        memcpy((uint8_t *)memory->virt_addr + (size_t)y * {pitch}, data + (size_t)y * {row}, {row});",
        ]
    else:
        yield f"/* per frame: {thing.need.size} bytes, {_what(thing)} */"
        body = [f"    memcpy(memory->virt_addr, data, {thing.need.size});"]
    yield f"static int prepcheck_fill_input{i}({context}rknn_tensor_mem *memory, const uint8_t *data)"
    yield "{"
    if form.pitched:
        yield "    int y;"
    yield from body
    yield "    return rknn_mem_sync(context, memory, RKNN_MEMORY_SYNC_TO_DEVICE);" if sync else "    return 0;"
    yield "}"


def _offset(thing: BoundThing) -> int:
    born = thing.memory.born
    call = thing.flow.moments[born].call if born is not None else None
    return int(getattr(call, "offset", None) or 0)


def _what(thing: SubmittedThing) -> str:
    """`1x640x640x3 uint8 NHWC, packed`."""
    shape = thing.form.shape if thing.pass_through else tuple(thing.input.static_shape)
    if not thing.pass_through and thing.declared_layout == "NHWC" and len(shape) == 4:
        dims = dims_of(thing.input.layout, list(shape))
        shape = (dims.n, dims.h, dims.w, dims.c) if dims is not None else shape
    width = itemsize(thing.declared_dtype)
    packed = "" if thing.pass_through and thing.form.pitched else ", rows packed"
    return f"{'x'.join(map(str, shape))} {thing.declared_dtype} ({width} byte{'s' if width > 1 else ''} each) {thing.declared_layout}{packed}"
