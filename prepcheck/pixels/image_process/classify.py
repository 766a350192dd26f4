"""What an ImageProcess call does, without touching a pixel: right, suspicious, wrong, nothing written, overrun.

Everything here holds for MNN 3.6.1 on the CPU. convert() answers 0 in all these cases (only a null or unallocated
tensor gives 10), so the judgement has to come from the arguments. Sources: measured on the pip wheel (x86-64, AVX2),
and ImageProcess.cpp / ImageProcessUtils.cpp of alibaba/MNN.
"""

from __future__ import annotations

from dataclasses import dataclass

from prepcheck.errors import UsageError
from prepcheck.pixels.image_process.checks_sampling import sampling_issues, source_issues
from prepcheck.pixels.image_process.checks_store import store_issues
from prepcheck.pixels.image_process.config import MAX_SIDE, Destination, ImageProcessConfig, Matrix
from prepcheck.pixels.image_process.effect import Effect, Issue
from prepcheck.pixels.image_process.matrix import (
    Axis,
    Kind,
    axes,
    half_pixel_matrix,
    is_axis_aligned,
    is_identity,
    kind_of,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a call does.

    issues: worst first; empty = nothing to say. identity: MNN copies (top left corner) instead of sampling.
    matrix_kind: what the matrix does (see matrix.Kind). half_pixel: the nine numbers that make this resize equal
    OpenCV's INTER_LINEAR, a stretch over the whole destination. axes: horizontal and vertical axis of the matrix
    (identity where none is set), None where it rotates or skews.
    """

    issues: tuple[Issue, ...]
    identity: bool
    matrix_kind: Kind
    half_pixel: Matrix
    axes: tuple[Axis, Axis] | None

    @property
    def effect(self) -> Effect:
        """The worst of the issues; RIGHT without any."""
        return max((i.effect for i in self.issues), default=Effect.RIGHT)

    @property
    def computed(self) -> bool:
        """Whether convert() gives the bytes."""
        return self.effect < Effect.REFUSED

    def by_rule(self, rule_id: str) -> Issue | None:
        """The worst issue of one rule (`mnn:I8`)."""
        return next((i for i in self.issues if i.rule_id == rule_id), None)


def classify(
    config: ImageProcessConfig,
    source_size: tuple[int, int],
    dest: Destination,
    stride: int = 0,
    source_bytes: int | None = None,
) -> Verdict:
    """Judges one convert() call. Sizes are [width, height]; stride in bytes, 0 = packed; source_bytes where known.

    Raises UsageError for a source size that no picture has.
    """
    if min(source_size) < 1 or max(source_size) > MAX_SIDE:
        raise UsageError(f"ImageProcess: width and height of the source are 1..{MAX_SIDE}, not {source_size}")
    size = (dest.dims.w, dest.dims.h)
    kind = kind_of(config.matrix, source_size, size)
    same = is_identity(config.matrix) and source_size[0] >= size[0] and source_size[1] >= size[1]
    issues = [
        *store_issues(config, dest, same),
        *sampling_issues(config, kind, source_size, size, same),
        *source_issues(config, source_size, dest, stride, source_bytes, same),
    ]
    matrix = config.matrix or _NO_MATRIX
    return Verdict(
        issues=tuple(sorted(issues, key=lambda i: -i.effect)),
        identity=same,
        matrix_kind=kind,
        half_pixel=half_pixel_matrix(source_size, size),
        axes=axes(matrix, source_size, size) if is_axis_aligned(matrix) else None,
    )


_NO_MATRIX: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def reuse_issue(previous: Destination, dest: Destination) -> Issue | None:
    """One processor used for two destinations in turn: after a float one a uint8 one is written as floats."""
    if previous.dtype != "float32" or dest.dtype != "uint8":
        return None
    got, room = 4 * dest.elements, dest.elements
    return Issue(
        "mnn:I13",
        Effect.OVERRUN,
        f"a processor that has filled a float32 destination writes floats ({got} bytes) into the uint8 one ({room} bytes)",
    )
