"""Axes of a .mnn input that do not mean what its layout says: a first axis of −1, and N, H, W, C called NCHW."""

from __future__ import annotations

from typing import Final

from prepcheck.contract.contract import Note, Tensor
from prepcheck.readers.mnn_net import MnnNet, MnnOp
from prepcheck.readers.mnn_schema import Main, OpType
from prepcheck.readers.notes import note

_PASSING: Final = frozenset({OpType.BINARY, OpType.CAST, OpType.CONVERT_TENSOR, OpType.UNARY})
"""Operators that leave the axes where they are, as a normalisation inside the graph does."""
_IMAGE_OPS: Final = frozenset(
    {
        OpType.CONVOLUTION,
        OpType.CONVOLUTION_DEPTHWISE,
        OpType.DECONVOLUTION,
        OpType.CONV_INT8,
        OpType.DEPTHWISE_CONV_INT8,
    }
)
"""Operators for which axis 1 is the channels, whatever the sizes look like."""
_TO_CHANNELS_FIRST: Final = (0, 3, 1, 2)


def axis_notes(net: MnnNet, number: int, tensor: Tensor) -> list[Note]:
    """Notes about the axes of input tensor `number`."""
    shape, name = tensor.shape or [], tensor.name
    notes = []
    if shape and shape[0] == -1:
        notes.append(note("batch_minus_one", input=tensor.index, name=name, dims=shape))
    if tensor.layout in ("NCHW", "NC4HW4") and _looks_like_nhwc(shape):
        reader = _first_reader(net, number)
        transposed = reader is not None and _transposes(reader)
        is_image_op = reader is not None and reader.type in _IMAGE_OPS
        # one channel in the last place is no evidence by itself: 1 x 64 x 100 x 1 is also a sequence of 64 features
        if transposed or (not is_image_op and shape[3] != 1):
            notes.append(
                note(
                    "nhwc_dims_in_nchw",
                    input=tensor.index,
                    name=name,
                    dims=shape,
                    layout=tensor.layout,
                    consumer=reader.type_name if reader is not None else None,
                    transposed=transposed,
                )
            )
    return notes


def _looks_like_nhwc(shape: list[int]) -> bool:
    """Four axes, the last as many as an image has channels, the two before it larger than that or dynamic."""
    return len(shape) == 4 and shape[3] in (1, 3, 4) and all(d > 4 or d == -1 for d in shape[1:3])


def _first_reader(net: MnnNet, number: int) -> MnnOp | None:
    """The first operator that reads a tensor and is more than elementwise. Operators stand in the order they run in."""
    for op in net.ops():
        if number in op.inputs:
            if op.type not in _PASSING or not op.outputs:
                return op
            number = op.outputs[0]
    return None


def _transposes(op: MnnOp) -> bool:
    main = op.main(Main.PERMUTE) if op.type == OpType.PERMUTE else None
    return main is not None and main.integers(0, limit=64) == _TO_CHANNELS_FIRST
