"""Facts about bytes that the C interface gets for one input: by rknn_inputs_set, or as bound memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod

from prepcheck.contract.contract import Tensor
from prepcheck.core.dtypes import nbytes
from prepcheck.core.rknn_native import NativeForm
from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.link_parts import Memory, form_of
from prepcheck.facts.world import World


class SubmittedThing(HandoverThing):
    """Bytes that the C interface gets for one input, by rknn_inputs_set or as bound memory."""

    kind = "submitted"

    @property
    def mini(self) -> bool:
        """Whether the chip has the mini runtime (zero-copy only)."""
        return self.platform in ZERO_COPY_ONLY

    @cached_property
    def form(self) -> NativeForm:
        """The input in the NPU's own form: as the plan or rknn_query says, else by the chip's tables."""
        return form_of(self.input.tensor, self.world.platform, self.label)

    @property
    def through(self) -> NativeForm:
        """The native form of an input that is handed over with pass_through 1; not applicable with 0."""
        if not self.pass_through:
            raise NotApplicable
        return self.form

    @property
    def through_blocks(self) -> NativeForm:
        """The same for inputs that the NPU holds in blocks of channels."""
        if self.through.layout != "NC1HWC2":
            raise NotApplicable
        return self.form

    @property
    def declared_codes(self) -> Tensor:
        """The int8 input whose bytes are declared INT8, with pass_through 0: "quantised already"."""
        tensor = self.input.tensor
        if self.pass_through or tensor.dtype != "int8" or self.declared_dtype != "int8":
            raise NotApplicable
        return tensor

    @property
    def vector_range(self) -> tuple[float, float]:
        """What the codes of an int8 input that is no picture hold, where the runtime converts floats to them."""
        converted = not self.pass_through and self.declared_dtype.startswith("float")
        if len(self.input.shape) == 4 or self.input.tensor.dtype != "int8" or not converted:
            raise NotApplicable
        return self.input.value_range

    @property
    def compiled_batch(self) -> int:
        """rknn_batch_size of the build: images that one run takes although the network was exported with one."""
        contract, build = self.world.contract, self.world.build
        stated = [
            n for n in (contract.batch if contract else None, build.batch_size if build else None) if n is not None
        ]
        if stated:
            return max(stated)
        if len(self.input.shape) != 4 or self.input.dims.n == 1:
            return 1
        raise Unstated(
            "batch", "whether {label} got its {n} images by rknn_batch_size or by the export is not stated",
            "add `batch` (rknn_batch_size of the build) to the model", where="model", label=self.label, n=self.input.dims.n)  # fmt: skip

    @property
    def call_where(self) -> str:
        """The call that states type, fmt and pass_through."""
        binding = self.handover.binding
        return self.where if binding is None else f"calls[{binding.call}]"

    @property
    def submitted_dtype(self) -> str:
        """Element type of the bytes; where only the call tells one, and not the model's, that one is believed."""
        stated = self.content_dtype_or_none
        if stated is None:
            try:
                told = self.declared_dtype
            except Unstated:
                told = self.form.dtype
            if told != self.form.dtype:
                return told
        return self.content_dtype

    @property
    def held(self) -> Memory:
        """The memory at the moment when its bytes count."""
        return Memory(self.memory, self.declared_buffer)

    @property
    def row_pitch(self) -> int:
        """Bytes from row to row in the buffer, where the write that filled it says."""
        memory = self.handover.memory
        write = memory.last_write if memory is not None else None
        if write is None or write.wstride is None or write.failed:
            raise NotApplicable
        return nbytes(write.dtype or self.declared_dtype, write.wstride * self.input.dims.c)

    @property
    def tight(self) -> int:
        """Bytes of the input without row padding, in its own type."""
        return nbytes(self.form.dtype, prod(self.input.static_shape))


@lists("submitted")
def _submitted(world: World) -> Iterator[Thing]:
    found = flow(world)
    for handover in found.handovers:
        by_c = handover.rknn_input is not None or handover.binding is not None
        if by_c and world.contract is not None and handover.input < len(world.contract.inputs):
            yield SubmittedThing(world, handover, found)
