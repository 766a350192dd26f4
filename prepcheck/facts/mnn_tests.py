"""Runs of MNN's own comparison tools that a log shows: backendTest.out, and the check of the converter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from prepcheck.core.gpu_mode import BUFFER
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.log import LogBook, LogEvent, log_book
from prepcheck.facts.mnn_log import NamedOp, named_op
from prepcheck.facts.world import World
from prepcheck.records import dataclass

BACKENDS = {
    0: "CPU", 1: "Metal", 2: "CUDA", 3: "OpenCL", 4: "auto", 5: "NN", 6: "OpenGL", 7: "Vulkan", 13: "CPU with extensions",
}  # fmt: skip
"""MNNForwardType by number. Source: MNN MNNForwardType.h."""
PRECISIONS = {0: "Normal", 1: "High", 2: "Low", 3: "Low_BF16"}
"""BackendConfig::PrecisionMode by number. Source: MNN MNNForwardType.h."""


@dataclass(frozen=True, slots=True)
class BackendTest:
    """One run of backendTest.out. type, tolerance, precision, mode: as printed, else as typed; None where not known.

    program, model: of the command line. where: its first line. errors: (operator, output) that differ, first one first.
    differ: (place, value of the backend, value of the CPU) printed just before an error. right: operators that agree.
    """

    where: str
    program: str = "./backendTest.out"
    model: str | None = None
    type: int | None = None
    tolerance: float | None = None
    precision: int | None = None
    mode: int | None = None
    errors: tuple[LogEvent, ...] = ()
    differ: tuple[LogEvent, ...] = ()
    right: tuple[LogEvent, ...] = ()
    images: tuple[LogEvent, ...] = ()
    cl: tuple[LogEvent, ...] = ()

    @property
    def backend(self) -> str:
        """Name of the tested backend."""
        if self.type is None:
            return "the backend"
        return BACKENDS.get(self.type, f"type {self.type}")

    @property
    def precision_name(self) -> str:
        """Name of the precision; Normal where nothing was typed or printed."""
        return PRECISIONS.get(self.precision or 0, str(self.precision))

    @property
    def failed(self) -> bool:
        """Whether an operator differs."""
        return bool(self.errors)

    @property
    def first_op(self) -> str | None:
        """The first operator that differs, as printed."""
        return self.errors[0].word("op") if self.errors else None

    @property
    def first_pair(self) -> tuple[int, float, float] | None:
        """(place, value of the backend, value of the CPU) of the first difference."""
        for event in self.differ:
            at, got, want = event.fields.get("at"), event.fields.get("got"), event.fields.get("want")
            if isinstance(at, int) and isinstance(got, (int, float)) and isinstance(want, (int, float)):
                return at, float(got), float(want)
        return None

    @property
    def half_range(self) -> bool:
        """Whether the first difference is a value at the end of half precision where a larger one belongs."""
        pair = self.first_pair
        return pair is not None and 60000 <= abs(pair[1]) <= 65536 and abs(pair[2]) > 65504

    @property
    def buffer_mode(self) -> int:
        """The mode with its tuning kept and buffer memory chosen: 1 → 65."""
        return BUFFER + ((self.mode or 1) & 31 or 1)

    def arguments(self, *, type: int | None = None, precision: int | None = None, mode: int | None = None) -> str:
        """What follows the model on the command line, with some of it set anew: `3 0.05 1 65`."""
        number = self.type if type is None else type
        tolerance = 0.05 if self.tolerance is None else self.tolerance
        parts = [
            "TYPE" if number is None else str(number),
            f"{tolerance:g}",
            f"{(self.precision or 0) if precision is None else precision}",
        ]
        return " ".join([*parts, *([] if mode is None else [str(mode)])])

    def command(self, *, type: int | None = None, precision: int | None = None, mode: int | None = None) -> str:
        """The same command with some arguments set anew."""
        model = (
            f'"{self.model}"' if self.model and (" " in self.model or "\\" in self.model) else self.model or "MODEL.mnn"
        )
        return f"{self.program} {model} {self.arguments(type=type, precision=precision, mode=mode)}"


@dataclass(frozen=False, slots=True)
class _Open:
    where: str
    command: LogEvent | None = None
    said: dict[str, LogEvent] = field(default_factory=dict)
    errors: list[LogEvent] = field(default_factory=list)
    differ: list[LogEvent] = field(default_factory=list)
    right: list[LogEvent] = field(default_factory=list)
    images: list[LogEvent] = field(default_factory=list)
    cl: list[LogEvent] = field(default_factory=list)

    def close(self) -> BackendTest:
        typed = self.command
        model = (typed.word("model") or typed.word("model2")) if typed is not None else None
        if model is None and "bt_model" in self.said:
            model = self.said["bt_model"].word("model")
        program = ".\\backendTest.out.exe" if typed is not None and ".exe" in typed.text else "./backendTest.out"

        def number(kind: str, key: str) -> int | None:
            event = self.said.get(kind)
            found = event.number(key) if event is not None else None
            return found if found is not None else typed.number(key) if typed is not None else None

        tolerance = None
        for event in (self.said.get("bt_tolerance"), typed):
            value = event.fields.get("tol") if event is not None else None
            if isinstance(value, (int, float)):
                tolerance = float(value)
                break
        return BackendTest(
            self.where, program, model, number("bt_type", "type"), tolerance, number("bt_precision", "prec"),
            number("bt_mode", "mode"), tuple(self.errors), tuple(self.differ), tuple(self.right), tuple(self.images), tuple(self.cl),
        )  # fmt: skip


def backend_tests(book: LogBook) -> list[BackendTest]:
    """The runs that the texts show, in order. Lines of one run without its head make a run of their own."""
    found: list[BackendTest] = []
    at: _Open | None = None

    def close() -> None:
        nonlocal at
        if at is not None and ("bt_type" in at.said or at.errors or at.right):
            found.append(at.close())
        at = None

    file = -1
    for event in book.events:
        if event.file != file:
            close()
            file = event.file
        if event.kind == "bt_command" or (event.kind == "bt_type" and (at is None or "bt_type" in at.said)):
            close()
            at = _Open(event.where, event if event.kind == "bt_command" else None)
        if at is None and event.kind in ("bt_error", "bt_differ", "bt_correct", "mnn_image_alloc"):
            at = _Open(event.where)
        if at is None:
            continue
        if event.kind in ("bt_type", "bt_tolerance", "bt_model", "bt_precision", "bt_mode", "bt_input"):
            at.said.setdefault(event.kind, event)
        for kind, into in (
            ("bt_error", at.errors), ("bt_differ", at.differ), ("bt_correct", at.right), ("mnn_image_alloc", at.images), ("cl_error", at.cl),
        ):  # fmt: skip
            if event.kind == kind:
                into.append(event)
    close()
    return found


class BackendTestThing(Thing):
    """The runs of backendTest.out of one backend."""

    kind = "backend_test"

    def __init__(self, world: World, tests: list[BackendTest]) -> None:
        super().__init__(world, tests[0].where, f"log:backendtest:{tests[0].type}")
        self.tests = tests

    @property
    def failed(self) -> list[BackendTest]:
        """The runs with a difference that no failed allocation explains."""
        found = [t for t in self.tests if t.failed and not t.images and not t.cl]
        if not found:
            raise NotApplicable
        return found

    @property
    def agreed(self) -> list[BackendTest]:
        """The runs without a difference; NotApplicable where one of this backend failed."""
        if any(t.failed for t in self.tests) or not any(t.right for t in self.tests):
            raise NotApplicable
        return self.tests

    @property
    def ops(self) -> list[NamedOp]:
        """The operators that the differences name, where the model was given."""
        names = [t.first_op for t in self.tests if t.first_op]
        return [op for op in (named_op(self.world, name) for name in names) if op is not None]


@lists("backend_test")
def _tests(world: World) -> Iterator[Thing]:
    book = log_book(world)
    if book is None:
        return
    by_type: dict[int | None, list[BackendTest]] = {}
    for test in backend_tests(book):
        by_type.setdefault(test.type, []).append(test)
    for tests in by_type.values():
        yield BackendTestThing(world, tests)
