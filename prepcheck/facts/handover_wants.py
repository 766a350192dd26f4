"""What the receiving side of a hand-over reads, and what of it is given: by the rules that hold for every runtime.

Zero-copy memory and pass_through are left to the rules on those calls; ImageProcess converts by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.contract.calls import CopyFromHost, HostWrite, Inference, SetInput
from prepcheck.contract.plan import Buffer
from prepcheck.core.dtypes import BITS, itemsize, nbytes
from prepcheck.core.layouts import (
    CHANNELS_FIRST,
    CHANNELS_LAST,
    dims_of,
    elements,
    is_static,
    same_bytes,
    shape_in,
    without_ones,
)
from prepcheck.core.strides import View, view_of
from prepcheck.facts.base import NotApplicable, Unstated
from prepcheck.facts.sizes import SizeStory, Wanted, story
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.facts.handover_base import HandoverBase

TAKES_VIEWS = frozenset({"copyFrom", "Tensor.fromNumpy", "ImageProcess.convert"})
"""MNN's Python calls copy views of any kind right (measured: MNN 3.6.1); ImageProcess takes a row pitch (`stride`)."""


def wanted_layout(thing: HandoverBase) -> str:
    """The layout in which the bytes must stand. NotApplicable where another rule's call converts or packs."""
    api, tensor = thing.api, thing.input.tensor
    if api == "ImageProcess.convert" or thing.pass_through:
        raise NotApplicable
    four = len(tensor.shape or []) == 4
    if api in ("rknn_inputs_set", "rknn_set_io_mem"):
        if not four:
            return "UNDEFINED"
        if thing.runtime == "rknn1" and thing.declared_layout in ("NCHW", "NHWC"):
            return thing.declared_layout  # the v1 runtime converts (RKNN API guide 1.7.5 §3.2.3.1)
        native = tensor.native
        return (
            "NC1HWC2"
            if api == "rknn_set_io_mem" and native and native.layout == "NC1HWC2" and thing.declared_layout == "NC1HWC2"
            else "NHWC"
        )
    if api == "inference":
        return thing.declared_layout if four else "UNDEFINED"
    call = thing.stated_call
    if isinstance(call, CopyFromHost) and call.host is not None:
        return thing.declared_layout
    return thing.input.layout


def wanted(thing: HandoverBase) -> Wanted:
    """Shape, layout, type and bytes that are read. Raises NotApplicable for zero-copy memory."""
    if thing.api == "rknn_set_io_mem":
        raise NotApplicable
    layout, call = wanted_layout(thing), thing.stated_call
    if isinstance(call, CopyFromHost) and call.host is not None and call.host.shape is not None:
        shape = tuple(call.host.shape)
        dtype = call.host.dtype or thing.input.dtype
        if not is_static(shape):
            raise NotApplicable
        return Wanted(shape, layout, dtype, nbytes(dtype, elements(layout, shape)))
    if thing.api == "rknn_inputs_set":
        dtype = thing.declared_dtype
    elif thing.api == "inference":
        dtype = thing.content_dtype
    else:
        dtype = thing.input.dtype
    shape = _shape(thing, layout)
    return Wanted(shape, layout, dtype, nbytes(dtype, elements(layout, shape)))


def _shape(thing: HandoverBase, layout: str) -> tuple[int, ...]:
    shape = tuple(thing.input.static_shape)
    if layout in (thing.input.tensor.layout, "UNDEFINED") or len(shape) != 4:
        return shape
    found = shape_in(layout, thing.input.dims)
    if found is None:
        raise NotApplicable
    return found


def stated_size(thing: HandoverBase) -> int | None:
    """The bytes that the call itself says."""
    call, given = thing.stated_call, thing.handover.rknn_input
    if given is not None:
        return given.size
    if isinstance(call, (HostWrite, SetInput)):
        return call.size
    if isinstance(call, CopyFromHost) and call.host is not None and call.host.fill is not None:
        return call.host.fill.size
    return None


def content_nbytes(thing: HandoverBase) -> int | None:
    """Bytes that shape, layout and type of the content make; None where one is not stated."""
    shape, dtype = thing.content_shape_or_none, thing.content_dtype_or_none
    if shape is None or dtype is None or not is_static(shape):
        return None
    layouts = [b.layout for b in (thing.content, thing.declared_buffer) if b is not None and b.layout is not None]
    return nbytes(dtype, elements(layouts[0] if layouts else "UNDEFINED", shape))


def held_nbytes(thing: HandoverBase) -> int | None:
    """What the memory holds: its size, the file's, or what shape and type make."""
    memory = thing.handover.memory
    if memory is not None and memory.size is not None:
        return memory.size
    if thing.declared_buffer is not None and thing.declared_buffer.size is not None:
        return thing.declared_buffer.size
    if thing.array is not None and not _is_view(thing.declared_buffer):
        return thing.array.nbytes
    return content_nbytes(thing)


def submitted_nbytes(thing: HandoverBase) -> int:
    """Bytes that are given: of the call; of an array its content; else of the memory."""
    said, content = stated_size(thing), content_nbytes(thing)
    if said is not None:
        return said
    if isinstance(thing.stated_call, Inference) and content is not None:
        return content
    found = content if content is not None else held_nbytes(thing)
    if found is None:
        raise Unstated(
            "size", "how many bytes {api} gives for {label} is not stated", "add `size` to the call, or `shape` and `dtype` to the buffer",
            api=thing.api, label=thing.label)  # fmt: skip
    return found


