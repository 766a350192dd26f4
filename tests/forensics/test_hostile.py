"""Nothing that is submitted raises: lengths, floats that are none, tiny and odd inputs, headers that lie."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from prepcheck.errors import UsageError
from prepcheck.forensics import BufferSpec, Expected, diagnose
from prepcheck.forensics import test_card as draw_card
from prepcheck.forensics.signatures import encoded, header_bytes
from tests.forensics.build import build
from tests.forensics.contracts import C2, GRAY, INT16, RGBA, SMALL, Contract
from tests.forensics.judge import expected_for
from tests.forensics.photos import scene

VERDICTS = ("ok", "fault", "not_explained", "cannot_tell")


@pytest.mark.parametrize(
    "contract",
    [SMALL[0], GRAY, *(pytest.param(c, marks=pytest.mark.slow) for c in (SMALL[3], SMALL[6], RGBA, INT16, C2))],
    ids=lambda c: c.name,
)
def test_any_bytes_of_any_length(contract: Contract) -> None:
    expected = expected_for(scene(), contract)
    need = contract.spec.nbytes
    rng = np.random.default_rng(8)
    noise = rng.integers(0, 256, need + 64, dtype=np.uint8)
    good = np.frombuffer(build(scene(), contract, []), np.uint8)
    for data in (noise[:1], noise[:37], noise[: need // 3], noise[: need + 13], good[: need // 2 + 1], good[5:],
                 np.full(need, 255, np.uint8), np.zeros(3, np.uint8)):  # fmt: skip
        found = diagnose(expected, data.tobytes())
        assert found.verdict in VERDICTS
        assert found.score <= 1.0 + 1e-6


@pytest.mark.parametrize(
    "shape",
    [
        (1, 1, 1, 3),
        (1, 2, 3, 3),
        *(pytest.param(s, marks=pytest.mark.slow) for s in ((1, 8, 8, 3), (1, 1, 64, 3), (1, 64, 1, 3), (2, 9, 7, 1))),
    ],
)
def test_tiny_pictures(shape: tuple[int, ...]) -> None:
    color = "GRAY" if shape[3] == 1 else "RGB"
    contract = Contract("tiny", BufferSpec("uint8", "NHWC", shape, color=color))
    image = scene()
    expected = expected_for(image, contract)
    assert diagnose(expected, build(image, contract, [])).verdict in ("ok", "cannot_tell")
    rng = np.random.default_rng(1)
    for length in (contract.spec.nbytes, contract.spec.nbytes + 3, 200):
        assert diagnose(expected, rng.integers(0, 256, length, dtype=np.uint8).tobytes()).verdict in VERDICTS


def test_floats_that_are_none() -> None:
    contract = SMALL[3]
    expected = expected_for(scene(), contract)
    good = np.frombuffer(build(scene(), contract, []), np.float32).copy()
    good[::7] = np.nan
    good[1::9] = np.inf
    assert diagnose(expected, good).verdict in ("not_explained", "fault")
    assert diagnose(expected, np.full(good.shape, np.nan, np.float32)).fault == "constant_buffer"


def test_a_sparse_source_and_arrays_of_any_kind() -> None:
    spec = BufferSpec("uint8", "NHWC", (1, 40, 60, 3))
    pixels = np.ascontiguousarray(scene()[:40, :60])
    expected = Expected(pixels, "RGB", pixels, spec)
    assert diagnose(expected, pixels[::-1]).fault == "flipped_vertical"  # a view with a negative stride
    assert diagnose(expected, pixels.astype(np.float64)).verdict in VERDICTS
    assert diagnose(expected, np.zeros((0,), np.uint8)).verdict == "not_explained"


def test_files_are_known_by_their_first_bytes() -> None:
    def head(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        return np.frombuffer(data.ljust(600, b"\1"), np.uint8)

    assert encoded(head(b"\xff\xd8\xff\xe0")) == "jpeg"
    assert encoded(head(b"RIFF\0\0\0\0WEBP")) == "webp"
    assert encoded(head(b"BM" + struct.pack("<IHHII", 9, 0, 0, 54, 40))) == "bmp"
    assert encoded(head(b"BMBMBMBMBMBMBMBM")) is None
    assert encoded(head(b"")) is None
    assert header_bytes(head(b"P6\n# c\n640 480\n255\n")) == 19
    assert header_bytes(head(b"P6\n#")) is None
    assert header_bytes(head(b"\x93NUMPY\x01\x00v\x00")) == 128
    assert header_bytes(head(b"P6\nxx")) is None


def test_a_numpy_file_in_place_of_its_elements() -> None:
    contract = SMALL[0]
    expected = expected_for(scene(), contract)
    header = (
        b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + b"{'descr': '|u1', 'fortran_order': False, }".ljust(117) + b"\n"
    )
    found = diagnose(expected, (header + expected.pixels.tobytes())[: contract.spec.nbytes])
    assert found.fault == "header_offset"
    assert found.evidence["bytes"] == 128


def test_sizes_of_the_card() -> None:
    assert draw_card(16, 16).shape == (16, 16, 3)
    assert draw_card(321, 43).shape == (43, 321, 3)
    assert np.array_equal(draw_card(64, 48), draw_card(64, 48))
    for width, height in ((15, 100), (100, 0), (100, 20000)):
        with pytest.raises(UsageError, match="test card"):
            draw_card(width, height)
