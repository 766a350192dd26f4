"""Facts about the images given, as their headers tell."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Decode, Step
from prepcheck.core.layouts import Dims, dims_of, is_static
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.path import steps_for
from prepcheck.facts.world import ImageFacts, World, image_input


class ImageThing(Thing):
    """One image file."""

    kind = "image"

    def __init__(self, world: World, image: ImageFacts, position: int) -> None:
        super().__init__(world, f"images[{position}]")
        self.position = position
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
    def decode(self) -> Decode:
        """The decode step of the input that this image is for."""
        for step in self._steps:
            if step.decode is not None:
                return step.decode
        raise NotApplicable

    @property
    def _steps(self) -> list[Step]:
        contract = self.world.contract
        if contract is None:
            plan = self.world.plan
            return plan.steps if plan is not None and isinstance(plan.steps, list) else []
        named = [i for i, t in enumerate(contract.inputs) if t.name == self.image.input]
        owner = image_input(contract)
        alone = [i for i, t in enumerate(contract.inputs) if owner is not None and t.index == owner.index] or [0]
        return steps_for(self.world, (named or alone)[0]) if contract.inputs else []

    @property
    def exif_applied(self) -> bool | None:
        """Whether the decoder turns the picture as its EXIF tag says; None = not known.

        OpenCV does unless IMREAD_IGNORE_ORIENTATION is given (OpenCV documentation, ImreadModes); Pillow does not
        (ImageOps.exif_transpose does).
        """
        step = next((s.decode for s in self._steps if s.decode is not None), None)
        if step is None:
            return False
        if step.exif is not None:
            return step.exif == "apply"
        return {"opencv": True, "pillow": False}.get(step.library or "")

    @property
    def exif_known(self) -> bool:
        """The same, where it is known."""
        found = self.exif_applied
        if found is None:
            raise Unstated(
                "exif", "whether the decoder turns pictures as their EXIF tag says is not stated",
                "add `exif: ignore` (or apply) to the decode step", where="steps")  # fmt: skip
        return found

    @property
    def decoded_size(self) -> tuple[int, int]:
        """(width, height) as the plan's decoder hands it on: turned where the EXIF orientation is applied."""
        width, height = self.image.size
        if (self.image.orientation or 1) >= 5 and self.exif_applied:
            return (height, width)
        return (width, height)

    @property
    def decode_error(self) -> str:
        """Why the pixels cannot be decoded, though the header was read."""
        if self.image.decode_error is None:
            raise NotApplicable
        return self.image.decode_error

    @property
    def declared(self) -> bool:
        """Whether the steps are the user's."""
        return self.world.declared

    @property
    def is_first(self) -> bool:
        """Whether the usual path was made for it: the first image of its input."""
        earlier = self.world.images[: self.position]
        return not any(i.input == self.image.input for i in earlier)

    @property
    def name(self) -> str:
        """The file, as the user gave it."""
        return self.image.name

    @property
    def bits(self) -> int:
        """Bits of one channel."""
        return self.image.bits

    @property
    def frames(self) -> int:
        """Pictures in the file."""
        return self.image.frames

    @property
    def format(self) -> str:
        """jpeg, png, …"""
        return self.image.format


@lists("image")
def _images(world: World) -> Iterator[Thing]:
    for i, image in enumerate(world.images):
        yield ImageThing(world, image, i)
