"""Facts about one input of an MNN model that need the whole plan: how it was converted, and how it is fed."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import elements
from prepcheck.core.mnn_convert_args import KeepInputFormat, keep_input_format
from prepcheck.facts.base import NotApplicable, Thing, lists, things
from prepcheck.facts.mnn_writes import MnnWriteThing
from prepcheck.facts.model import InputThing
from prepcheck.facts.world import World


class MnnInputThing(InputThing):
    """One input of an MNN model."""

    kind = "mnn_input"

    @property
    def keep_input_format(self) -> KeepInputFormat:
        """--keepInputFormat of the build, as typed."""
        build = self.world.build
        found = keep_input_format(build.options) if build is not None and build.options is not None else None
        if found is None:
            raise NotApplicable
        return found

    @property
    def source_layout(self) -> str | None:
        """Layout of the original network's input, where it is stated."""
        source = self.tensor.source
        return source.layout if source is not None else None

    @property
    def packed_elements(self) -> int:
        """Elements of the input packed in fours."""
        return elements("NC4HW4", self.static_shape)

    @property
    def plain_elements(self) -> int:
        """Elements of the input without padding."""
        total = 1
        for size in self.static_shape:
            total *= size
        return total

    @property
    def pointer_write(self) -> MnnWriteThing | None:
        """The first write of plain data through the host pointer."""
        for write in things(self.world, "mnn_write"):
            if isinstance(write, MnnWriteThing) and write.target.position == self.position and write.through_pointer:
                if write.data_layout != "NC4HW4":
                    return write
        return None


@lists("mnn_input")
def _inputs(world: World) -> Iterator[Thing]:
    for i, tensor in enumerate(world.contract.inputs if world.contract else ()):
        yield MnnInputThing(world, tensor, i)
