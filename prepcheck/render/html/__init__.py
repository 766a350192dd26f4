"""Report → one self-contained HTML page: no script, no remote asset, light and dark, for a desk and for a phone."""

from __future__ import annotations

from prepcheck.render.html.page import render

__all__ = ["render"]
