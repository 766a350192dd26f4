"""Faults in MNN's calls, over the real MNN: what a faulty program does, and the rule that must stop it. Runs in a child process.

Each fault gets a fresh `Program` and a random generator; the call in which it must be stopped is the last one it makes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import MNN
import numpy as np

from prepcheck.guarding.proxies import guard
from tests.guarding.contracts import mnn

MODELS = Path(__file__).resolve().parents[1] / "data" / "models" / "mnn"
Rng = np.random.Generator
PLAIN, PACKED, FIVE = mnn(), mnn(layout="NC4HW4"), mnn((1, 5, 8, 10), "NC4HW4")


class Program:
    """A guarded interpreter with a session, as a program has them."""

    def __init__(self, model: str = "c3_nchw", contract: dict[str, Any] | None = None, **options: Any) -> None:
        self.contract = PLAIN if contract is None else contract
        self.net: Any = guard(MNN.Interpreter(str(MODELS / f"{model}.mnn")), self.contract, **options)
        self.session = self.net.createSession()
        self.input = self.net.getSessionInput(self.session)
        self.shape = tuple(self.contract["inputs"][0]["shape"])

    def data(self, rng: Rng, shape: tuple[int, ...] | None = None) -> Any:
        return rng.random(shape or self.shape, np.float32)

    def good(self, rng: Rng) -> None:
        """A right run or two, or none."""
        for _ in range(int(rng.integers(0, 3))):
            self.input.copyFrom(host(self.data(rng)))
            assert self.net.runSession(self.session) == 0


def host(array: Any, dimension: int = 1, kind: Any = None) -> Any:
    """A host tensor of the program's own."""
    types = {"float32": MNN.Halide_Type_Float, "uint8": MNN.Halide_Type_Uint8, "int32": MNN.Halide_Type_Int}
    return MNN.Tensor(tuple(int(d) for d in array.shape), kind or types[array.dtype.name], array, dimension)


def never_written(rng: Rng) -> None:
    program = Program()
    program.net.runSession(program.session)


def never_fetched(rng: Rng) -> None:
    net: Any = guard(MNN.Interpreter(str(MODELS / "c3_nchw.mnn")), PLAIN)
    net.runSession(net.createSession())


