"""Whether what an explanation leaves looks like another correct implementation: small, even, and blind to the picture.

Another JPEG decoder, an encoder's loss or a scaler's rounding leave noise; an encoder that halves chroma also takes fine
colour away, which brightness and the means over its blocks keep. A changed tone curve leaves a bias that follows the
brightness; a blur follows the picture's own detail; a colour twist follows the other channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prepcheck.forensics.case import Case
from prepcheck.forensics.colour import MIXES, mixed
from prepcheck.forensics.fit import rgb_order
from prepcheck.forensics.model import Floats, Pixels
from prepcheck.forensics.trial import Trial
from prepcheck.forensics.verify import with_mix

RMS_LIMIT = 8.1
"""30 dB: below that two pictures are not the same one (hard fail of the RGA comparison tables)."""
COLOUR_LIMIT = 16.0
"""Saturated fine colours lose this much where an encoder halves chroma (measured: JPEG 75, 4:2:0, the test card: 11)."""
SMALL = 3.5
"""37 dB: an encoder that halves chroma leaves this much with a pattern (measured: JPEG 85, 4:2:0, enlarged photos)."""
PLAIN_DETAIL, PLAIN_LUMA = 0.05, 2.7
"""Other scalers leave more of their residual in the picture's detail (or displace it by part of a pixel, which leaves more
brightness); encoders 0.04 and 2.7 steps (measured: photos reduced to 224 x 224, JPEG 75 to 95)."""
_BINS = 64
_SIDE = 8


@dataclass(frozen=True, slots=True)
class Residual:
    """rms: of the residual; luma: of its brightness; tone: rms over 64 levels of brightness of the mean of that; detail:
    share of it that the picture's own detail explains; rough: rms of the means over blocks, where noise and lost chroma
    detail cancel; twist: largest deviation from the identity of a linear map of the three colours, of those means; mixed: how much of `rough` the best
    named colour mix leaves. The first five in pixel steps."""

    rms: float
    luma: float
    tone: float
    detail: float
    rough: float
    twist: float
    mixed: float = 1.0

    @property
    def clean(self) -> bool:
        """Whether nothing but noise is left, and not too much of it."""
        return (
            self.luma <= RMS_LIMIT
            and self.rms <= COLOUR_LIMIT
            and self.tone <= max(1.0, 0.85 * self.luma)
            and (self.detail <= 0.45 or self.rms <= SMALL)
            and self.rough <= max(1.0, 0.35 * self.rms)
            and (self.twist <= 0.06 or self.rough <= 0.6)
            and self.mixed > 0.6
        )

    @property
    def plain(self) -> bool:
        """Whether it is clean and has nothing of another filter about it."""
        return self.clean and self.luma <= PLAIN_LUMA and self.detail <= PLAIN_DETAIL


def residual(case: Case, trial: Trial) -> Residual:
    """The residual of a trial on bands of whole blocks, some 128 rows in all, in pixel steps."""
    array, known = trial.view.read(case.buffer)
    count = min(known)
    if count < 1:
        return Residual(64.0, 64.0, 64.0, 1.0, 64.0, 1.0)
    if trial.partial is not None:
        count = min(count, trial.partial.rows if not trial.partial.through else count)
    side = _side(case, trial)
    bands = max(1, count // side)
    starts = np.unique(np.linspace(0, bands - 1, min(bands, 128 // side)).astype(np.int64)) * side
    rows = (starts[:, None] + np.arange(min(side, count))).ravel()
    reference = with_mix(case.whole(trial.pose)[rows], trial.fit, case.spec)
    away = np.empty(reference.shape, np.float32)
    values = np.empty(reference.shape, np.float32)
    for c in range(reference.shape[2]):
        source = trial.fit.order[c]
        row = source if trial.fit.after else c
        x = reference[..., source]
        values[..., c] = x
        table = trial.fit.values.table[row]
        # Signed in the direction of the pixel, whatever the sign of the map.
        sign = np.sign(table[255] - table[0]) or 1.0
        away[..., c] = (array[rows][..., c].astype(np.float32) - table[x]) * sign / trial.fit.values.slope[row]
    away = np.clip(np.nan_to_num(away, nan=64.0), -64, 64)
    weights = _weights(trial, case)
    light, dark = values @ weights, away @ weights
    rough, smooth = _blocks(away, side), _blocks(values, side)
    return Residual(
        _rms(away), _rms(dark), _tone(light, dark), _detail(reference, away), _rms(rough), _twist(smooth, rough),
        1.0 if trial.fit.mix is not None else _mixed(smooth, rough, trial, case),
    )  # fmt: skip


def _mixed(smooth: Floats, rough: Floats, trial: Trial, case: Case) -> float:
    """rms that the best named mix of colours leaves of the means, as a share of what none leaves."""
    before = _rms(rough)
    if smooth.shape[2] < 3 or before <= 0.6:
        return 1.0
    at = [trial.fit.order.index(place) for place in rgb_order(case.spec)]
    colours, found = smooth[..., at], (smooth + rough)[..., at]
    return min(_rms(mixed(colours, mix) - found) for mix in MIXES) / before


def even(case: Case, trial: Trial) -> bool:
    """Whether no band of rows is another picture: the worst one is still the same picture by its brightness."""
    verified = trial.verified
    if verified is None or not verified.counted:
        return True
    rows = verified.rows.mean(axis=0)
    deep = max(4, len(rows) // 80)
    if len(rows) < 2 * deep:
        return True
    sums = np.concatenate([[0.0], np.cumsum(rows)])
    means = (sums[deep:] - sums[:-deep]) / deep
    top = int(means.argmin())
    if float(means[top]) > 0.5 * float(np.median(rows)):
        return True
    array, _ = trial.view.read(case.buffer)
    band = slice(top, top + deep)
    reference = with_mix(case.whole(trial.pose)[band], trial.fit, case.spec)
    away = np.empty(reference.shape, np.float32)
    for c in range(reference.shape[2]):
        source = trial.fit.order[c]
        row = source if trial.fit.after else c
        values = trial.fit.values
        away[..., c] = (
            array[band, :, c].astype(np.float32) - values.table[row][reference[..., source]]
        ) / values.slope[row]
    return _rms(np.clip(np.nan_to_num(away, nan=64.0), -64, 64) @ _weights(trial, case)) <= 2 * RMS_LIMIT


def _rms(a: Floats) -> float:
    return float(np.sqrt((a**2).mean()))


def _side(case: Case, trial: Trial) -> int:
    """Side of a block in pixels of the frame: 8 of the source where the picture is enlarged, where 8 are coded as one."""
    box = case.geometry_of(trial.pose).box
    height, width = (box.h, box.w) if box is not None else case.spec.size
    scale = max(height / case.source_box.h, width / case.source_box.w)
    return int(np.clip(round(_SIDE * scale), _SIDE, 4 * _SIDE))


def _weights(trial: Trial, case: Case) -> Floats:
    """How much each channel found counts for brightness (BT.601)."""
    channels = len(trial.fit.order)
    if channels < 3:
        return np.full(channels, 1 / channels, np.float32)
    out = np.zeros(channels, np.float32)
    for place, weight in zip(rgb_order(case.spec), (0.299, 0.587, 0.114), strict=True):
        out[trial.fit.order.index(place)] = weight
    return out


def _blocks(a: Floats, side: int) -> Floats:
    """Means over side x side pixels (over what there is, in a smaller picture)."""
    deep, wide = min(side, a.shape[0]), min(side, a.shape[1])
    height, width = a.shape[0] // deep * deep, a.shape[1] // wide * wide
    out: Floats = a[:height, :width].reshape(height // deep, deep, width // wide, wide, -1).mean(axis=(1, 3))
    return out


def _tone(values: Floats, away: Floats) -> float:
    level = np.clip(values / (256 / _BINS), 0, _BINS - 1).astype(np.int64).ravel()
    counts = np.bincount(level, minlength=_BINS)
    sums = np.bincount(level, weights=away.ravel(), minlength=_BINS)
    full = counts >= max(32, counts.sum() // 2000)
    if not full.any():
        return 0.0
    means = sums[full] / counts[full]
    chance = float((away**2).mean()) * float((1 / counts[full]).mean())  # what noise alone leaves of the means
    inner = slice(1, -1) if len(means) > 8 else slice(None)  # the ends regress towards the middle by themselves
    return float(np.sqrt(max(0.0, float((means[inner] ** 2).mean()) - chance)))


def _detail(pixels: Pixels, away: Floats) -> float:
    luma = pixels.mean(axis=2, dtype=np.float32)
    if luma.shape[1] < 8:
        return 0.0
    detail = luma[:, 1:-1] * 2 - luma[:, 2:] - luma[:, :-2]
    rest = away.mean(axis=2)[:, 1:-1]
    power = float((detail**2).sum() * (rest**2).sum())
    return float((detail * rest).sum()) ** 2 / power if power > 0 else 0.0


def _twist(values: Floats, away: Floats) -> float:
    """How far the residual depends linearly on the other colours."""
    if values.shape[2] < 3:
        return 0.0
    x = values[..., :3].reshape(-1, 3).astype(np.float64)
    y = away[..., :3].reshape(-1, 3).astype(np.float64)
    x = x - x.mean(axis=0)
    strength = np.linalg.eigvalsh(x.T @ x / len(x))
    if strength[0] < 4.0:  # next to no colour: the map is not determined
        return 0.0
    solution, *_ = np.linalg.lstsq(x, y - y.mean(axis=0), rcond=None)
    off = solution - np.diag(np.diag(solution))
    return float(np.abs(off).max())
