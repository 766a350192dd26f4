"""A model kept ready in a child process: many inputs one after the other, by MNN or onnxruntime, on one CPU thread.

In a child, because both libraries can crash and print on stdout. One thread, so that the same input gives the same bytes.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from prepcheck.app.npz import packed, unpacked
from prepcheck.errors import PrepcheckError, UsageError
from prepcheck.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.generic]]

TIMEOUT_S = 300.0
"""For all runs of one child together."""
MAX_ANSWER = 1 << 30
"""Bytes of all outputs of one run that are taken from a child."""

_LOOP = """
import io, json, os, struct, sys
import numpy as np
out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
source = sys.stdin.buffer

def send(data):
    out.write(struct.pack("<Q", len(data)) + data)
    out.flush()

def receive():
    head = source.read(8)
    if len(head) < 8:
        raise SystemExit(0)
    with np.load(io.BytesIO(source.read(struct.unpack("<Q", head)[0])), allow_pickle=False) as given:
        return {k[2:]: given[k] for k in given.files}

def serve(run):
    while True:
        box = io.BytesIO()
        np.savez(box, **{"o:" + k: v for k, v in run(receive()).items()})
        send(box.getvalue())
"""
_MNN = (
    _LOOP
    + """
import MNN
net = MNN.Interpreter(sys.argv[1])
session = net.createSession({"backend": "CPU", "numThread": 1})
kinds = {"float32": MNN.Halide_Type_Float, "int32": MNN.Halide_Type_Int, "uint8": MNN.Halide_Type_Uint8}
shapes = {n: tuple(t.getShape()) for n, t in net.getSessionInputAll(session).items()}
send(json.dumps({"inputs": [[n, list(s), ""] for n, s in shapes.items()], "outputs": []}).encode())

def run(arrays):
    resized = False
    for name, array in arrays.items():
        if shapes[name] != array.shape:
            net.resizeTensor(net.getSessionInputAll(session)[name], tuple(int(d) for d in array.shape))
            shapes[name] = array.shape
            resized = True
    if resized:
        net.resizeSession(session)
    for name, array in arrays.items():
        tensor = net.getSessionInputAll(session)[name]
        array = np.ascontiguousarray(array)
        host = MNN.Tensor(tuple(int(d) for d in array.shape), kinds[str(array.dtype)], array, tensor.getDimensionType())
        if not tensor.copyFrom(host):
            raise SystemExit("copyFrom refused " + name)
    if net.runSession(session) != 0:
        raise SystemExit("runSession failed")
    results = {}
    for name, tensor in net.getSessionOutputAll(session).items():
        shape = tuple(int(d) for d in tensor.getShape())
        host = MNN.Tensor(shape, tensor.getDataType(), np.zeros(shape, np.float32), MNN.Tensor_DimensionType_Caffe)
        tensor.copyToHostTensor(host)
        results[name] = np.array(host.getData(), np.float32).reshape(shape)
    return results

serve(run)
"""
)
_ONNX = (
    _LOOP
    + """
import onnxruntime as ort

def refused(act, error):
    # One line, with the kind of the error: the last line of stderr is what the user is told.
    return SystemExit(f"onnxruntime cannot {act} it: {type(error).__name__}: " + " ".join(str(error).split()))

options = ort.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.log_severity_level = 3
try:
    session = ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
except Exception as error:  # its kinds of errors (Fail, InvalidGraph, ...) have no common base but Exception
    raise refused("load", error)
told = lambda items: [[t.name, [d if isinstance(d, int) else -1 for d in t.shape], t.type] for t in items]
send(json.dumps({"inputs": told(session.get_inputs()), "outputs": told(session.get_outputs())}).encode())
names = [o.name for o in session.get_outputs()]

def run(arrays):
    try:
        found = session.run(names, arrays)
    except Exception as error:  # as above
        raise refused("run", error)
    return {n: np.asarray(v) for n, v in zip(names, found) if isinstance(v, np.ndarray)}

