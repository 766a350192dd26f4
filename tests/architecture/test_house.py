"""The house rules that a machine can check: file length, rule pages, ids, facts, public names, imports."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from prepcheck.contract.base import Category
from prepcheck.engine.loading import load, rule_files
from prepcheck.facts.base import KINDS, Thing
from prepcheck.readers.notes import KINDS as NOTE_KINDS
from prepcheck.registry import RULES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "prepcheck"
HEADINGS = (
    "What it checks", "Why it matters", "How it is computed", "Example", "Fix", "Limits", "References",
)  # fmt: skip


def all_rules() -> list[str]:
    load()
    return sorted(RULES)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, "two reasons to change?"


@pytest.mark.parametrize("rule", sorted(rule_files()))
def test_rule_has_a_page(rule: str) -> None:
    from prepcheck.app.rules import read_page

    path = rule_files()[rule]
    page = read_page(path)
    assert page.id == rule
    assert path.stem.startswith(rule.lower() + "_")
    assert path.parent.name == rule[:2].lower()
    positions = [page.text.find(f"\n{heading}\n") for heading in HEADINGS]
    assert -1 not in positions, f"{path.name}: {HEADINGS[positions.index(-1)]!r} is missing"
    assert positions == sorted(positions)
    assert page.category in get_args(Category)
    assert page.sources, f"{path.name}: where does the fact stand?"


def test_rule_parameters_are_facts() -> None:
    things = _things()
    for key in all_rules():
        rule = RULES[key]
        kind = rule.over.partition(":")[0]
        assert kind in KINDS, f"{key} is over {rule.over}"
        for name in (*rule.needs, *rule.wants):
            assert hasattr(things[kind], name) or name in _attributes(things[kind]), f"{key}: {kind} has no fact {name}"


def test_note_rules_exist_for_every_note() -> None:
    load(("ct",))
    covered = {rule.over.partition(":")[2] for rule in RULES.values() if rule.over.startswith("note:")}
    assert set(NOTE_KINDS) <= covered, sorted(set(NOTE_KINDS) - covered)
    assert covered <= set(NOTE_KINDS)


def test_public_names() -> None:
    import prepcheck

    assert sorted(prepcheck.__all__) == prepcheck.__all__
    for name in prepcheck.__all__:
        assert getattr(prepcheck, name) is not None
    with pytest.raises(AttributeError):
        prepcheck.nonsense


@pytest.mark.parametrize(
    ("arguments", "forbidden"),
    [
        (["--help"], {"numpy", "pydantic", "cv2", "PIL", "rich", "ruamel"}),
        (["rules", "CT001"], {"numpy", "pydantic", "cv2", "PIL", "rich", "ruamel"}),
        (["inspect", "{model}", "--format", "json"], {"numpy", "cv2", "PIL", "rich"}),
        (["validate", "{model}", "--format", "json"], {"cv2", "rich", "MNN"}),
    ],
    ids=lambda v: v[0] if isinstance(v, list) else "",
)
def test_heavy_packages_are_not_imported(arguments: list[str], forbidden: set[str]) -> None:
    model = ROOT / "tests" / "data" / "models" / "rknn" / "rv1106_seed_400x800_i8.rknn"
    argv = [a.format(model=model) for a in arguments]
    code = (
        "import sys\nfrom prepcheck.cli.main import main\n"
        f"try:\n    main({argv!r})\nexcept SystemExit as e:\n    assert e.code == 0, e.code\n"
        f"bad = sorted({forbidden!r} & set(sys.modules))\nsys.stderr.write('BAD ' + ' '.join(bad))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("BAD "), done.stderr


def test_no_any_in_signatures_below_cli() -> None:
    """Arrays are NDArray; `Any` stands only where pydantic documents hold free data (contract) and in the guards' proxies."""
    allowed = {"contract", "guarding", "cli"}
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                texts = [ast.unparse(a.annotation) for a in node.args.args + node.args.kwonlyargs if a.annotation]
                texts += [ast.unparse(node.returns)] if node.returns else []
                assert not any(re.search(r"\bAny\b", t) for t in texts), f"{path.name}: {node.name}"


def _things() -> dict[str, type[Thing]]:
    from importlib import import_module

    for module in set(KINDS.values()):
        import_module(f"prepcheck.facts.{module}")
    found: dict[str, type[Thing]] = {}
    todo = [Thing]
    while todo:
        cls = todo.pop()
        todo += cls.__subclasses__()
        if "kind" in cls.__dict__:
            found[cls.kind] = cls
    return found


def _attributes(cls: type[Thing]) -> set[str]:
    """Names that instances get in __init__."""
    names: set[str] = set()
    for base in cls.__mro__:
        source = inspect.getsource(base.__init__) if "__init__" in base.__dict__ and base is not object else ""
        names |= set(re.findall(r"self\.(\w+)\s*[:=]", source))
    return names
