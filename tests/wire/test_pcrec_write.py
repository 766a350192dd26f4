"""What the Python recorder writes, byte by byte (docs/pcrec.md), and its hash against the xxhash package's numbers."""

from __future__ import annotations

import array
import json
import os
import stat
import struct
import sys
import threading
import time
import zlib
from pathlib import Path

import pytest

from prepcheck.wire import pcrec_write
from prepcheck.wire.pcrec_write import PcrecWriter, content_hash, sample, xxh64

XXH64 = {  # xxhash 4.1.0 (Python package): xxh64 of the first n bytes of (37 k + 11) mod 256
    1: 0xF592C0C7639C4CB6, 3: 0x22C08528601D4F27, 4: 0xFB1E5CF2F1AE4D95, 5: 0x9D213ECA1F68F273,
    7: 0x5613AC510496C04E, 8: 0x57CB2B7521F3E21A, 9: 0xC3F1D09775257B66, 12: 0x2F53B00266039E64,
    15: 0x90A9714EB00E8D29, 16: 0xC6843CEF99721174, 31: 0xE4A0E629E519A4AE, 32: 0xCC6B8AAADA790B2D,
    33: 0x35EC49850475A832, 36: 0xBEBB6D8C24FB3CFA, 40: 0x3B21ED23EEA85C2D, 47: 0x16FDD9CA22942DDA,
    63: 0xBF9F0BA3CF95B28A, 64: 0x155CCCE4BF32BEFC, 100: 0x4826E367566EA023, 1000: 0x128DA10CFBDC59D9,
}  # fmt: skip


def ramp(n: int) -> bytes:
    return bytes((37 * k + 11) & 255 for k in range(n))


@pytest.mark.parametrize("n", sorted(XXH64))
def test_xxh64(n: int) -> None:
    assert xxh64(ramp(n)) == XXH64[n]


@pytest.mark.skipif(sys.byteorder != "little", reason="the other order is simulated by giving swapped words")
def test_words_on_a_big_endian_machine_are_swapped() -> None:
    """On such a machine the bytes of each word are turned round before they are taken as words: here, the other order."""
    words = pcrec_write._words(ramp(24))
    assert list(words) == list(struct.unpack(">3Q", ramp(24)))


