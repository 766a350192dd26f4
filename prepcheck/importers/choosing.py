"""Which importer a foreign file is for: by its content, helped by its name. One file per format, found by their names."""

from __future__ import annotations

import ast
import importlib
import os
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType

from prepcheck.errors import CorruptError, PlanError, TooLargeError, UsageError, WrongKindError
from prepcheck.importers import inidoc, jsondoc, pycalls
from prepcheck.importers.document import Document, read_text
from prepcheck.importers.imported import Imported

FOLDER = Path(__file__).parent
MAX_YAML = 128 << 10
"""Largest YAML that is read: the pure Python reader takes about a second for it. Ultralytics writes 40 kB for 1203 classes."""

MAX_BRACKETS = 500
"""Brackets of a YAML text: the reader's time grows with the square of how deep they nest."""


@cache
def kinds() -> dict[str, str]:
    """kind → its title, read from the sources: none is imported."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TITLE":
                found[path.stem.replace("_", "-")] = str(ast.literal_eval(node.value))
    return found


def read_foreign(path: str | os.PathLike[str], kind: str | None = None) -> Imported:
    """What a foreign file says. kind: which format it is; None = told by the content.

    Raises UsageError (unknown kind), WrongKindError (no format that is known), and what the importers raise.
    """
    if kind is not None and kind not in kinds():
        near = get_close_matches(kind, kinds(), n=1)
        raise UsageError(
            f"nothing is imported from '{kind}'"
            + (f"; did you mean {near[0]}?" if near else f"; known: {', '.join(kinds())}")
        )
    return read_document(document_of(path), kind)


def read_document(document: Document, kind: str | None = None) -> Imported:
    """The same for a text that was read."""
    names = [kind] if kind is not None else list(kinds())
    for name in names:
        module = _module(name)
        if module.recognises(document):
            found: Imported = module.read(document)
            return found
    if kind is not None:
        raise WrongKindError(
            f"{document.name} is not {kinds()[kind]}: the keys that such a file has are not in it.", kind=document.form
        )
    listed = "; ".join(kinds().values())
    raise WrongKindError(
        f"{document.name} is {document.form} of no format that is imported. Known: {listed}.", kind=document.form
    )


def titled(path: str | os.PathLike[str]) -> str | None:
    """The title of the format that a file has; None where it is none of ours. Raises PrepcheckError where it cannot be read."""
    document = document_of(path)
    return next((title for name, title in kinds().items() if _module(name).recognises(document)), None)


def _module(kind: str) -> ModuleType:
    return importlib.import_module(f"prepcheck.importers.{kind.replace('-', '_')}")


def document_of(path: str | os.PathLike[str]) -> Document:
    """A file as a document, its form told by its name or its first characters."""
    text = read_text(path)
    return document_from_text(text, os.fsencode(path).decode("utf-8", "backslashreplace"))


def document_from_text(text: str, name: str) -> Document:
    """A text as a document. Raises CorruptError or TooLargeError."""
    ending = os.path.splitext(name)[1].lower()
    start = text.lstrip()[:1]
    if "\x00" in text:
        raise CorruptError(f"{name}: byte {text.index(chr(0))} is zero: this is no text")
    if ending == ".json" or (ending not in (".yaml", ".yml", ".py", ".modelinfo", ".ini") and start == "{"):
        return jsondoc.parse(text, name)
    if ending == ".py":
        if len(text) > pycalls.MAX_BYTES:
            raise TooLargeError(
                f"{name} has {len(text)} characters; Python files up to {pycalls.MAX_BYTES} are read: give the lines around the call."
            )
        return Document(name, "python", text, None, {})
    if ending in (".modelinfo", ".ini") or (ending not in (".yaml", ".yml") and start == "["):
        return inidoc.parse(text, name)
    if ending in (".yaml", ".yml", ""):
        return _yaml(text, name)
    raise WrongKindError(f"{name}: a .json, .yaml, .py or .modelinfo is expected.", kind="text")


def _yaml(text: str, name: str) -> Document:
    from prepcheck.contract.yamldoc import parse

    if len(text) > MAX_YAML:
        raise TooLargeError(f"{name} has {len(text)} characters of YAML; at most {MAX_YAML} are read.")
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise TooLargeError(f"{name} opens more than {MAX_BRACKETS} brackets; a preprocessing file has tens.")
    try:
        parsed = parse(text, name)
    except PlanError as fault:
        raise CorruptError(fault.message) from None
    return Document(name, "yaml", text, parsed.value, parsed.positions)
