"""What an importer gives: a plan, the original words behind it, what cannot be known; and its text as YAML."""

from __future__ import annotations

import json
from dataclasses import field

from prepcheck.contract.loading import plan_from_text
from prepcheck.importers.document import Document, Path, Plain
from prepcheck.records import dataclass

TOP = ("runtime", "platform", "backend", "version")
BLOCKS = ("model", "buffers", "session", "device", "postprocess")


@dataclass(frozen=True, slots=True)
class Imported:
    """A plan in the making.

    format, formula: the foreign format's name and its own arithmetic. plan: the document's keys without `prepcheck` and
    `about`. words: key of the plan → how the file says it. unknown: what the file does not say, with what to do.
    doubts: what the file says and is probably not meant.
    """

    format: str
    file: str
    formula: str | None = None
    plan: dict[str, Plain] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def said(self, key: str, document: Document, *path: str | int, value: Plain = None) -> None:
        """Keep the words that stand behind a key of the plan: `image_std: [0.5, 0.5, 0.5] (line 7)`."""
        line = document.line(*path)
        shown = path_text(path) + (": " + short(value) if value is not None else "")
        self.words[key] = shown + (f" (line {line})" if line else "")

    def document(self) -> dict[str, Plain]:
        """The plan as one table."""
        about: dict[str, Plain] = {"format": self.format, "file": self.file}
        if self.formula:
            about["formula"] = self.formula
        about["words"] = {**self.words}
        return {"prepcheck": "plan/v1", "about": {k: v for k, v in about.items() if v}, **self.plan}

    def text(self) -> str:
        """The plan as YAML with comments, which reads back as it is written. Raises PlanError where it would not."""
        written = write(self.document(), doubts=self.doubts, unknown=self.unknown)
        plan_from_text(written, self.file + " (as a plan)")
        return written


def path_text(path: Path) -> str:
    """`size.height`, `mean_values[0]`."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")


def short(value: Plain) -> str:
    """A value as JSON, at most 120 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:119] + "…"


def write(
    document: dict[str, Plain], *, doubts: list[str], unknown: list[str], remarks: list[str] | None = None
) -> str:
    """A plan document as YAML: one line for each entry of its tables and lists, comments for what a reader must decide."""
    lines = ["# yaml-language-server: $schema=schemas/plan.schema.json", "prepcheck: plan/v1"]
    lines += [f"# {_line(text)}" for text in remarks or ()]
    lines += [f"# ! {_line(text)}" for text in doubts]
    rest = {k: v for k, v in document.items() if k != "prepcheck"}
    about = rest.pop("about", None)
    for key in TOP:
        if rest.get(key) is not None:
            lines.append(f"{key}: {flow(rest.pop(key))}")
    if isinstance(about, dict) and about:
        lines += _table("about", about, "")
    for key in BLOCKS:
        value = rest.pop(key, None)
        if isinstance(value, dict) and value:
            lines += _table(key, value, "")
        elif value is not None and value != {}:
            lines.append(f"{key}: {flow(value)}")
    for key in ("steps", "calls", "observations"):
        value = rest.pop(key, None)
        if isinstance(value, dict) and value:
            lines.append(f"{key}:")
            for name, items in value.items():
                lines += _list(flow(name), items, "  ")
        else:
            lines += _list(key, value, "")
    if unknown:
        lines.append("# Not known from the file. Where it matters, `validate` lists it until it is answered here.")
        lines += [f"# ? {_line(text)}" for text in unknown]
    return "\n".join(lines) + "\n"


def flow(value: Plain) -> str:
    """A value in YAML's flow style: JSON, which reads the same in YAML 1.1 and 1.2."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def _table(name: str, value: dict[str, Plain], indent: str) -> list[str]:
    lines = [f"{indent}{name}:"]
    for key, item in value.items():
        if isinstance(item, dict) and item and name in ("about", "model"):
            lines += _table(key, item, indent + "  ")
        elif isinstance(item, list) and any(isinstance(i, dict) for i in item):
            lines += _list(key, item, indent + "  ")
        else:
            lines.append(f"{indent}  {key if key.isidentifier() else flow(key)}: {flow(item)}")
    return lines


def _list(name: str, items: Plain, indent: str) -> list[str]:
    if not isinstance(items, list) or not items:
        return []
    return [f"{indent}{name}:", *(f"{indent}  - {flow(item)}" for item in items)]


def _line(text: str) -> str:
    return " ".join(text.split())
