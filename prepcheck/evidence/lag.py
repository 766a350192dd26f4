"""The order in which answers come: one run late, or wrong only the first time. Told apart by pictures that were run twice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.evidence.runs import Run
from prepcheck.evidence.scores import same
from prepcheck.registry import Value

TOLERANCE = 1e-6
"""Difference up to which two printed numbers are one."""
SHOWN = 8

LATE_TEST = Test(
    "run each picture twice in a row and take the second answer; switch off async mode, and write the input before rknn_run",
    (
        ("right", "the answer lagged by one run: async mode, or the input is written after the run"),
        ("still one late", "a queue in the program hands the pictures on: count what goes in and what comes out"),
    ),
    rank=3,
)
FIRST_TEST = Test(
    "run one picture before the loop and throw its answer away",
    (
        ("all answers are right", "warm-up: the first run sees memory that was set too early, or is still to be made"),
        ("the first one is wrong again", "the input is written after the run, or set before the memory was bound"),
    ),
    rank=4,
)


def from_order(runs: Sequence[Run]) -> Assessment:
    """What the order of the answers of one place says; nothing where no picture was run twice."""
    seen = [r for r in runs if r.image is not None and r.scores]
    if len(seen) < 3 or _fits([(r.image or "", r) for r in seen]):
        return Assessment()
    shown: list[Value] = [f"{r.image}: [{', '.join(f'{s:.6g}' for s in r.scores[:4])}]" for r in seen[:SHOWN]]
    late = [(before.image or "", r) for before, r in pairwise(seen)]
    if _tells(late):
        return Assessment(
            ruled_out=(
                Cleared(
                    "memory that is freed, reused or never written",
                    "the answers are no accident: each one belongs to the picture before it ({answers})",
                    {"answers": shown},
                ),
            ),
            next_tests=(LATE_TEST,),
            notes={"late_by_one": shown},
        )
    rest = [(r.image or "", r) for r in seen[1:]]
    again = sum(r.image == seen[0].image for r in seen[1:])
    if _fits(rest) and again >= 2:
        return Assessment(next_tests=(FIRST_TEST,), notes={"first_differs": shown})
    return Assessment()


def _fits(pairs: Sequence[tuple[str, Run]]) -> bool:
    """Whether every picture has one answer."""
    first: dict[str, Run] = {}
    return all(_alike(first.setdefault(image, run), run) for image, run in pairs)


def _tells(pairs: Sequence[tuple[str, Run]]) -> bool:
    """Whether every picture has one answer, one was seen twice, and two pictures have different ones."""
    images = [image for image, _ in pairs]
    if not _fits(pairs) or len(set(images)) == len(images) or len(set(images)) < 2:
        return False
    return any(not _alike(pairs[0][1], run) for _, run in pairs[1:])


def _alike(a: Run, b: Run) -> bool:
    return a.classes == b.classes and same(a.scores, b.scores, TOLERANCE)
