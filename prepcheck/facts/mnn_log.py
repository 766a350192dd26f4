"""Facts that MNN's log lines need besides the lines: operators of the model by name, and what a run of a tool was told."""

from __future__ import annotations

from prepcheck.core.opencl_image import GpuImage
from prepcheck.facts.world import World
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class NamedOp:
    """One operator that a line names. asked: as the line says it. index, total: its place in the file.

    inputs, outputs: (tensor, sizes) where they can be told.
    """

    asked: str
    name: str
    type: str
    index: int
    total: int
    inputs: tuple[tuple[str, tuple[int, ...]], ...] = ()
    outputs: tuple[tuple[str, tuple[int, ...]], ...] = ()


def named_op(world: World, asked: str) -> NamedOp | None:
    """The operator that a line calls so, where the model was given."""
    for item in world.extra.get("mnn_ops", ()):
        if isinstance(item, NamedOp) and item.asked == asked:
            return item
    return None


def image_layer(world: World, width: int, height: int) -> GpuImage | None:
    """The layer of the given model whose filter or tensor needs an image of this size."""
    for item in world.extra.get("gpu_images", ()):
        if isinstance(item, GpuImage) and (item.width, item.height) == (width, height):
            return item
    return None
