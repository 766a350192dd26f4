"""Whether what an explanation leaves looks like another correct implementation: small, even, and blind to the picture.

Another JPEG decoder, an encoder's loss or a scaler's rounding leave noise. A changed tone curve leaves a bias that
follows the pixel value; a blur follows the picture's own detail; a colour twist follows the other channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prepcheck.forensics.case import Case
from prepcheck.forensics.model import Floats, Pixels
from prepcheck.forensics.trial import Trial
from prepcheck.forensics.verify import with_mix

RMS_LIMIT = 8.1
"""30 dB: below that two pictures are not the same one (hard fail of the RGA comparison tables)."""
SMALL = 3.5
"""37 dB: an encoder that halves chroma leaves this much with a pattern (measured: JPEG 85, 4:2:0, enlarged photos)."""
_BINS = 64
_SIDE = 8


@dataclass(frozen=True, slots=True)
class Residual:
    """rms: of the residual; tone: rms over 64 levels of its mean; detail: share of it that the picture's own detail
    explains; rough: rms of its means over 8 x 8 pixels, where noise and lost chroma detail cancel; twist: largest
    deviation from the identity of a linear map of the three colours, of those means. All in pixel steps."""

    rms: float
    tone: float
    detail: float
    rough: float
    twist: float

    @property
    def clean(self) -> bool:
        """Whether nothing but noise is left, and not too much of it."""
        return (
            self.rms <= RMS_LIMIT
            and self.tone <= max(1.0, 0.85 * self.rms)
            and (self.detail <= 0.45 or self.rms <= SMALL)
            and self.rough <= max(1.0, 0.35 * self.rms)
            and (self.twist <= 0.06 or self.rough <= 0.6)
        )


def residual(case: Case, trial: Trial) -> Residual:
    """The residual of a trial on bands of 8 rows, some 128 rows in all, in pixel steps."""
    array, known = trial.view.read(case.buffer)
    count = min(known)
    if count < 1:
        return Residual(64.0, 64.0, 1.0, 64.0, 1.0)
    if trial.partial is not None:
        count = min(count, trial.partial.rows if not trial.partial.through else count)
    bands = max(1, count // _SIDE)
    starts = np.unique(np.linspace(0, bands - 1, min(bands, 16)).astype(np.int64)) * _SIDE
    rows = (starts[:, None] + np.arange(min(_SIDE, count))).ravel()
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
    rms = float(np.sqrt((away**2).mean()))
    rough, smooth = _blocks(away), _blocks(values)
    return Residual(
        rms, _tone(values, away), _detail(reference, away), float(np.sqrt((rough**2).mean())), _twist(smooth, rough)
    )


def _blocks(a: Floats) -> Floats:
    """Means over 8 x 8 pixels (over what there is, in a smaller picture)."""
    deep, wide = min(_SIDE, a.shape[0]), min(_SIDE, a.shape[1])
    height, width = a.shape[0] // deep * deep, a.shape[1] // wide * wide
    out: Floats = a[:height, :width].reshape(height // deep, deep, width // wide, wide, -1).mean(axis=(1, 3))
    return out


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
        chance = float((away[..., c] ** 2).mean()) * float(
            (1 / counts[full]).mean()
        )  # what noise alone leaves of the means
        inner = slice(1, -1) if len(means) > 8 else slice(None)  # the ends regress towards the middle by themselves
        worst = max(worst, float(np.sqrt(max(0.0, float((means[inner] ** 2).mean()) - chance))))
    return worst


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
