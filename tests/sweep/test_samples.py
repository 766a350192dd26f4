"""Which samples a path holds: folders, globs, lists as rknn-toolkit2 reads them, parts drawn at random."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.app.sweeping.samples import Sample, choose, find, units
from prepcheck.contract.contract import Contract, Tensor
from prepcheck.errors import EmptyFileError, NotFoundError, UsageError, WrongKindError
from tests.sweep.pictures import folder, save, texture

ONE = Contract.made(inputs=[Tensor.made(name="images", layout="NHWC", shape=[1, 20, 36, 3])])
TWO = Contract.made(inputs=[Tensor.made(name="a"), Tensor.made(name="b")])


def names(path: object, contract: Contract = ONE) -> list[str]:
    return [s.name for s in find([str(path)], contract).samples]


def listed(tmp_path: Path, text: str, contract: Contract = ONE) -> tuple[list[str], list[tuple[str, int]]]:
    """(samples relative to the list's folder, (kind, line) of problems)."""
    path = tmp_path / "dataset.txt"
    path.write_text(text, encoding="utf-8")
    found = find([str(path)], contract)
    return [s.name.replace(f"{tmp_path}/", "") for s in found.samples], [(p.kind, p.line) for p in found.problems]


def test_folder_is_walked_in_a_fixed_order(tmp_path: Path) -> None:
    folder(tmp_path / "b", 2)
    folder(tmp_path / "a" / "deep", 1)
    folder(tmp_path / ".hidden", 1)
    (tmp_path / "notes.md").write_text("x", encoding="utf-8")
    found = find([str(tmp_path)], ONE)
    assert [s.name.removeprefix(f"{tmp_path}/") for s in found.samples] == ["a/deep/000.png", "b/000.png", "b/001.png"]
    assert (found.kind, found.passed_over) == ("folder", 1)


def test_glob(tmp_path: Path) -> None:
    folder(tmp_path, 3)
    assert len(names(tmp_path / "*.png")) == 3
    assert len(names(tmp_path / "00[01].png")) == 2
    with pytest.raises(NotFoundError, match="no file matches"):
        find([str(tmp_path / "*.jpg")], ONE)


def test_list_relative_to_its_own_folder_not_to_the_working_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured: rknn-toolkit2 2.5.0 joins relative paths to the folder of the dataset file."""
    save(tmp_path / "set" / "x.png", texture(1))
    save(tmp_path / "elsewhere" / "x.png", texture(2))
    (tmp_path / "set" / "dataset.txt").write_text("x.png\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert names(tmp_path / "set" / "dataset.txt") == [f"{tmp_path}/set/x.png"]
    monkeypatch.chdir(tmp_path)
    assert names("set/dataset.txt") == ["set/x.png"]


def test_absolute_paths_blank_lines_and_spaces(tmp_path: Path) -> None:
    x = save(tmp_path / "x.png", texture(1))
    y = save(tmp_path / "deep" / "Y.PNG", texture(2))
    assert listed(tmp_path, f"  x.png  \r\n\n\n{y}\n./x.png\n") == (["x.png", "deep/Y.PNG", "./x.png"], [])
    assert listed(tmp_path, f"x.png   {x}\nx.png x.png\n", TWO) == (["x.png x.png", "x.png x.png"], [])


def test_several_inputs_stand_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    save(tmp_path / "x.png", texture(1))
    (tmp_path / "d.txt").write_text("x.png y.npy\n", encoding="utf-8")
    sample = find([str(tmp_path / "d.txt")], TWO).samples[0]
    assert sample == Sample((("a", f"{tmp_path}/x.png"), ("b", f"{tmp_path}/y.npy")), 1)


@pytest.mark.parametrize(
    ("text", "samples", "problems"),
    [
        ("\nx.png\n", ["x.png"], [("blank_first_line", 1)]),
        ("\ufeffx.png\n", ["x.png"], [("byte_order_mark", 1)]),
        ("# all\nx.png\n", ["x.png"], [("comment", 1)]),
        ("two words.png\n", ["two words.png"], [("space", 1)]),
        ('"x.png"\n', ["x.png"], [("quotes", 1)]),
        ("x.png x.png\n", [], [("inputs", 1)]),
        ("x.webp\n", ["x.webp"], [("ending", 1)]),
    ],
)
def test_what_the_toolkit_misreads(
    tmp_path: Path, text: str, samples: list[str], problems: list[tuple[str, int]]
) -> None:
    save(tmp_path / "x.png", texture(1))
    save(tmp_path / "two words.png", texture(2))
    assert listed(tmp_path, text) == (samples, problems)


@pytest.mark.parametrize(("sign", "kind"), [("\t", "tab"), (",", "comma")])
def test_other_separators(tmp_path: Path, sign: str, kind: str) -> None:
    save(tmp_path / "x.png", texture(1))
    assert listed(tmp_path, f"x.png{sign}x.png\n", TWO) == (["x.png x.png"], [(kind, 1)])


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "blank.txt").write_bytes(b"\n\n \n")
    (tmp_path / "binary.txt").write_bytes(b"a\0b")
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe.png")
    for name, error in {
        "empty": EmptyFileError, "empty.txt": EmptyFileError, "blank.txt": EmptyFileError,
        "binary.txt": WrongKindError, "/dev/null": WrongKindError, "latin.txt": WrongKindError, "nowhere": NotFoundError,
    }.items():  # fmt: skip
        with pytest.raises(error):
            find([str(tmp_path / name)], ONE)
    with pytest.raises(UsageError):
        find([], ONE)


def test_parts() -> None:
    samples = [Sample(((None, f"{i}.png"),)) for i in range(100)]
    assert choose(samples, limit=3, sample=None, seed=0) == [0, 1, 2]
    drawn = choose(samples, limit=None, sample=10, seed=7)
    assert drawn == sorted(drawn) == choose(samples, limit=None, sample=10, seed=7)
    assert drawn != choose(samples, limit=None, sample=10, seed=8)
    assert choose(samples, limit=None, sample=1000, seed=0) == list(range(100))
    assert list(units(drawn, 4)) == [tuple(drawn[:4]), tuple(drawn[4:8]), tuple(drawn[8:])]
