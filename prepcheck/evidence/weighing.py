"""What a weighing of answers clears (one entry for each fault that all its hypotheses exclude), and the tests that follow."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.facts.answers import AnswerWeighing, WeighedFault
from prepcheck.facts.world import World
from prepcheck.registry import Value

BUFFER_TEST = Test(
    "dump the input memory just before the run and compare: prepcheck validate MODEL IMAGE --buffer input.bin",
    (
        ("the same fault is named", "mend that step"),
        ("ok", "the bytes are right: look at how the call declares them, then after the input"),
        ("another fault, or two", "believe the bytes: they say more than scores do"),
    ),
    rank=8,
)


def from_weighing(world: World) -> Assessment:
    """For every weighing of the world."""
    found = Assessment()
    for item in world.extra.get("answer_weighing", ()):
        if isinstance(item, AnswerWeighing) and item.problem is None:
            found = found.plus(_one(item))
    return found


def _one(found: AnswerWeighing) -> Assessment:
    tests = [BUFFER_TEST] if found.verdict != "as_planned" else []
    if found.verdict == "left":
        tests.append(_more(found))
    if found.verdict == "not_explained":
        all_of_them: dict[str, Value] = {"count": len(found.ranked), "names": len({r.name for r in found.ranked}) - 1}
        cleared: tuple[Cleared, ...] = (
            Cleared(
                "every single fault of the input with usual parameters",
                "{names} faults in {count} forms were run forward through the model, and none gives the answer seen",
                all_of_them,
            ),
        )
    else:
        cleared = tuple(_cleared(found))
    scope = SCOPE[found.verdict] if found.planned.excluded else None
    return Assessment(ruled_out=cleared, next_tests=tuple(tests), scope=scope)


SCOPE = {"named": "input", "as_planned": None, "left": "cannot_tell", "not_explained": "cannot_tell"}


def _cleared(found: AnswerWeighing) -> Iterator[Cleared]:
    by: dict[str, list[WeighedFault]] = {}
    for r in found.ranked:
        by.setdefault(r.name, []).append(r)
    for name, forms in sorted(by.items()):
        if any(not r.excluded for r in forms):
            continue
        best = min(forms, key=lambda r: (-r.ratio, r.distance))
        place = _worst(found, best)
        values: dict[str, Value] = {
            "fault": name, "form": best.label, "count": len(forms), "seen": list(found.seen[place]), "image": found.images[place],
            "expected": list(best.expected[place]) if best.expected else [], "ratio": best.ratio, "distance": best.distance,
        }  # fmt: skip
        if name == "as_planned":
            yield Cleared(
                "an input as planned",
                "it would give {expected} for {image}, where {seen} was seen: {distance:.1f} standard deviations away, likelihood "
                "{ratio:.2g} of the best one's (bounds: 4 and 0.01)",
                values,
            )
        elif best.expected and best.expected[place]:
            yield Cleared(
                "{fault}",
                "{form} would give {expected} for {image}, where {seen} was seen: {distance:.1f} standard deviations away, "
                "likelihood {ratio:.2g} of the best one's; forms tried: {count}",
                values,
            )


def _worst(found: AnswerWeighing, fault: WeighedFault) -> int:
    """The image whose answer is farthest from what the hypothesis gives."""
    away = [
        max((abs(a - b) for a, b in zip(seen, expected, strict=False)), default=0.0)
        for seen, expected in zip(found.seen, fault.expected, strict=False)
    ]
    return max(range(len(away)), key=away.__getitem__) if away else 0


def _more(found: AnswerWeighing) -> Test:
    """Another picture, by its answer: where the card tells apart what is left, what it would be answered."""
    if found.card and found.card_size is not None:
        values: dict[str, Value] = {"width": found.card_size[0], "height": found.card_size[1]}
        outcomes = []
        for i, (label, expected) in enumerate(found.card):
            values |= {f"card{i}": list(expected), f"left{i}": label}
            outcomes.append((f"{{card{i}}}", f"{{left{i}}}"))
        return Test(
            "run the test card on the device (prepcheck init MODEL --test-card {width} {height} -o card.png) and give its answer too",
            tuple(outcomes), values, rank=7,
        )  # fmt: skip
    return Test(
        "run further pictures on the device, the test card among them (prepcheck init MODEL --test-card W H), and give their "
        "answers too: --answer for each image",
        (("one hypothesis is left", "that is the cause"), ("several are left", "dump the input memory: --buffer")),
        rank=9,
    )
