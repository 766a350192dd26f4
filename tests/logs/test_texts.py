"""Encodings, refusals, large texts in one pass, hostile ones within bounds."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepcheck.errors import EmptyFileError, NotFoundError, WrongKindError
from prepcheck.logs.reading import MAX_EVENTS, read_files, read_texts
from prepcheck.logs.texts import SMALL

ERROR = "E RKNN: [10:00:00.000] rknn_inputs_set, param input size(10080) < model input size(40320)"


def _kinds(path: Path) -> list[str]:
    return [e.kind for e in read_files([path]).events]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "utf-8-sig"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.log"
    path.write_text(f"板子上的错误如下，请问怎么解决这个问题\n{ERROR}\n", encoding=encoding)
    assert _kinds(path) == ["in_size"]


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "image").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64)
    (tmp_path / "noise").write_bytes(random.Random(1).randbytes(40_000))
    with pytest.raises(EmptyFileError):
        read_files([tmp_path / "empty"])
    with pytest.raises(WrongKindError) as wrong:
        read_files([tmp_path / "image"])
    assert wrong.value.kind == "png"
    with pytest.raises(WrongKindError):
        read_files([tmp_path / "noise"])
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(NotFoundError):
            read_files([path])


def test_a_large_log_gives_what_a_small_one_gives(tmp_path: Path) -> None:
    rng = random.Random(2)
    dump = "  index=0, name=in0, n_dims=4, dims=[1, 48, 70, 3], n_elems=10080, size=10080, fmt=NHWC, type=INT8, qnt_type=AFFINE, zp=-128, scale=1.000000"
    told = [
        dump,
        ERROR,
        "[  100.000000] rga_mm: RGA_MMU unsupported memory larger than 4G!",
        "rknn_inputs_set fail! ret=-5",
    ]
    noise = [
        "connection opened by worker",
        "frame 12 of the session was sent",
        "temperature 41 fan speed 3",
        "index of the cache updated",
    ]
    lines: list[str] = []
    size = 0
    while size < SMALL + 600_000:
        lines.append(rng.choice(noise) + f" {rng.randrange(10**6)}")
        size += len(lines[-1]) + 1
    for i, line in enumerate(told):
        lines.insert((i + 1) * len(lines) // 5, line)
    path = tmp_path / "large.log"
    path.write_text("\n".join(lines), encoding="utf-8")
    large = read_files([path])
    assert [e.kind for e in large.events] == [e.kind for e in read_texts([("small", "\n".join(told))]).events]
    assert [lines[e.line - 1] for e in large.events] == told


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_large_log_of_a_windows_console_is_read_to_its_end(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "console.log"
    mark = "" if encoding == "utf-16" else "\ufeff"
    filler = "帧 12 已发送 temperature 41\n" * 100
    with path.open("w", encoding=encoding, newline="\r\n") as stream:
        stream.write(mark)
        for _ in range(SMALL // len(filler) + 4):
            stream.write(filler)
        stream.write(ERROR + "\n")
    book = read_files([path])
    assert [(e.kind, e.line) for e in book.events] == [("in_size", 100 * (SMALL // len(filler) + 4) + 1)]


def test_a_flood_of_one_line_is_bounded() -> None:
    book = read_texts([("flood", "\n".join([ERROR] * 5000))])
    assert len(book.events) < 100
    assert book.counts["finding"] == 5000
    assert (
        len(read_texts([("many", "\n".join(ERROR.replace("10080", str(i)) for i in range(3000)))]).events) <= MAX_EVENTS
    )


@pytest.mark.parametrize(
    "text",
    [
        "index=0 dims=[" * 5000,
        "E RKNN: " * 20_000,
        "(" * 100_000,
        "index=0, dims=[" + "9" * 50_000 + "], scale=1e999999, size=" + "9" * 5000,
        "video/x-raw" + ", a=b" * 20_000,
        "rknn.config(" + "[" * 5000,
        "Cannot reshape a tensor with 1 elements to shape [" + "1," * 30_000,
        "scheduler core[" + "9" * 5000 + "] unsupported mm_flag[0x" + "f" * 5000,
        "\n".join(["x" * 70] * 3000),
    ],
    ids=["tensors", "heads", "brackets", "numbers", "caps", "code", "shape", "digits", "wraps"],
)
def test_hostile_lines_take_little_time(text: str) -> None:
    started = time.process_time()
    read_texts([("hostile", text)])
    assert time.process_time() - started < 5


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    book = read_texts([("any", text), ("mixed", ERROR + text + ERROR)])
    assert sum(book.counts.values()) >= 1
