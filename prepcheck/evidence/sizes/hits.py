"""What a fault hypothesis yields: the two counts explained, with the probability of just these counts under it."""

from __future__ import annotations

from typing import NamedTuple

from prepcheck.evidence.sizes.result import Value
from prepcheck.evidence.sizes.shapes import Candidate


class Hit(NamedTuple):
    """One hypothesis that makes the two counts equal.

    fault: name in the prior table. key: what tells this reading from others of its kind (the same key is one reading).
    prob: P(these counts | the fault), shape and parameters included, element width and batch left out.
    given, wanted: elements of one item as products, None where they are the tensor's own. seen: the tensor, if any.
    """

    fault: str
    key: tuple[Value, ...]
    prob: float
    given: str | None = None
    wanted: str | None = None
    values: dict[str, Value] = {}  # never changed
    seen: Candidate | None = None

    def side(self, which: str) -> str:
        """The product of one side, `given` or `wanted`."""
        said = self.given if which == "given" else self.wanted
        return said if said is not None else self.seen.expression if self.seen is not None else ""

    @property
    def layout(self) -> str | None:
        """The layout that was stated, where it plays a part."""
        return self.seen.layout if self.seen is not None else None
