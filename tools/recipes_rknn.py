"""How the models of tests/data/models/rknn were made: data only, for build_rknn_models.py.

All weights are taken from one stream, `numpy.random.default_rng(1).standard_normal`, times 0.2: a graph names the place in
the stream at which its weights begin. All calibration data come from `numpy.random.default_rng(0)`, in the order that
`before` states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

IMAGENET: dict[str, Any] = {
    "mean_values": [[123.675, 116.28, 103.53]],
    "std_values": [[58.395, 57.12, 57.375]],
}
STD255: dict[str, Any] = {"mean_values": [[0, 0, 0]], "std_values": [[255, 255, 255]]}
OTHER = 0.35
"""`calibrated` where nothing is known of the pictures but their range: a maximum over 720 sums of 9 to 45 numbers each."""
SHAPES = {"dynamic_input": [[[1, 3, 20, 36]], [[1, 3, 40, 72]], [[1, 3, 10, 18]]]}


@dataclass(frozen=True)
class Graph:
    """One network. `kind` is the function of build_rknn_models.py that writes it, `shape` the first input's dims."""

    kind: str
    first: int
    """Place of the first weight in the stream."""
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Data:
    """Calibration data: `samples` lines, each one file per entry of `files`.

    A file is (form, *dims): `png` H, W, C; `npy` N, C, H, W; `vector` N; `ids` N, below; `turned` N, H, W, C; `mask` N, C, H, W. Pictures are
    squares of 4x4 equal pixels.
    """

    files: tuple[tuple[Any, ...], ...]
    ranges: tuple[tuple[int, int], ...] = ()
    """Per file: what its pictures are evenly distributed over (0..255 where nothing is said)."""
    kept: tuple[int, ...] | None = None
    """Places in `files` that are used; the others are drawn only (None: all are used)."""
    before: tuple[str, ...] = ()
    """Data sets that are drawn from the generator first."""
    samples: int = 4
    ends: tuple[tuple[int, int], ...] = ()
    """Per file: least and largest value of its pictures (the first two pixels take them), as the committed file states them."""


@dataclass(frozen=True)
class Recipe:
    """One file: which network, for which chip, and what `config` and `build` get."""

    graph: str
    target: str
    config: dict[str, Any] = field(default_factory=dict)
    data: str | None = "full"
    """Name of the calibration data; None: not quantised (`do_quantization=False`)."""
    batch: int | None = None
    """`rknn_batch_size` of `build`."""
    hybrid: tuple[str, ...] = ()
    """Layers that keep float16 (hybrid quantisation, both steps)."""
    calibrated: float | None = None
    """Where the committed file was calibrated with other pictures: how far its outputs' scales and ranges may lie apart,
    relative, and their zero points in parts of 255. Inputs have to be the same in any case."""


GRAPHS = {
    "c3": Graph("conv", 0, (1, 3, 20, 36)),
    "c1w33": Graph("conv", 224, (1, 1, 17, 33)),
    "c4": Graph("conv", 304, (1, 4, 20, 36)),
    "c5": Graph("conv", 752, (1, 5, 20, 36)),
    "c3b4": Graph("conv", 4016, (4, 3, 20, 36)),
    "c3_400x800": Graph("conv", 4688, (1, 3, 400, 800)),
    "c3dyn": Graph("conv", 4912, (1, 3, -1, -1)),
    "mi": Graph("two_images", 5136, (1, 3, 20, 36)),
    "mi2": Graph("image_and_vector", 5432, (1, 3, 20, 36)),
    "fc": Graph("vector", 5731, (1, 10)),
    "gather": Graph("ids", 6291, (1, 6)),
    "nhwc": Graph("turned", 6067, (1, 20, 36, 3)),
    "bool4": Graph("masked", 6715, (1, 3, 20, 36)),
    "c3x2": Graph("two_convs", 8139, (1, 3, 20, 36)),
}

PAIR = (("png", 20, 36, 3), ("png", 20, 36, 3))
"""A picture of the whole range and one of a narrow range, drawn by turns."""
BOTH = ((0, 255), (60, 190))
WHOLE = ((0, 255),)
DATA = {
    "full": Data(PAIR, BOTH, kept=(0,), ends=BOTH),
    "narrow": Data(PAIR, BOTH, kept=(1,), ends=BOTH),
    "mi2": Data((("png", 20, 36, 3), ("vector", 6)), before=("full",), ends=WHOLE),
    "fc": Data((("vector", 10),), before=("full", "mi2")),
    "gather": Data((("ids", 6, 20),), before=("full", "mi2", "fc")),
    "mi": Data((("png", 20, 36, 3), ("npy", 1, 1, 20, 36)), ends=((0, 255), (3, 255))),
    "b4": Data((("npy", 4, 3, 20, 36),), ends=WHOLE),
    "c4": Data((("npy", 1, 4, 20, 36),), ends=WHOLE),
    "c5": Data((("npy", 1, 5, 20, 36),), ends=WHOLE),
    "c1w33": Data((("npy", 1, 1, 17, 33),), ends=WHOLE),
    "nhwc": Data((("turned", 1, 20, 36, 3),), ends=WHOLE),
    "bool4": Data((("png", 20, 36, 3), ("mask", 1, 3, 20, 36)), ends=WHOLE),
    "dyn": Data((("png", 40, 72, 3),), ends=WHOLE),
    "seed3": Data((("png", 400, 800, 3),), samples=4, ends=WHOLE),
}


