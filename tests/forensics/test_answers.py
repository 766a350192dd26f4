"""Answers as evidence: hypotheses rendered like the independent generator's bytes, numbers read, likelihoods weighed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from prepcheck.core.answer_text import Answer, half_unit, parse
from prepcheck.forensics import BufferSpec, Expected
from prepcheck.forensics.answers import AS_PLANNED, FLOAT, QUANTIZED, Hypothesis, hypotheses_for, weigh
from prepcheck.forensics.answers.forward import Renderer
from prepcheck.forensics.answers.hypotheses import Recipe
from prepcheck.forensics.answers.priors import PRIOR
from prepcheck.forensics.answers.reading import Output, read
from prepcheck.forensics.naming import ORDER
from prepcheck.forensics.views import expected_view
from tests.forensics.build import build
from tests.forensics.contracts import SMALL, Contract, coloured, resized
from tests.forensics.photos import scene

SPECIAL = (
    "header_offset",
    "constant_buffer",
    "partial_fill",
    "yuv_as_rgb",
    "encoded_bytes",
    "stale_buffer",
    "center_crop",
)
PARAMETERS = ("degrees", "box", "fill", "got", "want", "crop", "dx", "dy", "filter", "by", "mean", "std", "order", "from", "used",
              "direction", "c2", "layout")  # fmt: skip


def expected_of(contract: Contract, image: Any, previous: Any = None) -> Expected:
    """As the plan would have it: resized by OpenCV, letterboxed where the contract says so."""
    from tests.forensics.build import pixels

    spec = contract.for_source(*image.shape[:2])
    earlier = () if previous is None else (("before", pixels(previous, contract, [])),)
    return Expected(image, "RGB", pixels(image, contract, []), spec, previous=earlier)


def single(spec: BufferSpec) -> BufferSpec:
    return replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec


def faulty(h: Hypothesis) -> list[dict[str, Any]]:
    """The hypothesis in the generator's words."""
    if h.name == AS_PLANNED:
        return []
    fault: dict[str, Any] = {"name": h.name, **{k: v for k, v in h.evidence.items() if k in PARAMETERS}}
    if h.recipe.pose.turn_source != "none":
        fault["_at"] = "source"
    if h.name == "shifted":
        border = h.recipe.pose.border
        fault["border"] = border if isinstance(border, str) else 0
    if h.recipe.mix is not None and h.recipe.mix.encode is not None:
        fault["_encode"] = h.recipe.mix.encode
    chain = [fault]
    if h.evidence.get("values") == "divided by 255":
        chain.insert(0, {"name": "scaled_0_1", "by": 255.0})
    return chain


@pytest.mark.parametrize("contract", SMALL, ids=lambda c: c.name)
def test_hypotheses_give_what_the_independent_generator_builds(contract: Contract) -> None:
    image = scene(3, 250, 180)
    contract = replace(contract, spec=single(contract.spec))
    expected = expected_of(contract, image)
    renderer, view = Renderer(expected), expected_view(expected.spec)
    told = hypotheses_for(expected.spec, (180, 250), previous=False, file_format=None)
    compared = 0
    for h in told:
        if h.name in SPECIAL or (h.recipe.table is not None and h.name != "inverted"):
            continue  # casts of values have many forms; the others hold bytes that nobody knows
        if h.evidence.get("filter") == "area":
            continue  # Pillow's box, where the generator has OpenCV's area
        ours = renderer.elements(h)
        assert ours is not None
        data = np.frombuffer(build(image, contract, faulty(h)), np.uint8)
        theirs = view.read(data)[0]
        with np.errstate(invalid="ignore"):
            a, b = (np.nan_to_num(x.astype(np.float64), posinf=1e6, neginf=-1e6) for x in (ours, theirs))
        span = np.ptp(np.clip(b, -1e4, 1e4)) or 1.0
        away = float((np.abs(a - b) > 0.02 * span).mean())
        assert away < 0.02, (h.label, away)
        compared += 1
    assert compared >= 15


def test_every_fault_of_the_vocabulary_is_tried_or_known_to_be_beyond_answers() -> None:
    tried: set[str] = set()
    image = scene(3, 250, 180)
    for contract in SMALL:
        spec = single(contract.for_source(180, 250))
        tried |= {h.name for h in hypotheses_for(spec, image.shape[:2], previous=True, file_format="jpeg")}
    # An answer is about one slot of a batch; another picture has no forward form.
    assert set(ORDER) - tried <= {"batch_partial", "different_image"}
    assert set(PRIOR) <= {*ORDER, AS_PLANNED}


def test_a_second_opinion_differs_only_where_something_is_open() -> None:
    contract = SMALL[2]
    image = scene(3, 250, 180)
    whole = expected_of(contract, resized(image, contract.size[1], contract.size[0]))
    again = Renderer(whole, second=True)
    for h in hypotheses_for(whole.spec, contract.size, previous=False, file_format=None):
        made = again.elements(h)
        open_ = (
            h.recipe.header or h.recipe.pitch or h.recipe.rows or (h.recipe.mix and h.recipe.mix.encode) or h.recipe.raw
        )
        assert (made is not None) == bool(open_), h.label


