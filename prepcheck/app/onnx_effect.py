"""validate --onnx: what the network behind a model answers to the planned input, and to the submitted one."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.app.answering import own_world, owner_of
from prepcheck.app.network import onnx_feeder
from prepcheck.app.run_effect import output_effect, run_details
from prepcheck.app.serving import Server
from prepcheck.core.layouts import dims_of
from prepcheck.facts.mnn_effect import RunEffect
from prepcheck.facts.world import World

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import Request
    from prepcheck.forensics.model import BufferSpec

_KNOWN = "state mean and std of the build in a plan"


def onnx_effect(world: World, request: Request) -> tuple[RunEffect | None, dict[str, object]]:
    """The runs, and their numbers as data; None where there is no picture.

    Raises UsageError where the network is not the model's, ServingError where it cannot be run.
    """
    import numpy as np

    contract = world.contract
    position = owner_of(contract) if contract is not None else None
    if contract is None or position is None or not request.images:
        return None, {}
    tensor = contract.inputs[position]
    dims = dims_of(tensor.layout or "", tensor.shape or [])
    paths = [p for n, p in request.images if n is None or n == tensor.name]
    if dims is None or not paths:
        return None, {}
    assert request.onnx is not None
    file = os.fspath(request.onnx)
    from prepcheck.app.expected import decode_color, prospect
    from prepcheck.forensics.answers import AS_PLANNED, hypotheses_for
    from prepcheck.forensics.answers.forward import Renderer
    from prepcheck.forensics.views import expected_view
    from prepcheck.readers.images import decode

    own = own_world(world, request, paths[0])
    color = decode_color(own, position)
    expected = prospect(own, position, decode(paths[0], color, max_pixels=request.max_pixels), color, []).expected
    renderer = Renderer(expected)
    planned = next(
        h for h in hypotheses_for(renderer.spec, (1, 1), previous=False, file_format=None) if h.name == AS_PLANNED
    )
    elements = renderer.elements(planned)
    assert elements is not None
    with Server(Path(file), onnx=True) as server:
        feeder = onnx_feeder(world, tensor, position, dims, expected.spec, server.inputs, file)
        if feeder is None or len(server.inputs) > 1:
            why = (
                "mean and std of the model are not known"
                if feeder is None
                else f"the network has {len(server.inputs)} inputs"
            )
            return RunEffect(
                problem=why, supply=_KNOWN if feeder is None else "dump all of them and run it yourself"
            ), {}
        want = server.run({feeder.name: feeder.array(elements)})
        got, problem = None, None
        label = tensor.name or f"inputs[{position}]"
        for name, given in request.buffers:
            if name not in (None, label):
                continue
            data = _submitted(given)
            if data is None or data.size != expected.spec.nbytes:
                count = "?" if data is None else data.size
                problem = f"the submitted buffer has {count} bytes, the input takes {expected.spec.nbytes}"
                continue
            got = server.run(
                {feeder.name: feeder.array(np.ascontiguousarray(expected_view(_single(expected.spec)).read(data)[0]))}
            )
    outputs = tuple(output_effect(n, want[n], None if got is None else got[n]) for n in server.outputs if n in want)
    effect = RunEffect(
        outputs, (label,) if got is not None else (), (), problem, "give the bytes in the form of the hand-over"
    )
    return effect, {**run_details(effect), "backend": "onnxruntime"}


def _single(spec: BufferSpec) -> BufferSpec:
    return replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec


def _submitted(given: str | os.PathLike[str] | NDArray[np.generic]) -> NDArray[np.uint8] | None:
    """The bytes of a submitted buffer as they lie in memory."""
    import numpy as np

    from prepcheck.readers.arrays import load_array, npy_header, read_bytes

    if isinstance(given, (str, os.PathLike)):
        data = read_bytes(given)
        if npy_header(data, os.fspath(given)) is None:
            return np.frombuffer(data, np.uint8)
        given = load_array(data, os.fspath(given), None, None)
    return np.ascontiguousarray(given).reshape(-1).view(np.uint8)
