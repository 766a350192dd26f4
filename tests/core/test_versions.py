"""Versions as toolkits and runtimes print them, and which of two is older."""

from __future__ import annotations

from prepcheck.core.versions import is_older, parts

FINISHED = 1_000_000
"""Build of a version without `bN`: after every build that will ever be."""


def test_parts() -> None:
    read = {
        "2.3.2": (2, 3, 2, FINISHED),
        "1.5.3b13": (1, 5, 3, 13),
        "1.5.3b0": (1, 5, 3, 0),
        "1.6": (1, 6, 0, FINISHED),
        "1.6b2": (1, 6, 0, 2),
        "1.7.5 (ab12cd@2021-01-01T00:00:00)": (1, 7, 5, FINISHED),
        "librknnrt version: 2.0.0b0 (35a6907d79@2024-03-24)": (2, 0, 0, 0),
        "10.20.30": (10, 20, 30, FINISHED),
    }
    assert {text: parts(text) for text in read} == read


def test_no_version() -> None:
    assert [parts(text) for text in ("", "2", "v2", "unknown", "a.b.c", "2-3")] == [None] * 6


def test_older() -> None:
    ascending = ["1.5.2", "1.5.3b0", "1.5.3b13", "1.5.3", "1.6", "1.6.1", "1.10.0", "2.0.0b0", "2.0.0", "2.3.2"]
    for i, one in enumerate(ascending):
        for j, other in enumerate(ascending):
            assert is_older(one, other) == (i < j), (one, other)
    assert not is_older("1.6", "1.6.0")


def test_nothing_is_older_than_what_cannot_be_read() -> None:
    assert is_older("unknown", "2.0.0") is False
    assert is_older("1.0.0", "unknown") is False
    assert is_older("", "") is False