def test_a_fault_without_a_picture_before_says_nothing() -> None:
    contract = SMALL[2]
    stale = Hypothesis("stale_buffer", {}, Recipe(previous=True))
    assert Renderer(expected_of(contract, scene(3, 250, 180))).elements(stale) is None
    made = Renderer(expected_of(contract, scene(3, 250, 180), scene(4, 250, 180))).elements(stale)
    want = expected_of(contract, scene(4, 250, 180)).pixels
    assert made is not None
    assert np.abs(made * 255.0 - want).max() < 1e-3


@pytest.mark.parametrize(
    ("text", "values", "half", "classes"),
    [
        ("0.9994,0.0006", (0.9994, 0.0006), 0.00005, ()),
        ("[0.99 0.01]", (0.99, 0.01), 0.005, ()),
        ("282:0.41, 281:0.2", (0.41, 0.2), 0.005, (282, 281)),
        ("-128;127", (-128.0, 127.0), 0.5, ()),
        ("1.5e-3 2e1", (0.0015, 20.0), 0.00005, ()),
    ],
)
def test_numbers_are_read_with_their_digits(text: str, values: Any, half: float, classes: Any) -> None:
    answer = parse(text)
    assert (answer.values, answer.classes) == (values, classes)
    assert answer.halves[0] == pytest.approx(half)


