"""Code as evidence: assignments of two C idioms and literal arguments of the toolkit's calls, as events. Nothing is run.

`code_mnn` (object, field, value, number): assignments to MNN's ScheduleConfig and BackendConfig, in order.
`code_rknn_input` (index, field, value): fields of rknn_input; `code_rknn_attr` (object, field, value): of rknn_tensor_attr.
`code_toolkit` (call, argument, value): literal keyword arguments of config(), load_…(), build(), inference(), … of
rknn-toolkit, read with `ast`. Everything else in code is unknown.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence

from prepcheck.core.gpu_mode import BUFFER, IMAGE, RECORD, TUNING
from prepcheck.facts.log import Field, LogEvent
from prepcheck.logs.code_flow import flow

MAX_CALL = 8000
"""Characters of one call whose arguments are read."""

_COMMENT = re.compile(r"//.*|/\*.*?\*/|^\s*\*(?!\w).*")
_MNN_SIGN = re.compile(r"ScheduleConfig|BackendConfig|MNN_FORWARD_|MNN_GPU_|createSession|createRuntime")
_MNN = re.compile(
    r"(?P<object>[A-Za-z_]\w*(?:(?:\.|->)\w+)*?)\s*(?:\.|->)\s*(?P<field>type|mode|numThread|backupType|precision|power|memory)"
    r"\s*=(?!=)\s*(?P<value>[^;=]{1,200});"
)
_INPUT = re.compile(
    r"(?P<array>\w*inputs?)\s*\[\s*(?P<index>\w+)\s*\]\s*\.\s*(?P<field>index|buf|size|type|fmt|pass_through)\s*=(?!=)\s*(?P<value>[^;=]{1,200});"
)
_ATTR = re.compile(
    r"(?P<object>(?:\w+(?:\.|->))*\w*attrs?\w*(?:\s*\[\s*\w+\s*\])?)\s*(?:\.|->)\s*(?P<field>type|fmt|pass_through|size|size_with_stride"
    r"|w_stride|h_stride|index|name)\s*=(?!=)\s*(?P<value>[^;=]{1,200});"
)
_CALL = re.compile(
    r"\b(?P<object>\w*rknn\w*)\s*\.\s*(?P<call>config|load_\w+|build|hybrid_quantization_step\d|init_runtime|inference|export_rknn)\s*\(",
    re.I,
)

_FLAGS: dict[str, int] = (
    {f"MNN_GPU_TUNING_{name.upper()}": bit for bit, name in TUNING.items()}
    | {"MNN_GPU_MEMORY_BUFFER": BUFFER, "MNN_GPU_MEMORY_IMAGE": IMAGE}
    | {f"MNN_GPU_RECORD_{name.upper()}": bit for bit, name in RECORD.items()}
    | {"Mode::Op": 0, "Mode::Tensor": 1}
    # MNNForwardType of MNN/MNNForwardType.h
    | {"MNN_FORWARD_CPU": 0, "MNN_FORWARD_METAL": 1, "MNN_FORWARD_CUDA": 2, "MNN_FORWARD_OPENCL": 3, "MNN_FORWARD_AUTO": 4,
       "MNN_FORWARD_NN": 5, "MNN_FORWARD_OPENGL": 6, "MNN_FORWARD_VULKAN": 7}
    # BackendConfig::PrecisionMode, PowerMode, MemoryMode
    | {"Precision_Normal": 0, "Precision_High": 1, "Precision_Low": 2, "Precision_Low_BF16": 3, "Power_Normal": 0, "Power_High": 1,
       "Power_Low": 2, "Memory_Normal": 0, "Memory_High": 1, "Memory_Low": 2}
)  # fmt: skip


def events(lines: Sequence[tuple[int, str]], file: int) -> list[LogEvent]:
    """The events of a text given as (number, line). A text without code gives none."""
    stripped = [(number, _COMMENT.sub("", line)) for number, line in lines]
    mnn = any(_MNN_SIGN.search(line) for _, line in stripped)
    found: list[LogEvent] = []
    for number, line in stripped:
        if "=" not in line or ";" not in line:
            continue
        if mnn:
            found += [_mnn(m, file, number, line) for m in _MNN.finditer(line)]
        if "rknn" not in line.lower() and "[" not in line and "attr" not in line:
            continue
        found += [_fields("code_rknn_input", m, file, number, line) for m in _INPUT.finditer(line)]
        found += [_fields("code_rknn_attr", m, file, number, line) for m in _ATTR.finditer(line)]
    found += _python(lines, file)
    found += flow([(number, line.partition("#")[0] if ";" not in line else line) for number, line in stripped], file)
    return sorted(found, key=lambda e: e.line)


def _event(kind: str, file: int, number: int, text: str, fields: dict[str, Field], runtime: str) -> LogEvent:
    return LogEvent(kind, "fact", file, number, text.strip()[:260], fields, runtime, "stated in code; nothing was run")


def _mnn(match: re.Match[str], file: int, number: int, line: str) -> LogEvent:
    value = match["value"].strip()
    fields: dict[str, Field] = {
        "object": match["object"],
        "field": match["field"],
        "value": value,
        "number": value_of(value),
    }
    return _event("code_mnn", file, number, line, fields, "mnn")


def value_of(text: str) -> int | None:
    """The number of a literal, a known constant (with or without its scope), or such joined by `|`; None for anything else."""
    total = 0
    for part in text.strip("() ").split("|"):
        word = re.sub(r"^(?:\(\w+\)|static_cast<\w+>\()", "", part.strip()).strip("() ")
        if re.fullmatch(r"\d{1,9}|0[xX][0-9a-fA-F]{1,8}", word):
            total |= int(word, 0) if not re.fullmatch(r"0\d+", word) else int(word, 8)
            continue
        found = next((v for name, v in _FLAGS.items() if word == name or word.endswith("::" + name)), None)
        if found is None:
            return None
        total |= found
    return total


def _fields(kind: str, match: re.Match[str], file: int, number: int, line: str) -> LogEvent:
    value = match["value"].strip().removeprefix("rknn_tensor_type::")
    fields: dict[str, Field] = {"field": match["field"], "value": value.removeprefix("RKNN_TENSOR_")}
    if kind == "code_rknn_input":
        index = match["index"]
        fields |= {"array": match["array"], "index": int(index) if index.isdigit() and len(index) < 4 else None}
    else:
        fields["object"] = match["object"]
    return _event(kind, file, number, line, fields, "rknn")


def _python(lines: Sequence[tuple[int, str]], file: int) -> Iterator[LogEvent]:
    """Literal arguments of toolkit calls. A call is cut out by its brackets, so that code in a thread is read too."""
    if not any(_CALL.search(line) for _, line in lines):
        return
    text = "\n".join(line for _, line in lines)
    starts = [0]
    for _, line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for match in _CALL.finditer(text):
        line_at = next(i for i, start in enumerate(starts[1:]) if start > match.start())
        before = text[starts[line_at] : match.start()]
        if "#" in before:
            continue
        inner = _bracketed(text, match.end() - 1)
        # a line that was wrapped is cut within words and numbers too
        call = (_parsed(inner) or _parsed(inner.replace("\n", ""))) if inner is not None else None
        if call is None:
            continue
        for keyword in call.keywords:
            if keyword.arg is None:
                continue
            value = _literal(keyword.value)
            if value is None:
                continue
            fields: dict[str, Field] = {
                "call": match["call"],
                "argument": keyword.arg,
                "value": json.dumps(value, default=str),
            }
            yield _event("code_toolkit", file, lines[line_at][0], lines[line_at][1], fields, "rknn")


def _bracketed(text: str, start: int) -> str | None:
    """The text from an opening bracket to the one that closes it, quotes and comments left aside; None where it is cut."""
    depth, quote, at = 0, "", start
    while at < min(len(text), start + MAX_CALL):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return text[start : at + 1]
        at += 1
    return None


def _parsed(arguments: str) -> ast.Call | None:
    try:
        tree = ast.parse("f" + arguments, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if isinstance(tree, ast.Call) else None


def _literal(node: ast.expr) -> object:
    """The value of a literal; None where it is none (a variable, a call)."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, (bool, int, float, str, list, tuple)) else None
