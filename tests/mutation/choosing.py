"""Which tests can see a mutant: those that touch its line; for a table or constant, those that touch its users."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.mutation.mutants import ROOMS, Mutant

FIRST, FIRST_SECONDS = 16, 1.0
ALL, ALL_SECONDS = 200, 5.0
"""Tests and seconds of the first try, and of the second one where the first lets the mutant live."""

FEW = 3
"""Tests that touch a line, below which they may be those that happened to import the module."""

SLOW = ("tests/native/", "tests/guarding/")
"""Compile or start programs before the first test: taken last."""


class Chooser:
    """root: the tree whose tests were recorded; record: what `recording.py` wrote."""

    def __init__(self, root: Path, record: Path) -> None:
        loaded = json.loads(record.read_text(encoding="utf-8"))
        self.root = root
        self.lines: dict[str, dict[str, list[str]]] = loaded["lines"]
        self.seconds: dict[str, float] = loaded["seconds"]

    def tests(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """(tests of the first try, further tests), those that import the module first, then those of its room, cheap ones
        before dear ones.

        What runs at import is recorded for whichever test came first: there, and where next to nothing touches a line, the
        tests of those who use it are asked as well.
        """
        touched = self._at(mutant.file, set(range(mutant.line, mutant.last + 1)))
        found = touched | self._users(mutant) if len(touched) < FEW or not mutant.inside else touched
        room = f"tests/{mutant.file.split('/')[1]}/"
        near = self.importers(mutant.file)
        own = f"/test_{Path(mutant.file).stem}"
        order = sorted(
            found,
            key=lambda t: (
                own not in t,
                t.partition("::")[0] not in near,
                not t.startswith(room),
                t.startswith(SLOW),
                self.seconds.get(t, 9.0),
                t,
            ),
        )
        first = self._spread(order)
        chosen = set(first)
        rest: list[str] = []
        spent = 0.0
        for test in order:
            if test not in chosen and len(rest) < ALL and spent < ALL_SECONDS:
                rest.append(test)
                spent += self.seconds.get(test, 1.0)
        return first, rest

    def _spread(self, order: list[str]) -> list[str]:
        """A few tests of every file that has any: a file's tests often see the same things."""
        by_file: dict[str, int] = defaultdict(int)
        chosen: list[str] = []
        spent = 0.0
        for test in order:
            file = test.partition("::")[0]
            if len(chosen) < FIRST and by_file[file] < 8 and spent + self.seconds.get(test, 1.0) <= FIRST_SECONDS:
                by_file[file] += 1
                chosen.append(test)
                spent += self.seconds.get(test, 1.0)
        return chosen or order[:1]

    def _at(self, file: str, lines: set[int]) -> set[str]:
        known = self.lines.get(file, {})
        return {test for line in lines for test in known.get(str(line), ())}

    def _users(self, mutant: Mutant) -> set[str]:
        """Tests that touch a line which names what the mutated statement defines, or any line of the module, or whose
        file imports it: what runs at import is in no test's record."""
        names = _names(self.root, mutant.file, mutant.line)
        found: set[str] = set()
        for file, lines in _mentions(self.root, names).items():
            found |= self._at(file, set(lines))
        found |= self._at(mutant.file, {int(n) for n in self.lines.get(mutant.file, {})})
        return found | {t for t in self.seconds if t.partition("::")[0] in self.importers(mutant.file)}

    def importers(self, file: str) -> frozenset[str]:
        """Files of tests that name the module in an import."""
        return _importers(self.root, file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def _names(root: Path, file: str, line: int) -> frozenset[str]:
    """Names bound by the statement of a module or class body that holds `line`; of a function, its own name."""
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    found: set[str] = set()
    body: list[ast.stmt] = list(tree.body)
    while body:
        node = body.pop()
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, ast.ClassDef):
            inner = [n for n in node.body if n.lineno <= line <= (n.end_lineno or n.lineno)]
            body += inner
            if not inner:
                found.add(node.name)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, (ast.If, ast.For, ast.With, ast.Try)):
            body += node.body
        else:
            found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(found)


@cache
def _importers(root: Path, module: str) -> frozenset[str]:
    parent, _, name = module.rpartition(".")
    found: set[str] = set()
    for path in (root / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (
                node.module == module or (node.module == parent and any(a.name == name for a in node.names))
            ):
                found.add(str(path.relative_to(root)))
    return frozenset(found)


@cache
def _mentions(root: Path, names: frozenset[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for file, uses in _uses(root).items():
        for name, lines in uses.items():
            if name in names:
                found[file] += lines
    return dict(found)


@cache
def _uses(root: Path) -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = {}
    for room in ROOMS:
        for path in sorted((root / "prepcheck" / room).rglob("*.py")):
            uses: dict[str, list[int]] = defaultdict(list)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    uses[node.id].append(node.lineno)
                elif isinstance(node, ast.Attribute):
                    uses[node.attr].append(node.lineno)
            found[str(path.relative_to(root))] = uses
    return found
