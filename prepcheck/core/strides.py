"""Strides of views: what a row-major array would have, and in which way a view differs. Standard library only; bytes."""

from __future__ import annotations

from collections.abc import Sequence

from prepcheck.records import dataclass


def packed_strides(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    """Byte strides of a row-major (C order) array without gaps."""
    strides: list[int] = []
    step = itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


@dataclass(frozen=True, slots=True)
class View:
    """How a view lies in memory.

    kind: `packed` (row-major without gaps) · `rows` (only an outer axis steps further than its content: a crop or padded
    rows) · `pixels` (elements of the innermost axes are apart: some channels of wider pixels) · `permuted` (the strides
    of a packed array whose axes stand in another order: a transposed view) · `reversed` (a negative stride: flipped) ·
    `other`. axis: the first axis that differs from a packed array, got and want: its strides in bytes.
    order: for `permuted`, the axes from the slowest to the fastest in memory.
    """

    kind: str
    axis: int = 0
    got: int = 0
    want: int = 0
    order: tuple[int, ...] = ()


def view_of(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> View | None:
    """The reading of a view; None where strides and shape have different lengths. Axes of size 1 do not matter."""
    if len(shape) != len(strides):
        return None
    want = packed_strides(shape, itemsize)
    differing = [i for i, size in enumerate(shape) if size > 1 and strides[i] != want[i]]
    if not differing:
        return View("packed")
    # the row step says most: of the axes that differ, the innermost outer one
    axis = differing[-1]
    where = (axis, strides[axis], want[axis])
    if any(strides[i] < 0 for i in differing):
        first = next(i for i in differing if strides[i] < 0)
        return View("reversed", first, strides[first], want[first])
    real = [i for i, size in enumerate(shape) if size > 1]
    order = tuple(sorted(real, key=lambda i: (-strides[i], i)))
    step, permuted = itemsize, True
    for i in reversed(order):
        permuted = permuted and strides[i] == step
        step *= shape[i]
    if permuted:
        return View("permuted", *where, order=order)
    if order == tuple(real) and all(strides[i] >= want[i] for i in real):
        inner = len(shape) - 1 if shape[-1] > 1 else max(real)
        pixels = axis == inner or (shape[-1] <= 4 and axis >= len(shape) - 2)
        return View("pixels" if pixels else "rows", *where)
    return View("other", *where)


def span(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> int:
    """Bytes from the lowest to just behind the highest element that a view touches."""
    return itemsize + sum(abs(step) * (size - 1) for size, step in zip(shape, strides, strict=False) if size > 0)
