"""Damaged models: whatever is done to the bytes, only named errors come out, in bounded time and memory."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepcheck.errors import ReadError
from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_graph import read_graph
from prepcheck.readers.mnn_images import predict_images
from prepcheck.wire.source import Source

MODELS = Path(__file__).parents[1] / "data" / "models"
SEEDS = [
    (MODELS / folder / f"{name}.mnn").read_bytes()
    for folder, name in (
        ("mnn", "c3_nchw"),
        ("mnn", "multi_nchw"),
        ("mnn", "meta"),
        ("mnn", "c3_int8_calibrated"),
        ("mnn", "extweight"),
        ("mnn", "patch16_noweights"),
        ("mnn", "onnx_nhwc_dims"),
        ("mnn_extra", "static"),
        ("mnn_extra", "mixed"),
    )
]
BIG = (MODELS / "mnn_extra" / "ops.mnn").read_bytes()
WORDS = st.sampled_from([0, 1, 4, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF, 0x01000000])


def judge(data: bytes) -> None:
    """Read everything that can be read; anything but a ReadError is a fault of ours."""
    for read in (
        lambda s: read_mnn(s, "damaged.mnn").model_dump_json(),
        lambda s: predict_images(read_graph(s), (16384, 16384)),
    ):
        source, message = Source.from_bytes(data, "damaged.mnn"), "damaged.mnn"
        try:
            read(source)
        except ReadError as fault:
            message = fault.message
        assert "damaged.mnn" in message
        assert source.total_read <= 64 << 20


@given(st.sampled_from(SEEDS), st.data())
@settings(max_examples=300)
def test_bytes_changed_at_random(seed: bytes, data: st.DataObject) -> None:
    damaged = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(seed) - 1))] = data.draw(st.integers(0, 255))
    judge(bytes(damaged))


@given(st.sampled_from(SEEDS), st.data())
@settings(max_examples=400)
def test_numbers_changed_in_the_structure(seed: bytes, data: st.DataObject) -> None:
    """Aligned words: references, counts, vtables, dims."""
    damaged = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 3))):
        at = 4 * data.draw(st.integers(0, len(seed) // 4 - 1))
        old = struct.unpack_from("<I", damaged, at)[0]
        word = data.draw(st.one_of(WORDS, st.integers(-64, 64).map(lambda d, old=old: (old + d) & 0xFFFFFFFF)))
        struct.pack_into("<I", damaged, at, word)
    judge(bytes(damaged))


@given(st.sampled_from(SEEDS), st.data())
@settings(max_examples=150)
def test_parts_cut_repeated_or_moved(seed: bytes, data: st.DataObject) -> None:
    a, b = sorted((data.draw(st.integers(0, len(seed))), data.draw(st.integers(0, len(seed)))))
    how = data.draw(st.sampled_from(["keep", "drop", "double", "zero", "swap"]))
    parts = {
        "keep": seed[a:b],
        "drop": seed[:a] + seed[b:],
        "double": seed[:b] + seed[a:],
        "zero": seed[:a] + bytes(b - a) + seed[b:],
        "swap": seed[:a] + seed[a:b][::-1] + seed[b:],
    }
    judge(parts[how])


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_every_length(seed: int) -> None:
    """Cut at every 7th byte: never a model with other inputs, but for cuts in the padding behind it."""
    data = SEEDS[seed]
    whole = read_mnn(Source.from_bytes(data, "w"), "w")
    for end in range(0, len(data), 7):
        try:
            cut = read_mnn(Source.from_bytes(data[:end], "w"), "w")
        except ReadError:
            continue
        assert cut.inputs == whole.inputs
        assert end >= len(data) - 4


@given(st.data())
@settings(max_examples=60)
def test_a_larger_graph(data: st.DataObject) -> None:
    damaged = bytearray(BIG)
    for _ in range(data.draw(st.integers(1, 4))):
        at = 4 * data.draw(st.integers(0, 1500))
        struct.pack_into("<I", damaged, at, data.draw(WORDS))
    judge(bytes(damaged))


@given(st.binary(max_size=300))
@settings(max_examples=200)
def test_anything(data: bytes) -> None:
    judge(data)
