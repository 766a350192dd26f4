"""Every fault of the vocabulary, on a generated picture and small hand-overs: named, with its parameters."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from prepcheck.forensics import BufferSpec, diagnose
from tests.forensics.build import Fault
from tests.forensics.catalogue import NAMES, singles
from tests.forensics.contracts import C2, GRAY, INT16, RGBA, SMALL, Contract
from tests.forensics.judge import expected_for, run
from tests.forensics.photos import card, scene

BY_NAME = {c.name: c for c in (*SMALL, GRAY, RGBA, INT16, C2)}


def _id(case: tuple[str, str, Fault]) -> str:
    rest = ",".join(f"{k}={v}" for k, v in case[2].items() if k != "name").replace(" ", "")
    return f"{case[1]}-{case[0]}-{rest}"


def _cases() -> list[object]:
    """Every fault on one of the contracts that can have it; the other values of its parameters, on others, are slow."""
    out: list[object] = []
    for k, name in enumerate(NAMES):
        able = [c for c in SMALL if singles(name, c, scene())]
        first = able[k % len(able)]
        chosen = [(first.name, name, singles(name, first, scene())[0])]
        for i, fault in enumerate(singles(name, able[0], scene())):
            chosen.append((able[0].name, name, fault))
            other = able[(k + i) % len(able)]
            options = singles(name, other, scene())
            chosen.append((other.name, name, options[i % len(options)]))
        unique = [c for i, c in enumerate(chosen) if c not in chosen[:i]]
        out += [pytest.param(c, id=_id(c), marks=[pytest.mark.slow] if i else []) for i, c in enumerate(unique)]
    return out


@pytest.mark.parametrize("case", _cases())
def test_single_fault_is_named_with_its_parameters(case: tuple[str, str, Fault]) -> None:
    contract, name, fault = case
    got = run(
        scene(),
        BY_NAME[contract],
        [fault],
        previous=scene(3),
        given=name == "stale_buffer",
        seed=zlib.crc32(name.encode()),
    )
    said = (got.diagnosis.verdict, got.diagnosis.faults, got.diagnosis.score, got.diagnosis.difference)
    assert got.right, said
    assert got.parameters, said


@pytest.mark.parametrize(
    ("contract", "faults"),
    [
        ("u8-96x160-letterbox", [{"name": "flipped_vertical"}, {"name": "channels_swapped"}]),
        ("u8-96x160-letterbox", [{"name": "letterbox_alignment", "got": [0, 0]}, {"name": "letterbox_fill", "got": 0}]),
        ("u8-96x160-letterbox", [{"name": "channels_swapped"}, {"name": "header_offset", "bytes": 54}]),
        ("u8-96x160-letterbox", [{"name": "channels_swapped"}, {"name": "row_stride", "got": 528, "want": 480}]),
        ("u8-81x101-strided", [{"name": "channels_swapped"}, {"name": "planar_instead_of_interleaved"}]),
        ("u8-81x101-strided", [{"name": "flipped_horizontal"}, {"name": "partial_fill", "rows": 40, "rest": 7}]),
        ("int8-112", [{"name": "channels_swapped"}, {"name": "signed_offset"}]),
        ("int8-112", [{"name": "rotated", "degrees": 90}, {"name": "channels_swapped"}]),
        ("f32-96x112-nchw", [{"name": "channels_swapped"}, {"name": "interleaved_instead_of_planar"}]),
        ("f32-96x112-nchw", [{"name": "flipped_vertical"}, {"name": "byte_order"}]),
        ("f32-104-nc4hw4", [{"name": "not_normalized"}, {"name": "nc4hw4_packing", "direction": "plain", "layout": "NCHW", "c2": 4}]),
        ("u8-64-batch4", [{"name": "channels_swapped"}, {"name": "batch_partial", "filled": 1, "batch": 4}]),
    ],
    ids=lambda v: "+".join(f["name"] for f in v) if isinstance(v, list) else v,
)  # fmt: skip
def test_pair_of_faults(contract: str, faults: list[Fault]) -> None:
    got = run(scene(), BY_NAME[contract], faults, previous=scene(3))
    assert got.right, (got.diagnosis.verdict, got.diagnosis.faults, got.diagnosis.score)
    assert got.parameters
    assert got.diagnosis.fault == got.diagnosis.faults[-1].name
    if len(got.diagnosis.faults) == 2:
        assert got.diagnosis.evidence["faults"] == [f.name for f in got.diagnosis.faults]


@pytest.mark.parametrize("contract", [GRAY, RGBA, INT16, C2], ids=lambda c: c.name)
@pytest.mark.parametrize("fault", [{"name": "flipped_vertical"}, {"name": "rotated", "degrees": 90}, {"name": "inverted"},
                                   {"name": "partial_fill", "rows": 30, "rest": 0}], ids=lambda f: f["name"])  # fmt: skip
def test_other_numbers_of_channels_and_types(contract: Contract, fault: Fault) -> None:
    got = run(scene(), contract, [fault])
    assert got.right, (got.diagnosis.verdict, got.diagnosis.faults, got.diagnosis.score)


def test_body_of_a_bmp_is_the_pair_it_is() -> None:
    raw = Contract("u8-112", BufferSpec("uint8", "NHWC", (1, 112, 112, 3)))
    got = run(scene(), raw, [{"name": "flipped_vertical"}, {"name": "channels_swapped"}])
    assert [f.name for f in got.diagnosis.faults] == ["flipped_vertical", "channels_swapped"]


@pytest.mark.slow
def test_card_shows_every_fault_that_a_contract_can_have() -> None:
    contract = SMALL[0]
    wrong = []
    for name in NAMES:
        for fault in singles(name, contract, card())[:1]:
            got = run(card(), contract, [fault], previous=scene(3), given=name == "stale_buffer")
            if not got.right:
                wrong.append((name, got.diagnosis.faults))
    assert wrong == []


def test_random_bytes_are_no_picture_and_nothing_raises() -> None:
    contract = SMALL[0]
    expected = expected_for(scene(), contract)
    rng = np.random.default_rng(3)
    for length in (0, 1, 3, 95, 5000, contract.spec.nbytes):
        found = diagnose(expected, rng.integers(0, 256, length, dtype=np.uint8).tobytes())
        assert found.verdict in ("fault", "not_explained")
        assert found.fault in (None, "different_image", "constant_buffer")
