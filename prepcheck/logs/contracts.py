"""Tensor lines of a text → Contracts: which are inputs, what was printed in which order, what can be recovered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from math import prod

from prepcheck.contract.contract import Contract, Native, Tensor
from prepcheck.core.dtypes import integer_range, nbytes
from prepcheck.facts.log import Dump, LogEvent
from prepcheck.records import dataclass

SECTION = "section"
COUNTS = "io_num"


@dataclass(frozen=False, slots=True)
class _Run:
    """Tensor lines of one run of a program."""

    file: int
    line: int
    inputs: list[LogEvent] = field(default_factory=list)
    outputs: list[LogEvent] = field(default_factory=list)
    native: dict[int, LogEvent] = field(default_factory=dict)
    stated: tuple[int, int] | None = None


def dumps(events: Sequence[LogEvent], platform: str | None, toolkit: str | None) -> list[Dump]:
    """One contract for each run whose tensors are printed."""
    found = []
    for run in _runs(events):
        if run.inputs:
            contract = _contract(run, platform, toolkit)
            if contract is not None:
                found.append(Dump(run.file, run.line, contract))
    return found


def _runs(events: Sequence[LogEvent]) -> Iterator[_Run]:
    run: _Run | None = None
    where: str | None = None
    counts: tuple[int, int] | None = None
    for event in events:
        if run is not None and event.file != run.file:
            yield run
            run, where, counts = None, None, None
        if event.kind == COUNTS:
            if run is not None and run.inputs:
                yield run
                run = None
            counts = (event.number("i") or 0, event.number("o") or 0)
            where = None
        elif event.kind == SECTION:
            where = event.word("which")
        elif event.kind == "tensor":
            if run is None:
                run = _Run(event.file, event.line, stated=counts)
            side = where or _side(run, event)
            if _repeats(run, event, side):
                yield run
                run = _Run(event.file, event.line, stated=counts)
            _add(run, event, side)
    if run is not None:
        yield run


def _side(run: _Run, event: LogEvent) -> str:
    """Input or output, where no heading says it: by the stated numbers, else by an index that begins again."""
    index = event.number("index") or 0
    if run.stated is not None:
        i, o = run.stated
        return (
            "output" if len(run.inputs) >= i and o and not (_same(run.inputs, event) or _is_native(event)) else "input"
        )
    if run.outputs or (run.inputs and index == 0 and not _same(run.inputs, event) and not _is_native(event)):
        return "output"
    return "input"


def _same(known: list[LogEvent], event: LogEvent) -> bool:
    return any(
        k.fields.get("name") == event.fields.get("name") and k.number("index") == event.number("index") for k in known
    )


def _repeats(run: _Run, event: LogEvent, side: str) -> bool:
    """Whether a line begins the dump of another run: the same place is stated again and differently, or outputs are done."""
    if side != "input" or _is_native(event):
        return False
    known = next((k for k in run.inputs if k.number("index") == event.number("index")), None)
    if known is None:
        return False
    return bool(run.outputs) or known.fields.get("dims") != event.fields.get("dims")


def _add(run: _Run, event: LogEvent, side: str) -> None:
    index = event.number("index") or 0
    if side == "input" and _is_native(event) and any(k.number("index") == index for k in run.inputs):
        run.native.setdefault(index, event)
        return
    target = run.inputs if side == "input" else run.outputs
    if not any(k.number("index") == index and dict(k.fields) == dict(event.fields) for k in target):
        target.append(event)


def _is_native(event: LogEvent) -> bool:
    return event.fields.get("fmt") == "NC1HWC2" or event.fields.get("n_dims") == 5


def _contract(run: _Run, platform: str | None, toolkit: str | None) -> Contract | None:
    old = any(_version_1(e) for e in run.inputs + run.outputs)
    inputs = [_tensor(e, run.native.get(e.number("index") or 0), old) for e in run.inputs[:64]]
    outputs = [_tensor(e, None, old) for e in run.outputs[:256]]
    kept = [t for t in inputs if t is not None]
    if not kept:
        return None
    schemes = {t.scheme for t in kept if t.scheme}
    first = kept[0].shape or []
    batch = first[0] if len(first) == 4 and kept[0].layout in ("NHWC", "NCHW", None) and first[0] > 0 else None
    return Contract.model_construct(
        schema_="prepcheck/contract/v1", runtime="rknn1" if old else "rknn", platforms=[platform] if platform else None,
        toolkit=toolkit, custom_string=None, quantized=None if not schemes else bool(schemes - {"none"}), batch=batch,
        container=None, inputs=kept, outputs=[t for t in outputs if t is not None], metadata={}, notes=[],
    )  # fmt: skip


def _version_1(event: LogEvent) -> bool:
    return event.fields.get("numeric") is True or "fl" in event.fields


def _tensor(event: LogEvent, native: LogEvent | None, old: bool) -> Tensor | None:
    f = event.fields
    dims = list(event.numbers("dims"))
    if not dims:
        return None
    shape = _shape(event, dims, old)
    dtype, layout = f.get("type"), f.get("fmt")
    qnt, zp, scale = f.get("qnt_type"), f.get("zp"), f.get("scale")
    scheme = qnt if qnt in ("affine", "dynamic_fixed_point", "none") else None
    known = dtype if isinstance(dtype, str) and dtype in _DTYPES else None
    if known in ("float16", "float32"):
        scheme = "none"  # float models print AFFINE, zp 0, scale 1
    limits = integer_range(known) if known else None
    values = None
    if scheme == "affine" and limits and isinstance(zp, int) and isinstance(scale, float) and scale > 0:
        values = [(limits[0] - zp) * scale, (limits[1] - zp) * scale]
    size = event.number("size")
    if size is None and known and shape and all(d > 0 for d in shape):
        size = nbytes(known, prod(shape))
    return Tensor.model_construct(
        index=event.number("index"), name=event.word("name") or None,
        layout=layout if isinstance(layout, str) and layout in _LAYOUTS else ("NHWC" if old and len(shape) == 4 and _nhwc(shape) else None),
        shape=shape, dtype=known, scheme=scheme,
        scale=scale if scheme == "affine" and isinstance(scale, float) else None,
        zero_point=zp if scheme == "affine" and isinstance(zp, int) else None,
        fl=event.number("fl") if scheme == "dynamic_fixed_point" else None,
        size=size, w_stride=event.number("w_stride") or None, size_with_stride=event.number("size_with_stride") or None,
        mean=None, std=None, rgb2bgr=None, value_range=values, calibration_range=None, source=None,
        native=_native(native) if native else None, dynamic=None,
        provenance=dict.fromkeys(("shape", "dtype", "layout", "size", "w_stride", "size_with_stride"), "log"),
    )  # fmt: skip


_DTYPES = frozenset(
    {"float32", "float16", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "bool", "int4"}
)
_LAYOUTS = frozenset({"NCHW", "NHWC", "NC1HWC2", "UNDEFINED"})


def _nhwc(shape: list[int]) -> bool:
    return shape[3] in (1, 3, 4) and shape[1] not in (1, 3, 4)


def _shape(event: LogEvent, dims: list[int], old: bool) -> list[int]:
    """The dims without padding zeros; C2 recovered where only four of five were printed; version 1 dims turned round."""
    count = event.number("n_dims")
    elements = event.number("n_elems")
    kept = dims[: count if count else len(dims)]
    while len(kept) > 1 and kept[-1] == 0:
        kept = kept[:-1]
    if count == 5 and len(kept) == 4 and elements and prod(kept) > 0 and elements % prod(kept) == 0:
        kept = [*kept, elements // prod(kept)]
    if old and event.fields.get("fmt") == "NHWC" and len(kept) == 4 and kept[3] == 1 and kept[0] in (1, 3, 4):
        kept = kept[::-1]  # the version 1 runtime states dims in reverse (RKNN API guide 1.7.5 §6.1.1.6)
    return kept


def _native(event: LogEvent) -> Native:
    dims = list(event.numbers("dims"))
    dtype, layout = event.fields.get("type"), event.fields.get("fmt")
    return Native.model_construct(
        layout=layout if isinstance(layout, str) and layout in _LAYOUTS else None,
        shape=_shape(event, dims, False),
        dtype=dtype if isinstance(dtype, str) and dtype in _DTYPES else None,
        w_stride=event.number("w_stride") or None,
        size_with_stride=event.number("size_with_stride") or event.number("size"),
    )
