"""The page: the report and its pictures brought into the template's terms."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from prepcheck.render.html.model import Effect, Extras, InputPage, Views
from prepcheck.render.html.words import words
from prepcheck.render.plain import clean
from prepcheck.render.text import RAMP, effect_text

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

    from prepcheck.contract.contract import Contract, Tensor
    from prepcheck.contract.report import Finding, Report
    from prepcheck.render.html.pictures import Encoded

SHOWN = 200
"""Findings, unknowns and lines of one list at most; the rest is counted."""
LONGEST = 4000
"""Characters of one text at most."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its heading and caption."""

    image: Encoded
    title: str
    caption: str
    kind: str = ""
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One number of the effect."""

    value: str
    label: str
    aside: str = ""
    bad: bool = False


@dataclass(frozen=True, slots=True)
class InputSection:
    """One input, ready for the template."""

    page: InputPage
    given: Figure | None
    figures: tuple[Figure, ...]
    tiles: tuple[Tile, ...]
    charts: tuple[Markup, ...]
    held: bool
    in_network: bool
    notes: tuple[str, ...]
    thumbs: tuple[Encoded | None, ...]


def render(report: Report, extras: Extras, *, lang: str = "en", translate: Callable[[str], str] = str) -> str:
    """The whole page. lang: of the `html` element; translate: templates into the reader's language."""
    w = words(translate)
    count = sum(4 for page in extras.inputs if page.views is not None)
    sections = tuple(_section(page, w, count, translate) for page in extras.inputs)
    first = report.findings[0] if report.findings and report.findings[0].severity != "info" else None
    anchors: set[str] = set() if first is None else {first.rule}
    rest = [(f, _anchor(f, anchors)) for f in report.findings if f is not first]
    return _template().render(
        r=report, w=w, lang="zh-CN" if lang == "zh" else "en", sections=sections, first=first, rest=rest[:SHOWN], anchors=anchors, apart=_apart(report, w),
        headline=_headline(report, first, w), severity=_severities(report), subject=_subject(report, w), tensors=tensor_rows,
        effect=_effect_line(translate), facts=_facts(report.contract, translate), evidence=evidence, extras=extras, shown=SHOWN, finite=math.isfinite,
    )  # fmt: skip


@lru_cache(maxsize=1)
def _template() -> Template:
    """The template with escaping on; whatever is printed is first freed of control and bidirectional characters."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def safe(value: object) -> object:
        if isinstance(value, Markup) or not isinstance(value, str):
            return value
        text = clean(value)
        return text if len(text) <= LONGEST else text[:LONGEST] + " …"

    environment = Environment(
        loader=PackageLoader("prepcheck.render.html", "."), autoescape=True, finalize=safe, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("report.html.j2")


def _anchor(finding: Finding, taken: set[str]) -> str:
    """The id of a finding's article: its rule, for the first of each."""
    if finding.rule in taken:
        return ""
    taken.add(finding.rule)
    return finding.rule


def _apart(report: Report, w: dict[str, str]) -> list[tuple[str, list[dict[str, str]]]]:
    """What was found and does not count: ignored with a reason, or known from the baseline."""
    baseline = report.details.get("baseline")
    known = baseline.get("known") if isinstance(baseline, dict) else None
    found = []
    for title, items in ((w["ignored"], report.details.get("ignored")), (w["known"], known)):
        rows = [x for x in items if isinstance(x, dict)] if isinstance(items, list) else []
        if rows:
            keys = ("rule", "where", "message", "reason")
            found.append((title, [{k: str(row.get(k) or "") for k in keys} for row in rows]))
    return found


def _headline(report: Report, first: Finding | None, w: dict[str, str]) -> str:
    if report.error is not None:
        return report.error.message
    if first is not None:
        return first.message
    if report.findings:
        return report.findings[0].message
    return w["no_fault"] if report.summary.passed else w["nothing_known"]


def _severities(report: Report) -> dict[str, str]:
    """Rule → the worst severity with which it was found: the chain marks a step by it."""
    order = {"error": 0, "warning": 1, "info": 2}
    found: dict[str, str] = {}
    for f in report.findings:
        for rule in (f.rule, *(f.evidence.get("also") or ())):
            if rule not in found or order[f.severity] < order[found[rule]]:
                found[str(rule)] = f.severity
    return found


def _subject(report: Report, w: dict[str, str]) -> list[tuple[str, str]]:
    s = report.subject
    given = [(w["model"], s.model), (w["plan"], s.plan), (w["image"], ", ".join(s.images[:6]) or None)]
    if len(s.images) > 6:
        given[-1] = (w["image"], f"{', '.join(s.images[:6])} … ({len(s.images)})")
    buffers = ", ".join(v if len(s.buffers) == 1 else f"{k}={v}" for k, v in sorted(s.buffers.items()))
    return [(k, v) for k, v in (*given, (w["buffer"], buffers), (w["log"], s.log)) if v]


def _facts(contract: Contract | None, _: Callable[[str], str]) -> list[str]:
    if contract is None:
        return []
    return [
        text
        for text in (
            contract.runtime, ", ".join(contract.platforms or []),
            _("toolkit {version}").format(version=contract.toolkit) if contract.toolkit else "",
            _("quantised") if contract.quantized else "",
            _("batch {n}").format(n=contract.batch) if contract.batch not in (None, 1) else "",
        ) if text
    ]  # fmt: skip


