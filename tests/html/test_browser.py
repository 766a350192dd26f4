"""The page in a real headless Chromium: no console error, no request, no horizontal scroll, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from prepcheck.contract.plan import Plan
from tests.cli.run import SAMPLES, prepcheck
from tests.html.browser import Browser, find
from tests.html.build import IMAGENET, NORMALIZE, card, plan
from tests.html.test_page import made

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find() is None, reason="no Chromium on the path (install chromium, or set PREPCHECK_CHROMIUM)"),
]

OVERFLOW = """(() => {
  const wide = document.documentElement.clientWidth, out = [];
  for (const e of document.querySelectorAll("body *"))
    if (!e.closest("svg") && getComputedStyle(e).position !== "absolute" && e.getBoundingClientRect().right > wide + 1)
      out.push(e.tagName + "." + e.className);
  return [document.documentElement.scrollWidth - wide, out.slice(0, 5)];
})()"""
CONTRAST = """(() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => { const [r, g, b] = parse(c).slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const back = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return getComputedStyle(e).backgroundColor; } return "rgb(255,255,255)"; };
  const bad = [];
  for (const e of document.querySelectorAll("main *:not(svg *)")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const a = light(getComputedStyle(e).color), b = light(back(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push(e.tagName + "." + e.className + " " + ratio.toFixed(2));
  }
  return [...new Set(bad)].slice(0, 8);
})()"""
PICTURES = "[...document.images].every(i => i.complete && i.naturalWidth > 0)"
COLUMNS = "getComputedStyle(document.querySelector('.triple')).gridTemplateColumns.split(' ').length"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find()
    assert program is not None
    with Browser(program) as running:
        yield running


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    """Pages of every kind: a wrong buffer, a wrong plan, two inputs, a log, a refusal, Chinese."""
    kept = []

    def keep(name: str) -> None:
        kept.append((tmp_path / "report.html").rename(tmp_path / f"{name}.html"))

    made(tmp_path, buffers=[(None, np.ascontiguousarray(card()[..., ::-1]))])
    keep("buffer")
    made(tmp_path, plan=Plan.model_validate(plan(*NORMALIZE, training=IMAGENET)), lang="zh")
    keep("plan")
    report = tmp_path / "report.html"
    one, two = SAMPLES / "01_mnn_ostrack_gpu", SAMPLES / "02_rv1126_batch100"
    both = [f"{name}={one / 'frame.jpg'}" for name in ("template", "search")]
    prepcheck("validate", one / "tracker.mnn", *both, "--plan", one / "wrong.yaml", "--report", report)
    keep("two")
    prepcheck("explain", "--file", two / "error.txt", "--shape", "1x3x120x90", "--report", report)
    keep("log")
    prepcheck("validate", tmp_path / ("no" * 60 + ".rknn"), one / "frame.jpg", "--report", report)
    keep("refusal")
    return kept


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (375, False), (320, True)])
def test_pages(browser: Browser, pages: list[Path], width: int, dark: bool) -> None:
    for path in pages:
        tab = browser.open(path, width=width, dark=dark)
        assert tab.complaints() == [], path.name
        assert tab.value(OVERFLOW) == [0, []], path.name
        assert tab.value(CONTRAST) == [], path.name
        assert tab.value(PICTURES), path.name
        background = tab.value("getComputedStyle(document.body).backgroundColor")
        assert (background == "rgb(255, 255, 255)") is not dark
        if path.stem == "buffer":
            assert tab.value(COLUMNS) == (3 if width > 720 else 1)


def test_links_lead_to_findings(browser: Browser, pages: list[Path]) -> None:
    tab = browser.open(pages[0], width=1280)
    dead = "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).length"
    assert tab.value("document.querySelectorAll('a').length") >= 1
    assert tab.value(dead) == 0


def test_a_fault_in_the_page_would_be_seen(browser: Browser, pages: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    text = pages[0].read_text(encoding="utf-8")
    broken.write_text(
        text.replace("</main>", '<p style="width:3000px;color:#ccc">x</p><img src="http://127.0.0.1:9/a.png"></main>'),
        encoding="utf-8",
    )
    tab = browser.open(broken, width=375)
    assert tab.complaints()
    assert tab.value(OVERFLOW)[0] > 0
    assert tab.value(CONTRAST)
