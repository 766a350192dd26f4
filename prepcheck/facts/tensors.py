"""Facts that inputs and outputs of a model have in common."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from prepcheck.contract.contract import Native, Tensor
from prepcheck.core.affine import dfp_range, value_range
from prepcheck.core.layouts import Dims, dims_of, is_static
from prepcheck.facts.base import NotApplicable, Thing, Unstated
from prepcheck.facts.world import World


class TensorThing(Thing):
    """Common facts of inputs and outputs."""

    group: ClassVar[str] = "inputs"

    def __init__(self, world: World, tensor: Tensor, position: int) -> None:
        super().__init__(world, f"{self.group}[{position}]")
        self.tensor = tensor
        self.position = position

    @property
    def label(self) -> str:
        """The tensor's name, or its place where it has none."""
        return self.tensor.name or self.where

    def _stated(self, key: str, what: str) -> object:
        value = getattr(self.tensor, key)
        if value is None:
            raise Unstated(
                key,
                "{what} of {label} is not stated",
                "state `{key}` of this tensor in the contract",
                what=what,
                label=self.label,
                key=key,
            )
        return value

    @property
    def layout(self) -> str:
        """NCHW, NHWC, NC4HW4, UNDEFINED, …"""
        return str(self._stated("layout", "the layout"))

    @property
    def dtype(self) -> str:
        """The element type that the runtime reports."""
        return str(self._stated("dtype", "the element type"))

    @property
    def shape(self) -> list[int]:
        """Sizes in the order of the layout; −1 = dynamic."""
        self._stated("shape", "the shape")
        return self.tensor.shape or []

    @property
    def static_shape(self) -> list[int]:
        """The shape, where no axis is dynamic."""
        if not is_static(self.shape):
            raise NotApplicable
        return self.shape

    @cached_property
    def dims(self) -> Dims:
        """N, C, H, W of an image-like tensor with a static shape."""
        dims = dims_of(self.layout, self.static_shape)
        if dims is None or len(self.shape) != 4:
            raise NotApplicable
        return dims

    @property
    def size(self) -> int:
        """Bytes without row padding."""
        if self.tensor.size is None:
            raise (
                NotApplicable
                if self.tensor.shape and not is_static(self.tensor.shape)
                else Unstated(
                    "size",
                    "the size of {label} cannot be computed",
                    "state `shape` and `dtype` of this tensor",
                    label=self.label,
                )
            )
        return self.tensor.size

    @property
    def w_stride(self) -> int:
        """Row pitch in pixels."""
        if self.tensor.w_stride is None:
            raise NotApplicable
        return self.tensor.w_stride

    @property
    def size_with_stride(self) -> int:
        """Bytes with row padding."""
        if self.tensor.size_with_stride is None:
            raise NotApplicable
        return self.tensor.size_with_stride

    @property
    def native(self) -> Native:
        """The NPU's own layout."""
        if self.tensor.native is None:
            raise NotApplicable
        return self.tensor.native

    @property
    def scale(self) -> float:
        """Step of the affine quantisation."""
        if self.tensor.scheme != "affine" and self.tensor.scale is None:
            raise NotApplicable
        return float(str(self._stated("scale", "the scale")))

    @property
    def zero_point(self) -> int:
        """Code of the value 0."""
        if self.tensor.scheme != "affine" and self.tensor.zero_point is None:
            raise NotApplicable
        return int(str(self._stated("zero_point", "the zero point")))

    @cached_property
    def value_range(self) -> tuple[float, float]:
        """Smallest and largest value that the codes hold."""
        t = self.tensor
        if t.scheme == "dynamic_fixed_point" and t.fl is not None and t.dtype:
            found = dfp_range(t.dtype, t.fl)
        else:
            found = value_range(self.dtype, self.scale, self.zero_point)
        if found is None:
            raise NotApplicable
        return found
