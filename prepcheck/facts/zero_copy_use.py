"""What a plan uses of the runtime, as yes or no: the conditions under which old runtimes had faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prepcheck.contract.calls import Call, RknnInputsSet, RknnRun, RknnSetIoMem
from prepcheck.contract.contract import Contract
from prepcheck.core.layouts import dims_of
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """bound: memory is bound. same_memory: one memory as input and output. batch: a compiled batch above 1.

    four_half: memory bound for a float16 input of 4 channels. padded_repeat: several runs, rknn_inputs_set, padded rows.
    """

    bound: bool
    same_memory: bool
    batch: bool
    four_half: bool
    padded_repeat: bool

    @property
    def any(self) -> bool:
        """Whether the plan does anything that some version did wrong on some chip."""
        return self.bound or self.same_memory or self.batch or self.four_half or self.padded_repeat


CHIPS_WITH_FAULTS: Final = frozenset({"rk3562", "rk3566", "rk3568", "rk3588"})
"""Chips that the entries are about. Source: changelog of rknn-toolkit2 2.3.2."""


def use_of(calls: Sequence[Call], contract: Contract | None) -> Use:
    """Look through the calls and the contract."""
    bound_in = {c.buffer for c in calls if isinstance(c, RknnSetIoMem) and not (c.for_ or "").startswith("outputs")}
    bound_out = {c.buffer for c in calls if isinstance(c, RknnSetIoMem) and (c.for_ or "").startswith("outputs")}
    inputs = contract.inputs if contract else []
    four = any(
        (dims := dims_of(t.layout or "", t.shape or [])) is not None and dims.c == 4 and t.dtype == "float16"
        for t in inputs
    )
    padded = any(
        t.w_stride and (dims := dims_of(t.layout or "", t.shape or [])) is not None and dims.w != t.w_stride
        for t in inputs
    )
    runs = sum(isinstance(c, RknnRun) for c in calls)
    return Use(
        bound=bool(bound_in),
        same_memory=bool((bound_in & bound_out) - {None}),
        batch=bool(contract and contract.batch and contract.batch > 1),
        four_half=bool(bound_in) and four,
        padded_repeat=runs > 1 and padded and any(isinstance(c, RknnInputsSet) for c in calls),
    )
