"""RKNN2 models (`.rknn` of rknn-toolkit2), full and mini containers → Contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from prepcheck.contract.base import Dtype, Layout
from prepcheck.contract.contract import Contract, Note, Source, Tensor
from prepcheck.core.dtypes import BITS
from prepcheck.core.rockchip import NPU_TAGS
from prepcheck.errors import CorruptError, PrepcheckError
from prepcheck.readers.notes import note
from prepcheck.readers.provenance import FILE
from prepcheck.readers.rknn2_attrs import Described, Reported, Setting, describe_input, describe_output
from prepcheck.readers.rknn2_generator import Origin, read_generator
from prepcheck.readers.rknn2_graph import Root, read_root
from prepcheck.readers.rknn2_notes import json_notes, platform_notes, tensor_notes
from prepcheck.readers.rknn2_schema import FULL, MINI
from prepcheck.readers.rknn_container import Container, container_notes, read_json
from prepcheck.readers.rknn_json import JsonTensor, graph_tensors, target_platforms
from prepcheck.wire.jsontext import parse_object
from prepcheck.wire.source import Source as FileSource
from prepcheck.wire.values import Value, mapping, text
from prepcheck.wire.window import Window

MAX_BATCH: Final = 1 << 16
_SUBHEADER: Final = 64
_OLDEST_MINI: Final = 4
"""Low version byte from which on a mini's configuration is a flatbuffer: librknnmrt 2.3.2 answers "failed to decode
config data!" to smaller ones (measured by patching the byte)."""


def read_rknn2(source: FileSource, container: Container, name: str) -> Contract:
    """The contract of a full or mini container. Raises ReadError of the kind that fits."""
    table = read_json(source, container.json_at, container.json_size)
    if container.form == "rknn2-mini" and container.version & 0xFF < _OLDEST_MINI:
        return _from_json(container, table, name)
    mini = container.form == "rknn2-mini"
    window = _mini_window(source, container) if mini else Window(source, container.payload_at, container.payload_size)
    root = read_root(window, MINI if mini else FULL)
    targets = target_platforms(table)
    platforms = _platforms(root.tag, root.target, targets)
    setting = Setting(_batch(root, name), platforms[0] if platforms else None, mini)
    origins, unreadable = read_generator(root.generator)
    reported_in, in_fault = _reported(root.input_json, name, "inputs")
    reported_out, out_fault = _reported(root.output_json, name, "outputs")
    inputs = [
        describe_input(
            k,
            raw,
            reported_in.get(raw.name, Reported()),
            root.norms[k] if k < len(root.norms) else None,
            origins.get(raw.name, Origin()),
            root.input_shapes[k] if root.input_shapes else (),
            setting,
        )
        for k, raw in enumerate(root.inputs)
    ]
    outputs = [
        describe_output(
            k,
            raw,
            reported_out.get(raw.name, Reported()),
            origins.get(raw.name, Origin()),
            root.output_shapes[k] if root.output_shapes else (),
            setting,
        )
        for k, raw in enumerate(root.outputs)
    ]
    notes = [
        *container_notes(container),
        *platform_notes(root, container, platforms, targets),
        *([note("generator_unreadable", reason=unreadable)] if unreadable else []),
        *in_fault,
        *out_fault,
        *tensor_notes(inputs, outputs, mini),
        *_json_part_notes(table, inputs, root, name),
    ]
    return Contract.made(
        schema="prepcheck/contract/v1",
        runtime="rknn",
        platforms=platforms or None,
        toolkit=text(table.get("version")) or root.build.split("(")[0] or None,
        custom_string=root.custom_string or None,
        quantized=root.quantized,
        batch=setting.batch,
        container=container.label,
        inputs=[d.tensor for d in inputs],
        outputs=[d.tensor for d in outputs],
        metadata=_metadata(root, table),
        notes=notes,
    )


def _mini_window(source: FileSource, container: Container) -> Window:
    """The flatbuffer of a mini: the last part of the payload, its size first in the payload's own header.

    Source: measured on 86 of 86 mini models.
    """
    if container.payload_size < _SUBHEADER:
        raise CorruptError(
            f"{source.name}: the payload of a mini container has {container.payload_size} bytes; its header has 64."
        )
    size = int.from_bytes(source.read(container.payload_at, 4), "little")
    if not 8 <= size <= container.payload_size - _SUBHEADER:
        raise CorruptError(
            f"{source.name}: byte {container.payload_at}: the description is said to have {size} bytes, and the payload "
            f"has {container.payload_size}, 64 of them its header."
        )
    return Window(source, container.payload_at + container.payload_size - size, size)


