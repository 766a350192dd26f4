"""Facts about memory bound to an output."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod

from prepcheck.contract.calls import RknnSetIoMem
from prepcheck.contract.contract import Tensor
from prepcheck.core.dtypes import itemsize
from prepcheck.core.rknn_native import NativeForm, product
from prepcheck.facts.base import Thing, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Binding, Flow, MemoryState, tensor_of
from prepcheck.facts.link_parts import Need, capacity_of, form_of
from prepcheck.facts.model import OutputThing
from prepcheck.facts.world import World


class BoundOutputThing(OutputThing):
    """The memory bound to one output."""

    kind = "bound_output"

    def __init__(self, world: World, tensor: Tensor, position: int, binding: Binding, found: Flow) -> None:
        super().__init__(world, tensor, position)
        self.about = f"outputs[{position}]"
        self.where = f"calls[{binding.call}]"
        self.binding = binding
        self.flow = found

    @property
    def label(self) -> str:
        """The output's name."""
        return self.tensor.name or f"outputs[{self.position}]"

    @property
    def bind(self) -> RknnSetIoMem:
        """The call that bound it."""
        return self.binding.set_io_mem

    @property
    def name_of_memory(self) -> str:
        """Its name."""
        name = self.binding.buffer or "memory"
        return f"the memory of {name[1:-1]}" if name.startswith("<") else name

    @property
    def state(self) -> MemoryState:
        """The memory when it was bound."""
        after = self.binding.call + 1
        memories = self.flow.moments[after].memories if after < len(self.flow.moments) else self.flow.end
        return memories.get(self.binding.buffer or "") or MemoryState(self.binding.buffer or "")

    @property
    def capacity(self) -> int:
        """Bytes of the memory."""
        return capacity_of(self.state, self.bind, self.tensor, self.name_of_memory)

    @cached_property
    def form(self) -> NativeForm:
        """The output in the NPU's own form."""
        return form_of(self.tensor, self.world.platform, self.label)

    @cached_property
    def need(self) -> Need:
        """Bytes for the layout that is bound: the native ones for NC1HWC2, else the plain tensor of the bound type."""
        native = self.bind.fmt == "NC1HWC2" or (self.bind.fmt is None and self.state.attr == "NATIVE_OUTPUT_ATTR")
        if native:
            return Need(self.form.size, product(self.form.factors), f"{self.form.layout} {self.form.dtype}")
        dtype = (self.bind.type or self.dtype).lower()
        factors = (*self.static_shape, itemsize(dtype))
        return Need(prod(factors), product(factors), f"{self.bind.fmt or self.layout} {dtype}")


@lists("bound_output")
def _bound_outputs(world: World) -> Iterator[Thing]:
    found = flow(world)
    outputs = world.contract.outputs if world.contract else []
    for moment in found.moments:
        call = moment.call
        target = tensor_of(call.for_) if isinstance(call, RknnSetIoMem) else None
        if (
            isinstance(call, RknnSetIoMem)
            and target is not None
            and target[0] == "outputs"
            and target[1] < len(outputs)
        ):
            name = call.buffer or f"<{call.for_}>"
            yield BoundOutputThing(world, outputs[target[1]], target[1], Binding(moment.index, call, name), found)
