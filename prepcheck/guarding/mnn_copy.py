"""Copies into MNN's session inputs: checked before, read back after; the mark in undefined memory; pointer writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds_mnn
from prepcheck.guarding.content import Sampler
from prepcheck.guarding.finding import make
from prepcheck.guarding.mnn_state import array_of, engine, is_tensor, own_class, unless_refused
from prepcheck.guarding.shapes import elements, permuted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from prepcheck.guarding.finding import GuardFinding, Value
    from prepcheck.guarding.foreign import MnnTensor
    from prepcheck.guarding.mnn_state import Slot

TENSORFLOW, CAFFE = 0, 1
"""MNN.Tensor_DimensionType_Tensorflow and _Caffe, as getDimensionType gives them (measured, MNN 3.6.1)."""
_PLACES = Sampler()


def check_copy(slot: Slot, host: object, where: str) -> GuardFinding | None:
    """What is wrong with copying `host` into a session input; None where MNN copies it right."""
    if not is_tensor(host):
        return make(kinds_mnn.COPY_NOT_TENSOR, where, {"got": type(host).__name__})
    if slot.session.pending is not None:
        return make(kinds_mnn.NOT_RESIZED, where, {"shape": slot.session.pending, "action": "copyFrom"})
    sent, mine = array_of(host), slot.view()
    if sent is not None and mine is not None and sent.shape == mine.shape and sent.dtype == mine.dtype:
        if host.getDimensionType() == slot.native.getDimensionType():
            return None
    want = slot.shape()
    if any(d <= 0 for d in want):
        return None  # a dynamic input before its resize: copyFrom returns False, which is reported then
    if sent is not None and mine is not None and sent.dtype != mine.dtype:
        return make(kinds_mnn.COPY_DTYPE, where, {"got": sent.dtype.name, "want": mine.dtype.name})
    return _same_shape(slot, host, want, where)


def _same_shape(slot: Slot, host: MnnTensor, want: tuple[int, ...], where: str) -> GuardFinding | None:
    got = tuple(int(d) for d in host.getShape())
    last = host.getDimensionType() == TENSORFLOW
    native_last = slot.native.getDimensionType() == TENSORFLOW
    # both shapes in the order of the session's tensor
    plain = got
    if len(got) == 4 and last != native_last:
        plain = permuted(got, "NHWC" if last else "NCHW", "NCHW" if last else "NHWC")
    if plain == want:
        return None
    values: dict[str, Value] = {
        "got": str(got),
        "want": str(want),
        "got_elements": elements(got),
        "want_elements": elements(want),
        "declared": "Tensorflow (channels last)" if last else "Caffe (channels first)",
    }
    if elements(got) > elements(want):
        values["excess"] = elements(got) - elements(want)
        return make(kinds_mnn.COPY_BIGGER, where, values)
    if elements(got) < elements(want):
        return make(kinds_mnn.COPY_SMALLER, where, values)
    # measured: fewer axes with the same count are copied right (leading 1s left out, or flat)
    if len(got) == 1 or _stripped(plain) == _stripped(want):
        return None
    first = want if not native_last else permuted(want, "NHWC", "NCHW")
    values["want"] = str(first)
    values["want_nhwc"] = str(permuted(first, "NCHW", "NHWC"))
    values["looks"] = (
        "height and width are exchanged"
        if sorted(got) == sorted(want) and got[1] == want[1]
        else ("the shape is that of the other order" if sorted(got) == sorted(want) else "the axes have other lengths")
    )
    return make(kinds_mnn.COPY_SHAPE, where, values)


def _stripped(shape: tuple[int, ...]) -> tuple[int, ...]:
    while shape and shape[0] == 1:
        shape = shape[1:]
    return shape


def arrived(slot: Slot, host: MnnTensor, layout: str, result: object, where: str, every: int) -> GuardFinding | None:
    """Read back what a copy left in the session and compare it with what was sent.

    Plain layouts are compared at the sampled places on every copy; packed ones, whose order is MNN's own, through
    a full copy back on the first copy and on each `every`-th run.
    """
    sent = array_of(host)
    if sent is None or sent.size == 0 or not slot.session.host:
        return None
    plain = layout in ("NCHW", "NHWC")
    if not plain and slot.checked and slot.session.runs % max(every, 2) > 1:
        return None
    slot.checked = True
    there = slot.view() if plain else read_input(slot, layout)
    if there is None or there.size != sent.size:
        return None
    if sent.shape != there.shape:
        last = host.getDimensionType() == TENSORFLOW
        if sent.ndim == 4 and there.ndim == 4 and permuted(sent.shape, *_orders(last)) == there.shape:
            sent = sent.transpose((0, 3, 1, 2) if last else (0, 2, 3, 1))
        else:
            sent = sent.reshape(there.shape)
    a, b = _PLACES.take(sent), _PLACES.take(there)
    if a.tobytes() == b.tobytes():
        return None
    same = (a == b) | ((a != a) & (b != b))
    different = int(same.size - np.count_nonzero(same))
    if not different:
        return None
    at = int(np.argmin(same.ravel()))
    values: dict[str, Value] = {
        "name": slot.name,
        "result": str(result),
        "different": different,
        "samples": int(same.size),
        "got": b.ravel().tolist()[at],
        "want": a.ravel().tolist()[at],
    }
    return make(kinds_mnn.COPY_LOST, where, values)


def _orders(last: bool) -> tuple[str, str]:
    return ("NHWC", "NCHW") if last else ("NCHW", "NHWC")


def read_input(slot: Slot, layout: str) -> NDArray[np.generic] | None:
    """A copy of a session input's content in its logical shape; None where it cannot be read."""
    view = slot.view()
    if view is None:
        return None
    if layout in ("NCHW", "NHWC"):
        return np.array(view)
    return copied_back(slot.native)


