"""Bounded JSON, Python repr, loosely typed values, float32."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core.float32 import seven_digits, shortest
from prepcheck.errors import CorruptError, TooLargeError
from prepcheck.wire import jsontext, pyrepr, values

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.parametrize(
    "text,words",
    [
        (b"", "does not parse"),
        (b"{", "column"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": Infinity}', "Infinity"),
        (b"\xff", "not UTF-8"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b"9" * 5000, "digits"),
    ],
)
def test_json_faults(text: bytes, words: str) -> None:
    with pytest.raises(CorruptError, match=words) as caught:
        jsontext.parse(text, "m.rknn", 77)
    assert "m.rknn" in caught.value.message
    assert "byte 77" in caught.value.message


def test_json_limits_and_kinds() -> None:
    with pytest.raises(TooLargeError):
        jsontext.parse(b" " * (jsontext.MAX_BYTES + 1), "m")
    with pytest.raises(CorruptError, match="is a list"):
        jsontext.parse_object(b"[]", "m")
    assert jsontext.parse_object(b'\xef\xbb\xbf{"a": 1}', "m") == {"a": 1}


@given(plain)
def test_repr_comes_back(value: object) -> None:
    def listed(v: object) -> object:
        return (
            [listed(x) for x in v]
            if isinstance(v, list)
            else {k: listed(x) for k, x in v.items()}
            if isinstance(v, dict)
            else v
        )

    assert pyrepr.parse(repr(value)) == _without_surrogates(listed(value))


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    if isinstance(value, list):
        return [_without_surrogates(v) for v in value]
    if isinstance(value, dict):
        return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
    return value


@pytest.mark.parametrize(
    "text,value",
    [
        ("(1, 2,)", [1, 2]),
        ("()", []),
        ("{1, 2}", [1, 2]),
        ("{1: 'a', None: 2}", {"1": "a", "None": 2}),
        ("b'ab'", "ab"),
        ("np.float32(0.5)", 0.5),
        ("array([1, 2], dtype=int32)", [1, 2]),
        ("array([1.5], dtype='float32')", [1.5]),
        ("OrderedDict()", None),
        ("[-inf, 1e3, .5, -2.]", [-math.inf, 1000.0, 0.5, -2.0]),
        (r"'\x41\u00e9\U0001f642\n\q'", "Aé🙂\nq"),
        (r"'\ud834'", "\ufffd"),
    ],
)
def test_repr_forms(text: str, value: object) -> None:
    assert pyrepr.parse(text) == value


def test_repr_nan() -> None:
    found = pyrepr.parse("[nan]")
    assert isinstance(found, list)
    assert isinstance(found[0], float)
    assert math.isnan(found[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "{'a'",
        "{'a': }",
        "1 2",
        "'abc",
        "__import__('os').system('x')",
        "[1",
        "{1: 2, 3}",
        "[" * 40,
        "-" * 9999,
        "1" * 500,
        "[" + "1," * 200_000 + "]",
        " " * (pyrepr.MAX_TEXT + 1),
        "lambda: 0",
        "x",
        "$",
    ],
)
def test_repr_faults(text: str) -> None:
    with pytest.raises(pyrepr.ReprError):
        pyrepr.parse(text)


@given(st.text(alphabet="{}[](),:'\"\\ 1.e-abnufxN\n", max_size=60))
def test_repr_of_anything_ends(text: str) -> None:
    try:
        pyrepr.parse(text)
    except pyrepr.ReprError:
        return


def test_values_of_the_wrong_type_are_none() -> None:
    assert (values.integer(True), values.integer(1.0), values.integer(3)) == (None, None, 3)
    assert (values.number(True), values.number("1"), values.number(10**400), values.number(2)) == (
        None,
        None,
        None,
        2.0,
    )
    assert (values.numbers([1, 2.5]), values.numbers([1, "x"]), values.numbers("12")) == ([1.0, 2.5], None, None)
    assert (values.integers([1, 2]), values.integers([1, 2.5]), values.integers(None)) == ([1, 2], None, None)
    assert (values.text("é"), values.text("\ud800é"), values.text(3)) == ("é", "?é", None)
    assert (dict(values.mapping([])), list(values.sequence({}))) == ({}, [])


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_shortest_is_the_same_float32(value: float) -> None:
    short = shortest(value)
    assert struct.pack("<f", short) == struct.pack("<f", value)


@pytest.mark.parametrize("typed", [123.675, 58.395, 0.018658448, 0.003921569, 0.1, 1e-30, 3.4028235e38, 0.0])
def test_shortest_gives_back_what_was_typed(typed: float) -> None:
    stored = struct.unpack("<f", struct.pack("<f", typed))[0]
    assert shortest(stored) == pytest.approx(typed, rel=1e-8)
    assert len(repr(shortest(stored))) <= 14
    assert seven_digits(255 * 0.003921569) == 1.0
    assert shortest(math.inf) == math.inf
    assert shortest(1e300) == 1e300
