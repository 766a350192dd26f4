"""What a sweep was about, in a few lines before its findings: how many, what could not be read, what the set holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prepcheck.render.plain import clean

if TYPE_CHECKING:
    from prepcheck.contract.report import Report


def render(report: Report, translate: Callable[[str], str] = str) -> str:
    """Lines with a final newline; empty where the report is not of a sweep."""
    told = report.details.get("sweep")
    if not isinstance(told, dict):
        return ""
    _ = translate
    lines = [
        _("{samples} samples of {paths} ({found} found, {unreadable} not readable)").format(
            samples=told["samples"], paths=", ".join(told["paths"]), found=told["found"], unreadable=told["unreadable"]
        )
    ]
    if told["seed"] is not None:
        lines.append(_("drawn with --sample {n} --seed {seed}").format(n=told["sample"], seed=told["seed"]))
    if told["passed_over"]:
        lines.append(_("{n} other files passed over").format(n=told["passed_over"]))
    if told["resized_otherwise"]:
        lines.append(
            _("resized by Pillow's bilinear in place of OpenCV's: {reason}").format(reason=told["resized_otherwise"])
        )
    if told["calibration"]:
        lines.append(_("taken as a set to calibrate with (--no-calibration: only to run)"))
    for name, given in told["inputs"].items():
        ends = ", ".join(f"{c['low']:.6g}..{c['high']:.6g}" for c in given["channels"] if not isinstance(c["low"], str))
        sizes = ", ".join(f"{s['count']} x {s['size'][0]}x{s['size'][1]}" for s in given["sizes"])
        lines.append(
            _("{input}: {pictures} pictures ({sizes}), {arrays} arrays, {distinct} different; values {ends}").format(
                input=name, pictures=given["pictures"], sizes=sizes or "-", arrays=given["arrays"],
                distinct=given["distinct"], ends=ends or "-",
            )
        )  # fmt: skip
    return "".join(clean(line) + "\n" for line in lines)
