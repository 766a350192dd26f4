"""The several spellings of `size` and `crop_size` in Hugging Face's files, and what each image processor does with them.

Source: transformers, src/transformers/models/*/image_processing_*.py and image_processing_utils.get_size_dict
(`default_to_square`). Confidence H, read there, for all but tvlt, yolos, conditionaldetr, deformabledetr and deta (M: the
last four follow DETR's processor).
"""

from __future__ import annotations

from prepcheck.importers.document import Document, Path, Plain
from prepcheck.importers.values import kind, side, table
from prepcheck.records import dataclass

SQUARE = frozenset({"vit", "deit", "beit", "dpt", "segformer", "donut", "layoutlmv2", "layoutlmv3",
                    "efficientnet", "owlvit"})  # fmt: skip
"""Processors whose bare number means height = width (default_to_square)."""
SHORTER = frozenset({"clip", "chineseclip", "convnext", "levit", "mobilenetv1", "mobilenetv2", "mobilevit", "poolformer",
                     "bit", "videomae", "vivit", "tvlt", "vilt", "detr", "yolos", "conditionaldetr",
                     "deformabledetr", "deta", "siglip"})  # fmt: skip
"""Processors whose bare number is the shorter side. SigLIP's files state height and width; a bare number is no square."""
CROPPED = frozenset({"clip", "chineseclip", "deit", "levit", "mobilenetv1", "mobilenetv2", "mobilevit", "poolformer", "bit",
                     "videomae", "vivit", "tvlt"})  # fmt: skip
"""Processors with do_center_crop true by default (H, tvlt M). BEiT's two classes differ: true, and false in the fast one."""
CROP_PCT = {"convnext": 224 / 256, "poolformer": 0.9}
"""crop_pct where the file leaves it out (image_processing_convnext.py, image_processing_poolformer.py; H)."""
DETR_LIMIT = 1333
"""DETR and its relatives: max_size where a bare number states the shorter side (image_processing_detr.py; H, relatives M)."""
DETRS = frozenset({"detr", "yolos", "conditionaldetr", "deformabledetr", "deta"})
VILT_LIMIT = 1333 / 800
"""ViLT: the longer side is at most this times the shorter (image_processing_vilt.py, MAX_LONGER_EDGE; H)."""

KEYS = ("height", "width", "shortest_edge", "longest_edge", "max_height", "max_width")


@dataclass(frozen=True, slots=True)
class Size:
    """Either a fixed (width, height), or one side with the ratio kept. ambiguous: a bare number that may be either."""

    fixed: tuple[int, int] | None = None
    shorter: int | None = None
    longest: int | None = None
    ambiguous: int | None = None


def family(document: Document, values: dict[str, Plain]) -> str | None:
    """`vit` of `ViTImageProcessor`, `ViTFeatureExtractor`, `ViTImageProcessorFast`; None where the file names none."""
    for key in ("image_processor_type", "feature_extractor_type"):
        name = values.get(key)
        if name is None:
            continue
        if not isinstance(name, str):
            document.fail((key,), f"the name of a class is expected, not {kind(name)}")
        return name.removesuffix("Fast").removesuffix("ImageProcessor").removesuffix("FeatureExtractor").lower()
    return None


def read_size(document: Document, value: Plain, path: Path, *, square: bool | None, longest: Plain = None) -> Size:
    """The size at a place. square: what a bare number means; None = it depends on a class that is not known."""
    if isinstance(value, list):
        if len(value) == 1:
            value = value[0]
        elif len(value) == 2:  # written as (height, width) where lists are used (torchvision's order)
            height, width = (side(document, v, (*path, i)) for i, v in enumerate(value))
            return Size((width, height))
        else:
            document.fail(path, f"{len(value)} numbers; height and width, or one number, are expected")
    if not isinstance(value, dict):
        length = side(document, value, path)
        most = side(document, longest, ("max_size",)) if longest is not None else None
        if square is None:
            return Size(ambiguous=length)
        return Size((length, length)) if square and most is None else Size(shorter=length, longest=most)
    return _from_table(document, table(document, value, path), path)


def _from_table(document: Document, value: dict[str, Plain], path: Path) -> Size:
    unknown = [k for k in value if k not in KEYS]
    if unknown:
        document.fail((*path, unknown[0]), f"'{unknown[0][:40]}' is no key of a size; known: {', '.join(KEYS)}")
    given = {k: side(document, v, (*path, k)) for k, v in value.items() if v is not None}
    both = "height" in given or "width" in given
    if both and ("shortest_edge" in given or "longest_edge" in given):
        other = "shortest_edge" if "shortest_edge" in given else "longest_edge"
        document.fail(
            (*path, other),
            f"`{other}` keeps the ratio and `height`/`width` do not: the file says both (line {document.line(*path)})",
        )
    if both:
        for key in ("height", "width"):
            if key not in given:
                document.fail(path, f"`{key}` is missing beside {', '.join(sorted(given))}")
        return Size((given["width"], given["height"]))
    if "shortest_edge" in given or "longest_edge" in given:
        short, long = given.get("shortest_edge"), given.get("longest_edge")
        if short is not None and long is not None and short > long:
            document.fail((*path, "shortest_edge"), f"the shorter side ({short}) is longer than the longest ({long})")
        return Size(shorter=short, longest=long)
    if "max_height" in given and "max_width" in given:
        if given["max_height"] == given["max_width"]:
            return Size(longest=given["max_height"])
        document.fail(
            path, "a box of max_height and max_width that is no square depends on each picture: no plan states it"
        )
    return document.fail(path, f"none of {', '.join(KEYS[:4])} is there")


def own_size(name: str | None, size: Size, *, keeps: bool, multiple: Plain) -> tuple[Size, str]:
    """What a class makes of its size, and what stays open about it ("" = nothing).

    keeps, multiple: keep_aspect_ratio and ensure_multiple_of of the file.
    Source: image_processing_dpt.py, image_processing_poolformer.py, image_processing_vilt.py (H).
    """
    square = size.fixed is not None and size.fixed[0] == size.fixed[1]
    if name == "dpt" and size.fixed is not None and (keeps or multiple not in (None, 1)):
        said = f"the exact size: DPT's processor rounds each side to a multiple of {multiple if isinstance(multiple, int) else 1}"
        if keeps:
            said += ", with the ratio kept: one side differs from the size"
        return (Size(shorter=size.fixed[0]) if keeps and square else size), said
    if name == "poolformer" and size.fixed is not None and square:
        return Size(shorter=size.fixed[0]), ""
    if name == "vilt" and size.shorter is not None:
        said = "the exact size: ViLT's processor rounds each side down to a multiple of size_divisor (32)"
        return Size(shorter=size.shorter, longest=int(VILT_LIMIT * size.shorter)), said
    return size, ""
