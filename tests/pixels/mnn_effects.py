"""Runs in a process of its own: what the installed MNN does to the destination in cases that go wrong.

Reads pickled cases (mnn_cases.Case) on stdin and prints one JSON line for each: which part of the destination changed
(`changed`, 0..1), whether memory behind it changed (`beyond`), and whether MNN died (`died`). Each case runs in a fork:
some of them corrupt the heap.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import MNN  # noqa: E402
from mnn_cases import Case  # noqa: E402
from mnn_child import LAYOUTS, processor  # noqa: E402

HALIDE = {
    "float32": (MNN.Halide_Type_Float, np.float32),
    "uint8": (MNN.Halide_Type_Uint8, np.uint8),
    "int32": (MNN.Halide_Type_Int, np.int32),
}
FILL = 99


def effect(case: Case) -> dict[str, float | bool]:
    """One call, with the memory behind the destination compared before and after."""
    halide, dtype = HALIDE[case.dest.dtype]
    data = np.full(case.dest.shape, FILL, dtype)
    tensor = MNN.Tensor(tuple(case.dest.shape), halide, data, LAYOUTS[case.dest.layout])
    made = processor(case)
    source = case.source()
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    host = get_pointer(tensor.getHost(), None)
    size = data.nbytes
    before = ctypes.string_at(host, size + 64)
    made.convert(source, *case.size, case.stride, tensor)
    after = ctypes.string_at(host, size + 64)
    inside = np.frombuffer(before[:size], dtype) != np.frombuffer(after[:size], dtype)
    return {"changed": float(inside.mean()), "beyond": before[size:] != after[size:], "died": False}


def main() -> None:
    """Answers every case on stdin."""
    for case in pickle.load(sys.stdin.buffer):
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(send, json.dumps(effect(case)).encode())
            os._exit(0)  # no clean-up: the heap may be broken
        os.close(send)
        with os.fdopen(receive, "rb") as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        print("effect", text.decode() or '{"changed": 0, "beyond": false, "died": true}')


if __name__ == "__main__":
    main()
