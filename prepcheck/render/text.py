"""Report → text that teaches: what is wrong, the arithmetic, the fix; what to hand over; what is not known."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from prepcheck.render.plain import clean
from prepcheck.render.wrapping import is_wide, wrap

if TYPE_CHECKING:
    from rich.console import Console

    from prepcheck.contract.contract import Contract, Tensor
    from prepcheck.contract.report import Finding, Report

_STYLE = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}


def render(
    report: Report,
    *,
    color: bool,
    width: int,
    quiet: bool = False,
    verbose: bool = False,
    translate: Callable[[str], str] = str,
    what: str = "report",
) -> str:
    """The whole text. color: with terminal styles; width: columns; quiet: findings and the last line only."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(
        file=stream, width=width, force_terminal=color, no_color=not color, highlight=False, markup=False, emoji=False,
        color_system="standard" if color else None, legacy_windows=False,
    )  # fmt: skip
    writer = _Writer(console, verbose, translate)
    if not quiet:
        writer.subject(report)
        if what == "contract" and report.contract is not None:
            writer.contract(report.contract)
        writer.path(report)
    for finding in report.findings:
        if quiet and finding.severity == "info":
            continue
        writer.finding(finding)
    if not quiet:
        writer.hand_over(report)
        writer.cleared(report)
        writer.tests(report)
        writer.unknown(report)
    writer.last(report)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))


class _Writer:
    def __init__(self, console: Console, verbose: bool, translate: Callable[[str], str]) -> None:
        self.console = console
        self.verbose = verbose
        self.translate = translate

    def line(self, text: str = "", style: str | None = None, indent: int = 0) -> None:
        from rich.padding import Padding
        from rich.text import Text

        hang = len(text) - len(text.lstrip(" "))
        shown = clean(text[hang:])
        if is_wide(shown):
            shown = wrap(shown, max(self.console.width - indent - hang, 10))
        self.console.print(Padding(Text(shown, style=style or ""), (0, 0, 0, indent + hang)))

    def subject(self, report: Report) -> None:
        _ = self.translate
        s, c = report.subject, report.contract
        if s.model or s.plan:
            self.line(
                " ".join(x for x in (s.model, _("with {plan}").format(plan=s.plan) if s.plan else None) if x), "bold"
            )
        if c is not None:
            facts = [
                c.runtime, ", ".join(c.platforms or []) or None, _("toolkit {version}").format(version=c.toolkit) if c.toolkit else None,
                c.container, _("quantised") if c.quantized else None,
                _("batch {n}").format(n=c.batch) if c.batch not in (None, 1) else None,
            ]  # fmt: skip
            self.line("  " + " · ".join(f for f in facts if f))
        record = report.details.get("record")
        if isinstance(record, dict):
            self.line("  " + _("record of {n} run(s)").format(n=record.get("runs")))
            for note in record.get("notes") or ():
                self.line(f"  {note}")
        for name, digest in (s.sha256 or {}).items():
            self.line(f"  sha256 {digest}  {name}")
        if c is not None:
            for tensor in c.inputs:
                self.line("  " + _("input {tensor}").format(tensor=describe(tensor, _)))

    def contract(self, contract: Contract) -> None:
        _ = self.translate
        for tensor in contract.outputs:
            self.line("  " + _("output {tensor}").format(tensor=describe(tensor, _)))
        if contract.custom_string:
            self.line(f"  custom string {contract.custom_string!r}")
        for key, value in sorted(contract.metadata.items()):
            self.line(f"  metadata {key} = {value}")

    def path(self, report: Report) -> None:
        _ = self.translate
        for name, lines in report.path.items():
            self.line()
            implicit = any(step.implicit for step in lines)
            head = _("path of {name}").format(name=name)
            self.line(head + (" " + _("(no plan given: the usual path is assumed)") if implicit else ""), "bold")
            for number, step in enumerate(lines, 1):
                place = "" if step.where == "host" else f" [{step.where}]"
                said = f" ({step.note})" if step.note else ""
                self.line(f"{number}. {step.step}{said}{place} → {step.after}", indent=2)
                for id_ in step.findings:
                    self.line(f"^ {id_}", "bold red", indent=5)

    def finding(self, f: Finding) -> None:
        _ = self.translate
        severity = {"error": _("error"), "warning": _("warning"), "info": _("info")}[f.severity]
        self.line()
        self.line(f"{severity} {f.rule} {f.where}: {f.message}", _STYLE[f.severity])
        if f.explanation:
            self.line(f.explanation, indent=2)
        if f.fix:
            self.line(_("Fix: {fix}").format(fix=f.fix), indent=2)
        self.effect(f.evidence.get("effect"))
        also = f.evidence.get("also")
        if also:
            self.line(_("Explains also: {rules}").format(rules=", ".join(also)), "dim", indent=2)
        if self.verbose and f.evidence:
            shown = ", ".join(f"{k}={v}" for k, v in sorted(f.evidence.items()) if k != "also")
            self.line(f"Evidence: {shown}; confidence {f.confidence:.2f}", "dim", indent=2)

    def effect(self, found: object) -> None:
        """How far the input moves, where it was measured."""
        said = effect_text(found, self.translate) if isinstance(found, dict) else ""
        if said:
            self.line(said, indent=2)

    def hand_over(self, report: Report) -> None:
        if not report.hand_over:
            return
        self.line()
        self.line(self.translate("hand over"), "bold")
        for h in report.hand_over:
            self.line(f"{h.input}: {h.sentence}", indent=2)

    def cleared(self, report: Report) -> None:
        _ = self.translate
        if report.scope is not None and (
            report.verdict == "error" or report.scope != "input"
        ):  # a warning blames nobody
            words = {
                "input": _("the input: what the program prepares and hands over, its memory included"),
                "conversion": _("the conversion of the model"),
                "device": _("the device, not the input"),
                "cannot_tell": _("cannot be told from this"),
            }
            self.line()
            self.line(_("where the fault lies: {where}").format(where=words[report.scope]), "bold")
        if report.ruled_out:
            self.line()
            self.line(_("cleared"), "bold")
            for r in report.ruled_out:
                self.line(_joined(r.what, r.because), indent=2)

    def tests(self, report: Report) -> None:
        if not report.next_tests:
            return
        self.line()
        self.line(self.translate("next test"), "bold")
        for number, test in enumerate(report.next_tests, 1):
            self.line(f"{number}. {test.do}", indent=2)
            for outcome in test.outcomes:
                self.line(f"{outcome.see} → {outcome.means}", indent=5)

    def unknown(self, report: Report) -> None:
        if not report.unknown:
            return
        _ = self.translate
        self.line()
        shown = report.unknown if self.verbose else report.unknown[:6]
        self.line(_("not known"), "bold")
        for u in shown:
            self.line(f"{u.where} ({u.rule}): {u.reason}; {u.supply}", indent=2)
        if len(shown) < len(report.unknown):
            self.line(_("… and {n} more (-v shows all)").format(n=len(report.unknown) - len(shown)), indent=2)

    def last(self, report: Report) -> None:
        s = report.summary
        style = {"ok": "bold green", "warning": "bold yellow"}.get(report.verdict, "bold red")
        self.line()
        _ = self.translate
        verdict = {"ok": _("ok"), "warning": _("warning"), "error": _("error")}.get(report.verdict, report.verdict)
        counts = _("{passed} passed, {failed} failed, {unknown} unknown")
        said = counts.format(passed=s.passed, failed=s.failed, unknown=s.unknown)
        if report.verdict == "ok" and report.next_tests and report.subject.log is not None:
            said = _("{counts}; nothing is proven by this yet: do the next test above").format(counts=said)
        self.line(_joined(verdict, said), style)


