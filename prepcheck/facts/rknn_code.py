"""Code of RKNN programs that a log shows: what one input's struct is told, where it is literal, against the model's input."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.core.dtypes import nbytes
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.log import LogBook, LogEvent, log_book
from prepcheck.facts.world import World, make_world

TYPES = {"FLOAT32": "float32", "FLOAT16": "float16", "INT8": "int8", "UINT8": "uint8", "INT16": "int16", "UINT16": "uint16",
         "INT32": "int32", "UINT32": "uint32", "INT64": "int64", "BOOL": "bool"}  # fmt: skip
"""rknn_tensor_type of rknn_api.h without its prefix → dtype."""
_SIZEOF = {
    "float": 4,
    "int8_t": 1,
    "uint8_t": 1,
    "char": 1,
    "unsigned char": 1,
    "int16_t": 2,
    "uint16_t": 2,
    "int": 4,
    "int32_t": 4,
}
_PRODUCT = re.compile(r"\d{1,9}(?:\*\d{1,9}){0,7}")
_NAME = re.compile(r"(?P<name>\w+)\s*\[\s*(?P<index>\d{1,2})\s*\]\s*\Z")


def literal_size(text: str) -> int | None:
    """`640 * 640 * 3 * sizeof(float)` → the number; None for anything that is not literal."""
    plain = re.sub(r"sizeof\s*\(\s*([\w ]+?)\s*\)", lambda m: str(_SIZEOF.get(m[1], "?")), text)
    plain = re.sub(r"\s", "", plain)
    plain = re.sub(r"\((\d+(?:\*\d+)*)\)", r"\1", plain, count=4)
    if not _PRODUCT.fullmatch(plain):
        return None
    size = 1
    for part in plain.split("*"):
        size *= int(part)
    return size if 0 < size < 1 << 40 else None


class RknnInputCode(Thing):
    """The assignments of one text to one input: an entry of an rknn_input array, or a tensor attribute that is bound."""

    kind = "rknn_code"

    def __init__(self, world: World, book: LogBook, events: list[LogEvent], index: int | None, name: str) -> None:
        super().__init__(world, events[-1].where, f"log:input{index or 0}")
        self.book = book
        self.events = events
        self.index = index
        self.name = name

    def literal(self, field: str) -> str | None:
        """What a field is set to, where every assignment to it in the text states the same."""
        said = {e.word("value") or "" for e in self.events if e.word("field") == field}
        value = said.pop().strip() if len(said) == 1 else None
        return (
            value[1:-1].strip() if value and value[0] == "(" and value[-1] == ")" and value.count("(") == 1 else value
        )

    def assigned(self, field: str) -> bool:
        """Whether anything is assigned to a field."""
        return any(e.word("field") == field for e in self.events)

    @property
    def label(self) -> str:
        """`inputs[0]`, as the code names it."""
        return self.name if self.index is None or "[" in self.name else f"{self.name}[{self.index}]"

    @property
    def entry(self) -> RknnInputCode:
        """The thing itself, for rules that read its fields."""
        return self

    @property
    def is_entry(self) -> bool:
        """Whether it is an entry of rknn_inputs_set; NotApplicable for a tensor attribute."""
        if self.events[0].kind != "code_rknn_input":
            raise NotApplicable
        return True

    @property
    def pass_through_where(self) -> str:
        """Where pass_through is set to 1; NotApplicable where it is not, or not literally."""
        if self.literal("pass_through") not in ("1", "true", "TRUE"):
            raise NotApplicable
        return next(e.where for e in self.events if e.word("field") == "pass_through")

    @property
    def declared(self) -> str:
        """The dtype that `type` states."""
        said = self.literal("type")
        found = TYPES.get((said or "").rsplit("RKNN_TENSOR_")[-1])
        if found is None:
            raise Unstated(
                "declared type", "what {label}.type is set to is not literal", "give the line that sets it, or its value",
                label=self.label,
            )  # fmt: skip
        return found

    @property
    def code_tensor(self) -> Tensor:
        """The model's input that the code fills."""
        contract = self.world.contract or self.book.contract_at(self.events[0])
        inputs = contract.inputs if contract is not None else []
        found = inputs[0] if len(inputs) == 1 and self.index in (None, 0) else None
        if found is None and self.index is not None and self.index < len(inputs):
            found = inputs[self.index]
        if found is None or found.dtype is None or not found.shape:
            raise Unstated(
                "model input", "what type and shape the model's input {index} has is not stated",
                "give the printed tensor attributes (rknn_query) or --model", index=self.index or 0,
            )  # fmt: skip
        return found

    @property
    def elements(self) -> int:
        """Elements of the model's input."""
        count = 1
        for n in self.code_tensor.shape or []:
            count *= max(n, 1)
        return count

    @property
    def stated_stride(self) -> tuple[int, str]:
        """The w_stride that the code writes into the attribute, and where; NotApplicable where it writes none."""
        said = self.literal("w_stride")
        if said is None or not said.isdigit() or len(said) > 6:
            raise NotApplicable
        return int(said), next(e.where for e in self.events if e.word("field") == "w_stride")

    @property
    def type_never_set(self) -> bool:
        """Whether the array is cleared and handed over and no line sets a type; Unstated where it is not seen cleared."""
        _ = self.is_entry
        file, array = self.events[0].file, self.name
        said = [e for e in self.book.all("code_rknn_input") if e.file == file and e.word("array") == array]
        calls = [e for e in self.book.all("code_rknn_call") if e.file == file and e.word("call") == "rknn_inputs_set"]
        handed = [e for e in calls if re.search(rf"\b{re.escape(array)}\b", e.word("arguments") or "")]
        if any(e.word("field") == "type" for e in said) or not self.assigned("buf") or not handed:
            raise NotApplicable
        if not any(e.file == file and e.word("array") == array for e in self.book.all("code_rknn_zeroed")):
            raise Unstated(
                "cleared struct", "no line sets the type of {label}, and none that clears {array} is seen",
                "give the lines from the declaration of {array} to rknn_inputs_set", label=self.label, array=array,
            )  # fmt: skip
        return True

    @property
    def literal_bytes(self) -> int | None:
        """`size`, where it is a number or a product of numbers."""
        return literal_size(self.literal("size") or "")


@lists("rknn_code")
def _inputs(world: World) -> Iterator[Thing]:
    book = log_book(world)
    if book is None:
        return
    found: dict[tuple[int, str, str], list[LogEvent]] = {}
    for event in book.all("code_rknn_input", "code_rknn_attr"):
        name = event.word("array") or event.word("object") or ""
        index = event.number("index")
        if (event.kind == "code_rknn_input" and index is None) or "out" in name.lower():
            continue
        found.setdefault((event.file, name, "" if index is None else str(index)), []).append(event)
    for (_, name, place), events in found.items():
        own = _NAME.search(name)
        number = int(place) if place else int(own["index"]) if own else None
        yield RknnInputCode(world, book, events, number, name)


def code_sizes(book: LogBook, contract: Contract | None) -> Iterator[tuple[RknnInputCode, int, int]]:
    """Entries of rknn_inputs_set whose literal size is less than the declared type takes: (entry, given, wanted) bytes."""
    for thing in _inputs(make_world(contract=contract, plan=None, declared=False, extra={"log": (book,)})):
        if not isinstance(thing, RknnInputCode) or thing.events[0].kind != "code_rknn_input":
            continue
        try:
            got, want = thing.literal_bytes, nbytes(thing.declared, thing.elements)
        except Unstated:
            continue
        if got is not None and got < want:
            yield thing, got, want