def consumed(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.input.copyFrom(host(program.data(rng)))
    program.net.runSession(program.session)
    program.net.runSession(program.session)


def template_not_rewritten(rng: Rng) -> None:
    names = ("template", "search", "ids")
    contract = multi()
    net: Any = guard(MNN.Interpreter(str(MODELS / "multi_nchw.mnn")), contract)
    session = net.createSession()
    inputs = net.getSessionInputAll(session)
    for run in range(2):
        for name in names if run == 0 else names[1:]:
            tensor = next(t for t in contract["inputs"] if t["name"] == name)
            shape = tuple(tensor["shape"])
            data = (
                rng.random(shape, np.float32)
                if tensor["dtype"] == "float32"
                else rng.integers(0, 3, shape, dtype=np.int32)
            )
            inputs[name].copyFrom(host(data))
        net.runSession(session)


def multi() -> dict[str, Any]:
    """The contract of multi_nchw.mnn."""
    import json

    file = json.loads((MODELS / "expected.json").read_text(encoding="utf-8"))["multi_nchw"]["file"]
    contract = mnn()
    contract["inputs"] = [
        {"index": i, "name": t["name"], "layout": t["dformat"], "shape": t["dims"], "dtype": t["dtype"]} for i, t in enumerate(file["inputs"])
    ]  # fmt: skip
    return contract


def before_resize(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.input.copyFrom(host(program.data(rng)))
    side = int(rng.integers(9, 30))
    program.net.resizeTensor(program.input, (1, 3, side, side))
    program.net.resizeSession(program.session)
    program.net.runSession(program.session)


def resize_tensor_only(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.net.resizeTensor(program.input, (1, 3, 16, 20))
    program.net.runSession(program.session)


def copy_into_unresized(rng: Rng) -> None:
    program = Program()
    program.net.resizeTensor(program.input, (1, 3, 64, 64))
    program.input.copyFrom(host(program.data(rng, (1, 3, 64, 64))))


def wrong_type(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.input.copyFrom(host(rng.integers(0, 256, program.shape).astype(rng.choice([np.uint8, np.int32]))))


def bigger(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    side = int(rng.integers(32, 513))
    program.input.copyFrom(host(program.data(rng, (1, 3, side, side))))


def more_channels(rng: Rng) -> None:
    program = Program()
    program.input.copyFrom(host(program.data(rng, (1, 4, 8, 10))))


def smaller(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.input.copyFrom(host(program.data(rng, (1, 3, int(rng.integers(1, 8)), 10))))


def one_of_batch(rng: Rng) -> None:
    program = Program("dynbatch_b4", mnn((4, 3, 8, 10)))
    program.input.copyFrom(host(program.data(rng, (1, 3, 8, 10))))


def channels_last_declared_first(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.input.copyFrom(host(program.data(rng, (1, 8, 10, 3))))


def height_width_exchanged(rng: Rng) -> None:
    program = Program()
    program.input.copyFrom(host(program.data(rng, (1, 3, 10, 8))))


def array_instead_of_tensor(rng: Rng) -> None:
    program = Program()
    program.good(rng)
    program.input.copyFrom(program.data(rng) if rng.random() < 0.5 else None)


def from_numpy(rng: Rng) -> None:
    program = Program()
    program.input.fromNumpy(program.data(rng))


def host_pointer_packed(rng: Rng) -> None:
    program = Program("c3_nc4hw4", PACKED)
    program.good(rng)
    program.input.getNumpyData()[...] = program.data(rng)
    program.net.runSession(program.session)


def host_pointer_five(rng: Rng) -> None:
    program = Program("c5_nc4hw4", FIVE)
    program.good(rng)
    program.input.getNumpyData()[...] = program.data(rng)
    program.net.runSession(program.session)


def half_written(rng: Rng) -> None:
    program = Program()
    rows = int(rng.integers(1, 7))
    program.input.getNumpyData()[:, :, :rows] = program.data(rng)[:, :, :rows]
    program.net.runSession(program.session)


def not_finite(rng: Rng) -> None:
    program = Program()
    data = program.data(rng)
    data.ravel()[int(rng.integers(0, data.size))] = np.nan
    program.input.copyFrom(host(data))
    program.net.runSession(program.session)


def convert_exchanged(rng: Rng) -> None:
    program = Program()
    process: Any = guard(MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_RGB}), program.net._guard)
    process.convert(rng.integers(0, 256, (8, 10, 3), dtype=np.uint8), 8, 10, 0, program.input)


def convert_wrong_pitch(rng: Rng) -> None:
    program = Program()
    process: Any = guard(MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_RGB}), program.net._guard)
    crop = rng.integers(0, 256, (8, 40, 3), dtype=np.uint8)[:, 5:15]
    process.convert(crop, 10, 8, 120, program.input)


def convert_batch(rng: Rng) -> None:
    program = Program("dynbatch_b4", mnn((4, 3, 8, 10)))
    process: Any = guard(MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_RGB}), program.net._guard)
    process.convert(rng.integers(0, 256, (8, 10, 3), dtype=np.uint8), 10, 8, 0, program.input)


def dynamic_not_resized(rng: Rng) -> None:
    program = Program("dynhw_nchw", mnn((1, 3, -1, -1)))
    program.input.copyFrom(host(program.data(rng, (1, 3, 16, 16))))


def module(rng: Rng, name: str = "c3_nchw", contract: dict[str, Any] | None = None) -> Any:
    net = MNN.nn.load_module_from_file(str(MODELS / f"{name}.mnn"), ["input"], ["output"])
    return guard(net, PLAIN if contract is None else contract)


def const(array: Any, order: Any = None, kind: Any = None) -> Any:
    expr = MNN.expr
    rest = () if kind is None else (kind,)
    return expr.const(array.ravel().tolist(), [int(d) for d in array.shape], order or expr.NCHW, *rest)


def module_array(rng: Rng) -> None:
    module(rng).forward(rng.random((1, 3, 8, 10), np.float32))


def module_channels(rng: Rng) -> None:
    module(rng).forward(const(rng.random((1, int(rng.integers(4, 9)), 8, 10), np.float32)))


def module_wrong_tag(rng: Rng) -> None:
    module(rng).forward(const(rng.random((1, 3, 8, 10), np.float32), MNN.expr.NHWC))


def module_packed(rng: Rng) -> None:
    module(rng, "c3_nc4hw4", PACKED).forward(const(rng.random((1, 3, 8, 10), np.float32)))


def module_type(rng: Rng) -> None:
    module(rng).forward(const(rng.integers(0, 256, (1, 3, 8, 10), dtype=np.uint8), None, MNN.expr.uint8))


FAULTS: dict[str, tuple[Callable[[Rng], None], str]] = {
    f.__name__: (f, rule)
    for f, rule in (
        (never_written, "GD040"), (never_fetched, "GD040"), (consumed, "GD042"), (template_not_rewritten, "GD042"),
        (before_resize, "GD041"), (resize_tensor_only, "GD043"), (copy_into_unresized, "GD043"), (wrong_type, "GD044"),
        (bigger, "GD045"), (more_channels, "GD045"), (smaller, "GD046"), (one_of_batch, "GD046"),
        (channels_last_declared_first, "GD047"), (height_width_exchanged, "GD047"), (array_instead_of_tensor, "GD050"),
        (from_numpy, "GD051"), (host_pointer_packed, "GD052"), (host_pointer_five, "GD052"), (half_written, "GD053"),
        (not_finite, "GD020"), (convert_exchanged, "GD056"), (convert_wrong_pitch, "GD056"), (convert_batch, "GD062"),
        (dynamic_not_resized, "GD048"), (module_array, "GD064"), (module_channels, "GD007"), (module_wrong_tag, "GD005"),
        (module_packed, "GD065"), (module_type, "GD066"),
    )
}  # fmt: skip
