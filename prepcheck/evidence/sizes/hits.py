"""What a fault hypothesis yields: the two counts explained, with the probability of just these counts under it."""

from __future__ import annotations

from dataclasses import dataclass, field

from prepcheck.evidence.sizes.result import Value
from prepcheck.evidence.sizes.shapes import Candidate


@dataclass(frozen=True, slots=True)
class Hit:
    """One hypothesis that makes the two counts equal.

    fault: name in the prior table. key: what tells this reading from others of its kind (the same key is one reading).
    prob: P(these counts | the fault), shape and parameters included, element width and batch left out.
    given, wanted: elements of one item as products. seen: the tensor, where there is one.
    """

    fault: str
    key: tuple[Value, ...]
    prob: float
    given: str
    wanted: str
    values: dict[str, Value] = field(default_factory=dict)
    seen: Candidate | None = None

    @property
    def layout(self) -> str | None:
        """The layout that was stated, where it plays a part."""
        return self.seen.layout if self.seen is not None else None
