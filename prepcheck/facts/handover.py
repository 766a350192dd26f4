"""Facts about one hand-over: what is given against what the receiving side reads, and its values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prepcheck.contract.calls import Inference
from prepcheck.contract.plan import Training
from prepcheck.core.layouts import Dims
from prepcheck.core.strides import View
from prepcheck.facts import handover_wants
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.handover_base import DIMENSION_TYPES, HandoverBase, host_layout
from prepcheck.facts.handover_wants import Layouts, Shapes
from prepcheck.facts.sizes import SizeStory, Wanted
from prepcheck.facts.world import World
from prepcheck.pixels.chain import Affine

__all__ = ["DIMENSION_TYPES", "HandoverThing", "host_layout"]


class HandoverThing(HandoverBase):
    """Bytes that reach one model input. `name` is the api: rules may be over `handover:rknn_inputs_set`."""

    kind = "handover"

    # -- values

    @property
    def host_values(self) -> Affine:
        """The map from pixel to the value handed over."""
        if self.final is not None and self.final.values is not None:
            return self.final.values
        raise Unstated(
            "values",
            "what the host does to the values of {label} is not stated",
            "add `steps:` (decode, resize, scale, normalize, …)",
            label=self.label,
        )

    @property
    def content_range(self) -> tuple[float, float]:
        """Smallest and largest value given: of the file, the declaration, or the path."""
        if self.array is not None and self.array.low is not None and self.array.high is not None:
            return (self.array.low, self.array.high)
        for buffer in (self.content, self.declared_buffer):
            if buffer is not None and buffer.range is not None:
                return (buffer.range[0], buffer.range[1])
        if self.final is not None and self.final.values is not None and self.final.quantized is None:
            return self.final.values.range()
        raise Unstated(
            "range",
            "the value range given to {label} is not stated",
            "add `range: [0, 255]` to the buffer, or `steps:`",
            label=self.label,
        )

    @property
    def training(self) -> Training:
        """What the network was trained on."""
        return self.input.training

    # -- against what is wanted

    @cached_property
    def wanted_layout(self) -> str:
        """The layout in which the bytes must stand."""
        return handover_wants.wanted_layout(self)

    @cached_property
    def wanted(self) -> Wanted:
        """Shape, layout, type and bytes that the receiving side reads."""
        return handover_wants.wanted(self)

    @cached_property
    def size_story(self) -> SizeStory:
        """Why the bytes given are not the bytes wanted."""
        return handover_wants.size_story(self)

    @property
    def stated_nbytes(self) -> int:
        """The bytes that the call itself says."""
        found = handover_wants.stated_size(self)
        if found is None:
            raise NotApplicable
        return found

    @property
    def held_nbytes(self) -> int:
        """What the memory that is handed over holds."""
        found = handover_wants.held_nbytes(self)
        if found is None:
            raise NotApplicable
        return found

    @property
    def submitted_nbytes(self) -> int:
        """Bytes that are given, by the call or by what the buffer holds."""
        return handover_wants.submitted_nbytes(self)

    @property
    def dims(self) -> Dims:
        """N, C, H, W of the input."""
        return self.input.dims

    @property
    def layouts(self) -> Layouts:
        """The layout of what is given, and the one that is read."""
        return handover_wants.layouts(self)

    @property
    def shapes(self) -> Shapes:
        """The shape of what is given, and the one that is read."""
        return handover_wants.shapes(self)

    @property
    def unconverted_dtype(self) -> str:
        """The element type that reaches the input as it is."""
        return handover_wants.unconverted_dtype(self)

    @property
    def told_dtype(self) -> str:
        """The element type that the call says the bytes have."""
        return handover_wants.told_dtype(self)

    @property
    def input_dtype(self) -> str:
        """The element type that the input takes: the native one of zero-copy memory, where it is stated."""
        native = self.input.tensor.native
        if self.pass_through and native is not None and native.dtype is not None:
            return native.dtype
        return self.input.dtype

    @property
    def input_elements(self) -> int:
        """Elements of the input, without padding."""
        total = 1
        for size in self.input.static_shape:
            total *= size
        return total

    @property
    def got_bytes(self) -> int:
        """Bytes of what is given, for texts."""
        return handover_wants.submitted_nbytes(self)

    @property
    def scale(self) -> float:
        """Step of the input's codes."""
        return self.input.scale

    @property
    def zero_point(self) -> int:
        """Code of the value 0."""
        return self.input.zero_point

    @property
    def said_contiguous(self) -> bool:
        """What the buffer says, where it has no strides."""
        buffer = self.content or self.declared_buffer
        if (
            buffer is None
            or buffer.contiguous is None
            or buffer.strides is not None
            or self.api in handover_wants.TAKES_VIEWS
        ):
            raise NotApplicable
        return buffer.contiguous

    @property
    def view(self) -> View:
        """How the content lies in memory, where strides are stated."""
        return handover_wants.view(self)

    @property
    def library(self) -> str:
        """The toolkit whose inference() is called."""
        call = self._call
        if not isinstance(call, Inference) or call.library is None:
            raise NotApplicable
        return call.library


@lists("handover")
def _handovers(world: World) -> Iterator[Thing]:
    found = flow(world)
    for handover in found.handovers:
        if world.contract is not None and handover.input < len(world.contract.inputs):
            yield HandoverThing(world, handover, found)
