#!/usr/bin/env python3
"""Catalogues of translations: find every template in the sources, bring the .po up to date, compile the .mo.

    python tools/messages.py update      # new templates into the .po files (empty), gone ones out
    python tools/messages.py compile     # .po → .mo
    python tools/messages.py missing     # templates without a translation, as JSON
    python tools/messages.py merge F …   # JSON {template: translation} into the Chinese catalogue

Needs Babel. Templates are the texts of Finding(…), Unstated(…), Cleared(…), Test(…), the symptom index, and what the text
renderer marks with `_(…)`.
"""

from __future__ import annotations

import ast
import json
import string
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "prepcheck"
PO = PACKAGE / "locale" / "zh_CN" / "LC_MESSAGES" / "prepcheck.po"
CALLS = {"Finding": (3, ("message", "explanation", "fix")), "Unstated": (3, ("reason", "supply")),
         "Cleared": (2, ("what", "because")), "Test": (2, ("do", "outcomes")), "_": (1, ()), "Advice": (11, ("sentence", "notes")), "translate": (1, ()),
         "NotKnown": (5, ("reason", "supply"))}  # fmt: skip
"""Names of calls → how many leading arguments may be templates, and which keywords."""
WHOLE = ("evidence/sizes/texts.py",)
"""Modules whose sentences are all templates."""
NO_TEMPLATE = {"Unstated": {0}, "NotKnown": {0, 1, 2}, "Advice": {0, 1, 2, 4, 5, 6, 7, 8, 9}}


def templates() -> dict[str, str]:
    """Every template → where it stands first."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = _module_names(tree)
        for node in ast.walk(tree):
            name = _called(node)
            if isinstance(node, ast.Call) and name in CALLS:
                count, keywords = CALLS[name]
                given = [a for i, a in enumerate(node.args[:count]) if i not in NO_TEMPLATE.get(name, ())]
                given += [k.value for k in node.keywords if k.arg in keywords]
                for argument in given:
                    for text in _strings(argument, names, 0):
                        if text.strip() and any(c.isalpha() for c in _words(text)):
                            found.setdefault(text, f"{path.relative_to(ROOT)}:{node.lineno}")
    for entry in json.loads((PACKAGE / "data" / "symptoms.json").read_text(encoding="utf-8")):
        for cause in entry["causes"]:
            for text in (cause["what"], cause["because"]):
                found.setdefault(text, "prepcheck/data/symptoms.json")
        for test in entry["tests"]:
            for text in (test["do"], *(t for pair in test["outcomes"] for t in pair)):
                found.setdefault(text, "prepcheck/data/symptoms.json")
    for entry in json.loads((PACKAGE / "data" / "known_limits.json").read_text(encoding="utf-8")):
        for text in (entry["what"], entry["because"], entry["instead"]):
            found.setdefault(text, "prepcheck/data/known_limits.json")
    for name in WHOLE:
        for node in ast.walk(ast.parse((PACKAGE / name).read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and " " in node.value
                and "\n" not in node.value
            ):
                if node.value[:1].isupper() and node.value.rstrip().endswith((".", "?")):
                    found.setdefault(node.value, f"prepcheck/{name}")
    for text in spoken():
        if any(c.isalpha() for c in _words(text)):
            found.setdefault(text, "put together by a rule")
    return found


def spoken() -> set[str]:
    """Templates that rules put together while they run: what their cases make them say."""
    sys.path.insert(0, str(ROOT))
    from tests.rules.harness import cases, judge

    found: set[str] = set()
    for case in cases():
        outcome = judge(case)
        for item in outcome.found:
            found |= {t for t in (item.finding.message, item.finding.explanation, item.finding.fix) if t}
        for unknown in outcome.unknown:
            found |= {unknown.reason, unknown.supply}
    return found


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return (
        node.func.id
        if isinstance(node.func, ast.Name)
        else node.func.attr
        if isinstance(node.func, ast.Attribute)
        else ""
    )


def _module_names(tree: ast.Module) -> dict[str, ast.expr]:
    names: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            old = names.get(node.targets[0].id)
            names[node.targets[0].id] = node.value if old is None else ast.Tuple(elts=[old, node.value], ctx=ast.Load())
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            names[node.target.id] = node.value
    return names


def _strings(node: ast.expr, names: dict[str, ast.expr], depth: int) -> Iterator[str]:
    """Whole strings that an argument can be: constants, choices, entries of tables, names that stand for them."""
    if depth > 6:
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body, names, depth + 1)
        yield from _strings(node.orelse, names, depth + 1)
    elif isinstance(node, ast.Name) and node.id in names:
        yield from _strings(names[node.id], names, depth + 1)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        lefts, rights = list(_strings(node.left, names, depth + 1)), list(_strings(node.right, names, depth + 1))
        yield from (a + b for a in lefts for b in rights)
    elif isinstance(node, ast.Subscript):
        yield from _strings(node.value, names, depth + 1)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _strings(value, names, depth + 1)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from _strings(item, names, depth + 1)
    elif isinstance(node, ast.BoolOp):
        for item in node.values:
            yield from _strings(item, names, depth + 1)


def _words(text: str) -> str:
    return "".join(literal for literal, _, _, _ in string.Formatter().parse(text))


def places(text: str) -> list[str]:
    """The named places of a template, sorted."""
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)


def load() -> Catalog:
    """The Chinese catalogue."""
    if not PO.exists():
        return Catalog(locale="zh_CN", project="prepcheck", charset="utf-8", fuzzy=False)
    with PO.open("rb") as stream:
        return read_po(stream, locale="zh_CN")


def save(catalog: Catalog) -> None:
    """Write the catalogue, sorted and without dates, so that the same content gives the same bytes."""
    stream = BytesIO()
    write_po(stream, catalog, sort_output=True, omit_header=True, no_location=True, width=100)
    PO.parent.mkdir(parents=True, exist_ok=True)
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Language: zh_CN\\n"\n\n'
    PO.write_bytes(head.encode() + stream.getvalue())


def update() -> Catalog:
    """The catalogue with exactly the templates that the sources have."""
    old = load()
    fresh = Catalog(locale="zh_CN", project="prepcheck", charset="utf-8", fuzzy=False)
    for text in sorted(templates()):
        message = old.get(text)
        fresh.add(text, message.string if message is not None else "")
    save(fresh)
    return fresh


def compiled() -> bytes:
    """The .mo of the committed .po."""
    stream = BytesIO()
    write_mo(stream, load())
    return stream.getvalue()


def main() -> int:
    """Run one of the commands of the module's text."""
    command, *rest = sys.argv[1:] or ["missing"]
    if command == "update":
        update()
    elif command == "compile":
        PO.with_suffix(".mo").write_bytes(compiled())
    elif command == "missing":
        known = load()
        absent = [t for t in sorted(templates()) if known.get(t) is None or not known.get(t).string]
        print(json.dumps(absent, ensure_ascii=False, indent=1))
    elif command == "merge":
        catalog = update()
        wrong = 0
        for name in rest:
            for text, translation in json.loads(Path(name).read_text(encoding="utf-8")).items():
                message = catalog.get(text)
                if message is None:
                    continue
                if places(text) != places(translation):
                    print(f"other places: {text!r} → {translation!r}", file=sys.stderr)
                    wrong += 1
                    continue
                message.string = translation
        save(catalog)
        PO.with_suffix(".mo").write_bytes(compiled())
        return 1 if wrong else 0
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
