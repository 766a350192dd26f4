"""The submitted bytes are the expected ones.

What it checks
    Whether the bytes that were really submitted are those that the image should have become.

Why it matters
    Then the input is cleared: what goes wrong afterwards lies in the model, the runtime or the reading of the answer.

How it is computed
    Equality up to what another correct implementation may differ: another library's filter, half-pixel rule, JPEG
    decoder, rounding, one step of quantisation, padding bytes between rows. The measured difference is shown. Where
    another scaler than the expected one made the picture it is named; a plan that names its filter makes that RS507.

Example
    Mean difference 0.4 steps, largest 3: Pillow's bilinear against OpenCV's.

Fix
    Nothing. Where another legal form was found (codes, floats, rows of w_stride), bind it as that form.

Limits
    The comparison knows the image and the plan, not what was bound: bytes of another legal form are named.

References
    Tolerances measured between OpenCV, Pillow, MNN and models of RGA.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.diagnosis import BufferDiagnosis, measured
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CN510",
    "buffer-as-expected",
    over="diagnosis:ok",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    sources=("measured: differences between correct implementations",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    values: dict[str, Value] = {
        "mean_difference": diagnosis.mean_difference or 0.0,
        "max_difference": diagnosis.max_difference or 0.0,
        "image": diagnosis.image,
        "handover": diagnosis.handover,
        "expected_handover": diagnosis.expected_handover,
        "file": diagnosis.file,
        "implementation": diagnosis.implementation or "",
        "psnr": diagnosis.psnr or 0.0,
    }
    if diagnosis.implementation and diagnosis.handover in ("", diagnosis.expected_handover):
        yield Finding(
            "The submitted bytes are what {image} should have become, scaled as {implementation} does: {psnr:.4g} dB from the "
            "expected ones, mean difference {mean_difference:.3g}, largest {max_difference:.3g} (of 255).",
            "That is another scaler than the one assumed, and a legal one: no filter was named that excludes it.",
            "Use the filter of training, and name it in the plan to have it checked (resize: {{size: …, filter: …}}).",
            values,
            evidence=measured(diagnosis) | {"implementation": diagnosis.implementation},
        )
        return
    if diagnosis.handover in ("", diagnosis.expected_handover):
        yield Finding(
            "The submitted bytes are what {image} should have become: mean difference {mean_difference:.3g}, largest "
            "{max_difference:.3g} (of 255).",
            "That is within what another correct implementation would differ, so this input is cleared.",
            "If the answer is wrong all the same, look at the model, the runtime or the reading of the answer.",
            values,
            evidence=measured(diagnosis),
        )
        return
    yield Finding(
        "The submitted bytes are what {image} should have become, as {handover} (expected was {expected_handover}): mean "
        "difference {mean_difference:.3g}, largest {max_difference:.3g} (of 255).",
        "That is another legal way to hand the picture over. It is right only if the call declares it so.",
        "Check that type, pass_through and pitch of the call say {handover}; otherwise hand over {expected_handover}.",
        values,
        evidence=measured(diagnosis),
    )
