"""One picture goes in as two inputs, Y and UV.

What it checks
    Whether the model was built with inputs_yuv_fmt.

Why it matters
    The application hands over the planes of the camera as they are. NV12 or NV21, matrix and range are not in the
    file.

How it is computed
    A pair of inputs <name>_y_channel and <name>_uv_channel.

Example
    36x20: Y [1,1,20,36], UV [1,1,10,36].

Fix
    Hand over the luma plane and the interleaved chroma plane separately, in the order that inputs_yuv_fmt said.

Limits
    None known.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT016",
    "yuv-inputs",
    over="note:yuv_inputs",
    category="color_space",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "One picture of {size} (width, height) goes in as two inputs, luma (inputs[{y}]) and interleaved "
        "chroma (inputs[{uv}]).",
        "The model converts YUV to RGB itself and normalises inside; whether NV12 or NV21, which matrix and "
        "which range is not stored.",
        "Hand over both planes as the camera gives them, in the format that inputs_yuv_fmt named at the build.",
        {"size": values["size"], "y": values["y"], "uv": values["uv"]},
    )
