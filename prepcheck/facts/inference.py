"""Facts about inference() of the Python toolkits: the call, and each array that it gets."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Inference
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Flow, Handover, Moment
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.world import World


def _library(call: Inference, where: str) -> str:
    if call.library is None:
        raise Unstated(
            "library", "which library's inference() it is is not stated",
            "add `library: rknn-toolkit-lite2` (or rknn-toolkit2, rknn-toolkit) to {place}", where=where, place=where)  # fmt: skip
    return call.library


class InferenceThing(Thing):
    """One call of inference()."""

    kind = "inference"

    def __init__(self, world: World, moment: Moment) -> None:
        super().__init__(world, f"calls[{moment.index}]")
        assert isinstance(moment.call, Inference)
        self.call: Inference = moment.call

    @property
    def library(self) -> str:
        """rknn-toolkit2 (PC), rknn-toolkit-lite2 (board) or rknn-toolkit (chips of the first generation)."""
        return _library(self.call, self.where)

    @property
    def given(self) -> list[str]:
        """The arrays."""
        if self.call.inputs is None:
            raise Unstated(
                "inputs", "which arrays inference() gets is not stated", "add `inputs: [buffer, …]` to the call"
            )
        return self.call.inputs

    @property
    def lite_formats(self) -> str | list[str]:
        """data_format as RKNNLite gets it: nchw or a list; a plain nhwc is taken by every release."""
        said = self.call.data_format
        if said is None or self.library != "rknn-toolkit-lite2" or (isinstance(said, str) and said.lower() != "nchw"):
            raise NotApplicable
        return said

    @property
    def wanted(self) -> int:
        """How many inputs the model has."""
        if self.world.contract is None:
            raise NotApplicable
        return len(self.world.contract.inputs)


class InferenceInputThing(HandoverThing):
    """One array that inference() gets."""

    kind = "inference_input"

    def __init__(self, world: World, handover: Handover, found: Flow) -> None:
        super().__init__(world, handover, found)
        call = found.moments[handover.call].call
        assert isinstance(call, Inference)
        self.call: Inference = call

    @property
    def library(self) -> str:
        """rknn-toolkit2, rknn-toolkit-lite2 or rknn-toolkit."""
        return _library(self.call, self.where)

    @property
    def item(self) -> int:
        """Its place in the list."""
        return self.handover.item or 0

    @property
    def data_type(self) -> str:
        """The data_type said for it, in lower case."""
        said = self.call.data_type
        if isinstance(said, list):
            said = said[self.item] if self.item < len(said) else None
        if said is None:
            raise NotApplicable
        return said.lower()

    @property
    def data_format(self) -> str | None:
        """The data_format said for it, in lower case; None where none is said."""
        said = self.call.data_format
        if isinstance(said, list):
            said = said[self.item] if self.item < len(said) else None
        return said.lower() if said is not None else None

    @property
    def model_shape(self) -> list[int]:
        """The shape that the array must have in the declared format, batch included."""
        shape = list(self.input.static_shape)
        if len(shape) == 4 and self.input.layout in ("NHWC", "NCHW"):
            dims = self.input.dims
            nchw = (self.data_format or "nhwc") == "nchw"
            return [dims.n, dims.c, dims.h, dims.w] if nchw else [dims.n, dims.h, dims.w, dims.c]
        return shape

    @property
    def contiguous(self) -> bool:
        """Whether the array's elements lie in memory in the order of its axes."""
        buffer = self.declared_buffer
        if buffer is not None and buffer.contiguous is not None:
            return buffer.contiguous
        if buffer is not None and buffer.strides is not None and buffer.shape is not None:
            from prepcheck.core.dtypes import itemsize
            from prepcheck.core.strides import view_of

            view = view_of(buffer.shape, buffer.strides, itemsize(self.content_dtype))
            return view is None or view.kind == "packed"
        if self.array is not None:
            return not self.array.fortran
        raise NotApplicable


@lists("inference")
def _inferences(world: World) -> Iterator[Thing]:
    for moment in flow(world).moments:
        if isinstance(moment.call, Inference):
            yield InferenceThing(world, moment)


@lists("inference_input")
def _inputs(world: World) -> Iterator[Thing]:
    found = flow(world)
    for handover in found.handovers:
        if handover.api == "inference" and world.contract is not None and handover.input < len(world.contract.inputs):
            yield InferenceInputThing(world, handover, found)
