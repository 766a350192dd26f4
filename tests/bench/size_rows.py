"""Pairs of byte counts with a known fault: a sampler of the stated prior, with no code of the product.

Only `prepcheck/data/size_priors.json` is shared. A row is drawn forwards: fault, runtime, tensor or picture, element
types, batch; then the bytes given and wanted are counted. Draws in which the fault changes nothing are thrown away.
"""

from __future__ import annotations

import math
import random
from typing import Any

from tests.bench.size_things import ALIASES, C2, DTYPES, LISTED, PRIORS, ROWS, Row, Tensor, pitch_of


class Impossible(Exception):
    """This draw cannot be: draw again."""


def pick(rng: random.Random, weights: dict[Any, float]) -> Any:
    keys = [key for key in weights if key != "basis"]
    return rng.choices(keys, [weights[key] for key in keys])[0]


def one_over_n(rng: random.Random, low: int, high: int) -> int:
    """A whole number between the limits with P ∝ 1/n: the whole part of a log-uniform number, corrected by rejection."""
    most = 1 / (low * math.log1p(1 / low))
    while True:
        n = int(math.exp(rng.uniform(math.log(low), math.log(high + 1))))
        if low <= n <= high and rng.random() * most <= 1 / (n * math.log1p(1 / n)):
            return n


