"""What every worker of a sweep needs to know, in a form that travels: the world without images, and the options."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from prepcheck.app.expected import decode_color
from prepcheck.app.sweeping.records import Judged, finding_record, unknown_record
from prepcheck.app.validate import chosen, rules_for
from prepcheck.core.layouts import dims_of
from prepcheck.engine.merging import merge
from prepcheck.engine.reporting import to_finding, to_unknown
from prepcheck.engine.running import run
from prepcheck.facts.path import steps_for
from prepcheck.facts.world import ImageFacts, World, make_world
from prepcheck.readers.images import MAX_PIXELS

if TYPE_CHECKING:
    from prepcheck.contract.steps import Step

STAND_IN = "\ue000sample{}\ue001"
"""Stands for the name of a sample's file in a judgement that many samples share (a private character: in no path)."""


@dataclass(frozen=True)
class Job:
    """A sweep as its workers see it. base: the world (contract, plan, arrays) without images, pickled once."""

    base: bytes
    library: str
    language: str
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_pixels: int = MAX_PIXELS

    @cached_property
    def key(self) -> str:
        """The same for the same job: workers keep what they made of it."""
        told = json.dumps([self.library, self.language, self.select, self.ignore, self.max_pixels])
        return hashlib.blake2b(self.base + told.encode(), digest_size=16).hexdigest()


def job_of(
    world: World, *, library: str, language: str, select: tuple[str, ...] = (), ignore: tuple[str, ...] = (),
    max_pixels: int = MAX_PIXELS,
) -> Job:  # fmt: skip
    """A job about a world."""
    bare = replace(world, images=(), cache={}, memo={})
    return Job(pickle.dumps(bare, protocol=5), library, language, select, ignore, max_pixels)


@dataclass
class Way:
    """What pictures with one kind of header meet. judged: the report's parts, with stand-ins for names."""

    judged: Judged
    steps: dict[int, list[Step]] = field(default_factory=dict)
    colors: dict[int, str] = field(default_factory=dict)
    turned: dict[int, bool] = field(default_factory=dict)


class Context:
    """A job unpacked in a worker: judges headers, each kind once."""

    def __init__(self, job: Job) -> None:
        self.job = job
        world = pickle.loads(job.base)
        assert isinstance(world, World)
        self.world = world
        self.translate = _translator(job.language)
        self._ways: dict[tuple[ImageFacts, ...], Way] = {}

    def way(self, images: tuple[ImageFacts, ...]) -> Way:
        """What pictures with these headers meet; their names do not matter."""
        key = tuple(replace(image, name=STAND_IN.format(i)) for i, image in enumerate(images))
        known = self._ways.get(key)
        if known is None:
            if len(self._ways) > 4096:  # a set whose every picture has a size of its own
                self._ways.clear()
            known = self._ways[key] = self._judge(key)
        return known

    def _judge(self, images: tuple[ImageFacts, ...]) -> Way:
        world = self.with_images(images)
        outcome = run(chosen(rules_for(world), self.job.select, self.job.ignore), world)
        way = Way(
            {
                "findings": [finding_record(to_finding(f, self.translate)) for f in merge(outcome.found)],
                "unknown": [unknown_record(to_unknown(u, self.translate)) for u in outcome.unknown],
                "counts": [outcome.passed, outcome.failed, outcome.undecided],
            }
        )
        for position in range(len(world.contract.inputs) if world.contract else 0):
            steps = steps_for(world, position)
            decode = next((s.decode for s in steps if s.decode is not None), None)
            way.steps[position] = steps
            way.colors[position] = decode_color(world, position) if steps else self._channels_color(world, position)
            exif = decode.exif if decode is not None else None
            library = decode.library if decode is not None else None
            way.turned[position] = exif == "apply" or (exif is None and library == "opencv")
        return way

    @staticmethod
    def _channels_color(world: World, position: int) -> str:
        tensor = world.contract.inputs[position] if world.contract else None
        dims = dims_of(tensor.layout or "", tensor.shape or []) if tensor is not None else None
        return {1: "GRAY", 4: "RGBA"}.get(dims.c if dims is not None else 3, "RGB")

    def with_images(self, images: tuple[ImageFacts, ...]) -> World:
        """The world with these images: the declared plan's, or that of the default plan for their sizes."""
        base = self.world
        if base.declared or base.file_contract is None:
            return replace(base, images=images, cache={}, memo={})
        from prepcheck.app.defaults import default_plan_document

        plan = default_plan_document(base.file_contract, images, resize_library=self.job.library)
        return make_world(
            contract=base.file_contract, plan=plan, declared=False, images=images, arrays=base.arrays, extra=base.extra
        )


def _translator(language: str) -> Callable[[str], str]:
    from prepcheck.app.language import translator

    return translator(language)
