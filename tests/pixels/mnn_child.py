"""Runs in a process of its own: asks the installed MNN what it writes for the cases of a seed.

    python mnn_child.py SEED COUNT OUTPUT.npz

MNN prints on stdout when it is imported and can abort, so nothing else happens here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import MNN  # noqa: E402
from mnn_cases import Case, cases  # noqa: E402

FORMATS = tuple("RGBA RGB BGR GRAY BGRA YCrCb YUV HSV XYZ BGR555 BGR565 YUV_NV21 YUV_NV12 YUV_I420 HSV_FULL".split())  # noqa: SIM905
WRAPS = ("CLAMP_TO_EDGE", "ZERO", "REPEAT")
LAYOUTS = {
    "NHWC": MNN.Tensor_DimensionType_Tensorflow,
    "NCHW": MNN.Tensor_DimensionType_Caffe,
    "NC4HW4": MNN.Tensor_DimensionType_Caffe_C4,
}
TYPES = {"float32": (MNN.Halide_Type_Float, np.float32), "uint8": (MNN.Halide_Type_Uint8, np.uint8)}


def processor(case: Case) -> MNN.CVImageProcess:
    """The processor as a user would make it."""
    config = case.config
    made = MNN.CVImageProcess(
        {
            "sourceFormat": FORMATS.index(config.source_format),
            "destFormat": FORMATS.index(config.dest_format),
            "mean": config.mean,
            "normal": config.normal,
            "filterType": ("nearest", "bilinear", "bicubic").index(config.filter),
            "wrap": WRAPS.index(config.wrap),
        }
    )
    made.setPadding(config.padding)
    if config.matrix is not None:
        matrix = MNN.CVMatrix()
        matrix.write([float(v) for v in config.matrix])
        made.setMatrix(matrix)
    return made


def answer(case: Case, fill: int = 99) -> NDArray[np.generic]:
    """What MNN writes, in the shape that convert() returns. Elements not written keep `fill` (not in NC4HW4)."""
    halide, dtype = TYPES[case.dest.dtype]
    shape = tuple(int(d) for d in case.dest.shape)
    tensor = MNN.Tensor(shape, halide, np.full(shape, fill, dtype), LAYOUTS[_plain(case.dest.layout)])
    if case.dest.layout == "NC4HW4":
        tensor = MNN.Tensor(tensor, LAYOUTS["NC4HW4"])
    code = processor(case).convert(case.source(), *case.size, case.stride, tensor)
    if code != 0:
        raise SystemExit(f"convert returned {code} for {case}")
    if case.dest.layout != "NC4HW4":
        return np.array(tensor.getNumpyData(), dtype).reshape(shape)
    packed = np.array(tensor.getData(), dtype)
    return packed.reshape(-1, shape[0], shape[2], shape[3], 4)


def _plain(layout: str) -> str:
    return "NCHW" if layout == "NC4HW4" else layout


if __name__ == "__main__":
    wanted = cases(int(sys.argv[1]), int(sys.argv[2]))
    np.savez(sys.argv[3], **{str(i): answer(case) for i, case in enumerate(wanted)})
