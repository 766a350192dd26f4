"""One pass over the operators of a model for what its contract needs: inputs, external numbers, quantisation, outputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from prepcheck.readers.mnn_net import MnnNet, MnnOp
from prepcheck.readers.mnn_schema import EXTERNAL_SLOT, INT8_OPS, Net, Op, OpType
from prepcheck.wire.flatbuffer import Table


@dataclass(slots=True)
class Survey:
    """What the pass found.

    inputs: the Input operators in file order. int8: an operator of the quantised kind is there. external: operators
    whose numbers lie in the .weight file. need: bytes that file must have. zero_probe: (offset, bytes) of the first of
    them. furthest: the last place in the file where one of the operators' parts begins. output_names: of the file, or
    where it has none (TensorFlow models) of the tensors that no operator reads; derived says which.
    """

    inputs: list[MnnOp] = field(default_factory=list)
    int8: bool = False
    external: int = 0
    need: int = 0
    zero_probe: tuple[int, int] | None = None
    furthest: int = 0
    output_names: tuple[str, ...] = ()
    derived: bool = False


def survey(net: MnnNet) -> Survey:
    """Walk the operators once. Raises CorruptError for what contradicts itself."""
    found = Survey(output_names=net.root.strings(Net.OUTPUT_NAME) or ())
    found.derived = not found.output_names
    produced: dict[int, None] = {}
    consumed: set[int] = set()
    for op in net.ops():
        kind, main = op.type, op.table.place(Op.MAIN) or 0
        found.furthest = max(found.furthest, op.table.at, main)
        found.int8 = found.int8 or kind in INT8_OPS
        if kind == OpType.INPUT:
            found.inputs.append(op)
        elif op.main_type in EXTERNAL_SLOT:
            _external(found, op)
        if found.derived:
            consumed.update(op.inputs)
            if kind not in (OpType.INPUT, OpType.CONST, OpType.TRAINABLE_PARAM):
                produced.update(dict.fromkeys(op.outputs))
    if found.derived:
        found.output_names = tuple(net.tensor_name(index) for index in produced if index not in consumed)
    return found


def _external(found: Survey, op: MnnOp) -> None:
    table = op.main(op.main_type)
    if table is None:
        return
    place = external(table, EXTERNAL_SLOT[op.main_type])
    if place is None:
        return
    offset, length = place
    found.external += 1
    found.need = max(found.need, offset + length)
    if found.zero_probe is None:
        found.zero_probe = place


def external(table: Table, slot: int) -> tuple[int, int] | None:
    """(offset, bytes) of a table's numbers in the .weight file; None where they lie in the model itself.

    The vector is [offset, bytes of the first array, bytes of the second, …]. Source: CaffeOp.fbs, Tensor.fbs.
    """
    numbers = table.integers(slot, "q", limit=16)
    if not numbers or len(numbers) < 2:
        return None
    if min(numbers) < 0 or sum(numbers) >= 1 << 62:
        raise table.fault(
            f"its external weights are said to lie at {list(numbers)} (offset, bytes, …); none can be that."
        )
    return numbers[0], sum(numbers[1:])
