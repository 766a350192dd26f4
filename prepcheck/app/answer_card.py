"""What the test card would be answered under each hypothesis that is left: the next test, with its outcomes computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.facts.answers import AnswerWeighing
from prepcheck.facts.world import World

if TYPE_CHECKING:
    from prepcheck.app.answer_bench import Bench
    from prepcheck.app.worlds import Request

MOST = 16
"""Hypotheses that are still worth a table of outcomes."""
_DIGITS = 4


def by_card(
    world: World, request: Request, bench: Bench, found: AnswerWeighing
) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """(hypotheses, at most five numbers of the answer) for each different answer; empty where the card tells nothing apart.

    The card has the size of the first picture, so the plan fits it.
    """
    from prepcheck.app.answering import own_world
    from prepcheck.app.expected import decode_color, prospect
    from prepcheck.forensics.answers.forward import Renderer
    from prepcheck.forensics.card import test_card
    from prepcheck.pixels.color import reorder

    left = {r.label for r in found.left}
    chosen = [h for h in bench.tried if h.label in left and not h.recipe.previous and h.recipe.raw != "file"]
    if bench.reading is None or not 1 < len(chosen) <= MOST:
        return ()
    image = bench.pictures[0].expected.image
    height, width = image.shape[:2]
    if min(height, width) < 64:
        return ()  # the card's marks need some pixels
    own = own_world(world, request, request.images[0][1])
    color = decode_color(own, bench.position)
    card = reorder(test_card(width, height), "RGB", color)
    renderer = Renderer(prospect(own, bench.position, card, color, []).expected)
    answers: dict[tuple[float, ...], list[str]] = {}
    for hypothesis in chosen:
        elements = renderer.elements(hypothesis)
        if elements is None:
            continue
        values = bench.reading.of(bench.answers(elements))[:5]
        answers.setdefault(tuple(round(float(v), _DIGITS) for v in values), []).append(hypothesis.label)
    if len(answers) < 2:
        return ()
    return tuple((", ".join(dict.fromkeys(labels)), values) for values, labels in answers.items())


def card_size(found: Bench) -> tuple[int, int]:
    """(width, height) of the card."""
    height, width = found.pictures[0].expected.image.shape[:2]
    return width, height
