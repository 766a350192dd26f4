"""Targets that are whole commands: what a user would see of a damaged file, as text for a terminal and as JSON."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType

from prepcheck.errors import PrepcheckError
from tests.fuzz import mutating, seeds
from tests.fuzz.oracle import command
from tests.fuzz.targets import Target, damage_record, damaged, documents, put, target

RKNN = seeds.MODELS / "rknn" / "rk3588_mini_i8.rknn"
CARD = seeds.CORPUS / "image" / "card.png"


def _command(name: str, make: Callable[[Random], bytes], file: str, *arguments: str) -> Target:
    """A target that is a whole command; `{}` among the arguments is the damaged file."""

    def run(data: bytes, folder: Path) -> object:
        path = put(folder, file, data)
        command(*(a.format(path) for a in arguments))
        return None

    return Target(name, make, run, runs=2)


@target
def whole_inspect() -> Target:
    """`inspect` on a damaged model."""
    found = seeds.models("rknn", "mnn", "rknn_bad", "mnn_bad")
    return _command(
        "whole-inspect", damaged(found, mutating.damage_bytes, mutating.damage_table), "m.bin", "inspect", "{}"
    )


@target
def whole_model() -> Target:
    """`validate` with a damaged model and a good picture."""
    found = seeds.models("rknn", "mnn")
    return _command(
        "whole-model",
        damaged(found, mutating.damage_bytes, mutating.damage_table),
        "m.bin",
        "validate",
        "{}",
        str(CARD),
    )


@target
def whole_plan() -> Target:
    """`validate --plan` with a damaged plan."""
    return _command("whole-plan", documents(seeds.plans(), "plan"), "p.yaml", "validate", "--plan", "{}")


@target
def whole_image() -> Target:
    """`validate` with a damaged picture."""
    return _command(
        "whole-image",
        damaged([*seeds.images(), *seeds.corpus("image")], mutating.damage_bytes),
        "i.png",
        "validate",
        str(RKNN),
        "{}",
    )


@target
def whole_buffer() -> Target:
    """`validate --buffer` with a damaged buffer."""
    make = damaged([*seeds.arrays(), *seeds.corpus("array")], mutating.damage_bytes)
    return _command("whole-buffer", make, "b.npy", "validate", str(RKNN), str(CARD), "--buffer", "{}")


@target
def whole_log() -> Target:
    """`explain --file` with a damaged log."""
    make = damaged(
        [*seeds.logs(), *seeds.corpus("log")], mutating.damage_text, mutating.damage_text, mutating.damage_bytes
    )
    return _command("whole-log", make, "a.log", "explain", "--file", "{}")


@target
def whole_record() -> Target:
    """`validate --plan` with a damaged record."""
    return _command("whole-record", damaged(seeds.records(), damage_record), "r.pcrec", "validate", "--plan", "{}")


@target
def whole_diff() -> Target:
    """`diff` of a good plan and a damaged one."""
    return _command(
        "whole-diff",
        documents(seeds.plans(), "plan"),
        "p.yaml",
        "diff",
        str(seeds.SAMPLES / "03_rv1106_zero_copy" / "right.yaml"),
        "{}",
    )


@cache
def importers() -> dict[str, ModuleType]:
    """The modules of prepcheck.importers that have `recognises` and `read`, by name."""
    import prepcheck.importers as package

    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        loaded = importlib.import_module(f"prepcheck.importers.{module.name}")
        if hasattr(loaded, "recognises") and hasattr(loaded, "read"):
            found[module.name] = loaded
    return found


@target
def whole_import() -> Target:
    """`import` on damaged files of every format that is known: examples lie in corpus/import and in the importers' tests."""
    folder = seeds.ROOT / "tests" / "importers"
    found = [
        p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.suffix in (".json", ".yaml", ".yml", ".txt", ".modelinfo")
    ]
    found += seeds.corpus("import")
    names = ("preprocessor_config.json", "pipeline.json", "config.yml", "a.modelinfo", "build.py", "config.json")

    def make(rng: Random) -> bytes:
        data = rng.choice(found)
        try:
            value = json.loads(data)
        except ValueError:
            return mutating.damage_text(data, rng)
        if rng.random() < 0.3:
            return mutating.damage_text(data, rng)
        return mutating.as_json(mutating.damage_document(value, rng))

    def run(data: bytes, place: Path) -> object:
        path = put(place, names[sum(data[:64]) % len(names)], data)
        if not os.path.exists(
            os.path.join(os.path.dirname(importlib.import_module("prepcheck.cli").__file__ or ""), "import_.py")
        ):
            raise PrepcheckError("no importer is here")
        command("import", path)
        return None

    return Target("whole-import", make, run, runs=2)
