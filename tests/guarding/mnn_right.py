"""Right programs over the real MNN, guarded: none may be complained of, and their answers are those of the bare MNN."""

from __future__ import annotations

import tempfile
import threading
import warnings
from collections.abc import Callable
from typing import Any

import MNN
import numpy as np

from prepcheck.errors import CheckFailed
from prepcheck.guarding.guard import Guard
from prepcheck.guarding.proxies import guard
from tests.guarding.contracts import mnn
from tests.guarding.mnn_faults import FIVE, MODELS, PACKED, PLAIN, Program, const, host, module, multi


def bare(array: Any, model: str = "c3_nchw") -> Any:
    """The answer without a guard."""
    net = MNN.Interpreter(str(MODELS / f"{model}.mnn"))
    session = net.createSession()
    net.getSessionInput(session).copyFrom(host(array))
    assert net.runSession(session) == 0
    return output(net, session)


def output(net: Any, session: Any) -> Any:
    """A copy of the first output, in its logical order."""
    tensor = net.getSessionOutput(session)
    own = MNN.Tensor(tensor, MNN.Tensor_DimensionType_Caffe)
    assert tensor.copyToHostTensor(own)
    return np.array(own.getNumpyData())


def same_answers() -> None:
    for model, contract in (
        ("c3_nchw", PLAIN),
        ("c3_nc4hw4", PACKED),
        ("c5_nc4hw4", FIVE),
        ("c1_nc4hw4", mnn((1, 1, 8, 10), "NC4HW4")),
    ):
        rng, program = np.random.default_rng(1), Program(model, contract)
        for _ in range(40):
            array = program.data(rng)
            last = rng.random() < 0.5
            sent = np.ascontiguousarray(array.transpose(0, 2, 3, 1)) if last else array
            program.input.copyFrom(host(sent, 0 if last else 1))
            assert program.net.runSession(program.session) == 0
            assert np.array_equal(output(program.net, program.session), bare(array, model))
        assert program.net.stats()["calls"] == 40


def same_picture_again() -> None:
    program, array = Program(), np.ones((1, 3, 8, 10), np.float32)
    for _ in range(60):
        program.input.copyFrom(host(array))
        program.net.runSession(program.session)


def black_pictures() -> None:
    for write in ("copy", "pointer"):
        program, black = Program(), np.zeros((1, 3, 8, 10), np.float32)
        for _ in range(60):
            if write == "copy":
                program.input.copyFrom(host(black))
            else:
                program.input.getNumpyData()[...] = black
            program.net.runSession(program.session)


def host_pointer_of_a_plain_input() -> None:
    rng, program = np.random.default_rng(2), Program()
    for _ in range(40):
        array = program.data(rng)
        program.input.getNumpyData()[...] = array
        program.net.runSession(program.session)
        assert np.array_equal(output(program.net, program.session), bare(array))


def same_values_where_the_run_leaves_memory_alone() -> None:
    """A network of one operator does not reuse its input's memory: rewriting the same values looks like no write."""
    expr = MNN.expr
    x = expr.placeholder([1, 3, 8, 10], expr.NCHW)
    x.name = "input"
    y = expr.relu(x)
    y.name = "output"
    with tempfile.TemporaryDirectory() as folder:
        expr.save([y], f"{folder}/relu.mnn")
        for first in ("copy", "pointer"):
            net: Any = guard(MNN.Interpreter(f"{folder}/relu.mnn"), PLAIN)
            session = net.createSession()
            tensor, array = net.getSessionInput(session), np.random.default_rng(12).random((1, 3, 8, 10), np.float32)
            if first == "copy":
                tensor.copyFrom(host(array))
                net.runSession(session)
            for _ in range(20):
                tensor.getNumpyData()[...] = array
                net.runSession(session)
            tensor.copyFrom(host(array))
            net.runSession(session)


def pointer_only_read() -> None:
    rng, program = np.random.default_rng(3), Program("c3_nc4hw4", PACKED)
    for _ in range(20):
        program.input.copyFrom(host(program.data(rng)))
        program.input.getNumpyData().sum()
        program.net.runSession(program.session)


def resize_then_write() -> None:
    rng, program = np.random.default_rng(4), Program("dynhw_nchw", mnn((1, 3, -1, -1)))
    for side in (8, 16, 12, 16):
        program.net.resizeTensor(program.input, (1, 3, side, side))
        program.net.resizeSession(program.session)
        tensor = program.net.getSessionInput(program.session)
        tensor.copyFrom(host(rng.random((1, 3, side, side), np.float32)))
        assert program.net.runSession(program.session) == 0


