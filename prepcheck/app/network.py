"""Elements that a device reads from its input memory → the array that the network gets, for the runner at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.contract.contract import Tensor
from prepcheck.core.dtypes import integer_range
from prepcheck.core.layouts import Dims
from prepcheck.errors import UsageError
from prepcheck.facts.model import applied_normalization
from prepcheck.facts.world import World
from prepcheck.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.serving import Port
    from prepcheck.forensics.model import BufferSpec

_TYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(double)": "float64", "tensor(uint8)": "uint8",
          "tensor(int8)": "int8"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Feeder:
    """How the elements of one input become the runner's array.

    name: of the runner's input. last: channels come last there. dtype: of the array. slots: pictures of a batch.
    mean, std: None = the elements are handed on as they are (MNN, networks of uint8).
    """

    name: str
    last: bool
    dtype: str
    slots: int
    mean: tuple[float, ...] | None
    std: tuple[float, ...] | None
    tensor: Tensor
    spec: BufferSpec

    def array(self, elements: NDArray[np.generic]) -> NDArray[np.generic]:
        """H x W x C elements as the device reads them → N x C x H x W (or N x H x W x C), the picture in every slot."""
        import numpy as np

        values: NDArray[np.generic] = elements
        if self.mean is not None and self.std is not None:
            values = self._network(elements)
        elif self.dtype.startswith("float"):
            values = elements.astype(self.dtype)
        laid = values if self.last else np.moveaxis(values, -1, 0)
        return np.repeat(np.ascontiguousarray(laid)[None], self.slots, axis=0).astype(self.dtype, copy=False)

    def _network(self, elements: NDArray[np.generic]) -> NDArray[np.generic]:
        """What an RKNN runtime makes of them: mean and std, then the input's own codes, then their values."""
        import numpy as np

        x = np.nan_to_num(elements.astype(np.float64), nan=0.0, posinf=1e9, neginf=-1e9)
        if self.spec.scale is not None:
            x = (x - self.spec.zero_point) * self.spec.scale  # codes that the host made: nothing is applied to them
        else:
            n = x.shape[-1]
            x = (x - np.resize(self.mean or (0.0,), n)) / np.resize(self.std or (1.0,), n)
        edge = integer_range(self.tensor.dtype or "")
        if edge is not None and self.tensor.scale:
            zero = self.tensor.zero_point or 0
            x = (np.clip(np.rint(x / self.tensor.scale + zero), *edge) - zero) * self.tensor.scale
        if self.tensor.rgb2bgr:
            x = x[..., ::-1]
        return x.astype(np.float32)


def mnn_feeder(tensor: Tensor, position: int, dims: Dims, spec: BufferSpec) -> Feeder:
    """For MNN: the elements themselves, in the file's order of axes."""
    return Feeder(
        tensor.name or f"inputs[{position}]",
        tensor.layout == "NHWC",
        tensor.dtype or "float32",
        dims.n,
        None,
        None,
        tensor,
        spec,
    )


def onnx_feeder(
    world: World, tensor: Tensor, position: int, dims: Dims, spec: BufferSpec, ports: tuple[Port, ...], file: str
) -> Feeder | None:
    """For the network behind a model. None where mean and std of the model are not known.

    Raises UsageError where the network's input is not the model's.
    """
    if len(ports) == 1:
        port = ports[0]
    else:
        named = [p for p in ports if p.name == tensor.name]
        port = named[0] if named else ports[position] if position < len(ports) else ports[0]
    first, last = (dims.c, dims.h, dims.w), (dims.h, dims.w, dims.c)
    source = tensor.source.layout if tensor.source is not None else None
    fits = [order for order, want in ((False, first), (True, last)) if _fits(port.shape, want, dims.n)]
    if source == "NHWC" and True in fits:
        fits = [True]
    if not fits:
        shown = "x".join("?" if d < 0 else str(d) for d in port.shape)
        raise UsageError(
            f"--onnx {file}: its input {port.name} is {shown}, the model's {tensor.name or position} is {dims.h} rows x {dims.w} pixels x "
            f"{dims.c} channels: another network, or another export of it; give the ONNX that the model was built from"
        )
    dtype = _TYPES.get(port.type)
    if dtype is None:
        raise UsageError(f"--onnx {file}: its input {port.name} is {port.type}, which is no picture")
    slots = port.shape[0] if port.shape[0] > 0 else 1
    if dtype in ("uint8", "int8"):
        return Feeder(port.name, fits[0], dtype, slots, None, None, tensor, spec)
    applied = applied_normalization(world, tensor)
    if applied is None and spec.scale is None:
        return None
    mean, std = applied if applied is not None else ([0.0], [1.0])
    return Feeder(port.name, fits[0], dtype, slots, tuple(mean), tuple(std), tensor, spec)


def _fits(shape: tuple[int, ...], want: tuple[int, ...], batch: int) -> bool:
    if len(shape) != 4 or shape[0] not in (-1, 0, 1, batch):
        return False
    return all(d <= 0 or d == w for d, w in zip(shape[1:], want, strict=True))
