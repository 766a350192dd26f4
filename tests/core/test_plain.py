"""Values of any origin as ones that JSON can hold."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import get_args, get_origin

from prepcheck.core.plain import Value, to_value


def test_what_json_holds_stays_as_it_is() -> None:
    for value in (None, True, False, 0, 7, -1.5, "", "text"):
        found = to_value(value)
        assert found == value
        assert type(found) is type(value)


def test_the_inside_of_mappings_and_sequences_is_turned_too() -> None:
    given = OrderedDict([("a", (1, 2.5, PurePosixPath("x/y"))), (3, {"deep": [Fraction(1, 3), None]})])
    wanted = {"a": [1, 2.5, "x/y"], "3": {"deep": ["1/3", None]}}
    found = to_value(given)
    assert found == wanted
    assert type(found) is dict
    assert json.loads(json.dumps(found)) == wanted
    assert to_value([()]) == [[]]


def test_anything_else_becomes_its_text() -> None:
    assert to_value(Fraction(1, 3)) == "1/3"
    assert to_value(frozenset({1})) == "frozenset({1})"
    assert to_value(b"ab") == "b'ab'"


def test_the_kinds_of_values_are_those_of_json() -> None:
    kinds = {get_origin(kind) or kind for kind in get_args(Value)}
    assert kinds == {type(None), bool, int, float, str, list, tuple, Mapping}
