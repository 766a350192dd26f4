"""The ledger: what was tried, what that clears or incriminates, where the fault then lies, and the next test.

Each elimination is a small function over the runs (stated ones and those that logs print); `RULES` lists them in order.
An elimination says only what follows: `right` and `wrong` are the user's words, equal and different answers are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prepcheck.evidence.answers import from_answers
from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.evidence.known_limits import from_limits
from prepcheck.evidence.mnn_lines import assess_mnn
from prepcheck.evidence.runs import Run, runs_of, stated_runs
from prepcheck.evidence.static import static_facts
from prepcheck.evidence.symptoms import from_symptoms
from prepcheck.facts.log import LogBook
from prepcheck.facts.world import World
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One conclusion. scope and weight: the scope of the greatest weight is the ledger's."""

    cleared: tuple[Cleared, ...] = ()
    tests: tuple[Test, ...] = ()
    scope: str | None = None
    weight: int = 0


Rule = Callable[[list[Run]], Iterator[Entry]]


def assess(book: LogBook, world: World) -> Assessment:
    """Everything that observations, answers, symptoms and the logs' own runs leave and clear."""
    printed = runs_of(book)
    stated = stated_runs(world)
    entries = [entry for rule in RULES for entry in rule([*stated, *printed])]
    found = Assessment(
        ruled_out=tuple(c for e in entries for c in e.cleared),
        next_tests=tuple(sorted((t for e in entries for t in e.tests), key=lambda t: t.rank)),
        scope=max((e for e in entries if e.scope), key=lambda e: e.weight, default=Entry()).scope,
    )
    found = found.plus(static_facts(book, world, printed)).plus(assess_mnn(book, world))
    found = found.plus(from_answers(book, world, printed, stated))
    return found.plus(from_symptoms(book, world)).plus(from_limits(book, world))


def _told(runs: list[Run], where: str | None, result: str, **more: str) -> list[Run]:
    return [
        r
        for r in runs
        if r.result == result
        and (where is None or r.where == where)
        and all(getattr(r, k) == v for k, v in more.items())
    ]


def simulator_right_board_wrong(runs: list[Run]) -> Iterator[Entry]:
    """The same model is right in the simulator and wrong on the board."""
    if _told(runs, "simulator", "right") and (_told(runs, "board", "wrong") or _told(runs, "program", "wrong")):
        yield Entry(
            (
                Cleared(
                    "quantisation, calibration, mean/std and channel order of the build",
                    "the simulator runs the same quantised graph with the same mean/std and was right",
                ),
            ),
            (
                Test(
                    "run the same array on the board from the PC: rknn.init_runtime(target=…), then inference(inputs=[array])",
                    (
                        (
                            "right",
                            "model, NPU and driver are cleared; the fault is in the program that fills the input",
                        ),
                        ("wrong", "not your input code: the model on the NPU, the runtime's version or the driver"),
                    ),
                    rank=20,
                ),
            ),
            "cannot_tell",
            1,
        )


def board_from_pc_right(runs: list[Run]) -> Iterator[Entry]:
    """The board answers right when the PC feeds it: the program's own input code is left."""
    if _told(runs, "board_from_pc", "right"):
        wrong = bool(_told(runs, "program", "wrong") or _told(runs, "board", "wrong"))
        yield Entry(
            (
                Cleared(
                    "model, NPU, driver and runtime on the board",
                    "the same model was right on the board when the PC fed it",
                ),
            ),
            (
                Test(
                    "dump the input memory just before rknn_run and compare: prepcheck validate MODEL IMAGE --buffer input.bin",
                    (("a fault is named", "mend that step"), ("ok", "look at how the answer is read")),
                    rank=10,
                ),
            ),
            "input" if wrong else None,
            5,
        )


def board_from_pc_wrong(runs: list[Run]) -> Iterator[Entry]:
    """The board answers wrong even when the PC feeds it: it is not the program's input code."""
    if _told(runs, "board_from_pc", "wrong"):
        simulator = bool(_told(runs, "simulator", "right"))
        yield Entry(
            (
                Cleared(
                    "the program's own input code", "the board was wrong even with an array that the PC handed over"
                ),
            ),
            (
                Test(
                    "rknn.accuracy_analysis(inputs=[…], target=…): the first layer whose `single` column falls names the place",
                    (
                        ("the input row differs", "the array is prepared otherwise than in training"),
                        ("a later layer falls", "that operator on the NPU, or its quantisation"),
                    ),
                    rank=15,
                ),
            ),
            "device" if simulator else "conversion",
            5,
        )


def quantisation_off_right(runs: list[Run]) -> Iterator[Entry]:
    """The same program is right with a float model: what the program hands over is right."""
    if _told(runs, None, "right", build="float") and (
        _told(runs, None, "wrong", build="quantized") or [r for r in runs if r.result == "wrong" and r.build != "float"]
    ):
        yield Entry(
            (
                Cleared(
                    "host shape, axis order, colour order and normalisation",
                    "with quantisation off the same program is right, and it hands over the same bytes",
                ),
            ),
            (
                Test(
                    "compare the two models: prepcheck diff float.rknn quantized.rknn (batch, mean/std, scale, zero point)",
                    (
                        ("batch or shape differ", "the quantised build changed the input: build it with batch 1"),
                        (
                            "only scale and zero point differ",
                            "the calibration set: its pictures, their range and their colour order",
                        ),
                    ),
                    rank=12,
                ),
            ),
            "conversion",
            4,
        )


