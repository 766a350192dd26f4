"""The model with its pictures: run under every hypothesis, compared with the answers seen, ranked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prepcheck.app.network import Feeder, mnn_feeder, onnx_feeder
from prepcheck.app.serving import Server
from prepcheck.contract.contract import Contract
from prepcheck.core.layouts import dims_of
from prepcheck.core.plain import to_value
from prepcheck.errors import UsageError
from prepcheck.facts.answers import AnswerWeighing, WeighedFault
from prepcheck.facts.world import World
from prepcheck.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.core.answer_text import Answer
    from prepcheck.forensics.answers import Hypothesis, Noise, Seen, Weighed
    from prepcheck.forensics.answers.forward import Renderer
    from prepcheck.forensics.answers.reading import Output, Reading
    from prepcheck.forensics.model import Expected

    Arrays = Mapping[str, NDArray[np.generic]]

FINAL = 8.0
"""Standard deviations at which a hypothesis is given up after one image: twice what excludes it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One image with its answer: what should have become of it."""

    name: str
    answer: Answer
    expected: Expected
    file: bytes
    settled: bool


class Bench:
    """The model with its pictures: what it would answer under every hypothesis."""

    def __init__(
        self, world: World, contract: Contract, position: int, pictures: Sequence[Picture], server: Server, file: str,
        progress: Callable[[int, int], None] | None,
    ) -> None:  # fmt: skip
        self.contract, self.position, self.pictures, self.server = contract, position, pictures, server
        tensor, spec = contract.inputs[position], pictures[0].expected.spec
        dims = dims_of(tensor.layout or "", tensor.shape or [])
        assert dims is not None
        self.onnx = world.runtime != "mnn" or file.lower().endswith(".onnx")
        self.feeder: Feeder | None = (
            onnx_feeder(world, tensor, position, dims, spec, server.inputs, file)
            if self.onnx
            else mnn_feeder(tensor, position, dims, spec)
        )
        self.file = file
        self.quantized = self.onnx and bool(contract.quantized or (tensor.scale and tensor.dtype in ("int8", "uint8")))
        self.reading: Reading | None = None
        self.tried: list[Hypothesis] = []
        self._kept: dict[bytes, Arrays] = {}
        self._progress, self._done, self._total = progress, 0, 1

    @property
    def noise(self) -> Noise:
        """How far the device's answers may lie from the runner's."""
        from prepcheck.forensics.answers import FLOAT, QUANTIZED

        step = next((t.scale or 0.0 for t in self.contract.outputs), 0.0) if self.quantized else 0.0
        return replace(QUANTIZED, step=step) if self.quantized else FLOAT

    def hypotheses(self) -> list[Hypothesis]:
        """All that could have happened, by the picture whose shape is least like the model's."""
        import numpy as np

        from prepcheck.forensics.answers import hypotheses_for
        from prepcheck.forensics.signatures import encoded

        def unlike(p: Picture) -> float:
            (h, w), size = p.expected.image.shape[:2], p.expected.spec.size
            return float(abs(h * size[1] - w * size[0]) / (h * w))

        chosen = max(self.pictures, key=unlike)
        spec = chosen.expected.spec
        single = replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec
        earlier = any(p.expected.previous for p in self.pictures)
        source = chosen.expected.image.shape
        return hypotheses_for(
            single, (source[0], source[1]), previous=earlier, file_format=encoded(np.frombuffer(chosen.file, np.uint8))
        )

    def answers(self, elements: NDArray[np.generic]) -> Arrays:
        """The model's outputs for elements as the device reads them; the same ones are run once."""
        assert self.feeder is not None
        array = self.feeder.array(elements)
        key = hashlib.blake2b(array.tobytes(), digest_size=16).digest()
        if key not in self._kept:
            if len(self._kept) > 512:
                self._kept.clear()
            found = self.server.run({self.feeder.name: array})
            small = sum(v.size for v in found.values()) < 10_000
            if not small:
                return found
            self._kept[key] = found
        return self._kept[key]

    def weighing(self, label: str) -> AnswerWeighing:
        """Run, compare, rank."""
        from prepcheck.forensics.answers import AS_PLANNED, weigh

        hypotheses = self.tried = self.hypotheses()
        self._total = 2 * len(hypotheses) * len(self.pictures)
        alive = [True] * len(hypotheses)
        seen: list[Seen] = []
        runs: list[list[Sequence[NDArray[np.float64]] | None]] = []
        taken: list[str] = []
        for number, picture in enumerate(self.pictures):
            reading, row = self._row(picture, hypotheses, alive, number)
            self.reading = reading
            seen.append(reading.seen)
            runs.append(row)
            taken += [n for n in reading.notes if n not in taken]
            if number + 1 < len(self.pictures):
                found = weigh(hypotheses, [seen[-1]], [row], self.noise)
                far = {id(r.hypothesis) for r in found.ranked if r.distance > FINAL and r.hypothesis.name != AS_PLANNED}
                alive = [a and id(h) not in far for a, h in zip(alive, hypotheses, strict=True)]
        found = weigh(hypotheses, seen, runs, self.noise)
        return self._fact(found, label, tuple(taken), seen)

    def _row(
        self, picture: Picture, hypotheses: Sequence[Hypothesis], alive: Sequence[bool], number: int
    ) -> tuple[Reading, list[Sequence[NDArray[np.float64]] | None]]:
        from prepcheck.forensics.answers.forward import Renderer
        from prepcheck.forensics.answers.reading import read

        first = Renderer(picture.expected, picture.file)
        planned = first.elements(hypotheses[0])
        assert planned is not None
        outputs = self.answers(planned)
        try:
            reading = read(picture.answer, self._outputs(outputs), outputs, self._slots())
        except ValueError as error:
            raise UsageError(f"--answer {number + 1} (for {picture.name}): {error}") from None
        renderers = [first, Renderer(picture.expected, picture.file, second=True)]
        row: list[Sequence[NDArray[np.float64]] | None] = [
            self._variants(renderers, h, reading) if a else None for h, a in zip(hypotheses, alive, strict=True)
        ]
        return reading, row

    def _variants(
        self, renderers: Sequence[Renderer], hypothesis: Hypothesis, reading: Reading
    ) -> list[NDArray[np.float64]] | None:
        found = []
        for renderer in renderers:
            elements = renderer.elements(hypothesis)
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
            if elements is not None:
                found.append(reading.of(self.answers(elements)))
        return found or None

    def _slots(self) -> int:
        assert self.feeder is not None
        return self.feeder.slots

    def _outputs(self, found: Arrays) -> list[Output]:
        """The runner's outputs with what the contract says of their codes (by name, else by place where counts agree)."""
        from prepcheck.forensics.answers.reading import Output

        names = list(self.server.outputs) or sorted(found)
        names = [n for n in names if n in found]
        told = {t.name: t for t in self.contract.outputs}
        out = []
        for place, name in enumerate(names):
            tensor = told.get(name)
            if tensor is None and len(names) == len(self.contract.outputs):
                tensor = self.contract.outputs[place]
            codes = tensor is not None and tensor.dtype in ("int8", "uint8", "int16") and bool(tensor.scale)
            scale = tensor.scale if codes and tensor is not None else None
            zero = (tensor.zero_point or 0) if tensor is not None else 0
            out.append(
                Output(name, int(found[name].size), scale, zero, (tensor.dtype if tensor else None) or "float32")
            )
        return out

    def _fact(self, found: Weighed, label: str, taken: tuple[str, ...], seen: Sequence[Seen]) -> AnswerWeighing:
        page, category = page_of(found.name)
        return AnswerWeighing(
            verdict=found.verdict, name=found.name, images=tuple(p.name for p in self.pictures),
            seen=tuple(_five(s.values.tolist()) for s in seen),
            ranked=tuple(
                WeighedFault(
                    r.hypothesis.name, r.hypothesis.label, {k: to_value(v) for k, v in r.hypothesis.evidence.items()},
                    tuple(_five(e) for e in r.expected), round(r.ratio, 6), round(r.posterior, 6), round(r.distance, 2), r.group,
                    r.excluded,
                )
                for r in found.ranked
            ),
            input=self.position, label=label, runner="onnxruntime" if self.onnx else "MNN",
            settled=all(p.settled for p in self.pictures), quantized=self.quantized, page=page, category=category, taken=taken,
            chance=round(found.chance, 6),
        )  # fmt: skip


def _five(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(float(f"{v:.9g}") for v in values[:5])


def page_of(name: str | None) -> tuple[str, str]:
    """(id, category) of the rule that explains a fault of the vocabulary; empty where there is none."""
    if name is None:
        return "", "other"
    from prepcheck.engine.loading import EVERYWHERE, load

    for rule in load(EVERYWHERE):
        if rule.over == f"diagnosis:{name}":
            return rule.id, rule.category
    return "", "other"
