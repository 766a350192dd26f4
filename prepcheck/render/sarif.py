"""Report → SARIF 2.1.0: errors and warnings as results, each with a place; what is not known as notifications.

Passed checks and infos are left out: services show every result as an alert. A result without a place makes some refuse
the whole file, so every one has a file and a line. There is always exactly one run.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from prepcheck.render.json_ import plain
from prepcheck.render.plain import clean

if TYPE_CHECKING:
    from prepcheck.contract.report import Finding
    from prepcheck.render.located import Located, Place, RulePage

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
_LEVEL = {"error": "error", "warning": "warning", "info": "note"}


def render(located: Located) -> str:
    """The log as JSON text with a final newline."""
    report = located.report
    ids = sorted(located.pages)
    run = {
        "tool": {
            "driver": {"name": "prepcheck", "version": report.version, "rules": [_rule(located.pages[i]) for i in ids]}
        },
        "columnKind": "utf16CodeUnits",
        "results": [_result(f, place, print_, ids) for f, place, print_ in located.failures],
        "invocations": [
            {"executionSuccessful": report.error is None, "toolExecutionNotifications": _notifications(located)}
        ],
    }
    log = {"$schema": SCHEMA, "version": VERSION, "runs": [run]}
    return json.dumps(log, indent=1, sort_keys=True, allow_nan=False) + "\n"


def _rule(page: RulePage) -> dict[str, object]:
    return {
        "id": page.id,
        "name": "".join(word.capitalize() for word in page.name.split("-")),
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": page.title},
        "help": {"text": page.text},
        "defaultConfiguration": {"level": _LEVEL[page.severity]},
        "properties": {"tags": [page.category]},
    }


def _result(f: Finding, place: Place, fingerprint: str, ids: list[str]) -> dict[str, object]:
    words = " ".join(part for part in (f.message, f.explanation, f"Fix: {f.fix}" if f.fix else "") if part)
    return {
        "ruleId": f.rule,
        "ruleIndex": ids.index(f.rule),
        "level": _LEVEL[f.severity],
        "message": {"text": clean(words)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(place.path)},
                    "region": {"startLine": max(1, place.line)},
                },
                "logicalLocations": [{"fullyQualifiedName": f.where}],
            }
        ],
        "partialFingerprints": {"prepcheck/v1": fingerprint},
        "properties": {
            "category": f.category,
            "confidence": f.confidence,
            "fault": f.fault,
            "evidence": plain(f.evidence),
        },
    }


def _notifications(located: Located) -> list[dict[str, object]]:
    report = located.report
    found: list[dict[str, object]] = []
    if report.error is not None:
        found.append({"level": "error", "message": {"text": clean(report.error.message)}})
    for u in report.unknown:
        told = f"{u.rule} {u.where}: not known: {u.reason}; {u.supply}"
        found.append({"level": "note", "message": {"text": clean(told)}})
    return found


def uri(path: str) -> str:
    """A path as a URI reference: relative as it is, absolute with `file://`; percent-encoded, slashes forward."""
    plain_path = path.replace("\\", "/").encode("utf-8", "surrogateescape")
    text = quote(plain_path, safe="/")
    if len(path) > 1 and path[1] == ":" and path[0].isalpha():
        return f"file:///{path[0]}:{quote(plain_path[2:], safe='/')}"
    return f"file://{text}" if text.startswith("/") else text
