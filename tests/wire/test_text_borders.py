"""JSON and Python's repr at the borders of their limits, with whole messages; loosely typed values one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest

from prepcheck.errors import CorruptError, TooLargeError
from prepcheck.wire import jsontext, pyrepr, values
from prepcheck.wire.pyrepr import ReprError


def refused(text: str) -> str:
    with pytest.raises(ReprError) as error:
        pyrepr.parse(text)
    return str(error.value)


def test_limits() -> None:
    assert (jsontext.MAX_BYTES, jsontext.MAX_DIGITS) == (3145728, 400)
    assert (pyrepr.MAX_TEXT, pyrepr.MAX_DEPTH, pyrepr.MAX_VALUES) == (1048576, 32, 100_000)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff", "m: the JSON at byte 7 is not UTF-8 (byte 7)."),
        (b'"a\xff"', "m: the JSON at byte 7 is not UTF-8 (byte 9)."),
        (
            b"{\n1}",
            "m: the JSON at byte 7 does not parse: Expecting property name enclosed in double quotes (line 2, column 1).",
        ),
        (b"[-Infinity]", "m: the JSON at byte 7 does not parse: -Infinity is no JSON."),
        (b"9" * 401, "m: the JSON at byte 7 does not parse: a number of 401 digits."),
        (b"[" * 200_000, "m: the JSON at byte 7 is nested too deeply."),
    ],
)
def test_what_is_wrong_with_a_json(data: bytes, words: str) -> None:
    with pytest.raises(CorruptError) as error:
        jsontext.parse(data, "m", 7)
    assert error.value.message == words
    assert error.value.__cause__ is not None


def test_json_places_count_from_0_where_none_is_given() -> None:
    for read in (jsontext.parse, jsontext.parse_object):
        with pytest.raises(CorruptError, match="the JSON at byte 0 does not parse"):
            read(b"{", "m")


def test_a_json_may_be_as_long_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "MAX_BYTES", 10)
    assert jsontext.parse(b"[1,2,3,45]", "m") == [1, 2, 3, 45]
    with pytest.raises(TooLargeError) as error:
        jsontext.parse(b"[1,2,3,456]", "m", 5)
    assert error.value.message == "m: the JSON at byte 5 has 11 bytes; the limit is 10."


def test_numbers_of_400_digits_are_read() -> None:
    assert jsontext.parse(b"9" * 400, "m") == int("9" * 400)
    assert jsontext.parse(b"[1, -2.5e3, true, null]", "m") == [1, -2500.0, True, None]


def test_an_object_is_told_from_other_json() -> None:
    assert jsontext.parse_object('{"é": [1]}'.encode(), "m", 3) == {"é": [1]}
    with pytest.raises(CorruptError) as error:
        jsontext.parse_object(b"3", "m", 5)
    assert error.value.message == "m: the JSON at byte 5 is a int, an object is expected."
    with pytest.raises(CorruptError, match="m: the JSON at byte 5 does not parse"):
        jsontext.parse_object(b"{", "m", 5)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a'", "a"),
        ('"it\'s"', "it's"),
        ("''", ""),
        ("b''", ""),
        ('b"ab"', "ab"),
        (r"b'\xff'", "ÿ"),
        (r"'a\'b\\c\"d'", "a'b\\c\"d"),
        (r"'\n\r\t\a\b\f\v'", "\n\r\t\a\b\f\v"),
        ("'a\\\nb'", "ab"),  # a line that goes on
        ("'a\nb'", "a\nb"),
        (r"'\x7e\xE9\u20ac\u20AC\U0001f600\U0010FFFF'", "~é€€\U0001f600\U0010ffff"),
        (r"'\ud7ff\ud800\udfff\ue000'", "\ud7ff\ufffd\ufffd\ue000"),
        (r"'\U00110000'", "U00110000"),  # beyond Unicode: no escape
        (r"'\x4'", "x4"),
        ("0", 0),
        ("-12", -12),
        ("+3", 3),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.5e-2", -0.005),
        ("1e3", 1000.0),
        ("2E+2", 200.0),
        ("1.25e1", 12.5),
        ("True", True),
        ("False", False),
        ("None", None),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("[]", []),
        ("()", []),
        ("{}", {}),
        (" [ 1 ,\n2 ] ", [1, 2]),
        ("(1,)", [1]),
        ("[1,]", [1]),
        ("{1,}", [1]),
        ("{'a': 1,}", {"a": 1}),
        ("{'a': {'b': (1, 2)}, 3: None, 'c': []}", {"a": {"b": [1, 2]}, "3": None, "c": []}),
        ("{(1, 2): 3}", {"[1, 2]": 3}),
        ("f()", None),
        ("f(1)", 1),
        ("a.b.c_1(1, 2, x=3)", 1),
        ("f(1, x=int32, y=4, z='s')", 1),
        ("array([1, 2], int32)", [1, 2]),
        ("array([1, 2], dtype=np.int32, copy=False)", [1, 2]),
        ("f([g(1), g(2)], 'x')", [1, 2]),
        ("f(1, x=[2, 3])", 1),
        ("array([1], dtype('int32'), g(), 5)", [1]),
        ("array([1], dtype=dtype('int32'), copy=g())", [1]),
        ("{'a': f(1), 'b': f(2, 3)}", {"a": 1, "b": 2}),
    ],
)
def test_what_a_repr_is_read_as(text: str, value: object) -> None:
    found = pyrepr.parse(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is no value at character 0"),
        ("   ", "'' is no value at character 3"),
        ("[1", "']' is missing at character 2"),
        ("[1 2]", "']' is missing at character 3"),
        ("(1]", "')' is missing at character 2"),
        ("{1: 2]", "'}' is missing at character 5"),
        ("{1: 2, 3}", "':' is missing at character 8"),
        ("{1, 2: 3}", "'}' is missing at character 5"),
        ("[1: 2]", "']' is missing at character 2"),
        ("f(1", "')' is missing at character 3"),
        ("f(1 2)", "')' is missing at character 4"),
        ("f(1, g(2)", "')' is missing at character 9"),
        ("f(1, x=2 3)", "')' is missing at character 9"),
        ("f(1, x=y 3)", "')' is missing at character 9"),
        ("1 2", "something follows the value at character 2"),
        ("[] ]", "something follows the value at character 3"),
        ("1 $", "nothing readable at character 1"),
        ("'abc", "nothing readable at character 0"),
    ],
)
def test_what_is_wrong_with_a_repr(text: str, words: str) -> None:
    assert refused(text) == words


@pytest.mark.parametrize(
    "text", ["x", "+inf", "-nan", "true", "lambda", "=", ",", "]", ":", "[,]", "{'a':}", "f(,)", "f(1,,2)"]
)
def test_words_and_marks_that_are_no_values(text: str) -> None:
    assert "is no value at character" in refused(text)


def test_what_is_no_value_is_named() -> None:
    assert refused("[]x").startswith("something follows")
    assert refused("xyz").startswith("'xyz' is no value")
    assert refused("[1, ]]").startswith("something follows the value at character 5")


def test_a_repr_nests_32_deep() -> None:
    assert pyrepr.parse("[" * 33 + "]" * 33) is not None
    assert refused("[" * 34 + "]" * 34) == "deeper than 32 or more than 100000 values"
    for opening, closing in (("f(", ")"), ("{1: ", "}"), ("(1, ", ")"), ("{0: 1, 1: ", "}"), ("[", "]"), ("(", ",)")):
        assert pyrepr.parse(opening * 32 + "1" + closing * 32) is not None
        assert refused(opening * 33 + "1" + closing * 33).startswith("deeper than 32")
    for opening, closing in (
        ("f(1, ", ")"),
        ("f(1, x=", ")"),
    ):  # the first argument is the value, the others are read over
        assert pyrepr.parse(opening * 32 + "1" + closing * 32) == 1
        assert refused(opening * 33 + "1" + closing * 33).startswith("deeper than 32")
    for start in ("{", "{0: 1, "):  # in keys
        assert pyrepr.parse(start + "(" * 31 + "1" + ",)" * 31 + ": 2}") is not None
        assert refused(start + "(" * 32 + "1" + ",)" * 32 + ": 2}").startswith("deeper than 32")
    assert refused("{" * 34 + "1" + ": 1}" * 34).startswith("deeper than 32")


def test_a_key_that_holds_a_dictionary_is_refused_at_once() -> None:
    """Python has no such key; as text each of them would escape the one inside again, which doubles its length."""
    assert refused("{0: 1, " * 32 + "1" + ": 1}" * 32).startswith("a dictionary in a key")
    assert refused("{" * 32 + "1" + ": 1}" * 32).startswith("a dictionary in a key")
    assert refused("{(1, ({2: 3},)): 4}").startswith("a dictionary in a key")


def test_a_repr_has_as_many_values_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrepr, "MAX_VALUES", 4)
    assert pyrepr.parse("[1, 2, 3]") == [1, 2, 3]
    assert refused("[1, 2, 3, 4]") == "deeper than 32 or more than 4 values"


def test_a_repr_is_as_long_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrepr, "MAX_TEXT", 6)
    assert pyrepr.parse("[1, 2]") == [1, 2]
    assert refused("[1, 23]") == "7 characters; the limit is 6"


def test_whole_numbers_of_a_repr_have_400_signs() -> None:
    assert pyrepr.parse("1" * 400) == int("1" * 400)
    assert refused("1" * 401) == "a number of 401 digits"
    assert pyrepr.parse("1" * 401 + ".") == math.inf


def test_words_stay_what_they_are() -> None:
    found = pyrepr.parse("[True, False, None, 1, 1.0]")
    assert isinstance(found, list)
    assert [type(v) for v in found] == [bool, bool, type(None), int, float]


def each(read: Callable[[values.Value], object], *given: values.Value) -> list[object]:
    """What a question answers for each value."""
    return [read(value) for value in given]


def test_values_come_back_as_they_are() -> None:
    table: dict[str, values.Value] = {"a": 1}
    row: list[values.Value] = [1, "b"]
    assert values.mapping(table) is table
    assert values.sequence(row) is row
    assert each(values.mapping, None, "a", [1]) == [{}, {}, {}]
    assert each(values.sequence, None, "ab", {"a": 1}) == [(), (), ()]
    assert each(values.text, "a", "", "é", "\udc80é", 3, None, ["a"]) == ["a", "", "é", "?é", None, None, None]


def test_numbers_are_no_truth_values() -> None:
    big = 10**400
    assert each(values.integer, 0, -3, big, False, 1.0, "1", None) == [0, -3, big, None, None, None, None]
    assert each(values.number, 0, -3, 2.5, True, "1", None, [1]) == [0.0, -3.0, 2.5, None, None, None, None]
    assert isinstance(values.number(3), float)
    assert values.number(big) is None
    assert values.numbers([1, 2.5, 0]) == [1.0, 2.5, 0.0]
    assert values.numbers([]) == values.integers([]) == []
    assert each(values.numbers, [1, True], [1, big], {"a": 1}, None, 3) == [None] * 5
    assert values.integers([1, -2, 0]) == [1, -2, 0]
    assert each(values.integers, [1, True], [1, 2.0], [None], "12", None) == [None] * 5


def test_json_and_repr_agree_on_plain_data() -> None:
    plain = {"a": [1, -2.5, "é\n'\"\\"], "b": {"c": []}, "d": {}}
    assert pyrepr.parse(repr(plain)) == jsontext.parse(json.dumps(plain).encode(), "m") == plain
