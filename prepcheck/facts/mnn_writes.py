"""Facts about one write into a tensor of MNN: a copy, a write through the host pointer, an ImageProcess.convert."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prepcheck.contract.calls import CopyFromHost, HostTensor, HostWrite, ImageProcessConvert
from prepcheck.contract.plan import Buffer
from prepcheck.core.layouts import dims_of, elements
from prepcheck.core.mnn_copy import CopyStory, copy_story
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.handover_base import host_layout
from prepcheck.facts.mnn_base import MnnThing
from prepcheck.facts.mnn_walk import walked
from prepcheck.facts.world import World


class MnnWriteThing(MnnThing):
    """A call that writes into a tensor; `name` is its api."""

    kind = "mnn_write"

    @property
    def host(self) -> HostTensor | None:
        """The host tensor that the call states."""
        call = self.stop.call
        return call.host if isinstance(call, CopyFromHost) else None

    @property
    def source(self) -> Buffer | None:
        """The buffer that the bytes come from, where it is listed."""
        call, plan = self.stop.call, self.world.plan
        name = None
        if isinstance(call, CopyFromHost):
            name = call.host.fill.buffer if call.host and call.host.fill else call.buffer
        elif isinstance(call, HostWrite):
            name = call.buffer
        return plan.buffers.get(name) if plan is not None and name else None

    @property
    def through_pointer(self) -> bool:
        """Whether the memory is written by the program itself."""
        return isinstance(self.stop.call, HostWrite)

    @property
    def data_layout(self) -> str | None:
        """Layout of the bytes, where anything states it."""
        host_said = host_layout(self.host) if self.host is not None else None
        return (self.source.layout if self.source is not None else None) or host_said

    @property
    def packed_elements(self) -> int:
        """Elements of the input packed in fours."""
        return elements("NC4HW4", self.shape_now)

    @property
    def plain_elements(self) -> int:
        """Elements of the input without padding."""
        total = 1
        for size in self.shape_now:
            total *= size
        return total

    @property
    def one_pixel(self) -> bool:
        """Whether packed and plain order are the same but for the padding behind: one picture of one pixel."""
        dims = dims_of("NCHW", self.shape_now)
        return dims is not None and dims.n == dims.h == dims.w == 1

    @cached_property
    def copy(self) -> CopyStory:
        """The sizes of the host tensor against those of the input."""
        host = self.host
        if not isinstance(self.stop.call, CopyFromHost) or self.api == "Tensor.fromNumpy":
            raise NotApplicable
        shape, layout = (host.shape, host_layout(host)) if host is not None else (None, None)
        if shape is None and host is None and self.source is not None and self.source.shape is not None:
            shape, layout = self.source.shape, self.source.layout
        if shape is None:
            raise NotApplicable
        if layout is None and len(shape) == 4:
            raise Unstated(
                "host.layout", "the layout of the host tensor for {label} is not stated",
                "add `layout: NCHW` (or dimension_type: CAFFE) to the call's host", label=self.label)  # fmt: skip
        found = copy_story(layout, shape, self.input.tensor.layout, self.shape_now)
        if found is None:
            raise NotApplicable
        return found

    @property
    def host_shape(self) -> list[int]:
        """Sizes of the host tensor, else of the buffer."""
        found = (self.host.shape if self.host is not None else None) or (self.source.shape if self.source else None)
        if found is None:
            raise NotApplicable
        return found

    @property
    def first_shape(self) -> tuple[str, list[int] | None]:
        """Name and sizes of the alphabetically first input."""
        contract = self.world.contract
        if contract is None or not contract.inputs:
            raise NotApplicable
        first = min(contract.inputs, key=lambda t: t.name or "")
        return first.name or "", first.shape

    @property
    def host_dtype(self) -> str:
        """Element type of the host tensor: stated, else the buffer's."""
        if not isinstance(self.stop.call, CopyFromHost):
            raise NotApplicable
        found = (self.host.dtype if self.host is not None else None) or (self.source.dtype if self.source else None)
        if found is None:
            raise NotApplicable
        return found

    @property
    def input_dtype(self) -> str:
        """Element type of the input."""
        return self.input.dtype

    @property
    def onnx_dtype(self) -> str | None:
        """Element type of the original network's input, where the contract states it."""
        source = self.input.tensor.source
        return source.dtype if source is not None else None

    @property
    def declared_host_layout(self) -> str:
        """Layout that the host tensor is declared with."""
        found = host_layout(self.host) if self.host is not None else None
        if found is None:
            raise NotApplicable
        return found

    @property
    def buffer_layout(self) -> str:
        """Layout that the buffer of the host tensor says it has."""
        if self.source is None or self.source.layout is None:
            raise NotApplicable
        return self.source.layout

    @property
    def keep_input_format(self) -> str | None:
        """The --keepInputFormat argument of the build, as typed."""
        from prepcheck.core.mnn_convert_args import keep_input_format

        build = self.world.build
        found = keep_input_format(build.options) if build is not None and build.options is not None else None
        return found.typed if found is not None else None


@lists("mnn_write")
def _writes(world: World) -> Iterator[Thing]:
    for stop in walked(world):
        if isinstance(stop.call, (CopyFromHost, HostWrite, ImageProcessConvert)) and stop.target is not None:
            yield MnnWriteThing(world, stop, stop.target)
