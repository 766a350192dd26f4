"""Every mutant of a file: mutmut's operators on each node, what cannot matter left out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOMS = ("core", "wire", "readers")


@dataclass(frozen=True)
class Mutant:
    """One change. file: relative to the package's root; line: from 1; scope: function or class; number: in its file.

    nth: how many equal changes of the same scope come before it.
    """

    file: str
    number: int
    line: int
    last: int
    scope: str
    operator: str
    before: str
    after: str
    nth: int = 0

    @property
    def inside(self) -> bool:
        """Whether it lies in a function, and not in what runs at import: classes begin with a capital here."""
        return self.scope != "module" and not self.scope.rpartition(".")[2].lstrip("_")[:1].isupper()

    @property
    def key(self) -> str:
        """What a reason is filed under: stable while the code around it changes."""
        again = f" (no. {self.nth + 1})" if self.nth else ""
        return f"{self.file}::{self.scope}::{self.before} → {self.after}{again}"


class _Collector(cst.CSTVisitor):
    """Walks a module and notes (node, mutated node) pairs."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, module: cst.Module) -> None:
        super().__init__()
        self.module = module
        self.scopes: list[str] = []
        self.raising = 0
        self.statements: list[cst.CSTNode] = []
        self.found: list[tuple[cst.CSTNode, cst.CSTNode, str, int, int, str, str, str]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator, cst.TypeAlias)):
            return False  # nothing happens there
        if isinstance(node, cst.If) and self.module.code_for_node(node.test) == "TYPE_CHECKING":
            return False
        if isinstance(node, cst.Expr) and isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString)):
            return False  # a docstring
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self.scopes.append(node.name.value)
        if isinstance(node, cst.Raise):
            self.raising += 1
        if isinstance(node, cst.BaseSmallStatement | cst.BaseCompoundStatement):
            self.statements.append(node)
        self._mutate(node)
        return True

    def on_leave(self, node: cst.CSTNode) -> None:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self.scopes.pop()
        if isinstance(node, cst.Raise):
            self.raising -= 1
        if self.statements and self.statements[-1] is node:
            self.statements.pop()

    def _mutate(self, node: cst.CSTNode) -> None:
        for kind, operator in mutation_operators:
            if not isinstance(node, kind):
                continue
            name = operator.__name__.removeprefix("operator_")
            if name == "string" and self.raising:
                continue  # the wording of a message
            for place, mutated in enumerate(operator(node)):
                if name == "string" and place:
                    break  # one change of a text says as much as three
                at = self.get_metadata(PositionProvider, node)
                outer = self.statements[-1] if self.statements else node
                start = self.get_metadata(PositionProvider, outer)
                scope = ".".join(self.scopes) or "module"
                before, after = (" ".join(self.module.code_for_node(n).split()) for n in (node, mutated))
                if before != after:
                    row = (node, mutated, name, at.start.line, max(start.start.line, at.start.line), scope)
                    self.found.append((*row, before, after))


def _collect(path: Path) -> tuple[cst.Module, list[tuple[cst.CSTNode, cst.CSTNode, str, int, int, str, str, str]]]:
    wrapper = MetadataWrapper(cst.parse_module(path.read_text(encoding="utf-8")), unsafe_skip_copy=True)
    collector = _Collector(wrapper.module)
    wrapper.visit(collector)
    return wrapper.module, collector.found


def mutants(root: Path, file: str) -> Iterator[Mutant]:
    """All mutants of `root/file`, in a fixed order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for number, (_, _, name, line, last, scope, before, after) in enumerate(_collect(root / file)[1]):
        change = (scope, before[:160], after[:160])
        yield Mutant(file, number, line, last, scope, name, *change[1:], seen[change])
        seen[change] += 1


def source_of(root: Path, mutant: Mutant) -> str:
    """The whole text of the mutated module."""
    module, found = _collect(root / mutant.file)
    node, mutated = found[mutant.number][:2]
    changed = module.deep_replace(node, mutated)
    assert isinstance(changed, cst.Module)
    return changed.code


def sample(root: Path, count: int, seed: int) -> list[Mutant]:
    """`count` mutants drawn from all of the three rooms, each as likely as any other."""
    found: list[Mutant] = []
    for room in ROOMS:
        for path in sorted((root / "prepcheck" / room).rglob("*.py")):
            found += mutants(root, str(path.relative_to(root)))
    rng = random.Random(seed)
    return sorted(rng.sample(found, min(count, len(found))), key=lambda m: (m.file, m.number))
