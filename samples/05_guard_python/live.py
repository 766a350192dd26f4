"""A camera loop over the real MNN in which something goes wrong: first without a guard, then with it.

    python live.py            every fault
    python live.py consumed   one of them

Without a guard MNN returns 0 every time; the answer is compared with the right one here only because this sample knows
it. With the guard the faulty call is stopped before it runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import MNN
import numpy as np

import prepcheck as pc

HERE = Path(__file__).resolve().parent
SHAPE = (1, 3, 8, 10)


class Camera:
    """Pictures that differ, as normalized float32, channels first."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(0)

    def picture(self) -> Any:
        """The next picture."""
        return self.random.normal(0.5, 0.3, SHAPE).astype(np.float32)


class Loop:
    """An interpreter with a session, guarded or not: what a program has."""

    def __init__(self, model: str, guarded: bool) -> None:
        net: Any = MNN.Interpreter(str(HERE / model))
        self.net = pc.guard(net, pc.load(HERE / model)) if guarded else net
        self.session = self.net.createSession({"numThread": 1})
        self.input = self.net.getSessionInput(self.session)

    def host(self, array: Any, dimension: int = MNN.Tensor_DimensionType_Caffe) -> Any:
        """A host tensor of the program's own."""
        kind = MNN.Halide_Type_Uint8 if array.dtype == np.uint8 else MNN.Halide_Type_Float
        return MNN.Tensor(tuple(int(d) for d in array.shape), kind, array, dimension)

    def run(self) -> Any:
        """runSession, and a copy of the answer."""
        code = self.net.runSession(self.session)
        output = self.net.getSessionOutput(self.session)
        own = MNN.Tensor(output, MNN.Tensor_DimensionType_Caffe)
        output.copyToHostTensor(own)
        return code, np.array(own.getNumpyData()).ravel()

    def right(self, array: Any) -> Any:
        """Copy in, run: how it should be."""
        self.input.copyFrom(self.host(array))
        return self.run()


def consumed(loop: Loop, picture: Any) -> Any:
    """The picture is copied in once and the session is run twice."""
    loop.right(picture)
    return loop.run()


def never_written(loop: Loop, picture: Any) -> Any:
    """The copy was forgotten."""
    return loop.run()


def wrong_type(loop: Loop, picture: Any) -> Any:
    """uint8 pixels are copied into a float input: MNN copies nothing and returns True."""
    loop.input.copyFrom(loop.host((picture * 255).astype(np.uint8)))
    return loop.run()


def from_numpy(loop: Loop, picture: Any) -> Any:
    """fromNumpy on a session's input does nothing."""
    loop.input.fromNumpy(picture)
    return loop.run()


def channels_last(loop: Loop, picture: Any) -> Any:
    """Channels-last data in a tensor declared channels-first."""
    loop.input.copyFrom(loop.host(np.ascontiguousarray(picture.transpose(0, 2, 3, 1))))
    return loop.run()


def before_resize(loop: Loop, picture: Any) -> Any:
    """Written, then resized to another size and back: what was written is lost."""
    loop.input.copyFrom(loop.host(picture))
    for shape in ((1, 3, 64, 80), SHAPE):
        loop.net.resizeTensor(loop.input, shape)
        loop.net.resizeSession(loop.session)
    return loop.run()


def half_written(loop: Loop, picture: Any) -> Any:
    """Only the upper rows are written through the host pointer."""
    loop.input.getNumpyData()[:, :, :4] = picture[:, :, :4]
    return loop.run()


def host_pointer(loop: Loop, picture: Any) -> Any:
    """Plain data through the host pointer of an input that is packed (packed.mnn)."""
    loop.input.getNumpyData()[...] = picture
    return loop.run()


def division_by_zero(loop: Loop, picture: Any) -> Any:
    """One NaN in the normalized picture."""
    broken = picture.copy()
    broken[0, 1, 3, 4] = np.nan
    return loop.right(broken)


Fault = Callable[[Loop, Any], Any]
FAULTS: dict[str, tuple[Fault, str]] = {
    f.__name__: (f, "packed.mnn" if f is host_pointer else "plain.mnn")
    for f in (
        consumed, never_written, wrong_type, from_numpy, channels_last, before_resize, half_written, host_pointer, division_by_zero,
    )
}  # fmt: skip


def show(name: str) -> bool:
    """One fault without and with the guard; whether the guard stopped it."""
    fault, model = FAULTS[name]
    picture = Camera().picture()
    _, wanted = Loop(model, guarded=False).right(picture)
    code, got = fault(Loop(model, guarded=False), picture)
    distance = float(np.abs(got - wanted).max())
    print(f"{name}: {(fault.__doc__ or '').strip()}")
    print(f"  bare MNN: code {code}, answer off by {distance:.3g}")
    try:
        fault(Loop(model, guarded=True), picture)
    except pc.CheckFailed as stopped:
        print("  guarded: " + str(stopped).replace("\n", "\n  "))
        return True
    print("  guarded: nothing was said")
    return False


def good_frames(count: int = 300) -> None:
    """Right frames go through, with the same answers."""
    camera, guarded, bare = Camera(), Loop("plain.mnn", guarded=True), Loop("plain.mnn", guarded=False)
    for _ in range(count):
        picture = camera.picture()
        assert np.array_equal(guarded.right(picture)[1], bare.right(picture)[1])
    stats = guarded.net.stats()
    print(f"{count} right frames: {stats['calls']} runs checked, findings {stats['findings']['error']}")


def main() -> int:
    """The faults named on the command line, or all of them, then right frames."""
    names = sys.argv[1:] or list(FAULTS)
    unknown = [n for n in names if n not in FAULTS]
    if unknown:
        print(f"no fault {unknown[0]!r}; there are: {', '.join(FAULTS)}", file=sys.stderr)
        return 2
    stopped = [show(name) for name in names]
    good_frames()
    print(f"{sum(stopped)} of {len(names)} faults stopped before the run")
    return 0 if all(stopped) else 1


if __name__ == "__main__":
    sys.exit(main())
