"""Whether what an explanation leaves looks like another correct implementation: small, even, and blind to the picture.

Another JPEG decoder, an encoder's loss or a scaler's rounding leave noise. A changed tone curve leaves a bias that
follows the pixel value; a blur follows the picture's own detail; a colour twist follows the other channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prepcheck.forensics.case import Case
from prepcheck.forensics.model import Floats
from prepcheck.forensics.trial import Trial
from prepcheck.forensics.verify import with_mix

RMS_LIMIT = 8.1
"""30 dB: below that two pictures are not the same one (hard fail of the RGA comparison tables)."""
SMALL = 3.5
"""37 dB: an encoder that halves chroma leaves this much with a pattern (measured: JPEG 85, 4:2:0, enlarged photos)."""
_BINS = 64


@dataclass(frozen=True, slots=True)
class Residual:
    """tone: rms over 64 levels of the mean residual; detail: share of the residual that the picture's own detail
    explains; twist: largest deviation from the identity of a linear map of the three colours; rms in pixel steps."""

    rms: float
    tone: float
    detail: float
    twist: float

    @property
    def clean(self) -> bool:
        """Whether nothing but noise is left, and not too much of it."""
        return (
            self.rms <= RMS_LIMIT
            and self.tone <= max(1.0, (0.8 if self.rms <= SMALL else 0.35) * self.rms)
            and (self.detail <= 0.45 or self.rms <= SMALL)
            and self.twist <= 0.1
        )


def residual(case: Case, trial: Trial) -> Residual:
    """The residual of a trial on every 5th row at most, in pixel steps."""
    array, known = trial.view.read(case.buffer)
    count = min(known)
    if count < 1:
        return Residual(64.0, 64.0, 1.0, 1.0)
    if trial.partial is not None:
        count = min(count, trial.partial.rows if not trial.partial.through else count)
    step = max(1, count // 128)
    pixels = with_mix(case.whole(trial.pose), trial.fit, case.spec)
    rows = slice(0, count, step)
    reference = pixels[rows]
    away = np.empty(reference.shape, np.float32)
    values = np.empty(reference.shape, np.float32)
    for c in range(reference.shape[2]):
        source = trial.fit.order[c]
        row = source if trial.fit.after else c
        x = reference[..., source]
        values[..., c] = x
        made = trial.fit.values.table[row][x]
        # Signed in the direction of the pixel, whatever the sign of the map.
        sign = np.sign(trial.fit.values.table[row][255] - trial.fit.values.table[row][0]) or 1.0
        away[..., c] = (array[rows][..., c].astype(np.float32) - made) * sign / trial.fit.values.slope[row]
    away = np.clip(np.nan_to_num(away, nan=64.0), -64, 64)
    rms = float(np.sqrt((away**2).mean()))
    return Residual(rms, _tone(values, away), _detail(pixels, rows, trial, away), _twist(values, away))


def _tone(values: Floats, away: Floats) -> float:
    worst = 0.0
    for c in range(values.shape[2]):
        level = (values[..., c] / (256 / _BINS)).astype(np.int64).ravel()
        counts = np.bincount(level, minlength=_BINS)
        sums = np.bincount(level, weights=away[..., c].ravel(), minlength=_BINS)
        full = counts >= max(32, counts.sum() // 2000)
        if not full.any():
            continue
        means = sums[full] / counts[full]
        chance = float((away[..., c] ** 2).mean()) * float((1 / counts[full]).mean())  # what noise alone leaves of the means
        inner = slice(1, -1) if len(means) > 8 else slice(None)  # the ends regress towards the middle by themselves
        worst = max(worst, float(np.sqrt(max(0.0, float((means[inner] ** 2).mean()) - chance))))
    return worst


def _detail(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], rows: slice, trial: Trial, away: Floats) -> float:
    luma = pixels[rows].mean(axis=2, dtype=np.float32)
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
    x = values[..., :3].reshape(-1, 3)[::7].astype(np.float64)
    y = away[..., :3].reshape(-1, 3)[::7].astype(np.float64)
    x = x - x.mean(axis=0)
    strength = np.linalg.eigvalsh(x.T @ x / len(x))
    if strength[0] < 4.0:  # next to no colour: the map is not determined
        return 0.0
    solution, *_ = np.linalg.lstsq(x, y - y.mean(axis=0), rcond=None)
    off = solution - np.diag(np.diag(solution))
    return float(np.abs(off).max())
