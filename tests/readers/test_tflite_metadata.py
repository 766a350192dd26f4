"""Metadata inside TFLite files, by metadata_schema.fbs of tflite-support: what is asked of the application, and texts."""

from __future__ import annotations

import math
from typing import Any

import pytest

from prepcheck.contract.contract import Expects
from prepcheck.errors import CorruptError
from prepcheck.readers import tflite_metadata
from prepcheck.readers.tflite import read_tflite
from prepcheck.readers.tflite_metadata import Stated, read_metadata
from prepcheck.wire.flatbuffer import Flatbuffer
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window
from tests.readers.flat_builder import flat

Tab = dict[int, Any]
Said = tuple[Stated, dict[str, str]]
NOTHING = Stated([])


def packed(table: Tab, mark: bytes | None = None) -> bytes:
    """A flatbuffer; what its tables hold is not typed."""
    return flat(table, mark)


def source(entries: list[Tab], buffers: list[Tab], after: bytes = b"") -> Source:
    """A model with entries (Metadata: name 0, buffer 1) in slot 6 and buffers (data 0, offset 1, size 2) in slot 4."""
    return Source.from_bytes(packed({0: ("I", 3), 4: buffers, 6: entries}, b"TFL3") + after, "m.tflite")


def read(found: Source) -> Said:
    return read_metadata(Flatbuffer(Window(found)).root(), found)


def entry(name: str, buffer: int) -> Tab:
    return {0: name, 1: ("I", buffer)}


def of(metadata: bytes) -> Said:
    """What is said by a TFLITE_METADATA buffer."""
    return read(source([entry("TFLITE_METADATA", 1)], [{}, {0: metadata}]))


def about(*tensors: Tab, **texts: str) -> Said:
    """By a ModelMetadata of one subgraph (3), whose input tensors stand in slot 2; s0=… are texts of the model."""
    return of(packed({int(k[1:]): v for k, v in texts.items()} | {3: [{2: list(tensors)}]}, b"M001"))


def unit(mean: tuple[float, ...] | None, std: tuple[float, ...] | None, kind: int = 1) -> Tab:
    """ProcessUnit: options_type 0 (1 NormalizationOptions), options 1 with mean 0 and std 1."""
    lists = {0: mean, 1: std}
    options: Tab = {slot: ("*f", v) for slot, v in lists.items() if v is not None}
    return {0: ("B", kind), 1: options}


def image(color: int, kind: int = 2) -> Tab:
    """Content: content_properties_type 0 (2 ImageProperties), content_properties 1 with color_space 0."""
    return {0: ("B", kind), 1: {0: ("b", color)}}


def expects(tensor: Tab) -> Expects | None:
    (said,) = about(tensor)[0].inputs
    return said


def made(mean: list[float] | None, std: list[float] | None, color: str | None = None) -> Expects:
    return Expects.model_validate({"mean": mean, "std": std, "color": color})


def test_normalisation_and_colour_of_every_input() -> None:
    """TensorMetadata: content 3, process_units 4. Floats as they were typed, to seven digits."""
    both: Tab = {0: "image", 3: image(1), 4: [unit((123.675, 116.28, 103.53), (58.395, 57.12, 57.375))]}
    stated, fields = about(both, {0: "other"}, {3: image(2)}, {4: [unit((127.5,), (127.5,))]})
    assert stated == Stated(
        [
            made([123.675, 116.28, 103.53], [58.395, 57.12, 57.375], "RGB"),
            None,
            made(None, None, "GRAY"),
            made([127.5], [127.5]),
        ]
    )
    assert fields == {}


def test_inputs_of_a_contract_get_what_is_said_of_their_place() -> None:
    """An input more than the metadata knows of gets nothing."""
    tensors: list[Tab] = [{0: ("*i", (1,)), 3: name} for name in ("a", "b", "c")]
    meta = packed({3: [{2: [{}, {3: image(1)}]}]}, b"M001")
    model: Tab = {
        0: ("I", 3), 2: [{0: tensors, 1: ("*i", (0, 1, 2))}], 4: [{0: meta}], 6: [entry("TFLITE_METADATA", 0)],
    }  # fmt: skip
    got = read_tflite(Source.from_bytes(packed(model, b"TFL3"), "m.tflite"), "m.tflite")
    assert [t.expects for t in got.inputs] == [None, made(None, None, "RGB"), None]
    assert [t.provenance.get("expects") for t in got.inputs] == [None, "file", None]


