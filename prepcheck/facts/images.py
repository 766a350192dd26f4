"""Facts about the images given, as their headers tell."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims, dims_of, is_static
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.world import ImageFacts, World, image_input


class ImageThing(Thing):
    """One image file."""

    kind = "image"

    def __init__(self, world: World, image: ImageFacts, position: int) -> None:
        super().__init__(world, f"images[{position}]")
        self.image = image

    @property
    def image_size(self) -> tuple[int, int]:
        """(width, height) as stored."""
        return self.image.size

    @property
    def mode(self) -> str:
        """Pillow's mode: L, LA, P, RGB, RGBA, CMYK, I;16, …"""
        return self.image.mode

    @property
    def orientation(self) -> int:
        """EXIF orientation 1..8."""
        if self.image.orientation is None:
            raise NotApplicable
        return self.image.orientation

    @property
    def target(self) -> Dims:
        """N, C, H, W of the input that this image is for."""
        contract = self.world.contract
        if contract is None:
            raise NotApplicable
        tensor = None
        if self.image.input is not None:
            tensor = next((t for t in contract.inputs if t.name == self.image.input), None)
        elif len(contract.inputs) == 1:
            tensor = contract.inputs[0]
        else:
            tensor = image_input(contract)
        if tensor is None or not tensor.shape or not is_static(tensor.shape) or len(tensor.shape) != 4:
            raise NotApplicable
        dims = dims_of(tensor.layout or "", tensor.shape)
        if dims is None:
            raise NotApplicable
        return dims

    @property
    def decoded_size(self) -> tuple[int, int]:
        """(width, height) as the plan's decoder hands it on: turned where the plan applies the EXIF orientation."""
        width, height = self.image.size
        if (self.image.orientation or 1) >= 5 and self.exif_applied:
            return (height, width)
        return (width, height)

    @property
    def exif_applied(self) -> bool:
        """Whether the plan's decode step turns the picture as its EXIF tag says."""
        plan = self.world.plan
        steps = plan.steps if plan and isinstance(plan.steps, list) else []
        return any(s.decode is not None and s.decode.exif == "apply" for s in steps)


@lists("image")
def _images(world: World) -> Iterator[Thing]:
    for i, image in enumerate(world.images):
        yield ImageThing(world, image, i)
