"""Batches: the faults of the first picture, then how many of the slots hold what they should."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prepcheck.forensics.case import Case
from prepcheck.forensics.model import BufferSpec, Expected, Fault, Pixels
from prepcheck.forensics.search import Found
from prepcheck.forensics.verify import compare, with_mix

_WHOLE = 0.97


def with_batch(expected: Expected, spec: BufferSpec, found: Found, buffer: Pixels) -> Found:
    """The explanation of the first slot, with `batch_partial` where later slots do not follow it."""
    if spec.batch == 1 or found.trial is None or found.trial.partial is not None:
        return found
    trial, view = found.trial, found.trial.view
    slot = view.pitch * view.height * (view.channels if view.planar else 1)
    filled = 1
    least = min(_WHOLE, 0.9 * found.within)
    for n in range(1, spec.batch):
        at = view.offset + n * slot
        if at + slot > len(buffer):
            if len(buffer) >= spec.nbytes:
                filled = spec.batch  # something took the room of this slot: it does not say that it was left out
            break
        pixels = expected.pixels[n] if expected.pixels.ndim == 4 else expected.pixels
        case = Case(replace(expected, pixels=pixels, buffer=None), replace(spec, shape=(1, *spec.shape[1:])), buffer)
        array, known = replace(view, offset=at).read(buffer)
        verified = compare(np.asarray(array), with_mix(case.whole(trial.pose), trial.fit, spec), trial.fit, known)
        if verified.share < least:
            break
        filled += 1
    if filled == spec.batch:
        return found
    fault = Fault("batch_partial", {"filled": filled, "batch": spec.batch})
    return replace(found, faults=(*found.faults, fault))
