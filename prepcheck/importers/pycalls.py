"""Calls and literals of a Python text, by its syntax tree: nothing is imported, nothing is run.

A value is known where it is written as numbers, texts, lists or tables, as arithmetic of numbers, as a list times a small
number, or as a name that is given such a value exactly once. Everything else is `Unknowable`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Final

from prepcheck.errors import CorruptError
from prepcheck.importers.document import Plain
from prepcheck.records import dataclass

MAX_BYTES: Final = 256 << 10
"""Python texts up to here are read: a tree takes several hundred bytes for each byte of the densest text."""
MAX_NODES: Final = 200_000
MAX_ITEMS: Final = 4096
MAX_DEPTH: Final = 40


class Unknowable(Exception):
    """A value that the text alone does not settle; the argument says why."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One keyword of a call: its value, or why it is not known, and where it stands."""

    value: Plain
    why: str | None
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a method. open: keywords come from somewhere else (`**options`). positional: how many."""

    line: int
    column: int
    arguments: dict[str, Argument]
    open: bool
    positional: int


def parse(text: str, name: str) -> ast.Module:
    """The tree. Raises CorruptError (line and column) where it is no Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError as fault:
        where = f":{fault.lineno}:{fault.offset or 1}" if fault.lineno else ""
        raise CorruptError(f"{name}{where}: not valid Python: {fault.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as fault:
        raise CorruptError(
            f"{name}: not valid Python: {type(fault).__name__}, nested too deep or with odd characters"
        ) from None
    return tree


def calls(tree: ast.Module, text: str, name: str, method: str) -> list[Call]:
    """Every call of `something.method(…)` (or of a bare `method(…)`), in the order of the text."""
    names = _constants(tree, name)
    found = []
    for node in _walk(tree, name):
        if isinstance(node, ast.Call) and _called(node) == method:
            found.append(_call(node, names, text))
    return sorted(found, key=lambda c: (c.line, c.column))


def _walk(tree: ast.AST, name: str) -> Iterator[ast.AST]:
    for count, node in enumerate(ast.walk(tree)):
        if count > MAX_NODES:
            raise CorruptError(f"{name}: more than {MAX_NODES} parts; give the few lines around the call")
        yield node


def _called(node: ast.Call) -> str | None:
    return (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else None
    )


def _constants(tree: ast.Module, name: str) -> dict[str, ast.expr | None]:
    """Names that are given a value exactly once → its expression; None for names that are set more often."""
    found: dict[str, ast.expr | None] = {}
    for node in _walk(tree, name):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
            for target in targets:
                if isinstance(target, ast.Name):
                    found[target.id] = None if target.id in found else value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = None if node.target.id in found else node.value
        elif isinstance(node, (ast.AugAssign, ast.For, ast.NamedExpr)) and isinstance(node.target, ast.Name):
            found[node.target.id] = None
        elif isinstance(node, ast.arg):
            found[node.arg] = None
    return found


def _call(node: ast.Call, names: dict[str, ast.expr | None], text: str) -> Call:
    arguments: dict[str, Argument] = {}
    spread = False
    for keyword in node.keywords:
        if keyword.arg is None:
            inner, opened = _spread(keyword.value, names, text)
            arguments |= inner
            spread = spread or opened
        else:
            arguments[keyword.arg] = _argument(keyword.value, names, text)
    return Call(node.lineno, node.col_offset + 1, arguments, spread, len(node.args))


def _spread(node: ast.expr, names: dict[str, ast.expr | None], text: str) -> tuple[dict[str, Argument], bool]:
    """Keywords of `**{…}` or of a name that stands for such a table."""
    if isinstance(node, ast.Name) and names.get(node.id) is not None:
        node = names[node.id] or node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
        return {k.arg: _argument(k.value, names, text) for k in node.keywords if k.arg is not None}, False
    if not isinstance(node, ast.Dict):
        return {}, True
    found: dict[str, Argument] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return found, True
        found[key.value] = _argument(value, names, text)
    return found, False


def _argument(node: ast.expr, names: dict[str, ast.expr | None], text: str) -> Argument:
    source = " ".join((ast.get_source_segment(text, node) or "").split())[:120] if len(text) < MAX_BYTES else ""
    try:
        value, why = _Value(names).of(node, 0), None
    except Unknowable as unknown:
        value, why = None, str(unknown)
    except (OverflowError, ZeroDivisionError, ValueError) as fault:
        value, why = None, f"its arithmetic fails: {fault}"
    return Argument(value, why, node.lineno, node.col_offset + 1, source)


class _Value:
    """The value of an expression, within limits."""

    def __init__(self, names: dict[str, ast.expr | None]) -> None:
        self.names = names
        self.items = 0

    def of(self, node: ast.expr, depth: int) -> Plain:
        self.items += 1
        if depth > MAX_DEPTH or self.items > MAX_ITEMS:
            raise Unknowable("it is too large")
        if isinstance(node, ast.Constant):
            return self.constant(node.value)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.of(item, depth + 1) for item in node.elts]
        if isinstance(node, ast.Dict):
            return {
                str(self.of(k, depth + 1)): self.of(v, depth + 1)
                for k, v in zip(node.keys, node.values, strict=True)
                if k
            }
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            inner = self.number(node.operand, depth)
            return -inner if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            return self.arithmetic(node, depth)
        if isinstance(node, ast.Name):
            return self.name(node.id, depth)
        raise Unknowable(f"it is worked out by the program ({type(node).__name__})")

    def constant(self, value: object) -> Plain:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            if value.bit_length() > 128:
                raise Unknowable("a number of very many digits")
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        raise Unknowable(f"{type(value).__name__} {str(value)[:40]} is no value of a configuration")

    def name(self, name: str, depth: int) -> Plain:
        if name not in self.names:
            raise Unknowable(f"the name {name} is set outside of this file")
        expression = self.names[name]
        if expression is None:
            raise Unknowable(f"the name {name} is set more than once, or is a parameter")
        return self.of(expression, depth + 1)

    def number(self, node: ast.expr, depth: int) -> int | float:
        value = self.of(node, depth + 1)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Unknowable("arithmetic of something that is no number")
        return value

    def arithmetic(self, node: ast.BinOp, depth: int) -> Plain:
        left = self.of(node.left, depth + 1)
        right = self.of(node.right, depth + 1)
        if (
            isinstance(node.op, ast.Mult)
            and isinstance(left, list)
            and isinstance(right, int)
            and 0 <= right * len(left) <= 64
        ):
            return left * right
        if isinstance(node.op, ast.Add) and isinstance(left, list) and isinstance(right, list):
            return left + right
        for side in (left, right):
            if isinstance(side, bool) or not isinstance(side, (int, float)):
                raise Unknowable("arithmetic of something that is no number")
        assert isinstance(left, (int, float))
        assert isinstance(right, (int, float))
        if isinstance(node.op, ast.Add):
            found = left + right
        elif isinstance(node.op, ast.Sub):
            found = left - right
        elif isinstance(node.op, ast.Mult):
            found = left * right
        elif isinstance(node.op, ast.Div):
            found = left / right
        else:
            raise Unknowable("arithmetic beyond + - * /")
        return self.constant(found)
