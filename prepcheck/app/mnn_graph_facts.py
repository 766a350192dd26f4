"""What an MNN model's graph adds to a judgement: the OpenCL images it needs, and what its operators are called."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from prepcheck.core.opencl_image import GpuImage
from prepcheck.errors import PrepcheckError
from prepcheck.facts.log import LogBook
from prepcheck.facts.mnn_log import NamedOp

if TYPE_CHECKING:
    from prepcheck.contract.plan import Plan
    from prepcheck.readers.mnn_graph import GraphOp, MnnGraph

MAX_NAMED = 64
"""Operators that are looked up for one log."""


def graph_facts(path: str | os.PathLike[str], plan: Plan | None, backend: str | None) -> dict[str, tuple[object, ...]]:
    """`gpu_images` for a session on OpenCL; nothing for other backends, and where the graph cannot be read."""
    if backend != "opencl":
        return {}
    graph = _graph(path, _resized(plan))
    return {"gpu_images": gpu_images(graph)} if graph is not None else {}


def log_graph_facts(path: str | os.PathLike[str], book: LogBook) -> dict[str, tuple[object, ...]]:
    """`gpu_images`, and `mnn_ops`: the operators that lines of a log name."""
    names = {str(e.fields[key]) for e in book.events for key in ("op", "layer") if e.fields.get(key) is not None}
    images = any(e.kind == "mnn_image_alloc" for e in book.events)
    graph = _graph(path, {}) if names or images else None
    if graph is None:
        return {}
    return {"gpu_images": gpu_images(graph), "mnn_ops": named_ops(graph, sorted(names)[:MAX_NAMED])}


def named_ops(graph: MnnGraph, names: Collection[str]) -> tuple[NamedOp, ...]:
    """The operators of the given names. MNN's tools print names; a number there is a name too, not a place (measured)."""
    found = []
    for name in names:
        found += [_named(graph, name, op) for op in graph.named(name)[:2]]
    return tuple(found)


def _named(graph: MnnGraph, asked: str, op: GraphOp) -> NamedOp:
    def shapes(numbers: Sequence[int]) -> tuple[tuple[str, tuple[int, ...]], ...]:
        return tuple((graph.tensor_names[n], graph.shapes[n].axes) for n in numbers if n in graph.shapes)

    return NamedOp(asked, op.name, op.type_name, op.index, len(graph.ops), shapes(op.inputs), shapes(op.outputs))


def gpu_images(graph: MnnGraph) -> tuple[GpuImage, ...]:
    """Every image of the graph in image memory, the ones of inputs marked as such."""
    from prepcheck.readers.mnn_images import predict_images
    from prepcheck.readers.mnn_schema import OpType

    inputs = {graph.tensor_names[n] for op in graph.ops if op.type == OpType.INPUT for n in op.outputs}
    by_name = {name: graph.shapes[n].axes for n, name in enumerate(graph.tensor_names) if n in graph.shapes}
    convs = {op.index: op.conv for op in graph.ops if op.conv is not None}
    found = []
    for use in predict_images(graph):
        if use.what == "tensor":
            what = "input" if use.tensor in inputs else "tensor"
            shape = by_name.get(use.tensor or "", ())
            found.append(GpuImage(what, use.tensor or use.op_name, use.width, use.height, use.op_index, shape=shape))
            continue
        conv = convs[use.op_index]
        found.append(
            GpuImage(
                "filter", use.op_name, use.width, use.height, use.op_index, use.rule, use.sure, kernel=conv.kernel,
                ic=conv.filter_ic, oc=conv.oc,
            )
        )  # fmt: skip
    return tuple(found)


def _resized(plan: Plan | None) -> Mapping[str, Sequence[int]]:
    """The sizes that resizeTensor gives, by input."""
    from prepcheck.contract.calls import ResizeTensor

    calls = plan.calls if plan is not None else []
    return {c.tensor: c.shape for c in calls if isinstance(c, ResizeTensor) and c.tensor is not None}


def _graph(path: str | os.PathLike[str], inputs: Mapping[str, Sequence[int]]) -> MnnGraph | None:
    from prepcheck.readers.mnn_graph import read_graph
    from prepcheck.wire.source import Source

    try:
        with Source.open(path) as source:
            return read_graph(source, inputs)
    except PrepcheckError:
        return None  # its contract was read; what only the graph tells is left out