def size_story(thing: HandoverBase) -> SizeStory:
    """Why the bytes given are not the bytes wanted."""
    return story(
        submitted_nbytes(thing), wanted(thing), shape=thing.content_shape_or_none, dtype=thing.content_dtype_or_none,
        content=content_nbytes(thing), pitch=thing.input.tensor.w_stride, packs=thing.runtime == "mnn",
    )  # fmt: skip


def view(thing: HandoverBase) -> View:
    """How the content lies in memory. NotApplicable where no strides are stated, and for Python calls that copy views right."""
    buffer = thing.content or thing.declared_buffer
    if buffer is None or buffer.strides is None or thing.api in TAKES_VIEWS:
        raise NotApplicable
    dtype = thing.content_dtype
    if BITS[dtype] % 8:
        raise NotApplicable
    found = view_of(thing.content_shape, buffer.strides, itemsize(dtype))
    if found is None:
        raise NotApplicable
    return found


def _is_view(buffer: Buffer | None) -> bool:
    return buffer is not None and (buffer.strides is not None or bool(buffer.offset))


@dataclass(frozen=True, slots=True)
class Layouts:
    """The layout of what is given and the one that is read. differ: the channel axis stands elsewhere, and it matters."""

    given: str
    wanted: str
    differ: bool
    shape: tuple[int, ...] | None = None

    @property
    def planar(self) -> bool:
        """Whether channels come first in what is given."""
        return self.given in CHANNELS_FIRST

    @property
    def order(self) -> str:
        """In words."""
        return "channels first" if self.planar else "channels last"


def layouts(thing: HandoverBase) -> Layouts:
    """The two layouts. Packed ones are left to other rules."""
    want, dims = wanted_layout(thing), thing.input.dims
    plain = CHANNELS_FIRST | CHANNELS_LAST
    if want not in plain:
        raise NotApplicable
    given = thing.content_layout
    if given not in plain:
        raise NotApplicable
    if "NC4HW4" in (given, want):
        plain_one = want if given == "NC4HW4" else given
        # with four channels a block is a pixel: NHWC and NC4HW4 are the same bytes
        same = given == want or dims.h * dims.w == 1 or (dims.c == 4 and dims.n == 1 and plain_one in CHANNELS_LAST)
        differ = not same
    else:
        differ = (given in CHANNELS_FIRST) != (want in CHANNELS_FIRST) and not same_bytes(given, want, dims)
    shape = thing.content_shape_or_none
    return Layouts(given, want, differ, tuple(shape) if shape is not None else None)


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shape given and the one read. reordered: the same sizes in another order; axes of size 1 do not count."""

    given: tuple[int, ...]
    wanted: tuple[int, ...]
    layout: str

    @property
    def reordered(self) -> bool:
        """Whether the sizes are the same, in another order."""
        a, b = without_ones(self.given), without_ones(self.wanted)
        return a != b and sorted(a) == sorted(b)

    @property
    def rows_and_columns_exchanged(self) -> bool:
        """Whether only height and width stand in each other's place."""
        want, given = dims_of(self.layout, self.wanted), dims_of(self.layout, self.given)
        if given is None and len(self.given) == len(self.wanted) - 1:
            given = dims_of(self.layout, (1, *self.given))
        if want is None or given is None or want.h == want.w:
            return False
        return (given.n, given.c, given.h, given.w) == (want.n, want.c, want.w, want.h)


def shapes(thing: HandoverBase) -> Shapes:
    """The two shapes, where the layout of what is given does not settle the order (the same one, or none stated)."""
    want = wanted(thing)
    given = thing.content_shape
    stated = [b.layout for b in (thing.content, thing.declared_buffer) if b is not None and b.layout is not None]
    other = stated and (stated[0] in CHANNELS_FIRST) != (want.layout in CHANNELS_FIRST) and want.layout != "UNDEFINED"
    if other or (stated and stated[0] in ("NC4HW4", "NC1HWC2")) or want.layout in ("NC4HW4", "NC1HWC2"):
        raise NotApplicable
    return Shapes(tuple(given), want.shape, want.layout)


def told_dtype(thing: HandoverBase) -> str:
    """The type that the call says the bytes have. NotApplicable where it says none, or another tensor's (ImageProcess)."""
    call = thing.stated_call
    if thing.api == "ImageProcess.convert":
        raise NotApplicable
    if isinstance(call, Inference):
        said = call.data_type
        item = thing.handover.item or 0
        name = (said[item] if item < len(said) else None) if isinstance(said, list) else said
        if name is None or name not in BITS:
            raise NotApplicable
        return name
    return thing.declared_dtype


def unconverted_dtype(thing: HandoverBase) -> str:
    """The type that reaches the input as it is. NotApplicable where the call converts."""
    call = thing.stated_call
    if thing.api in ("rknn_inputs_set", "rknn_set_io_mem"):
        if not thing.pass_through:
            raise NotApplicable
        return thing.content_dtype
    if thing.api in ("inference", "ImageProcess.convert"):
        raise NotApplicable
    if isinstance(call, CopyFromHost) and call.host is not None and call.host.dtype is not None:
        return call.host.dtype
    return thing.content_dtype
