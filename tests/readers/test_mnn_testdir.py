"""MNN's test folders: read, counted, compared with the model, written."""

from __future__ import annotations

import json
import struct
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError, NotFoundError, PrepcheckError, TooLargeError, WrongKindError
from prepcheck.readers import mnn_numbers
from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_numbers import read_numbers
from prepcheck.readers.mnn_testdir import compare_with_contract, is_testdir, read_testdir, write_testdir
from prepcheck.wire.source import Source

MODELS = Path(__file__).parents[1] / "data" / "models"


def contract(name: str) -> Contract:
    path = MODELS / "mnn" / f"{name}.mnn"
    with Source.open(path) as source:
        return read_mnn(source, str(path))


def folder(path: Path, index: object, **files: str) -> str:
    path.mkdir(exist_ok=True)
    (path / "input.json").write_text(index if isinstance(index, str) else json.dumps(index), encoding="utf-8")
    for name, text in files.items():
        (path / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(path)


ONE = {"inputs": [{"name": "x", "shape": [1, 4]}], "outputs": ["y"]}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    image = [i / 3 for i in range(240)]
    target = str(tmp_path / "test")
    write_testdir(
        target, {"input": ((1, 3, 8, 10), image), "block/0/ids": ((4,), [0, 1, 2, 2**31 - 1])}, {"output": [0.5, -1.0]}
    )
    found = read_testdir(target)
    assert found.problems == ()
    assert [(t.name, t.shape, t.count, t.expected) for t in found.inputs] == [
        ("input", (1, 3, 8, 10), 240, 240),
        ("block/0/ids", (4,), 4, 4),
    ]
    assert list(found.values("input")) == pytest.approx(image, rel=1e-7)
    assert (tmp_path / "test" / "block" / "0" / "ids.txt").read_text() == "0\n1\n2\n2147483647\n"
    assert list(found.values("output")) == [0.5, -1.0]
    assert compare_with_contract(read_testdir(target), contract("c3_nchw"))[0].kind == "not_in_model"


def test_the_form_that_numpys_savetxt_writes(tmp_path: Path) -> None:
    text = "1.000000000000000056e-01\n-2.5e+00\n3.000000000000000000e+00 4\r\n"
    found = read_testdir(folder(tmp_path, ONE, x=text, y="1"))
    assert found.problems == ()
    assert list(found.values("x")) == [0.1, -2.5, 3.0, 4.0]


@pytest.mark.parametrize(
    "files,kinds",
    [
        ({"x": "1 2 3 4", "y": "1"}, []),
        ({"x": "1 2 3", "y": "1"}, ["count_short"]),
        ({"x": "1 2 3 4 5", "y": "1"}, ["count_long"]),
        ({"x": "1 2 three 4", "y": "1"}, ["not_a_number"]),
        ({"x": "1 2 3 4"}, ["output_file_missing"]),
        ({"y": "1"}, ["input_file_missing"]),
        ({"x": "1 2 3 4", "0": "1"}, []),  # ModuleBasic.out falls back to the output's place
        ({}, ["input_file_missing", "output_file_missing"]),
    ],
)
def test_what_mnn_passes_over(tmp_path: Path, files: dict[str, str], kinds: list[str]) -> None:
    found = read_testdir(folder(tmp_path, ONE, **files))
    assert [p.kind for p in found.problems] == kinds
    for problem in found.problems:
        assert problem.tensor in problem.text


def test_both_numbers_and_the_line_are_named(tmp_path: Path) -> None:
    (short,) = read_testdir(folder(tmp_path, ONE, x="1 2 3", y="1")).problems
    assert (short.got, short.want) == ("3", "4")
    (bad,) = read_testdir(folder(tmp_path, ONE, x="1\n2\n\n 1_0 4", y="1")).problems
    assert (bad.got, "line 4" in bad.text) == ("1_0", True)


def test_constants_and_missing_shapes(tmp_path: Path) -> None:
    index = {"inputs": [{"name": "x", "shape": [2, 2], "value": 0.25}, {"name": "z"}], "outputs": [], "repeat": 10}
    found = read_testdir(folder(tmp_path, index, z="1 2"))
    assert list(found.values("x")) == [0.25] * 4
    assert [p.kind for p in found.problems] == ["shape_unknown"]
    assert found.extra == {"repeat": "10"}
    with pytest.raises(NotFoundError):
        found.values("nothing")


def test_names_do_not_lead_outside(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("1")
    index = {
        "inputs": [{"name": "../secret", "shape": [1]}, {"name": "/etc/hosts", "shape": [1]}],
        "outputs": ["../secret"],
    }
    found = read_testdir(folder(tmp_path / "f", index))
    assert {t.file for t in (*found.inputs, *found.outputs)} == {None}
    with pytest.raises(ValueError, match="outside"):
        write_testdir(str(tmp_path / "g"), {"../x": ((1,), [1.0])}, {})
    with pytest.raises(ValueError, match=r"3 numbers given, 4 wanted for 2·2"):
        write_testdir(str(tmp_path / "g"), {"x": ((2, 2), [1.0, 2.0, 3.0])}, {})


def test_against_the_model(tmp_path: Path) -> None:
    index = {
        "inputs": [
            {"name": "template", "shape": [1, 3, 8, 8]},
            {"name": "search", "shape": [1, 16, 16, 3]},
            {"name": "id", "shape": [1, 4]},
        ],
        "outputs": ["output"],
    }
    found = compare_with_contract(read_testdir(folder(tmp_path, index)), contract("multi_nchw"))
    assert [(p.kind, p.tensor) for p in found] == [
        ("shape_differs", "search"),
        ("not_in_model", "id"),
        ("missing_from_folder", "ids"),
    ]
    assert (found[0].got, found[0].want) == ("1x16x16x3", "1x3x16x16")


def test_dynamic_and_reordered_axes_fit(tmp_path: Path) -> None:
    dynamic = {"inputs": [{"name": "input", "shape": [1, 3, 480, 640]}], "outputs": []}
    assert compare_with_contract(read_testdir(folder(tmp_path, dynamic)), contract("dynhw_nchw")) == ()
    nchw = {"inputs": [{"name": "image", "shape": [1, 3, 8, 10]}], "outputs": []}
    assert compare_with_contract(read_testdir(folder(tmp_path, nchw)), contract("tf_nhwc")) == ()
    rows = {"inputs": [{"name": "image", "shape": [1, 3, 4, 5]}], "outputs": []}
    fixed = contract("tf_nhwc")
    (problem,) = compare_with_contract(read_testdir(folder(tmp_path, rows)), fixed)
    assert (problem.kind, problem.got) == ("shape_differs", "1x3x4x5")
    open_ = [t.model_copy(update={"shape": [1, -1, -1, 3]}) for t in fixed.inputs]
    assert compare_with_contract(read_testdir(folder(tmp_path, rows)), fixed.model_copy(update={"inputs": open_})) == ()


def test_an_output_without_a_file_keeps_its_name(tmp_path: Path) -> None:
    found = read_testdir(folder(tmp_path, ONE, x="1 2 3 4"))
    assert [(t.name, t.file) for t in found.outputs] == [("y", None)]


@pytest.mark.parametrize(
    "index,error",
    [
        ("{", CorruptError),
        ("[" * 100_000, CorruptError),
        ("\udcff", CorruptError),
        ("[]", WrongKindError),
        ('{"a": 1}', WrongKindError),
        ('{"inputs": 3}', CorruptError),
        ('{"inputs": [3]}', CorruptError),
        ('{"inputs": [{"name": 3}]}', CorruptError),
        ('{"inputs": [], "outputs": [{}]}', CorruptError),
        (" " * ((1 << 20) + 1), CorruptError),
    ],
)
def test_an_index_that_is_none(tmp_path: Path, index: str, error: type[PrepcheckError]) -> None:
    (tmp_path / "input.json").write_bytes(index.encode("utf-8", "surrogateescape"))
    with pytest.raises(error) as caught:
        read_testdir(str(tmp_path))
    assert "input.json" in caught.value.message


def test_no_folder(tmp_path: Path) -> None:
    assert not is_testdir(str(tmp_path))
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(NotFoundError):
            read_testdir(str(path))


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=40))
def test_every_float32_survives(values: list[float]) -> None:
    with tempfile.TemporaryDirectory() as target:
        write_testdir(target, {"x": ((len(values),), values)}, {})
        got = read_testdir(target).values("x")
        assert struct.pack(f"{len(got)}f", *got) == struct.pack(f"{len(values)}f", *(v + 0.0 for v in values))


