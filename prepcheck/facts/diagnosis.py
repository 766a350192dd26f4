"""Facts about submitted bytes: what the forensic comparison with the expected buffer found. Handed in by `app`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from prepcheck.core.plain import Value
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.world import World


@dataclass(frozen=True, slots=True)
class BufferDiagnosis:
    """What was found for one submitted buffer. Differences are in pixel steps (0..255); psnr in dB.

    verdict: ok, fault, not_explained, cannot_tell. fault: the last in time; faults: all, in the order in which they
    happened. evidence: the parameters. handover: the hand-over that fits. saturated: share of codes at the type's ends.
    distinct: number of different codes. *_expected: the same of the expected buffer. effect_psnr: dB of the submitted
    elements against the expected ones (psnr: what the explanation leaves). settled: whether the plan (or the model)
    states how values are normalised; where not, a fitted normalisation is no fault. filter_stated: the plan names one.
    """

    buffer: str
    file: str
    input: int
    verdict: str
    fault: str | None = None
    faults: tuple[str, ...] = ()
    evidence: Mapping[str, Value] = field(default_factory=dict)
    score: float = 1.0
    max_difference: float | None = None
    mean_difference: float | None = None
    psnr: float | None = None
    handover: str = ""
    alternatives: tuple[tuple[str, ...], ...] = ()
    cannot_show: tuple[str, ...] = ()
    implementation: str | None = None
    correlation: float | None = None
    saturated: float | None = None
    distinct: int | None = None
    distinct_expected: int | None = None
    effect_psnr: float | None = None
    saturated_expected: float | None = None
    settled: bool = True
    filter_stated: bool = False
    image: str = ""
    expected_handover: str = ""


class DiagnosisThing(Thing):
    """One submitted buffer. `name` is the fault (or the verdict where there is none)."""

    kind = "diagnosis"

    def __init__(self, world: World, found: BufferDiagnosis) -> None:
        super().__init__(world, f"buffers.{found.buffer}", f"inputs[{found.input}]")
        self.name = found.fault or found.verdict
        self._found = found

    @property
    def diagnosis(self) -> BufferDiagnosis:
        """All that was found."""
        return self._found

    @property
    def parameters(self) -> Mapping[str, object]:
        """The parameters of the fault that names the finding."""
        own = self._found.evidence.get(self._found.fault or "") if len(self._found.faults) > 1 else self._found.evidence
        return own if isinstance(own, Mapping) else {}

    @property
    def settled_normalization(self) -> bool:
        """Whether plan or model state how values are normalised; raises NotApplicable where they do not."""
        if not self._found.settled:
            raise NotApplicable
        return True


@lists("diagnosis")
def _diagnoses(world: World) -> Iterator[Thing]:
    for item in world.extra.get("diagnosis", ()):
        if isinstance(item, BufferDiagnosis):
            yield DiagnosisThing(world, item)


def shown(parameters: Mapping[str, object], key: str) -> Value:
    """One parameter of a fault as a finding shows it: floats as they are, tuples as lists, what is absent as `?`."""
    value = parameters.get(key, "?")
    if isinstance(value, (list, tuple)):
        return [round(v, 4) if isinstance(v, float) else v for v in value]
    return value if isinstance(value, (bool, int, float, str)) else "?"


def measured(diagnosis: BufferDiagnosis) -> dict[str, Value]:
    """The numbers that every finding about a buffer carries."""
    d = diagnosis
    values: dict[str, Value] = {
        "score_percent": round(100 * d.score, 2), "faults": list(d.faults), "file": d.file, "handover": d.handover,
        "max_difference": d.max_difference, "mean_difference": d.mean_difference, "psnr": d.psnr,
        "correlation": d.correlation, "saturated": d.saturated, "distinct": d.distinct,
        "distinct_expected": d.distinct_expected, "same_bytes_as": [" + ".join(names) for names in d.alternatives],
    }  # fmt: skip
    kept: dict[str, Value] = {
        key: value for key, value in values.items() if value is not None and value not in ("", [])
    }
    kept["faults"] = list(d.faults)
    if d.effect_psnr is not None:
        kept["effect"] = {
            "over": "submitted elements", "psnr": d.effect_psnr, "saturated": d.saturated,
            "saturated_expected": d.saturated_expected, "distinct": d.distinct, "distinct_expected": d.distinct_expected,
        }  # fmt: skip
    return kept
