"""Histograms as inline SVG: the right values as a line, the seen ones filled, what the codes can hold as a band."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from prepcheck.render.html.model import ChannelValues, Histogram

WIDTH, HEIGHT, FOOT, HEAD = 360, 150, 22, 18


def histogram_svg(histogram: Histogram, channel: ChannelValues, label: str) -> Markup:
    """One channel. label: what the drawing shows, for those who do not see it. Text comes escaped, numbers are ours."""
    low, high = histogram.low, histogram.high
    span = (high - low) or 1.0
    base = HEIGHT - FOOT

    def x(value: float) -> float:
        return round(min(1.0, max(0.0, (value - low) / span)) * WIDTH, 1)

    parts = [f'<rect class="plot" x="0" y="{HEAD}" width="{WIDTH}" height="{base - HEAD}"/>']
    if histogram.held is not None:
        left, right = (x(v) for v in histogram.held)
        parts.append(
            f'<rect class="held" x="{left}" y="{HEAD}" width="{max(1.5, right - left)}" height="{base - HEAD}"/>'
        )
        parts += [
            f'<line class="end" x1="{at}" x2="{at}" y1="{HEAD}" y2="{base}"/>'
            for at, value in zip((left, right), histogram.held, strict=True)
            if low <= value <= high
        ]
    kind = _kind(channel.name)
    parts.append(f'<path class="seen {kind}" d="{_outline(channel.seen, base)}Z"/>')
    parts.append(f'<path class="right" d="{_outline(channel.right, base)}"/>')
    parts.append(f'<line class="axis" x1="0" x2="{WIDTH}" y1="{base}" y2="{base}"/>')
    parts.append(f'<text x="0" y="12" class="name">{escape(channel.name)}</text>')
    parts.append(f'<text x="0" y="{HEIGHT - 7}">{low:.4g}</text>')
    parts.append(f'<text x="{WIDTH}" y="{HEIGHT - 7}" text-anchor="end">{high:.4g}</text>')
    parts += _marks(histogram, x, base)
    return Markup(f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>')


def _marks(histogram: Histogram, x: object, base: int) -> list[str]:
    """The ends of what the codes hold, in numbers above the plot."""
    if histogram.held is None or not callable(x):
        return []
    left, right = (float(x(v)) for v in histogram.held)
    middle = (left + right) / 2
    text = f"{histogram.held[0]:.4g} … {histogram.held[1]:.4g}"
    anchor, at = (
        ("start", left) if middle < WIDTH * 0.3 else ("end", right) if middle > WIDTH * 0.7 else ("middle", middle)
    )
    at = min(WIDTH, max(26 if anchor == "start" else 0, at))
    return [f'<text x="{at:.1f}" y="12" text-anchor="{anchor}" class="holds">{text}</text>']


def _outline(counts: NDArray[np.int64], base: int) -> str:
    """A path of steps over equal bins: heights by the square root, so that a spike does not hide the rest."""
    heights = np.sqrt(counts.astype(np.float64))
    top = heights.max() or 1.0
    heights = np.rint(heights / top * (base - HEAD - 2) * 10) / 10
    width = WIDTH / len(counts)
    path = [f"M0 {base}"]
    for i, h in enumerate(heights):
        path.append(f"V{base - h:.4g}H{(i + 1) * width:.4g}")
    return "".join(path) + f"V{base}"


def _kind(name: str) -> str:
    return {"R": "red", "G": "green", "B": "blue"}.get(name, "gray")
