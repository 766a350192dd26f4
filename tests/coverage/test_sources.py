"""Every short id of a source has one entry with a fact, public places and a confidence, and no entry is left over."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from prepcheck.app.rules import all_pages
from prepcheck.data.sources import (
    CONFIDENCES,
    FOLDER,
    TITLES,
    Fact,
    all_facts,
    document_of,
    documents,
    fact,
    ids_in,
    place_kind,
)

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT.parent / "shared" / "reference"
LOOKS_LIKE_AN_ID = re.compile(
    r"(?<![\w:-])(?:" + "|".join(TITLES) + r"):(?=[A-Za-z-]{0,3}\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
)
WORD = re.compile(r"[a-z_]{2,}")
"""Words; formulas and tables of numbers are the same wherever they stand."""

LETTERS = {"H": "high", "M": "medium", "L": "low"}


def texts() -> Iterator[Path]:
    """The files whose ids a user may meet."""
    for pattern in ("*.md", "docs/**/*.md", "schemas/*.json", "samples/**/*", "prepcheck/**/*"):
        for path in ROOT.glob(pattern):
            own = path.parent == FOLDER and path.name.startswith("sources")
            if (
                path.is_file()
                and path.suffix in (".md", ".py", ".json", ".yaml", ".txt", ".po", ".c", ".h")
                and not own
            ):
                if "generated" not in path.parts and path.name != "sources.md":
                    yield path


@cache
def used() -> dict[str, str]:
    """Everything that looks like an id → a file that has it."""
    found: dict[str, str] = {}
    for path in texts():
        for match in LOOKS_LIKE_AN_ID.finditer(path.read_text(encoding="utf-8")):
            found.setdefault(match[0], str(path.relative_to(ROOT)))
    return found


def test_every_id_has_an_entry() -> None:
    listed = {entry.id for entry in all_facts()}
    assert {key: where for key, where in used().items() if key not in listed} == {}
    assert len(listed & set(used())) > 250


def test_no_entry_is_left_over() -> None:
    assert sorted({entry.id for entry in all_facts()} - set(used())) == []


@pytest.mark.parametrize("prefix", sorted(TITLES))
def test_entries_are_whole_and_unique(prefix: str) -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), sorted(k for k in keys if keys.count(k) > 1)
        return dict(pairs)

    raw = json.loads((FOLDER / f"sources_{prefix}.json").read_text(encoding="utf-8"), object_pairs_hook=once)
    for key, entry in raw.items():
        assert key.startswith(f"{prefix}:"), key
        assert set(entry) == {"statement", "places", "confidence"}, key
        assert ids_in(key) == [key], f"{key} is no id that pages find"


@pytest.mark.parametrize("entry", all_facts(), ids=lambda e: e.id)
def test_an_entry_states_a_fact_and_places(entry: Fact) -> None:
    assert 30 <= len(entry.statement) <= 320
    assert re.fullmatch(r"[^\n]+[^.\n]\.", entry.statement), "one sentence on one line"
    assert not re.search(r"\. [A-Z]", entry.statement), "one sentence"
    assert entry.confidence in CONFIDENCES
    assert entry.places, "where does the fact stand?"
    assert len(set(entry.places)) == len(entry.places)
    assert [p for p in entry.places if place_kind(p) is None] == []
    for text in (entry.statement, *entry.places):
        assert not LOOKS_LIKE_AN_ID.search(text), "a place that users can go to, not another id"
        assert "://" not in text
    if {place_kind(p) for p in entry.places} == {"inferred"}:
        assert entry.id in ("mnn:T27", "runtime:B-03", "runtime:Q-04"), "a fact that only was inferred"


def test_documents_are_named_and_published_somewhere() -> None:
    named = {document_of(p) for entry in all_facts() for p in entry.places} - {None}
    assert set(documents()) == named
    for name, where in documents().items():
        assert re.search(r"[\w.-]+/[\w.-]+|package \S+ \d", where), f"{name}: where is it published?"


@pytest.mark.parametrize(
    "place",
    [
        "rga.md", "mnn-measured.md section 9", "M9", "[M-sim]", "PIXELS §8", "source", "RULES.md R-C03", "librga", "runtime:P-10",
        "https://example.org/page", "measured: here", "measured: MNN 3.6.1", "measured: MNN, runs without a write", "airockchip#335",
        "zoo#105", "GH librga#36", "RKNN API guide 1.5.20", "inferred: ", "alibaba/MNN", "alibaba/MNN: ", "kernel drivers",
    ],
)  # fmt: skip
def test_what_is_no_place(place: str) -> None:
    assert place_kind(place) is None


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("alibaba/MNN#766", "issue"),
        ("alibaba/MNN: source/core/Schedule.cpp", "file"),
        ("airockchip/rknn_model_zoo: utils/image_utils.c, read_image_jpeg", "file"),
        ("RKNN API guide 1.5.2 §4.4", "document"),
        ("kernel driver rga_mm.c, rga_image_size_cal", "document"),
        ("rknn_api.h of RKNN2", "document"),
        ("measured: MNN 3.6.1, runs without any write", "measured"),
        ("inferred: which chips", "inferred"),
    ],
)
def test_kinds_of_places(place: str, kind: str) -> None:
    assert place_kind(place) == kind


def test_confidences_are_those_of_the_coverage_list() -> None:
    listed: dict[str, dict[str, str]] = {}
    for path in Path(__file__).parent.glob("ids*.json"):
        listed |= json.loads(path.read_text(encoding="utf-8"))
    wanted = {key: LETTERS[entry["confidence"]] for key, entry in listed.items()}
    assert {entry.id: entry.confidence for entry in all_facts() if entry.id in wanted} == wanted


def test_the_facts_are_those_of_the_reference() -> None:
    if not REFERENCE.exists():
        pytest.skip(f"{REFERENCE.name} does not lie beside the checkout")
    known: dict[str, str] = {}
    for line in (REFERENCE / "rknn-runtime.md").read_text(encoding="utf-8").splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if re.fullmatch(r"[A-Z]-\d\d", cells[0]):
            known[f"runtime:{cells[0]}"] = LETTERS.get(cells[-1][:1], "")
    for line in (REFERENCE / "mnn.md").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"- \*\*([A-Z]\d+)\*\* .*\| (low|medium|high)[^|]*$", line):
            known[f"mnn:{match[1]}"] = match[2]
    mine = {entry.id: entry.confidence for entry in all_facts() if entry.id.startswith(("runtime:", "mnn:"))}
    assert set(mine) <= set(known)
    graded = {key: confidence for key, confidence in mine.items() if known[key]}
    assert graded == {key: known[key] for key in graded}


def test_no_sentence_of_the_reference_is_copied() -> None:
    if not REFERENCE.exists():
        pytest.skip(f"{REFERENCE.name} does not lie beside the checkout")
    words = [WORD.findall(p.read_text(encoding="utf-8").lower()) for p in sorted(REFERENCE.glob("*.md"))]
    runs = {tuple(text[i : i + 9]) for text in words for i in range(len(text))}
    copied = []
    for entry in all_facts():
        own = WORD.findall(entry.statement.lower())
        copied += [(entry.id, own[i : i + 9]) for i in range(len(own) - 8) if tuple(own[i : i + 9]) in runs]
    assert copied == []


def test_plain_sources_are_no_numbers_of_anything_private() -> None:
    spoken = {"measured", "arithmetic", "computed", "source"}
    for page in all_pages():
        for source in page.sources:
            if fact(source) is None and (match := re.match(r"([\w-]+): ?\S", source)):
                assert match[1] in spoken, f"{page.id}: {source!r} leads nobody anywhere"


def test_the_page_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "sources.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_links_of_the_coverage_page_lead_to_headings() -> None:
    page = (ROOT / "docs" / "reference" / "sources.md").read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w -]", "", line[4:].lower()) for line in page.splitlines() if line.startswith("### ")}
    wanted = re.findall(
        r"\(reference/sources\.md#([\w-]+)\)", (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    )
    assert len(wanted) > 200
    assert set(wanted) <= headings
    assert {entry.anchor for entry in all_facts()} == headings


def test_pages_of_the_documentation_link_to_the_facts() -> None:
    spec = importlib.util.spec_from_file_location("generated_pages", ROOT / "docs" / "_ext" / "generated_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    pytest.importorskip("sphinx")
    spec.loader.exec_module(module)
    page = next(p for p in all_pages("MN") if p.id == "MN025")
    text = module._rule(page)
    assert (
        "## Sources\n\n- [mnn:I22](../../reference/sources.md#mnni22) (high confidence): REPEAT does the same" in text
    )
    assert "    - measured: MNN 3.6.1, a letterbox" in text
    assert "\n- alibaba/MNN#2729\n" in text
