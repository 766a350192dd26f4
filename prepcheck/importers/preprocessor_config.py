"""Hugging Face's preprocessor_config.json: what an image processor does to a picture.

Formula: (x · rescale_factor − image_mean) / image_std; means belong to 0..1 where do_rescale is true. Steps in the order
in which the processors do them: resize, centre crop, rescale, normalise, pad, flip of the channel order. Who does it on
the device is not in the file: value steps are `where: unknown`.
"""

from __future__ import annotations

from prepcheck.importers.document import Document, Plain
from prepcheck.importers.hf_sizes import (
    CROP_PCT,
    CROPPED,
    DETR_LIMIT,
    DETRS,
    SHORTER,
    SQUARE,
    Size,
    family,
    own_size,
    read_size,
)
from prepcheck.importers.imported import Imported, short
from prepcheck.importers.values import clean, divisors, flag, number, numbers, table, unit_doubt

TITLE = "Hugging Face's preprocessor_config.json"
FORMULA = "(x * rescale_factor - image_mean) / image_std"
FILTERS = {0: "nearest", 1: "lanczos", 2: "bilinear", 3: "bicubic", 4: "area"}
"""PIL.Image.Resampling; 4 is BOX, the mean of the pixels that fall on one, as `area`. 5 (HAMMING) has no name in plans."""
SIGNS = ("image_processor_type", "feature_extractor_type", "image_mean", "do_resize", "do_rescale", "do_normalize")
DEFAULT_FACTOR = 1 / 255
VIVIT_FACTOR = 1 / 127.5
"""ViViT's default, with an offset of -1 (`offset` true; image_processing_vivit_fast.py; H)."""
FLIPPED = {"mobilevit": "do_flip_channel_order is not in the file; MobileViT's default is true: BGR",
           "layoutlmv2": "LayoutLMv2's processor hands pictures on as BGR"}  # fmt: skip
"""Processors that turn the channels round by themselves (image_processing_mobilevit.py, image_processing_layoutlmv2.py)."""
PIXELS = frozenset({"layoutlmv2"})
"""Processors that neither rescale nor normalise: their networks take 0..255."""


def recognises(document: Document) -> bool:
    """A JSON table with two of the format's keys, at the top or under `image_processor`."""
    if document.form != "json" or not isinstance(document.value, dict):
        return False
    inner = document.value.get("image_processor")
    tables = [document.value] + ([inner] if isinstance(inner, dict) else [])
    return any(sum(key in t for key in SIGNS) >= 2 for t in tables)


def read(document: Document) -> Imported:
    """The plan. Raises CorruptError with line and column where the file contradicts itself."""
    values = table(document, document.value)
    inner = values.get("image_processor")
    if isinstance(inner, dict) and sum(key in values for key in SIGNS) < 2:
        document = Document(
            document.name, "json", document.text, inner, {p[1:]: at for p, at in document.places.items() if p}
        )
        values = inner
    return _Reader(document, values).read()


