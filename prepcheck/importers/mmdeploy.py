"""MMDeploy's pipeline.json: the transforms before the network, as the SDK runs them.

Formula: (x − mean) / std on pixels 0..255, after `to_rgb`. Pictures come as BGR. For RKNN targets MMDeploy writes mean 0 and
std 1 here, whatever was trained, and gives the real lists to rknn.config() where the model is quantised. Sources: mmdeploy
1.3 mmdeploy/backend/sdk/export_info.py (get_preprocess), mmdeploy/backend/rknn/onnx2rknn.py, docs "Transform".
"""

from __future__ import annotations

from prepcheck.importers.document import Document, Path, Plain
from prepcheck.importers.imported import Imported, short
from prepcheck.importers.values import clean, divisors, flag, kind, numbers, side, table

TITLE = "MMDeploy's pipeline.json"
FORMULA = "(x - mean) / std, in pixels 0..255"
FILTERS = {"nearest": "nearest", "bilinear": "bilinear", "bicubic": "bicubic", "area": "area", "lanczos": "lanczos"}
SILENT = (
    "LoadImageFromFile",
    "LoadImage",
    "ImageToTensor",
    "DefaultFormatBundle",
    "Collect",
    "PackInputs",
    "Lift",
    "WrapFieldsToLists",
)
"""Transforms that leave pixels and values alone."""


def recognises(document: Document) -> bool:
    """A JSON table with `pipeline.tasks`."""
    value = document.value
    inner = value.get("pipeline") if isinstance(value, dict) else None
    return document.form == "json" and isinstance(inner, dict) and isinstance(inner.get("tasks"), list)


