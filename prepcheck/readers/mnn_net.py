"""Opens a .mnn file: the bounds-checked walk that tells a model from anything else, and its operators one by one.

There is no magic number. MNN itself (OpCommonUtils::checkNet) verifies the flatbuffer and wants a list of operators
and of tensor names, each operator with outputs; the same is asked here, with a name for each way to fail. measured: 16
good and bad files got the same verdict as MNN 3.6.1's own loader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from prepcheck.errors import CorruptError, TooLargeError, TruncatedError
from prepcheck.readers.kinds import refusal
from prepcheck.readers.mnn_schema import Net, Op, op_name
from prepcheck.readers.sniff import sniff
from prepcheck.wire.flatbuffer import Flatbuffer, Table, Tables
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window

MAX_FILE: Final = (1 << 31) - 1
"""Flatbuffers are limited to 2 GiB - 1, and MNN casts sizes to int. Source: flatbuffers "Internals", MNN FileLoader."""
MAX_NET_SLOTS: Final = 24
"""The schema of 3.6.1 has 12 slots; a root table with many more is not a Net."""
_MAX_NAME: Final = 4096
"""A business code or identity longer than that is taken for damage, not for a cut."""
MAX_OPS: Final = 40_000
MAX_TENSORS: Final = 100_000
"""Far above any model seen (154 operators; exported language models have some thousands); bounds time and memory."""


@dataclass(frozen=True, slots=True)
class MnnOp:
    """One operator: its place in the list, and its table. Fields are read when they are asked for."""

    index: int
    table: Table

    @property
    def type(self) -> int:
        """Number of the operator's type."""
        return self.table.integer(Op.TYPE, "i")

    @property
    def type_name(self) -> str:
        """Name of the operator's type."""
        return op_name(self.type)

    @property
    def name(self) -> str:
        """The operator's own name; "" where it has none."""
        return self.table.string(Op.NAME) or ""

    @property
    def inputs(self) -> tuple[int, ...]:
        """Numbers of the tensors it reads."""
        return self.table.integers(Op.INPUTS, limit=MAX_TENSORS) or ()

    @property
    def outputs(self) -> tuple[int, ...]:
        """Numbers of the tensors it writes."""
        return self.table.integers(Op.OUTPUTS, limit=MAX_TENSORS) or ()

    @property
    def main_type(self) -> int:
        """Number of the parameter table's kind in the union OpParameter; 0 = none."""
        return self.table.integer(Op.MAIN_TYPE, "B")

    def main(self, kind: int) -> Table | None:
        """The parameter table where it is of the kind `kind`, else None."""
        return self.table.table(Op.MAIN) if self.main_type == kind else None


@dataclass(frozen=True, slots=True)
class MnnNet:
    """An opened model. `names[i]` is the name of tensor i."""

    source: Source
    root: Table
    names: tuple[str, ...]
    oplists: Tables

    def ops(self) -> Iterator[MnnOp]:
        """The operators in file order. Raises CorruptError for one without outputs, as MNN refuses it."""
        for index, table in enumerate(self.oplists):
            if not table.has(Op.OUTPUTS):
                raise table.fault(f"operator {index} of {len(self.oplists)} has no outputs; MNN calls it empty.")
            yield MnnOp(index, table)

    def tensor_name(self, index: int) -> str:
        """Name of a tensor. Raises CorruptError where there is no such tensor."""
        if not 0 <= index < len(self.names):
            raise self.root.fault(f"tensor {index} is referred to; the model names {len(self.names)} tensors.")
        return self.names[index]


def open_net(source: Source) -> MnnNet:
    """The model in `source`.

    Raises WrongKindError (or the narrower error, EmptyFileError, GitLfsPointerError, …) where it is no MNN model,
    TruncatedError and CorruptError where it is a cut or damaged one, TooLargeError above 2 GiB - 1.
    """
    kind = sniff(source)
    if kind not in ("mnn", "unknown"):
        raise refusal(source, kind, "mnn")
    root = _root(source)
    if source.size > MAX_FILE:
        raise TooLargeError(
            f"{source.name} has {source.size} bytes; MNN loads at most {MAX_FILE}. Convert again with --saveExternalData, "
            f"which moves the weights into a .weight file."
        )
    _complete(source, root)
    oplists = root.tables(Net.OPLISTS, MAX_OPS)
    names = root.strings(Net.TENSOR_NAME, MAX_TENSORS) or ()
    if not oplists or not names:
        raise root.fault(f"{len(oplists)} operators and {len(names)} tensor names; a model has at least one of each.")
    return MnnNet(source, root, names, oplists)


def _root(source: Source) -> Table:
    """The root table, where it can be that of a model."""
    buffer = Flatbuffer(Window(source))
    at = buffer.window.integer("I", 0) if source.size >= 8 else 0
    root = _net_at(buffer, at)
    if root is not None:
        return root
    for other in range(8, 72, 4):  # a root table of at most 24 slots stands right behind its field list
        if other != at and _net_at(buffer, other) is not None:
            raise CorruptError(
                f"{source.name}: the first four bytes refer to byte {at} (0x{at:x}), where no root table is; one lies at "
                f"byte {other}. The beginning of an MNN model is damaged: copy or convert it again."
            )
    raise refusal(source, "unknown", "mnn")


def _net_at(buffer: Flatbuffer, at: int) -> Table | None:
    """The table at a place where it can be a model's root: inside, aligned, of few slots, referring to both lists."""
    if at < 8 or at % 4 or at + 4 > buffer.window.length:
        return None
    try:
        table = buffer.table_at(at, 0)
    except CorruptError:
        return None
    return table if table.has(Net.OPLISTS) and table.has(Net.TENSOR_NAME) and table.slots() <= MAX_NET_SLOTS else None


def _complete(source: Source, root: Table) -> None:
    """Raise TruncatedError where a part that the root table names lies behind the end of the file."""
    for slot in Net.REFERENCES:
        place = root.place(slot)
        if place is None:
            continue
        end = place + 4
        if slot in Net.STRINGS and end <= source.size:
            length = root.buffer.window.integer("I", place)
            end += length if length <= _MAX_NAME else 0
        if end > source.size:
            raise TruncatedError(
                f"{source.name} ends at byte {source.size}; the model reaches at least byte {end}. The file is cut (an "
                f"interrupted copy or download): fetch it again and compare sizes."
            )
