"""Two byte counts differ.

What it checks
    Two byte counts that should be equal: of a line such as `param input size(A) < model input size(B)`, or given with
    --got and --want.

Why it matters
    A buffer of another size is refused, or read beyond its end, or only a part of the input is used.

How it is computed
    Every reading that makes the two numbers equal is listed (batch, element width, channels, row pitch, packed layouts,
    one axis, a frame that was not resized, an encoded file, …), with the shape, type and chip that the text states, and
    ranked by how often each happens. The most probable one is named; the others stand in the details.

Example
    size = 32400 (min_size = 3240000): 3240000 = 100 × 32400: the model was built for a batch of 100.

Fix
    It depends on the reading: build with batch 1, set the type field, allocate size_with_stride, resize the frame, ….

Limits
    Without a shape several readings may fit; a tensor dump in the text, --shape or --model settles most.

References
    rockchip-linux/rknpu2#9, rockchip-linux/rknn-toolkit#478, airockchip/rknn-toolkit2#357; runtime:G-01, runtime:B-03.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import SizeQuestion
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ301",
    "sizes-differ",
    over="sizepair",
    category="size",
    rank=Rank.SIZE,
    sources=("rockchip-linux/rknpu2#9", "rockchip-linux/rknn-toolkit#478", "runtime:G-01", "runtime:B-03"),
)
def check(question: SizeQuestion) -> Iterator[Finding]:
    q = question
    if q.got == q.want:
        return
    values: dict[str, Value] = {"got": q.got, "want": q.want}
    best = q.readings[0] if q.readings and q.readings[0].probability >= q.none else None
    if best is None:
        yield Finding(
            "{got} bytes are given, {want} are wanted.",
            "No usual fault makes these two numbers equal: {want} / {got} = {ratio:.6g}.",
            "Say more: the shape and type of the model's input (--shape, --dtype, or the model itself with --model), and how "
            "the buffer is made.",
            {**values, "ratio": q.want / q.got},
            confidence=0.5,
        )
        return
    others = [r for r in q.readings[1:4] if r.probability >= 0.02]
    rest = " ".join(f"Less likely ({r.probability:.0%}): {r.equation}." for r in others)
    values |= {"equation": best.equation, "reading": best.message, "fix": best.fix, "rest": rest}
    evidence: dict[str, Value] = {
        "got": q.got, "want": q.want, "equation": best.equation, "kind": best.kind,
        "probability": round(best.probability, 3), **_elements(q), **dict(best.parameters),
        "readings": [f"{r.equation} ({r.probability:.2g})" for r in q.readings],
    }  # fmt: skip
    yield Finding(
        "{got} bytes are given, {want} are wanted: {equation}.",
        "{reading} {rest}" if rest else "{reading}",
        "{fix}",
        values,
        evidence=evidence,
        category=best.category,
        confidence=round(0.98 * best.probability, 3),
        scope="conversion" if best.kind == "batch" and best.parameters.get("batch") == 100 else "input",
    )


def _elements(q: SizeQuestion) -> dict[str, Value]:
    """Both sides in elements, where the tensor's elements are wider than a byte."""
    from prepcheck.core.dtypes import BITS

    bits = BITS.get(q.tensor.dtype or "", 8) if q.tensor is not None else 8
    if bits <= 8:
        return {}
    width = bits // 8
    return {"element_bytes": width, "want_elements": q.want / width, "got_elements": q.got / width}