def several_inputs() -> None:
    contract, rng = multi(), np.random.default_rng(5)
    net: Any = guard(MNN.Interpreter(str(MODELS / "multi_nchw.mnn")), contract)
    session = net.createSession()
    for _ in range(20):
        for tensor in contract["inputs"]:
            shape = tuple(tensor["shape"])
            data = (
                rng.random(shape, np.float32)
                if tensor["dtype"] == "float32"
                else rng.integers(0, 3, shape, dtype=np.int32)
            )
            net.getSessionInput(session, tensor["name"]).copyFrom(host(data))
        assert net.runSession(session) == 0


def byte_input() -> None:
    rng, program = np.random.default_rng(6), Program("u8c3_nchw", mnn(dtype="uint8"))
    for _ in range(20):
        program.input.copyFrom(host(rng.integers(0, 256, (1, 3, 8, 10), dtype=np.uint8)))
        assert program.net.runSession(program.session) == 0


def signed_byte_input() -> None:
    """pymnn has no int8 tensors: the guard can see nothing and must let the program be."""
    program = Program("i8c3_nchw", mnn(dtype="int8"))
    for _ in range(3):
        program.net.runSession(program.session)


def image_process_not_guarded() -> None:
    """MNN's own CVImageProcess writes into the watched tensor; nobody tells the guard."""
    rng = np.random.default_rng(7)
    for model, contract in (("c3_nchw", PLAIN), ("c3_nc4hw4", PACKED)):
        program = Program(model, contract)
        process = MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_RGB, "destFormat": MNN.CV_ImageFormat_RGB})
        for _ in range(20):
            assert process.convert(rng.integers(0, 256, (8, 10, 3), dtype=np.uint8), 10, 8, 0, program.input) == 0
            assert program.net.runSession(program.session) == 0


def image_process_guarded() -> None:
    rng, program = np.random.default_rng(8), Program()
    process: Any = guard(MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_RGB}), program.net._guard)
    matrix = MNN.CVMatrix()
    matrix.setScale(2.0, 2.0)
    process.setMatrix(matrix)
    for _ in range(20):
        process.convert(rng.integers(0, 256, (16, 20, 3), dtype=np.uint8), 20, 16, 60, program.input)
        program.net.runSession(program.session)


def modules() -> None:
    rng, net = np.random.default_rng(9), module(np.random.default_rng(0))
    packed = module(np.random.default_rng(0), "c3_nc4hw4", PACKED)
    expr = MNN.expr
    for _ in range(20):
        array = rng.random((1, 3, 8, 10), np.float32)
        first = np.array(net.forward(const(array)).read())
        listed = np.array(net.onForward([const(array)])[0].read())
        last = np.array(net.forward(const(np.ascontiguousarray(array.transpose(0, 2, 3, 1)), expr.NHWC)).read())
        converted = np.array(packed.forward(expr.convert(const(array), expr.NC4HW4)).read())
        for other in (listed, last, converted):
            assert np.allclose(first, other, atol=1e-4)


def made_before_the_guard() -> None:
    """Session and input are older than the guard: what it did not see it does not complain of."""
    net = MNN.Interpreter(str(MODELS / "c3_nchw.mnn"))
    session, rng = net.createSession(), np.random.default_rng(10)
    tensor = net.getSessionInput(session)
    guarded: Any = guard(net, PLAIN)
    for _ in range(20):
        tensor.copyFrom(host(rng.random((1, 3, 8, 10), np.float32)))
        assert guarded.runSession(session) == 0


def native_functions_take_the_input() -> None:
    """The watched input is a real MNN.Tensor for every function of MNN, where an imitation would crash."""
    program = Program()
    array = np.ones((1, 3, 8, 10), np.float32)
    program.input.copyFrom(host(array))
    own = MNN.Tensor(program.input, MNN.Tensor_DimensionType_Caffe)
    assert program.input.copyToHostTensor(own)
    assert np.array_equal(own.getNumpyData(), array)
    assert not own.copyFrom(program.input)
    assert isinstance(program.input, MNN.Tensor)
    assert program.input.getShape() == (1, 3, 8, 10)


