"""Steps of a plan: what is done to the picture, in order; each item has exactly one key."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from prepcheck.contract.base import Color, Document, Dtype, Layout
from prepcheck.contract.calls import ImageProcessArguments, RgaArguments

Where = Literal["host", "converter", "model", "runtime", "unknown"]
Size = Annotated[list[int], Field(min_length=2, max_length=2)]
Filter = Literal["nearest", "bilinear", "bicubic", "area", "lanczos"]


class StepArguments(Document):
    """What every step may add: who does it."""

    where: Where = "host"


class Decode(StepArguments):
    """Decode the file. size: [width, height] of the picture. exif: what is done with the orientation tag."""

    library: Literal["opencv", "pillow", "ffmpeg", "gstreamer", "mpp", "v4l2", "other"] | str | None = None
    color: Color | None = None
    size: Size | None = None
    exif: Literal["ignore", "apply"] | None = None


class ConvertColor(StepArguments):
    """Change the colour order or space."""

    to: Color
    source: Color | None = Field(default=None, alias="from")
    matrix: str | None = None


class Resize(StepArguments):
    """Scale to size [width, height]; keep_ratio: the size is the result of keeping the aspect ratio.

    In place of a size, with the ratio kept: shorter, the length of the shorter side; longest, that of the longer side, or
    beside `shorter` the most that it may be.
    """

    size: Size | None = None
    shorter: Annotated[int, Field(ge=1, le=65536)] | None = None
    longest: Annotated[int, Field(ge=1, le=65536)] | None = None
    filter: Filter | None = None
    library: Literal["opencv", "pillow", "mnn", "rga", "other"] | str | None = None
    keep_ratio: bool | None = None

    @model_validator(mode="after")
    def _size_or_side(self) -> "Resize":
        if (self.size is None) == (self.shorter is None and self.longest is None):
            raise ValueError("a resize has `size`, or `shorter` or `longest` with the ratio kept")
        return self


class Letterbox(StepArguments):
    """Scale with the aspect ratio kept and fill the rest."""

    size: Size
    fill: int | list[int] | None = None
    align: Literal["center", "top_left"] | None = None
    filter: Filter | None = None
    library: str | None = None


class Crop(StepArguments):
    """Cut out box [left, top, width, height], or `center`: [width, height] from the middle."""

    box: Annotated[list[int], Field(min_length=4, max_length=4)] | None = None
    center: Size | None = None

    @model_validator(mode="after")
    def _box_or_center(self) -> "Crop":
        if (self.box is None) == (self.center is None):
            raise ValueError("a crop has either `box` or `center`")
        return self


class Pad(StepArguments):
    """Add rows and columns."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0
    fill: int | list[int] | None = None


class Scale(StepArguments):
    """x · by + offset."""

    by: float
    offset: float = 0.0


class Normalize(StepArguments):
    """(x − mean) / std, one value per channel (or one for all)."""

    mean: list[float]
    std: list[float]


class Quantize(StepArguments):
    """rint(x / scale) + zero_point, clamped to dtype."""

    dtype: Dtype
    scale: float
    zero_point: int


class Cast(StepArguments):
    """Change the element type; the values stay."""

    dtype: Dtype


class Transpose(StepArguments):
    """Change the order of the axes."""

    to: Layout


class ImageProcessStep(ImageProcessArguments):
    """MNN's ImageProcess as a step."""

    where: Where = "host"


class RgaStep(RgaArguments):
    """An RGA call as a step."""

    where: Where = "host"


STEP_CLASSES: dict[str, type[StepArguments] | type[ImageProcessStep] | type[RgaStep]] = {
    "decode": Decode,
    "convert_color": ConvertColor,
    "resize": Resize,
    "letterbox": Letterbox,
    "crop": Crop,
    "pad": Pad,
    "scale": Scale,
    "normalize": Normalize,
    "quantize": Quantize,
    "cast": Cast,
    "transpose": Transpose,
    "image_process": ImageProcessStep,
    "rga": RgaStep,
}
STEP_KINDS = tuple(STEP_CLASSES)


class Step(Document):
    """One step: exactly one of the keys below."""

    decode: Decode | None = None
    convert_color: ConvertColor | None = None
    resize: Resize | None = None
    letterbox: Letterbox | None = None
    crop: Crop | None = None
    pad: Pad | None = None
    scale: Scale | None = None
    normalize: Normalize | None = None
    quantize: Quantize | None = None
    cast: Cast | None = None
    transpose: Transpose | None = None
    image_process: ImageProcessStep | None = None
    rga: RgaStep | None = None

    @model_validator(mode="after")
    def _one_key(self) -> "Step":
        given = [kind for kind in STEP_KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"a step has exactly one key, this one has {len(given)}: {', '.join(given) or 'none'}")
        return self

    @property
    def kind(self) -> str:
        """The name of the step."""
        return next(kind for kind in STEP_KINDS if getattr(self, kind) is not None)

    @property
    def arguments(self) -> StepArguments | ImageProcessStep | RgaStep:
        """Its arguments."""
        value: StepArguments | ImageProcessStep | RgaStep = getattr(self, self.kind)
        return value
