"""The checks of one input at every call: structure first (rank, shape, layout, type, memory), then a look at the content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds, shapes
from prepcheck.guarding.content import Sampler, check_range, domain_of, encoded_format
from prepcheck.guarding.finding import make

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from prepcheck.guarding.compiled import CompiledTensor
    from prepcheck.guarding.finding import GuardFinding, Value
    from prepcheck.guarding.profiles import Profile

_NUMPY = {"bfloat16": "uint16", "int4": "int8"}
_MAX_ACCEPTED = 64


class Recall:
    """What one thread remembers of one input between two calls: samples of the last array and of the last frame."""

    __slots__ = ("constants", "frame", "frame_shape", "repeats", "sample")

    def __init__(self) -> None:
        self.sample = b""
        self.frame: NDArray[np.generic] | None = None
        self.frame_shape: tuple[int, ...] = ()
        self.repeats = 0
        self.constants = 0


class InputCheck:
    """Everything about one input that can be computed before the first call. Immutable but for a cache of accepted shapes."""

    __slots__ = ("_accepted", "codes", "domain", "item", "kind", "layout", "profile", "sampler", "tensor", "where")

    def __init__(self, tensor: CompiledTensor, position: int, runtime: str, profile: Profile) -> None:
        self.tensor = tensor
        self.profile = profile
        self.where = f"inputs[{position}]" + (f" ({tensor.name})" if tensor.name else "")
        self.kind = np.dtype(_NUMPY.get(tensor.dtype, tensor.dtype) or "uint8")
        self.item = self.kind.itemsize
        self.domain = domain_of(tensor, runtime)
        self.sampler = Sampler()
        # what the runtimes' Python calls and pixel buffers take by default: channels last for pictures on RKNN
        four = len(tensor.shape) == 4 and tensor.layout in ("NHWC", "NCHW", "NC4HW4")
        self.layout = "NHWC" if four and runtime in ("rknn", "rknn1") else tensor.layout
        # int8 bytes handed to an int8 model are quantized codes, except where every array is taken as real values
        self.codes = not profile.values and tensor.dtype == "int8"
        self._accepted: set[tuple[tuple[int, ...], np.dtype[np.generic], str]] = set()

    def wanted(self, layout: str) -> tuple[int, ...]:
        """The shape wanted of an array in `layout`."""
        return shapes.permuted(self.tensor.shape, self.tensor.layout, layout)

    def structure(self, array: NDArray[np.generic], layout: str | None = None) -> GuardFinding | None:
        """The first fault of rank, shape, layout, element type or memory; None where all are right."""
        layout = self.layout if layout is None else layout
        key = (array.shape, array.dtype, layout)
        if key not in self._accepted:
            finding = self._explain(array, layout)
            if finding is not None:
                return finding
            if len(self._accepted) >= _MAX_ACCEPTED:
                self._accepted = set()
            self._accepted.add(key)
        if array.flags.c_contiguous or self.profile.contiguous == "free":
            return None
        return self._view(array)

    def _explain(self, array: NDArray[np.generic], layout: str) -> GuardFinding | None:
        want = self.wanted(layout)
        if not self._fits(array.shape, want, layout):
            head = array.ravel()[:16].tobytes() if array.dtype.itemsize == 1 and array.ndim <= 2 and array.size else b""
            name = encoded_format(head)
            if name is not None:
                return make(kinds.ENCODED, self.where, {"format": name})
            kind, values = shapes.diagnose(array.shape, want, layout, array.dtype.itemsize, self.tensor)
            if kind is kinds.RANK and self.profile.rank == "warning":
                kind = kind._replace(severity="warning")
            return make(kind, self.where, values)
        return self._element_type(array)

    def _fits(self, got: tuple[int, ...], want: tuple[int, ...], layout: str) -> bool:
        if shapes.matches(got, want):
            return True
        return any(shapes.matches(got, shapes.permuted(s, self.tensor.layout, layout)) for s in self.tensor.dynamic)

    def _element_type(self, array: NDArray[np.generic]) -> GuardFinding | None:
        dtype = array.dtype
        if dtype.byteorder == ">" or not dtype.isnative:
            return make(kinds.BYTE_ORDER, self.where, {"got": dtype.str, "want": dtype.newbyteorder("=").name})
        allowed = self.profile.dtypes
        if dtype == self.kind or (allowed is not None and dtype.name in allowed):
            return None
        wanted = self.kind.name if allowed is None else ", ".join(sorted(allowed))
        target = self.kind.name if allowed is None else "uint8 for pixels, float32 otherwise"
        values: dict[str, Value] = {"got": dtype.name, "want": wanted}
        values["reason"] = (
            f"{dtype.itemsize} bytes an element given, {self.item} wanted: nothing converts them on the way"
            + (" (numpy makes float64 of most divisions)." if dtype.name == "float64" else ".")
        )
        values["hint"] = f"Convert just before the call: array.astype(...) to {target}."
        return make(kinds.DTYPE, self.where, values)

    def _view(self, array: NDArray[np.generic]) -> GuardFinding:
        packed: list[int] = []
        step = array.dtype.itemsize
        for size in reversed(array.shape):
            packed.insert(0, step)
            step *= size
        kind = kinds.CONTIGUITY
        if self.profile.contiguous == "warning":
            kind = kind._replace(severity="warning")
        return make(
            kind, self.where, {"got": str(array.strides), "want": str(tuple(packed)), "shape": str(array.shape)}
        )

    def flat(self, size: int, head: bytes) -> GuardFinding | None:
        """The fault of a flat buffer (bytes, memoryview) of `size` bytes that begins with `head`."""
        want = shapes.elements(self.tensor.shape) * self.item
        if size == want or -1 in self.tensor.shape:
            return None
        name = encoded_format(head)
        if name is not None:
            return make(kinds.ENCODED, self.where, {"format": name})
        kind, values = shapes.diagnose_bytes(size, want, self.tensor, self.layout, self.item)
        return make(kind, self.where, values)

    def not_an_array(self, value: object) -> GuardFinding:
        """The finding for something that is no array."""
        hint = f"Hand over a numpy array of shape {self.tensor.shape}."
        if value is None:
            hint = "Check that the picture was read: cv2.imread returns None for a path that is not there."
        elif isinstance(value, str):
            hint = "Read and decode the file first; the call takes arrays, not paths."
        elif isinstance(value, (list, tuple)):
            hint = "Make one array of it: np.asarray(value, dtype=...)."
        return make(
            kinds.NOT_AN_ARRAY, self.where, {"got": type(value).__name__, "shape": str(self.tensor.shape), "hint": hint}
        )

    def content(
        self, array: NDArray[np.generic], recall: Recall, frame: NDArray[np.generic] | None
    ) -> GuardFinding | None:
        """A look at the fixed sample: values that are not finite or in another unit; constant or old while `frame` is not."""
        view = self.sampler.take(array)
        sample = view.tobytes()
        kind = array.dtype.kind
        if kind == "f":
            # the reductions pass NaN on, so one comparison finds it
            low, high = float(np.minimum.reduce(view, axis=None)), float(np.maximum.reduce(view, axis=None))
            if not (low > -np.inf and high < np.inf):
                return make(kinds.NOT_FINITE, self.where, {"low": low, "high": high})
            if self.domain is not None and (
                high <= 16.0 or high > self.domain.high + 1.0 or low < self.domain.low - 1.0
            ):
                found = check_range(low, high, view, self.domain, self.where, self.tensor.scale)
                if found is not None:
                    return found
        elif self.domain is not None and not self._always_fits(array.dtype):
            low, high = float(view.min()), float(view.max())
            found = check_range(low, high, view, self.domain, self.where, self.tensor.scale)
            if found is not None:
                return found
        return self._against_frame(array, sample, recall, frame)

    def _always_fits(self, dtype: np.dtype[np.generic]) -> bool:
        """Bytes as pixels, codes and truth values are never out of range."""
        byte = dtype.itemsize == 1
        return (
            dtype.kind == "b"
            or (byte and dtype.kind == "u" and self.domain is not None and self.domain.pixels)
            or (dtype.kind == "i" and self.codes)
        )

    def _against_frame(
        self, array: NDArray[np.generic], sample: bytes, recall: Recall, frame: NDArray[np.generic] | None
    ) -> GuardFinding | None:
        item = array.dtype.itemsize
        constant = len(sample) > item and sample == sample[:item] * (len(sample) // item)
        same = sample == recall.sample
        recall.constants = recall.constants + 1 if constant else 0
        recall.repeats = recall.repeats + 1 if same else 0
        recall.sample = sample
        if frame is None:
            recall.frame = None  # the frame remembered must be that of the array remembered
            return None
        picture = np.array(self.sampler.take(frame))
        before, recall.frame = recall.frame, picture
        shape, recall.frame_shape = recall.frame_shape, frame.shape
        if constant:
            return self._constant(array, picture)
        if same and before is not None and shape == frame.shape and before.dtype == picture.dtype:
            return self._stale(before, picture)
        return None

    def _constant(self, array: NDArray[np.generic], picture: NDArray[np.generic]) -> GuardFinding | None:
        low, high = float(picture.min()), float(picture.max())
        # a third of the scale of 8-bit pixels: more than the noise of a covered lens or of a night picture
        if high - low < (0.25 if picture.dtype.kind == "f" and high <= 1.0 else 64.0):
            return None
        first = array.ravel()[:1]
        if not bool((array == first[0]).all()):
            return None
        value: Value = first.tolist()[0]
        return make(
            kinds.CONSTANT,
            self.where,
            {"value": value, "elements": int(array.size), "frame_low": low, "frame_high": high},
        )

    def _stale(self, before: NDArray[np.generic], picture: NDArray[np.generic]) -> GuardFinding | None:
        step = 8.0 if picture.dtype.kind != "f" or float(picture.max()) > 1.5 else 8.0 / 255.0
        difference = np.abs(picture.astype(np.float32) - before.astype(np.float32))
        changed = int(np.count_nonzero(difference >= step))
        # half of the picture must have changed clearly: a clock in a corner or a passing bird leaves the sample alone
        if 2 * changed < picture.size:
            return None
        return make(kinds.STALE, self.where, {"changed": changed, "samples": int(picture.size)})
