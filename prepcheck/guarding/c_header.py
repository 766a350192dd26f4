"""The guard for C and C++: a contract as one header with constants and checks (C99 and C++11, no allocation, < 32 KiB).

The text of the checks lies in `native/prepcheck_guard_*.h.in`; this module writes the contract in front of it. Standard
library only.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.errors import PlanError, UsageError
from prepcheck.guarding.compiled import CompiledContract, CompiledTensor

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES: Final = 32 << 10
"""The header stays below this (promised to those who include it on small boards)."""
_NATIVE: Final = Path(__file__).parent.parent / "native"
_TYPES: Final = {
    "float32": 0, "float16": 1, "int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "bool": 9,
}  # fmt: skip
"""rknn_tensor_type. Source: RKNN API reference 2.3.2."""
_BYTES: Final = {
    "float32": 4,
    "float16": 2,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "int64": 8,
    "bool": 1,
}
_HALIDE: Final = {"int": 0, "uint": 1, "float": 2, "bool": 1}
_MAX_DIMS: Final = 8


def c_header(source: object, name: str = "model") -> str:
    """The header for a contract: a document (dict), a Contract, or a compiled one. name: what the model is called in it.

    Raises PlanError for a contract without shapes or types, UsageError for a runtime that has no such guard, dynamic
    shapes, or so many tensors that the header would not stay below 32 KiB.
    """
    contract = CompiledContract.of(source)
    if contract.runtime in ("rknn", "rknn1"):
        body, tables = "prepcheck_guard_rknn.h.in", _rknn(contract, _natives(source))
    elif contract.runtime == "mnn":
        body, tables = "prepcheck_guard_mnn.h.in", _mnn(contract)
    else:
        raise UsageError(f"a C guard is made for RKNN and MNN models; the contract says {contract.runtime}.")
    checks = _template("prepcheck_guard_common.h.in") + tables + _template(body)
    text = _frame(contract, name, checks)
    if len(text.encode()) >= MAX_BYTES:
        raise UsageError(
            f"the header would have {len(text.encode())} bytes, {MAX_BYTES} is the limit: too many tensors."
        )
    return text


def _template(file: str) -> str:
    return (_NATIVE / file).read_text(encoding="utf-8")


def _frame(contract: CompiledContract, name: str, checks: str) -> str:
    """Head comment, include guard, and what remains of it with PREPCHECK_OFF."""
    mark = hashlib.sha256(contract.to_json().encode()).hexdigest()[:12]
    guard = f"PREPCHECK_GUARD_{mark.upper()}_H"
    mnn = contract.runtime == "mnn"
    use = [
        f"/* Input guard for {_comment(name)}, made by prepcheck from its contract (sha256 {mark}...).",
        " *",
        *(
            [
                " * Include it where host tensors are filled and call pc_check_mnn_host before copyFromHostTensor.",
            ]
            if mnn
            else [
                " * Include it after rknn_api.h in every source file that calls rknn_*: rknn_inputs_set, rknn_set_io_mem and",
                " * rknn_run are then checked first (PREPCHECK_NO_MACROS leaves them alone; the pc_check_ functions may be called by hand).",
            ]
        ),
        " * PREPCHECK_OFF compiles it out, PREPCHECK_WARN_ONLY only reports, PCG_REPORT(text) takes the messages.",
        " */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#if defined(PREPCHECK_OFF)",
    ]
    off = (
        ["pc_check_mnn_host(...)", "pc_check_mnn_pointer(...)"]
        if mnn
        else ["pc_check_input(...)", "pc_check_inputs_set(...)", "pc_check_set_io_mem(...)", "pc_check_run(...)"]
    )
    twice = [
        "#else",
        "#if defined(PCG_STATE)",
        '#error "one guard header in one source file"',
        "#endif",
        f"#define PCG_STATE pcg_state_{mark}",
    ]
    lines = [*use, *(f"#define {call} 0" for call in off), *twice, checks, "#endif /* PREPCHECK_OFF */", "#endif", ""]
    return "\n".join(lines)


def _natives(source: object) -> list[int]:
    """size_with_stride of the native attribute of each input, 0 where the contract has none."""
    dump = getattr(source, "model_dump", None)
    document = dump(by_alias=True) if callable(dump) else source
    if isinstance(document, dict) and isinstance(document.get("contract"), dict):
        document = document["contract"]
    inputs = document.get("inputs") if isinstance(document, dict) else None
    return [_native_size(item) for item in inputs] if isinstance(inputs, list) else []


def _native_size(item: Mapping[str, object]) -> int:
    native = item.get("native") if isinstance(item, dict) else None
    size = native.get("size_with_stride") if isinstance(native, dict) else None
    return size if isinstance(size, int) and not isinstance(size, bool) else 0


def _rknn(contract: CompiledContract, natives: list[int]) -> str:
    mini = any(p in ZERO_COPY_ONLY for p in contract.platforms)
    count = len(contract.inputs)
    lines = [
        "",
        f"#define PCG_V1 {int(contract.runtime == 'rknn1')} /* rknn_api.h 1.x */",
        f"#define PCG_MINI {int(mini)} /* librknnmrt: zero copy only */",
        f"#define PCG_INPUTS {count}u",
        f"#define PCG_OUTPUTS {len(contract.outputs)}",
        f"#define PCG_ALL 0x{(1 << min(count, 32)) - 1:x}u /* one bit for each input */",
        "",
        "typedef struct pcg_tensor {",
        "    const char *name;",
        "    int n_dims;",
        f"    uint32_t dims[{_MAX_DIMS}], n_elems; /* as rknn_query reports them */",
        "    int type;",
        "    uint32_t elem, w_stride, row_bytes, size_with_stride, native_size; /* bytes, pixels, bytes, bytes, bytes */",
        "} pcg_tensor;",
        "",
        "PCG_TABLE const pcg_tensor pcg_inputs[PCG_INPUTS] = {",
    ]
    lines += [_rknn_row(t, natives[i] if i < len(natives) else 0) for i, t in enumerate(contract.inputs)]
    lines += ["};", "PCG_TABLE const char *const pcg_outputs[PCG_OUTPUTS + 1] = {"]
    return "\n".join([*lines, *(f"    {_quoted(t.name)}," for t in contract.outputs), "    NULL};", ""])


def _rknn_row(tensor: CompiledTensor, native: int) -> str:
    _static(tensor)
    if tensor.dtype not in _TYPES:
        raise PlanError(f"contract: input {tensor.name}: {tensor.dtype} is no type of rknn_tensor_type")
    elem = _BYTES[tensor.dtype]
    count = 1
    for d in tensor.shape:
        count *= d
    image = len(tensor.shape) == 4 and tensor.layout == "NHWC" and bool(tensor.w_stride)
    plain_rows = image and (tensor.size_with_stride or 0) == count // tensor.shape[2] * (tensor.w_stride or 0) * elem
    row = (tensor.w_stride or 0) * tensor.shape[3] * elem if plain_rows else 0
    padded = tensor.size_with_stride or count * elem
    dims = ", ".join(f"{d}u" for d in tensor.shape)
    numbers = (
        f"{elem}u, {tensor.w_stride or 0}u, {row}u, {padded}u, {native or (padded if plain_rows else count * elem)}u"
    )
    return (
        f"    {{{_quoted(tensor.name)}, {len(tensor.shape)}, {{{dims}}}, {count}u, {_TYPES[tensor.dtype]}, {numbers}}},"
    )


def _mnn(contract: CompiledContract) -> str:
    lines = [
        "",
        f"#define PCG_INPUTS {len(contract.inputs)}",
        "",
        "typedef struct pcg_tensor {",
        "    const char *name;",
        f"    int n_dims, dims[{_MAX_DIMS}]; /* N C H W, or N H W C with nhwc; -1 = any */",
        "    int nhwc, packed, code, bits;",
        "} pcg_tensor;",
        "",
        "PCG_TABLE const pcg_tensor pcg_inputs[PCG_INPUTS] = {",
    ]
    return "\n".join([*lines, *(_mnn_row(t) for t in contract.inputs), "};", ""])


def _mnn_row(tensor: CompiledTensor) -> str:
    if len(tensor.shape) > _MAX_DIMS or not tensor.shape:
        raise UsageError(f"input {tensor.name} has {len(tensor.shape)} axes; a C guard takes 1 to {_MAX_DIMS}.")
    kind = tensor.dtype.rstrip("0123456789")
    bits = tensor.dtype[len(kind) :] or "8"
    if kind not in _HALIDE:
        raise PlanError(f"contract: input {tensor.name}: {tensor.dtype} is no type of an MNN tensor")
    dims = ", ".join(str(d) for d in tensor.shape)
    flags = f"{int(tensor.layout == 'NHWC')}, {int(tensor.layout == 'NC4HW4')}"
    return f"    {{{_quoted(tensor.name)}, {len(tensor.shape)}, {{{dims}}}, {flags}, {_HALIDE[kind]}, {bits}}},"


def _static(tensor: CompiledTensor) -> None:
    if not tensor.shape or len(tensor.shape) > _MAX_DIMS:
        raise UsageError(f"input {tensor.name} has {len(tensor.shape)} axes; a C guard takes 1 to {_MAX_DIMS}.")
    if any(d <= 0 for d in tensor.shape) or tensor.dynamic:
        raise UsageError(f"input {tensor.name} has several shapes; a C guard is made for one: choose it first.")


def _quoted(text: str) -> str:
    """A C string: everything but plain letters, digits and a few signs as octal escapes."""
    plain = "".join(chr(b) if 0x20 <= b < 0x7F and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{plain}"'


def _comment(text: str) -> str:
    """A name that cannot end a comment."""
    return (
        "".join(c if c.isprintable() and ord(c) < 0x7F else "?" for c in text)
        .replace("*/", "* /")
        .replace("/*", "/ *")[:120]
    )
