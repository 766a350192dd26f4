"""Facts about a conversion: the network before it (ONNX, TFLite) against the model that is given, input by input."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.core.layouts import Dims, dims_of
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.world import World


class ConversionThing(Thing):
    """A pair: an input of the source network and the one that conversion made of it (`input`), or both models (`model`)."""

    kind = "conversion"

    def __init__(
        self,
        world: World,
        name: str,
        source: Contract,
        before: Tensor | None = None,
        after: Tensor | None = None,
        position: int = 0,
    ) -> None:
        where = f"inputs[{position}]" if name == "input" else "model"
        super().__init__(world, where, f"conversion:{where}")
        self.name = name
        self._source = source
        self._before = before
        self._after = after
        self._position = position

    @property
    def _pair(self) -> tuple[Tensor, Tensor]:
        if self._before is None or self._after is None:
            raise NotApplicable
        return self._before, self._after

    @property
    def label(self) -> str:
        """The input's name in the source network."""
        return self._pair[0].name or f"inputs[{self._position}]"

    @property
    def changes(self) -> list[str]:
        """What differs and is meant to: name, type, order of axes, batch, what the model does to the values."""
        before, after = self._pair
        found = []
        if before.name and after.name and before.name != after.name:
            found.append(f"name {before.name} → {after.name}")
        if before.dtype and after.dtype and before.dtype != after.dtype:
            codes = f" (zero point {after.zero_point}, scale {after.scale:.6g})" if after.scale else ""
            found.append(f"type {before.dtype} → {after.dtype}{codes}")
        order = before.layout or (after.source.layout if after.source else None)
        if order and after.layout and order != after.layout:
            found.append(f"order of axes {order} → {after.layout}")
        if before.shape and after.shape and before.shape != after.shape:
            found.append(f"shape {before.shape} → {after.shape}")
        if after.mean is not None and after.std is not None and (any(after.mean) or any(s != 1 for s in after.std)):
            found.append(f"values: the model itself does (x − {_list(after.mean)}) / {_list(after.std)}")
        if after.rgb2bgr:
            found.append(
                "colour: R and B exchanged by the runtime" if self.runtime == "rknn1" else "colour: calibrated on BGR"
            )
        return found

    @property
    def sides(self) -> tuple[list[int], list[int]]:
        """Lengths of the axes without the batch, before and after, in one order; only where they can be compared and differ."""
        before, after = self._pair
        one, two = before.shape, (after.source.shape if after.source and after.source.shape else None)
        if one is None:
            raise NotApplicable
        if two is None or len(two) != len(one):
            two = _in_order(after, before)
        if two is None or len(one) != len(two):
            raise NotApplicable
        start = 1 if len(one) == 4 or (one and one[0] != two[0] and one[1:] == two[1:]) else 0
        return one[start:], two[start:]

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The inputs' names in their order, before and after."""
        contract = self.world.contract
        if contract is None:
            raise NotApplicable
        return [t.name or "" for t in self._source.inputs], [t.name or "" for t in contract.inputs]

    @property
    def source_kind(self) -> str:
        """onnx or tflite."""
        return self._source.runtime or "source"


def _list(values: list[float]) -> str:
    return "[" + ", ".join(f"{v:.6g}" for v in values) + "]"


def _in_order(after: Tensor, before: Tensor) -> list[int] | None:
    """The converted shape in the source's order of axes; None where the order is not known."""
    if after.shape is None or before.shape is None:
        return None
    dims = dims_of(after.layout or "", after.shape)
    if len(after.shape) != 4 or dims is None:
        return list(after.shape) if len(after.shape) == len(before.shape) and len(after.shape) != 4 else None
    if before.layout == "NHWC":
        return [dims.n, dims.h, dims.w, dims.c]
    return [dims.n, dims.c, dims.h, dims.w] if before.layout == "NCHW" or _fits(dims, before.shape) else None


def _fits(dims: Dims, shape: list[int]) -> bool:
    return len(shape) == 4 and shape[1] == dims.c != shape[3]


def pairs(source: Contract, contract: Contract) -> list[tuple[Tensor, Tensor]]:
    """Inputs that belong together: by their names where these are the same, else by their places."""
    by_name = {t.name: t for t in source.inputs}
    if all(t.name in by_name for t in contract.inputs):
        return [(by_name[t.name], t) for t in contract.inputs]
    return list(zip(source.inputs, contract.inputs, strict=False))


@lists("conversion")
def _conversions(world: World) -> Iterator[Thing]:
    for source in world.extra.get("source", ()):
        if not isinstance(source, Contract) or world.contract is None:
            continue
        yield ConversionThing(world, "model", source)
        for position, (before, after) in enumerate(pairs(source, world.contract)):
            yield ConversionThing(world, "input", source, before, after, position)
