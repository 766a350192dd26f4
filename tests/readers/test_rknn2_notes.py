"""Notes of RKNN2 files: for each kind, the nearest tensor that gets it and the nearest that does not, with all its values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prepcheck.contract.contract import Note
from prepcheck.readers.rknn2_attrs import Described, Reported, Setting, describe_input, describe_output
from prepcheck.readers.rknn2_generator import Origin
from prepcheck.readers.rknn2_graph import Norm, RawTensor, Root
from prepcheck.readers.rknn2_notes import json_notes, platform_notes, tensor_notes
from prepcheck.readers.rknn_container import Container
from prepcheck.readers.rknn_json import JsonTensor

IMAGE = RawTensor("images", "int8", 64, (1, 3, 20, 36), (1, 1, 20, 36, 3), 0.5, -128, 2880, 16, True, None)
VECTOR = RawTensor("vec", "float32", 0, (1, 6), (1, 6), None, None, 24, 0, False, None)
FULL, MINI_BOX = Container(6, "rknn2-full", 64, 0, 0, 0, 0), Container(0x1004, "rknn2-mini", 64, 0, 0, 0, 0)
Row = tuple[str, dict[str, Any]]


def rows(notes: list[Note]) -> list[Row]:
    return [(n.kind, n.values) for n in notes]


def described(
    raw: RawTensor, norm: Norm | None = None, reported: Reported | None = None, origin: Origin | None = None
) -> Described:
    setting = Setting(1, "rk3588", False)
    return describe_input(0, raw, reported or Reported(), norm, origin or Origin(), (), setting)


def one(raw: RawTensor, *norm: tuple[float, ...], mini: bool = False, **more: Any) -> list[Row]:
    """Notes of input 1, behind a plain vector."""
    second = described(raw, Norm(*norm) if norm else None, **more)
    return rows(list(tensor_notes([described(VECTOR), second], [], mini)))


def root(tag: str = "RKNPU v2", target: str = "rk3588", shapes: int = 0) -> Root:
    inputs = ((((1, 6),) * shapes),) if shapes else ()
    return Root(6, tag, "", 0, "", target, "", "", None, None, None, "", (VECTOR,), (), (), inputs, (), False)


def about(found: Root, platforms: list[str], targets: list[str], container: Container = FULL) -> list[Row]:
    return rows(list(platform_notes(found, container, platforms, targets)))


def test_tag_against_the_targets() -> None:
    """Tags measured on builds for every target: "RKNPU v2" rk3588, "RKNPU lite" rk3566 and rk3568."""
    assert about(root(), ["rk3588"], ["rk3588"]) == []
    assert about(root(target=""), ["rk3588"], []) == []
    assert about(root("RKNPU lite", "rk3566"), ["rk3566"], ["rk3568"]) == []
    assert about(root(target="rk3566"), ["rk3588"], ["rk3588", "rk3566"]) == [
        ("platform_disagrees", {"tag": "RKNPU v2", "tag_platforms": ["rk3588"], "target": "rk3566, rk3588"})
    ]
    assert about(root("RKNPU lite", ""), ["rk3566"], ["rk3566", "rk3588"]) == [
        ("platform_disagrees", {"tag": "RKNPU lite", "tag_platforms": ["rk3566", "rk3568"], "target": "rk3566, rk3588"})
    ]
    assert about(root("RKNPU zz", "rk3588"), ["rk3588"], ["rk3588", "rk3576"]) == [
        ("unknown_npu_tag", {"tag": "RKNPU zz", "target": "rk3588, rk3576"})
    ]


def test_full_container_on_a_chip_that_runs_minis() -> None:
    """rv1103 and rv1106 run mini containers only; with two shapes the toolkit had no other choice."""
    small = root("RKNPU t3", "rv1106")
    assert about(small, ["rv1106"], []) == [("full_on_mini", {"platform": "rv1106", "version": 6})]
    assert about(replace_shapes(small, 1), ["rv1106"], []) == [("full_on_mini", {"platform": "rv1106", "version": 6})]
    assert about(replace_shapes(small, 2), ["rv1106", "rk3588"], []) == [
        ("dynamic_on_mini", {"platform": "rv1106", "version": 6, "shapes": 2})
    ]
    assert about(small, ["rv1106"], [], MINI_BOX) == []
    assert about(small, [], []) == []
    assert about(root(), ["rk3588", "rv1106"], []) == []


def replace_shapes(found: Root, shapes: int) -> Root:
    return root(found.tag, found.target, shapes)


def test_nothing_odd() -> None:
    assert one(IMAGE) == []
    assert one(IMAGE, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == []
    assert one(VECTOR, (0.0,) * 6, (1.0,) * 6) == []


def test_dims() -> None:
    """More than five; and [N, H, W, C] taken for [N, C, H, W]: 1, 3 or 4 columns, more than four channels and rows."""
    five, six = (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6)
    assert one(replace(VECTOR, dims=five, native=five)) == []
    assert one(replace(VECTOR, dims=six, native=six)) == [
        ("too_many_dims", {"input": 1, "name": "vec", "dims": list(six)})
    ]

    def kinds(*dims: int, **more: Any) -> list[Row]:
        raw = replace(IMAGE, dims=dims, native=(1, 8, dims[2], dims[3], 16), alignment=0, strided=False, nbytes=0)
        return one(raw, **more)

    for dims in ((1, 5, 5, 1), (1, 20, 36, 3), (1, 20, 36, 4)):
        assert kinds(*dims) == [
            ("nhwc_origin", {"input": 1, "name": "images", "dims": list(dims), "reported": [1, *dims[2:], dims[1]]})
        ]
    for dims in ((1, 4, 5, 1), (1, 5, 4, 1), (1, 20, 36, 2), (1, 20, 36, 5), (1, 3, 20, 36)):
        assert kinds(*dims) == []
    assert kinds(1, 20, 36, 3, reported=Reported("NCHW")) == []


def test_means_of_a_vector() -> None:
    want = [("mean_on_vector_input", {"input": 1, "name": "vec", "dims": [1, 6]})]
    assert one(VECTOR, (0.0, 1.0), (1.0,)) == want
    assert one(VECTOR, (0.0,), (1.0, 2.0)) == want
    assert one(VECTOR, (0.0,), (0.0,)) == want
    assert one(VECTOR, (), (1.0, 1.0)) == []
    assert one(IMAGE, (9.0,) * 3, (9.0,) * 3) == []


def test_lists_shorter_than_the_channels() -> None:
    """Not where all entries are alike: four zeros stand for any number of channels."""

    def short(*norm: tuple[float, ...]) -> list[Row]:
        return one(IMAGE, *norm)

    def want(means: int, stds: int) -> list[Row]:
        return [
            ("mean_list_short", {"input": 1, "name": "images", "channels": 3, "means": means, "stds": stds}),
        ]

    assert short((1.0, 2.0), (1.0, 1.0, 1.0)) == want(2, 3)
    assert short((1.0, 1.0, 1.0), (1.0, 2.0)) == want(3, 2)
    assert short((1.0, 2.0), ()) == want(2, 0)
    assert short((), (3.0, 2.0)) == want(0, 2)
    assert short((1.0, 1.0), (1.0, 2.0, 3.0)) == want(2, 3)
    assert short((1.0, 2.0, 3.0), (1.0,)) == want(3, 1)
    assert short((1.0, 1.0), (2.0, 2.0)) == []
    assert short((1.0,), (2.0,)) == []
    assert short((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == []
    assert short((), ()) == []
    assert short((1.0, 2.0, 3.0), ()) == []
    assert "mean_list_short" not in dict(one(VECTOR, (0.0, 1.0), (1.0,)))


def test_names_bgr_and_types() -> None:
    assert one(replace(IMAGE, name="a'b\\c\"d'"), mini=False) == [
        ("name_breaks_runtime", {"input": 1, "name": "a'b\\c\"d'", "characters": "'\"\\"})
    ]
    assert one(replace(IMAGE, name="it's"), mini=True) == []
    assert one(replace(IMAGE, name="a/b:0 c")) == []
    assert one(IMAGE, origin=Origin(rgb2bgr=True)) == [("calibrated_bgr", {"input": 1, "name": "images"})]
    assert one(IMAGE, origin=Origin(rgb2bgr=False)) == []
    assert one(IMAGE, reported=Reported(None, "uint8")) == [
        ("reported_dtype_differs", {"input": 1, "name": "images", "reported": "uint8", "stored": "int8"})
    ]
    assert one(IMAGE, reported=Reported(None, "bool")) == []
    assert one(IMAGE, reported=Reported(None, "int8")) == []
    assert one(replace(IMAGE, scale=0.0)) == [("zero_scale", {"input": 1, "name": "images"})]
    assert one(replace(VECTOR, scale=0.0)) == [], "a float tensor has no use for it"
    assert one(replace(IMAGE, scale=0.0), reported=Reported(None, "bool")) == []


def test_outputs_have_notes_of_types_alone() -> None:
    setting = Setting(1, "rk3588", False)

    def output(raw: RawTensor, dtype: str | None) -> Described:
        return describe_output(0, raw, Reported(None, dtype), Origin(), (), setting)

    six = (1, 2, 3, 4, 5, 6)
    odd = replace(VECTOR, dims=six, native=six, name="it's")
    got = tensor_notes([], [output(odd, None), output(replace(IMAGE, scale=0.0, nbytes=1), "float32")], False)
    assert rows(list(got)) == [
        ("reported_dtype_differs", {"output": 1, "name": "images", "reported": "float32", "stored": "int8"}),
        ("zero_scale", {"output": 1, "name": "images"}),
    ]


def test_stored_bytes() -> None:
    """20 rows of 48 pixels of 3 bytes are 2880."""
    for stored, kind in ((2881, "size_slack"), (2879, "size_short")):
        assert one(replace(IMAGE, nbytes=stored)) == [
            (kind, {"input": 1, "name": "images", "stored": stored, "computed": 2880})
        ]
    assert one(replace(IMAGE, nbytes=0)) == []
    assert one(replace(VECTOR, nbytes=1)) == [], "no rows"


def test_order_of_notes_of_one_input() -> None:
    raw = replace(IMAGE, name="a'", dims=(1, 20, 36, 3), native=(1, 20, 36, 3), layout=1, nbytes=9, scale=0.0)
    more: dict[str, Any] = {"reported": Reported("NHWC", "uint8"), "origin": Origin(rgb2bgr=True)}
    assert [kind for kind, _ in one(raw, (1.0, 2.0), (1.0, 1.0), **more)] == [
        "nhwc_origin", "mean_list_short", "calibrated_bgr", "name_breaks_runtime", "reported_dtype_differs", "zero_scale",
        "size_short",
    ]  # fmt: skip


def pair(luma: tuple[int, ...], chroma: tuple[int, ...], y: str = "x_y_channel", uv: str = "x_uv_channel") -> list[Row]:
    """Notes of two inputs, the chroma first."""
    first, second = (replace(VECTOR, name=n, dims=d, native=d) for n, d in ((uv, chroma), (y, luma)))
    return rows(list(tensor_notes([described(first), described(second)], [], True)))


def test_pair_of_yuv_inputs() -> None:
    """The converter's endings; chroma has half the rows and as many columns."""
    want = [("yuv_inputs", {"y": 1, "uv": 0, "size": [36, 20]})]
    assert pair((1, 1, 20, 36), (1, 1, 10, 36)) == want
    assert pair((1, 1, 20, 36), (1, 1, 20, 36)) == []
    assert pair((1, 1, 20, 36), (1, 1, 10, 18)) == []
    assert pair((1, 1, 20, 36), (1, 10, 36)) == []
    assert pair((1, 20, 36), (1, 10, 36)) == []
    assert pair((1, 1, 20, 36), (1, 1, 10, 36), uv="z_uv_channel") == []
    assert pair((1, 1, 20, 36), (1, 1, 10, 36), y="x", uv="x_uv_channel") == []
    assert pair((1, 1, 20, 36), (1, 1, 10, 36), y="_y_channel", uv="_uv_channel") == want
    plain = [described(replace(IMAGE, name=n)) for n in ("a", "b_y_channel")]
    planes = [
        described(replace(VECTOR, name=n, dims=d, native=d))
        for n, d in (("c_y_channel", (1, 1, 8, 4)), ("c_uv_channel", (1, 1, 4, 4)))
    ]
    assert rows(list(tensor_notes([*plain, *planes], [], True))) == [("yuv_inputs", {"y": 2, "uv": 3, "size": [4, 8]})]


def test_json_part_against_the_graph() -> None:
    """By place; a name that is not stated and inputs that only one side has are passed over."""
    inputs = [described(IMAGE), described(VECTOR)]
    same = [JsonTensor("images", (1, 3, 20, 36), {}), JsonTensor(None, (1, 6), {})]
    assert json_notes(same, inputs) == []
    assert json_notes([*same, JsonTensor("more", (1,), {})], inputs) == []
    assert json_notes(same[:1], inputs) == []
    other = [same[0], JsonTensor("other", (6,), {})]
    assert rows(json_notes(other, inputs)) == [
        ("json_disagrees", {"input": 1, "field": "name", "graph": "vec", "json": "other"}),
        ("json_disagrees", {"input": 1, "field": "dims", "graph": [1, 6], "json": [6]}),
    ]
