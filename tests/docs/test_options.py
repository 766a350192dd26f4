"""Options that the prose of the pages names beside a command exist."""

from __future__ import annotations

import re

import click

from prepcheck.cli.main import cli as main
from tests.cli.run import ROOT

FOREIGN = {"--no-deps", "--testdir"}
"""Options of pip and of MNN's converter."""


def test_options_named_in_prose_exist() -> None:
    context = click.Context(main)
    commands = [main] + [c for name in main.list_commands(context) if (c := main.get_command(context, name))]
    known = {o for c in commands for p in c.get_params(click.Context(c)) for o in (*p.opts, *p.secondary_opts)}
    pages = [p for p in (ROOT / "docs").rglob("*.md") if p.name not in ("quality.md", "forensics.md", "rknn.md")]
    named = {
        (option, page.name)
        for page in [*pages, ROOT / "README.md", ROOT / "README.zh-CN.md"]
        if "generated" not in page.parts
        for code in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S))
        if code.startswith(("--", "prepcheck "))
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)
    }
    assert len(named) > 20
    assert sorted(n for n in named if n[0] not in known | FOREIGN) == []
