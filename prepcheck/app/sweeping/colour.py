"""Pictures of a set whose channels are in the other order than those of the rest.

Two proofs, both strict. A twin: the same picture stands in the set a second time with R and B exchanged (its 12 x 12
points agree so, and not as they are). An outlier: the set is alike (one camera, one light), the picture's three channel
means lie far outside of it, and inside once R and B are exchanged. A mixed set of photos proves nothing and gets nothing.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from prepcheck.app.sweeping.records import GRID, PictureLook
from prepcheck.facts.sample_set import Outlier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEAR = 1.5
"""Channel means of one picture in two encodings differ by less. Measured: PNG and JPEG of qualities 60 to 95, two cuts of
each of 11 photos of scikit-image and scikit-learn, at 640x640: up to 0.77."""
SAME = 6.0
"""Mean difference at the points of one picture in two encodings. Measured on the same: up to 4.1."""
OTHER = 15.0
"""What R and B have to differ by for an exchange to be seen at all. A choice."""
FEWEST = 20
"""Pictures from which a set is said to be alike. A choice."""
MOST = 8
"""Of pictures that are nearly the same, so many are compared with each. A choice."""
INSIDE, OUTSIDE = 2.5, 6.0
"""Robust deviations within which a picture belongs to the set, and beyond which it does not. A choice."""


def odd_ones(
    looks: Sequence[tuple[str, PictureLook]],
) -> tuple[tuple[Outlier, ...], tuple[float, float, float] | None]:
    """(pictures in the other order, typical means of the rest); looks: (name, what a unit remembers of it)."""
    import numpy as np

    colored = [(n, x) for n, x in looks if len(x["means"]) == 3]
    if len(colored) < 2:
        return (), None
    means = np.array([x["means"] for _, x in colored], dtype=np.float64)
    twins = _fewer(_pairs(colored, means))
    alone, typical = _outliers(means)
    found = []
    for i in sorted({*twins, *alone}):
        twin = colored[twins[i]][0] if i in twins else None
        red, green, blue = (float(v) for v in means[i])
        found.append(Outlier(colored[i][0], red, green, blue, twin))
    return tuple(found), typical


def _pairs(colored: Sequence[tuple[str, PictureLook]], means: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs of samples that are the same picture with R and B exchanged; of many alike a few for each."""
    import numpy as np

    order = np.argsort(means[:, 1], kind="stable")
    green = means[order, 1]
    found: list[tuple[int, int]] = []
    for k, i in enumerate(order):
        if abs(means[i, 0] - means[i, 2]) < 2 * NEAR:
            continue
        near = order[k + 1 : np.searchsorted(green, green[k] + NEAR, side="right")]
        if not len(near):
            continue
        crossed = np.abs(means[near][:, [2, 0]] - means[i, [0, 2]]).max(axis=1) < NEAR
        found += [(int(i), int(j)) for j in near[crossed][:MOST] if _exchanged(colored[i][1], colored[j][1])]
    return found


def _fewer(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """sample → one that it is the exchange of: of the pictures that hang together, those of the rarer order.

    Where both orders are as frequent, those that come later in the set.
    """
    beside: dict[int, set[int]] = defaultdict(set)
    for i, j in pairs:
        beside[i].add(j)
        beside[j].add(i)
    side: dict[int, bool] = {}
    found: dict[int, int] = {}
    for start in sorted(beside):
        if start in side:
            continue
        side[start] = False
        todo, members = [start], [start]
        while todo:
            one = todo.pop()
            for other in sorted(beside[one]):
                if other not in side:
                    side[other] = not side[one]
                    todo.append(other)
                    members.append(other)
        turned = [m for m in members if side[m]]
        rare = turned if 2 * len(turned) <= len(members) else [m for m in members if not side[m]]
        found |= {m: min(beside[m]) for m in rare}
    return found


def _exchanged(a: PictureLook, b: PictureLook) -> bool:
    import numpy as np

    x, y = (
        np.frombuffer(base64.b64decode(item["grid"]), np.uint8).reshape(GRID, GRID, -1).astype(np.int16)
        for item in (a, b)
    )
    as_is = float(np.abs(x - y).mean())
    turned = float(np.abs(x - y[..., ::-1]).mean())
    return turned <= SAME and as_is >= turned + 2.0


def _outliers(means: NDArray[np.float64]) -> tuple[list[int], tuple[float, float, float] | None]:
    import numpy as np

    if len(means) < FEWEST:
        return [], None
    middle = np.median(means, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(means - middle), axis=0), 1.0)
    if abs(middle[0] - middle[2]) < max(OTHER, (INSIDE + OUTSIDE) * max(spread[0], spread[2])):
        return [], None
    away = np.abs(means - middle) / spread
    turned = np.abs(means[:, ::-1] - middle) / spread
    odd = (away[:, [0, 2]].min(axis=1) > OUTSIDE) & (turned.max(axis=1) < INSIDE)
    typical = (float(middle[0]), float(middle[1]), float(middle[2]))
    return [int(i) for i in np.flatnonzero(odd)], typical
