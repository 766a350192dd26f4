"""More structures than the model has inputs.

What it checks
    Whether rknn_inputs_set gets more entries than the model has inputs.

Why it matters
    The call is refused with -5, for all inputs, and says why only at log level 3.

How it is computed
    Entries of the call against inputs of the model.

Example
    Two entries for a model with one input: `param input num(2) > model input num(1)`.

Fix
    Pass as many entries as rknn_query(RKNN_QUERY_IN_OUT_NUM) says.

Limits
    Measured on librknnrt 1.5.2; elsewhere a warning. A model of which only some inputs are known gives a false count; state them all.

References
    Measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnInputsSet
from prepcheck.contract.contract import Tensor
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK009",
    "too-many-inputs",
    over="call:rknn_inputs_set",
    category="size",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:G-12", "measured: librknnrt 1.5.2 under emulation"),
    versions=("1.5.2",),
)
def check(call: Call, model_inputs: list[Tensor]) -> Iterator[Finding]:
    assert isinstance(call, RknnInputsSet)
    if len(call.inputs) <= len(model_inputs):
        return
    yield Finding(
        "rknn_inputs_set gets {given} inputs, the model has {want}.",
        "The runtime refuses the whole call with -5 (`param input num({given}) > model input num({want})`, printed at log "
        "level 3 only); rknn_run afterwards returns 0 and computes on what was there before.",
        "Pass {want}: the n_input that rknn_query(RKNN_QUERY_IN_OUT_NUM) gives.",
        {"given": len(call.inputs), "want": len(model_inputs)},
        about="inputs",
    )
