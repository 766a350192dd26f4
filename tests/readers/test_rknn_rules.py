"""Rules and notes that no built model shows, on made files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError, TooLargeError, TruncatedError, UnsupportedVersionError
from prepcheck.readers.model import read_model_source
from prepcheck.readers.notes import KINDS, note
from prepcheck.wire.source import Source
from tests.readers.rknn_builder import OUT, VECTOR, M, T, build, contract

MINI = M(mini=True, version=0x1004, tag="RKNPU t3", target="rv1106", json_target="rv1106")


def notes(c: Contract) -> dict[str, dict]:
    return {n.kind: n.values for n in c.notes}


def one(t: T, **more: object) -> M:
    return M(inputs=(t,), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "version,label", [(1, "rknn2-full v1"), (2, "rknn2-full v2"), (4, "rknn2-full v4"), (5, "rknn2-full v5")]
)
def test_full_versions(version: int, label: str) -> None:
    got = contract(M(version=version))
    assert got.container == label
    assert got.inputs[0].w_stride == 48
    assert got.notes == []


@pytest.mark.parametrize("version", [0, 0x21, 0x100, 0x2004, 1 << 40])
def test_versions_that_cannot_be(version: int) -> None:
    with pytest.raises(UnsupportedVersionError, match="container version"):
        contract(M(version=version))


def test_batch_multiplies_everything() -> None:
    got = contract(M(batch="4", graphs=(((1, 3, 10, 18),),))).inputs[0]
    assert got.shape == [4, 20, 36, 3]
    assert (got.size, got.size_with_stride) == (8640, 11520)
    assert got.native is not None
    assert got.native.shape == [4, 20, 36, 3]
    assert got.dynamic == [[4, 20, 36, 3], [4, 10, 18, 3]]


@pytest.mark.parametrize("batch", ["-1", "1e3", "four", "99999999999", "65537", "٣"])
def test_batch_that_is_no_number(batch: str) -> None:
    with pytest.raises(CorruptError, match="batch size"):
        contract(M(batch=batch))


@pytest.mark.parametrize("batch", [None, "", "0", "1"])
def test_no_batch_is_one(batch: str | None) -> None:
    assert contract(M(batch=batch)).batch == 1


def test_mini_stride_goes_by_the_platform() -> None:
    assert contract(MINI).inputs[0].w_stride == 48
    half = one(
        T(dtype=10, scale=(), zero_point=(), nbytes=4800), mini=True, version=0x1004, tag="RKNPU w2", target="rk2118"
    )
    assert contract(half).inputs[0].w_stride == 40
    unknown = replace(MINI, tag="RKNPU x9", target=None, json_target=None)
    got = contract(unknown)
    assert (got.platforms, got.inputs[0].w_stride) == (None, None)
    assert "w_stride" not in got.inputs[0].provenance
    assert "unknown_npu_tag" in notes(got)


def test_mini_without_nhwc_reports_the_plain_size() -> None:
    wide = T(dims=(1, 5, 20, 36), native=(1, 1, 20, 36, 16), nbytes=11520, strided=False)
    got = contract(replace(MINI, inputs=(wide,))).inputs[0]
    assert (got.size, got.size_with_stride, got.w_stride) == (3600, 3600, 36)
    assert got.native is not None
    assert (got.native.layout, got.native.size_with_stride) == ("NC1HWC2", 11520)
    assert got.provenance["size_with_stride"] == "rule:RK-MINI-SIZE"


@pytest.mark.parametrize("low", [1, 2, 3])
def test_old_mini_falls_back_to_the_json_part(low: int) -> None:
    got = contract(replace(MINI, version=0x1000 | low))
    tensor = got.inputs[0]
    assert (tensor.name, tensor.shape, tensor.dtype) == ("images", [1, 20, 36, 3], "int8")
    assert (tensor.scale, tensor.zero_point, tensor.mean, tensor.w_stride) == (None, None, None, None)
    assert notes(got)["mini_config_encoded"] == {"version": 0x1000 | low}
    assert got.platforms == ["rv1106"]
    assert got.outputs[0].layout == "NCHW"


def test_mini_description_size_is_checked() -> None:
    data = bytearray(build(MINI))
    for size in (0, 7, len(data), 0xFFFFFFFF):
        data[64:68] = size.to_bytes(4, "little")
        with pytest.raises(CorruptError, match="byte 64"):
            read_model_source(Source.from_bytes(bytes(data)), "x.rknn")


@pytest.mark.parametrize(
    "tag,target,platforms",
    [
        ("RKNPU lite", "rk3568", ["rk3568"]),
        ("RKNPU lite", None, ["rk3566", "rk3568"]),
        ("RKNPU zz", "rk9999", ["rk9999"]),
    ],
)
def test_platforms(tag: str, target: str | None, platforms: list[str]) -> None:
    assert contract(M(tag=tag, target=target, json_target=target)).platforms == platforms


def test_tag_wins_over_target() -> None:
    got = contract(M(tag="RKNPU v2", target="rk3566", json_target="rk3566"))
    assert got.platforms == ["rk3588"]
    assert notes(got)["platform_disagrees"] == {"tag": "RKNPU v2", "tag_platforms": ["rk3588"], "target": "rk3566"}


def test_full_container_for_a_mini_chip() -> None:
    got = contract(replace(MINI, mini=False, version=6))
    assert notes(got)["full_on_mini"] == {"platform": "rv1106", "version": 6}


def test_generator_that_does_not_parse() -> None:
    got = contract(M(generator="{'attrs': {"))
    assert "generator_unreadable" in notes(got)
    assert got.inputs[0].rgb2bgr is None
    assert contract(M(generator="Generated from compiler version: 1.1.0")).notes == []


def test_generator_facts() -> None:
    text = (
        "{'attrs': {'images': {'layout_ori': 'nhwc', 'dtype': 'uint8', 'rgb2bgr': True, 'mean': [np.float32(0.5)]}},"
        " 'quant_tab': {'images': {'ori_min': [1.5, -2], 'ori_max': [3, 4.25]}}}"
    )
    got = contract(M(generator=text))
    tensor = got.inputs[0]
    assert tensor.source is not None
    assert (tensor.source.layout, tensor.source.dtype) == ("NHWC", "uint8")
    assert (tensor.rgb2bgr, tensor.calibration_range) == (True, [-2.0, 4.25])
    assert notes(got)["calibrated_bgr"] == {"input": 0, "name": "images"}
    nan = contract(M(generator="{'quant_tab': {'images': {'ori_min': [nan], 'ori_max': [inf]}}}"))
    assert nan.inputs[0].calibration_range is None


def test_reported_json_that_does_not_parse() -> None:
    got = contract(M(input_json='{"a"b": {}}'))
    assert notes(got)["reported_layout_unreadable"] == {"side": "inputs"}
    assert got.inputs[0].layout == "NHWC"
    assert got.inputs[0].provenance["layout"] == "rule:RK-NHWC-REPORTED"


def test_reported_type_and_layout_are_taken() -> None:
    got = contract(M(input_json='{"images": {"dtype": "uint8", "layout": "NCHW"}}'))
    tensor = got.inputs[0]
    assert (tensor.dtype, tensor.layout, tensor.shape) == ("uint8", "NCHW", [1, 3, 20, 36])
    assert notes(got)["reported_dtype_differs"]["stored"] == "int8"
    assert tensor.value_range == [0.0, 255.0], "by the stored type"


@pytest.mark.parametrize("name", ["it's", 'a"b', "a\\b"])
def test_names_that_break_the_runtime(name: str) -> None:
    got = contract(one(T(name=name)))
    assert got.inputs[0].name == name
    assert notes(got)["name_breaks_runtime"]["characters"]
    assert "name_breaks_runtime" not in notes(contract(replace(MINI, inputs=(T(name=name),))))


def test_names_of_any_script() -> None:
    assert contract(one(T(name="вход/图像 🙂"))).inputs[0].name == "вход/图像 🙂"


def test_six_dims() -> None:
    six = (1, 2, 3, 4, 5, 6)
    got = contract(one(replace(VECTOR, dims=six, native=six)))
    assert notes(got)["too_many_dims"]["dims"] == list(six)
    assert (got.inputs[0].layout, got.inputs[0].shape) == ("UNDEFINED", list(six))


def test_vector_input() -> None:
    got = contract(M(inputs=(VECTOR,), norms=(((1.0,) * 6, (2.0,) * 6),)))
    tensor = got.inputs[0]
    assert (tensor.layout, tensor.shape, tensor.w_stride, tensor.size_with_stride) == ("UNDEFINED", [1, 6], 0, 16)
    assert tensor.native is not None
    assert tensor.native.size_with_stride == 6
    assert "mean_on_vector_input" in notes(got)
    plain = contract(M(inputs=(VECTOR,)))
    assert plain.notes == []


def test_mean_lists() -> None:
    long = contract(M(norms=(((1.0, 2.0, 3.0, 1.0), (4.0, 5.0, 6.0, 4.0)),)))
    assert (long.inputs[0].mean, long.inputs[0].std) == ([1, 2, 3], [4, 5, 6])
    five = T(dims=(1, 5, 20, 36), native=(1, 1, 20, 36, 16), nbytes=11520, strided=False)
    short = contract(M(inputs=(five,), norms=(((1.0, 2.0), (1.0, 1.0)),)))
    assert notes(short)["mean_list_short"] == {"input": 0, "name": "images", "channels": 5, "means": 2, "stds": 2}
    assert contract(M(inputs=(five,))).notes == [], "four zeros stand for all channels"
    assert contract(M(norms=())).inputs[0].mean is None


@pytest.mark.parametrize(
    "dims,odd",
    [
        ((1, 20, 36, 3), True),
        ((1, 640, 640, 4), True),
        ((1, 224, 224, 1), True),
        ((1, 3, 20, 36), False),
        ((1, 64, 1, 1), False),
    ],
)
def test_nhwc_origin(dims: tuple[int, ...], odd: bool) -> None:
    got = contract(one(T(dims=dims, native=(1, 40, dims[2], dims[3], 16), strided=False, nbytes=0)))
    assert ("nhwc_origin" in notes(got)) is odd


@pytest.mark.parametrize("stored,kind", [(2880, None), (3000, "size_slack"), (2000, "size_short")])
def test_stored_bytes_against_rows(stored: int, kind: str | None) -> None:
    got = contract(one(T(nbytes=stored)))
    assert set(notes(got)) == ({kind} if kind else set())
    assert got.inputs[0].size_with_stride == stored


def test_json_part_disagrees() -> None:
    got = contract(M(json_inputs=(("other", (1, 3, 8, 8)),)))
    assert [(n.values["field"], n.values["json"]) for n in got.notes] == [("name", "other"), ("dims", [1, 3, 8, 8])]


def test_zero_scale_is_unknown() -> None:
    got = contract(M(outputs=(replace(OUT, scale=(0.0,)),)))
    assert got.outputs[0].scale is None
    assert notes(got)["zero_scale"] == {"output": 0, "name": "out"}


def test_per_channel_output_takes_the_first() -> None:
    got = contract(M(outputs=(replace(OUT, scale=(0.5, 0.25), zero_point=(1, 2)),)))
    assert (got.outputs[0].scale, got.outputs[0].zero_point) == (0.5, 1)


@pytest.mark.parametrize(
    "tensor,words",
    [
        (T(dtype=0), "element type"),
        (T(dtype=77), "element type"),
        (T(dims=(1, 0, 20, 36)), "shape"),
        (T(dims=(1, -3, 20, 36)), "shape"),
        (T(dims=(65536, 65536, 65536, 3)), "shape"),
        (T(dims=(1,) * 17), "16 elements"),
        (T(scale=(float("nan"),)), "scale is nan"),
        (T(scale=(float("inf"),)), "scale is inf"),
        (T(scale=(-1.0,)), "scale is -1"),
        (T(nbytes=-1), "cannot be"),
        (T(alignment=-16), "cannot be"),
        (T(alignment=1 << 20), "cannot be"),
    ],
)
def test_what_cannot_be(tensor: T, words: str) -> None:
    with pytest.raises(CorruptError, match=words):
        contract(one(tensor))


def test_means_that_cannot_be() -> None:
    with pytest.raises(CorruptError, match="a mean is nan"):
        contract(M(norms=(((float("nan"),), (1.0,)),)))
    assert contract(M(norms=(((0.0,), (0.0,)),))).inputs[0].std == [0.0], "std 0 is for the rules to judge"


def test_other_flatbuffer_inside() -> None:
    data = build(M()).replace(b"RKNN", b"RKNX").replace(b"RKNX", b"RKNN", 1)
    with pytest.raises(CorruptError, match="payload at byte 64"):
        read_model_source(Source.from_bytes(data), "x.rknn")


def test_no_input_no_graph() -> None:
    with pytest.raises(CorruptError, match="no input"):
        contract(M(inputs=(), norms=()))


def test_too_many_inputs_or_shapes() -> None:
    many = tuple(T(name=str(k)) for k in range(1025))
    with pytest.raises(CorruptError, match="2050 inputs and outputs"):
        contract(M(inputs=many, outputs=tuple(replace(OUT, name=str(k)) for k in range(1025))))
    some = many[:20]
    with pytest.raises(CorruptError, match="in all graphs"):
        contract(M(inputs=some, graphs=(((1, 3, 10, 18),) * 20,) * 900))


def test_trailing_bytes() -> None:
    got = contract(M(extra=b"abc"))
    assert notes(got)["trailing_bytes"]["bytes"] == 3


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b'{"norm_tensor": 3, "graph": []}', b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000]
)
def test_json_part_that_is_none(text: bytes) -> None:
    with pytest.raises(CorruptError):
        contract(M(json_text=text))


def test_json_part_beyond_the_limit() -> None:
    with pytest.raises(TooLargeError, match="limit"):
        contract(M(json_text=b" " * (3 << 20) + b"{}"))


@pytest.mark.parametrize("mini", [False, True])
def test_every_truncation_is_called_so(mini: bool) -> None:
    data = build(MINI if mini else M())
    for end in [*range(5, 100), *range(100, len(data), 61), len(data) - 1]:
        with pytest.raises(TruncatedError):
            read_model_source(Source.from_bytes(data[:end]), "x.rknn")


def test_notes_are_a_closed_table() -> None:
    with pytest.raises(KeyError):
        note("no_such_note")
    with pytest.raises(ValueError, match="has no value"):
        note("trailing_bytes", byte=3)
    assert all(words.endswith((".", ".)")) for words, _ in KINDS.values())
