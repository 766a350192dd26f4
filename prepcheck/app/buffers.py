"""Submitted bytes → diagnoses: each buffer of the request is held against what its image should have become."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract
from prepcheck.core.plain import to_value
from prepcheck.errors import UsageError
from prepcheck.facts.diagnosis import BufferDiagnosis
from prepcheck.facts.world import ArrayFacts, ImageFacts, World, image_input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import Request
    from prepcheck.forensics.model import Diagnosis


def diagnoses(world: World, request: Request) -> tuple[list[BufferDiagnosis], dict[str, ArrayFacts]]:
    """One diagnosis for each submitted buffer that belongs to a picture, and array facts for the others.

    Raises UsageError where a buffer names no input, or no image was given for a picture's buffer.
    """
    found: list[BufferDiagnosis] = []
    facts: dict[str, ArrayFacts] = {}
    contract = world.contract
    if contract is None:
        raise UsageError("--buffer needs a model (or a plan with one): bytes alone say nothing")
    for name, given in request.buffers:
        position = position_of(contract, name)
        label = contract.inputs[position].name or f"inputs[{position}]"
        image = _image(request, world.images, contract, position)
        if image is None:
            raise UsageError(
                f"--buffer for {label}: give the image that it was made from too (validate MODEL IMAGE --buffer F), "
                f"so that the bytes can be compared with what they should be"
            )
        found.append(_one(world, request, position, label, given, image))
    return found, facts


def position_of(contract: Contract, name: str | None) -> int:
    """The input that a buffer is for. Raises UsageError where the name is none of the model's, or none is given of several."""
    names = [t.name or f"inputs[{i}]" for i, t in enumerate(contract.inputs)]
    if name is not None:
        if name not in names:
            raise UsageError(f"--buffer {name}=…: the model has no input {name}; it has {', '.join(names)}")
        return names.index(name)
    if len(names) == 1:
        return 0
    owner = image_input(contract)
    if owner is None or owner.index is None:
        raise UsageError(f"--buffer: the model has {len(names)} inputs ({', '.join(names)}); say which with NAME=F")
    return owner.index


def _image(
    request: Request, images: tuple[ImageFacts, ...], contract: Contract, position: int
) -> str | os.PathLike[str] | None:
    named = [(n, p) for n, p in request.images if n is not None]
    for n, p in named:
        if n == contract.inputs[position].name:
            return p
    return None if named or not request.images else request.images[0][1]


def _one(
    world: World,
    request: Request,
    position: int,
    label: str,
    given: str | os.PathLike[str] | NDArray[np.generic],
    image: str | os.PathLike[str],
) -> BufferDiagnosis:
    from prepcheck.app.expected import decode_color, prospect
    from prepcheck.forensics.diagnose import diagnose
    from prepcheck.readers.arrays import load_array, npy_header, read_bytes
    from prepcheck.readers.images import decode

    color = decode_color(world, position)
    pixels = decode(image, color, max_pixels=request.max_pixels)
    earlier: list[tuple[str, NDArray[np.uint8]]] = []
    others = [request.previous] if request.previous is not None else []
    others += [path for n, path in request.images if path != image and n is None]
    for path in others[:4]:
        earlier.append((os.fspath(path), decode(path, color, max_pixels=request.max_pixels)))
    outlook = prospect(world, position, pixels, color, earlier)
    submitted: bytes | NDArray[np.generic]
    if isinstance(given, (str, os.PathLike)):
        shown = os.fspath(given)
        data = read_bytes(given)
        submitted = load_array(data, shown, None, None) if npy_header(data, shown) is not None else data
    else:
        shown, submitted = "<array>", given
    return _fact(diagnose(outlook.expected, submitted), outlook, label, shown, position, os.fspath(image))


def _fact(d: Diagnosis, outlook: object, label: str, file: str, position: int, image: str) -> BufferDiagnosis:
    from prepcheck.app.expected import Prospect

    assert isinstance(outlook, Prospect)
    base = BufferDiagnosis(
        buffer=label, file=file, input=position, verdict=d.verdict, fault=d.fault, faults=tuple(f.name for f in d.faults),
        evidence={key: to_value(value) for key, value in d.evidence.items()}, score=d.score, handover=d.handover, alternatives=d.alternatives, cannot_show=d.cannot_show,
        implementation=d.implementation, correlation=d.correlation, settled=outlook.settled,
        filter_stated=outlook.filter_stated, image=image, expected_handover=outlook.expected.spec.label,
    )  # fmt: skip
    if d.difference is not None:
        base = replace(base, max_difference=d.difference.max, mean_difference=d.difference.mean, psnr=d.difference.psnr)
    if d.effect is not None:
        base = replace(
            base, saturated=d.effect.saturated, distinct=d.effect.distinct, distinct_expected=d.effect.distinct_expected,
            effect_psnr=d.effect.psnr, saturated_expected=d.effect.saturated_expected,
        )  # fmt: skip
    return base
