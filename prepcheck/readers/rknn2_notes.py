"""What an RKNN2 file makes a reader wonder about, as notes (`prepcheck.readers.notes` lists the kinds)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from prepcheck.contract.contract import Note
from prepcheck.core.rockchip import MINI, NPU_TAGS
from prepcheck.readers.notes import note
from prepcheck.readers.rknn2_attrs import Described
from prepcheck.readers.rknn2_graph import Root
from prepcheck.readers.rknn_container import Container
from prepcheck.readers.rknn_json import JsonTensor

_Y, _UV = "_y_channel", "_uv_channel"
"""Endings that the converter gives the two inputs of inputs_yuv_fmt. Source: measured, rknn-toolkit2 2.5.0."""
_BREAKING: Final = "'\"\\"
"""Characters in an input name at which librknnrt 1.5.2 aborts in rknn_query (measured)."""
_RANK_OF_RUNTIME: Final = 5
"""librknnrt 1.5.2 answers 1 to 5 dimensions rightly, and four wrong ones for six (measured)."""


def platform_notes(root: Root, container: Container, platforms: list[str], targets: list[str]) -> Iterator[Note]:
    """The NPU tag against the target texts; a container that the chip's runtime refuses."""
    stated = ([root.target] if root.target else []) + [t for t in targets if t != root.target]
    by_tag = NPU_TAGS.get(root.tag)
    if by_tag is None:
        yield note("unknown_npu_tag", tag=root.tag, target=", ".join(stated))
    elif any(t not in by_tag for t in stated):
        yield note("platform_disagrees", tag=root.tag, tag_platforms=list(by_tag), target=", ".join(stated))
    if container.form == "rknn2-full" and platforms and platforms[0] in MINI:
        shapes = len(root.input_shapes[0]) if root.input_shapes else 1
        if shapes > 1:
            yield note("dynamic_on_mini", platform=platforms[0], version=container.version, shapes=shapes)
        else:
            yield note("full_on_mini", platform=platforms[0], version=container.version)


def tensor_notes(inputs: Sequence[Described], outputs: Sequence[Described], mini: bool) -> Iterator[Note]:
    """Everything about single tensors, in their order, and the pair of YUV inputs."""
    for k, described in enumerate(inputs):
        yield from _shape_notes(k, described)
        yield from _value_notes(k, described, mini)
        yield from _size_notes(k, described)
    for k, described in enumerate(outputs):
        yield from _type_notes(described, output=k)
    yield from _yuv_notes(inputs)


def _shape_notes(k: int, described: Described) -> Iterator[Note]:
    raw, tensor = described.raw, described.tensor
    dims = list(raw.dims)
    if len(dims) > _RANK_OF_RUNTIME:
        yield note("too_many_dims", input=k, name=raw.name, dims=dims)
    # A tensor [N, H, W, C] that was taken for [N, C, H, W]: many "channels" and rows, and 1, 3 or 4 "columns".
    if len(dims) == 4 and tensor.layout == "NHWC" and dims[1] > 4 and dims[2] > 4 and dims[3] in (1, 3, 4):
        yield note("nhwc_origin", input=k, name=raw.name, dims=dims, reported=tensor.shape)


def _value_notes(k: int, described: Described, mini: bool) -> Iterator[Note]:
    raw, tensor = described.raw, described.tensor
    means, stds = tensor.mean or [], tensor.std or []
    if len(raw.dims) != 4 and (any(means) or any(s != 1 for s in stds)):
        yield note("mean_on_vector_input", input=k, name=raw.name, dims=list(raw.dims))
    channels = raw.dims[1] if len(raw.dims) == 4 else None
    short = channels and (0 < len(means) < channels or 0 < len(stds) < channels)
    if short and (len(set(means)) > 1 or len(set(stds)) > 1):
        yield note("mean_list_short", input=k, name=raw.name, channels=channels, means=len(means), stds=len(stds))
    if tensor.rgb2bgr:
        yield note("calibrated_bgr", input=k, name=raw.name)
    breaking = "".join(c for c in _BREAKING if c in raw.name)
    if breaking and not mini:
        yield note("name_breaks_runtime", input=k, name=raw.name, characters=breaking)
    yield from _type_notes(described, input=k)


def _type_notes(described: Described, **where: int) -> Iterator[Note]:
    raw, tensor = described.raw, described.tensor
    if tensor.dtype not in (raw.dtype, "bool"):
        yield note("reported_dtype_differs", **where, name=raw.name, reported=tensor.dtype, stored=raw.dtype)
    if raw.scale == 0 and tensor.scheme == "affine":
        yield note("zero_scale", **where, name=raw.name)


def _size_notes(k: int, described: Described) -> Iterator[Note]:
    """Stored bytes against rows × pitch × channels. They may be more (measured: rk3562 by toolkit 1.4.1, 50304 for 49152)."""
    stored, computed = described.native.size_with_stride, described.native.computed
    if stored is not None and computed is not None and stored != computed:
        kind = "size_slack" if stored > computed else "size_short"
        yield note(kind, input=k, name=described.raw.name, stored=stored, computed=computed)


def _yuv_notes(inputs: Sequence[Described]) -> Iterator[Note]:
    """Pairs NAME_y_channel [1, 1, H, W] and NAME_uv_channel [1, 1, H/2, W]."""
    by_name = {d.raw.name: k for k, d in enumerate(inputs)}
    for name, k in by_name.items():
        pair = by_name.get(name.removesuffix(_Y) + _UV) if name.endswith(_Y) else None
        if pair is None:
            continue
        luma, chroma = inputs[k].raw.dims, inputs[pair].raw.dims
        if len(luma) == len(chroma) == 4 and luma[3] == chroma[3] and luma[2] == 2 * chroma[2]:
            yield note("yuv_inputs", y=k, uv=pair, size=[luma[3], luma[2]])


def json_notes(stated: Sequence[JsonTensor], inputs: Sequence[Described]) -> list[Note]:
    """The JSON part's inputs against the graph's."""
    found: list[Note] = []
    for k, (other, described) in enumerate(zip(stated, inputs, strict=False)):
        raw = described.raw
        if other.name is not None and other.name != raw.name:
            found.append(note("json_disagrees", input=k, field="name", graph=raw.name, json=other.name))
        if other.size != raw.dims:
            found.append(note("json_disagrees", input=k, field="dims", graph=list(raw.dims), json=list(other.size)))
    return found
