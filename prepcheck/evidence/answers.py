"""Answers as facts: codes behind the scores, equal answers for different images, different answers for the same image."""

from __future__ import annotations

import math
import os
from itertools import combinations

from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.evidence.lag import from_order
from prepcheck.evidence.runs import Run, groups_by_image
from prepcheck.evidence.scores import entropy_bits, same, two_classes
from prepcheck.facts.log import LogBook
from prepcheck.facts.world import World
from prepcheck.registry import Value

AABB = Test(
    "run picture A twice, then picture B twice (A A B B), and give the four answers",
    (
        (
            "answers 2 and 3 belong to A and B only one run late",
            "the answer lags by one: async mode, or the input is written after the run",
        ),
        (
            "only the very first differs",
            "warm-up, or the first input was set before the memory was ready: drop the first run, or write again",
        ),
        ("the slots of a batch differ", "a batch model got one picture: fill every slot or build with batch 1"),
        ("no pattern", "memory that is freed, reused or never written: dump the input before each run"),
    ),
    rank=18,
)
"""The test that separates the causes of answers that change for one picture."""


def from_answers(book: LogBook, world: World, printed: list[Run], stated: list[Run]) -> Assessment:
    """What the numbers of the answers say."""
    found = Assessment()
    board = [r for r in (*printed, *stated) if r.where in ("board", "program", "board_from_pc") and r.scores]
    simulator = [r for r in (*printed, *stated) if r.where == "simulator" and r.scores]
    order = Assessment()
    for runs in (printed, stated):
        for where in ("board", "program"):
            order = order.plus(from_order([r for r in runs if r.where == where]))
    for part in (
        _pinned(book, world, board),
        _equal(board, simulator),
        order if order.next_tests else _unsteady(board),
        _simulator_tells(simulator, board),
    ):
        found = found.plus(part)
    return found


def _pinned(book: LogBook, world: World, board: list[Run]) -> Assessment:
    contract = book.contract or world.contract
    outputs = contract.outputs if contract else []
    if len(outputs) != 1 or not outputs[0].scale or not outputs[0].dtype:
        return Assessment()
    out = outputs[0]
    assert out.scale is not None
    assert out.dtype is not None
    for run in board:
        if len(run.scores) != 2:
            continue
        codes = two_classes(max(run.scores), min(run.scores), out.dtype, out.scale)
        if codes is None:
            continue
        values: dict[str, Value] = {
            "larger": max(run.scores), "smaller": min(run.scores), "zp": out.zero_point, "scale": out.scale, "pairs": codes.pairs,
            "possible": codes.possible, "high": codes.high_from, "low": codes.low_to, "difference": codes.difference,
        }  # fmt: skip
        if codes.pinned:
            return Assessment(
                ruled_out=(
                    Cleared(
                        "a small error of the input (rounding, one step of quantisation, a slightly other resize)",
                        "scores {larger} and {smaller} with zero point {zp} and scale {scale} come from {pairs} of {possible} code "
                        "pairs only: one code ≥ {high}, the other ≤ {low}; both outputs are pinned at the ends of int8, so the "
                        "input is far from anything that the network knows, or constant",
                        values,
                    ),
                ),
                notes={"codes": values},
            )
    return Assessment()


def _equal(board: list[Run], simulator: list[Run]) -> Assessment:
    groups = groups_by_image(board)
    firsts = [runs[0] for runs in groups.values()]
    equal = len(firsts) > 1 and all(same(firsts[0].scores, r.scores) for r in firsts[1:])
    if not equal:
        return Assessment()
    names = [r.image or "?" for r in firsts]
    alike = [
        list(dict(sorted(r.by_class().items())).values()) for r in simulator if len(r.scores) == len(firsts[0].scores)
    ]
    saturated = max(firsts[0].scores) > 0.99
    bits = entropy_bits(alike) if alike else _most_bits(firsts[0]) if saturated else None
    values: dict[str, Value] = {
        "images": list(names),
        "answer": list(firsts[0].scores),
        "bits": round(bits, 2) if bits is not None else None,
    }
    black = Test(
        "on the PC, give the simulator the black image (all zeros) and read its answer",
        (
            ("the board's answer ({answer})", "the board sees zeros: fill the input memory with 0x00, run, then with 0xFF, run: equal "
             "answers = that memory is not what the NPU reads; different = the RGA conversion or the cache"),
            ("another answer", "no constant input explains it: run the same array on the board from the PC, then suspect the model on the NPU"),
        ),
        {"answer": list(firsts[0].scores)},
        rank=1,
    )  # fmt: skip
    from prepcheck.evidence.ledger import MEMORY_TEST

    cleared: tuple[Cleared, ...] = ()
    if saturated and bits is not None and bits < 1.05 and len(firsts) < 5:
        cleared = (
            Cleared(
                "the equal answers as a proof by themselves",
                "an answer of this model tells at most {bits} bits, and a right classifier of two classes often repeats itself: "
                "{count} equal answers are weak evidence; more pictures, or the black and the white one, tell",
                {"bits": round(bits, 2), "count": len(firsts)},
            ),
        )
    return Assessment(
        ruled_out=cleared, next_tests=(black, MEMORY_TEST), scope="cannot_tell", notes={"equal_answers": values}
    )


def _most_bits(run: Run) -> float | None:
    """Bits that an answer of so many classes tells at most; None where only the best classes were printed."""
    return math.log2(len(run.scores)) if len(run.scores) > 1 and not run.classes else None


def _unsteady(board: list[Run]) -> Assessment:
    unnamed = [r for r in board if r.image is None and r.run is not None]
    for name, runs in (*groups_by_image(board).items(), ("?", unnamed)):
        for a, b in combinations(runs, 2):
            if a.scores and b.scores and not same(a.scores, b.scores, 1e-6):
                values: dict[str, Value] = {"image": name, "a": list(a.scores), "b": list(b.scores)}
                return Assessment(next_tests=(AABB,), notes={"unsteady": values})
    return Assessment()


def _simulator_tells(simulator: list[Run], board: list[Run]) -> Assessment:
    """The simulator gives different best answers for different images: the quantised weights work."""
    groups = groups_by_image(simulator)
    best = {name: runs[0].best for name, runs in groups.items()}
    if len(set(best.values())) < 2 or not board:
        return Assessment()
    return Assessment(
        ruled_out=(
            Cleared(
                "weights that are too small, or destroyed by quantisation",
                "the simulator runs the same quantised weights and answers {answers}: it tells the pictures apart",
                {"answers": [f"{os.path.basename(n)}: class {c}" for n, c in best.items()]},
            ),
            Cleared(
                "mean/std, calibration and channel order of the build",
                "they are inside the model, and the simulator is right with it",
            ),
        )
    )
