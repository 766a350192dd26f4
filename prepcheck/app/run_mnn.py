"""Run a .mnn on the CPU with the installed MNN, in a child process: MNN can crash, and prints on stdout."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.app.npz import packed, unpacked
from prepcheck.errors import PrepcheckError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TIMEOUT_S = 120.0

_CHILD = """
import io, os, sys
import numpy as np
out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
import MNN
given = np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False)
arrays = {k[2:]: given[k] for k in given.files if k.startswith("i:")}
net = MNN.Interpreter(sys.argv[1])
session = net.createSession({"backend": "CPU", "numThread": 1})
inputs = net.getSessionInputAll(session)
kinds = {"float32": MNN.Halide_Type_Float, "int32": MNN.Halide_Type_Int, "uint8": MNN.Halide_Type_Uint8}
resized = False
for name, array in arrays.items():
    tensor = inputs[name]
    if tuple(tensor.getShape()) != array.shape:
        net.resizeTensor(tensor, tuple(int(d) for d in array.shape))
        resized = True
if resized:
    net.resizeSession(session)
results = {}
for turn in range(int(sys.argv[2])):
    for name, array in arrays.items() if turn == 0 or sys.argv[3] == "1" else ():
        tensor = net.getSessionInputAll(session)[name]
        array = np.ascontiguousarray(array)
        kind = tensor.getDimensionType()
        host = MNN.Tensor(tuple(int(d) for d in array.shape), kinds[str(array.dtype)], array, kind)
        if not tensor.copyFrom(host):
            raise SystemExit("copyFrom refused " + name)
    if net.runSession(session) != 0:
        raise SystemExit("runSession failed")
    for name, tensor in net.getSessionOutputAll(session).items():
        shape = tuple(int(d) for d in tensor.getShape())
        host = MNN.Tensor(shape, tensor.getDataType(), np.zeros(shape, np.float32), MNN.Tensor_DimensionType_Caffe)
        tensor.copyToHostTensor(host)
        results[f"o{turn}:{name}"] = np.array(host.getData(), np.float32).reshape(shape)
box = io.BytesIO()
np.savez(box, **results)
out.write(box.getvalue())
out.flush()
"""


class MnnMissing(PrepcheckError):
    """MNN is not installed, or could not run the model; the message says which."""

    code = "usage"


def run_mnn(
    model: Path, inputs: Mapping[str, NDArray[np.generic]], *, runs: int = 1, rewrite: bool = True
) -> dict[str, NDArray[np.generic]]:
    """Outputs by name (of the last run; with runs > 1 also the first as `name@0`). Raises MnnMissing.

    rewrite: the inputs are written before every run; else before the first one only.
    """
    import importlib.util

    if importlib.util.find_spec("MNN") is None:
        raise MnnMissing('MNN is not installed here; `pip install "prepcheck[mnn]"` makes the expected answer too')
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, os.fspath(model), str(runs), str(int(rewrite))],
            input=packed(inputs),
            capture_output=True,
            timeout=TIMEOUT_S,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MnnMissing(f"MNN did not answer within {TIMEOUT_S:.0f} s") from None
    if done.returncode != 0 or not done.stdout:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        last = words[-1][:200] if words else "no message"
        raise MnnMissing(f"MNN could not run the model (exit {done.returncode}): {last}")
    found = unpacked(done.stdout)
    last_run = f"o{runs - 1}:"
    outputs = {key.removeprefix(last_run): value for key, value in found.items() if key.startswith(last_run)}
    if runs > 1:
        outputs |= {f"{key.removeprefix('o0:')}@0": value for key, value in found.items() if key.startswith("o0:")}
    return outputs
