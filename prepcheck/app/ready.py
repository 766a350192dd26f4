"""Plans that come with prepcheck: what well-known networks want, with the publication behind each (`schemas/plans/`).

A ready plan says what a network was trained on and how a picture is prepared for it. Completed for a model at hand
(`app.completing`), it also hands the picture over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract
from prepcheck.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from prepcheck.contract.plan import Plan
    from prepcheck.facts.world import ImageFacts

_PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = (_PACKAGE / "schemas" / "plans", _PACKAGE.parent / "schemas" / "plans")
"""Where they lie in an installed package, and in a checkout."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}\Z")
_ENDINGS = (".yaml", ".yml", ".json", ".pcrec", ".txt", ".log")


@cache
def folder() -> Path:
    """The folder of the ready plans. Raises NotFoundError where the installation has none."""
    for found in FOLDERS:
        if found.is_dir():
            return found
    raise NotFoundError("the ready plans are not installed with this prepcheck: install it again from its wheel")


@cache
def names() -> dict[str, str]:
    """name → title. Read line by line: no YAML is parsed for a list."""
    return {path.stem: _line(path, "title").strip('"') for path in sorted(folder().glob("*.yaml"))}


@cache
def aliases() -> dict[str, str]:
    """Other name → name."""
    found: dict[str, str] = {}
    for path in sorted(folder().glob("*.yaml")):
        for alias in _line(path, "aliases").strip("[]").split(","):
            if alias.strip() and _key(alias.strip()) != path.stem:
                found[_key(alias.strip())] = path.stem
    return found


def _line(path: Path, key: str) -> str:
    for line in path.read_text(encoding="utf-8").splitlines()[:40]:
        if line.startswith(f"  {key}: "):
            return line.partition(": ")[2].strip()
    return ""


def _key(name: str) -> str:
    return name.lower().replace("_", "-")


def is_name(text: str) -> bool:
    """Whether a text can be the name of a ready plan rather than a path: no separator, no ending of a document."""
    return bool(_NAME.fullmatch(text)) and not text.lower().endswith(_ENDINGS)


def path_of(name: str) -> Path:
    """The file of a ready plan. Raises NotFoundError with the nearest names, or all of them."""
    key = _key(name)
    known = names()
    stem = key if key in known else aliases().get(key)
    if stem is not None:
        return folder() / f"{stem}.yaml"
    near = get_close_matches(key, [*known, *aliases()], n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    raise NotFoundError(f"{name} is no file, and no ready plan has that name; {hint}")


def document(name: str) -> Mapping[str, object]:
    """A ready plan as a table."""
    from prepcheck.contract.yamldoc import parse, read_text

    path = path_of(name)
    value = parse(read_text(path), path.name).value
    assert isinstance(value, dict)
    return value


def comments(name: str) -> list[str]:
    """The remarks at the head of a ready plan: what is published, and the usual mistakes."""
    lines = path_of(name).read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("# ") for line in lines if line.startswith("# ") and "yaml-language-server" not in line]


def told(name: str) -> dict[str, object]:
    """What a report says of a ready plan: its name, title and publications."""
    about = document(name).get("about")
    body = about if isinstance(about, dict) else {}
    return {"name": path_of(name).stem, "title": body.get("title"), "sources": body.get("sources")}


def completed(
    value: Mapping[str, object], contract: Contract | None, images: Sequence[ImageFacts], *, resize_library: str
) -> Plan:
    """A ready or imported plan with the hand-over to a model. Raises UsageError without a model."""
    from prepcheck.app.completing import complete
    from prepcheck.contract.plan import Plan

    if contract is None:
        raise UsageError("a ready plan says what a network wants; give the MODEL that it is for as well")
    return Plan.model_validate(complete(value, contract, images, resize_library=resize_library))