def _plain(target: str, **more: Any) -> Recipe:
    return Recipe("c3", target, **more)


RECIPES = {
    "rk3588_u8img_nomean_i8": _plain("rk3588"),
    "rk3588_imagenet_i8": _plain("rk3588", config=IMAGENET),
    "rk3588_std255_i8": _plain("rk3588", config=STD255),
    "rk3588_mean127p5_i8": _plain("rk3588", config={"mean_values": [[127.5] * 3], "std_values": [[127.5] * 3]}),
    "rk3588_imagenet_f16": _plain("rk3588", config=IMAGENET, data=None),
    "rk3588_narrow_calibration_i8": _plain("rk3588", data="narrow"),
    "rk3588_batch4_i8": _plain("rk3588", batch=4),
    "rk3588_batch100_i8": _plain("rk3588", batch=100),
    "rk3588_onnx_batch4_i8": Recipe("c3b4", "rk3588", data="b4", calibrated=OTHER),
    "rv1106_batch4_ignored_i8": _plain("rv1106", batch=4),
    "rk3588_rgb_plus_gray_custom_i8": Recipe(
        "mi",
        "rk3588",
        {
            "mean_values": [*IMAGENET["mean_values"], [128]],
            "std_values": [*IMAGENET["std_values"], [64]],
            "custom_string": "prepcheck fixture: rgb+gray",
        },
        "mi",
        calibrated=OTHER,
    ),
    "rk3588_image_plus_vector_i8": Recipe(
        "mi2",
        "rk3588",
        {"mean_values": [[0] * 3, [0] * 6], "std_values": [[255] * 3, [1] * 6]},
        "mi2",
        calibrated=0.03,
    ),
    "rk3588_c4_mean_i8": Recipe(
        "c4", "rk3588", {"mean_values": [[10, 20, 30, 40]], "std_values": [[50, 60, 70, 80]]}, "c4", calibrated=OTHER
    ),
    "rk3588_c5_nc1hwc2_i8": Recipe(
        "c5", "rk3588", {"mean_values": [[1, 2, 3, 4, 5]], "std_values": [[10, 20, 30, 40, 50]]}, "c5", calibrated=OTHER
    ),
    "rv1106_c5_nc1hwc2_i8": Recipe("c5", "rv1106", data="c5", calibrated=OTHER),
    "rk3588_vector10_mean_i8": Recipe("fc", "rk3588", {"mean_values": [[1] * 10], "std_values": [[2] * 10]}, "fc"),
    "rk3588_ids_int64": Recipe("gather", "rk3588", data="gather"),
    "rk3588_bool_mask_i8": Recipe("bool4", "rk3588", data="bool4", calibrated=OTHER),
    "rk3588_nhwc_origin_i8": Recipe("nhwc", "rk3588", data="nhwc", calibrated=OTHER),
    "rk3588_dynamic3_i8": Recipe("c3dyn", "rk3588", SHAPES, "dyn", calibrated=OTHER),
    "rv1106_dynamic_full_i8": Recipe("c3dyn", "rv1106", SHAPES, "dyn", calibrated=OTHER),
    "rk3566_nv12_i8": _plain("rk3566", config={"inputs_yuv_fmt": ["nv12"], **STD255}),
    "rv1106_nv12_i8": _plain("rv1106", config={"inputs_yuv_fmt": ["nv12"], **STD255}),
    "rk3562_bgr_i8": _plain(
        "rk3562",
        config={"quant_img_RGB2BGR": True, "mean_values": [[104, 117, 123]], "std_values": [[1, 1, 1]]},
    ),
    "rk3588_hybrid_f16_input": Recipe("c3x2", "rk3588", STD255, hybrid=("feat", "r1")),
    "rk3588_int16_dfp": _plain("rk3588", config={"quantized_dtype": "w16a16i_dfp", **IMAGENET}),
    "rk3576_w4a16": _plain("rk3576", config={"quantized_dtype": "w4a16", **IMAGENET}),
    "rk3576_imagenet_i8": _plain("rk3576", config=IMAGENET),
    "rv1126b_nomean_i8": _plain("rv1126b"),
    "rk3566_nomean_i8": _plain("rk3566"),
    "rk3566_c4_f16": Recipe("c4", "rk3566", data=None),
    "rk3562_nomean_i8": _plain("rk3562"),
    "rv1106_seed_400x800_i8": Recipe("c3_400x800", "rv1106", data="seed3", calibrated=OTHER),
    "rv1106_imagenet_i8": _plain("rv1106", config=IMAGENET),
    "rv1103b_nomean_i8": _plain("rv1103b"),
    "rk2118_f16": _plain("rk2118", data=None),
    "rk3588_mini_i8": _plain("rk3588", config={"mini_rknn": True, **IMAGENET}),
    "rk3588_gray_w33_i8": Recipe("c1w33", "rk3588", data="c1w33", calibrated=OTHER),
}
