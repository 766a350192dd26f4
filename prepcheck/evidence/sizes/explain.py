"""`explain_size`: what makes two byte counts differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from prepcheck.evidence.sizes.facts import Facts, gather
from prepcheck.evidence.sizes.result import Remark, SizeExplanation
from prepcheck.evidence.sizes.search import Search
from prepcheck.evidence.sizes.texts import DTYPE_UNFIT, NOTHING_FITS, PLATFORM_UNFIT, SHAPE_UNFIT
from prepcheck.evidence.sizes.wording import reading

if TYPE_CHECKING:
    from prepcheck.contract.contract import Contract


def explain_size(
    got: int,
    want: int,
    *,
    shape: Sequence[int] | None = None,
    dtype: str | None = None,
    layout: str | None = None,
    platform: str | None = None,
    runtime: str | None = None,
    contract: Contract | None = None,
) -> SizeExplanation:
    """Every reading that makes `got` (bytes given) and `want` (bytes wanted) equal, most probable first.

    shape: elements per axis of the model's input, or of one item of it, in the order of `layout` (-1 = dynamic: set
    aside). dtype, layout: of the model's input (interface, section 3). platform: SoC, lower case. runtime: rknn, rknn1,
    mnn, rga, onnx, tflite or generic. contract: the model's contract; what is given by name comes before it.

    Probabilities follow from the stated prior (`prepcheck/data/size_priors.json`); with `none_probability` they sum to 1.
    A shape that agrees with neither number is set aside, and a remark says so. Equal numbers are no fault of size: the
    readings then say what equal counts hide.

    Raises UsageError for counts that are no positive whole 64-bit numbers, and for unknown names.
    """
    facts = gather(
        got, want, shape=shape, dtype=dtype, layout=layout, platform=platform, runtime=runtime, contract=contract
    )
    if got == want:
        from prepcheck.evidence.sizes.equal import explain_equal  # rarely asked

        return explain_equal(facts)
    facts, search = _search(facts)
    total = sum(found.weight for found in search.readings.values()) + search.none
    ranked = sorted(search.readings.values(), key=lambda found: (-found.weight, str(found.label)))
    readings = tuple(reading(found, facts, found.weight / total) for found in ranked) if total else ()
    remarks = facts.remarks
    if not search.fits:
        remarks = (*remarks, Remark(NOTHING_FITS, {"got": got, "want": want}))
    return SizeExplanation(got, want, readings, search.none / total if total else 1.0, remarks)


def _search(facts: Facts) -> tuple[Facts, Search]:
    """The search with all facts; where nothing fits, one that agrees with nothing is set aside: shape, platform, type."""
    search = Search(facts)
    if search.fits:
        return facts, search
    tries = []
    if facts.shape is not None and not _agrees(facts.shape, facts):
        said = Remark(SHAPE_UNFIT, {"got": facts.got, "want": facts.want, "shape": "x".join(map(str, facts.shape))})
        facts = replace(facts.without_tensor(), remarks=(*facts.remarks, said))
        tries.append(facts)
    if facts.platform is not None:
        said = Remark(PLATFORM_UNFIT, {"platform": facts.platform})
        tries.append(replace(facts, platform=None, remarks=(*facts.remarks, said)))
    if facts.dtype is not None:
        said = Remark(DTYPE_UNFIT, {"dtype": facts.dtype})
        tries.append(replace(facts, dtype=None, width=None, remarks=(*facts.remarks, said)))
    for fewer in tries:
        again = Search(fewer)
        if again.fits:
            return fewer, again
    return facts, Search(facts)


def _agrees(shape: tuple[int, ...], facts: Facts) -> bool:
    """Whether one of the counts is a multiple of the stated tensor, or of one item of it."""
    whole = prod(shape)
    return any(not count % elements for count in (facts.got, facts.want) for elements in {whole, whole // shape[0]})
