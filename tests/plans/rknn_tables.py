"""Tables for random RKNN plans, written from the documents and measurements, apart from those of the rules.

Chips: RKNN API guide 1.5.2 tables 4-3 and 4-6, RKNNRT C API reference 2.3.2 table 4-1, compile logs of rknn-toolkit2 2.5.0.
Builds: mean, std and what calibration over 0…255 makes of them (measured: rknn-toolkit2 2.5.0).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chip:
    """rows8, rows16: pixels that a row is padded to (1 and 2 bytes an element). block8, block16: channels of a block.

    two: two channels are fed as rows. copies: rknn_inputs_set exists. floats: float16 models run.
    """

    name: str
    rows8: int
    rows16: int
    block8: int
    block16: int | None
    two: bool = False
    copies: bool = True
    floats: bool = True


CHIPS = {
    chip.name: chip
    for chip in (
        Chip("rk3566", 8, 4, 8, 4),
        Chip("rk3568", 8, 4, 8, 4),
        Chip("rk3562", 16, 8, 16, 8),
        Chip("rk3576", 16, 8, 16, 8),
        Chip("rk3588", 16, 8, 16, 8),
        Chip("rv1126b", 16, 8, 16, 8),
        Chip("rv1103", 16, 8, 16, None, two=True, copies=False, floats=False),
        Chip("rv1106", 16, 8, 16, None, two=True, copies=False, floats=False),
        Chip("rv1103b", 16, 8, 8, None, copies=False, floats=False),
        Chip("rv1106b", 16, 8, 8, None, copies=False, floats=False),
    )
}
COPYING = [name for name, chip in CHIPS.items() if chip.copies]
MINI = [name for name, chip in CHIPS.items() if not chip.copies]
FIRST = ("rk1808", "rk3399pro", "rv1109", "rv1126")

VERSIONS = ("1.5.2", "1.6.0", "2.0.0", "2.3.0", "2.3.2", "2.5.0", None)


@dataclass(frozen=True)
class Build:
    """mean and std of a build, the scale and zero point of an int8 input, and the training that they fit."""

    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    scale: float
    zero_point: int
    training: dict[str, object]


BUILDS = (
    Build((0, 0, 0), (1, 1, 1), 1.0, -128, {"range": [0, 255]}),
    Build((0, 0, 0), (255, 255, 255), 0.00392157, -128, {"range": [0, 1]}),
    Build((127.5, 127.5, 127.5), (127.5, 127.5, 127.5), 0.00784314, 0, {"range": [-1, 1]}),
    Build((128, 128, 128), (128, 128, 128), 0.0078125, 0, {"range": [0, 255], "mean": [128, 128, 128], "std": [128, 128, 128]}),
    Build((123.675, 116.28, 103.53), (58.395, 57.12, 57.375), 0.01865845, -14,
          {"range": [0, 1], "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}),
)  # fmt: skip

WIDTH = {
    "uint8": 1, "int8": 1, "bool": 1, "float16": 2, "int16": 2, "float32": 4, "int32": 4, "int64": 8, "float64": 8,
}  # fmt: skip
C_NAME = {
    "uint8": "UINT8",
    "int8": "INT8",
    "float16": "FLOAT16",
    "float32": "FLOAT32",
    "int64": "INT64",
    "bool": "BOOL",
    "int16": "INT16",
}
GIVEN = {
    "int8": ("uint8", "uint8", "uint8", "float32", "float16"),
    "float16": ("uint8", "float16", "float32"),
    "int64": ("int64",),
    "bool": ("bool",),
}
"""Types that rknn_inputs_set converts to a model's. Source: RKNN API guide 1.5.2 table 4-1; float16 into int8 measured."""
