"""The links of a zero-copy chain in words, and the one line of a call that copies: the end of a path in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.facts.base import NotApplicable, Unstated

if TYPE_CHECKING:
    from prepcheck.facts.flow import MemoryState, WriteEvent
    from prepcheck.facts.handover import HandoverThing
    from prepcheck.facts.link_parts import Link, Memory
    from prepcheck.facts.links import BoundThing


def chain_of(bound: BoundThing) -> tuple[Link, ...]:
    """write → memory → sync → bind."""
    from prepcheck.facts.link_parts import Link

    state, held = bound.memory, bound.held
    last = state.last_write
    links = [
        Link("write", last.call if last else None, _written(last)),
        Link("memory", state.born, _memory(bound.name_of_memory, state, held)),
        _sync(bound, state, held),
    ]
    bind = bound.bind
    said = [bind.type or "type ?", bind.fmt or "fmt ?", f"pass_through {bound.pass_through}"]
    if bind.w_stride is not None:
        said.append(f"w_stride {bind.w_stride}")
    links.append(Link("bind", bound.binding.call, "rknn_set_io_mem " + ", ".join(said)))
    return tuple(links)


def _written(write: WriteEvent | None) -> str:
    if write is None:
        return "nobody writes"
    parts = [write.by if write.by != "unknown" else "somebody"]
    if write.source:
        parts.append(f"from {write.source}")
    parts.append(write.dtype or "type ?")
    if write.size is not None:
        parts.append(f"{write.size} bytes")
    parts.append(
        "packed rows"
        if write.wstride is None and write.copies
        else f"rows of {write.wstride} pixels"
        if write.wstride
        else "rows ?"
    )
    if write.failed:
        parts.append(f"failed with {write.ret}")
    return ", ".join(parts)


def _memory(name: str, state: MemoryState, held: Memory) -> str:
    parts = [name, f"{state.size} bytes" if state.size is not None else "size ?"]
    said = held.declared.memory if held.declared else None
    if said is not None and said.kind:
        parts.append(said.kind)
    if held.cached is not None:
        parts.append("cached" if held.cached else "uncached")
    if state.made_by:
        parts.append(f"{state.made_by}" + (f" by {state.attr}" if state.attr else ""))
    return ", ".join(parts)


def _sync(bound: BoundThing, state: MemoryState, held: Memory) -> Link:
    from prepcheck.facts.link_parts import Link

    last = state.last_write
    after = [(at, said) for at, said in state.syncs if last is None or at > last.call]
    if after:
        return Link("sync", after[-1][0], f"explicit, {after[-1][1] or 'direction ?'}")
    if held.cached is False:
        return Link("sync", None, "not needed (uncached)")
    if "DISABLE_FLUSH_INPUT_MEM_CACHE" in bound.flags:
        return Link("sync", None, "none (switched off at rknn_init)")
    if state.made_by == "rknn_create_mem_from_phys":
        return Link("sync", None, "none (the runtime leaves from_phys memory alone)")
    return Link("sync", None, "by rknn_run")


def handed(thing: HandoverThing) -> str:
    """One call that hands bytes over: `rknn_inputs_set UINT8 NHWC, pass_through 0, 1228800 bytes of img`."""
    parts = []
    for name, otherwise in (("declared_dtype", "type ?"), ("declared_layout", "layout ?")):
        try:
            value = getattr(thing, name)
            parts.append(value.upper() if name == "declared_dtype" and thing.api.startswith("rknn") else value)
        except (Unstated, NotApplicable):
            parts.append(otherwise)
    text = f"{thing.api} {' '.join(parts)}"
    if thing.handover.rknn_input is not None:
        text += f", pass_through {thing.pass_through}"
    try:
        text += f", {thing.given_nbytes} bytes"
    except (Unstated, NotApplicable):
        text += ", bytes ?"
    source = thing.source_name
    return f"{text} of {source}" if source else text