def test_colours_that_are_known() -> None:
    """ColorSpaceType: 1 RGB, 2 GRAYSCALE; of ImageProperties (2) alone."""
    assert expects({3: image(0)}) is None
    assert expects({3: image(3)}) is None
    assert expects({3: image(1, kind=1)}) is None
    assert expects({3: image(1, kind=3)}) is None
    assert expects({3: {0: ("B", 2)}}) is None
    assert expects({3: {0: ("B", 2), 1: {}}}) is None
    assert tflite_metadata.COLORS == {1: "RGB", 2: "GRAY"}


def test_normalisations_that_can_be_used() -> None:
    """One value or one for each channel, finite, no std of 0; the last unit of that kind counts."""

    def normal(*units: Tab) -> tuple[object, object] | None:
        said = expects({4: list(units)})
        return None if said is None else (said.mean, said.std)

    good = unit((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    assert normal(unit((1.0, 2.0, 3.0), (4.0,))) == ([1.0, 2.0, 3.0], [4.0])
    assert normal(unit((1.0,), (4.0, 5.0, 6.0))) == ([1.0], [4.0, 5.0, 6.0])
    assert normal(unit((1.0, 2.0, 3.0), (4.0, 5.0))) is None
    assert normal(unit((), (1.0,))) is None
    assert normal(unit((1.0,), ())) is None
    assert normal(unit(None, (1.0,))) is None
    assert normal(unit((1.0,), None)) is None
    for bad in (math.nan, math.inf, -math.inf):
        assert normal(unit((bad,), (1.0,))) is None
        assert normal(unit((1.0,), (bad,))) is None
    assert normal(unit((1.0, 2.0), (1.0, 0.0))) is None
    assert normal(unit((0.0,), (-1.0,))) == ([0.0], [-1.0])
    assert normal(unit((1.0,), (2.0,), kind=2)) is None
    assert normal(unit((1.0,), (2.0,), kind=2), good) == normal({0: ("B", 1)}, good) == ([1, 2, 3], [4, 5, 6])
    assert normal(good, unit((7.0,), (8.0,))) == ([7.0], [8.0])
    assert normal(good, unit((7.0,), (0.0,))) == ([1, 2, 3], [4, 5, 6])
    assert expects({3: image(1), 4: [unit((1.0,), (0.0,))]}) == made(None, None, "RGB")
    assert expects({4: [unit((0.1234567891,), (1e-7,))]}) == made([0.1234568], [1e-07])


def test_texts_of_the_model() -> None:
    """ModelMetadata: name 0, description 1, version 2, author 4, license 5; each cut at 4096 characters."""
    more = {"s0": "n", "s1": "d" * 5000, "s2": "v2", "s4": "a", "s5": "l", "s6": "files", "s7": "1.0"}
    assert about(**more)[1] == {"name": "n", "description": "d" * 4096, "version": "v2", "author": "a", "license": "l"}
    assert about(s0="", s4="a")[1] == {"author": "a"}
    assert of(packed({0: "n"}, b"M001")) == (NOTHING, {"name": "n"})
    assert of(packed({3: [{2: [{3: image(1)}]}, {2: [{3: image(2)}]}]}, b"M001"))[0].inputs == [made(None, None, "RGB")]
    assert of(packed({3: [{}]}, b"M001"))[0] == NOTHING


def test_other_metadata() -> None:
    """Another identifier says nothing; what cannot be read is said to be that, and the model is read."""
    assert of(packed({0: "n"}, b"M002")) == (NOTHING, {})
    stated, fields = of(b"\xff\xff\0\0M001" + bytes(20))
    assert stated == NOTHING
    assert list(fields) == ["metadata"]
    assert fields["metadata"].startswith("unreadable: m.tflite: byte ")
    assert len(fields["metadata"]) <= len("unreadable: ") + 200
    assert of(b"x" * 7) == (NOTHING, {})


def test_places_in_the_metadata_are_those_of_the_file() -> None:
    """The reason is cut at 200 characters."""
    long = Source.from_bytes(
        packed({0: ("I", 3), 4: [{}, {0: b"\xff\xff\0\0M001" + bytes(20)}], 6: [entry("TFLITE_METADATA", 1)]}),
        "n" * 300,
    )
    assert read(long)[1]["metadata"] == "unreadable: " + "n" * 200


def test_version_of_the_runtime() -> None:
    """A text of at most 64 bytes up to its first zero byte; it becomes the contract's toolkit."""

    def version(data: bytes) -> dict[str, str]:
        return read(source([entry("min_runtime_version", 0)], [{0: data}]))[1]

    assert version(b"1.14.0\0\0\0junk") == {"min_runtime_version": "1.14.0"}
    assert version(b"9" * 70) == {"min_runtime_version": "9" * 64}
    assert version(b"1.\xff") == {"min_runtime_version": "1.\ufffd"}
    assert version(b"\0") == {"min_runtime_version": ""}
    data = packed(
        {
            0: ("I", 3), 2: [{0: [{0: ("*i", (1,))}], 1: ("*i", (0,))}], 4: [{0: b"2.5.0"}, {0: packed({0: "n"}, b"M001")}],
            6: [entry("min_runtime_version", 0), entry("TFLITE_METADATA", 1)], 3: "described",
        },
        b"TFL3",
    )  # fmt: skip
    got = read_tflite(Source.from_bytes(data, "m.tflite"), "m.tflite")
    assert got.toolkit == "2.5.0"
    assert got.metadata == {"min_runtime_version": "2.5.0", "name": "n", "description": "described"}


def test_entries_in_any_order() -> None:
    """What follows the metadata is not looked at; entries without a buffer or of another name are passed over."""
    buffers: list[Tab] = [{}, {0: packed({0: "n"}, b"M001")}, {0: b"2.5.0"}]
    version, meta = entry("min_runtime_version", 2), entry("TFLITE_METADATA", 1)
    both = {"name": "n", "min_runtime_version": "2.5.0"}
    assert read(source([version, meta], buffers))[1] == both
    assert read(source([meta, version], buffers))[1] == {"name": "n"}
    empty, beyond, other = entry("TFLITE_METADATA", 0), entry("TFLITE_METADATA", 3), entry("CONVERSION_METADATA", 1)
    assert read(source([empty, beyond, other, {1: ("I", 1)}, version, meta], buffers))[1] == both
    assert read(source([], buffers)) == (NOTHING, {})
    assert read(source([version], [])) == (NOTHING, {})


def test_buffers_outside_the_flatbuffer() -> None:
    """Models over 2 GB: Buffer.offset and .size of the file (schema.fbs); an offset of 0 or 1 means there are none."""

    def version(at: int, size: int, after: bytes = b"3.0") -> dict[str, str]:
        return read(source([entry("min_runtime_version", 0)], [{1: ("Q", at), 2: ("Q", size), 0: b"in"}], after))[1]

    end = source([entry("min_runtime_version", 0)], [{1: ("Q", 1), 2: ("Q", 1), 0: b"in"}]).size
    assert version(end, 3) == {"min_runtime_version": "3.0"}
    assert version(end, 2) == {"min_runtime_version": "3."}
    assert version(4, 4) == {"min_runtime_version": "TFL3"}
    assert version(2, 1)["min_runtime_version"] != "in"
    for at, size in ((1, 3), (0, 3), (end, 0)):
        assert version(at, size) == {"min_runtime_version": "in"}
    assert version(end, 4) == {}
    assert version(1 << 62, 1) == {}


def test_limits() -> None:
    """Lists of at most 64 numbers, 64 units, names of 1024 bytes: beyond them the metadata counts as unreadable."""

    def readable(**tensor: Any) -> bool:
        return "metadata" not in about({int(k[1:]): v for k, v in tensor.items()})[1]

    one = unit((1.0,), (1.0,))
    assert readable(s4=[unit((1.0,) * 64, (2.0,) * 64)] * 64)
    assert not readable(s4=[unit((1.0,) * 65, (2.0,))])
    assert not readable(s4=[unit((1.0,), (2.0,) * 65)])
    assert not readable(s4=[one] * 65)
    meta = packed({3: [{2: [{}] * 4096}]}, b"M001"), packed({3: [{2: [{}] * 4097}]}, b"M001")
    assert [list(of(m)[1]) for m in meta] == [[], ["metadata"]]
    with pytest.raises(CorruptError, match="at most 1024 elements"):
        read(source([entry("n" * 1025, 0)], [{0: b"x"}]))
    assert read(source([entry("n" * 1024, 0)], [{0: b"x"}])) == (NOTHING, {})
    one_entry = entry("x", 0)
    with pytest.raises(CorruptError, match="at most 4096 elements"):
        read(source([one_entry] * 4097, []))
    assert read(source([one_entry] * 4096, [])) == (NOTHING, {})
    assert (tflite_metadata.MAX_TEXT, tflite_metadata.NAME, tflite_metadata.IDENTIFIER) == (
        4096,
        "TFLITE_METADATA",
        b"M001",
    )
