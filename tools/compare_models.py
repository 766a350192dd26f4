#!/usr/bin/env python3
"""Hold rebuilt test models against the committed ones and against expected.json.

    PYTHON_WITH_PREPCHECK tools/compare_models.py rknn|mnn FOLDER [NAME ...]

Two questions per file. Is its contract (`prepcheck inspect`) that of the committed file, field by field: names, shapes,
layouts, types, zero points, scales, ranges, mean and std, native layout, strides, sizes, target, metadata? And is what
expected.json states in it? Scales and ranges may lie apart by `ROUNDING`, or by what the recipe states as `calibrated`
(outputs only: the committed file saw other calibration data; their zero points by that part of 255). Exit status 0 where all are the same.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

ROUNDING = 2e-5
"""Relative: scales and ranges are stored as float32, and a convolution's sum depends on the order of its terms."""
UUID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""MNN's converter writes a new one into every file."""
OF_CALIBRATION = ("scale", "calibration_range", "value_range")


def contract(path: Path) -> dict[str, Any]:
    """What `prepcheck inspect` says, without what tells only of the build itself."""
    from prepcheck.readers.model import read_model

    document: dict[str, Any] = json.loads(read_model(path).model_dump_json(by_alias=True))
    for key in ("sha256", "file", "path", "size_bytes"):
        document.pop(key, None)
    for key in ("mnn.uuid", "uuid"):
        (document.get("metadata") or {}).pop(key, None)
    return document


def close(a: Any, b: Any, tolerance: float) -> bool:
    """Equal, or numbers that lie within `tolerance` of the larger one."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, bool) or isinstance(b, bool) or not all(isinstance(x, int | float) for x in (a, b)):
        return bool(a == b)
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-9)


def differences(rebuilt: Any, committed: Any, loose: float | None, path: tuple[Any, ...] = ()) -> Iterator[str]:
    """`field: rebuilt | committed` for every leaf that is not the same."""
    if isinstance(rebuilt, dict) and isinstance(committed, dict):
        for key in sorted({*rebuilt, *committed}):
            yield from differences(rebuilt.get(key), committed.get(key), loose, (*path, key))
    elif isinstance(rebuilt, list) and isinstance(committed, list) and any(isinstance(x, dict) for x in rebuilt):
        for k in range(max(len(rebuilt), len(committed))):
            pair = [side[k] if k < len(side) else None for side in (rebuilt, committed)]
            yield from differences(*pair, loose, (*path, k))
    else:
        field = path[-1] if path else None
        free = loose if loose is not None and path[0] == "outputs" else None
        if free is not None and field == "zero_point" and isinstance(rebuilt, int) and isinstance(committed, int):
            same = abs(rebuilt - committed) <= 255 * free
        else:
            same = close(rebuilt, committed, (free or ROUNDING) if field in OF_CALIBRATION else 0.0)
        if not same:
            yield f"{'.'.join(map(str, path))}: {rebuilt} | {committed}"


def stated(kind: str, name: str, document: dict[str, Any], loose: float | None) -> tuple[int, list[str]]:
    """How many fields expected.json states, and those that are not so."""
    from tests.readers.contract_expectations import expectations, get, same

    entries = json.loads((ROOT / "tests" / "data" / "models" / kind / "expected.json").read_text(encoding="utf-8"))
    if kind == "rknn":
        pairs = list(expectations(entries[f"{name}.rknn"]))
    else:
        keys = {"name": "name", "shape": "dims", "dtype": "dtype", "layout": "dformat"}
        rows = entries[name]["file"]["inputs"]
        pairs = [(("inputs", k, ours), row[theirs]) for k, row in enumerate(rows) for ours, theirs in keys.items()]
    wrong = []
    for path, want in pairs:
        got = get(document, path)
        # the committed file's own outputs were compared above
        free = loose is not None and path[0] == "outputs" and path[-1] in (*OF_CALIBRATION, "zero_point")
        if not free and not same(got, want):
            wrong.append(f"expected.json {'.'.join(map(str, path))}: {got} | {want}")
    return len(pairs), wrong


def beside(path: Path) -> list[Path]:
    """The file, and the weights that lie beside it."""
    return [f for f in (path, path.with_name(f"{path.name}.weight")) if f.exists()]


def tolerances(kind: str) -> dict[str, float | None]:
    """Name → what its recipe states as `calibrated`; every name that has a recipe."""
    if kind == "rknn":
        from recipes_rknn import RECIPES
        from rknn1_files import RKNN1

        return {**{name: recipe.calibrated for name, recipe in RECIPES.items()}, **dict.fromkeys(RKNN1)}
    from recipes_mnn import RECIPES as MNN

    return dict.fromkeys(MNN)


def main() -> int:
    """Print the table."""
    kind, folder, *only = sys.argv[1:]
    wide = tolerances(kind)
    bad = 0
    for name in only or sorted(wide):
        built, committed = (f / f"{name}.{kind}" for f in (Path(folder), ROOT / "tests" / "data" / "models" / kind))
        if not built.exists():
            bad += 1
            print(f"{name:32} not built")
            continue
        document = contract(built)
        found = list(differences(document, contract(committed), wide[name]))
        count, wrong = stated(kind, name, document, wide[name])
        found += wrong
        remark = f"{count} stated fields"
        bytes_of = [[UUID.sub(b"", f.read_bytes()) for f in beside(path)] for path in (built, committed)]
        if bytes_of[0] == bytes_of[1]:
            remark += ", the same bytes" + (" but for the random uuid" if kind == "mnn" else "")
        elif wide[name] is not None:
            apart = [d for d in differences(document, contract(committed), None) if ".scale:" in d]
            remark += "".join(f"; other pictures, {d}" for d in apart)
        print(f"{name:32} " + (f"differs ({'; '.join(found)})" if found else f"same ({remark})"))
        bad += bool(found)
    total = len(only or wide)
    print(f"{kind}: {total - bad}/{total} the same")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
