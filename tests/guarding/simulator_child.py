"""The guard over the real rknn-toolkit2 simulator: `python simulator_child.py FOLDER` in an environment that has it.

Builds tiny.onnx (1x3x32x48, mean 0, std 255, int8), exports model.rknn, runs right and faulty calls, writes results.json.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np
from rknn.api import RKNN

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from prepcheck.errors import CheckFailed
from prepcheck.guarding.compiled import CompiledContract
from prepcheck.guarding.proxies import guard

FOLDER = Path(sys.argv[1])
SHAPE = (1, 32, 48, 3)


def contract(batch: int = 1) -> dict:
    """What model.rknn states, in document form (a test compares it with what its reader says)."""
    shape = [batch, *SHAPE[1:]]
    tensor = {"index": 0, "name": "images", "layout": "NHWC", "shape": shape, "dtype": "int8", "scheme": "affine"}
    tensor |= {"scale": 1 / 255, "zero_point": -128, "mean": [0.0] * 3, "std": [255.0] * 3, "value_range": [0.0, 1.0]}
    return {
        "schema": "prepcheck/contract/v1",
        "runtime": "rknn",
        "platforms": ["rk3588"],
        "inputs": [tensor],
        "outputs": [],
    }


def build(batch: int | None = None) -> RKNN:
    """A model in the simulator."""
    rknn = RKNN()
    rknn.config(mean_values=[[0, 0, 0]], std_values=[[255, 255, 255]], target_platform="rk3588")
    assert rknn.load_onnx(str(FOLDER / "tiny.onnx")) == 0
    assert rknn.build(do_quantization=True, dataset=str(FOLDER / "dataset.txt"), rknn_batch_size=batch) == 0
    assert rknn.init_runtime() == 0
    return rknn


def picture(seed: int) -> np.ndarray:
    """Smooth waves and a little noise, as photographs have them."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0 : SHAPE[1], 0 : SHAPE[2]]
    planes = [120 + 90 * np.sin(rng.uniform(0.1, 0.4) * x + rng.uniform(0.1, 0.4) * y + k) for k in range(3)]
    return np.clip(np.stack(planes, -1) + rng.normal(0, 3, SHAPE[1:]), 0, 255).astype(np.uint8)[None]


FAULTS = {
    "float64": ("GD012", lambda p: {"inputs": [p / 1.0]}),
    "divided": ("GD021", lambda p: {"inputs": [p.astype(np.float32) / np.float32(255)]}),
    "normalized": ("GD023", lambda p: {"inputs": [((p - 127.5) / 127.5).astype(np.float32)]}),
    "channels_first": ("GD005", lambda p: {"inputs": [np.ascontiguousarray(p.transpose(0, 3, 1, 2))]}),
    "exchanged": ("GD006", lambda p: {"inputs": [np.ascontiguousarray(p.transpose(0, 2, 1, 3))]}),
    "alpha": ("GD007", lambda p: {"inputs": [np.concatenate([p, p[..., :1]], -1)]}),
    "not_resized": ("GD009", lambda p: {"inputs": [np.tile(p, (1, 3, 2, 1))]}),
    "signed": ("GD025", lambda p: {"inputs": [(p.astype(np.int16) - 128).astype(np.int8)]}),
    "nan": ("GD020", lambda p: {"inputs": [np.full(SHAPE, np.nan, np.float32)]}),
    "pass_through": ("GD017", lambda p: {"inputs": [p], "inputs_pass_through": [1]}),
    "format": ("GD015", lambda p: {"inputs": [p], "data_format": "chwn"}),
    "none": ("GD002", lambda p: {"inputs": [None]}),
    "extra": ("GD001", lambda p: {"inputs": [p, p]}),
}


def main() -> None:
    """Right calls first, guarded and not; then each fault."""
    bare = build()
    assert bare.export_rknn(str(FOLDER / "model.rknn")) == 0
    found: dict = {"faults": {}}
    guarded = guard(bare, contract())
    answers = []
    for seed in range(20):
        p = picture(seed)
        for call in (
            {"inputs": [p]},
            {"inputs": [p.astype(np.float32)]},
            {"inputs": [p.transpose(0, 3, 1, 2)], "data_format": "nchw"},
        ):
            mine, plain = guarded.inference(**call), bare.inference(**call)
            assert np.array_equal(mine[0], plain[0])
        answers.append(mine[0].tolist())
    for _ in range(20):
        guarded.inference(inputs=[picture(0)])
    found["distinct_answers"] = len({json.dumps(a) for a in answers})
    found["stats"] = guarded.stats()
    for name, (rule, make) in FAULTS.items():
        stopped = None
        try:
            guarded.inference(**make(picture(99)))
        except CheckFailed as error:
            stopped = error.report.findings[0].rule
        found["faults"][name] = [rule, stopped]
    batched = guard(build(4), contract(4))
    batched.inference(inputs=[np.concatenate([picture(k) for k in range(4)])])
    try:
        batched.inference(inputs=[picture(0)])
        found["faults"]["batch"] = ["GD004", None]
    except CheckFailed as error:
        found["faults"]["batch"] = ["GD004", error.report.findings[0].rule]
    CompiledContract.of(contract()).save(FOLDER / "contract.json")
    (FOLDER / "results.json").write_text(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # the toolkit's own teardown takes seconds


main()
