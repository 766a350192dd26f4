"""The file with the weights is missing.

What it checks
    Whether the .weight file that an MNN model keeps its weights in lies beside it.

Why it matters
    MNN runs all the same: createSession and runSession return 0, the answer is garbage.

How it is computed
    The model names offsets and lengths in a file called <model>.weight.

Example
    extweight.mnn needs extweight.mnn.weight with 73856 bytes.

Fix
    Copy the .weight file beside the model, under the model's full name plus .weight, or call setExternalFile.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT030",
    "external-weight-missing",
    over="note:external_weight_missing",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The weights of {operators} operators lie in {expected_file}, which is not there ({need_bytes} bytes "
        "are needed).",
        "The model was converted with --saveExternalData. MNN does not complain about the missing file: every"
        " call returns 0 and the answer is garbage. Long enough files beside it: {count}, {candidates}.",
        "Copy {expected_file} beside the model (the name is the model's full name plus .weight; rename it "
        "when the model is renamed), or call setExternalFile.",
        {
            "operators": values["operators"],
            "expected_file": values["expected_file"],
            "need_bytes": values["need_bytes"],
            "candidates": values["candidates"] or ["none"],
            "count": len(candidates) if isinstance(candidates := values["candidates"], list) else 0,
        },
    )
