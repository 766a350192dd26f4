"""Values beyond the range of an int8 input that is no picture.

What it checks
    Whether float values for a quantised input with other than four dimensions stay within what its codes hold.

Why it matters
    Four-dimensional inputs saturate. All others wrap round modulo 256: a value just above the range becomes one at the
    bottom. The simulator saturates, so it looks right on the PC.

How it is computed
    Range of the content against (-128 - zero point) x scale … (127 - zero point) x scale.

Example
    scale 1, zero point -128 holds 0…255; 300 becomes -84 as a code, where saturation would give 127.

Fix
    Clip the values to the range, or calibrate again with data that covers them.

Limits
    Needs the range of the values. Measured on librknnrt 1.5.2 and librknnmrt 2.3.2.

References
    Measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation; simulator of rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK024",
    "vector-values-wrap",
    over="submitted",
    category="quantization",
    rank=Rank.VALUES,
    runtimes=("rknn",),
    sources=("runtime:Q-05", "format:5b-8", "measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation"),
    versions=("1.5.2", "2.3.2"),
)
def check(
    vector_range: tuple[float, float], content_range: tuple[float, float], input: InputThing, label: str
) -> Iterator[Finding]:
    low, high = vector_range
    step = input.scale
    if content_range[0] >= low - step and content_range[1] <= high + step:
        return
    worst = content_range[1] if content_range[1] > high + step else content_range[0]
    code = round(worst / step) + input.zero_point
    yield Finding(
        "Values of {label} reach {least}..{most}; its codes hold {low}..{high}, and beyond that they wrap round.",
        "{worst} / {step} + {zero_point} = {code}, which as a byte is {wrapped}: the value {value}. Inputs with {rank} dimensions "
        "are not saturated by the runtime; the simulator saturates them.",
        "Clip to {low}..{high} before the call, or calibrate with data that covers {least}..{most}.",
        {
            "label": label, "least": content_range[0], "most": content_range[1], "low": low, "high": high, "worst": worst,
            "step": step, "zero_point": input.zero_point, "code": code, "wrapped": (code + 128) % 256 - 128,
            "value": ((code + 128) % 256 - 128 - input.zero_point) * step, "rank": len(input.shape),
        },
    )  # fmt: skip
