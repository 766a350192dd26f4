#!/usr/bin/env python3
"""Run the calls of a plan with the real MNN on the CPU, and compare the score map with the original network's.

    python track.py PLAN.yaml

The calls are made in the plan's order, whatever its backend: a write through the host pointer is one into the tensor's
memory (getNumpyData), a copy is copyFrom. Nothing is checked: MNN returns 0 and True for all of them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import MNN
import numpy as np
from PIL import Image

from prepcheck.contract.loading import load_plan

HERE = Path(__file__).resolve().parent
PARTS = {"template": (288, 208, 64, 64), "search": (192, 112, 256, 128)}
"""left, top, side of the square cut out of the frame, and the size that it is scaled to."""
KINDS = {"float32": MNN.Halide_Type_Float, "uint8": MNN.Halide_Type_Uint8}
DIMENSIONS = {"CAFFE": MNN.Tensor_DimensionType_Caffe, "TENSORFLOW": MNN.Tensor_DimensionType_Tensorflow}


def pixels(name: str) -> np.ndarray:
    """The part of the frame for an input, height x width x channels, uint8."""
    left, top, side, size = PARTS[name]
    part = Image.open(HERE / "frame.jpg").convert("RGB").crop((left, top, left + side, top + side))
    return np.asarray(part.resize((size, size), Image.Resampling.BILINEAR))


def content(buffer: dict, name: str) -> np.ndarray:
    """The array of a buffer of the plan."""
    array = pixels(name)
    if buffer["dtype"] == "float32":
        array = array.astype(np.float32) / 255
    return np.ascontiguousarray(np.moveaxis(array, -1, 0) if buffer["layout"] == "CHW" else array)


def main() -> int:
    """Print how far each answer is from the original network's."""
    plan = load_plan(sys.argv[1]).model_dump()
    expected = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
    want = np.array(expected["score"])
    net = MNN.Interpreter(str(HERE / plan["model"]["file"]))
    session = net.createSession({"backend": "CPU", "numThread": 1})
    runs = 0
    for call in plan["calls"]:
        if call["api"] == "host":
            tensor = net.getSessionInput(session, call["tensor"])
            array = content(plan["buffers"][call["buffer"]], call["tensor"])
            tensor.getNumpyData()[...] = array.reshape(tensor.getShape())
        elif call["api"] == "copyFrom":
            host = call["host"]
            array = content(plan["buffers"][host["fill"]["buffer"]], call["tensor"]).reshape(host["shape"])
            made = MNN.Tensor(tuple(host["shape"]), KINDS[host["dtype"]], array, DIMENSIONS[host["dimension_type"]])
            print(f"copyFrom into {call['tensor']}: {net.getSessionInput(session, call['tensor']).copyFrom(made)}")
        elif call["api"] == "runSession":
            runs += 1
            print(f"runSession: {net.runSession(session)}")
        elif call["api"] == "copyToHostTensor":
            output = net.getSessionOutput(session, call["tensor"])
            shape = tuple(output.getShape())
            zeros = np.zeros(shape, np.float32)
            host_tensor = MNN.Tensor(shape, MNN.Halide_Type_Float, zeros, MNN.Tensor_DimensionType_Caffe)
            output.copyToHostTensor(host_tensor)
            got = np.array(host_tensor.getData(), np.float32).reshape(-1)
            far = float(np.abs(got - want).max())
            word = "right" if far < 1e-3 else "WRONG"
            print(
                f"run {runs}: {word}, off by {far:.3g}; best place {int(got.argmax())}, should be {expected['place']}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