class Sampler:
    """Draws rows. Everything it knows stands in the prior file."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.priors = PRIORS

    # -- things ------------------------------------------------------------------------------------------------

    def tensor(self, families: tuple[str, ...]) -> Tensor:
        rng, shapes = self.rng, self.priors["shapes"]
        family = pick(rng, {name: shapes["families"][name] for name in families})
        if family == "vector":
            length = one_over_n(rng, 1, shapes["vector_max"])
            return Tensor(family, 0, 0, 0, (length,))
        if family == "sequence":
            t, d = rng.choice(shapes["sequence_t"]), rng.choice(shapes["sequence_d"])
            return Tensor(family, 0, 0, 0, (t, d))
        if family == "feature":
            c, side = int(pick(rng, shapes["feature_channels"])), rng.choice(shapes["feature_sides"])
            return Tensor(family, c, side, side, (side, side, c))
        c = int(pick(rng, shapes["channels"]))
        if family == "square":
            h = w = int(pick(rng, shapes["squares"]))
        elif family == "rect":
            h, w = self.rect()
        else:
            h, w = (one_over_n(rng, shapes["any_min"], shapes["any_max"]) for _ in range(2))
        return Tensor(family, c, h, w, (h, w, c))

    def rect(self) -> tuple[int, int]:
        rows = self.priors["shapes"]["rects"]
        h, w, _ = self.rng.choices(rows, [row[2] for row in rows])[0]
        return (w, h) if self.rng.random() < self.priors["shapes"]["portrait"] else (h, w)

    def picture(self, use: str) -> tuple[int, int, str]:
        """(width, height, pixel format)."""
        rng, frames = self.rng, self.priors["frames"]
        name = pick(rng, self.priors["pixel_formats"][use])
        if rng.random() < frames["any"]:
            while True:
                w, h = (one_over_n(rng, frames["any_min"], frames["any_max"]) for _ in range(2))
                if max(w, h) <= frames["any_aspect"] * min(w, h):
                    return w, h, name
        w, h, _ = rng.choices(frames["sizes"], [row[2] for row in frames["sizes"]])[0]
        return (h, w, name) if rng.random() < frames["portrait"] else (w, h, name)

    # -- one row -----------------------------------------------------------------------------------------------

    def row(self) -> Row:
        """The next possible row."""
        while True:
            try:
                row = self._row()
            except Impossible:
                continue
            if row.got != row.want and row.got > 0:
                return row

    def _row(self) -> Row:
        shares = self.priors["shares"]
        form = pick(
            self.rng,
            {"two": shares["two_faults"], "none": shares["none"], "one": 1 - shares["two_faults"] - shares["none"]},
        )
        counts = {name: fault["count"] + 1 for name, fault in self.priors["faults"].items()}
        if form == "none":
            return self._none()
        if form == "one":
            return self._single(pick(self.rng, counts))
        pairs = {tuple(pair): counts[pair[0]] * counts[pair[1]] for pair in self.priors["pairs"]}
        return self._pair(*pick(self.rng, pairs))

    def _runtime(self, *faults: str) -> str:
        weights = [self.priors["faults"][fault]["runtimes"] for fault in faults]
        return str(pick(self.rng, {r: math.prod(w.get(r, 0) / sum(w.values()) for w in weights) for r in weights[0]}))

    def _widths(self, runtime: str, faulty: bool) -> tuple[int, int, int]:
        """(of the model, given, wanted)."""
        if faulty:
            rows = self.priors["dtype"][runtime]
            m, a, b, _ = self.rng.choices(rows, [row[3] for row in rows])[0]
            return m, a, b
        m = pick(self.rng, self.priors["widths"]["model"][runtime])
        s = int(pick(self.rng, self.priors["widths"]["call"][runtime][m]))
        return int(m), s, s

    def _platform(self, runtime: str) -> str | None:
        return str(pick(self.rng, self.priors["platforms"])) if runtime == "rknn" else None

    def _single(self, fault: str) -> Row:
        runtime = self._runtime(fault)
        if fault in ("pitch", "height_align", "yuv_planes"):
            return self._buffer((fault,), runtime)
        platform = self._platform(runtime)
        if fault == "struct":
            return self._struct(runtime, platform)
        m, a, b = self._widths(runtime, fault == "dtype")
        if fault == "batch":
            k, n, lead = self._batch(True, True)
        else:
            k = n = lead = int(pick(self.rng, self.priors["batch"]["base"]))
        return self._finish((fault,), runtime, platform, (m, a, b), (k, n, lead))

    def _pair(self, first: str, second: str) -> Row:
        runtime = self._runtime(first, second)
        if first == "pitch":
            return self._buffer((first, second), runtime)
        widths = self._widths(runtime, first == "dtype")
        items = self._batch(False, second == "batch") if "batch" in (first, second) else (1, 1, 1)
        return self._finish((first, second), runtime, self._platform(runtime), widths, items)

    def _batch(self, alone: bool, tail: bool) -> tuple[int, int, int]:
        """(items given, items wanted, leading axis stated)."""
        batch = self.priors["batch"]
        form = pick(self.rng, {f: w for f, w in batch["form"].items() if alone or f != "some"})
        counts = {int(n): w for n, w in batch["counts"].items()}
        if form == "some":
            n = pick(self.rng, {n: w for n, w in counts.items() if n >= 3})
            k = self.rng.randint(2, n - 1)
        else:
            if tail and self.rng.random() < batch["tail"] / (batch["tail"] + sum(counts.values())):
                n = pick(self.rng, {n: 1 / n**2 for n in range(2, batch["tail_max"] + 1)})
            else:
                n = pick(self.rng, counts)
            k, n = (1, n) if form == "one" else (n, 1)
        lead = 1 if form == "reverse" or pick(self.rng, batch["stated"]) == "one" else n
        return k, n, lead

    def _finish(
        self,
        faults: tuple[str, ...],
        runtime: str,
        platform: str | None,
        widths: tuple[int, int, int],
        items: tuple[int, int, int],
    ) -> Row:
        m, a, b = widths
        k, n, lead = items
        prefix: tuple[Any, ...] = ()
        rest = [fault for fault in faults if fault not in ("dtype", "batch")]
        if "dtype" in faults:
            prefix += (a, b)
        if "batch" in faults:
            common = math.gcd(k, n)
            prefix += (k // common, n // common)
        if not rest:
            tensor = self.tensor(("square", "rect", "any", "feature", "sequence", "vector"))
            given = wanted = tensor.elements
            key: tuple[Any, ...] = ()
            extra = 0
        else:
            tensor, given, wanted, key, extra = self._tensor_fault("+".join(rest), widths, platform)
            if len(faults) > 1 and rest == ["frame"] and len(key) == 1:
                raise Impossible  # beside another fault frames have one of the usual sizes
        got, want = k * given * a + extra, n * wanted * b
        if rest == ["encoded"]:
            got = one_over_n(self.rng, self.priors["encoded"]["min"], self.priors["encoded"]["max"])
        kind = "+".join(ALIASES.get(fault, fault) for fault in faults)
        special = next((name for name in ("nc4hw4", "nc1hwc2") if name in faults), runtime)
        layout = str(pick(self.rng, self.priors["layouts"][special])) if tensor.c else "UNDEFINED"
        if "map_size" in faults:  # an inner tensor: nobody states its shape
            return Row(got, want, (kind, *prefix, *key), None, None, DTYPES[m], runtime, platform)
        return Row(got, want, (kind, *prefix, *key), tensor.stated(layout, lead), layout, DTYPES[m], runtime, platform)

    def _tensor_fault(
        self, fault: str, widths: tuple[int, int, int], platform: str | None
    ) -> tuple[Tensor, int, int, tuple[Any, ...], int]:
        """(tensor, elements given, elements wanted, key, bytes in front)."""
        rng, priors = self.rng, self.priors
        images = ("square", "rect", "any")
        if fault == "channels":
            tensor = self.tensor(images)
            got = rng.choices(*zip(*priors["channels"][str(tensor.c)], strict=True))[0]
            return tensor, tensor.h * tensor.w * got, tensor.elements, (got, tensor.c), 0
        if fault == "nc4hw4":
            tensor = self.until(lambda: self.tensor((*images, "feature")), lambda t: t.c % 4 != 0)
            way = pick(rng, {w: priors[fault][w] for w in ("pack", "unpack")})
            ends = (tensor.elements, tensor.h * tensor.w * ((tensor.c + 3) // 4 * 4))
            return tensor, *(ends if way == "pack" else ends[::-1]), (way,), 0
        if fault == "nc1hwc2":
            block = self.native_step(C2, widths[0], platform)
            tensor = self.until(lambda: self.tensor(("feature",)), lambda t: t.c % block != 0)
            way = pick(rng, {w: priors[fault][w] for w in ("pack", "unpack")})
            ends = (tensor.elements, tensor.h * tensor.w * (-(-tensor.c // block) * block))
            return tensor, *(ends if way == "pack" else ends[::-1]), (way, block), 0
        if fault == "row_stride":
            step = self.native_step(ROWS, widths[0], platform)
            tensor = self.until(lambda: self.tensor(images), lambda t: t.w % step != 0)
            way = pick(rng, {w: priors[fault][w] for w in ("pack", "unpack")})
            ends = (tensor.elements, tensor.h * (-(-tensor.w // step) * step) * tensor.c)
            return tensor, *(ends if way == "pack" else ends[::-1]), (way,), 0
        if fault == "axis_short":
            tensor = self.tensor((*images, "feature", "sequence"))
            at = rng.choice((0, 1)) if tensor.c else 0 if rng.random() < 0.8 else 1
            right = tensor.axes[at]
            length = pick(rng, {n: 1 for n in range(1, 2 * right + 1) if n != right})
            return tensor, tensor.elements // right * length, tensor.elements, (), 0
        if fault in ("other_size", "channels+other_size"):
            tensor = self.tensor(images)
            h, w = self.other_size()
            if (h, w) == (tensor.h, tensor.w):
                raise Impossible
            got = (
                tensor.c
                if fault == "other_size"
                else rng.choices(*zip(*priors["channels"][str(tensor.c)], strict=True))[0]
            )
            return tensor, h * w * got, tensor.elements, () if fault == "other_size" else (got, tensor.c), 0
        if fault == "map_size":
            part = priors[fault]
            h, w = (one_over_n(rng, part["side_min"], part["side_max"]) for _ in range(2))
            c = one_over_n(rng, 1, part["channels_max"])
            return Tensor("map", c, w, w, (w, w, c)), c * h * h, c * w * w, (), 0
        if fault in ("frame", "frame+height_align"):
            tensor = self.tensor(images)
            use = "frame" if widths[1] == 1 else "frame_wide"
            if fault == "frame":
                w, h, name = self.picture(use)
                rows, listed = h, self.listed(w, h)
            else:
                if rng.random() < priors["frames"]["any"]:
                    raise Impossible  # sizes that are not listed have no such form
                step = int(pick(rng, priors["height_align"]["align"]))
                w, h, name = self.until(
                    lambda: self.picture(use), lambda p: self.listed(p[0], p[1]) and p[1] % step != 0
                )
                rows, listed = -(-h // step) * step, True
            half = priors["pixel_formats"]["half_bytes"][name]
            if w * rows * half % 2:
                raise Impossible
            return tensor, w * rows * half // 2, tensor.elements, (*(sorted((w, h)) if listed else ()), half), 0
        if fault == "yuv_tensor":
            if widths[1] != 1:
                raise Impossible
            tensor = self.until(lambda: self.tensor(images), lambda t: t.c == 3 and t.h % 2 == 0 and t.w % 2 == 0)
            half = int(pick(rng, priors[fault]))
            return tensor, tensor.h * tensor.w * half // 2, tensor.elements, (half, 6), 0
        if fault == "header":
            tensor = self.tensor((*images, "feature", "sequence", "vector"))
            part = priors[fault]
            size = pick(rng, {**part["bytes"], "other": part["other"]})
            size = rng.randint(1, part["other_max"]) if size == "other" else int(size)
            return tensor, tensor.elements, tensor.elements, (size if str(size) in part["bytes"] else "other",), size
        assert fault == "encoded", fault
        tensor = self.tensor((*images, "feature", "sequence", "vector"))
        return tensor, 1, tensor.elements, (), 0

    def until(self, draw: Any, test: Any) -> Any:
        """Draw until the test holds: the prior is that of the things to which the fault applies."""
        while True:
            thing = draw()
            if test(thing):
                return thing

    def native_step(self, steps: dict[str, tuple[int, int | None]], width: int, platform: str | None) -> int:
        if width not in (1, 2) or platform is None:
            raise Impossible
        step = steps[platform][width - 1]
        if step is None:
            raise Impossible
        return step

    def other_size(self) -> tuple[int, int]:
        part = self.priors["other_size"]
        form = pick(self.rng, {f: part[f] for f in ("square", "rect", "grid")})
        if form == "square":
            side = int(pick(self.rng, self.priors["shapes"]["squares"]))
            return side, side
        if form == "rect":
            return self.rect()
        grid = range(part["grid_min"], part["grid_max"] + 1, part["grid_step"])
        return self.rng.choice(grid), self.rng.choice(grid)

    def listed(self, w: int, h: int) -> bool:
        """Whether the size, upright or not, is one of the usual ones."""
        return (w, h) in LISTED or (h, w) in LISTED

    # -- pictures in buffers, and the rest ---------------------------------------------------------------------

    def _buffer(self, faults: tuple[str, ...], runtime: str) -> Row:
        rng, priors = self.rng, self.priors
        halves = priors["pixel_formats"]["half_bytes"]
        if faults == ("yuv_planes",):
            w, h, _ = self.picture("buffer")
            half = int(pick(rng, priors["yuv_planes"]))
            if w * h * 3 % 2 or w * h * half % 2:
                raise Impossible
            return Row(w * h * half // 2, w * h * 3 // 2, ("yuv", half, 3), (h, w), "HW", "uint8", runtime, None)
        rule = pick(rng, priors["pitch"]["align"]) if "pitch" in faults else None
        step = int(pick(rng, priors["height_align"]["align"])) if "height_align" in faults else 1
        w, h, name = self.until(
            lambda: self.picture("buffer"),
            lambda p: (step == 1 or p[1] % step != 0) and (rule is None or pitch_of(rule, p[0]) != p[0]),
        )
        half = halves[name]
        pitch, rows = pitch_of(rule, w) if rule else w, -(-h // step) * step
        if w * h * half % 2 or pitch * rows * half % 2:
            raise Impossible
        way = pick(rng, {f: priors[faults[0]][f] for f in ("pack", "unpack")})
        ends = (w * h * half // 2, pitch * rows * half // 2)
        got, want = ends if way == "pack" else ends[::-1]
        kind = "+".join(ALIASES.get(fault, fault) for fault in faults)
        planes = name in ("NV12", "YUYV", "GRAY")
        shape = (h, w) if planes else (h, w, half // 2)
        return Row(got, want, (kind, way), shape, "HW" if planes else "HWC", "uint8", runtime, None)

    def _struct(self, runtime: str, platform: str | None) -> Row:
        got, want, _ = self.rng.choices(*zip(*((row, row[2]) for row in self.priors["struct"]["pairs"]), strict=True))[
            0
        ]
        return self._loose(got, want, ("struct",), runtime, platform)

    def _loose(self, got: int, want: int | None, label: tuple[Any, ...], runtime: str, platform: str | None) -> Row:
        """Counts that have nothing to do with the tensor that is stated (want: None = the tensor's)."""
        tensor = self.tensor(("square", "rect", "any", "feature", "sequence", "vector"))
        m, _, s = self._widths(runtime, False)
        lead = int(pick(self.rng, self.priors["batch"]["base"]))
        layout = str(pick(self.rng, self.priors["layouts"][runtime])) if tensor.c else "UNDEFINED"
        want = lead * tensor.elements * s if want is None else want
        return Row(got, want, label, tensor.stated(layout, lead), layout, DTYPES[m], runtime, platform)

    def _none(self) -> Row:
        part = self.priors["none"]
        runtime = str(pick(self.rng, part["runtimes"]))
        got = one_over_n(self.rng, 1, part["max"])
        want = None if self.rng.random() * 100 < part["tensor"] else one_over_n(self.rng, 1, part["max"])
        return self._loose(got, want, ("none",), runtime, self._platform(runtime))
