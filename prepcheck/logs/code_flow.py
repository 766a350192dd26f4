"""Where a picture goes in pasted code: variables are followed line by line, as far as the calls are known. Nothing is run.

`code_scaled_input` (var, how, at, divisor): what was divided by 255, 128 or 127.5 goes into inference() or inputs[N].buf.
`code_interleaved_array` (var, shape): rows of interleaved pixels are declared as planes in MNN.Tensor.
`code_mem_pixels` (var, src): a picture's bytes are copied into virt_addr, and nothing in the text makes codes of them.
`code_host_memcpy`, `code_host_index` (var, index): a host pointer that was kept in a variable is written through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from prepcheck.facts.log import Field, LogEvent
from prepcheck.records import dataclass

MAX_NAMES = 400
"""Variables that are followed in one text."""
MAX_LINE = 300
"""Characters of a line that are looked at."""
_SIGNS = ("inference", "buf", "MNN.Tensor", "host", "virt_addr")
"""One of these stands in every line at which a trail ends."""

_ASSIGNED = re.compile(r"^\s*(?:[\w:<>]+[\s*&]+)?(?P<var>[A-Za-z_]\w*)\s*(?P<op>[/*]?)=(?!=)\s*(?P<expr>.+)$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
_KEPT = {
    "imread", "resize", "cvtColor", "astype", "array", "asarray", "ascontiguousarray", "expand_dims", "float32", "float", "copy", "clone",
    "reshape", "squeeze", "flip", "clip", "letterbox", "copyMakeBorder", "subtract", "divide", "multiply",
}  # fmt: skip
"""Calls that move no axis: what comes out lies in memory as what went in."""
_MOVED = {"transpose", "permute", "moveaxis", "rollaxis", "swapaxes", "from_numpy", "numpy", "stack", "concatenate"}
_PICTURE = re.compile(r"\b(?:cv2|cv)(?:\.|::)imread\s*\(|\bImage\.open\s*\(")
_DIVISOR = r"(255|127\.5|128)(?:\.0*)?f?(?![\d.])"
_SCALED = re.compile(rf"/\s*\(?{_DIVISOR}|\*\s*\(?\s*1(?:\.0*)?f?\s*/\s*{_DIVISOR}|\*\s*(0\.00392\d*)f?\b")
_BACK = re.compile(r"\*\s*255|uint8")
_CONVERT = re.compile(
    rf"\b(?P<src>\w+)\.convertTo\s*\(\s*(?P<dst>\w+)\s*,\s*[\w:]+\s*,\s*1(?:\.0*)?f?\s*/\s*(?P<by>{_DIVISOR})"
)
_OUT = re.compile(r"(?:cv::)?(?:cvtColor|resize|copyMakeBorder)\s*\(\s*(?P<src>\w+)\s*,\s*(?P<dst>\w+)\s*,")
_INFERENCE = re.compile(r"\.inference\s*\(\s*(?:inputs\s*=\s*)?\[?\s*(?P<args>[\w, ]{1,120})")
_BUF = re.compile(
    r"\b\w*inputs?\s*\[\s*\w+\s*\]\s*\.\s*buf\s*=\s*(?:\([\w\s*]+\)\s*)?(?P<var>\w+)\s*(?:\.data|->data)?\s*;"
)
_TENSOR = re.compile(
    r"MNN\.Tensor\s*\(\s*[\[(]\s*(?P<shape>1\s*,\s*3\s*,[^\])\n]{1,40})[\])]\s*,\s*MNN\.Halide_Type_\w+\s*,\s*(?P<var>\w+)\s*,"
    r"\s*MNN\.Tensor_DimensionType_Caffe\b"
)
_HOST = re.compile(
    r"\b(?P<alias>[A-Za-z_]\w*)\s*=\s*(?:\([\w\s*]+\)\s*)?(?P<var>[A-Za-z_]\w*)\s*(?:->|\.)\s*host\s*<[\w ]+>\s*\(\s*\)\s*;"
)
_POINTED = re.compile(
    r"mem(?:cpy|move)\s*\(\s*(?P<copy>[A-Za-z_]\w*)\s*,|\b(?P<set>[A-Za-z_]\w*)\s*\[(?P<index>[^\]\n]{1,80})\]\s*=(?!=)"
)
_VIRTUAL = re.compile(
    r"memcpy\s*\(\s*(?:\([\w\s*]+\)\s*)?(?P<mem>[\w.\[\]>-]+?)(?:->|\.)virt_addr\s*,\s*(?P<src>\w+(?:\.|->)(?:data|virt_addr)|\w*(?:img|image"
    r"|rgb|bgr|frame|pixel)\w*)\s*,"
)
_CODES = re.compile(r"-\s*128\b|\^\s*0x80|\bint8_t\b|quant|\bqnt_\w*\s*\(|(?:\.|->)zp\b", re.IGNORECASE)
_DEF = re.compile(
    r"\s*def\s+(?P<name>\w+)|(?!\s*(?:if|for|while|switch|else|return|catch)\b)[\w:<>*&\s]+\s[*&]?[\w:~]+\s*\([^;=]*\)\s*(?:const\s*)?\{?$"
)
"""The head of a function, Python or C."""
_TAG = re.compile(r"[VDIWEF] [\w.\-]{1,40}\s*: ")
"""What cleaning leaves of a log collector's prefix."""


