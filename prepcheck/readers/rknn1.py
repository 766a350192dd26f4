"""RKNN1 models (`.rknn` of rknn-toolkit 1: RK1808, RK3399Pro, RV1109, RV1126), and their bare JSON → Contract.

Everything is in the JSON part; the payload is a Vivante binary or absent. Sources: eight models of the histories of
rockchip-linux/rknpu (toolkits 1.3.0 to 1.7.5); RKNN API guide 1.7.5 §3.2.3; User Guide RKNN Toolkit 1.7.5 §7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import Final

from prepcheck.contract.base import Scheme
from prepcheck.contract.contract import Contract, Note, Tensor
from prepcheck.core.affine import dfp_range, value_range
from prepcheck.core.dtypes import nbytes
from prepcheck.core.float32 import seven_digits
from prepcheck.errors import CorruptError
from prepcheck.readers.notes import note
from prepcheck.readers.provenance import FILE
from prepcheck.readers.rknn_container import Container, container_notes, read_json
from prepcheck.readers.rknn_json import JsonTensor, graph_tensors, target_platforms
from prepcheck.wire.source import Source
from prepcheck.wire.values import Value, integer, integers, number, numbers, text

DTYPES: Final[dict[str, str]] = {
    "INT4": "int4",
    "INT8": "int8",
    "UINT8": "uint8",
    "INT16": "int16",
    "UINT16": "uint16",
    "INT32": "int32",
    "UINT32": "uint32",
    "INT64": "int64",
    "UINT64": "uint64",
    "FLOAT16": "float16",
    "BFLOAT16": "bfloat16",
    "FLOAT32": "float32",
    "FLOAT64": "float64",
    "BOOL8": "bool",
}
"""vx_type without VSI_NN_TYPE_ → dtype. Source: vsi_nn_types.h of ovxlib (VeriSilicon/TIM-VX), vsi_nn_type_e."""
LAYOUTS: Final = {0: "NCHW", 1: "NHWC"}
"""input_fmt. Source: rockchip-linux/rknpu, rknn_api.h, rknn_tensor_format."""
SWAPS: Final[dict[tuple[int, ...], bool]] = {(0, 1, 2): False, (2, 1, 0): True}
"""reorder of one input → whether the runtime exchanges R and B before mean and std. Source: RKNN API guide 1.7.5 §3.2.3."""
_METADATA: Final = ("name", "ovxlib_version", "ori_network_platform", "pre_compile", "input_transpose")


@dataclass(frozen=True, slots=True)
class Normal:
    """Mean and std of one input, whether R and B are swapped before, and the reorder as it stands."""

    mean: list[float] | None
    std: list[float] | None
    std_from: str
    rgb2bgr: bool | None
    reorder: list[int]


def read_rknn1(source: Source, container: Container, name: str) -> Contract:
    """The contract of an RKNN1 container. Raises ReadError of the kind that fits."""
    table = read_json(source, container.json_at, container.json_size)
    json_only = container.payload_size == 0
    # Weights and custom kernels follow the JSON where there is no payload (seen: 31009 bytes): nothing to note there.
    notes = [n for n in container_notes(container) if not (json_only and n.kind == "trailing_bytes")]
    return contract_of(table, container.label, name, notes)


def is_rknn1_json(table: Mapping[str, Value]) -> bool:
    """Whether a bare JSON document is an RKNN1 model: the two lists of every model, and a Vivante type in the first."""
    rows = table.get("norm_tensor")
    if not isinstance(rows, list) or not isinstance(table.get("graph"), list):
        return False
    first = rows[0] if rows else None
    dtype = first.get("dtype") if isinstance(first, dict) else None
    return isinstance(dtype, dict) and (text(dtype.get("vx_type")) or "").startswith("VSI_NN_TYPE_")


def contract_of(table: Mapping[str, Value], label: str, name: str, notes: Sequence[Note] = ()) -> Contract:
    """The contract that the JSON of an RKNN1 model states."""
    stated, outputs = graph_tensors(table, "input", name), graph_tensors(table, "output", name)
    if not stated:
        raise CorruptError(f"{name}: the JSON part names no input.")
    stated_fmt = integer(table.get("input_fmt"))
    layout = None if stated_fmt is None else LAYOUTS.get(stated_fmt)
    normals = _normals(table, stated, layout, name)
    inputs = [_tensor(k, t, layout, n, name) for k, (t, n) in enumerate(zip(stated, normals, strict=True))]
    odd = [
        note("unknown_reorder", input=k, name=t.name, reorder=n.reorder)
        for k, (t, n) in enumerate(zip(stated, normals, strict=True))
        if n.reorder and n.rgb2bgr is None
    ]
    batches = {t.size[-1] for t in stated if len(t.size) == 4}
    found = [_tensor(k, t, None, None, name) for k, t in enumerate(outputs)]
    return Contract.made(
        schema="prepcheck/contract/v1",
        runtime="rknn1",
        platforms=target_platforms(table) or None,
        toolkit=(text(table.get("version")) or "").removeprefix("v") or None,
        quantized=any(t.scheme not in (None, "none") for t in (*inputs, *found)),
        batch=batches.pop() if len(batches) == 1 else None,
        container=label,
        inputs=inputs,
        outputs=found,
        metadata={key: words for key in _METADATA if (words := _words(table.get(key)))},
        notes=[*notes, *odd],
    )


def _words(value: Value) -> str:
    """A short text or an integer as text; else nothing."""
    whole = integer(value)
    return str(whole) if whole is not None else (text(value) or "")[:200]


def _dtype(found: JsonTensor, where: str) -> str:
    word = (text(found.dtype.get("vx_type")) or "").removeprefix("VSI_NN_TYPE_")
    if word not in DTYPES:
        raise CorruptError(f"{where} has the element type {word[:40]!r}; known are {', '.join(DTYPES)}.")
    return DTYPES[word]


def _tensor(index: int, found: JsonTensor, layout: str | None, normal: Normal | None, name: str) -> Tensor:
    """One input (normal given) or output. `size` in the file is fastest axis first.

    layout: of 4-D inputs, by input_fmt; None where the file does not say (of outputs it never does).
    """
    where = f"{name}: {'output' if normal is None else 'input'} {index} ({(found.name or 'no name')[:80]})"
    shape = list(reversed(found.size))
    dtype = _dtype(found, where)
    scheme, scale, zero_point, fl = _quantization(found, where)
    if fl is not None:
        span = dfp_range(dtype, fl)
    else:
        span = value_range(dtype, scale, zero_point) if scale is not None and zero_point is not None else None
    dfp = "rule:RK1-DFP" if fl is not None else FILE
    own = layout if len(shape) == 4 else "UNDEFINED"
    values: dict[str, object] = {
        "name": found.name,
        "layout": own,
        "shape": shape,
        "dtype": dtype,
        "scheme": scheme,
        "scale": scale,
        "zero_point": zero_point,
        "fl": fl,
        "size": nbytes(dtype, prod(shape)),
        "value_range": [seven_digits(v) for v in span] if span else None,
        "mean": normal.mean if normal else None,
        "std": normal.std if normal else None,
        "rgb2bgr": normal.rgb2bgr if normal else None,
    }
    origins = {
        "shape": "rule:RK1-REVERSED",
        "size": "rule:SZ-PACKED",
        "value_range": "rule:QT-RANGE",
        "scale": dfp,
        "zero_point": dfp,
        "std": normal.std_from if normal else FILE,
    }
    provenance = {key: origins.get(key, FILE) for key, value in values.items() if value is not None}
    return Tensor.model_validate(values | {"index": index, "provenance": provenance})


def _quantization(found: JsonTensor, where: str) -> tuple[Scheme | None, float | None, int | None, int | None]:
    """(scheme, scale, zero point, fl). Dynamic fixed point: value = code·2^−fl."""
    kind = (text(found.dtype.get("qnt_type")) or "").removeprefix("VSI_NN_QNT_TYPE_")
    if kind == "NONE":
        return "none", None, None, None
    if kind == "DFP":
        fl = integer(found.dtype.get("fl"))
        if fl is None or not -128 <= fl <= 127:
            raise CorruptError(f"{where} is in dynamic fixed point with fl {fl!r}; an integer of 8 bits is expected.")
        return "dynamic_fixed_point", 2.0**-fl, 0, fl
    if kind.startswith("AFFINE"):
        scale, zero_point = number(found.dtype.get("scale")), integer(found.dtype.get("zero_point"))
        if scale is not None and not (isfinite(scale) and scale > 0):
            raise CorruptError(f"{where} has the scale {scale}; a positive number is expected.")
        return "affine", scale, zero_point, None
    return None, None, None, None


def _normals(table: Mapping[str, Value], inputs: Sequence[JsonTensor], layout: str | None, name: str) -> list[Normal]:
    """Mean, std and channel swap of every input, cut from the flat lists of the file.

    mean_value and std_value are cut by mean_value_chns. Files of toolkit 1.3 have no std_value: there the entries of an
    input are M0 M1 M2 S and its count is one more than its channels. reorder has three numbers per input.
    """
    counts = integers(table.get("mean_value_chns"))
    means, stds = _list(table, "mean_value", name), _list(table, "std_value", name)
    reorder = integers(table.get("reorder")) or []
    if counts is None or len(counts) != len(inputs) or any(not 0 <= c <= 4096 for c in counts):
        counts = None
    found, at = [], 0
    for k, tensor in enumerate(inputs):
        order = reorder[3 * k : 3 * k + 3]
        swap = SWAPS.get(tuple(order))
        mean = std = None
        std_from = FILE
        if counts is not None and means is not None and at + counts[k] <= len(means):
            mean = means[at : at + counts[k]]
            if stds is not None:
                std = stds[at : at + counts[k]] if at + counts[k] <= len(stds) else None
            elif len(mean) >= 2 and len(mean) == _channels(tensor, layout) + 1:
                std = [mean[-1]] * (len(mean) - 1)
                mean = mean[:-1]
                std_from = "rule:RK1-M0M1M2S"
        at += counts[k] if counts else 0
        found.append(Normal(mean, std, std_from, swap, order))
    return found


def _channels(tensor: JsonTensor, layout: str | None) -> int:
    """Channels of an input by its layout; `size` is fastest axis first: C W H N for NHWC, W H C N for NCHW."""
    size = tensor.size
    if not size:
        return 1
    return size[0] if layout == "NHWC" or len(size) < 3 else size[2]


def _list(table: Mapping[str, Value], key: str, name: str) -> list[float] | None:
    """A list of finite numbers; None where the file has none."""
    values = numbers(table.get(key))
    if values is not None and not all(map(isfinite, values)):
        raise CorruptError(f"{name}: `{key}` in the JSON part holds a number that is not finite.")
    return values