def _batch(root: Root, name: str) -> int:
    """rknn_batch_size: a decimal number in root string 14; "0", "1" and none mean 1."""
    if root.batch in (None, "", "0", "1"):
        return 1
    stated = root.batch or ""
    if not (stated.isascii() and stated.isdigit() and len(stated) <= 6 and int(stated) <= MAX_BATCH):
        raise CorruptError(f"{name}: the batch size is {stated[:40]!r}; a number of at most {MAX_BATCH} is expected.")
    return int(stated)


def _platforms(tag: str, target: str, json_targets: list[str]) -> list[str]:
    """The chips. The runtime goes by the tag of the compiled graph; the target text only chooses among its chips."""
    stated = [target] if target else json_targets
    by_tag = NPU_TAGS.get(tag)
    if by_tag is None:
        return stated
    fitting = [t for t in stated if t in by_tag]
    return fitting or list(by_tag)


def _reported(text_json: str | None, name: str, side: str) -> tuple[dict[str, Reported], list[Note]]:
    """Layout and type by tensor name, from root string 12 or 13; a note where it does not parse."""
    if not text_json:
        return {}, []
    try:
        table = parse_object(text_json.encode("utf-8", "replace"), f"{name}: {side} as reported")
    except PrepcheckError:
        return {}, [note("reported_layout_unreadable", side=side)]
    return {key: _one_reported(value) for key, value in table.items()}, []


def _one_reported(value: Value) -> Reported:
    row = mapping(value)
    dtype, layout = text(row.get("dtype")), text(row.get("layout"))
    return Reported(layout=layout, dtype=dtype if dtype in BITS else None)


def _json_part_notes(table: Mapping[str, Value], inputs: list[Described], root: Root, name: str) -> list[Note]:
    """Where the JSON part names other inputs than the graph. It is no more than a second opinion: faults are passed over."""
    if root.input_shapes:  # dynamic: the JSON part has one of the shapes
        return []
    try:
        return json_notes(graph_tensors(table, "input", name), inputs)
    except CorruptError:
        return []


def _metadata(root: Root, table: Mapping[str, Value]) -> dict[str, str]:
    """What else the file says, as text."""
    compiler = (
        f"{root.compiler // 10000}.{root.compiler // 100 % 100}.{root.compiler % 100}" if root.compiler > 0 else ""
    )
    found = {
        "npu": root.tag,
        "target": root.target,
        "origin": root.origin or text(table.get("ori_network_platform")) or "",
        "compiler": compiler,
        "build": root.build,
        "custom_op": root.custom_op,
        "format_level": str(root.level),
    }
    return {key: value for key, value in found.items() if value}


def _from_json(container: Container, table: Mapping[str, Value], name: str) -> Contract:
    """A mini whose configuration cannot be read: what its JSON part says, everything else unknown."""
    inputs, outputs = graph_tensors(table, "input", name), graph_tensors(table, "output", name)
    if not inputs:
        raise CorruptError(f"{name}: the JSON part at byte {container.json_at} names no input.")
    return Contract.made(
        schema="prepcheck/contract/v1",
        runtime="rknn",
        platforms=target_platforms(table) or None,
        toolkit=text(table.get("version")),
        quantized=any(text(t.dtype.get("qnt_type")) for t in (*inputs, *outputs)),
        batch=1,
        container=container.label,
        inputs=[_json_tensor(k, t, "input") for k, t in enumerate(inputs)],
        outputs=[_json_tensor(k, t, "output") for k, t in enumerate(outputs)],
        notes=[*container_notes(container), note("mini_config_encoded", version=container.version)],
    )


def _json_tensor(index: int, found: JsonTensor, side: str) -> Tensor:
    """A tensor of which name, dims and type are known. dims are in the original network's order."""
    dims = list(found.size)
    image = len(dims) == 4
    shape = [dims[0], dims[2], dims[3], dims[1]] if image and side == "input" else dims
    layout = ("NHWC" if side == "input" else "NCHW") if image else "UNDEFINED"
    dtype = text(found.dtype.get("vx_type"))
    rule = "rule:RK-NHWC-REPORTED" if side == "input" else "rule:RK-NCHW-OUTPUT"
    provenance = {"layout": rule, "shape": rule}
    if found.name is not None:
        provenance["name"] = FILE
    if dtype in BITS:
        provenance["dtype"] = FILE
    if image:
        provenance["source.layout"] = "rule:RK-SOURCE-NCHW"
    return Tensor.made(
        index=index,
        name=found.name,
        layout=cast(Layout, layout),
        shape=shape,
        dtype=cast("Dtype | None", dtype if dtype in BITS else None),
        source=Source.made(layout="NCHW" if image else "UNDEFINED", shape=dims),
        provenance=provenance,
    )
