"""Runs a diagnosis on built bytes and says whether it is right: by name, or by re-creating the bytes from what it says."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from prepcheck.forensics import Diagnosis, Expected, diagnose
from tests.forensics.build import U8, Fault, build, pixels
from tests.forensics.contracts import Contract


@dataclass
class Outcome:
    truth: tuple[str, ...]
    diagnosis: Diagnosis
    right: bool
    parameters: bool
    seconds: float


def expected_for(image: U8, contract: Contract, previous: U8 | None = None) -> Expected:
    spec = contract.for_source(*image.shape[:2])
    px = pixels(image, contract, [])
    before = () if previous is None else (("previous", pixels(previous, contract, [])),)
    return Expected(image, "RGB", px, spec, None, (), before)


def run(
    image: U8,
    contract: Contract,
    faults: list[Fault],
    *,
    previous: U8 | None = None,
    given: bool = False,
    seed: int = 0,
    data: bytes | None = None,
) -> Outcome:
    """given: the diagnosis is told of the previous frame. data: the bytes, where they were built already."""
    data = build(image, contract, faults, previous=previous, seed=seed) if data is None else data
    expected = expected_for(image, contract, previous if given else None)
    start = time.process_time()
    found = diagnose(expected, data)
    seconds = time.process_time() - start
    names = tuple(f["name"] for f in faults)
    right = is_right(found, faults, image, contract, data)
    parameters = right and (parameters_right(found, faults, contract) or recreates(found, image, contract, data))
    return Outcome(names, found, right, parameters, seconds)


def is_right(found: Diagnosis, faults: list[Fault], image: U8, contract: Contract, data: bytes) -> bool:
    truth = sorted(f["name"] for f in faults)
    if found.verdict != "fault":
        return False
    classes = [tuple(f.name for f in found.faults), *found.alternatives]
    if truth in [sorted(c) for c in classes]:
        return True
    return len(found.faults) <= len(faults) and recreates(found, image, contract, data)


def recreates(found: Diagnosis, image: U8, contract: Contract, data: bytes) -> bool:
    """Whether the named faults with their parameters, put through the generator, give the bytes again."""
    spec = contract.for_source(*image.shape[:2])
    for at in ("source", "pixels"):
        for cast in ("clip", "trunc", "wrap"):
            chain: list[Fault] = [{"name": f.name, **f.evidence, "_cast": cast, "_at": at} for f in found.faults]
            try:
                made = build(image, contract, chain)
            except (KeyError, ValueError, TypeError, AssertionError, IndexError, cv2_error()):
                continue
            if len(made) != len(data):
                continue
            if made == data:
                return True
            kind = {"float32": "<f4", "float16": "<f2"}.get(spec.dtype, spec.dtype)
            a, b = (np.nan_to_num(np.frombuffer(x, kind).astype(np.float64)) for x in (made, data))
            span = float(np.ptp(np.clip(b, -1e6, 1e6))) or 1.0
            if float((np.abs(a - b) <= span * 3 / 255).mean()) > 0.985:
                return True
    return False


def cv2_error() -> type[Exception]:
    import cv2

    return cv2.error


def parameters_right(found: Diagnosis, faults: list[Fault], contract: Contract) -> bool:
    """Whether every parameter that the generator states is found with its value, where the names agree."""
    by = {f.name: f.evidence for f in found.faults}
    for fault in faults:
        evidence = by.get(fault["name"])
        if evidence is None:
            continue
        for key, want in fault.items():
            if key in ("name", "rest") or key.startswith("_"):
                continue
            planar = contract.spec.planar or "planar_instead_of_interleaved" in by
            if key == "rows" and planar and same(evidence[key], want * 3):
                continue  # counted through the planes
            if key not in evidence or not same(evidence[key], want):
                return False
    return True


def same(got: Any, want: Any) -> bool:
    if isinstance(want, str) or want is None:
        return got == want or want in ("ARGB",)
    a, b = (np.atleast_1d(np.asarray(v, float)) for v in (got, want))
    if a.size != b.size:
        a, b = (np.resize(v, max(a.size, b.size)) for v in (a, b))
    return bool(np.allclose(a, b, rtol=0.02, atol=1.0))
