"""`prepcheck rules ID` says what each id among the sources states and where it comes from."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from prepcheck.app.rules import _sources, all_pages, cited, listing, page
from prepcheck.data.sources import fact, ids_in
from tests.cli.run import prepcheck

ROOT = Path(__file__).resolve().parents[2]


def lines_of(rule: str) -> list[str]:
    text = page(rule, "text")
    assert "\nSources (confidence " in text
    return text.partition("\nSources (confidence ")[2].splitlines()


def test_an_id_is_followed_by_its_fact_and_its_places() -> None:
    assert lines_of("MN025") == [
        "H)",
        "    mnn:I22 (high confidence)",
        "        REPEAT does the same as CLAMP_TO_EDGE; for the bars of a letterbox only ZERO together with setPadding gives a",
        "        constant colour.",
        "        - measured: MNN 3.6.1, a letterbox with three wraps against OpenCV 4.11",
        "    measured: MNN 3.6.1",
        "    alibaba/MNN#2729",
    ]


def test_ids_of_the_text_are_resolved_as_well() -> None:
    found = next(p for p in all_pages("DT") if p.id == "DT302")
    assert "runtime:M-16" not in found.sources
    assert cited(found) == [*found.sources, "runtime:M-05", "runtime:M-16"]
    assert "    runtime:M-16 (low confidence)" in lines_of("dt302")


def test_every_page_resolves_its_ids_within_the_width() -> None:
    for found in all_pages():
        lines = _sources(cited(found))
        assert max(map(len, lines)) <= 120
        for source in cited(found):
            entry = fact(source)
            if entry is None:
                assert ids_in(source) == [], source
                continue
            start = lines.index(f"    {source} ({entry.confidence} confidence)")
            spoken = " ".join(line.strip() for line in lines[start + 1 : start + 40])
            assert spoken.startswith(f"{entry.statement} - {entry.places[0]}")


def test_what_has_no_entry_stays_as_it_is() -> None:
    found = replace(all_pages("MN")[0], sources=("mnn:I999", "rga:compat", "format:int8", "a vendor's page"), text="")
    assert [fact(s) for s in found.sources] == [None] * 4
    assert _sources(cited(found)) == ["    mnn:I999", "    rga:compat", "    format:int8", "    a vendor's page"]


def test_long_places_hang() -> None:
    lines = _sources(["mnn:G6"])
    assert (
        "        - measured: MNN built from source with OpenCL on pocl 3.1 and Vulkan on lavapipe, modes 1, 4, 8, 65 and 68"
        in lines
    )
    assert all(line.startswith(("    mnn:G6", "        ")) for line in lines)


@pytest.mark.parametrize(("rule", "ids"), [("MN025", ["mnn:I22"]), ("CT001", [])])
def test_json_keeps_its_sources_and_adds_the_facts(rule: str, ids: list[str]) -> None:
    document = json.loads(page(rule, "json"))
    found = next(p for p in all_pages(rule[:2]) if p.id == rule)
    assert document["sources"] == list(found.sources)
    assert [f["id"] for f in document["facts"]] == ids
    for entry in document["facts"]:
        assert set(entry) == {"id", "statement", "places", "confidence"}
    rest = {key: value for key, value in document.items() if key != "facts"}
    assert rest == next(p for p in json.loads(listing(rule[:2], "json")) if p["id"] == rule)


def test_help_of_sarif_resolves_them_too() -> None:
    line = "E RKNN: rknn_set_io_mem, input(in0) tensor type : UINT8 not supported in pass_through == 1"
    done = prepcheck("explain", line, "--format", "sarif")
    rules = json.loads(done.stdout)["runs"][0]["tool"]["driver"]["rules"]
    assert rules
    for told in rules:
        found = next(p for p in all_pages(told["id"][:2]) if p.id == told["id"])
        assert told["help"]["text"].startswith(found.text)
        for entry in filter(None, map(fact, cited(found))):
            assert (
                f"    {entry.id} ({entry.confidence} confidence)\n        {entry.statement[:60]}"
                in told["help"]["text"]
            )
    assert any(fact(s) for told in rules for p in all_pages(told["id"][:2]) if p.id == told["id"] for s in cited(p))


@pytest.mark.parametrize("text", ["log:rga:R-C03", "(mnn:I22)", "rga:R-C03, rga:Z-01.", "format:5b-11"])
def test_ids_in_a_text(text: str) -> None:
    assert ids_in(text) == [part.strip("(),.").removeprefix("log:") for part in text.split()]


@pytest.mark.parametrize(
    "text", ["mnn:i22", "rga:compat", "format:int8", "xmnn:I22", "runtime:P-10b", "mnn:I22x", "format:5b"]
)
def test_what_is_no_id(text: str) -> None:
    assert ids_in(text) == []


@pytest.mark.parametrize(
    "arguments", [["--help"], ["rules"], ["inspect", "{model}"], ["validate", "{model}", "--format", "json"]]
)
def test_the_list_is_read_for_pages_only(arguments: list[str]) -> None:
    model = ROOT / "tests" / "data" / "models" / "rknn" / "rv1106_seed_400x800_i8.rknn"
    argv = [a.format(model=model) for a in arguments]
    code = (
        "import sys\nopened = []\n"
        "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e == 'open' else None)\n"
        "from prepcheck.cli.main import main\n"
        f"try:\n    main({argv!r})\nexcept SystemExit as e:\n    assert e.code == 0, e.code\n"
        "bad = [o for o in opened if 'sources_' in o and o.endswith('.json')]\nsys.stderr.write('BAD ' + ' '.join(bad))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("BAD "), done.stderr
