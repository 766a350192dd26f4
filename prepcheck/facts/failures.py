"""Calls of a record that failed, and what each was about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prepcheck.contract.calls import (
    Call,
    Inference,
    MemSync,
    RknnCreateMem,
    RknnDestroyMem,
    RknnInit,
    RknnInputsSet,
    RknnOutputsGet,
    RknnRun,
    RknnSetIoMem,
)
from prepcheck.records import dataclass

CODES: Final = {
    -1: "failed", -2: "timeout", -3: "device unavailable", -4: "out of memory", -5: "wrong parameter", -6: "wrong model",
    -7: "wrong context", -8: "wrong input", -9: "wrong output", -10: "device or version mismatch",
    -11: "pre-compiled model mismatch", -12: "optimisation level mismatch", -13: "platform mismatch",
    -14: "the mini driver takes only a pre-compiled model",
}  # fmt: skip
"""Return codes of the RKNN C interface. Source: rknn_api.h 1.7.5 and 2.3.2."""

_JUDGED = (
    RknnInit, RknnInputsSet, RknnCreateMem, RknnSetIoMem, MemSync, RknnDestroyMem, RknnRun, RknnOutputsGet, Inference,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call: its place, name and code; the next run (None: none came); the subject for merging."""

    call: int
    api: str
    code: int
    run: int | None
    about: str


def failures_of(calls: Sequence[Call]) -> list[Failure]:
    """The failed calls, one for each name and subject (repeated frames fail alike)."""
    found: dict[tuple[str, str], Failure] = {}
    for at, call in enumerate(calls):
        if not isinstance(call, _JUDGED) or call.ret is None or call.ret >= 0:
            continue
        run = next((i for i in range(at + 1, len(calls)) if isinstance(calls[i], RknnRun)), None)
        about = _about(call, calls, at)
        found.setdefault((call.api, about), Failure(at, call.api, call.ret, run, about))
    return list(found.values())


def _about(call: Call, calls: Sequence[Call], at: int) -> str:
    if isinstance(call, RknnInputsSet):
        first = call.inputs[0].index if call.inputs else None
        return f"inputs[{first or 0}]"
    if isinstance(call, RknnSetIoMem):
        return call.for_ or f"inputs[{call.index or 0}]"
    if isinstance(call, Inference):
        return "inputs[0]"
    if isinstance(call, RknnCreateMem):
        if call.for_:
            return call.for_
        later = next((c for c in calls[at + 1 :] if isinstance(c, RknnSetIoMem)), None)
        return _about(later, calls, at) if later is not None else f"calls[{at}]"
    return f"calls[{at}]"