def inside_a_with_block() -> None:
    before = (MNN.Interpreter, MNN.Tensor, MNN.CVImageProcess)
    rng = np.random.default_rng(11)
    with Guard(PLAIN) as watched:
        net: Any = MNN.Interpreter(str(MODELS / "c3_nchw.mnn"))
        assert isinstance(net, before[0])
        session = net.createSession()
        tensor = net.getSessionInput(session)
        assert isinstance(tensor, MNN.Tensor)
        for _ in range(20):
            tensor.copyFrom(host(rng.random((1, 3, 8, 10), np.float32)))
            assert net.runSession(session) == 0
        try:
            net.runSession(session)
            raise AssertionError("a second run was let through")
        except CheckFailed:
            pass
        process: Any = MNN.CVImageProcess(
            {"sourceFormat": MNN.CV_ImageFormat_RGB, "destFormat": MNN.CV_ImageFormat_BGR}
        )
        matrix = MNN.CVMatrix()
        matrix.setScale(2.0, 2.0)
        process.setMatrix(matrix)
        for _ in range(5):
            assert process.convert(rng.integers(0, 256, (16, 20, 3), dtype=np.uint8), 20, 16, 0, tensor) == 0
            assert net.runSession(session) == 0
        assert watched.stats()["calls"] == 26
    assert (MNN.Interpreter, MNN.Tensor, MNN.CVImageProcess) == before


def warned_only() -> None:
    """Under on_fail="warn" the program goes on; each kind is warned of once, ten times, a hundred times …"""
    program = Program(on_fail="warn")
    program.input.copyFrom(host(np.ones((1, 3, 8, 10), np.float32)))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(30):
            assert program.net.runSession(program.session) == 0
    texts = [str(w.message) for w in seen if "GD042" in str(w.message)]
    assert len(texts) == 2, texts
    assert "10 times" in texts[1]


def unnamed_input_of_several() -> None:
    """Warned of once, and it is the alphabetically first."""
    net: Any = guard(MNN.Interpreter(str(MODELS / "multi_nchw.mnn")), multi())
    session = net.createSession()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(3):
            tensor = net.getSessionInput(session)
    assert [str(w.message)[:5] for w in seen] == ["GD055"]
    assert "gave ids" in str(seen[0].message)
    assert tensor.getShape() == (1, 4)


def eight_threads() -> None:
    """Eight threads, each with a session of one guarded interpreter; every fifth run raises inside the call."""
    net: Any = guard(MNN.Interpreter(str(MODELS / "c3_nchw.mnn")), PLAIN)
    failures: list[BaseException] = []

    def stop(tensors: Any, name: str) -> bool:
        raise RuntimeError("thrown inside the guarded call")

    def work(number: int) -> None:
        try:
            rng = np.random.default_rng(number)
            session = net.createSession({"numThread": 1})
            tensor = net.getSessionInput(session)
            for run in range(120):
                array = rng.random((1, 3, 8, 10), np.float32)
                tensor.copyFrom(host(array))
                if run % 5 == 4:
                    raised(net, session, stop)
                    expect_refused(net, session)
                    continue
                assert net.runSession(session) == 0
                assert np.array_equal(output(net, session), bare(array)) if run % 30 == 0 else True
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[:3]
    stats = net.stats()
    assert stats["raised_inside"] == 8 * 24
    assert stats["findings"]["error"] == {"GD042": 8 * 24}


def raised(net: Any, session: Any, stop: Callable[..., bool]) -> None:
    """Make the real call raise: the guard must pass the exception on and stay whole."""
    try:
        net._watch.run(net._sessions.of(session), "runSession", lambda: stop(None, "x"))
    except RuntimeError:
        return
    raise AssertionError("the exception was lost")


def expect_refused(net: Any, session: Any) -> None:
    """After a run that raised, the input counts as consumed."""
    try:
        net.runSession(session)
    except CheckFailed:
        return
    raise AssertionError("a run on a consumed input was let through")


RIGHT: dict[str, Callable[[], None]] = {
    f.__name__: f
    for f in (
        same_answers, same_picture_again, black_pictures, host_pointer_of_a_plain_input,
        same_values_where_the_run_leaves_memory_alone, pointer_only_read, resize_then_write,
        several_inputs, byte_input, signed_byte_input, image_process_not_guarded, image_process_guarded, modules,
        made_before_the_guard, native_functions_take_the_input, inside_a_with_block, warned_only, unnamed_input_of_several, eight_threads,
    )
}  # fmt: skip
