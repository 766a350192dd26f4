"""What a plan refers to has to be there: indices and `for` within the model, names of tensors, lists of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prepcheck.contract.calls import (
    Call,
    CopyFromHost,
    HostTensor,
    ImageProcessConvert,
    Inference,
    RgaImport,
    RgaOperation,
    RknnCreateMem,
    RknnInputsSet,
    RknnSetIoMem,
)
from prepcheck.contract.contract import Contract, Tensor
from prepcheck.contract.plan import Plan
from prepcheck.errors import PlanError
from prepcheck.facts.flow import tensor_of
from prepcheck.facts.world import image_inputs

SHOWN = 3


def check_references(plan: Plan, contract: Contract, name: str) -> None:
    """Raises PlanError that names at most three places where a plan (called `name`) refers to what does not exist."""
    found = [*_steps(plan, contract), *_calls(plan, contract)]
    if found:
        raise PlanError("; ".join(f"{name}: {text}" for text in found[:SHOWN]))


def _steps(plan: Plan, contract: Contract) -> Iterator[str]:
    if isinstance(plan.steps, dict):
        known = [_called(t, i) for i, t in enumerate(contract.inputs)]
        for key in plan.steps:
            if key not in known:
                yield f"steps.{key}: the model has no input of this name; its inputs: {_listed(known)}"
    elif plan.steps:
        pictures = [_called(t, t.index or 0) for t in image_inputs(contract)]
        if len(pictures) > 1:
            yield (
                f"steps: one list, but {len(pictures)} inputs take pictures ({_listed(pictures)}); "
                f"write `steps: {{{pictures[0]}: […], {pictures[1]}: […]}}`"
            )


def _calls(plan: Plan, contract: Contract) -> Iterator[str]:
    counts = {"inputs": len(contract.inputs), "outputs": len(contract.outputs)}
    names = _names(plan, contract)
    for at, call in enumerate(plan.calls):
        where = f"calls[{at}]"
        if isinstance(call, RknnInputsSet):
            for position, one in enumerate(call.inputs):
                yield from _index(one.index, counts["inputs"], f"{where}.inputs[{position}].index")
        if isinstance(call, RknnSetIoMem):
            yield from _index(call.index, counts["inputs"], f"{where}.index")
        if isinstance(call, (RknnSetIoMem, RknnCreateMem)) and call.for_ is not None:
            yield from _for(call.for_, counts, f"{where}.for")
        tensor = getattr(call, "tensor", None)
        if tensor is not None and names is not None and tensor not in names:
            yield f"{where}.tensor: {tensor!r} is neither a tensor of the model ({_tensors(contract)}) nor a buffer"


def _index(index: int | None, count: int, where: str) -> Iterator[str]:
    if index is not None and not 0 <= index < count:
        yield f"{where}: {index}, but the model has {_counted(count, 'input')}"


def _for(text: str, counts: dict[str, int], where: str) -> Iterator[str]:
    target = tensor_of(text)
    if target is None:
        yield f'{where}: {text!r} is no tensor; write "inputs[0]" or "outputs[0]"'
    elif counts[target[0]] and target[1] >= counts[target[0]]:
        yield f"{where}: {text}, but the model has {_counted(counts[target[0]], target[0][:-1])}"


def _names(plan: Plan, contract: Contract) -> set[str] | None:
    """Every name that a `tensor` may take; None where any may be right."""
    tensors: Sequence[Tensor] = [*contract.inputs, *contract.outputs]
    if not contract.outputs or any(t.name is None for t in tensors):
        return None
    return {t.name or "" for t in tensors} | set(plan.buffers) | {b for c in plan.calls for b in _buffers(c)}


def _buffers(call: Call) -> Iterator[str]:
    """The memory that a call names."""
    one = getattr(call, "buffer", None)
    if one is not None:
        yield one
    if isinstance(call, RknnInputsSet):
        yield from (i.buffer for i in call.inputs if i.buffer is not None)
    elif isinstance(call, Inference):
        yield from call.inputs or []
    elif isinstance(call, CopyFromHost) and isinstance(call.host, HostTensor) and call.host.fill is not None:
        if call.host.fill.buffer is not None:
            yield call.host.fill.buffer
    elif isinstance(call, ImageProcessConvert) and call.source is not None:
        yield call.source
    elif isinstance(call, (RgaOperation, RgaImport)):
        yield from (c.buffer for c in (call.src, getattr(call, "dst", None)) if c is not None and c.buffer is not None)


def _called(tensor: Tensor, position: int) -> str:
    return tensor.name or f"inputs[{position}]"


def _tensors(contract: Contract) -> str:
    inputs = [_called(t, i) for i, t in enumerate(contract.inputs)]
    outputs = [t.name or f"outputs[{i}]" for i, t in enumerate(contract.outputs)]
    return f"inputs: {_listed(inputs)}; outputs: {_listed(outputs)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _counted(count: int, what: str) -> str:
    return f"one {what}, index 0" if count == 1 else f"{count} {what}s, 0 to {count - 1}"
