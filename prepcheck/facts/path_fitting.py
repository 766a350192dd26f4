"""Facts about the picture in its frame: stretched, letterboxed or cropped, against training and postprocessing."""

from __future__ import annotations

from itertools import pairwise

from prepcheck.facts.base import NotApplicable, Unstated
from prepcheck.facts.path_base import SWAPPED, PathBase
from prepcheck.pixels.chain import crop_box


class FittingFacts(PathBase):
    """How the picture comes into the frame, and in which colours."""

    @property
    def declared(self) -> bool:
        """Whether the steps are the user's (else the default's)."""
        return self.world.declared

    @property
    def fitting(self) -> str:
        """stretch, letterbox, crop, or whole (nothing added, cut or distorted): all resizes of the host together."""
        found = self.final.fitting
        if found is None:
            raise NotApplicable
        return found

    @property
    def distortion(self) -> float:
        """How much the aspect ratio was changed, as a factor ≥ 1."""
        if self.final.distortion is None or self.final.geometry == "matrix":
            raise NotApplicable
        return self.final.distortion

    @property
    def final_size(self) -> tuple[int, int]:
        """(width, height) of the picture that the host hands over."""
        if self.final.size is None or self.final.geometry == "matrix":
            raise NotApplicable
        return self.final.size

    @property
    def ratio_claim(self) -> bool | None:
        """What the last resize step says of the aspect ratio: kept, not kept, or None = nothing said."""
        said = [s.resize.keep_ratio for s in self.host_steps if s.resize is not None]
        return said[-1] if said else None

    @property
    def meant_to_pad(self) -> bool:
        """Whether a step keeps the ratio, pads or letterboxes."""
        steps = self.host_steps
        if any(s.crop is not None and s.crop.center is not None for s in steps):
            return False  # the ratio is kept for the crop from the middle
        return any(s.pad or s.letterbox or (s.resize and (s.resize.keep_ratio or s.resize.size is None)) for s in steps)

    @property
    def training_fill(self) -> tuple[int, ...]:
        """Bar colour of training's letterbox."""
        fill = self.training.fill
        if fill is None:
            raise NotApplicable
        return (fill,) if isinstance(fill, int) else tuple(fill)

    @property
    def training_align(self) -> str:
        """Where training's letterbox put the picture: center or top_left."""
        if self.training.align is None:
            raise NotApplicable
        return self.training.align

    @property
    def kept_ratio_steps(self) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
        """(step, size before, size after) of every resize that says that it keeps the ratio."""
        found = []
        for i, step in enumerate(self.steps):
            before = self.states[i].size
            size = step.resize.size if step.resize is not None and step.resize.keep_ratio else None
            if size is not None and before is not None:
                found.append((i, before, (size[0], size[1])))
        if not found:
            raise NotApplicable
        return found

    @property
    def resizer_problem(self) -> str:
        """Why OpenCV could not be imported, where the assumed path resizes and Pillow took its place."""
        found = self.world.extra.get("resizer_problem")
        if not found or not any(s.resize is not None and s.resize.library == "pillow" for s in self.steps):
            raise NotApplicable
        return str(found[0])

    @property
    def crops(self) -> list[tuple[int, tuple[int, int], list[int]]]:
        """(step, size before, box) of every crop."""
        found = []
        for i, step in enumerate(self.steps):
            before = self.states[i].size
            box = crop_box(step.crop, before) if step.crop is not None else None
            if box is not None and before is not None:
                found.append((i, before, box))
        if not found:
            raise NotApplicable
        return found

    # -- colour

    @property
    def training_color(self) -> str:
        """Colour order of training."""
        if self.training.color is None:
            raise Unstated(
                "training.color", "the colour order of training ({label}) is not stated", "add `color: RGB` (or BGR) to model.training",
                where="model.training", label=self.label)  # fmt: skip
        return self.training.color

    @property
    def decoded_color(self) -> str | None:
        """Colour order in which the picture came: of the decode step, else of the buffer that a convert call reads."""
        if not self.has_steps:
            return None
        return next((s.color for s in self.states if s.color is not None), None)

    @property
    def swaps(self) -> int:
        """How often R and B are exchanged on the way, the runtime's exchange included."""
        states = self.states if self.has_steps else []
        count = sum(1 for a, b in pairwise(states) if a.color and SWAPPED.get(a.color) == b.color)
        return count + int(self.runtime_swaps)

    @property
    def runtime_swaps(self) -> bool:
        """Whether the runtime itself exchanges R and B (rknn-toolkit 1, reorder '2 1 0')."""
        return self.world.runtime == "rknn1" and bool(self.input.tensor.rgb2bgr)

    @property
    def calibrated_swapped(self) -> bool:
        """Whether calibration exchanged R and B (quant_img_RGB2BGR of rknn-toolkit2); the runtime does not."""
        if self.world.runtime != "rknn":
            raise NotApplicable
        build = self.world.build
        told = build.rgb2bgr if build is not None else None
        if isinstance(told, list):
            told = told[self.position] if self.position is not None and self.position < len(told) else None
        found = self.input.tensor.rgb2bgr if self.input.tensor.rgb2bgr is not None else told
        if found is None:
            raise NotApplicable
        return found

    @property
    def said_color(self) -> str:
        """Colour that the declared buffer says it holds."""
        if self.buffer is None or self.buffer.color is None or not self.has_steps:
            raise NotApplicable
        return self.buffer.color
