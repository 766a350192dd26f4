"""Mean and normal of ImageProcess are in the wrong unit, or normal is a standard deviation.

What it checks
    Lists of floats called mean and normal in code that uses MNN's ImageProcess.

Why it matters
    MNN computes (x − mean)·normal with pixels 0..255. Values of a range 0..1 (0.485, 0.229), or a standard deviation in place of its
    inverse, give values that are hundreds of times too large or too small.

How it is computed
    Means up to 1.5 that are not all 0 belong to 0..1. A normal above 1 multiplies pixels; beside a mean of pixels it is a standard
    deviation.

Example
    mean {0.485, 0.456, 0.406}, normal {1/0.229, …}: −2.1 to 1136 instead of −2.1 to 2.6.

Fix
    mean = 255 · m, normal = 1 / (255 · s): 123.675 and 0.01712 for 0.485 and 0.229.

Limits
    Lists with names that do not say mean or normal are not seen.

References
    alibaba/MNN#936, alibaba/MNN#854; measured: MNN 3.6.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, Value, rule

_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


@rule(
    "MN336",
    "log-code-normal",
    over="logbook",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("mnn:I15", "alibaba/MNN#936", "alibaba/MNN#854", "measured: MNN 3.6.1"),
)
def check(book: LogBook) -> Iterator[Finding]:
    if book.first("code_image_format", "code_convert") is None and book.runtime != "mnn":
        return
    lists = book.all("code_mean_list")
    mean = next((e for e in lists if "mean" in (e.word("name") or "").lower()), None)
    normal = next((e for e in lists if "norm" in (e.word("name") or "").lower() and e is not mean), None)
    means, factors = _values(mean), _values(normal)
    if mean is None or normal is None or not means or not factors or len(means) != len(factors):
        return
    low = min((0 - m) * n for m, n in zip(means, factors, strict=True))
    high = max((255 - m) * n for m, n in zip(means, factors, strict=True))
    unit = any(means) and max(means) <= 1.5 and (max(factors) > 0.1)
    deviation = min(factors) > 1.5 and not unit
    if not unit and not deviation:
        return
    values: dict[str, Value] = {
        "mean": tuple(means), "normal": tuple(factors), "low": low, "high": high, "right_mean": tuple(round(255 * m, 4) for m in means),
        "right": 1 / factors[0],
    }  # fmt: skip
    yield Finding(
        "mean {mean} belongs to values 0..1, and ImageProcess works on pixels 0..255: it makes {low:.4g}..{high:.4g} of them."
        if unit
        else "normal {normal} multiplies in MNN: pixels become {low:.4g}..{high:.4g}; it looks like a standard deviation.",
        "MNN computes (x − mean)·normal of 0..255."
        + (
            " mean · 255 = {right_mean}, and normal = 1/(255·std)."
            if unit
            else " 1/{first} = {right:.6g} is the factor for the first channel."
        ),
        "Use mean = 255·m and normal = 1/(255·s)."
        if unit
        else "Use normal = 1/std: {right:.6g} for the first channel.",
        {**values, "first": factors[0]},
        where=normal.where,
        about="log:normal",
    )


def _values(event: LogEvent | None) -> list[float]:
    """The numbers of a list; empty where one is an expression."""
    if event is None:
        return []
    found = []
    for part in (event.word("values") or "").split(","):
        text = part.strip().rstrip("fF").strip()
        quotient = re.fullmatch(rf"({_NUMBER.pattern})f? ?/ ?({_NUMBER.pattern})", text)
        if quotient is not None and float(quotient[2]):
            found.append(float(quotient[1]) / float(quotient[2]))
        elif re.fullmatch(_NUMBER, text):
            found.append(float(text))
        else:
            return []
    return found
