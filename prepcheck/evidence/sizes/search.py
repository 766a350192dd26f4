"""The search: every allowed combination of faults is asked whether it makes the two counts equal; Bayes does the rest.

A pair of counts is `batch × elements × bytes of an element` on each side. The loops run over the element widths and
the batches of the prior and divide them out; what is left must be explained by one fault of the tensor or none. So
the work is bounded by the tables and by divisors up to a few thousand, for numbers of any size.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from prepcheck.evidence.sizes import loose
from prepcheck.evidence.sizes import picture_faults as pictures
from prepcheck.evidence.sizes import tensor_faults as faults
from prepcheck.evidence.sizes.batches import RARE, Items, listed_batches, reduced, right_batches, wrong_batches
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.hits import Hit
from prepcheck.evidence.sizes.result import Value
from prepcheck.evidence.sizes.shapes import Tensors
from prepcheck.evidence.sizes.stated import tensors
from prepcheck.evidence.sizes.table import table
from prepcheck.evidence.sizes.weights import Widths, WidthWeights, allowed
from prepcheck.records import dataclass

Label = tuple[Value, ...]

READING_KINDS = {"pitch": "row_stride", "map_size": "other_size", "yuv_tensor": "yuv", "yuv_planes": "yuv"}
"""Faults of the prior that the two numbers cannot tell apart → the kind of reading shown."""


@cache
def reading_kind(fault: str) -> str:
    """The kind of a reading: names joined by `+` where there are two faults."""
    return "+".join(READING_KINDS.get(name, name) for name in fault.split("+"))


@dataclass(frozen=False, slots=True)
class Found:
    """One reading while it is being summed up: the weight of all hypotheses with its label, and the likeliest of them.

    items: given and wanted. widths: of the model's element, given, wanted.
    """

    label: Label
    hit: Hit
    items: Items
    widths: Widths
    weight: float = 0.0
    best: float = 0.0

    @property
    def kind(self) -> str:
        """The kind of reading."""
        return str(self.label[0])


class Search:
    """One question. `readings` maps labels to what was found; `none` is the weight of "none of these"."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.readings: dict[Label, Found] = {}
        self.none = 0.0
        self.tensor = 0.0  # P(the wanted count | nothing but the tensor is known)
        self._widths = WidthWeights(facts)
        self._sides = self._widths.pairs()
        for group in tensors(facts):
            for items, prob in right_batches(group):
                self._right_batch(group, items, prob)
                self._without_equation(group, items, prob)
            self._wrong_batch(group)
        self._buffers()
        self._other_inputs()

    @property
    def fits(self) -> bool:
        """Whether a reading obeys an equation (an encoded file obeys none)."""
        return any(label[0] != "encoded" for label in self.readings)

    def _add(self, prefix: str, key: Label, prob: float, hit: Hit, items: Items, given: int, wanted: int) -> None:
        """Count one hypothesis in. prefix: a first fault before the hit's own, with its part of the label in `key`."""
        fault = f"{prefix}+{hit.fault}" if prefix else hit.fault
        weight, model = self._widths.sides(fault, hit.layout, given, wanted)
        self._count(fault, (*key, *hit.key), weight * prob * hit.prob, hit, items, (model, given, wanted))

    def _count(self, fault: str, key: Label, weight: float, hit: Hit, items: Items, widths: Widths) -> None:
        if weight <= 0.0:
            return
        label = (reading_kind(fault), *key)
        found = self.readings.get(label)
        if found is None:
            found = self.readings[label] = Found(label, hit, items, widths)
        found.weight += weight
        if weight > found.best:
            found.best, found.hit, found.items, found.widths = weight, hit, items, widths

    # -- batch right -------------------------------------------------------------------------------------------

    def _right_batch(self, group: Tensors, items: int, prob: float) -> None:
        alone = items == 1 or group.lead is not None  # beside another batch than 1 the prior has one fault only,
        beside = prob if items == 1 else RARE  # two where the batch is stated
        both = (items, items)
        for (a, b), models in self._sides.items():
            given, given_rest = divmod(self.facts.got, items * a)
            wanted, wanted_rest = divmod(self.facts.want, items * b)
            if not wanted_rest and (a == b or alone):
                self._header(group, items, prob if a == b else beside, wanted, a, b)
            if given_rest or wanted_rest:
                continue
            if a == b and given != wanted:
                for hit in self._tensor_hits(group, given, wanted, a, a == b):
                    self._add("", (), prob, hit, both, a, b)
                for model, hit in self._native_hits(group, given, wanted, models):
                    self._native("", (), prob, hit, both, (model, a, b))
                for hit in self._double_hits(group, given, wanted, a) if alone else ():
                    self._add("", (), beside, hit, both, a, b)
            elif a != b and given == wanted:
                for hit in _same(group, given, "dtype"):
                    self._add("", (a, b), prob, hit, both, a, b)
            elif a != b and alone:
                for hit in self._tensor_hits(group, given, wanted, a, a == b):
                    if allowed("dtype", hit.fault):
                        self._add("dtype", (a, b), beside, hit, both, a, b)
                for model, hit in self._native_hits(group, given, wanted, models):
                    self._native("dtype", (a, b), beside, hit, both, (model, a, b))

    def _native(self, prefix: str, key: Label, prob: float, hit: Hit, items: Items, widths: Widths) -> None:
        """Count in a hypothesis that depends on the element type of the model."""
        fault = f"{prefix}+{hit.fault}" if prefix else hit.fault
        weight = self._widths.of(fault, hit.layout, widths[1] != widths[2]).get(widths, 0.0)
        self._count(fault, (*key, *hit.key), weight * prob * hit.prob, hit, items, widths)

    def _tensor_hits(self, group: Tensors, given: int, wanted: int, width: int, alone: bool) -> Iterator[Hit]:
        yield from faults.channels(given, wanted, group)
        yield from faults.nc4hw4(given, wanted, group)
        yield from faults.axis_short(given, wanted, group)
        yield from faults.other_size(given, wanted, group)
        yield from faults.map_size(given, wanted, group)
        yield from pictures.frame(given, wanted, group, width, alone)
        if width == 1:
            yield from pictures.yuv_tensor(given, wanted, group)

    def _native_hits(self, group: Tensors, given: int, wanted: int, models: list[int]) -> Iterator[tuple[int, Hit]]:
        for model in models:
            for hit in faults.nc1hwc2(given, wanted, group, self.facts, model):
                yield model, hit
            for hit in faults.row_stride(given, wanted, group, self.facts, model):
                yield model, hit

    def _double_hits(self, group: Tensors, given: int, wanted: int, width: int) -> Iterator[Hit]:
        yield from faults.channels_and_size(given, wanted, group)
        yield from pictures.decoder_frame(given, wanted, group, width)

    def _header(self, group: Tensors, items: int, prob: float, wanted: int, a: int, b: int) -> None:
        """Bytes in front of the tensor; with the wrong element type too."""
        size = self.facts.got - items * wanted * a
        share = loose.header_prob(size)
        for hit in _same(group, wanted, "header", (size if loose.known_header(size) else "other",)) if share else ():
            named = Hit(hit.fault, hit.key, share * hit.prob, values={"header": size}, seen=hit.seen)
            self._add("dtype" if a != b else "", (a, b) if a != b else (), prob, named, (items, items), a, b)

    # -- batch wrong -------------------------------------------------------------------------------------------

    def _wrong_batch(self, group: Tensors) -> None:
        for (a, b), models in self._sides.items():
            if self.facts.got % a or self.facts.want % b:
                continue
            given, wanted = self.facts.got // a, self.facts.want // b
            for items, prob in wrong_batches(group, given, wanted, alone=a == b):
                for hit in _same(group, given // items[0], "batch"):
                    self._add(
                        "dtype" if a != b else "",
                        (*((a, b) if a != b else ()), *reduced(items)),
                        prob,
                        hit,
                        items,
                        a,
                        b,
                    )
            for items, prob in listed_batches(group) if a == b else ():
                ends = given // items[0], wanted // items[1]
                if not given % items[0] and not wanted % items[1] and ends[0] != ends[1]:
                    self._beside_batch(group, ends, a, models, items, prob)

    def _beside_batch(
        self, group: Tensors, ends: tuple[int, int], width: int, models: list[int], items: Items, prob: float
    ) -> None:
        for hit in self._tensor_hits_beside_batch(group, *ends, width):
            self._add("batch", reduced(items), prob, hit, items, width, width)
        for model in models:
            for hit in faults.row_stride(*ends, group, self.facts, model):
                self._native("batch", reduced(items), prob, hit, items, (model, width, width))

    def _tensor_hits_beside_batch(self, group: Tensors, given: int, wanted: int, width: int) -> Iterator[Hit]:
        yield from faults.channels(given, wanted, group)
        yield from faults.nc4hw4(given, wanted, group)
        yield from faults.other_size(given, wanted, group)
        yield from pictures.frame(given, wanted, group, width, alone=False)

    # -- the rest ----------------------------------------------------------------------------------------------

    def _without_equation(self, group: Tensors, items: int, prob: float) -> None:
        """An encoded file, struct sizes, and nothing that is known."""
        got, want, prior = self.facts.got, self.facts.want, table()
        coded, free = loose.encoded_prob(got), loose.any_prob(got)
        tensor, loosely = (prior.number("none", form) / 100 for form in ("tensor", "free"))
        for a, b in self._sides:
            if a == b and not want % (items * b):
                for hit in _same(group, want // (items * b), "encoded"):
                    self._add("", (), prob * coded, hit, (items, items), a, b)
                    wanted = prob * hit.prob * self._widths.sides("none", hit.layout, a, b)[0]
                    self.tensor += wanted / prior.none
                    self.none += wanted * free * tensor
        pair = loose.struct_pairs().get((got, want), 0.0)
        for seen in group.whole():
            self.none += (
                prob * seen.prob * free * loosely * loose.any_prob(want) * self._widths.total("none", seen.layout)
            )
            hit = Hit("struct", (), pair * seen.prob, seen=seen)
            self._count(
                "struct", (), prob * hit.prob * self._widths.total("struct", seen.layout), hit, (1, 1), (1, 1, 1)
            )

    def _buffers(self) -> None:
        """Faults of picture buffers: bytes, no batch."""
        got, want = self.facts.got, self.facts.want
        for hit in (*pictures.yuv_planes(got, want, self.facts), *pictures.buffer_padding(got, want, self.facts)):
            self._count(hit.fault, hit.key, hit.prob * self._widths.pixels(hit.fault), hit, (1, 1), (1, 1, 1))

    def _other_inputs(self) -> None:
        """The bytes of another input of the same model."""
        share = table().number("other_input", "share")
        for name, size in self.facts.rivals:
            if size == self.facts.got:
                hit = Hit("other_input", (name,), share / len(self.facts.rivals), values={"name": name})
                self._count("other_input", hit.key, hit.prob * self.tensor, hit, (1, 1), (1, 1, 1))


def _same(group: Tensors, count: int, fault: str, key: Label = ()) -> Iterator[Hit]:
    """The tensors that hold `count` elements, the same on both sides."""
    for seen in group.all(count):
        yield Hit(fault, key, seen.prob, seen=seen)
