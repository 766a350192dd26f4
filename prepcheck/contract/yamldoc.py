"""YAML and JSON texts → plain values with the line and column of every key.

YAML 1.2 by ruamel.yaml, read as nodes so that positions are known and nothing is constructed that a document cannot
hold: anchors, aliases, tags, merge keys and duplicate keys are refused. 1 MiB cap.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prepcheck.errors import NotFoundError, PlanError, TooLargeError

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

MAX_BYTES = 1 << 20
MAX_DEPTH = 40
MAX_MARKS = 10_000
"""Line ends and signs (`:,[]{}`) of a YAML text: about 2,000 lines of a plan. A pure-Python parser takes 0.1 ms for each
(measured), and what is longer was written by a program, which can write JSON: up to 1 MiB is read of that."""

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
Path = tuple[str | int, ...]

_PREFIX = "tag:yaml.org,2002:"
_HALF = re.compile("[\ud800-\udfff]")
_INT = re.compile(r"[-+]?(0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+)\Z")


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed document: its plain value, and (line, column) of every path, both counted from 1."""

    name: str
    value: Plain
    positions: dict[Path, tuple[int, int]]

    def at(self, path: Path) -> str:
        """`name:line:column` of the nearest known part of `path`."""
        for end in range(len(path), -1, -1):
            found = self.positions.get(path[:end])
            if found:
                return f"{self.name}:{found[0]}:{found[1]}"
        return self.name


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a document file. Raises NotFoundError, TooLargeError (over 1 MiB) or PlanError (not UTF-8)."""
    name = os.fspath(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise NotFoundError(f"{name}: cannot be read ({error.strerror}); give the path of an existing file") from None
    if len(data) > MAX_BYTES:
        raise TooLargeError(f"{name}: over 1 MiB ({MAX_BYTES} bytes); a plan is a short text, is this the right file?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlanError(f"{name}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from None


def parse(text: str, name: str) -> Text:
    """Parse YAML, or JSON where the name ends in .json. Raises PlanError with line and column."""
    return _parse_json(text, name) if name.lower().endswith(".json") else _parse_yaml(text, name)


def _marks(text: str) -> int:
    return sum(map(text.count, "\n:,[]{}"))


def _parse_yaml(text: str, name: str) -> Text:
    if (marks := _marks(text)) > MAX_MARKS:
        raise TooLargeError(
            f"{name}: {marks} line ends and signs (:,[]{{}}) of YAML, over the limit of {MAX_MARKS}; write it as JSON, in a file "
            "whose name ends in .json"
        )
    import warnings

    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    positions: dict[Path, tuple[int, int]] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of anchors that stand twice: anchors are refused below
            node = YAML(typ="safe", pure=True).compose(text)
        value = None if node is None else _construct(node, (), positions, name, 0)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise PlanError(f"{name}{where}: not valid YAML: {error.problem or error.context}") from None
    except YAMLError as error:
        raise PlanError(f"{name}: not valid YAML: {' '.join(str(error).split())[:200]}") from None
    except RecursionError:
        raise PlanError(f"{name}: nested deeper than {MAX_DEPTH} levels") from None
    except (ValueError, KeyError, AttributeError, IndexError, TypeError) as error:
        raise PlanError(f"{name}: not valid YAML: {type(error).__name__}") from None
    _refuse_halves(value, name)
    return Text(name, value, positions)


def _refuse_halves(value: Plain, name: str) -> None:
    """Raise PlanError where an escape stands for half of a character (a lone surrogate): no output could hold it."""
    waiting: list[Plain] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            waiting += [*here, *here.values()]
        elif isinstance(here, list):
            waiting += here
        elif isinstance(here, str) and (found := _HALF.search(here)):
            raise PlanError(f"{name}: \\u{ord(found[0]):04x} is half of a character; write the character itself")


def _construct(node: Node, path: Path, positions: dict[Path, tuple[int, int]], name: str, depth: int) -> Plain:
    from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    positions.setdefault(path, (line, column))
    where = f"{name}:{line}:{column}"
    if depth > MAX_DEPTH:
        raise PlanError(f"{where}: nested deeper than {MAX_DEPTH} levels")
    if getattr(node, "anchor", None):
        raise PlanError(f"{where}: anchors and aliases (&{node.anchor}) are not used in plans; write the value out")
    tag = str(node.tag).removeprefix(_PREFIX)
    if isinstance(node, MappingNode):
        _expect(tag, "map", where)
        result: dict[str, Plain] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                raise PlanError(f"{where}: a key is a word, not a list or table")
            key = str(key_node.value)
            at = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if key in result:
                raise PlanError(f"{name}:{at[0]}:{at[1]}: key '{key}' stands twice; the second would replace the first")
            inner = (*path, key)
            positions[inner] = at
            result[key] = _construct(value_node, inner, positions, name, depth + 1)
        return result
    if isinstance(node, SequenceNode):
        _expect(tag, "seq", where)
        return [_construct(item, (*path, i), positions, name, depth + 1) for i, item in enumerate(node.value)]
    return _scalar(tag, str(node.value), where)


def _expect(tag: str, wanted: str, where: str) -> None:
    if tag != wanted:
        raise PlanError(f"{where}: tags ({tag}) are not used in plans")


def _scalar(tag: str, text: str, where: str) -> Plain:
    if tag == "str":
        return text
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() in ("true", "yes", "on")
    if tag == "int" and _INT.match(text.replace("_", "")):
        digits = text.replace("_", "")
        if len(digits) > 40:
            raise PlanError(f"{where}: a number of {len(digits)} digits")
        return int(digits, 0) if "x" in digits or "o" in digits else int(digits)
    if tag in ("int", "float"):
        special = text.lower().lstrip("+-")
        if special in (".inf", ".nan"):
            raise PlanError(f"{where}: {text} is no number a plan can use")
        return float(text.replace("_", ""))
    if tag == "timestamp":
        return text
    raise PlanError(f"{where}: tags ({tag}) are not used in plans")


def _parse_json(text: str, name: str) -> Text:
    def pairs(items: list[tuple[str, Plain]]) -> dict[str, Plain]:
        result: dict[str, Plain] = {}
        for key, value in items:
            if key in result:
                raise PlanError(f"{name}: key '{key}' stands twice; the second would replace the first")
            result[key] = value
        return result

    def constant(word: str) -> Plain:
        raise PlanError(f"{name}: {word} is no number a plan can use")

    try:
        value: Plain = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise PlanError(f"{name}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise PlanError(f"{name}: not valid JSON: nested too deep, or a number too long") from None
    _refuse_halves(value, name)
    try:  # JSON is YAML too: the positions come from the same walk
        positions = _parse_yaml(text, name).positions
    except (PlanError, TooLargeError):
        positions = {}
    return Text(name, value, positions)
