"""The page of --report: self-contained, well formed, small, complete; its numbers; what it says in Chinese."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prepcheck.app.language import translator
from prepcheck.app.report_file import validated
from prepcheck.app.worlds import Request
from prepcheck.contract.contract import Contract
from prepcheck.contract.plan import Plan
from prepcheck.render.html.words import words
from tests.cli.run import SAMPLES, prepcheck
from tests.html.build import HEIGHT, IMAGENET, NORMALIZE, WIDTH, card, contract, plan, save
from tests.html.reading import Page


def made(folder: Path, *, lang: str = "en", **given: Any) -> Page:
    """The page of a request over the test card."""
    path = folder / "report.html"
    images = given.pop("images", None) or [(None, save(folder))]
    request = Request(model=given.pop("model", None) or contract(), images=images, **given)
    validated(request, str(path), lang=lang, translate=translator(lang))
    assert path.stat().st_size < 1_000_000
    return Page(path.read_text(encoding="utf-8"))


def twice(**changes: Any) -> Plan:
    return Plan.model_validate({**plan(*NORMALIZE, training=IMAGENET), **changes})


def test_a_wrong_buffer_has_every_section(tmp_path: Path) -> None:
    page = made(tmp_path, buffers=[(None, np.ascontiguousarray(card()[..., ::-1]))])
    assert page.headings[0].startswith("R and B are exchanged")
    for heading in (
        "What the network sees",
        "The path, step by step",
        "What to hand over",
        "The contract of the model",
    ):
        assert heading in page.headings
    for text in (
        "What the network should see", "What it sees: the submitted bytes", "The difference", "The image",
        "what zero point and scale can hold", "broken here:", "Fix", "error",
    ):  # fmt: skip
        assert text in page.text, text
    assert page.tags["svg"] == 3
    assert page.tags["figure"] == 4
    assert page.tags["html"] == page.tags["h1"] == page.tags["title"] == 1


def test_nothing_is_loaded_and_nothing_runs(tmp_path: Path) -> None:
    page = made(tmp_path, buffers=[(None, np.ascontiguousarray(card()[::-1]))])
    assert page.tags["script"] == page.tags["iframe"] == page.tags["object"] == page.tags["form"] == 0
    assert not page.handlers
    assert [r for r in page.references if not r.startswith(("data:", "#"))] == []
    assert all(r[1:] in page.ids for r in page.references if r.startswith("#"))
    assert "default-src 'none'" in page.source
    assert not re.search(r"(?:src|href|url\(|@import)\W{0,3}(?:https?:)?//", page.source)


def test_the_text_of_a_page(tmp_path: Path, snapshot: Any) -> None:
    page = made(tmp_path, plan=twice())
    text = "\n".join(page.text).replace(str(tmp_path), "FOLDER")
    assert re.sub(r"\d+ passed", "N passed", text) == snapshot


def test_normalised_twice_leaves_few_levels_and_a_low_psnr(tmp_path: Path) -> None:
    page = made(tmp_path, plan=twice())
    after = (np.arange(256) / 255 - 0.485) / 0.229  # of the first channel; the model does it again
    codes = {int(c) for c in np.rint(np.clip((after - 123.675) / 58.395, -2.127012, 2.630778) / 0.018658)}
    levels = int(page.text[page.text.index("levels reach the network") - 1])
    right = int(page.text[page.text.index("levels reach the network") + 1].split()[0])
    assert len(codes) <= levels <= 4 * len(codes)
    assert right > 20 * levels / 2
    assert "broken here:" in page.text


def test_the_channel_order_of_training_is_what_should_be_seen(tmp_path: Path) -> None:
    training = {**IMAGENET, "color": "BGR"}
    swapped = made(tmp_path, plan=Plan.model_validate(plan(training=training, dtype="UINT8")))
    assert "What it sees: the steps as stated" in swapped.text
    right = made(
        tmp_path, plan=Plan.model_validate(plan({"convert_color": {"to": "BGR"}}, training=training, dtype="UINT8"))
    )
    assert "equal" in right.text
    assert "equal" not in swapped.text


def test_a_path_is_not_compared_with_itself(tmp_path: Path) -> None:
    page = made(tmp_path)
    assert "The difference" not in page.text
    assert "Nothing was submitted to compare with" in page.words
    assert page.tags["figure"] == 2


def test_the_letterbox_of_training_is_what_should_be_seen(tmp_path: Path) -> None:
    image = save(tmp_path, np.ascontiguousarray(card()[:, : WIDTH // 2]), "tall.png")
    steps = [{"resize": {"size": [WIDTH, HEIGHT], "filter": "nearest"}}]
    stated = plan(*steps, training={"resize": "letterbox", "fill": 114}, dtype="UINT8")
    stated["steps"][0]["decode"]["size"] = [WIDTH // 2, HEIGHT]
    page = made(tmp_path, plan=Plan.model_validate(stated), images=[(None, image)])
    assert "What the network should see follows model.training: letterbox." in page.text


def test_every_label_is_translated() -> None:
    english, chinese = words(str), words(translator("zh"))
    same = {key for key, text in english.items() if chinese[key] == text and re.search("[a-z]{3}", text)}
    assert not same
    for key, text in english.items():
        assert sorted(re.findall(r"{\w+}", text)) == sorted(re.findall(r"{\w+}", chinese[key])), key


def test_chinese(tmp_path: Path) -> None:
    page = made(tmp_path, lang="zh", buffers=[(None, np.ascontiguousarray(card()[..., ::-1]))])
    assert '<html lang="zh-CN">' in page.source
    assert "What the network should see" not in page.text
    assert words(translator("zh"))["should"] in page.text


@pytest.mark.parametrize(("inputs", "size"), [(1, (1080, 1920)), (3, (480, 640))])
def test_large_and_many_inputs_stay_below_a_megabyte(tmp_path: Path, inputs: int, size: tuple[int, int]) -> None:
    height, width = size
    noise = np.random.default_rng(3).integers(0, 256, (height, width, 3), np.uint8)  # the worst that can be stored
    image = save(tmp_path, noise)
    one = contract().inputs[0]
    tensors = [
        one.model_copy(update={"index": i, "name": f"in{i}", "shape": [1, height, width, 3], "size": noise.size})
        for i in range(inputs)
    ]
    model = contract().model_copy(update={"inputs": tensors})
    steps = {t.name: [{"decode": {"library": "pillow", "color": "RGB"}}] for t in tensors}
    training = {t.name: {"color": "BGR"} for t in tensors}
    stated = {"prepcheck": "plan/v1", "runtime": "rknn", "steps": steps, "model": {"training": training}}
    page = made(
        tmp_path, model=model, images=[(t.name, image) for t in tensors], plan=Plan.model_validate(stated)
    )  # fmt: skip
    assert page.tags["figure"] == 4 * inputs
    assert len(page.source) > 50_000


def test_other_models(tmp_path: Path) -> None:
    gray = contract(shape=[1, HEIGHT, WIDTH, 1], mean=[0.0], std=[1.0], size=HEIGHT * WIDTH)
    page = made(tmp_path, model=gray, buffers=[(None, np.ascontiguousarray(card()[..., 0]))])
    assert page.tags["svg"] == 1
    vector = contract(layout="UNDEFINED", shape=[1, 40], mean=None, std=None)
    assert made(tmp_path, model=vector).tags["img"] == 0
    unknown = contract(mean=None, std=None, value_range=None)
    assert "Values as they are handed over." in made(tmp_path, model=unknown).words
    dynamic: Contract = contract(shape=[1, -1, -1, 3], size=None)
    assert made(tmp_path, model=dynamic).tags["img"] == 0


def test_same_input_same_page(tmp_path: Path) -> None:
    given = {"buffers": [(None, np.ascontiguousarray(card()[..., ::-1]))]}
    assert made(tmp_path, **given).source == made(tmp_path, **given).source


def test_a_log_is_explained_on_a_page(tmp_path: Path) -> None:
    path = tmp_path / "log.html"
    two = SAMPLES / "02_rv1126_batch100"
    done = prepcheck("explain", "--file", two / "error.txt", "--shape", "1x3x120x90", "--report", path)
    assert done.returncode == 1
    page = Page(path.read_text(encoding="utf-8"))
    assert "3240000" in page.headings[0]
    assert "The lines and what they are" in page.headings
    assert page.tags["img"] == 0


def test_steps_that_change_the_picture_show_it(tmp_path: Path) -> None:
    steps = ({"crop": {"box": [0, 0, 48, 32]}}, {"letterbox": {"size": [WIDTH, HEIGHT], "fill": 114}}, *NORMALIZE)
    page = made(tmp_path, plan=Plan.model_validate(plan(*steps, training=IMAGENET)))
    assert page.tags["img"] == 4 + 3  # decode, crop, letterbox
    assert page.source.count('class="thumb"') == 3
    assert 'width="48" height="32"' in page.source