RAMP = "pixels 0..255"
"""What an effect is measured over where no bytes were submitted."""


def effect_text(found: Mapping[str, object], translate: Callable[[str], str] = str) -> str:
    """One line about an effect: PSNR, and saturation and levels where they are not as they would be. "" without numbers."""
    _ = translate
    psnr, cut, levels = found.get("psnr"), found.get("saturated"), found.get("distinct")
    parts = []
    if isinstance(psnr, (int, float)):
        parts.append(_("{db} dB PSNR against the right input").format(db=f"{psnr:.1f}"))
    wanted = found.get("saturated_expected")
    right = wanted if isinstance(wanted, (int, float)) else None
    if isinstance(cut, (int, float)) and abs(cut - (right or 0.0)) >= 0.001:
        text = _("{percent} % saturated") if right is None else _("{percent} % saturated ({right} % if right)")
        parts.append(text.format(percent=f"{100 * cut:.3g}", right=f"{100 * (right or 0):.3g}"))
    few = found.get("distinct_expected")
    if isinstance(levels, int) and not (isinstance(few, int) and levels >= 0.9 * few):
        text = (
            _("{levels} levels of a channel left")
            if few is None
            else _("{levels} levels left where {right} would be right")
        )
        parts.append(text.format(levels=levels, right=few))
    ramp = found.get("over") == RAMP
    head = _("Effect over all pixel values 0..255: {parts}") if ramp else _("Effect on this picture: {parts}")
    return head.format(parts="; ".join(parts)) if parts else ""


def describe(t: Tensor, translate: Callable[[str], str] = str) -> str:
    """One line about a tensor: `images  NHWC [1, 400, 800, 3] int8, zp −128 scale 1 (0..255), 960000 bytes, …`."""
    parts = [f"{t.name or t.index}  {t.layout or '?'} {t.shape} {t.dtype or '?'}"]
    if t.scheme == "affine" and t.scale is not None:
        held = ""
        if t.value_range:
            held = " " + translate("(holds {low}..{high})").format(
                low=f"{t.value_range[0]:.4g}", high=f"{t.value_range[1]:.4g}"
            )
        parts.append(f"zp {t.zero_point} scale {t.scale:.6g}{held}")
    if t.fl is not None:
        parts.append(f"fl {t.fl}")
    if t.size is not None:
        parts.append(translate("{n} bytes").format(n=t.size))
        if t.size_with_stride not in (None, t.size):
            parts.append(translate("{n} with stride").format(n=t.size_with_stride))
    if t.w_stride is not None:
        parts.append(f"w_stride {t.w_stride}")
    if t.mean is not None and t.std is not None:
        parts.append(f"mean {_numbers(t.mean)} std {_numbers(t.std)}")
    if t.rgb2bgr:
        parts.append("calibration swapped R and B")
    if t.native is not None and t.native.layout not in (None, t.layout):
        parts.append(f"native {t.native.layout} {t.native.shape}")
    if t.dynamic:
        parts.append(f"dynamic {t.dynamic}")
    return ", ".join(parts)


def _joined(what: str, said: str) -> str:
    return f"{what}：{said}" if is_wide(what) else f"{what}: {said}"


def _numbers(values: list[float]) -> str:
    return "[" + ", ".join(f"{v:.6g}" for v in values) + "]"
