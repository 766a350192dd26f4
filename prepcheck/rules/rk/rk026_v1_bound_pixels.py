"""Raw pixels bound on the first generation, where they are no codes.

What it checks
    Whether uint8 pixels bound by rknn_set_io_mem on rk1808, rk3399pro, rv1109 or rv1126 are the model's codes as they are.

Why it matters
    Bound memory is read as codes: neither mean, std nor scale is applied. That is right only for uint8 affine models with
    one integer mean and one std for all channels, calibrated over 0…255 (scale = 1/std, zero point = mean).

How it is computed
    code of pixel x = x/(std·scale) + zero point - mean/(std·scale); pixels are codes where the factor is 1 and the rest 0.

Example
    mean 127.5, std 127.5: scale 1/127.5, zero point 128: off by half a code (accepted); int8 dynamic fixed point: no.

Fix
    Use rknn_inputs_set with type UINT8, or quantise in the application: rint(((x - mean)/std)/scale) + zero point.

Limits
    A difference of up to one code is accepted.

References
    RKNN API guide 1.7.5 §3.2.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK026",
    "v1-bound-pixels",
    over="bound",
    category="quantization",
    rank=Rank.TYPE,
    runtimes=("rknn1",),
    sources=("runtime:V-08", "RKNN API guide 1.7.5 §3.2.3.3"),
)
def check(input: InputThing, content_dtype: str, label: str, bind_where: str) -> Iterator[Finding]:
    tensor = input.tensor
    if content_dtype != "uint8":
        return
    if tensor.dtype != "uint8" or tensor.scheme != "affine":
        yield Finding(
            "{label} holds {dtype} codes ({scheme}); uint8 pixels bound as memory are read as those codes.",
            "Bound memory is not converted. Pixels are codes only in a uint8 affine model.",
            "Use rknn_inputs_set with type RKNN_TENSOR_UINT8, or quantise to {dtype} in the application.",
            {"label": label, "dtype": tensor.dtype, "scheme": tensor.scheme, "link": "write -> binding"},
            where=bind_where,
        )
        return
    scale, zero_point = input.scale, input.zero_point
    channels = max(len(input.mean), len(input.std))
    for c in range(channels):
        mean, std = input.mean[c % len(input.mean)], input.std[c % len(input.std)]
        ends = [(x - mean) / std / scale + zero_point for x in (0.0, 255.0)]
        if abs(ends[0]) <= 1.0 and abs(ends[1] - 255.0) <= 1.0:
            continue
        yield Finding(
            "Pixels are not the codes of {label}: pixel 0 belongs to code {first:.4g} and pixel 255 to code {last:.4g}.",
            "(255 - {mean}) / {std} / {scale} + {zero_point} = {last:.4g} in channel {channel}. Bound memory is read as codes; "
            "mean, std and scale are not applied.",
            "Use rknn_inputs_set with type RKNN_TENSOR_UINT8, or quantise each pixel in the application before writing it.",
            {
                "label": label, "first": ends[0], "last": ends[1], "mean": mean, "std": std, "scale": scale,
                "zero_point": zero_point, "channel": c, "link": "write -> binding",
            },
            where=bind_where,
        )  # fmt: skip
        return