def tensor_rows(tensor: Tensor) -> dict[str, str]:
    """The cells of one tensor in the contract's table; "–" where the file does not say."""
    quantised = f"{tensor.zero_point}, {tensor.scale:.6g}" if tensor.scale is not None else ""
    if tensor.fl is not None:
        quantised = f"fl {tensor.fl}"
    held = f"{tensor.value_range[0]:.4g} … {tensor.value_range[1]:.4g}" if tensor.value_range else ""
    size = str(tensor.size) if tensor.size is not None else ""
    if tensor.size_with_stride not in (None, tensor.size):
        size += f" ({tensor.size_with_stride}; w_stride {tensor.w_stride})"
    lists = (
        f"{_numbers(tensor.mean)}, {_numbers(tensor.std)}" if tensor.mean is not None and tensor.std is not None else ""
    )
    cells = {
        "name": tensor.name or (f"[{tensor.index}]" if tensor.index is not None else ""), "layout": tensor.layout or "",
        "shape": " x ".join(str(n) for n in tensor.shape or []), "dtype": tensor.dtype or "", "quantisation": quantised,
        "holds": held, "bytes": size, "mean_std": lists,
    }  # fmt: skip
    return {key: value or "–" for key, value in cells.items()}


def _numbers(values: list[float]) -> str:
    return "[" + ", ".join(f"{v:.6g}" for v in values) + "]"


def _effect_line(translate: Callable[[str], str]) -> Callable[[Finding], str]:
    def line(finding: Finding) -> str:
        found = finding.evidence.get("effect")
        measured = isinstance(found, dict) and found.get("over") != RAMP  # the pictures show that of submitted bytes
        return effect_text(found, translate) if isinstance(found, dict) and not measured else ""

    return line


def evidence(finding: Finding) -> list[tuple[str, str]]:
    """The measured values behind a finding, without what is shown elsewhere."""
    return [
        (k, _shown(v)) for k, v in sorted(finding.evidence.items()) if k not in ("also", "effect") and v is not None
    ][:60]


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return "; ".join(f"{k} {_shown(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_shown(v) for v in value[:40]) + (", …" if len(value) > 40 else "") + "]"
    return str(value)


def _section(page: InputPage, w: dict[str, str], pictures: int, _: Callable[[str], str]) -> InputSection:
    notes = tuple(_(n.text).format(**n.values) for n in page.notes)
    if page.views is None:
        return InputSection(page, None, (), (), (), False, False, notes, (None,) * len(page.chain))
    from prepcheck.render.html import charts
    from prepcheck.render.html.pictures import encode, share, thumb

    views, limit = page.views, share(pictures)
    drawn = []
    histogram = views.histogram
    if histogram is not None:
        for channel in histogram.channels:
            said = w["channel_said"].format(
                channel=channel.name, low=f"{histogram.low:.4g}", high=f"{histogram.high:.4g}"
            )
            drawn.append(charts.histogram_svg(histogram, channel, f"{w['values']}. {said}"))
    given = Figure(encode(views.source, limit), w["given"], _size(views.source.shape[1::-1], w))
    return InputSection(
        page, given, tuple(_triple(views, w, limit)), tuple(_tiles(views.effect, w)), tuple(drawn),
        histogram is not None and histogram.held is not None, histogram is not None and histogram.in_network, notes,
        tuple(thumb(step.picture) if step.picture is not None else None for step in page.chain),
    )  # fmt: skip


def _size(size: tuple[int, ...], w: dict[str, str]) -> str:
    return w["pixels"].format(width=size[0], height=size[1])


def _triple(views: Views, w: dict[str, str], limit: int) -> list[Figure]:
    from prepcheck.render.html.pictures import encode, gradient, heat_map, heat_top

    found = []
    if views.right is not None:
        found.append(
            Figure(encode(views.right, limit), w["should"], _size(views.size or views.right.shape[1::-1], w), "right")
        )
    if views.seen is not None:
        effect = views.effect
        apart = (
            _size(views.size or views.seen.shape[1::-1], w)
            if effect is None
            else w["same"]
            if effect.largest == 0
            else f"PSNR {_db(effect.psnr)}"
        )
        title = w[f"sees_{views.origin}"] if views.right is not None else w[f"gets_{views.origin}"]
        found.append(Figure(encode(views.seen, limit), title, apart, "seen"))
    if views.difference is not None and views.effect is not None:
        top, e = heat_top(views.difference), views.effect
        caption = w["steps_apart"].format(mean=f"{e.mean:.3g}", largest=f"{e.largest:.4g}")
        legend = w["largest_is"].format(top=f"{top:.0f}")
        picture = encode(heat_map(views.difference, top), limit)
        image = type(picture)(picture.uri, views.difference.shape[1], views.difference.shape[0], picture.hard)
        found.append(Figure(image, w["difference"], caption, gradient(), legend))
    return found


def _db(value: float) -> str:
    return "∞ dB" if math.isinf(value) else f"{value:.1f} dB".replace("-", "−")


def _tiles(e: Effect | None, w: dict[str, str]) -> list[Tile]:
    if e is None:
        return []
    tiles = [
        Tile(w["equal"] if math.isinf(e.psnr) else _db(e.psnr), w["psnr"], bad=e.psnr < 25),
        Tile(_percent(e.changed), w["changed"], bad=e.changed > 0.2),
    ]
    if e.cut is not None:
        right = w["cut_right"].format(percent=_percent(e.cut_right)) if e.cut_right is not None else ""
        tiles.append(Tile(_percent(e.cut), w["cut"], right, e.cut > (e.cut_right or 0.0) + 0.05))
    right = w["levels_right"].format(count=e.levels_right) if e.levels_right is not None else ""
    tiles.append(Tile(str(e.levels), w["levels"], right, e.levels * 4 <= (e.levels_right or 16)))
    return tiles


def _percent(share: float) -> str:
    value = 100 * share
    return (
        f"{value:.0f} %"
        if value in (0, 100) or 10 <= value < 99.5
        else f"{value:.2g} %"
        if value < 10
        else f"{value:.4g} %"
    )
