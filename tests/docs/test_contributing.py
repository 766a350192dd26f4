"""The rule that CONTRIBUTING.md shows is one: it is judged like any other."""

from __future__ import annotations

import pytest

from prepcheck.engine.reporting import to_finding
from prepcheck.engine.running import Outcome, run
from prepcheck.registry import RULES
from tests.cli.run import ROOT
from tests.docs.blocks import blocks
from tests.rules.harness import world_of


@pytest.mark.parametrize("size", [32, 48, None])
def test_the_example_is_a_rule(size: int | None) -> None:
    [code] = [b for b in blocks(ROOT / "CONTRIBUTING.md") if b.language == "python"]
    try:
        exec(compile(code.body, "CONTRIBUTING.md", "exec"), {"__name__": "example"})
        outcome = _judged(size)
    finally:
        RULES.pop("SZ099", None)
    if size is None:
        assert [u.fact for u in outcome.unknown] == ["size"]
    elif size == 48:
        assert not outcome.found and not outcome.unknown
    else:
        [found] = [to_finding(f) for f in outcome.found]
        assert (found.message, found.explanation) == (
            "32 bytes are given, 48 are wanted.", "48 − 32 = 16 bytes are missing.",
        )  # fmt: skip


def _judged(size: int | None) -> Outcome:
    """The example on a call that gives `size` bytes for an input of 48."""
    given = {"index": 0, "buffer": "b", "type": "UINT8", "fmt": "NHWC"} | ({} if size is None else {"size": size})
    plan = {
        "runtime": "rknn",
        "model": {"inputs": [{"name": "in", "layout": "NHWC", "shape": [1, 4, 4, 3], "dtype": "uint8"}]},
        "buffers": {"b": {"dtype": "uint8"}},
        "calls": [{"api": "rknn_inputs_set", "inputs": [given]}],
    }
    return run([RULES["SZ099"]], world_of({"plan": plan}))
