"""Names out of files never become markup, and never steer the reader's eye: escaped, and freed of control characters."""

from __future__ import annotations

import re
from functools import lru_cache

from hypothesis import example, given, settings
from hypothesis import strategies as st

from prepcheck.contract.report import (
    Finding,
    HandOver,
    NextTest,
    Outcome,
    Report,
    RuledOut,
    Subject,
    Summary,
    Unknown,
)
from prepcheck.render.html import render
from prepcheck.render.html.model import Before, ChainStep, Extras, InputPage, LogLine, Note, Views
from tests.html.build import card, contract
from tests.html.reading import Page

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
ATTACKS = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'onmouseover='x", "{{ 7 * 7 }}{% raw %}", "</style><b>",
    "javascript:alert(1)", "\x1b[31mred\x07", "\u202egpj.exe", "-->]]>", "&lt;b&gt;", "{0}{name}%s", "\ud800", "</title><h1>",
    "a" * 9000,
)  # fmt: skip


def page_of(name: str) -> Page:
    """A page in which every text is `name`."""
    finding = Finding(
        rule="CL501", category="channel_order", severity="error", where=name, message=name, explanation=name, fix=name,
        evidence={name or "x": name, "also": [name], "list": [name, {name: name}]},
    )  # fmt: skip
    model = contract(name=name)
    tensor = model.inputs[0].model_copy(update={"name": name})
    report = Report(
        version="1", verdict="error", subject=Subject(model=name, plan=name, images=[name], buffers={name: name}, log=name),
        contract=model.model_copy(update={"inputs": [tensor], "outputs": [tensor], "toolkit": name}),
        findings=[finding, finding.model_copy(update={"severity": "info"})],
        unknown=[Unknown(rule="NM002", where=name, reason=name, supply=name)],
        ruled_out=[RuledOut(what=name, because=name)],
        next_tests=[NextTest(do=name, outcomes=[Outcome(see=name, means=name)])],
        hand_over=[HandOver(input=name, call=name, sentence=name)], summary=Summary(passed=1), scope="input",
    )  # fmt: skip
    cells = Before(name, name, name, name, name)
    chain = (
        ChainStep(name, name, name, Before(), cells, name, ("CL501", name)),
        ChainStep(name, name, name, None, None, name, ()),
    )
    views = Views(card(), card(), card())
    note = Note("No picture is shown: {reason}", {"reason": name})
    extras = Extras((InputPage(name, name, views, chain, (note,)),), (LogLine(name, name, name),), 3)
    return Page(render(report, extras))


@lru_cache(maxsize=1)
def plain() -> Page:
    return page_of("plain")


@given(st.one_of(st.text(max_size=40), st.sampled_from(ATTACKS), st.text("<>&\"'`={}%/ \n\x1b\u202e", max_size=12)))
@example(ATTACKS[0])
@example(ATTACKS[1])
@example(ATTACKS[7])
@settings(max_examples=60)
def test_no_name_becomes_markup(name: str) -> None:
    page = page_of(name)
    want = plain().tags.copy()
    assert {tag: n for tag, n in page.tags.items() if n > want[tag]} == {}
    assert page.tags["script"] == page.tags["iframe"] == 0
    assert not page.handlers
    assert not UNSAFE.search(page.source)
    assert all(r.startswith(("data:image/", "data:,", "#")) or r == "data:," for r in page.references)
    page.source.encode("utf-8")


def test_attacks_stand_there_as_text() -> None:
    page = page_of(ATTACKS[0])
    assert ATTACKS[0] in page.words
    assert "\\u202egpj.exe" in page_of(ATTACKS[7]).words
    assert "\\x1b[31mred" in page_of(ATTACKS[6]).words
    assert ATTACKS[3] in page_of(ATTACKS[3]).words


def test_an_endless_name_is_cut() -> None:
    assert "a" * 4001 not in page_of("a" * 9000).source