serve(run)
"""
)


class ServingError(PrepcheckError):
    """The model could not be run; the message says why."""

    code = "usage"


@dataclass(frozen=True, slots=True)
class Port:
    """One input of a model that runs: -1 in a shape is an open axis. type: onnxruntime's word (`tensor(float)`)."""

    name: str
    shape: tuple[int, ...]
    type: str = ""


def onnx_python() -> str:
    """An interpreter with onnxruntime: this one, or that of the RKNN toolkit (PREPCHECK_RKNN_PYTHON).

    Raises UsageError with how to install it where there is none.
    """
    if importlib.util.find_spec("onnxruntime") is not None:
        return sys.executable
    other = os.environ.get("PREPCHECK_RKNN_PYTHON")
    if other and os.path.isfile(other):
        return other
    raise UsageError(
        '--onnx needs onnxruntime, which is not installed here: pip install "prepcheck[onnx]" (or let PREPCHECK_RKNN_PYTHON '
        "name the interpreter that has rknn-toolkit2, which brings it)"
    )


class Server:
    """A model in a child process. Use as a context manager; `run` may be called many times.

    Raises ServingError where the child cannot load or run the model, or takes longer than TIMEOUT_S in all.
    """

    def __init__(self, model: Path, *, onnx: bool) -> None:
        if not model.is_file():
            raise UsageError(f"{model}: no such file")
        if not onnx and importlib.util.find_spec("MNN") is None:
            raise ServingError('MNN is not installed here: pip install "prepcheck[mnn]"')
        python = onnx_python() if onnx else sys.executable
        self._kind = "onnxruntime" if onnx else "MNN"
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self._late = False
        self._child = subprocess.Popen(
            [python, "-c", _ONNX if onnx else _MNN, os.fspath(model)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        )  # fmt: skip
        self._words: list[bytes] = []
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        self._watch = threading.Timer(TIMEOUT_S, self._end)
        self._watch.daemon = True
        self._watch.start()
        try:
            told = json.loads(self._receive())
            self.inputs = tuple(Port(n, tuple(s), t) for n, s, t in told["inputs"])
            self.outputs = tuple(n for n, _, _ in told["outputs"])
        except BaseException:  # an interruption too: no child is left behind; what was raised goes on to the caller
            self.close()
            raise

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, arrays: Mapping[str, NDArray[np.generic]]) -> Arrays:
        """Outputs by name for inputs by name."""
        data = packed(arrays)
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(struct.pack("<Q", len(data)) + data)
            self._child.stdin.flush()
        except OSError:  # it has ended: its own words say why
            self._failed()
        return {key.removeprefix("o:"): array for key, array in unpacked(self._receive()).items()}

    def close(self) -> None:
        """End the child."""
        self._watch.cancel()
        if self._child.stdin is not None:
            with contextlib.suppress(OSError):
                self._child.stdin.close()
        self._child.kill()
        self._child.wait()
        self._reader.join(2)
        for stream in (self._child.stdout, self._child.stderr):
            if stream is not None:
                stream.close()

    def _receive(self) -> bytes:
        assert self._child.stdout is not None
        head = self._child.stdout.read(8)
        if len(head) < 8:
            self._failed()
        size = struct.unpack("<Q", head)[0]
        if size > MAX_ANSWER:
            raise ServingError(f"{self._kind} answers with {size} bytes; at most {MAX_ANSWER} are taken")
        data = self._child.stdout.read(size)
        if len(data) < size:
            self._failed()
        return data

    def _listen(self) -> None:
        assert self._child.stderr is not None
        for line in self._child.stderr:
            self._words = [*self._words[-20:], line]

    def _end(self) -> None:
        self._late = True
        self._child.kill()

    def _failed(self) -> None:
        self._child.kill()
        code = self._child.wait()
        self._reader.join(2)
        if self._late:
            raise ServingError(
                f"{self._kind} did not finish within {TIMEOUT_S:.0f} s: give fewer images, or a smaller model"
            )
        words = [w.decode("utf-8", "replace").strip() for w in self._words if w.strip()]
        raise ServingError(
            f"{self._kind} could not run the model (exit {code}): {words[-1][:300] if words else 'no message'}"
        )
