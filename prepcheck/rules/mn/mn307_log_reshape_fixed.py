"""A Reshape inside the graph is fixed to one size, and the network is run with another.

What it checks
    `Reshape error: A -> B`, with the operator and the input's sizes that follow.

Why it matters
    The exporter wrote the number of elements as a constant. With another picture size resizeSession fails, and the session
    cannot run.

How it is computed
    A is what arrives, B what the constant asks for. A/B a ratio of squares is the ratio of the sides: (416/320)² = 1.69.

Example
    313664 = 116·52², 185600 = 116·40²: the picture is 1.3 times as wide and high as the network was exported for.

Fix
    Use the size of the export, or export with dynamic axes (the Reshape with −1).

Limits
    Where batch or channels changed, the ratio is a whole number and not one of sides.

References
    RangiLyu/nanodet#419, alibaba/MNN#1647, alibaba/MNN#2381.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, isqrt

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.mnn_log import named_op
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule


def square_sides(have: int, need: int) -> tuple[int, int, int] | None:
    """(common factor, side of have, side of need) where have/need is a ratio of two squares; None where it is none."""
    if have < 1 or need < 1 or have == need:
        return None
    common = gcd(have, need)
    a, b = isqrt(have // common), isqrt(need // common)
    if a * a != have // common or b * b != need // common:
        return None
    scale = next((s for s in range(isqrt(common), 0, -1) if common % (s * s) == 0 and max(a, b) * s <= 512), 1)
    return common // (scale * scale), a * scale, b * scale


@rule(
    "MN307",
    "log-reshape-fixed",
    over="log:mnn_reshape",
    category="size",
    rank=Rank.SIZE,
    sources=("RangiLyu/nanodet#419", "alibaba/MNN#1647"),
    scope="conversion",
)
def check(first_event: LogEvent, book: LogBook, world: World) -> Iterator[Finding]:
    have, need = first_event.number("have") or 0, first_event.number("need") or 0
    at = book.near(first_event, "mnn_compute_shape", before=4, after=4)
    sizes = book.near(first_event, "mnn_tensor_shape", before=4, after=8)
    op = named_op(world, at.word("op") or "") if at is not None else None
    sides = square_sides(have, need)
    values: dict[str, Value] = {
        "have": have, "need": need, "ratio": have / need if need else 0.0, "op": at.word("op") if at is not None else None,
        "shape": sizes.numbers("shape") if sizes is not None else None, "layer": op.name if op is not None else None,
        "kind": op.type if op is not None else None,
    }  # fmt: skip
    if sides is not None:
        factor, a, b = sides
        values |= {"factor": factor, "a": a, "b": b, "side": a / b}
    if need <= 0 or have <= 0:
        yield Finding(
            "A Reshape of the graph gets {have} elements and has none to give ({need})"
            + (" (operator {op})." if at is not None else "."),
            "The sizes it needs were not there: an axis is dynamic in a place that it cannot follow (pixel shuffle, a constant of the export), or "
            "the input was not resized." + (" The input is {shape}." if sizes is not None else ""),
            "Call resizeTensor with all sizes and resizeSession; where it stays, export with fixed sizes.",
            values,
            about="log:shape",
        )
        return
    yield Finding(
        "A Reshape of the graph is fixed to {need} elements and gets {have}"
        + (" (operator {op})." if at is not None else "."),
        (
            "{have} = {factor}·{a}², {need} = {factor}·{b}²: {have} / {need} = {ratio:.6g} = {side:.4g}², so the picture is {side:.4g} times "
            "as large on each side as the network was exported for."
            if sides is not None
            else "{have} / {need} = {ratio:.6g}: the network was exported for another size than it is run with."
        )
        + (" The input is {shape}." if sizes is not None else "")
        + (" Operator {op} is {layer} ({kind})." if op is not None else "")
        + ' What follows (Compute Shape Error, "not resized") comes of it.',
        "Run it with the size that it was exported for, or export it again with that Reshape dynamic (−1, dynamic axes).",
        values,
        about="log:shape",
    )
