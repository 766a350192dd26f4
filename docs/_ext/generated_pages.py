"""Pages made from the code before a build: the rules, the symptoms, the documents. Written to docs/generated, not kept."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HEADINGS = (
    "What it checks", "Why it matters", "How it is computed", "Example", "Fix", "Limits", "References",
)  # fmt: skip


def _write(path: Path, text: str) -> None:
    """Write where the text changed, so that an unchanged page is not built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _plain(text: str) -> str:
    """Text of a docstring as MyST: nothing in it is markup but backticks."""
    return re.sub(r"(?<!`)([<>*_\[\]{}$|\\])(?![^`\n]*`[^`\n]*$)", lambda m: "\\" + m[1], text)


def _rule(page: Any) -> str:
    lines = [f"# {page.id}: {_plain(page.title.rstrip('.'))}", ""]
    about = [("name", page.name), ("severity", page.severity), ("category", page.category), ("looks at", page.over)]
    about += [("runtimes", ", ".join(page.runtimes))] if page.runtimes else []
    about += [("confidence", page.confidence)]
    lines += [f"{key}\n: {_plain(value)}\n" for key, value in about if value]
    for line in page.text.splitlines()[1:]:
        if line.strip() in HEADINGS and line == line.strip():
            lines += ["", f"## {line.strip()}", ""]
        else:
            lines.append(_plain(line.strip()) if not line.startswith("        ") else f"    {line.strip()}")
    lines += ["", "## Sources", "", *_sources(page)]
    return "\n".join(lines).rstrip() + "\n"


def _sources(page: Any) -> list[str]:
    """The sources of a rule: an id with its fact, its places and a link to it, a place as it is."""
    from prepcheck.app.rules import cited
    from prepcheck.data.sources import fact

    lines = []
    for source in cited(page):
        entry = fact(source)
        if entry is None:
            lines.append(f"- {_plain(source)}")
            continue
        link = f"[{source}](../../reference/sources.md#{entry.anchor})"
        lines.append(f"- {link} ({entry.confidence} confidence): {_plain(entry.statement)}")
        lines += [f"    - {_plain(place)}" for place in entry.places]
    return lines


def rules(folder: Path) -> None:
    """One page a rule, one index."""
    from prepcheck.app.rules import FAMILIES, all_pages

    pages = all_pages()
    index = ["# Rules", "", f"{len(pages)} rules. `prepcheck rules ID` prints the page of one.", ""]
    for family, group in groupby(pages, key=lambda p: p.id[:2]):
        index += [f"## {family}: {FAMILIES[family]}", "", "| rule | severity | what it says |", "|---|---|---|"]
        names = []
        for page in group:
            names.append(page.id.lower())
            _write(folder / f"{page.id.lower()}.md", _rule(page))
            index.append(f"| [{page.id}]({page.id.lower()}.md) | {page.severity} | {_plain(page.title)} |")
        index += ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
    _write(folder / "index.md", "\n".join(index))


def symptoms(folder: Path) -> None:
    """The symptom index as a page."""
    from prepcheck import data

    entries = json.loads((Path(data.__file__).parent / "symptoms.json").read_text(encoding="utf-8"))
    lines = ["# Symptoms", "", '`prepcheck explain --symptom "…"` finds the entry from your own words.', ""]
    for entry in entries:
        lines += [f"## {entry['en']}", "", f"{entry['zh']}", "", "Causes, the likeliest first:", ""]
        for cause in entry["causes"]:
            rule_names = ", ".join(cause["rules"])
            lines.append(f"1. {_plain(cause['what'])} ({_plain(cause['because'])}). Rules: {rule_names}")
        lines += ["", "The test that separates them:", ""]
        for test in entry["tests"]:
            lines += [f"- {_plain(test['do'])}"]
            lines += [f"    - {_plain(seen)}: {_plain(means)}" for seen, means in test["outcomes"]]
        lines.append("")
    _write(folder / "symptoms.md", "\n".join(lines))


def documents(folder: Path) -> None:
    """Contract, plan and report, from the JSON Schemas that are generated from the models."""
    schemas = Path(__file__).resolve().parents[2] / "schemas"
    for name in ("contract", "plan", "report"):
        schema = json.loads((schemas / f"{name}.schema.json").read_text(encoding="utf-8"))
        lines = [f"# The {name} document", "", f"JSON Schema: `schemas/{name}.schema.json`.", ""]
        lines += _object("top level", schema)
        for key in sorted(schema.get("$defs", {})):
            lines += _object(key, schema["$defs"][key])
        _write(folder / f"{name}.md", "\n".join(lines).rstrip() + "\n")


def _object(name: str, schema: dict[str, Any]) -> list[str]:
    lines = [f"## {name}", ""]
    if schema.get("description"):
        lines += [_plain(schema["description"]), ""]
    if "enum" in schema:
        return [*lines, "One of: " + ", ".join(f"`{v}`" for v in schema["enum"]), ""]
    if schema.get("properties"):
        lines += ["| key | type | |", "|---|---|---|"]
        required = schema.get("required", ())
        for key, value in schema["properties"].items():
            note = "required" if key in required else ""
            lines.append(f"| `{key}` | {_type(value)} | {note} |")
        lines.append("")
    return lines


def _type(value: dict[str, Any]) -> str:
    """A type in words."""
    if "$ref" in value:
        return f"`{value['$ref'].rpartition('/')[2]}`"
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return ", ".join(f"`{v}`" for v in value["enum"])
    for key in ("anyOf", "oneOf"):
        if key in value:
            parts = [_type(v) for v in value[key] if v.get("type") != "null"]
            return " or ".join(dict.fromkeys(parts))
    if value.get("type") == "array":
        return f"list of {_type(value.get('items', {}))}"
    if value.get("type") == "object" and isinstance(value.get("additionalProperties"), dict):
        return f"table of {_type(value['additionalProperties'])}"
    return str(value.get("type", "anything"))


def generate(app: Sphinx) -> None:
    """Make all pages."""
    folder = Path(app.srcdir) / "generated"
    rules(folder / "rules")
    symptoms(folder)
    documents(folder)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}
