"""An output's memory has to be made with size_with_stride.

What it checks
    `Output(NAME): size_with_stride larger than model origin size`.

Why it matters
    Advice; memory made with the smaller size is written beyond its end where the NPU writes the output itself.

How it is computed
    Read off the line; the sizes where the attributes are printed too.

Example
    size 1001, size_with_stride 1008.

Fix
    rknn_create_mem(ctx, attr.size_with_stride).

Limits
    An error only where a smaller allocation is shown.

References
    rockchip-linux/rknn-toolkit2#229
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST302",
    "log-output-stride",
    over="log:out_stride",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=("rockchip-linux/rknn-toolkit2#229",),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent, log_contract: Contract | None = None) -> Iterator[Finding]:
    name = first_event.word("name")
    tensor = next((t for t in log_contract.outputs if t.name == name), None) if log_contract is not None else None
    sizes = tensor is not None and tensor.size is not None and tensor.size_with_stride is not None
    yield Finding(
        "Output {name} takes more memory than its elements: size_with_stride counts"
        + (" ({stride} bytes, not {size})." if sizes else ", not size."),
        "The NPU writes rows with gaps; memory made with attr.size is too short for that.",
        "Make this output's memory with rknn_create_mem(ctx, attr.size_with_stride), and read it with its strides.",
        {"name": name, "size": tensor.size if tensor else None, "stride": tensor.size_with_stride if tensor else None},
        about="log:output",
    )