class _Reader:
    def __init__(self, document: Document, values: dict[str, Plain]) -> None:
        self.document = document
        self.values = values
        self.found = Imported(TITLE, document.name, FORMULA)
        self.family = family(document, values)
        self.training: dict[str, Plain] = {}
        self.steps: list[Plain] = []

    def read(self) -> Imported:
        if self.family is not None and not (self.family in SQUARE or self.family in SHORTER):
            self.found.unknown.append(
                f"defaults of the class for '{self.family}' are not known here: keys that the file leaves out are not filled in"
            )
        self.color()
        self.geometry()
        self.valued()
        self.found.unknown.append(
            "who does it on the device: the file describes a Python processor; where the model does it itself (mean/std in "
            "an .rknn), set `where: model` at scale and normalize, else `where: host`"
        )
        self.found.plan["model"] = {"training": self.training}
        self.found.plan["steps"] = self.steps
        return self.found

    def flag(self, key: str) -> bool | None:
        return flag(self.document, self.values, key)

    def said(self, to: str, key: str) -> None:
        self.found.said(to, self.document, key, value=self.values.get(key))

    # -- colour

    def color(self) -> None:
        convert, flip = self.flag("do_convert_rgb"), self.flag("do_flip_channel_order")
        self.steps.append({"decode": {"library": "pillow", "color": "RGB"}})
        if convert is not None:
            self.said("steps.decode", "do_convert_rgb")
        order = "BGR" if flip else "RGB"
        if flip is None and self.family in FLIPPED:
            order = "BGR"
            self.found.doubts.append(FLIPPED[self.family])
        if flip is not None:
            self.said("model.training.color", "do_flip_channel_order")
        self.training["color"] = order

    # -- size

    def geometry(self) -> None:
        d = self.document
        resize, crop = self.flag("do_resize"), self.flag("do_center_crop")
        size, cropped = self.values.get("size"), self.values.get("crop_size")
        if resize is False and size is not None and "do_resize" in self.values:
            self.found.said("about.size_not_used", d, "size", value=size)
        if resize is not False and size is None:
            if resize:
                self.found.unknown.append(
                    f"do_resize is true ({d.at('do_resize')}) and the file states no size: the class's default holds"
                )
        elif resize is not False:
            self._resize(size, crop)
        elif resize is False:
            self.found.unknown.append(
                "do_resize is false: whoever calls the processor brings pictures of the right size"
            )
        if crop or (crop is None and cropped is not None and self.family in CROPPED):
            if cropped is None:
                self.found.unknown.append(
                    f"do_center_crop is true ({d.at('do_center_crop')}) and there is no crop_size"
                )
                return
            box = read_size(d, cropped, ("crop_size",), square=True)
            if box.fixed is None:
                d.fail(("crop_size",), "a crop has a height and a width")
            self._check_crop(box.fixed)
            self.steps.append({"crop": {"center": list(box.fixed)}})
            self.said("steps.crop", "crop_size")
            self.training["resize"] = "crop"
        if self.flag("do_pad") and self.family != "donut":
            self._pad()

    def _resize(self, size: Plain, crop: bool | None) -> None:
        d = self.document
        square = True if self.family in SQUARE else False if self.family in SHORTER else None
        if square is None and not crop and not self.values.get("max_size"):
            square = True  # the base class's own default
        if self.family == "donut" and isinstance(size, list) and len(size) == 2:
            size = size[::-1]  # Donut's lists are (width, height)
        longest = self.values.get("max_size")
        if longest is None and self.family in DETRS and not isinstance(size, dict):
            longest = DETR_LIMIT
            self.found.doubts.append(
                f"max_size is not in the file; the default of {self.family}'s processor is {longest}"
            )
        found = read_size(d, size, ("size",), square=square, longest=longest)
        if found.ambiguous is not None:
            self.found.unknown.append(
                f"size is the bare number {found.ambiguous} ({d.at('size')}): some processors take it for the shorter side, "
                f"others for height and width; written as the shorter side, which fits a crop"
            )
            found = Size(shorter=found.ambiguous)
        arguments: dict[str, Plain] = {}
        if (
            self.family == "levit" and found.shorter is not None
        ):  # image_processing_levit.py: int(256/224 · shortest_edge)
            found = Size(shorter=int(256 / 224 * found.shorter))
            self.found.doubts.append(
                f"LeViT's processor resizes the shorter side to 256/224 of the size: {found.shorter}"
            )
        if found.fixed is not None and self._donut(found.fixed):
            return
        keeps = bool(self.flag("keep_aspect_ratio"))
        found, open_point = own_size(self.family, found, keeps=keeps, multiple=self.values.get("ensure_multiple_of"))
        if open_point:
            self.found.unknown.append(open_point)
        pct = self.values.get("crop_pct")
        if pct is None and self.family in CROP_PCT:
            pct = CROP_PCT[self.family]
            self.found.doubts.append(
                f"crop_pct is not in the file; the default of {self.family}'s processor is {pct:g}"
            )
        if pct is not None and found.shorter is not None:
            self._cut(found.shorter, number(d, pct, ("crop_pct",)))
            return
        if found.fixed is not None:
            arguments["size"] = list(found.fixed)
            self.training["resize"] = "stretch"
        else:
            arguments |= {k: v for k, v in (("shorter", found.shorter), ("longest", found.longest)) if v is not None}
        self.steps.append({"resize": {**arguments, **self._filter()}})
        self.said("steps.resize", "size")

    def _donut(self, size: tuple[int, int]) -> bool:
        """Shorter side, then into the size with the ratio kept, then black bars on both sides (image_processing_donut.py; H)."""
        if self.family != "donut" or self.flag("do_thumbnail") is False or self.flag("do_pad") is False:
            return False
        self.steps.append({"letterbox": {"size": list(size), "fill": 0, "align": "center", **self._filter()}})
        self.training |= {"resize": "letterbox", "fill": 0, "align": "center"}
        self.said("steps.letterbox", "size")
        if self.flag("do_align_long_axis"):
            self.found.unknown.append(
                "do_align_long_axis: pictures that lie the other way than the size are turned first"
            )
        return True

    def _cut(self, length: int, pct: float) -> None:
        """The shorter side to length/crop_pct, then the middle; ConvNeXt from 384 on: stretched (image_processing_convnext.py).

        A processor with a crop of its own (PoolFormer) cuts out crop_size.
        """
        if not 0 < pct <= 1:
            self.document.fail(("crop_pct",), f"{pct} is no part of a picture (0 to 1)")
        if self.family == "poolformer":
            self.steps.append({"resize": {"shorter": int(length / pct), **self._filter()}})
            self.said("steps.resize", "size")
            return
        if length >= 384:
            self.steps.append({"resize": {"size": [length, length], **self._filter()}})
            self.training["resize"] = "stretch"
        else:
            self.steps.append({"resize": {"shorter": int(length / pct), **self._filter()}})
            self.steps.append({"crop": {"center": [length, length]}})
            self.training["resize"] = "crop"
        self.said("steps.resize", "size")
        self.said("steps.crop", "crop_pct")

    def _filter(self) -> dict[str, Plain]:
        value = self.values.get("resample")
        if value is None:
            self.found.unknown.append("resample is not in the file: the filter of the resize is the class's default")
            return {"library": "pillow"}
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 5:
            self.document.fail(("resample",), f"{short(value)} is no filter of PIL.Image.Resampling (0 to 5)")
        self.said("steps.resize.filter", "resample")
        if value not in FILTERS:
            self.found.unknown.append("resample 5 (Hamming) has no name in plans")
            return {"library": "pillow"}
        return {"filter": FILTERS[value], "library": "pillow"}

    def _check_crop(self, box: tuple[int, int]) -> None:
        last = self.steps[-1]
        before = last.get("resize") if isinstance(last, dict) else None
        if not isinstance(before, dict):
            return
        size, shorter = before.get("size"), before.get("shorter")
        sides = [side for side in size if isinstance(side, int)] if isinstance(size, list) else []
        least = min(sides, default=shorter)
        if isinstance(least, int) and min(box) > least:
            self.document.fail(
                ("crop_size",),
                f"a crop of {box[0]}x{box[1]} is larger than the picture after the resize to {least} "
                f"(line {self.document.line('size')}): the processor fills the rest with zeros",
            )

    def _pad(self) -> None:
        d = self.document
        pad = self.values.get("pad_size")
        last = self.steps[-1]
        before = last.get("resize") if isinstance(last, dict) else None
        target = read_size(d, pad, ("pad_size",), square=True).fixed if pad is not None else None
        if (
            target is not None
            and isinstance(before, dict)
            and before.get("longest") == max(target)
            and "shorter" not in before
        ):
            kept: dict[str, Plain] = {k: before[k] for k in ("filter", "library") if k in before}
            self.steps[-1] = {"letterbox": {"size": list(target), "fill": 0, "align": "top_left", **kept}}
            self.training |= {"resize": "letterbox", "align": "top_left"}
            self.said("steps.letterbox", "pad_size")
            self.found.doubts.append(
                "padding is 0 after the normalisation, which is the mean colour before it, not black"
            )
            return
        self.found.unknown.append(
            f"do_pad is true ({d.at('do_pad')}): how far is padded depends on each batch of pictures"
        )

    # -- values

    def valued(self) -> None:
        d, values = self.document, self.values
        rescale, normalize = self.flag("do_rescale"), self.flag("do_normalize")
        offset = self.flag("rescale_offset")
        factor = DEFAULT_FACTOR
        if self.family == "vivit":
            offset = self.flag("offset") is not False
            factor = VIVIT_FACTOR
        if values.get("rescale_factor") is not None:
            factor = number(d, values["rescale_factor"], ("rescale_factor",))
            if factor == 0:
                d.fail(("rescale_factor",), "0 multiplies every pixel to 0")
            if factor > 1 and rescale is not False:
                self.found.doubts.append(
                    f"rescale_factor {short(values['rescale_factor'])} ({d.at('rescale_factor')}) multiplies: pixels would reach "
                    f"{factor * 255:.6g}; 1/{factor:.6g} is probably meant"
                )
        mean = numbers(d, values["image_mean"], ("image_mean",)) if values.get("image_mean") is not None else None
        std = divisors(d, values["image_std"], ("image_std",)) if values.get("image_std") is not None else None
        if normalize is None and mean is not None and std is not None:
            normalize = True  # every image processor's default (do_normalize=True)
        self._check(rescale, normalize, factor, mean, std)
        if rescale is None and self.family in PIXELS:
            self.found.words["model.training.range"] = f"{self.family}'s processor neither rescales nor normalises"
            self.training["range"] = [0, 255]
            self._flip_last()
            return
        if rescale is None:
            self.found.words["steps.scale"] = (
                "do_rescale is not in the file: the default of nearly every image processor is true"
            )
            if self.family is None or not (self.family in SQUARE or self.family in SHORTER):
                self.found.unknown.append(
                    "whether the class rescales by 1/255: do_rescale is not in the file, and nearly all do"
                )
        low, high = 0.0, 1.0
        if rescale is not False:
            low, high = self._rescaled(factor, bool(offset))
        elif normalize and mean is not None and max(map(abs, mean)) > 2:
            low, high = 0.0, 255.0
        else:
            self._not_rescaled(bool(normalize))
        self.training["range"] = [clean(low), clean(high)]
        if normalize and mean is not None and std is not None:
            self._normalized(mean, std)
        self._flip_last()

    def _flip_last(self) -> None:
        """The order of the channels is turned round last of all."""
        if self.training.get("color") == "BGR":
            self.steps.append({"convert_color": {"to": "BGR"}})

    def _rescaled(self, factor: float, offset: bool) -> tuple[float, float]:
        arguments: dict[str, Plain] = {"by": factor, "where": "unknown"}
        low, high = 0.0, 255 * factor
        if (
            offset
        ):  # EfficientNet, ViViT: x · factor − 1 (image_processing_efficientnet.py, image_processing_vivit.py, rescale)
            arguments["offset"] = -1.0
            low, high = -1.0, 255 * factor - 1
            self.said("steps.scale.offset", "offset" if self.family == "vivit" else "rescale_offset")
        self.steps.append({"scale": arguments})
        if "rescale_factor" in self.values:
            self.said("steps.scale", "rescale_factor")
        return low, high

    def _not_rescaled(self, normalized: bool) -> None:
        self.said("steps.scale", "do_rescale")
        if normalized:
            self.steps.append({"scale": {"by": DEFAULT_FACTOR, "where": "unknown"}})
            self.found.unknown.append(
                f"who divides by 255: do_rescale is false ({self.document.at('do_rescale')}) and image_mean belongs to 0..1, so "
                "the processor is fed pictures that are 0..1 already"
            )
            return
        self.found.unknown.append(
            f"whether the network wants 0..255 or 0..1: do_rescale is false ({self.document.at('do_rescale')}) and nothing is "
            "normalised; correct `range` in model.training"
        )

    def _normalized(self, mean: list[float], std: list[float]) -> None:
        doubt = unit_doubt(mean, std)
        if doubt:
            self.found.doubts.append(f"{doubt} ({self.document.at('image_mean')}, {self.document.at('image_std')})")
        lists: dict[str, Plain] = {"mean": [clean(v) for v in mean], "std": [clean(v) for v in std]}
        self.training |= lists
        self.steps.append({"normalize": {**lists, "where": "unknown"}})
        if self.training.get("color") == "BGR":
            self.training |= {k: v[::-1] for k, v in lists.items() if isinstance(v, list)}
        self.said("model.training.mean", "image_mean")
        self.said("model.training.std", "image_std")

    def _check(self, rescale: bool | None, normalize: bool | None, factor: float, mean: list[float] | None, std: list[float] | None) -> None:  # fmt: skip
        d = self.document
        if normalize and (mean is None or std is None):
            key = "image_mean" if mean is None else "image_std"
            if "do_normalize" in self.values and (mean is not None or std is not None):
                d.fail(("do_normalize",), f"do_normalize is true and there is no {key}")
            self.found.unknown.append(f"do_normalize is true and the file states no {key}: the class's default holds")
        if mean is None or std is None or not normalize:
            return
        if len(mean) != len(std) and 1 not in (len(mean), len(std)):
            d.fail(("image_std",), f"{len(std)} values beside {len(mean)} of image_mean (line {d.line('image_mean')})")
        if rescale is not False and max(map(abs, mean)) > 2 and factor <= 0.01:
            where = f"line {d.line('do_rescale')}" if "do_rescale" in self.values else "the default"
            d.fail(
                ("image_mean",),
                f"{short(self.values['image_mean'])} is in pixels 0..255, and do_rescale is true ({where}): after the rescale by "
                f"{factor:.6g} values reach {255 * factor:.4g}. One of the two is wrong: set do_rescale to false, or divide the means by 255",
            )
        if self.family == "efficientnet" and self.flag("include_top") is not False:
            self.found.doubts.append(
                "include_top (true by default): EfficientNet's processor divides by image_std a second time; check the plan's last step"
            )
