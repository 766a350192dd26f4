"""The SHA-256 of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.errors import NotFoundError
from prepcheck.readers.digest import sha256
from prepcheck.wire import source

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
MILLION = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
"""FIPS 180-4's examples: "abc", no bytes, a million times "a"."""


def test_the_examples_of_the_standard(tmp_path: Path) -> None:
    for content, wanted in ((b"abc", ABC), (b"", EMPTY), (b"a" * 1_000_000, MILLION)):
        (tmp_path / "a").write_bytes(content)
        assert sha256(tmp_path / "a") == wanted


def test_a_file_over_the_limit_has_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert [sha256(tmp_path / "a", limit) for limit in (2, 3, 4, None)] == [None, ABC, ABC, ABC]
    (tmp_path / "b").write_bytes(b"")
    assert sha256(tmp_path / "b", 0) == EMPTY


def test_a_file_of_several_chunks_is_read_a_mebibyte_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expected: sha256sum of 2.5 MiB of zeros."""
    path = tmp_path / "a"
    with path.open("wb") as stream:
        stream.truncate(5 << 19)
    sizes: list[int] = []
    read = source.Source.read

    def counted(self: source.Source, at: int, n: int) -> bytes:
        sizes.append(n)
        return read(self, at, n)

    monkeypatch.setattr(source.Source, "read", counted)
    assert sha256(path) == "6de7493c5c90f643357c268fbaaf461c1567e0334e4948023ce17268403aa37a"
    assert sizes == [1 << 20, 1 << 20, 1 << 19]


def test_more_than_the_budget_of_a_model_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Source hands out 64 MiB in all for a model; a digest reads whole files."""
    seen: list[int] = []
    opened = source.Source.open

    def watched(path: Path, *, max_total: int = 0) -> source.Source:
        seen.append(max_total)
        return opened(path, max_total=max_total)

    monkeypatch.setattr(source.Source, "open", watched)
    (tmp_path / "a").write_bytes(b"abc")
    assert sha256(tmp_path / "a") == ABC
    assert seen == [1 << 62]


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        sha256(tmp_path / "a")
