"""Parts of zero-copy links: a memory, the bytes it must have, the native form of a tensor as the plan or the chip says."""

from __future__ import annotations

from prepcheck.contract.calls import RknnSetIoMem
from prepcheck.contract.contract import Tensor
from prepcheck.contract.plan import Buffer
from prepcheck.core.rknn_native import NativeForm, native_form
from prepcheck.facts.base import NotApplicable, Unstated
from prepcheck.facts.flow import MemoryState, WriteEvent
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    """Bytes that memory must have. formula: the factors, as `1 x 400 x 800 x 3`; of: what they are the size of."""

    size: int
    formula: str
    of: str


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory at one moment, with what the plan declares of it."""

    state: MemoryState
    declared: Buffer | None

    @property
    def cached(self) -> bool | None:
        """Whether the CPU's cache holds it; rknn_create_mem makes cacheable memory unless told otherwise."""
        if "MEMORY_NON_CACHEABLE" in self.state.flags:
            return False
        said = self.declared.memory if self.declared else None
        if said is not None and said.cached is not None:
            return said.cached
        if said is not None and said.heap is not None and "uncached" in said.heap:
            return False
        return True if self.state.made_by == "rknn_create_mem" else None

    @property
    def cpu_writes(self) -> list[WriteEvent]:
        """What the CPU wrote, oldest first."""
        return [w for w in self.state.writes if w.by in ("cpu", "memcpy") and not w.failed]


@dataclass(frozen=True, slots=True)
class Link:
    """One link: kind (write, memory, sync, bind), the call where it happens (None: no call), and what it is."""

    kind: str
    call: int | None
    text: str


def capacity_of(state: MemoryState, bind: RknnSetIoMem, tensor: Tensor, name: str) -> int:
    size = state.size if state.size is not None else bind.size
    if size is None and state.attr is not None:
        native = tensor.native if state.attr.startswith("NATIVE") else None
        size = (native.size_with_stride if native else None) or tensor.size_with_stride or tensor.size
    if size is None:
        raise Unstated(
            "size", "how many bytes {memory} has is not stated", "add `size` to rknn_create_mem or to the buffer",
            memory=name)  # fmt: skip
    return size


def form_of(tensor: Tensor, platform: str | None, label: str, bound: int | None = None) -> NativeForm:
    native = tensor.native
    if native is not None and native.layout and native.shape and native.dtype and native.size_with_stride:
        pitch = native.w_stride or 0
        if native.layout == "NHWC" and len(native.shape) == 4 and not pitch:
            pitch = tensor.w_stride or native.shape[2]
        return NativeForm(native.layout, tuple(native.shape), native.dtype, pitch, native.size_with_stride, True)
    if not tensor.layout or not tensor.shape or not tensor.dtype:
        raise Unstated(
            "native", "the native layout of {label} is not stated", "add `native_inputs` (RKNN_QUERY_NATIVE_INPUT_ATTR)",
            label=label)  # fmt: skip
    if any(d <= 0 for d in tensor.shape):
        raise NotApplicable
    found = native_form(tensor.layout, tensor.shape, tensor.dtype, platform, pitch=tensor.w_stride or bound)
    if found is None:
        raise Unstated(
            "native", "how the chip lays out {label} is not known",
            "add `platform` and `native_inputs` (what RKNN_QUERY_NATIVE_INPUT_ATTR says)", label=label)  # fmt: skip
    return found
