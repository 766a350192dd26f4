"""Report → JUnit XML: a suite for each family of rules, a case for each finding; what is not known is skipped, with the reason.

An error is a failure. A warning passes and says so in `system-out`, as the exit code does; with --strict it is a failure.
The suite `prepcheck` holds the verdict: it is in error where nothing could be judged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from prepcheck.render.plain import clean

if TYPE_CHECKING:
    from prepcheck.contract.report import Finding, Unknown
    from prepcheck.render.located import Located, Place

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(located: Located, *, strict: bool = False) -> str:
    """The document with a final newline."""
    report = located.report
    root = ET.Element("testsuites", name="prepcheck")
    families: dict[str, list[ET.Element]] = {}
    for f, place, _ in located.failures:
        families.setdefault(f.rule[:2], []).append(_finding(f, place, strict))
    for u in report.unknown:
        families.setdefault(u.rule[:2], []).append(_unknown(u, located.subject))
    _suite(root, "prepcheck", [_verdict(located)])
    for family in sorted(families):
        _suite(root, family, families[family])
    totals = {key: sum(int(s.get(key, "0")) for s in root) for key in ("tests", "failures", "errors", "skipped")}
    for key, value in totals.items():
        root.set(key, str(value))
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, name: str, cases: list[ET.Element]) -> None:
    counts = {
        "tests": len(cases),
        "failures": sum(c.find("failure") is not None for c in cases),
        "errors": sum(c.find("error") is not None for c in cases),
        "skipped": sum(c.find("skipped") is not None for c in cases),
    }
    suite = ET.SubElement(root, "testsuite", {"name": name, **{k: str(v) for k, v in counts.items()}, "time": "0"})
    suite.extend(cases)


def _verdict(located: Located) -> ET.Element:
    report, s = located.report, located.report.summary
    case = _case("prepcheck", "verdict", located.subject)
    if report.error is not None:
        ET.SubElement(case, "error", message=_text(report.error.message), type=report.error.code)
    told = f"{report.verdict}: {s.passed} passed, {s.failed} failed, {s.unknown} unknown"
    ET.SubElement(case, "system-out").text = _text(told)
    return case


def _finding(f: Finding, place: Place, strict: bool) -> ET.Element:
    case = _case(f.rule, f"{f.rule} {f.where}", place)
    body = "\n".join(part for part in (f.message, f.explanation, f"Fix: {f.fix}" if f.fix else "") if part)
    if f.severity == "error" or strict:
        ET.SubElement(case, "failure", message=_text(f.message), type=f.severity).text = _text(body)
    else:
        ET.SubElement(case, "system-out").text = _text(f"{f.severity}: {body}")
    return case


def _unknown(u: Unknown, place: Place) -> ET.Element:
    case = _case(u.rule, f"{u.rule} {u.where}", place)
    ET.SubElement(case, "skipped", message=_text(f"{u.reason}; {u.supply}"))
    return case


def _case(rule: str, name: str, place: Place) -> ET.Element:
    return ET.Element(
        "testcase", classname=f"prepcheck.{rule}", name=_text(name), file=_text(place.path), line=str(place.line), time="0"
    )  # fmt: skip


def _text(text: str) -> str:
    """Text that XML 1.0 can hold and a terminal can show."""
    return _NOT_XML.sub("?", clean(text))
