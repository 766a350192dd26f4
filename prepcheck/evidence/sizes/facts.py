"""What is known about the two numbers, checked, from arguments and from a contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prepcheck.core.dtypes import BITS
from prepcheck.core.layouts import AXES, elements, is_static
from prepcheck.core.rockchip import RKNN1_PLATFORMS, c2
from prepcheck.errors import UsageError
from prepcheck.evidence.sizes.result import Remark
from prepcheck.evidence.sizes.texts import DYNAMIC_SHAPE, PART_BYTES
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.contract.contract import Contract, Tensor

LIMIT = 2**63 - 1
"""Largest count taken: what a signed 64-bit size can hold."""
MAX_AXES = 16
"""Axes of a shape: RKNN_MAX_DIMS of rknn_api.h; MNN tensors have at most 9."""

RUNTIMES = {
    "rknn": "rknn",
    "rknn1": "rknn1",
    "mnn": "mnn",
    "rga": "generic",
    "generic": "generic",
    "onnx": "generic",
    "tflite": "generic",
}
"""Runtimes of the documents → the four of the prior table."""
LAYOUTS = (*AXES, "NC1HWC2", "UNDEFINED")


@dataclass(frozen=True, slots=True)
class Facts:
    """got, want: bytes. shape: of the model's input, in `layout`. width: bytes of an element of the model's input.

    row_pixels: the row pitch that a contract states, in pixels. rivals: other inputs of the model, (name, bytes).
    """

    got: int
    want: int
    shape: tuple[int, ...] | None = None
    layout: str | None = None
    dtype: str | None = None
    width: int | None = None
    platform: str | None = None
    runtime: str | None = None
    row_pixels: int | None = None
    rivals: tuple[tuple[str, int], ...] = ()
    remarks: tuple[Remark, ...] = ()

    def runtimes(self) -> tuple[str, ...]:
        """The runtimes of the prior table that the facts leave."""
        if self.runtime is not None:
            return (RUNTIMES[self.runtime],)
        if self.platform is None:
            return ("rknn", "rknn1", "mnn", "generic")
        if self.platform in RKNN1_PLATFORMS:
            return ("rknn1", "mnn", "generic")
        npu = c2(self.platform, "int8") or c2(self.platform, "float16")
        return ("rknn", "mnn", "generic") if npu else ("mnn", "generic")

    def without_tensor(self) -> Facts:
        """The same two numbers without shape, layout and row pitch (they may belong to another tensor)."""
        return replace(self, shape=None, layout=None, row_pixels=None)


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{name} must be a whole number of bytes, not {value!r}")
    if value <= 0:
        raise UsageError(f"{name} is {value}; a size in bytes is 1 or more")
    if value > LIMIT:
        raise UsageError(f"{name} is {value}, more than a 64-bit size can hold ({LIMIT})")
    return value


def _one_of(name: str, value: str, known: Sequence[str]) -> str:
    if value in known:
        return value
    from difflib import get_close_matches  # only where something is wrong

    near = get_close_matches(value, known, n=1, cutoff=0.5)
    raise UsageError(
        f"{name} '{value}' is not known" + (f"; did you mean '{near[0]}'?" if near else f"; known: {', '.join(known)}")
    )


def _shape(shape: Sequence[int]) -> tuple[int, ...]:
    axes = tuple(shape)
    if not 0 < len(axes) <= MAX_AXES:
        raise UsageError(f"a shape has 1 to {MAX_AXES} axes, not {len(axes)}")
    for axis in axes:
        if isinstance(axis, bool) or not isinstance(axis, int) or axis == 0 or axis < -1 or axis > LIMIT:
            raise UsageError(
                f"axis {axis!r} of shape {'x'.join(map(str, axes))} is no length; write whole numbers, -1 for a dynamic axis"
            )
    return axes


def gather(
    got: int,
    want: int,
    *,
    shape: Sequence[int] | None,
    dtype: str | None,
    layout: str | None,
    platform: str | None,
    runtime: str | None,
    contract: Contract | None,
) -> Facts:
    """The checked facts. What is given by name comes before what the contract says. Raises UsageError."""
    facts = Facts(_count("got", got), _count("want", want))
    if contract is not None:
        facts = _from_contract(facts, contract)
    if shape is not None:
        stated = _shape(shape)
        if stated != facts.shape:
            facts = replace(facts, shape=stated, layout=None, row_pixels=None)
    if layout is not None:
        facts = replace(facts, layout=_one_of("layout", layout.upper(), LAYOUTS))
    if dtype is not None:
        facts = replace(facts, dtype=_one_of("dtype", dtype.lower(), tuple(BITS)))
    if platform is not None:
        facts = replace(facts, platform=platform.lower())
    if runtime is not None:
        facts = replace(facts, runtime=_one_of("runtime", runtime.lower(), tuple(RUNTIMES)))
    return _settle(facts)


def _settle(facts: Facts) -> Facts:
    """Width of the element type; a dynamic shape says nothing about bytes and is set aside."""
    remarks = list(facts.remarks)
    if facts.shape is not None and not is_static(facts.shape):
        remarks.append(Remark(DYNAMIC_SHAPE, {"shape": "x".join(map(str, facts.shape))}))
        facts = replace(facts, shape=None)
    width = None
    if facts.dtype is not None:
        bits = BITS[facts.dtype]
        if bits % 8:
            remarks.append(Remark(PART_BYTES, {"dtype": facts.dtype, "bits": bits}))
        else:
            width = bits // 8
    return replace(facts, width=width, remarks=tuple(remarks))


def _from_contract(facts: Facts, contract: Contract) -> Facts:
    platforms = contract.platforms or []
    facts = replace(facts, runtime=contract.runtime, platform=platforms[0].lower() if platforms else None)
    if not contract.inputs:
        return facts
    chosen = max(contract.inputs, key=lambda tensor: _relevance(tensor, facts))
    rivals = tuple(
        (tensor.name or f"inputs[{at}]", size)
        for at, tensor in enumerate(contract.inputs)
        if tensor is not chosen
        for size in sorted(_sizes(tensor))
    )
    return replace(
        facts,
        shape=tuple(chosen.shape) if chosen.shape else None,
        layout=chosen.layout,
        dtype=chosen.dtype,
        row_pixels=chosen.w_stride or None,
        rivals=rivals,
    )


def _sizes(tensor: Tensor) -> set[int]:
    sizes = {tensor.size, tensor.size_with_stride, tensor.native.size_with_stride if tensor.native else None}
    return {size for size in sizes if size}


def _relevance(tensor: Tensor, facts: Facts) -> int:
    """How well an input agrees with the wanted bytes: exactly, by its elements, or with the given ones."""
    sizes = _sizes(tensor)
    if facts.want in sizes:
        return 4
    if tensor.shape and is_static(tensor.shape):
        count = elements(tensor.layout or "UNDEFINED", tensor.shape)
        if facts.want in {count, 2 * count, 4 * count, 8 * count}:
            return 3
        if facts.want % count == 0:
            return 2
    return 1 if facts.got in sizes else 0
