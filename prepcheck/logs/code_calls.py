"""Calls and declarations of C programs in pasted code, as events beside the assignments of `code`. Nothing is run.

`code_rknn_call` (call, arguments): statements that call one of a few functions of the RKNN C API.
`code_rknn_zeroed` (array): an array of rknn_input that is cleared (memset 0, `= {0}`).
`code_color` (source, target): a conversion of OpenCV (cvtColor with COLOR_XXX2YYY), also in Python.
`code_mnn_use` (what, object): a BackendConfig that is declared, or handed to a ScheduleConfig; a session that is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prepcheck.facts.log import Field, LogEvent

CALLS = (
    "rknn_init", "rknn_inputs_set", "rknn_set_io_mem", "rknn_run", "rknn_create_mem", "rknn_create_mem_from_fd",
    "rknn_create_mem_from_phys", "rknn_create_mem_from_mb_blk", "rknn_set_input_shape", "rknn_set_input_shapes",
)  # fmt: skip
"""Functions of rknn_api.h whose calls are told."""
_CALL = re.compile(
    rf"(?<![\w\"'.])(?P<call>{'|'.join(CALLS)})\s*\((?P<arguments>[^;\"]{{0,300}})\)\s*(?:;|[<>!=]=?|\))"
)
_ZEROED = re.compile(
    r"memset\s*\(\s*&?\s*(?P<set>\w*inputs?)(?:\[0\])?\s*,\s*0\s*,|rknn_input\s+(?P<made>\w*inputs?)\s*\[\s*\w+\s*\]\s*=?\s*\{\s*0?\s*\}\s*;"
)
_DECLARED = re.compile(r"(?:MNN::)?BackendConfig\s+(?P<object>[A-Za-z_]\w*)\s*(?:;|\{\s*\}\s*;|=\s*\{\s*\}\s*;)")
_HANDED = re.compile(r"\bbackendConfig\s*=(?!=)\s*(?P<object>[^;]{1,100});")
_SESSION = re.compile(
    r"(?:\.|->)\s*(?P<object>createSession|createMultiPathSession)\s*\(|\b(?P<manager>createRuntimeManager)\s*\("
)
_COLOR = re.compile(r"\b(?:COLOR|CV)_(?P<source>[A-Z]{3,4}\d*)(?:2|_TO_)(?P<target>[A-Z]{3,4}\d*)(?![A-Za-z])")
_COMMENT = re.compile(r"//.*|/\*.*?\*/|^\s*\*(?!\w).*")
_SIGN = (
    "rknn_",
    "BackendConfig",
    "backendConfig",
    "memset",
    "createSession",
    "createRuntimeManager",
    "createMultiPathSession",
    "cvtColor",
)


def events(lines: Sequence[tuple[int, str]], file: int) -> Iterator[LogEvent]:
    """The events of a text given as (number, line). A text without code gives none."""
    for number, raw in lines:
        if ("(" not in raw and ";" not in raw) or not any(sign in raw for sign in _SIGN):
            continue
        line = _COMMENT.sub("", raw)
        for m in _CALL.finditer(line):
            values: dict[str, Field] = {"call": m["call"], "arguments": " ".join(m["arguments"].split())}
            yield _event("code_rknn_call", file, number, line, values, "rknn")
        for m in _COLOR.finditer(line.partition("#")[0]) if "cvtColor" in line else ():
            yield _event("code_color", file, number, line, {"source": m["source"], "target": m["target"]}, "")
        for m in _ZEROED.finditer(line):
            yield _event("code_rknn_zeroed", file, number, line, {"array": m["set"] or m["made"]}, "rknn")
        for what, pattern in (("declared", _DECLARED), ("handed", _HANDED), ("session", _SESSION)):
            for m in pattern.finditer(line):
                name = m["object"] or m.groupdict().get("manager") or ""
                yield _event("code_mnn_use", file, number, line, {"what": what, "object": name.strip()}, "mnn")


def _event(kind: str, file: int, number: int, text: str, fields: dict[str, Field], runtime: str) -> LogEvent:
    return LogEvent(
        kind, "fact", file, number, text.strip()[:260], fields, runtime or None, "stated in code; nothing was run"
    )
