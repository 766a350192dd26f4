"""resizeTensor is given its sizes in another order, or sizes that the input cannot have.

What it checks
    The shape of resizeTensor against the input's layout and against the picture that is handed over.

Why it matters
    NCHW is batch, channels, height, width. A picture of 640x480 (width x height) is [1, 3, 480, 640]; with the two exchanged
    the bytes still fit and the picture is sheared noise. Channels in another place change what every value means.

How it is computed
    Number of axes; channels against those of the file; height and width against the picture of the steps, else of the buffer.

Example
    [1, 3, 640, 480] for a picture 640 wide and 480 high.

Fix
    Shapes have the height before the width.

Limits
    Square pictures cannot show it. Where the picture is another one altogether, SZ010 and MN003 judge.

References
    alibaba/MNN#1134.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import dims_of
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN013",
    "resize-axes",
    over="mnn_resize",
    category="size",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("alibaba/MNN#1134", "arithmetic"),
)
def check(
    shape: tuple[int, ...], file_shape: list[int], label: str, input_layout: str | None = None,
    picture_size: tuple[int, int] | None = None,
) -> Iterator[Finding]:  # fmt: skip
    values: dict[str, Value] = {
        "label": label,
        "shape": shape,
        "file": tuple(file_shape),
        "layout": input_layout or "NCHW",
    }
    if len(shape) != len(file_shape):
        yield Finding(
            "resizeTensor gives {label} {count} axes {shape}; it has {want}: {file}.",
            "The network was built for {want} axes; with another number it is computed on other sizes, or not at all.",
            "Give one size for each axis of the file's shape.",
            {**values, "count": len(shape), "want": len(file_shape)},
        )
        return
    dims, wanted = dims_of(input_layout or "NCHW", shape), dims_of(input_layout or "NCHW", file_shape)
    if dims is None or wanted is None or len(shape) != 4:
        return
    if wanted.c > 0 and dims.c != wanted.c:
        last = wanted.c == (shape[3] if input_layout != "NHWC" else shape[1])
        yield Finding(
            "resizeTensor gives {label} {channels} channels; the network has {want}.",
            "{shape} read as {layout} has {channels} where {file} has {want}."
            + (" The sizes are those of the other layout." if last else ""),
            "Write the sizes in the order of {layout}.",
            {**values, "channels": dims.c, "want": wanted.c},
            category="layout",
        )
        return
    if (
        picture_size is None
        or picture_size[0] == picture_size[1]
        or (dims.h, dims.w) != (picture_size[0], picture_size[1])
    ):
        return
    width, height = picture_size
    sizes = {"C": dims.c, "N": dims.n, "H": height, "W": width}
    right = tuple(sizes[axis] for axis in ("NHWC" if input_layout == "NHWC" else "NCHW"))
    yield Finding(
        "resizeTensor gives {label} {shape} for a picture of {width}x{height} (width x height): height and width are exchanged.",
        "{layout} has the height before the width: {right}. The number of bytes agrees and hides it.",
        "resizeTensor(input, {right}).",
        {**values, "width": width, "height": height, "right": right},
        fault="transposed",
    )
