"""More faults over the real MNN: what only a `with Guard(…)` block sees (constructors), and what MNN itself would have to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import MNN
import numpy as np

from prepcheck.errors import CheckFailed
from prepcheck.guarding.finding import GuardReport
from prepcheck.guarding.guard import Guard
from tests.guarding.contracts import mnn
from tests.guarding.mnn_faults import MODELS, PACKED, PLAIN, Program, Rng, host


def static_resized(rng: Rng) -> None:
    program = Program("../mnn_extra/static", {**mnn((1, 3, 33, 47)), "notes": [{"kind": "static_model", "values": {}}]})
    program.net.resizeTensor(program.input, (1, 3, 66, 94))
    program.net.resizeSession(program.session)


def code_ignored(rng: Rng) -> None:
    """The refusal was only counted (on_fail is a callable), and the real run then returns 3."""
    found: list[Any] = []
    program = Program(on_fail=found.append)
    program.net.resizeTensor(program.input, (1, 3, 16, 20))
    assert program.net.runSession(program.session) == 3
    assert [f.rule for f in found] == ["GD043", "GD054"]
    raise CheckFailed(str(found[1]), GuardReport((found[1],)))


def copy_lost(rng: Rng) -> None:
    """A copy that returns True and moves nothing, for a reason that no check knows."""
    program = Program()
    program.good(rng)
    program.input._watch.copy(program.input._slot, host(program.data(rng)), "copyFrom", lambda: True)


def copy_lost_packed(rng: Rng) -> None:
    program = Program("c3_nc4hw4", PACKED)
    program.input._watch.copy(program.input._slot, host(program.data(rng)), "copyFrom", lambda: True)


def made_inside(model: str = "c3_nchw") -> Any:
    """The input of an interpreter that is made in a `with Guard` block."""
    net = MNN.Interpreter(str(MODELS / f"{model}.mnn"))
    return net.getSessionInput(net.createSession())


def process(source: Any, dest: Any) -> Any:
    return MNN.CVImageProcess({"sourceFormat": source, "destFormat": dest})


def bytes_of(rng: Rng, height: int, width: int, channels: int = 3) -> Any:
    return rng.integers(0, 256, (height, width, channels), dtype=np.uint8)


def convert_height_left_out(rng: Rng) -> None:
    with Guard(PLAIN):
        height = int(rng.integers(9, 99))
        process(1, 1).convert(bytes_of(rng, height, 40), 40, 0, 0, made_inside())


def convert_crop(rng: Rng) -> None:
    with Guard(PLAIN):
        height = int(rng.integers(9, 99))
        process(1, 1).convert(bytes_of(rng, height, 40), 40, height, 0, made_inside())


def config_text(rng: Rng) -> None:
    with Guard(PLAIN):
        MNN.CVImageProcess({"sourceFormat": "RGB"} if rng.random() < 0.5 else {"mean": [0.0] * 4})


def normal_is_std(rng: Rng) -> None:
    with Guard(PLAIN):
        MNN.CVImageProcess({"mean": (123.675, 116.28, 103.53, 0.0), "normal": (58.395, 57.12, 57.375, 1.0)})


def means_of_0_1(rng: Rng) -> None:
    with Guard(PLAIN):
        MNN.CVImageProcess({"mean": (0.485, 0.456, 0.406, 0.0), "normal": (1 / 0.229, 1 / 0.224, 1 / 0.225, 1.0)})


def convert_channels(rng: Rng) -> None:
    with Guard(mnn((1, 8, 10, 3), "NHWC")):
        own = MNN.Tensor((1, 8, 10, 3), MNN.Halide_Type_Float, np.zeros((1, 8, 10, 3), np.float32), 0)
        process(1, 0).convert(bytes_of(rng, 8, 10), 10, 8, 0, own)


def convert_untouched(rng: Rng) -> None:
    with Guard(mnn(dtype="uint8")):
        own = MNN.Tensor((1, 8, 10, 4), MNN.Halide_Type_Uint8, np.zeros((1, 8, 10, 4), np.uint8), 0)
        process(0, 0).convert(bytes_of(rng, 8, 10, 4), 10, 8, 0, own)


def convert_scrambled(rng: Rng) -> None:
    with Guard(mnn(dtype="uint8")):
        process(1, 2).convert(bytes_of(rng, 8, 10), 10, 8, 0, made_inside("u8c3_nchw"))


def tensor_of_other_order(rng: Rng) -> None:
    with Guard(PLAIN):
        MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, rng.random((1, 8, 10, 3), np.float32), 1)


def tensor_c4(rng: Rng) -> None:
    with Guard(PLAIN):
        MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, rng.random((1, 3, 8, 10), np.float32), 2)


def tensor_big_endian(rng: Rng) -> None:
    with Guard(PLAIN):
        MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, rng.random((1, 3, 8, 10), np.float32).astype(">f4"), 1)


def own_destination(rng: Rng) -> None:
    with Guard(PLAIN):
        data = rng.random((1, 3, 8, 10), np.float32)
        host(data).copyFrom(host(data))


FAULTS: dict[str, tuple[Callable[[Rng], None], str]] = {
    f.__name__: (f, rule)
    for f, rule in (
        (static_resized, "GD070"), (code_ignored, "GD054"), (copy_lost, "GD049"), (copy_lost_packed, "GD049"),
        (convert_height_left_out, "GD056"), (convert_crop, "GD057"), (config_text, "GD061"), (normal_is_std, "GD063"),
        (means_of_0_1, "GD063"), (convert_channels, "GD058"), (convert_untouched, "GD059"), (convert_scrambled, "GD060"),
        (tensor_of_other_order, "GD067"), (tensor_c4, "GD068"), (tensor_big_endian, "GD069"), (own_destination, "GD071"),
    )
}  # fmt: skip