def hybrid_changes_nothing(runs: list[Run]) -> Iterator[Entry]:
    """Another build gives the very same wrong answer: perhaps it is not loaded."""
    wrong = [r for r in runs if r.result == "wrong" and r.scores]
    for a in wrong:
        for b in wrong:
            if (
                a is not b
                and a.build
                and b.build
                and a.build != b.build
                and a.image == b.image
                and a.scores == b.scores
            ):
                yield Entry(
                    (),
                    (
                        Test(
                            "prepcheck diff OLD NEW: are the two model files different at all, and is the new one the one loaded?",
                            (
                                ("identical files", "the old model is still loaded, or the new build was not written"),
                                ("different files", "the change does not reach the fault: look before the model"),
                            ),
                            rank=5,
                        ),
                    ),
                )
                return


def other_model_right(runs: list[Run]) -> Iterator[Entry]:
    """Another model is right in the same program."""
    models = {r.model for r in runs if r.model}
    for good in [r for r in runs if r.result == "right" and r.model and r.where in ("program", "board")]:
        if any(r.result == "wrong" and r.model and r.model != good.model for r in runs) and len(models) > 1:
            yield Entry(
                (
                    Cleared(
                        "memory, cache, conversion and order of calls in the program",
                        "the same program is right with another model ({model}); only what differs between the two models is left",
                        {"model": good.model},
                    ),
                ),
                (
                    Test(
                        "prepcheck diff GOOD_MODEL BAD_MODEL: what the program would have to do otherwise",
                        (
                            ("a key of inputs differs", "adapt the program to it"),
                            ("only names differ", "the model itself"),
                        ),
                        rank=11,
                    ),
                ),
            )
            return


def cpu_right_gpu_wrong(runs: list[Run]) -> Iterator[Entry]:
    """MNN: right on the CPU, wrong on a GPU backend, with the same input."""
    gpu = ("opencl", "vulkan", "metal", "cuda")
    if _told(runs, None, "right", backend="cpu") and [r for r in runs if r.result == "wrong" and r.backend in gpu]:
        yield Entry(
            (
                Cleared(
                    "the model file and the decoded picture", "the CPU backend is right with the same file and picture"
                ),
            ),
            (
                Test(
                    "copy the input through a host tensor (copyFromHostTensor) instead of host(), on the GPU",
                    (
                        ("right", "the host pointer was written behind the GPU's back"),
                        (
                            "still wrong",
                            "the input is cleared: precision, image size limit or an operator of that backend",
                        ),
                    ),
                    rank=14,
                ),
                Test(
                    "the same with precision High",
                    (
                        ("right", "half precision overflowed or lost too much"),
                        ("wrong", "an operator: backendTest.out names it"),
                    ),
                    rank=16,
                ),
            ),
            "device",
            2,
        )


def simulator_wrong_too(runs: list[Run]) -> Iterator[Entry]:
    """The simulator is wrong as well: it is not the board."""
    if _told(runs, "simulator", "wrong") and not _told(runs, "simulator", "right"):
        yield Entry(
            (Cleared("the board, its memory and its runtime", "the simulator on the PC is wrong as well"),),
            (
                Test(
                    "run the original network (ONNX) on the same picture with the preprocessing of training",
                    (
                        ("right", "the conversion: mean/std, channel order, calibration, an operator"),
                        ("wrong", "the preprocessing: colour, range or resize differ from training"),
                    ),
                    rank=13,
                ),
            ),
            "conversion",
            3,
        )


def right_and_wrong_by_size(runs: list[Run]) -> Iterator[Entry]:
    """Right for pictures of the model's size, wrong for others."""
    right = {r.size for r in runs if r.result == "right" and r.size}
    wrong = {r.size for r in runs if r.result == "wrong" and r.size}
    if right and wrong and not right & wrong:
        yield Entry(
            (
                Cleared(
                    "type, colour order and normalisation", "pictures of another size are right in the same program"
                ),
            ),
            (
                Test(
                    "resize the wrong picture on the PC to the model's size and hand it over",
                    (("right", "the resize in the program"), ("wrong", "the content, not the resize")),
                    rank=12,
                ),
            ),
            "input",
            3,
        )


def black_and_white_differ(runs: list[Run]) -> Iterator[Entry]:
    """Black and white pictures give different answers on the board: the NPU reads what is written."""
    answers = {}
    for r in runs:
        if r.where in ("board", "program") and r.image and r.scores:
            for word in ("black", "white"):
                if word in r.image.lower():
                    answers[word] = r.scores
    if len(answers) == 2:
        if answers["black"] != answers["white"]:
            yield Entry(
                (
                    Cleared(
                        "memory that is not bound or never written",
                        "black and white pictures give different answers on the board",
                    ),
                )
            )
        else:
            yield Entry((), (MEMORY_TEST,), None)


MEMORY_TEST = Test(
    "fill the input memory with 0x00, run; fill it with 0xFF, run; compare the two answers",
    (
        (
            "equal",
            "that memory is not what the NPU reads: it is not bound, bound under another name, or another one is written",
        ),
        (
            "different",
            "the memory is read; what fills it is at fault: the RGA conversion, the cache, or the bytes themselves",
        ),
    ),
    rank=30,
)

RULES: tuple[Rule, ...] = (
    simulator_right_board_wrong,
    board_from_pc_right,
    board_from_pc_wrong,
    quantisation_off_right,
    hybrid_changes_nothing,
    other_model_right,
    cpu_right_gpu_wrong,
    simulator_wrong_too,
    right_and_wrong_by_size,
    black_and_white_differ,
)