@dataclass(frozen=True, slots=True)
class _State:
    """What is known of a variable. how: the code that scaled it; at: its line; interleaved: rows of pixels, channels last."""

    how: str | None = None
    at: int = 0
    divisor: float = 255.0
    interleaved: bool = False


def flow(lines: Sequence[tuple[int, str]], file: int) -> Iterator[LogEvent]:
    """The events of one text's lines, without comments, as (number, line)."""
    if not any(sign in line for _, line in lines for sign in _SIGNS):
        return
    names: dict[str, _State] = {}
    pointers: dict[str, str] = {}
    functions: dict[str, _State] = {}
    inside = ""
    makes_codes = any(";" in line and _CODES.search(line[:MAX_LINE]) for _, line in lines)
    for number, whole in lines:
        if "=" not in whole and "(" not in whole and "return" not in whole:
            continue
        line = whole[:MAX_LINE]
        tag = _TAG.match(line)
        line = line[tag.end() :] if tag else line
        begun = _DEF.match(line) if "(" in line else None
        if begun:
            inside, names, pointers = begun["name"] or "", {}, {}
        yield from _used(names, pointers, file, number, line, makes_codes)
        if len(names) >= MAX_NAMES:
            continue
        for statement in line.split(";") if ";" in line else [line]:
            _follow(statement, number, names, functions, inside)
        for match in _HOST.finditer(line) if "host" in line else ():
            pointers[match["alias"]] = match["var"]


def _follow(statement: str, number: int, names: dict[str, _State], functions: dict[str, _State], inside: str) -> None:
    converted = _CONVERT.search(statement) if "convertTo" in statement else None
    if converted:
        was = names.get(converted["src"], _State())
        names[converted["dst"]] = replace(was, how=_short(statement), at=number, divisor=float(converted[4]))
        return
    out = _OUT.search(statement)
    if out and out["src"] in names and "=" not in statement:
        names[out["dst"]] = names[out["src"]]
        return
    if inside and statement.lstrip().startswith("return "):
        functions[inside] = _value(statement.lstrip()[7:], number, names, functions)
        return
    match = _ASSIGNED.match(statement)
    if match is None:
        return
    expression = match["expr"]
    if match["op"]:
        expression = f"{match['var']} {match['op']} {expression}"
    names[match["var"]] = _value(expression, number, names, functions)


def _value(expression: str, number: int, names: dict[str, _State], functions: dict[str, _State]) -> _State:
    """What an expression gives, from the variables in it."""
    called = set(_CALLED.findall(expression))
    made = next((functions[c] for c in sorted(called) if c in functions), None)
    if made is not None:
        return made
    known = [names[w] for w in _WORD.findall(expression) if w in names]
    base = next((s for s in known if s.how), known[0] if known else _State())
    picture = bool(_PICTURE.search(expression))
    plain = called <= _KEPT | {"open"}
    if not (plain or called <= _KEPT | _MOVED):
        return _State(interleaved=False)
    state = replace(base, interleaved=plain and (picture or base.interleaved))
    if picture or _BACK.search(expression):
        state = replace(state, how=None)
    scaled = _SCALED.search(expression)
    if scaled and state.how is None and (known or picture):
        by = float(scaled[1] or scaled[2] or 255)
        state = replace(state, how=_short(expression), at=number, divisor=by)
    return state


def _used(
    names: dict[str, _State], pointers: dict[str, str], file: int, number: int, line: str, makes_codes: bool
) -> Iterator[LogEvent]:
    given = [w for m in (_INFERENCE.finditer(line) if "inference" in line else ()) for w in _WORD.findall(m["args"])]
    given += [m["var"] for m in (_BUF.finditer(line) if "buf" in line else ())]
    for var in given:
        state = names.get(var)
        if state is not None and state.how:
            values: dict[str, Field] = {"var": var, "how": state.how, "at": state.at, "divisor": state.divisor}
            yield _event("code_scaled_input", file, number, line, values, "rknn")
    for match in _TENSOR.finditer(line) if "MNN.Tensor" in line else ():
        state = names.get(match["var"])
        if state is not None and state.interleaved:
            yield _event(
                "code_interleaved_array",
                file,
                number,
                line,
                {"var": match["var"], "shape": match["shape"].strip()},
                "mnn",
            )
    for match in _VIRTUAL.finditer(line) if "virt_addr" in line else ():
        if not makes_codes:
            yield _event("code_mem_pixels", file, number, line, {"var": match["mem"], "src": match["src"]}, "rknn")
    for match in _POINTED.finditer(line) if pointers else ():
        variable = pointers.get(match["copy"] or match["set"])
        if variable is not None:
            kind = "code_host_memcpy" if match["copy"] else "code_host_index"
            yield _event(kind, file, number, line, {"var": variable, "index": match["index"]}, "mnn")


def _short(text: str) -> str:
    return " ".join(text.split())[:80]


def _event(kind: str, file: int, number: int, text: str, fields: dict[str, Field], runtime: str) -> LogEvent:
    return LogEvent(kind, "fact", file, number, text.strip()[:260], fields, runtime, "stated in code; nothing was run")