def test_numbers_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mnn_numbers, "_STEP", 16)
    numbers = [k * 1.25 for k in range(500)]
    path = tmp_path / "n.txt"
    path.write_text("\n".join(map(repr, numbers)))
    assert list(read_numbers(path).values) == numbers
    path.write_text("\n".join(map(repr, numbers[:300])) + "\nx\n5")
    found = read_numbers(path)
    assert (list(found.values), found.bad, found.bad_line) == (numbers[:300], "x", 301)
    path.write_text("1 " + "9" * 40)
    word = read_numbers(path).bad  # one word longer than a step is refused, whatever it holds
    assert word is not None
    assert set(word) == {"9"}
    path.write_text("")
    assert len(read_numbers(path).values) == 0


def test_a_file_of_numbers_has_a_limit(tmp_path: Path) -> None:
    with (tmp_path / "n.txt").open("wb") as file:
        file.truncate((256 << 20) + 1)
    with pytest.raises(TooLargeError):
        read_numbers(tmp_path / "n.txt")


@given(st.integers(0, 70), st.sampled_from(["\0", '"', "{", "-", "9", "é"]))
def test_a_damaged_index_is_named(at: int, character: str) -> None:
    text = json.dumps(ONE)
    with tempfile.TemporaryDirectory() as target:
        (Path(target) / "input.json").write_text(text[:at] + character + text[at + 1 :], encoding="utf-8")
        message = "input.json"
        try:
            read_testdir(target)
        except PrepcheckError as fault:
            message = fault.message
        assert "input.json" in message
