"""Ids are promises: unique, in the documentation, with all their texts; categories and faults are words of the vocabulary."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import get_args

import pytest

from prepcheck.contract.base import Category
from prepcheck.guarding import kinds, kinds_mnn
from prepcheck.guarding.catalog import all_kinds, page, table
from prepcheck.guarding.finding import Kind

ROOT = Path(__file__).resolve().parents[2]
INTERFACE_FAULTS = {
    "channels_swapped", "planar_instead_of_interleaved", "interleaved_instead_of_planar", "transposed", "center_crop", "scaled_0_1",
    "normalized_on_host", "not_normalized", "mean_std_swapped", "signed_offset", "byte_order", "row_stride", "partial_fill",
    "constant_buffer", "stale_buffer", "encoded_bytes", "nc4hw4_packing",
}  # fmt: skip


def test_ids_are_unique_and_all_used() -> None:
    everything = [v for m in (kinds, kinds_mnn) for v in vars(m).values() if isinstance(v, Kind)]
    assert len(everything) == len(all_kinds())
    source = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "prepcheck" / "guarding").glob("*.py"))
    for module in (kinds, kinds_mnn):
        prefix = module.__name__.rsplit(".", 1)[1]
        for name, value in vars(module).items():
            if isinstance(value, Kind):
                assert re.search(rf"\b{prefix}\.{name}\b", source), f"{name} is never said"


@pytest.mark.parametrize("rule", all_kinds())
def test_kind_is_complete(rule: str) -> None:
    kind = all_kinds()[rule]
    assert re.fullmatch(r"GD\d{3}", rule)
    assert kind.category in get_args(Category)
    assert kind.severity in ("error", "warning")
    assert kind.fault is None or kind.fault in INTERFACE_FAULTS
    assert kind.message
    assert kind.explanation
    assert kind.fix
    for text in (kind.message, kind.explanation, kind.fix):
        for _, field, _, _ in string.Formatter().parse(text):
            assert field is None or field.isidentifier(), field
    assert kind.explanation in (page(rule) or "")


def test_the_table_in_the_documentation_is_the_one_of_the_code() -> None:
    text = (ROOT / "docs" / "guard.md").read_text(encoding="utf-8")
    assert text.endswith("## Every kind\n\n" + table()), "write table() to the end of docs/guard.md again"


def test_an_unknown_id_has_no_page() -> None:
    assert page("GD999") is None