def copied_back(tensor: MnnTensor) -> NDArray[np.generic] | None:
    """What a tensor holds, in its logical shape and through MNN's own copy; None where pymnn cannot read it."""
    kind = TENSORFLOW if tensor.getDimensionType() == TENSORFLOW else CAFFE

    def copied() -> MnnTensor:
        host: MnnTensor = engine().Tensor(tensor, kind)
        own_class(tensor).copyToHostTensor(tensor, host)
        return host

    host = unless_refused(copied)
    back = None if host is None else array_of(host)
    return None if back is None else np.array(back)


def poison(slot: Slot) -> None:
    """Fill an input whose content is undefined with a mark, so that a run without a write is seen for certain.

    Only CPU sessions, only before the first write: nobody can rely on what was there. Costs one copy for each session.
    """
    slot.poison = slot.before = slot.after = None
    view = slot.view()
    if view is None or view.dtype.kind not in "fiu":
        return
    host: MnnTensor | None = unless_refused(lambda: engine().Tensor(slot.native, CAFFE))
    if host is None:
        return  # a type that it cannot make a host tensor of
    mark = array_of(host)
    if mark is None:
        return
    if mark.dtype.kind == "f":
        mark[...] = np.nan
    else:
        flat = np.arange(mark.size, dtype=np.uint32) * np.uint32(2654435761) >> np.uint32(24)
        mark[...] = flat.astype(mark.dtype).reshape(mark.shape)
    if own_class(slot.native).copyFrom(slot.native, host) is False:
        return
    view = slot.view()
    if view is not None:
        slot.poison = _PLACES.take(view).tobytes()


def unwritten(slot: Slot, now: bytes, layout: str) -> tuple[int, int]:
    """How many places of an input still hold the mark of `poison`, of how many; `now` is the sample of its memory.

    Plain float inputs are looked at in full (NaN is the mark), others at the sampled places, packed ones as a whole: their
    padding tells nothing.
    """
    view = slot.view()
    if view is not None and view.dtype.kind == "f" and layout in ("NCHW", "NHWC"):
        return int(np.count_nonzero(np.isnan(view))), int(view.size)
    mark = slot.poison or b""
    if layout not in ("NCHW", "NHWC") or view is None or len(now) != len(mark):
        return (1, 1) if now == mark else (0, 1)
    item = view.dtype.itemsize
    places = range(0, len(now), item)
    return sum(now[i : i + item] == mark[i : i + item] for i in places), len(places)


def pointer_write(slot: Slot, layout: str, where: str) -> GuardFinding | None:
    """Whether the memory of an NC4HW4 input holds plain values: then its padding lanes are not zero.

    The store is packed by 4 (CPU), 8 (AVX2, ARM fp16) or 16 (AVX-512), blocks outermost (measured for 8); the view shows its
    first N*C*H*W elements. None wherever one of the packings fits, or has no lane of padding to tell by.
    """
    view = slot.view()
    if layout != "NC4HW4" or view is None or view.ndim != 4 or view.dtype.kind != "f":
        return None
    batch, channels, height, width = view.shape
    flat = view.reshape(-1)
    for pack in (4, 8, 16):
        used = channels % pack
        if used == 0:
            return None
        last = flat[channels // pack * pack * batch * height * width :]
        if not any(last[lane::pack].any() for lane in range(used, pack)):
            return None
    return make(kinds_mnn.HOST_POINTER, where, {"name": slot.name, "pack": 4, "channels": channels})
