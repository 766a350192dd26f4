"""Whatever the file holds: a plan that reads back, or a named error; in bounded time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepcheck.contract.loading import plan_from_text
from prepcheck.errors import PrepcheckError, TooLargeError, WrongKindError
from prepcheck.importers.choosing import kinds, read_foreign
from tests.importers.files import FILES, from_text

SEEDS = {
    "preprocessor_config.json": sorted((FILES / "hf").iterdir()),
    "quantizer.json": sorted((FILES / "mnn").iterdir()),
    "convert.py": sorted((FILES / "rknn").iterdir()),
    "metadata.yaml": sorted((FILES / "ultralytics").iterdir()),
    "pipeline.json": sorted((FILES / "mmdeploy").iterdir()),
    "config.yml": sorted((FILES / "frigate").iterdir()),
    "m.modelinfo": sorted((FILES / "modelinfo").iterdir()),
}
SCRAPS = (
    "NaN", "-Infinity", "1e999", "9" * 60, "1" + "0" * 5000, '"\\ud800"', "[[[[[[[[", "{", "null", "true", "-1", "0", "[]", "{}", '""', "1e-320",
    ",", "\n", "\x00", "\u2028", "PLACEHOLDER", "[modelinfo]", "=", "a: &b", "*b", "!!python/object:os.system x", "0640", "0x10",
    "__import__('os')", "lambda: 0", "**x", "float('nan')", "[0] * 10**9", "1/0", "2**99999", "𝟘", "%", "\t", "'", '"',
)  # fmt: skip


def named(text: str, name: str) -> None:
    try:
        found = from_text(text, name)
        plan_from_text(found.text(), "plan.yaml")
    except PrepcheckError as error:
        if error.code == "internal" or not error.message:
            raise


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SEEDS[name])).read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        until = min(len(text), at + data.draw(st.sampled_from((0, 0, 1, 3, 12))))
        text = text[:at] + data.draw(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=4))) + text[until:]
    named(text, name)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**50), 10**50), st.floats(), st.text(max_size=6), st.sampled_from((0, 1, 224, 0.5, 255))),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.sampled_from(("height", "width", "shortest_edge", "a")), inner, max_size=3)),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.parametrize("seed", ["hf/clip_shortest_edge.json", "mnn/mobilenet_caffe.json"])
@settings(max_examples=50, deadline=None, derandomize=True)
@given(data=st.data())
def test_keys_with_any_value(seed: str, data: st.DataObject) -> None:
    table = json.loads((FILES / seed).read_text(encoding="utf-8"))
    keys = (
        *table,
        "max_size",
        "pad_size",
        "do_pad",
        "crop_pct",
        "inputs",
        "input_type",
        "center_crop_h",
        "rescale_offset",
    )
    for _ in range(data.draw(st.integers(1, 3))):
        table[data.draw(st.sampled_from(keys))] = data.draw(VALUES)
    named(json.dumps(table), "f.json")


@settings(max_examples=50, deadline=None, derandomize=True)
@given(data=st.data())
def test_arguments_with_any_value(data: st.DataObject) -> None:
    keys = (
        "mean_values",
        "std_values",
        "target_platform",
        "quant_img_RGB2BGR",
        "reorder_channel",
        "channel_mean_value",
        "dynamic_input",
    )
    given_ = {k: data.draw(VALUES) for k in data.draw(st.lists(st.sampled_from(keys), unique=True, min_size=1))}
    named("r.config(" + ", ".join(f"{k}={v!r}" for k, v in given_.items()) + ")\n", "c.py")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"image_mean": ' + "[" * 100_000),
        ("a.json", '{"do_resize": true, "image_mean": [' + "0," * 300_000 + "0]}"),
        ("a.json", '{"do_resize": true, "do_resize": false}'),
        ("a.json", '{"image_mean": [NaN], "image_std": [1]}'),
        ("a.py", "x = " + "-" * 100_000 + "1\nr.config(mean_values=x)"),
        ("a.py", "r.config(mean_values=" + "[" * 150 + "]" * 150 + ")"),
        ("a.py", "r.config(mean_values=" + "+".join(["1"] * 20_000) + ")"),
        ("a.py", "a = b\nb = a\nr.config(mean_values=a)"),
        ("a.py", "\x00"),
        ("a.yaml", "imgsz: " + "[" * 5_000),
        ("a.yaml", "imgsz: &a 3\ntask: &a detect\n"),
        ("a.json", '{"normal": [1e-320, 1, 1], "mean": [0, 0, 0], "width": 4, "height": 4}'),
        ("a.yaml", "imgsz: 1" + "0" * 100_000 + "\ntask: detect\n"),
        ("a.modelinfo", "[modelinfo]\nversion=1.0\n" + "[a]\n" * 3),
        ("a.modelinfo", "[modelinfo]\nversion=1.0\n[i]\ndir=input\ndims=" + "1," * 50_000),
    ],
)
def test_bombs(name: str, text: str) -> None:
    named(text, name)


def test_caps(tmp_path: Path) -> None:
    big = tmp_path / "a.json"
    big.write_bytes(b'{"image_mean": "' + b"x" * (1 << 20) + b'"}')
    with pytest.raises(TooLargeError):
        read_foreign(big)
    for name, text in (
        ("a.yaml", "a: " + "x" * 200_000),
        ("a.py", "#" * 300_000),
        ("a.json", "[" + "1," * 110_000 + "1]"),
    ):
        with pytest.raises(TooLargeError):
            from_text(text, name)


def test_what_it_is_not(tmp_path: Path) -> None:
    with pytest.raises(WrongKindError, match="of no format that is imported"):
        from_text('{"a": 1}', "a.json")
    with pytest.raises(WrongKindError, match="is not GStreamer"):
        read_foreign(FILES / "hf" / "sam_pad.json", "modelinfo")
    with pytest.raises(PrepcheckError, match="did you mean modelinfo"):
        read_foreign(FILES / "hf" / "sam_pad.json", "model-info")
    binary = tmp_path / "a.json"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with pytest.raises(PrepcheckError, match="not UTF-8"):
        read_foreign(binary)
    with pytest.raises(PrepcheckError, match=r"folder"):
        read_foreign(tmp_path)


def test_kinds() -> None:
    assert set(kinds()) >= {
        "preprocessor-config",
        "mnn-quantizer",
        "rknn-config",
        "ultralytics",
        "modelinfo",
        "mmdeploy",
        "frigate",
    }
