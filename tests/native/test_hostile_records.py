"""Records whose frames are whole and whose events say anything: named errors or a plan, never a traceback."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from prepcheck.app.plans import load
from prepcheck.errors import CorruptError, PrepcheckError
from prepcheck.readers.record import record_to_plan
from prepcheck.wire.pcrec import HEAD, MAGIC, MARKER, Event, JsonValue, frame_crc, open_record, read_items
from tests.native.conftest import Programs

ODD: list[JsonValue] = [
    None, True, -1, 0, 3, 1 << 63, 10**400, -(10**30), 0.5, float("inf"), float("nan"), "", "0x", "0xzz", "0x" + "f" * 40, "é\x00",
    [], {}, [[]], [{}], [None, "a", 1.5], {"0": "x", "a": 1}, [{"index": "x", "blob": -3, "mem": 7}], "x" * 5000,
]  # fmt: skip


def written(path: Path, events: list[dict[str, JsonValue]]) -> Path:
    frames = [MAGIC]
    for event in events:
        payload = json.dumps(event).encode()
        frames.append(HEAD.pack(MARKER, b"E", len(payload), frame_crc(b"E", payload)) + payload)
    path.write_bytes(b"".join(frames))
    return path


def events_of(path: Path) -> list[dict[str, JsonValue]]:
    with open_record(path) as source:
        return [json.loads(json.dumps(dict(i.data))) for i in read_items(source) if isinstance(i, Event)]


def spoil(value: JsonValue, rng: random.Random) -> JsonValue:
    """One value somewhere in an event replaced by an odd one, or dropped."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key or k == "api"}
        return {**value, key: spoil(value[key], rng)} if key != "api" else value
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [*value[:at], spoil(value[at], rng), *value[at + 1 :]]
    return rng.choice(ODD)


@pytest.mark.parametrize(
    ("name", "mnn"),
    [("rga_import_ignored", False), ("zero_right_heap", False), ("set_right_two", False), ("rga_right_legacy", False),
     ("image_right", True), ("host_on_gpu", True), ("resize_right", True)],
)  # fmt: skip
def test_any_value_anywhere(programs: Programs, tmp_path: Path, name: str, mnn: bool) -> None:
    whole = events_of(programs.record(name, mnn=mnn))
    rng = random.Random(name)
    for _ in range(120):
        events: list[dict[str, JsonValue]] = list(whole)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(events))
            changed = spoil(events[at], rng)
            events[at] = (
                changed
                if isinstance(changed, dict) and isinstance(changed.get("api"), str)
                else {"api": "rknn_run", "x": changed}
            )
        rng.shuffle(events) if rng.random() < 0.2 else None
        record_to_plan(written(tmp_path / "odd.pcrec", events))


def test_names_of_functions_are_not_looked_up_blindly(tmp_path: Path) -> None:
    odd = [
        "rknn__init__",
        "rknn_take",
        "rknn_look",
        "rknn_keep",
        "rknn_created",
        "rknn_",
        "mnn.",
        "mnn.call",
        "toolkit.",
        "__class__",
        "imconfig",
    ]
    events: list[dict[str, JsonValue]] = [{"api": api} for api in odd]
    recorded = record_to_plan(written(tmp_path / "names.pcrec", events))
    assert recorded.plan["calls"] == []


def test_a_million_events_are_not_a_million_calls(tmp_path: Path) -> None:
    payload = b'{"api":"rknn_run","ctx":"0x1","ret":0}'
    frame = HEAD.pack(MARKER, b"E", len(payload), frame_crc(b"E", payload)) + payload
    (tmp_path / "long.pcrec").write_bytes(MAGIC + frame * 20_000)
    recorded = record_to_plan(tmp_path / "long.pcrec")
    assert len(recorded.plan["calls"]) == 4000  # type: ignore[arg-type]
    assert (recorded.left_out, recorded.runs) == (16_000, 20_000)


def test_what_cannot_be_opened_is_a_named_error(tmp_path: Path) -> None:
    (tmp_path / "empty.pcrec").touch()
    (tmp_path / "png.pcrec").write_bytes(b"\x89PNG\r\n\x1a\n")
    for name in ("empty.pcrec", "png.pcrec", "nowhere.pcrec", "."):
        with pytest.raises(PrepcheckError):
            record_to_plan(tmp_path / name)


def test_a_number_that_cannot_be_is_a_named_error(tmp_path: Path) -> None:
    events: list[dict[str, JsonValue]] = [
        {"api": "rknn_create_mem", "ctx": "0x1", "size": -1, "mem": "0x3", "fd": 7, "ret": 0},
        {"api": "rknn_run", "ctx": "0x1", "ret": 0},
    ]
    with pytest.raises(CorruptError, match=r"size is '-1'"):
        load(written(tmp_path / "negative.pcrec", events))
