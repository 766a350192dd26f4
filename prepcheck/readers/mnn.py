"""A .mnn file → its contract. Only headers, names and parameters are read; weights are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract, Note, Tensor
from prepcheck.readers.mnn_inputs import input_tensor, quantization
from prepcheck.readers.mnn_meta import converter_version, metadata
from prepcheck.readers.mnn_net import MnnNet, open_net
from prepcheck.readers.mnn_schema import USAGE_STATIC, USAGE_TRAIN, Net
from prepcheck.readers.mnn_survey import Survey, survey
from prepcheck.readers.mnn_tail import tail_notes
from prepcheck.readers.mnn_weights import sidecar_notes
from prepcheck.readers.notes import note
from prepcheck.readers.provenance import FILE
from prepcheck.wire.source import Source

if TYPE_CHECKING:
    from prepcheck.readers.mnn_graph import Shape


def read_mnn(source: Source, name: str) -> Contract:
    """The contract of the model in `source`. name: its path, beside which a .weight file is looked for.

    Inputs stand in file order (getSessionInput without a name takes the alphabetically first instead), with the axes and
    the layout as the file has them: NC4HW4 with the logical N, C, H, W, which getDimensionType does not tell from NCHW.
    Outputs have names only, but in static models, whose files hold shapes of every tensor. Raises the errors of `open_net`.
    """
    net = open_net(source)
    found = survey(net)
    quants = quantization(net)
    inputs: list[Tensor] = []
    notes: list[Note] = []
    for position, op in enumerate(found.inputs):
        tensor, odd = input_tensor(net, op, position, quants)
        inputs.append(tensor)
        notes += odd
    fields, unreadable = metadata(net)
    notes += _mixed(inputs) + _usage(net.root.integer(Net.USAGE, "b")) + sidecar_notes(found, name)
    notes += tail_notes(net, found) + unreadable
    return Contract.made(
        runtime="mnn",
        toolkit=converter_version(net),
        quantized=bool(quants) or found.int8,
        batch=_batch(inputs),
        container="mnn",
        inputs=inputs,
        outputs=_outputs(net, found),
        metadata=fields,
        notes=notes,
    )


def _outputs(net: MnnNet, found: Survey) -> list[Tensor]:
    origin = "rule:MN-OUTPUT-UNREAD" if found.derived else FILE
    bare = [Tensor.made(index=i, name=n, provenance={"name": origin}) for i, n in enumerate(found.output_names)]
    if net.root.integer(Net.USAGE, "b") != USAGE_STATIC:
        return bare
    from prepcheck.readers.mnn_shapes import described_shapes

    stated = {net.names[i]: shape for i, shape in described_shapes(net).items() if 0 <= i < len(net.names)}
    return [_described(tensor, stated.get(tensor.name or "")) for tensor in bare]


def _described(tensor: Tensor, shape: Shape | None) -> Tensor:
    if shape is None:
        return tensor
    origin = tensor.provenance | {"layout": FILE, "shape": FILE}
    return tensor.model_copy(update={"layout": shape.layout, "shape": list(shape.axes), "provenance": origin})


def _batch(inputs: list[Tensor]) -> int | None:
    """First axis of the image inputs (four axes) where they agree, −1 being run as 1; None otherwise."""
    firsts = {1 if t.shape[0] == -1 else t.shape[0] for t in inputs if t.shape is not None and len(t.shape) == 4}
    return firsts.pop() if len(firsts) == 1 else None


def _mixed(inputs: list[Tensor]) -> list[Note]:
    layouts: list[str] = [t.layout or "UNDEFINED" for t in inputs]
    if len(set(layouts)) < 2:
        return []
    return [note("mixed_layouts", names=[t.name or "" for t in inputs], layouts=layouts)]


def _usage(usage: int) -> list[Note]:
    kinds = {USAGE_STATIC: "static_model", USAGE_TRAIN: "training_model"}
    return [note(kinds[usage])] if usage in kinds else []
