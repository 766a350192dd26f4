"""An ImageProcess call as a plan states it → the arguments of classify() and convert()."""

from __future__ import annotations

from dataclasses import dataclass

from prepcheck.contract.calls import ImageProcessArguments, Matrix
from prepcheck.core.layouts import dims_of
from prepcheck.pixels.image_process import config as ip
from prepcheck.pixels.image_process.matrix import scale_translate


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """config, size ([width, height] of the source), dest and stride of one call.

    assumed: keys that the plan does not state and whose default of MNN stands here instead (filter NEAREST, wrap
    CLAMP_TO_EDGE, mean 0, normal 1, padding 0, stride 0; no matrix is the identity and no assumption).
    """

    config: ip.ImageProcessConfig
    size: tuple[int, int]
    dest: ip.Destination
    stride: int
    assumed: tuple[str, ...]


def missing(arguments: ImageProcessArguments) -> tuple[str, ...]:
    """Keys without which nothing can be said: formats, size of the source, shape, layout and dtype of the destination."""
    dest = arguments.dest
    stated = {
        "source_format": arguments.source_format,
        "dest_format": arguments.dest_format,
        "source_size": arguments.source_size,
        "dest.shape": dest.shape if dest else None,
        "dest.layout": dest.layout if dest else None,
        "dest.dtype": dest.dtype if dest else None,
    }
    return tuple(key for key, value in stated.items() if value is None)


def from_arguments(arguments: ImageProcessArguments) -> PlannedCall | None:
    """The call, or None where `missing` names something or the destination is no 4-D NHWC, NCHW or NC4HW4 tensor.

    Raises UsageError for values that MNN does not have (a padding beyond a byte, sides beyond 32768, …).
    """
    a, dest = arguments, arguments.dest
    if a.source_format is None or a.dest_format is None or a.source_size is None or dest is None:
        return None
    if dest.shape is None or dest.layout not in ("NHWC", "NCHW", "NC4HW4") or dest.dtype is None:
        return None
    if dims_of(dest.layout, dest.shape) is None:
        return None
    assumed = [k for k in ("mean", "normal", "filter", "wrap", "padding", "stride") if getattr(a, k) is None]
    if a.wrap is not None and a.wrap != "ZERO":
        assumed = [k for k in assumed if k != "padding"]  # it has no part in the result
    made = ip.ImageProcessConfig(
        source_format=a.source_format,
        dest_format=a.dest_format,
        mean=_four(a.mean, 0.0),
        normal=_four(a.normal, 1.0),
        filter=a.filter or "nearest",
        wrap=a.wrap or "CLAMP_TO_EDGE",
        padding=a.padding or 0,
        matrix=_nine(a.matrix),
    )
    width, height = a.source_size
    target = ip.Destination(tuple(dest.shape), dest.layout, dest.dtype)
    return PlannedCall(made, (width, height), target, a.stride or 0, tuple(assumed))


def _four(values: list[float] | None, fill: float) -> tuple[float, float, float, float]:
    """One value per channel, filled up to MNN's four; a single one stands for all."""
    given = list(values or [])[:4]
    given = given * 4 if len(given) == 1 else given
    a, b, c, d = given + [fill] * (4 - len(given))
    return (a, b, c, d)


def _nine(matrix: Matrix | list[float] | None) -> ip.Matrix | None:
    if matrix is None:
        return None
    if isinstance(matrix, Matrix):
        return scale_translate(matrix.scale[0], matrix.scale[1], matrix.translate[0], matrix.translate[1])
    a, b, c, d, e, f, g, h, i = matrix
    return (a, b, c, d, e, f, g, h, i)
