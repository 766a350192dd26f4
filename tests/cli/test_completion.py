"""Shell completion comes with click; the program has to stay fit for it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def complete(mode: str, **more: str) -> str:
    program = [
        sys.executable,
        "-c",
        "import sys; sys.argv[0] = 'prepcheck'; from prepcheck.cli.main import entry; entry()",
    ]
    done = subprocess.run(
        program, env={**os.environ, "_PREPCHECK_COMPLETE": mode, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_gets_its_script(shell: str) -> None:
    assert "_PREPCHECK_COMPLETE" in complete(f"{shell}_source")


def test_commands_and_options_are_completed() -> None:
    assert "plain,validate" in complete("bash_complete", COMP_WORDS="prepcheck val", COMP_CWORD="1").split()
    options = complete("bash_complete", COMP_WORDS="prepcheck validate --buf", COMP_CWORD="2")
    assert "plain,--buffer" in options.split()
