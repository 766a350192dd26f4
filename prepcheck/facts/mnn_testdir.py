"""What MNN passes over in one of its test folders, as facts. Handed in by `app`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prepcheck.facts.base import Thing, lists
from prepcheck.facts.world import World


@dataclass(frozen=True, slots=True)
class FolderProblem:
    """One thing in a folder. kind, got, want: as the reader of the folder names them. folder: as the user gave it."""

    kind: str
    tensor: str
    got: str | None
    want: str | None
    folder: str


class FolderProblemThing(Thing):
    """One thing in a test folder that MNN passes over."""

    kind = "testdir_problem"

    def __init__(self, world: World, problem: FolderProblem) -> None:
        super().__init__(world, f"buffers.{problem.tensor}", f"testdir:{problem.tensor}:{problem.kind}")
        self.problem = problem


@lists("testdir_problem")
def _problems(world: World) -> Iterator[Thing]:
    for item in world.extra.get("testdir", ()):
        if isinstance(item, FolderProblem):
            yield FolderProblemThing(world, item)
