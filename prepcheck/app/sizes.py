"""Size pairs, of lines and of the user → questions with what the size search says of them, as facts for rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.evidence.sizes import Reading, SizeExplanation, explain_size
from prepcheck.facts.log import LogBook, LogEvent, SizeQuestion, SizeReading
from prepcheck.facts.rknn_code import code_sizes
from prepcheck.logs.patterns import table
from prepcheck.records import dataclass

MAX_QUESTIONS = 16
_KEPT = 6


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user says about the sizes."""

    got: int | None = None
    want: int | None = None
    shape: Sequence[int] | None = None
    dtype: str | None = None
    layout: str | None = None
    platform: str | None = None
    runtime: str | None = None
    translate: Callable[[str], str] = str


def questions(book: LogBook | None, contract: Contract | None, stated: Stated) -> list[SizeQuestion]:
    """The pair that the user asks for, then those of the lines; each pair once. Raises UsageError for impossible counts."""
    found: list[SizeQuestion] = []
    if stated.got is not None and stated.want is not None:
        explained = _explain(stated.got, stated.want, contract, stated, book.runtime if book else None)
        found.append(_question(explained, "arguments", "log:size", None, None, stated.translate))
    if book is None:
        return found
    sized = {p.id: p.unit for p in table().patterns if p.sizes}
    seen: set[tuple[int, int]] = set()
    for event in book.events:
        got, need = event.number("got"), event.number("need")
        if event.kind not in sized or got is None or need is None or got <= 0 or need <= 0 or (got, need) in seen:
            continue
        if got == need or len(found) >= MAX_QUESTIONS:
            continue
        seen.add((got, need))
        own = contract or book.contract_at(event)
        tensor = _tensor(own, event)
        unit = sized[event.kind]
        # lines of the PC's proxy are the same for both generations of the runtime
        runtime = event.runtime or ("rknn1" if book.runtime == "rknn1" else None)
        explained = _explain(got * unit, need * unit, _of(own, tensor), stated, runtime)
        found.append(
            _question(
                explained, event.where, f"log:input{event.number('i') or 0}", tensor, _api(event), stated.translate
            )
        )
    for code, got, need in code_sizes(book, contract):
        if (got, need) not in seen and len(found) < MAX_QUESTIONS:
            seen.add((got, need))
            own = contract or book.contract_at(code.events[0])
            explained = _explain(got, need, _of(own, code.code_tensor), stated, None)
            where = next(e.where for e in code.events if e.word("field") == "size")
            found.append(_question(explained, where, code.about, code.code_tensor, "rknn_inputs_set", stated.translate))
    return found


def _api(event: LogEvent) -> str | None:
    return next((api for api in ("rknn_inputs_set", "rknn_set_io_mem") if api in event.text), None)


def _tensor(contract: Contract | None, event: LogEvent) -> Tensor | None:
    if contract is None:
        return None
    name, index = event.word("name"), event.number("i")
    if name is not None:
        return next((t for t in (*contract.inputs, *contract.outputs) if t.name == name), None)
    if index is not None and index < len(contract.inputs):
        return contract.inputs[index]
    return contract.inputs[0] if len(contract.inputs) == 1 else None


def _of(contract: Contract | None, tensor: Tensor | None) -> Contract | None:
    """The contract with only the tensor that a line is about."""
    if contract is None or tensor is None:
        return contract
    return contract.model_copy(update={"inputs": [tensor]})


def _explain(got: int, want: int, contract: Contract | None, stated: Stated, runtime: str | None) -> SizeExplanation:
    if stated.runtime is None and runtime in ("rknn", "rknn1", "mnn", "tflite", "onnx") and contract is None:
        return explain_size(
            got,
            want,
            shape=stated.shape,
            dtype=stated.dtype,
            layout=stated.layout,
            platform=stated.platform,
            runtime=runtime,
        )
    return explain_size(
        got, want, shape=stated.shape, dtype=stated.dtype, layout=stated.layout, platform=stated.platform,
        runtime=stated.runtime, contract=contract,
    )  # fmt: skip


def _question(
    explained: SizeExplanation,
    where: str,
    about: str,
    tensor: Tensor | None,
    api: str | None,
    translate: Callable[[str], str],
) -> SizeQuestion:
    return SizeQuestion(
        got=explained.got, want=explained.want, where=where, about=about,
        readings=tuple(_reading(r, translate) for r in explained.readings[:_KEPT]), none=explained.none_probability, tensor=tensor,
        api=api, remarks=tuple(translate(r.message).format_map(r.values) for r in explained.remarks),
    )  # fmt: skip


def _reading(reading: Reading, translate: Callable[[str], str]) -> SizeReading:
    return SizeReading(
        kind=reading.kind, category=reading.category, equation=reading.equation, message=" ".join(translate(p.message).format_map(p.values) for p in reading.parts),
        fix=" ".join(translate(p.fix).format_map(p.values) for p in reading.parts), probability=reading.probability, parameters=dict(reading.parameters),
    )  # fmt: skip