def read(document: Document) -> Imported:
    """The plan. Raises CorruptError with line and column where the file contradicts itself."""
    return _Reader(document).read()


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.found = Imported(TITLE, document.name, FORMULA)
        self.training: dict[str, Plain] = {}
        self.steps: list[Plain] = [{"decode": {"library": "opencv", "color": "BGR"}}]
        self.color = "BGR"
        self.normalized: Path | None = None

    def read(self) -> Imported:
        found = self.found
        base, transforms = self._transforms()
        for i, item in enumerate(transforms):
            self._one(table(self.document, item, (*base, i)), (*base, i))
        self.training["color"] = self.color
        if self.normalized is None:
            found.unknown.append("what values the network wants: the file has no Normalize")
        found.unknown.append(
            "who normalises on the device: the SDK does what this file says, an .rknn what config() was told; if the model does "
            "it, set `where: model` at normalize, else `where: host`"
        )
        found.plan["model"] = {"training": self.training}
        found.plan["steps"] = self.steps
        return found

    def _transforms(self) -> tuple[Path, list[Plain]]:
        pipeline = table(self.document, table(self.document, self.document.value).get("pipeline"), ("pipeline",))
        tasks = pipeline.get("tasks")
        hits = []
        for i, task in enumerate(tasks if isinstance(tasks, list) else []):
            if isinstance(task, dict) and isinstance(task.get("transforms"), list):
                hits.append((("pipeline", "tasks", i, "transforms"), task["transforms"]))
        if not hits:
            self.document.fail(("pipeline", "tasks"), "no task has `transforms`")
        if len(hits) > 1:
            self.found.unknown.append(
                f"{len(hits)} tasks transform pictures; the first is read ({self.document.at(*hits[0][0])})"
            )
        where, transforms = hits[0]
        assert isinstance(transforms, list)
        return where, transforms[:64]

    def _one(self, values: dict[str, Plain], path: Path) -> None:
        name = values.get("type")
        if not isinstance(name, str):
            self.document.fail((*path, "type"), f"the name of a transform is expected, not {kind(name)}")
        if name in SILENT:
            return
        read = {"Resize": self._resize, "Pad": self._pad, "Normalize": self._normalize, "CenterCrop": self._crop}.get(
            name
        )
        if read is None:
            self.found.unknown.append(
                f"what {name[:40]} does to the picture ({self.document.at(*path)}): plans have no such step"
            )
            return
        if self.normalized is not None and name in ("Resize", "CenterCrop"):
            self.document.fail(
                (*path, "type"),
                f"{name} stands after Normalize (line {self.document.line(*self.normalized)}): the SDK resizes bytes, not values",
            )
        read(values, path)

    def _pair(self, value: Plain, path: Path) -> tuple[int, int] | None:
        """(width, height) of a number or [height, width]; None for -1, which keeps the ratio."""
        if isinstance(value, list):
            if len(value) != 2:
                self.document.fail(path, f"{len(value)} numbers; [height, width] is expected")
            if -1 in value:
                return None
            height, width = (side(self.document, v, (*path, i)) for i, v in enumerate(value))
            return (width, height)
        length = side(self.document, value, path)
        return (length, length)

    def _resize(self, values: dict[str, Plain], path: Path) -> None:
        given = values.get("size", values.get("scale", values.get("img_scale")))
        key = next((k for k in ("size", "scale", "img_scale") if k in values), "size")
        if given is None:
            self.document.fail(path, "Resize has no size")
        how = values.get("interpolation", "bilinear")
        if how not in FILTERS:
            self.document.fail((*path, "interpolation"), f"{short(how)} is no filter; known: {', '.join(FILTERS)}")
        common: dict[str, Plain] = {"filter": FILTERS[str(how)], "library": "opencv"}
        size = self._pair(given, (*path, key))
        keep = flag(self.document, values, "keep_ratio", path)
        self.found.said("steps.resize", self.document, *path, key, value=given)
        if size is None:
            assert isinstance(given, list)
            sides = [v for v in given if v != -1]
            if len(sides) != 1:
                self.document.fail((*path, key), f"{short(given)}: one side and -1 are expected")
            self.steps.append({"resize": {"shorter": side(self.document, sides[0], (*path, key)), **common}})
        elif keep:
            self.steps.append({"letterbox": {"size": list(size), "align": "top_left", "fill": 0, **common}})
            self.training |= {"resize": "letterbox", "align": "top_left", "fill": 0}
        else:
            self.steps.append({"resize": {"size": list(size), **common}})
            self.training["resize"] = "stretch"

    def _pad(self, values: dict[str, Plain], path: Path) -> None:
        fill = values.get("pad_val")
        if isinstance(fill, dict):
            fill = fill.get("img")
        last = self.steps[-1]
        box = last.get("letterbox") if isinstance(last, dict) else None
        if not isinstance(box, dict):
            self.found.unknown.append(
                f"Pad without a resize that keeps the ratio ({self.document.at(*path)}): how far it pads depends on the picture"
            )
            return
        if fill is not None:
            levels = [int(v) for v in numbers(self.document, fill, (*path, "pad_val"))]
            if not all(0 <= v <= 255 for v in levels):
                self.document.fail((*path, "pad_val"), f"{short(fill)}: levels of 0 to 255 are expected")
            box["fill"] = self.training["fill"] = levels[0] if len(set(levels)) == 1 else list(levels)
            self.found.said("steps.letterbox.fill", self.document, *path, "pad_val", value=values.get("pad_val"))
        size = values.get("size")
        if size is not None:
            box["size"] = list(self._pair(size, (*path, "size")) or ()) or box["size"]
        elif values.get("size_divisor") is not None:
            step = side(self.document, values["size_divisor"], (*path, "size_divisor"))
            self.found.unknown.append(
                f"the size after Pad to multiples of {step} depends on the picture; a fixed model takes its own"
            )

    def _crop(self, values: dict[str, Plain], path: Path) -> None:
        size = self._pair(values.get("crop_size"), (*path, "crop_size"))
        if size is None:
            self.document.fail((*path, "crop_size"), "a crop has a height and a width")
        self.steps.append({"crop": {"center": list(size)}})
        self.training["resize"] = "crop"
        self.training.pop("align", None)
        self.training.pop("fill", None)
        self.found.said("steps.crop", self.document, *path, "crop_size", value=values.get("crop_size"))

    def _normalize(self, values: dict[str, Plain], path: Path) -> None:
        d = self.document
        if self.normalized is not None:
            d.fail((*path, "type"), f"a second Normalize (first in line {d.line(*self.normalized)})")
        self.normalized = path
        mean = numbers(d, values.get("mean"), (*path, "mean")) if values.get("mean") is not None else None
        std = divisors(d, values.get("std"), (*path, "std")) if values.get("std") is not None else None
        if mean is None or std is None:
            d.fail(path, "Normalize has no mean or no std")
        if len(mean) != len(std):
            d.fail((*path, "std"), f"{len(std)} values beside {len(mean)} of mean (line {d.line(*path, 'mean')})")
        if flag(d, values, "to_rgb", path):
            self.steps.append({"convert_color": {"to": "RGB"}})
            self.color = "RGB"
        self.found.said("model.training.color", d, *path, "to_rgb", value=values.get("to_rgb"))
        self.found.said("model.training.mean", d, *path, "mean", value=values.get("mean"))
        self.found.said("model.training.std", d, *path, "std", value=values.get("std"))
        lists: dict[str, Plain] = {"mean": [clean(v) for v in mean], "std": [clean(v) for v in std]}
        if not any(mean) and all(s == 1 for s in std):
            self.found.doubts.append(
                f"mean 0 and std 1 ({d.at(*path, 'mean')}) are what MMDeploy writes for every RKNN target: what the network was trained "
                "on stands in the model's own configuration"
            )
            self.found.unknown.append(
                "mean and std of training: the file's 0 and 1 say nothing of them; add them to model.training"
            )
            return
        self.training |= {"range": [0, 255], **lists}
        self.steps.append({"normalize": {**lists, "where": "unknown"}})
