"""JSON Lines of a sweep: one line for each sample in its order, then the whole report on one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from prepcheck.render.json_ import plain

if TYPE_CHECKING:
    from prepcheck.contract.report import Report


class Named(Protocol):
    """A sample: (input or None, path) for each file."""

    @property
    def files(self) -> tuple[tuple[str | None, str], ...]:
        """Its files."""


Seen = tuple[Named, Sequence[Mapping[str, object]], tuple[str, str] | None]
"""A sample, its findings, and (code, message) where it could not be read."""


def render(samples: Iterable[Seen], report: Report) -> str:
    """`{"sample": …, "verdict": …, "findings": […]}` lines and `{"report": {…}}`."""
    lines = [_dump(_sample(*seen)) for seen in samples]
    return "".join([*lines, _dump({"report": plain(report)})])


def _sample(
    sample: Named, findings: Sequence[Mapping[str, object]], failed: tuple[str, str] | None
) -> dict[str, object]:
    files: object = {name or "": path for name, path in sample.files} if len(sample.files) > 1 else sample.files[0][1]
    if failed is not None:
        return {"sample": files, "verdict": "unjudged", "error": {"code": failed[0], "message": failed[1]}}
    worst = {f["severity"] for f in findings}
    verdict = "error" if "error" in worst else "warning" if "warning" in worst else "ok"
    return {"sample": files, "verdict": verdict, "findings": findings}


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
