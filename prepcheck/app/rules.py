"""The list of rules and their pages, read from the source files: no rule is imported, nor anything that one needs."""

from __future__ import annotations

import ast
import inspect
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from textwrap import wrap

from prepcheck.data.sources import fact, ids_in
from prepcheck.engine.loading import rule_files
from prepcheck.errors import UsageError

WIDTH = 120
"""Columns of a page, those of the rule files' text."""

FAMILIES = {
    "CT": "the contract at odds with itself",
    "SZ": "sizes and batch",
    "LY": "layouts",
    "DT": "element types",
    "QT": "zero point and scale",
    "NM": "normalisation",
    "CL": "colour",
    "RS": "resize",
    "ST": "strides",
    "MM": "memory, zero-copy, cache",
    "MN": "MNN sessions, tensors, ImageProcess",
    "RG": "RGA calls",
    "RK": "RKNN API per chip",
    "CN": "content: constant, stale, drifting",
    "IM": "the image file itself",
}


@dataclass(frozen=True, slots=True)
class Page:
    """One rule as its file states it."""

    id: str
    name: str
    title: str
    over: str
    category: str
    severity: str
    runtimes: tuple[str, ...]
    sources: tuple[str, ...]
    confidence: str
    versions: tuple[str, ...]
    text: str


@cache
def read_page(path: Path) -> Page:
    """The docstring and the decorator of a rule file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    text = inspect.cleandoc(ast.get_docstring(tree, clean=False) or "")
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "rule":
                return _page(decorator, text)
    raise UsageError(f"{path.name} holds no rule")


def _page(decorator: ast.Call, text: str) -> Page:
    id_, name = (str(ast.literal_eval(a)) for a in decorator.args[:2])
    given = {k.arg: k.value for k in decorator.keywords if k.arg and k.arg != "rank"}
    values = {key: ast.literal_eval(value) for key, value in given.items()}
    return Page(
        id=id_,
        name=name,
        title=text.splitlines()[0] if text else name,
        over=str(values.get("over", "")),
        category=str(values.get("category", "")),
        severity=str(values.get("severity", "error")),
        runtimes=tuple(values.get("runtimes") or ()),
        sources=tuple(values.get("sources") or ()),
        confidence=str(values.get("confidence", "H")),
        versions=tuple(values.get("versions") or ()),
        text=text,
    )


def all_pages(family: str | None = None) -> list[Page]:
    """The pages of all rules, or of one family. Raises UsageError for a family that does not exist."""
    wanted = family.upper() if family else None
    if wanted is not None and wanted not in FAMILIES:
        raise UsageError(f"no family {wanted}; known: {', '.join(FAMILIES)}")
    return [read_page(path) for key, path in sorted(rule_files().items()) if wanted is None or key.startswith(wanted)]


def listing(family: str | None, format_: str) -> str:
    """All rules, a line each, under their families."""
    pages = all_pages(family)
    if format_ == "json":
        return json.dumps([asdict(p) for p in pages], indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    lines: list[str] = []
    last = ""
    for p in pages:
        if p.id[:2] != last:
            last = p.id[:2]
            lines += ["", f"{last}  {FAMILIES.get(last, '')}"]
        lines.append(f"  {p.id}  {p.severity:<7}  {p.category:<15}  {p.name}")
    lines += ["", f"{len(pages)} rules; `prepcheck rules ID` shows the page of one."]
    return "\n".join(lines).lstrip("\n") + "\n"


def page(id_: str, format_: str) -> str:
    """The page of one rule. Raises UsageError for an id that does not exist."""
    path = rule_files().get(id_.upper())
    if path is None:
        from difflib import get_close_matches

        near = get_close_matches(id_.upper(), list(rule_files()), n=1)
        raise UsageError(
            f"no rule {id_}" + (f"; did you mean {near[0]}?" if near else "; `prepcheck rules` lists them")
        )
    p = read_page(path)
    if format_ == "json":
        facts = [asdict(f) for f in map(fact, cited(p)) if f is not None]
        return json.dumps(asdict(p) | {"facts": facts}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    where = ", ".join(p.runtimes) if p.runtimes else "every runtime"
    head = f"{p.id} {p.name}  ({p.severity}, {p.category}; {where})"
    foot = (
        ["", f"Measured on runtime {', '.join(p.versions)}: an error there, a warning elsewhere."] if p.versions else []
    )
    return "\n".join([head, "", with_sources(p), *foot]) + "\n"


def with_sources(p: Page) -> str:
    """The text of a page and under it its sources, ids resolved."""
    return "\n".join([p.text, "", f"Sources (confidence {p.confidence})", *_sources(cited(p))]) if p.sources else p.text


def cited(p: Page) -> list[str]:
    """The sources of a rule, and after them the ids that its text cites besides."""
    return list(dict.fromkeys((*p.sources, *ids_in(p.text))))


def _sources(sources: list[str]) -> list[str]:
    """The lines of a page's sources: an id with the fact that it stands for and its places, a place as it is."""
    lines: list[str] = []
    for source in sources:
        entry = fact(source)
        lines += _wrapped(source if entry is None else f"{source} ({entry.confidence} confidence)", 4)
        if entry is not None:
            lines += _wrapped(entry.statement, 8)
            for place in entry.places:
                lines += _wrapped(f"- {place}", 8, hang=2)
    return lines


def _wrapped(text: str, indent: int, hang: int = 0) -> list[str]:
    margin = " " * indent
    return wrap(
        text, WIDTH, initial_indent=margin, subsequent_indent=margin + " " * hang,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
