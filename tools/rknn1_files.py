"""The RKNN1 files of tests/data/models/rknn, written byte by byte: they have the form and the keys of real ones.

rknn-toolkit 1.7.5, the last one, is for Python 3.6 and is not on PyPI, so it is not asked for here. Form of a container (all
little-endian): "RKNN", 0, version, payload length, payload, length of the JSON, JSON. The payload of a real file begins with
"VPMN" (a network of the Vivante NPU); here nothing follows but zeros. Version 2 without a payload is the JSON-only form.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

PAYLOAD = (b"VPMN" + bytes([14, 0, 1, 0])).ljust(128, b"\0")


@dataclass(frozen=True)
class Rknn1:
    """One file. A tensor is (name, dims fastest first, dtype keys)."""

    inputs: tuple[tuple[str, list[int], dict[str, Any]], ...]
    output: tuple[str, list[int], dict[str, Any]]
    more: dict[str, Any] = field(default_factory=dict)
    """Keys after the graph: target, mean, std, reorder."""
    channels_last: bool = True
    origin: str = "onnx"
    version: str = "1.7.5"
    payload: bool = True


def _affine(scale: float, zero_point: int) -> dict[str, Any]:
    kind = {"qnt_type": "VSI_NN_QNT_TYPE_AFFINE_ASYMMETRIC", "vx_type": "VSI_NN_TYPE_UINT8"}
    return {"scale": scale, "zero_point": zero_point, **kind}


FLOAT16 = {"qnt_type": "VSI_NN_QNT_TYPE_NONE", "vx_type": "VSI_NN_TYPE_FLOAT16"}

RKNN1 = {
    "v1_batch100_u8_nhwc": Rknn1(
        (("input_0", [3, 120, 90, 100], _affine(1 / 255, 0)),),
        ("prob_1", [2, 100], FLOAT16),
        {
            "target_platform": ["RV1126"], "mean_value": [0, 0, 0], "mean_value_chns": [3],
            "std_value": [255, 255, 255], "reorder": [0, 1, 2],
        },
    ),
    "v1_i8_dfp_nchw_bgr": Rknn1(
        (("data_0", [64, 48, 3, 1], {"fl": 5, "qnt_type": "VSI_NN_QNT_TYPE_DFP", "vx_type": "VSI_NN_TYPE_INT8"}),),
        ("prob_2", [1, 1, 10, 1], FLOAT16),
        {
            "target_platform": ["RV1109"], "mean_value": [103.94, 116.78, 123.68], "mean_value_chns": [3],
            "std_value": [58.82, 58.82, 58.82], "reorder": [2, 1, 0],
        },
        channels_last=False,
        origin="caffe",
    ),
    "v1_two_inputs": Rknn1(
        (("a", [3, 32, 32, 1], _affine(1 / 128, 128)), ("b", [5, 32, 32, 1], _affine(0.5, 3))),
        ("c", [4, 1], _affine(0.1, 7)),
        {
            "target_platform": ["RK1808"], "mean_value": [127.5] * 3 + [0] * 5, "mean_value_chns": [3, 5],
            "std_value": [128.0] * 3 + [1] * 5, "reorder": [0, 1, 2] * 2,
        },
    ),
    "v1_json_only_m0m1m2s": Rknn1(
        (("in", [3, 32, 32, 1], FLOAT16),),
        ("out", [3, 64, 64], FLOAT16),
        {"mean_value": [104, 117, 123, 57.5], "mean_value_chns": [4], "reorder": [0, 1, 2]},
        version="1.3.0",
        payload=False,
    ),
}  # fmt: skip


def rknn1_bytes(recipe: Rknn1) -> bytes:
    """The whole file."""
    tensors = [*recipe.inputs, recipe.output]
    last = len(recipe.inputs)
    sides = [*(("input", k, k) for k in range(last)), ("output", 0, last)]
    nbg = {"type": "VSI_NN_NBG_FILE", "url": "data_file_name"}
    document = {
        "network_platform": "caffe", "ori_network_platform": recipe.origin, "input_fmt": int(recipe.channels_last),
        "input_transpose": int(not recipe.channels_last), "name": "synthetic", "version": recipe.version,
        "ovxlib_version": "1.1.30", "node_num": 1, "norm_tensor_num": len(tensors), "const_tensor_num": 0,
        "virtual_tensor_num": 1, "optimization_level": 3, "input_num": last, "output_num": 1, "pre_compile": 0,
        "case_type": -1,
        "nodes": [
            {
                "lid": "nbg_0", "op": "VSI_NN_OP_NBG", "output_num": 1, "uid": 0, "name": "nbg", "input_num": last,
                "nn": {"nbg": nbg},
            }
        ],
        "norm_tensor": [
            {"tensor_id": k, "size": dims, "dim_num": len(dims), "dtype": dtype, "url": name}
            for k, (name, dims, dtype) in enumerate(tensors)
        ],
        "const_tensor": [], "virtual_tensor": [],
        "connection": [
            {"node_id": 0, "left": side, "left_tensor_id": k,
             "right_tensor": {"type": "norm_tensor", "tensor_id": tensor}}
            for side, k, tensor in sides
        ],
        "graph": [
            {"left": side, "left_tensor_id": k, "right": "norm_tensor", "right_tensor_id": tensor}
            for side, k, tensor in sides
        ],
        **recipe.more,
    }  # fmt: skip
    text = json.dumps(document).encode()
    payload = PAYLOAD if recipe.payload else b""
    # with a payload the length of the JSON stands after it; without one, directly after the header
    head = b"RKNN" + struct.pack("<IQQ", 0, 1 if recipe.payload else 2, len(payload))
    return head + payload + struct.pack("<Q", len(text)) + text
