"""The guard over MNN's sessions: what is refused before a copy and before a run, and what a run leaves behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds_mnn
from prepcheck.guarding.finding import make
from prepcheck.guarding.mnn_copy import arrived, check_copy, copied_back, pointer_write, poison, read_input, unwritten
from prepcheck.guarding.mnn_image import check_convert, check_process, source_frame
from prepcheck.guarding.mnn_state import array_of, is_tensor, like_tensor
from prepcheck.guarding.mnn_tensor import check_tensor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from prepcheck.guarding.finding import GuardFinding, Kind, Value
    from prepcheck.guarding.foreign import MnnTensor
    from prepcheck.guarding.guard import Guard
    from prepcheck.guarding.mnn_state import Call, ProcessState, SessionState, Slot

CODES = {
    1: "out of memory", 2: "not supported", 3: "sizes could not be computed, or the session was not resized", 4: "nothing to execute",
    5: "invalid value", 10: "input data", 11: "stopped by a callback", 20: "tensor not supported", 21: "tensor needs division",
}  # fmt: skip
"""MNN::ErrorCode (source: MNN include ErrorCode.hpp; 0, 3 and 10 seen)."""


class GuardWatch:
    """Implements MnnWatch for one guard."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def _stop(self, kind: Kind, where: str, **values: Value) -> None:
        self.guard.policy.deliver([make(kind, where, values)])

    def _where(self, slot: Slot) -> str:
        return self.guard.inputs[slot.position].where if slot.position >= 0 else f"inputs ({slot.name})"

    # -- sessions and tensors -------------------------------------------------------------------------------------

    def created(self, session: SessionState) -> None:
        """Nothing is wrong with a new session."""

    def handed(self, slot: Slot) -> None:
        """An input was fetched for the first time: find it in the contract, fill undefined memory with a mark."""
        tensors = self.guard.contract.inputs
        named = [i for i, t in enumerate(tensors) if t.name == slot.name]
        slot.position = named[0] if named else 0 if len(tensors) == 1 else -1
        if slot.status == "never":
            poison(slot)

    def unnamed(self, session: SessionState, name: str) -> None:
        """An input was asked for without a name, and the model has several."""
        names = sorted(t.name for t in self.guard.contract.inputs)
        self._stop(kinds_mnn.UNNAMED_INPUT, "inputs", count=len(names), name=name, order=", ".join(names))

    def copy(self, slot: Slot, host: object, api: str, call: Call) -> object:
        """copyFrom on a session input: refused where it would copy nothing or past the end; read back afterwards."""
        finding = check_copy(slot, host, self._where(slot))
        if finding is not None:
            self.guard.policy.deliver([finding])
        result = call()
        if result is False:
            self._stop(kinds_mnn.COPY_REFUSED, self._where(slot), name=slot.name)
            return result
        slot.wrote(api)
        if is_tensor(host):
            finding = arrived(slot, host, self._layout(slot), result, self._where(slot), self.guard.every)
            if finding is not None:
                self.guard.policy.deliver([finding])
        return result

    def expose(self, slot: Slot, api: str, call: Call) -> object:
        """The program gets the input's memory, to read or to write: the run will tell which."""
        slot.exposed = True
        return call()

    def from_numpy(self, slot: Slot, array: object, call: Call) -> object:
        """fromNumpy on a session input does nothing."""
        self._stop(kinds_mnn.FROM_NUMPY, self._where(slot), name=slot.name)
        return call()

    def resize_tensor(self, slot: Slot | None, shape: object, call: Call) -> object:
        """Only a matching resizeSession makes it count."""
        result = call()
        if slot is not None:
            slot.session.pending = str(shape)
        return result

    def resize_session(self, session: SessionState, call: Call) -> object:
        """What was written before is lost."""
        result = call()
        asked, session.pending = session.pending, None
        for slot in list(session.slots.values()):
            if slot.status != "unknown":
                slot.status = "resized" if slot.status in ("written", "resized") else "never"
                poison(slot)
            stated = self.guard.contract.inputs[slot.position].shape if slot.position >= 0 else ()
            if asked is not None and self.guard.contract.static and slot.shape() != stated:
                values: dict[str, Value] = {"name": slot.name, "want": asked, "got": str(stated)}
                self.guard.policy.deliver([make(kinds_mnn.RESIZE_IGNORED, self._where(slot), values)])
        return result

    # -- runs -----------------------------------------------------------------------------------------------------

    def run(self, session: SessionState, api: str, call: Call) -> object:
        """runSession: refused where an input does not hold this run's data; then the answer is looked at."""
        statistics = self.guard.begin()
        found = self._before(session)
        if found:
            self.guard.policy.deliver(found)
        slots = list(session.slots.values())
        kept = [read_input(s, self._layout(s)) for s in slots] if statistics and not self.guard.stateful else []
        try:
            code = call()
        except BaseException:
            self.guard.failed()
            self._after(slots)
            raise
        self._after(slots)
        session.runs += 1
        if isinstance(code, int) and not isinstance(code, bool) and code != 0:
            self._stop(kinds_mnn.RUN_CODE, f"calls ({api})", code=code, meaning=CODES.get(code, "unknown code"))
        else:
            self._answer(session, kept)
        return code

    def _before(self, session: SessionState) -> list[GuardFinding]:
        if session.pending is not None:
            values: dict[str, Value] = {"shape": session.pending, "action": "runSession"}
            return [make(kinds_mnn.NOT_RESIZED, "calls (runSession)", values)]
        found = []
        for position, tensor in enumerate(self.guard.contract.inputs):
            alone = len(self.guard.contract.inputs) == 1 and len(session.slots) == 1
            slot = next(iter(session.slots.values())) if alone else session.slots.get(tensor.name)
            finding = self._never(session, position) if slot is None else self._state(slot)
            if finding is None and slot is not None:
                finding = self._content(slot)
            if finding is not None:
                found.append(finding)
        return found

    def _never(self, session: SessionState, position: int) -> GuardFinding | None:
        if not session.known:
            return None
        where, name = self.guard.inputs[position].where, self.guard.contract.inputs[position].name
        note = "It was not even fetched through the guarded interpreter."
        return make(kinds_mnn.NEVER_WRITTEN, where, {"name": name, "note": note})

    def _state(self, slot: Slot) -> GuardFinding | None:
        """Whether the input holds this run's data. Writes that nobody saw (through a pointer, by an ImageProcess that is
        not guarded) show in the memory itself."""
        where = self._where(slot)
        now = None if slot.status == "written" and not slot.exposed else self._sample(slot)
        if slot.status in ("never", "resized") and slot.poison is not None:
            left, total = unwritten(slot, now or b"", self._layout(slot))
            if left == total:
                kind = kinds_mnn.NEVER_WRITTEN if slot.status == "never" else kinds_mnn.BEFORE_RESIZE
                return make(kind, where, {"name": slot.name, "note": ""})
            if 16 * left >= total:
                return make(kinds_mnn.PARTIAL, where, {"name": slot.name, "left": left, "samples": total})
            return self._unseen(slot, where)
        if slot.status == "consumed":
            if now is None:
                return make(kinds_mnn.CONSUMED, where, {"name": slot.name}) if slot.seen else None
            # memory that the run left alone and that is rewritten unseen with the same picture looks the same
            if now == slot.after and ((slot.seen and not slot.exposed) or slot.after != slot.before):
                return make(kinds_mnn.CONSUMED, where, {"name": slot.name})
            if now != slot.after:
                return self._unseen(slot, where)
            return None
        if slot.status == "written" and slot.exposed:
            return pointer_write(slot, self._layout(slot), where)
        return None

    def _unseen(self, slot: Slot, where: str) -> GuardFinding | None:
        """A write that went through no watched call."""
        slot.status, slot.seen = "written", False
        return pointer_write(slot, self._layout(slot), where) if slot.exposed else None

    def _content(self, slot: Slot) -> GuardFinding | None:
        """What the memory holds, where it can be read; its sample is kept: a run may leave memory alone, and the same values
        written again through a pointer look like no write."""
        if slot.position < 0 or self._layout(slot) not in ("NCHW", "NHWC"):
            slot.before = self._sample(slot)
            return None
        view = slot.view()
        if view is None:
            slot.before = None
            return None
        finding = self.guard.look(slot.position, view, None)
        slot.before = self.guard.last_sample(slot.position)
        return finding

    def _after(self, slots: list[Slot]) -> None:
        for slot in slots:
            if slot.status in ("written", "unknown", "consumed"):
                slot.status = "consumed" if slot.status != "unknown" else "unknown"
            slot.after = self._sample(slot)

    def _sample(self, slot: Slot) -> bytes | None:
        view = slot.view()
        if view is None:
            return None
        check = self.guard.inputs[max(slot.position, 0)]
        return check.sampler.take(view).tobytes()

    def _layout(self, slot: Slot) -> str:
        return self.guard.contract.inputs[slot.position].layout if slot.position >= 0 else "UNDEFINED"

    def _answer(self, session: SessionState, kept: list[NDArray[np.generic] | None]) -> None:
        # packed outputs are copied back where they are compared in full: their padding lanes are undefined
        views = [_plain(t) if kept else array_of(t) for t in session.outputs().values()]
        outputs = [v for v in views if v is not None]
        if not outputs or len(outputs) != len(views):
            return
        inputs = [k for k in kept if k is not None]
        largest = next((s for s in session.slots.values() if s.position == self.guard.largest), None)
        view = None if largest is None else largest.view()
        full = inputs if len(inputs) == len(self.guard.inputs) else None
        found = self.guard.compare(full, outputs, None if view is None else view.dtype)
        if found:
            self.guard.policy.deliver(found)

    def output(self, session: SessionState, name: str, native: MnnTensor) -> None:
        """Nothing is wrong with fetching an output."""

    def read(self, tensor: MnnTensor, host: object, call: Call) -> object:
        """copyToHostTensor: MNN's own."""
        return call()

    # -- images and own tensors -----------------------------------------------------------------------------------

    def process_made(self, process: ProcessState) -> None:
        """A CVImageProcess with its configuration."""
        found = check_process(process)
        if found:
            self.guard.policy.deliver(found)

    def convert(self, process: ProcessState, args: tuple[object, ...], slot: Slot | None, call: Call) -> object:
        """convert returns 0 whatever it is told, so its arguments are checked first."""
        found = check_convert(process, args)
        if found:
            self.guard.policy.deliver(found)
        code = call()
        if code == 0 and slot is not None:
            slot.wrote("convert")
            frame = source_frame(args)
            if frame is not None and slot.position >= 0:
                self.guard.frame(frame)
        return code

    def tensor_made(self, args: tuple[object, ...]) -> None:
        """The arguments of MNN.Tensor(...)."""
        finding = check_tensor(args)
        if finding is not None:
            self.guard.policy.deliver([finding])

    def own_copy(self, tensor: MnnTensor, host: object, api: str, call: Call) -> object:
        """copyFrom between a program's own tensors, or of a session's tensor into one: nothing to check but the type."""
        if not like_tensor(host):
            self._stop(kinds_mnn.COPY_NOT_TENSOR, f"calls ({api})", got=type(host).__name__)
        result = call()
        if result is False:
            self._stop(kinds_mnn.OWN_DESTINATION, f"calls ({api})", api=api)
        return result


def _plain(tensor: MnnTensor) -> NDArray[np.generic] | None:
    return None if array_of(tensor) is None else copied_back(tensor)