@pytest.mark.parametrize("n", [32, 47, 100])
def test_the_words_of_a_big_endian_machine_are_hashed_alike(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The swapped words are those that a little-endian machine takes as they lie: here they are handed in."""
    monkeypatch.setattr(pcrec_write, "_words", lambda data: memoryview(data).cast("Q"))
    monkeypatch.setattr(sys, "byteorder", "big")
    assert xxh64(ramp(n)) == XXH64[n]


def frames(data: bytes) -> list[tuple[bytes, bytes]]:
    """Kind and content of every frame, read by the table of docs/pcrec.md."""
    assert data[:8] == b"PCREC 1\n"
    at, found = 8, []
    while at < len(data):
        assert data[at : at + 3] == b"\x8b\x50\x43"
        kind, (length, crc) = data[at + 3 : at + 4], struct.unpack_from("<II", data, at + 4)
        content = data[at + 12 : at + 12 + length]
        assert len(content) == length
        assert crc == zlib.crc32(kind + struct.pack("<I", length) + content)
        found.append((kind, content))
        at += 12 + length
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Nanoseconds that the recorder's clock shows."""
    shown = [5_000_000_000]
    monkeypatch.setattr(time, "monotonic_ns", lambda: shown[0])
    return shown


def test_an_event_of_every_field(tmp_path: Path, clock: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/run.py", "x"])
    path = tmp_path / "a.pcrec"
    with PcrecWriter(path, "a test", {"hash": "full", "by": "other"}) as writer:
        clock[0] += 1_234_567
        assert writer.now() == 1234
        assert writer.event("rknn_run", {"ret": -1, "text": "ü"}) == 1
        assert writer.event("rknn_wait", {"d": 7}, at=99) == 2
        assert writer.event("again", {"n": 5}, at=0) == 3
    (_, first), *rest = frames(path.read_bytes())
    assert json.loads(first) == {
        "n": 0, "api": "record", "t": 0, "th": 0, "format": "prepcheck/record", "version": 1, "by": "other",
        "pid": os.getpid(), "program": "run.py", "hash": "full",
    }  # fmt: skip
    assert rest == [
        (b"E", b'{"n":1,"api":"rknn_run","t":1234,"th":0,"ret":-1,"text":"\\u00fc"}'),
        (b"E", b'{"n":2,"api":"rknn_wait","t":99,"th":0,"d":7}'),
        (b"E", b'{"n":5,"api":"again","t":0,"th":0}'),
    ]


def test_the_head_of_a_plain_record(tmp_path: Path) -> None:
    with PcrecWriter(tmp_path / "a", "me"):
        pass
    ((kind, head),) = frames((tmp_path / "a").read_bytes())
    assert kind == b"E"
    assert head.startswith(b'{"n":0,"api":"record","t":')
    assert list(json.loads(head)) == ["n", "api", "t", "th", "format", "version", "by", "pid", "program"]
    assert json.loads(head)["by"] == "me"


def test_what_json_cannot_say_is_refused(tmp_path: Path) -> None:
    with PcrecWriter(tmp_path / "a", "me") as writer, pytest.raises(ValueError, match="JSON"):
        writer.event("f", {"x": float("nan")})


def test_threads_are_numbered_in_the_order_of_their_first_call(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with PcrecWriter(path, "me") as writer:

        def work() -> None:
            writer.event("f", {})
            writer.event("g", {})

        for _ in range(2):
            worker = threading.Thread(target=work)
            worker.start()
            worker.join()
        writer.event("h", {})
    told = [json.loads(content) for _, content in frames(path.read_bytes())]
    assert [e["n"] for e in told] == [0, 1, 2, 3, 4, 5]
    assert told[0]["th"] == told[5]["th"] == 0
    assert told[1]["th"] == told[2]["th"] == 1
    assert told[3]["th"] == told[4]["th"]
    assert told[3]["th"] in (1, 2)  # the identifier of a thread that ended may be given again


def test_buffers_are_numbered_and_cut_into_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pcrec_write, "CHUNK", 4)
    path = tmp_path / "a"
    with PcrecWriter(path, "me") as writer:
        assert writer.blob(b"abcdefghi") == 1
        assert writer.blob(b"") == 2
        assert writer.blob(memoryview(array.array("H", [0x0201, 0x0403]))) == 3
        assert writer.blob(b"wxyz") == 4
    head = struct.Struct("<IIQQ")
    assert frames(path.read_bytes())[1:] == [
        (b"B", head.pack(1, 0, 9, 0) + b"abcd"),
        (b"B", head.pack(1, 0, 9, 4) + b"efgh"),
        (b"B", head.pack(1, 0, 9, 8) + b"i"),
        (b"B", head.pack(2, 0, 0, 0)),
        (b"B", head.pack(3, 0, 4, 0) + array.array("H", [0x0201, 0x0403]).tobytes()),
        (b"B", head.pack(4, 0, 4, 0) + b"wxyz"),
    ]


def test_a_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    path = tmp_path / "a"
    with PcrecWriter(path, "me") as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", lambda fd, data: write(fd, bytes(data[:5])))
            writer.event("f", {"text": "x" * 50})
            writer.blob(b"abcdefgh")
        writer.event("g", {})
    assert [kind for kind, _ in frames(path.read_bytes())] == [b"E", b"E", b"B", b"E"]


def test_a_frame_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of several processes and threads stay whole: each goes out at once."""
    sizes: list[int] = []
    write = os.write

    def counted(fd: int, data: bytes) -> int:
        sizes.append(write(fd, data))
        return sizes[-1]

    with PcrecWriter(tmp_path / "a", "me") as writer:
        monkeypatch.setattr(os, "write", counted)
        writer.blob(bytes(100))
        monkeypatch.undo()
    assert sizes == [136]


def test_an_older_file_is_emptied_and_what_others_append_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 5000)
    with PcrecWriter(path, "me") as writer:
        assert path.stat().st_size < 5000
        with path.open("ab") as other:
            other.write(path.read_bytes()[8:])  # the head once more
        writer.event("f", {})
    assert [json.loads(c)["api"] for _, c in frames(path.read_bytes())] == ["record", "record", "f"]


def test_a_record_is_opened_as_bytes_where_the_system_tells_text_from_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = os.open, []

    def noted(name: str, flags: int, mode: int) -> int:
        seen.append(flags & (1 << 25))
        return real(name, flags & ~(1 << 25), mode)

    monkeypatch.setattr(os, "open", noted)
    monkeypatch.setattr(os, "O_BINARY", 1 << 25, raising=False)
    PcrecWriter(tmp_path / "a", "me").close()
    assert seen == [1 << 25]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_record_is_readable_by_all_and_writable_by_its_owner(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        PcrecWriter(tmp_path / "a", "me").close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_after_closing_nothing_is_written(tmp_path: Path) -> None:
    writer = PcrecWriter(tmp_path / "a", "me")
    writer.close()
    writer.close()
    with pytest.raises(OSError, match="descriptor"):
        writer.event("f", {})
    assert len(frames((tmp_path / "a").read_bytes())) == 1


def test_a_block_that_fails_closes_the_file_and_lets_the_fault_through(tmp_path: Path) -> None:
    with pytest.raises(KeyError), PcrecWriter(tmp_path / "a", "me") as writer:
        raise KeyError
    with pytest.raises(OSError, match="descriptor"):
        writer.blob(b"x")


def blocks_of(data: bytes, blocks: int) -> bytes:
    """docs/pcrec.md: block k starts at ((k · 2654435769 mod 2³²) · (size - 63) >> 32) & ~7; the last block ends the buffer."""
    found = b""
    for k in range(blocks - 1):
        start = ((k * 2654435769) % 2**32 * (len(data) - 63)) // 2**32 // 8 * 8
        found += data[start : start + 64]
    return found + data[-64:]


@pytest.mark.parametrize("blocks", [1, 2, 16, 128])
@pytest.mark.parametrize("more", [1, 7, 8, 64, 1000, 5001])
def test_a_sample_is_the_blocks_of_the_document(blocks: int, more: int) -> None:
    data = ramp(251) * ((64 * blocks + more) // 251 + 1)
    data = data[: 64 * blocks + more]
    assert sample(data, blocks) == blocks_of(data, blocks)
    assert content_hash(data, blocks) == f"s{blocks}:{xxh64(blocks_of(data, blocks)):016x}"
    assert content_hash(data, blocks, full=True) == f"f:{xxh64(data):016x}"


def test_short_buffers_are_hashed_whole() -> None:
    assert sample(bytes(64 * 16), 16) is None
    assert content_hash(ramp(1000), 16) == f"f:{XXH64[1000]:016x}" == "f:128da10cfbdc59d9"
    assert content_hash(ramp(100), 1) != f"f:{XXH64[100]:016x}"
    assert (pcrec_write.BLOCK, pcrec_write.INPUT_BLOCKS, pcrec_write.OUTPUT_BLOCKS) == (64, 128, 16)
    assert sample(bytes(8192)) is None
    assert content_hash(bytes(8193)).startswith("s128:")
    words = memoryview(array.array("I", range(5000)))
    assert sample(words, 16) == blocks_of(words.tobytes(), 16)
    assert content_hash(words, 16) == content_hash(words.tobytes(), 16)
