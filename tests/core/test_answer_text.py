"""Answers as people write them: which numbers are read, how exactly each was printed, and what is refused."""

from __future__ import annotations

import pytest

from prepcheck.core import answer_text
from prepcheck.core.answer_text import Answer, half_unit, parse


def test_half_of_the_last_printed_digit() -> None:
    halves = {
        "12": 0.5, "0": 0.5, "-7": 0.5, "5.": 0.5, "0.5": 0.05, ".5": 0.05, "0.9994": 0.00005, "-0.25": 0.005,
        "1e2": 50.0, "1.2e2": 5.0, "1.2E2": 5.0, "1.25e-3": 5e-6, "3e-2": 0.005, "1.50e+1": 0.05,
    }  # fmt: skip
    for word, half in halves.items():
        assert half_unit(word) == pytest.approx(half, rel=1e-12), word


@pytest.mark.parametrize(
    "text",
    ["0.25,0.75", "[0.25, 0.75]", "[0.25 0.75]", " ( 0.25;0.75 ) ", "{0.25,\n0.75}", "[[0.25],[0.75]]", "0.25\t0.75",
     "+0.25,+.75", ",0.25,,0.75,"],
)  # fmt: skip
def test_numbers_with_any_of_the_usual_marks_between(text: str) -> None:
    found = parse(text)
    assert found.values == (0.25, 0.75)
    assert found.halves == pytest.approx((0.005, 0.005), rel=1e-12)
    assert (found.classes, found.output) == ((), None)


def test_every_way_to_print_a_number() -> None:
    assert parse("1 -2 +3 4. .5 -.5 1.25 1e3 1E3 2.5e-2 -1.5E+2").values == (
        1.0, -2.0, 3.0, 4.0, 0.5, -0.5, 1.25, 1000.0, 1000.0, 0.025, -150.0,
    )  # fmt: skip


def test_the_finest_digits_count_for_all_plain_numbers() -> None:
    """0.2 beside 0.41 lost its zero; a number with an exponent says its own digits."""
    assert parse("0.2, 0.41, 7").halves == pytest.approx((0.005, 0.005, 0.005))
    assert parse("0.2, 1.5e-4, 3E1").halves == pytest.approx((0.05, 5e-6, 5.0))
    assert parse("1e2").halves == (50.0,)
    assert parse("12,7").halves == (0.5, 0.5)


@pytest.mark.parametrize(
    "text",
    ["282:0.41,281:0.2", "282: 0.41, 281: 0.2", "282=0.41;281=0.2", "{282: 0.41, 281: 0.2}", "[282:0.41 281:0.2]",
     " (282 : 0.41,281 =0.2) ", "282:0.41\n281:0.2\n", "282:+.41,281:2e-1"],
)  # fmt: skip
def test_pairs_of_class_and_score(text: str) -> None:
    found = parse(text)
    assert (found.values, found.classes, found.output) == ((0.41, 0.2), (282, 281), None)


def test_scores_of_pairs_are_as_fine_as_printed() -> None:
    assert parse("282: 0.41, 281: 0.2").halves == pytest.approx((0.005, 0.005))
    assert parse("3:-1,4:.25").values == (-1.0, 0.25)


def test_the_name_of_the_output_may_stand_in_front() -> None:
    for text, name in {
        "prob=0.1,0.9": "prob",
        " prob = [0.1, 0.9]": "prob",
        "Prob/out.0:x-y=0.1;0.9": "Prob/out.0:x-y",
        "_p=(+0.1 0.9)": "_p",
        "A1={.1,.9}": "A1",
    }.items():
        found = parse(text)
        assert (found.output, found.values) == (name, (0.1, 0.9)), text
    pairs = parse("prob=282:0.41,281:0.2")
    assert pairs == Answer((0.41, 0.2), pairs.halves, (282, 281), "prob")
    assert parse("out=-0.5").values == (-0.5,)


def test_a_name_in_front_of_no_number_is_no_name() -> None:
    with pytest.raises(ValueError, match="'prob=x' is no number"):
        parse("prob=x")
    with pytest.raises(ValueError, match=r"'9x=0\.5' is no number"):
        parse("9x=0.5")


def test_a_class_given_twice_is_refused_and_named() -> None:
    with pytest.raises(ValueError, match=r"\Aclass 7 stands there twice\Z"):
        parse("3:0.5,7:0.25,7:0.125")
    assert parse("3:0.5,7:0.5").classes == (3, 7)


def test_broken_numbers_are_refused_as_such() -> None:
    for word in ("nan", "NaN", "-nan", "+inf", "inf", "Infinity", "-INFINITY"):
        with pytest.raises(ValueError, match="the answer itself is broken"):
            parse(f"0.5,{word}")
    with pytest.raises(ValueError, match="beyond what a float holds"):
        parse("1e999")
    with pytest.raises(ValueError, match="beyond what a float holds"):
        parse("0.5 -1e999")


@pytest.mark.parametrize(
    "word", ["abc", "1.2.3", "0x10", "1e", "--1", "1_000", "infinite", "nano", ".", "٣", "1:", "a:0.5", "٣:0.5", "1:٣"]
)
def test_words_that_are_no_numbers_are_named(word: str) -> None:
    with pytest.raises(ValueError, match="is no number; numbers with commas between them") as caught:
        parse(f"0.5 {word}")
    assert repr(word) in str(caught.value)
    with pytest.raises(ValueError, match="is no number; numbers"):
        parse(word)


def test_a_long_word_is_shown_by_its_first_forty_letters() -> None:
    with pytest.raises(ValueError, match="is no number") as caught:
        parse("x" * 60)
    assert str(caught.value).startswith(repr("x" * 40) + " ")


def test_no_text_is_no_number() -> None:
    assert parse("") == parse(" [ ] ") == Answer((), ())


def test_whole_numbers_may_be_codes() -> None:
    assert parse("12, -7, 0").whole
    assert not parse("12.0, 7.0").whole
    assert not parse("12, 7, 0.5").whole
    assert not parse("1e2, 3").whole
    assert parse("5., 3").whole
    assert not Answer((0.5, 1.0), (0.5, 0.5)).whole
    assert not Answer((1.0, 1.0), (0.5, 0.05)).whole
    with pytest.raises(ValueError, match="zip"):
        assert Answer((1.0,), (0.5, 0.5)).whole  # every value has its half


def test_a_limit_on_how_many_numbers_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer_text.MAX_NUMBERS == 4_194_304
    monkeypatch.setattr(answer_text, "MAX_NUMBERS", 3)
    assert parse("1,2,3").values == (1.0, 2.0, 3.0)
    with pytest.raises(ValueError, match="4 numbers; at most 3 are read"):
        parse("1,2,3,4")
    with pytest.raises(ValueError, match="4 numbers; at most 3 are read"):
        parse("1:1,2:2,3:3,4:4")