@pytest.mark.parametrize(
    ("text", "word"), [("nan,1", "nan"), ("1,x", "'x'"), ("3:0.1,3:0.2", "class 3"), ("1e999", "beyond")]
)
def test_what_is_no_answer_is_refused(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        parse(text)


def test_an_output_by_its_name() -> None:
    assert parse("prob=0.1,0.9").output == "prob"
    assert half_unit("12") == 0.5


def outputs(*sizes: int, **more: Any) -> list[Output]:
    return [Output(f"o{i}", n, **more) for i, n in enumerate(sizes)]


def test_logits_seen_as_probabilities_are_compared_after_a_softmax() -> None:
    planned = {"o0": np.array([[2.0, -1.0, 0.5]])}
    reading = read(parse("0.7856,0.0391,0.1753"), outputs(3), planned)
    assert "softmax" in reading.notes
    assert reading.seen.kind == "probability"
    assert reading.of(planned) == pytest.approx([0.7856, 0.0391, 0.1753], abs=1e-4)


def test_codes_become_values() -> None:
    planned = {"o0": np.array([1.5, -2.0, 0.25])}
    reading = read(parse("15,-20,3"), outputs(3, scale=0.1, zero_point=0, dtype="int8"), planned)
    assert reading.seen.values == pytest.approx([1.5, -2.0, 0.3])
    assert reading.seen.halves == pytest.approx([0.05] * 3)


def test_the_largest_ones_sorted() -> None:
    planned = {"o0": np.linspace(0, 1, 50)}
    reading = read(parse("0.9,0.8,0.7"), outputs(50), planned)
    assert reading.seen.ordered
    assert reading.of(planned) == pytest.approx(planned["o0"][::-1][:3])


def test_class_lists_name_their_places() -> None:
    planned = {"o0": np.linspace(0, 1, 50), "o1": np.zeros(4)}
    reading = read(parse("49:0.9,3:0.1"), outputs(50, 4), planned)
    assert reading.of(planned) == pytest.approx([1.0, 3 / 49])


@pytest.mark.parametrize(
    ("text", "sizes", "word"),
    [
        ("0.1,0.2,0.3", (2,), "it has 3 numbers"),
        ("9:0.5", (4,), "class 9 is in none"),
        ("0.1,0.2", (2, 2), "write NAME="),
        ("p=0.1,0.2", (2,), "no output p"),
        ("2:0.5", (4, 4), "several outputs have a class 2"),
    ],
)
def test_numbers_that_are_not_those_of_the_outputs(text: str, sizes: tuple[int, ...], word: str) -> None:
    planned = {f"o{i}": np.zeros(n) for i, n in enumerate(sizes)}
    with pytest.raises(ValueError, match=word):
        read(parse(text), outputs(*sizes), planned)


def test_one_slot_of_a_batch() -> None:
    planned = {"o0": np.array([[0.2, 0.8], [0.5, 0.5]])}
    reading = read(parse("0.2,0.8"), outputs(4), planned, batch=2)
    assert reading.of(planned) == pytest.approx([0.2, 0.8])


NAMES = (AS_PLANNED, "channels_swapped", "flipped_vertical", "inverted", "transposed", "gray_replicated")


def made(names: tuple[str, ...] = NAMES) -> list[Hypothesis]:
    return [Hypothesis(n, {}, Recipe()) for n in names]


def two(logit: float) -> np.ndarray[Any, Any]:
    p = 1 / (1 + np.exp(-logit))
    return np.array([p, 1 - p])


def weighed(texts: list[str], logits: list[list[float]], noise: Any = FLOAT, names: tuple[str, ...] = NAMES) -> Any:
    """logits: for each image, one for each hypothesis."""
    seen, runs = [], []
    for text, row in zip(texts, logits, strict=True):
        reading = read(parse(text), outputs(2), {"o0": two(row[0])})
        seen.append(reading.seen)
        runs.append([[two(v)] for v in row])
    return weigh(made(names), seen, runs, noise)


def test_one_fault_left_over_three_images_is_named() -> None:
    rows = [[3.0, 1.0, -2.0, 0.5, 2.0, -1.0], [-2.5, 1.0, 0.2, 2.0, 0.1, 3.0], [1.2, -3.0, 0.4, 2.0, -1.0, 0.0]]
    texts = [f"{two(r[2])[0]:.4f},{two(r[2])[1]:.4f}" for r in rows]
    found = weighed(texts, rows)
    assert (found.verdict, found.name) == ("named", "flipped_vertical")
    assert {r.hypothesis.name for r in found.excluded} == set(NAMES) - {"flipped_vertical"}
    assert found.chance < 0.05


def test_two_with_the_same_answers_are_never_named() -> None:
    rows = [[3.0, 1.0, -2.0, -2.0, 2.0, -1.0], [-2.5, 1.0, 0.2, 0.2, 0.1, 3.0], [1.2, -3.0, 0.4, 0.4, -1.0, 0.0]]
    found = weighed([f"{two(r[2])[0]:.4f},{two(r[2])[1]:.4f}" for r in rows], rows)
    assert (found.verdict, found.name) == ("left", None)
    assert {r.hypothesis.name for r in found.first} == {"flipped_vertical", "inverted"}


def test_one_answer_may_fit_by_chance() -> None:
    rows = [[3.0, 1.0, -2.0, 0.5, 2.0, -1.0]]
    found = weighed([f"{two(-2.04)[0]:.4f},{two(-2.04)[1]:.4f}"], rows)
    assert found.verdict == "left"
    assert found.chance > 0.05


def test_answers_that_nothing_gives() -> None:
    rows = [[3.0, 1.0, -2.0, 0.5, 2.0, -1.0], [-2.5, 1.0, 0.2, 2.0, 0.1, 3.0]]
    found = weighed(["0.0001,0.9999", "0.0001,0.9999"], rows)
    assert found.verdict == "not_explained"


def test_the_planned_input_is_a_hypothesis() -> None:
    rows = [[3.0, 1.0, -2.0, 0.5, 2.0, -1.0], [-2.5, 1.0, 0.2, 2.0, 0.1, 3.0], [1.2, -3.0, 0.4, 2.0, -1.0, 0.0]]
    found = weighed([f"{two(r[0])[0]:.4f},{two(r[0])[1]:.4f}" for r in rows], rows)
    assert (found.verdict, found.name) == ("as_planned", None)


def test_a_saturated_answer_excludes_little() -> None:
    rows = [[12.0, 14.0, 11.0, 15.0, 10.5, -5.0]]
    found = weighed(["1.0000,0.0000"], rows)
    assert [r.hypothesis.name for r in found.excluded] == ["gray_replicated"]


def test_an_int8_device_is_given_more_room() -> None:
    rows = [[3.0, 1.0, -2.0, 0.5, 2.2, -1.0]] * 2
    texts = [f"{two(2.75)[0]:.4f},{two(2.75)[1]:.4f}"] * 2
    assert AS_PLANNED in {r.hypothesis.name for r in weighed(texts, rows, FLOAT).excluded}
    assert AS_PLANNED not in {r.hypothesis.name for r in weighed(texts, rows, QUANTIZED).excluded}


def test_what_says_nothing_about_an_image_is_not_judged_by_it() -> None:
    hypotheses = made((AS_PLANNED, "stale_buffer", "inverted"))
    reading = [read(parse(t), outputs(2), {"o0": two(2.0)}) for t in ("0.5000,0.5000", "0.2689,0.7311")]
    runs: list[list[Any]] = [[[two(2.0)], None, [two(-3.0)]], [[two(2.0)], [two(-1.0)], [two(-3.0)]]]
    found = weigh(hypotheses, [r.seen for r in reading], runs, FLOAT)
    assert found.ranked[0].hypothesis.name == "stale_buffer"
    assert not found.ranked[0].excluded


def test_broken_numbers_of_a_hypothesis_exclude_it() -> None:
    hypotheses = made((AS_PLANNED, "float32_bytes"))
    reading = read(parse("1.5,-2.0,0.3"), outputs(3), {"o0": np.array([1.5, -2.0, 0.3])})
    found = weigh(hypotheses, [reading.seen], [[[np.array([1.5, -2.0, 0.3])], [np.full(3, np.nan)]]], FLOAT)
    assert [r.hypothesis.name for r in found.excluded] == ["float32_bytes"]


def test_no_numbers_at_all() -> None:
    with pytest.raises(ValueError, match="no numbers"):
        read(Answer((), ()), outputs(2), {"o0": np.zeros(2)})


def test_colours_of_the_generator_are_those_of_the_spec() -> None:
    assert (coloured(scene(1)[:2, :2], "BGR") == scene(1)[:2, :2, ::-1]).all()
