"""Forked children that run pytest with one module replaced: heavy packages are imported once, in the parent."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30
WAITING = 20
"""How many times its CPU time a child may take by the clock: machines are busy."""
WARM = (
    "pytest",
    "hypothesis",
    "numpy",
    "pydantic",
    "ruamel.yaml",
    "PIL.Image",
    "cv2",
    "click",
    "jsonschema",
    "flatbuffers",
)


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a given text in place of the file's."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name: str, path: str, text: str) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = _Loader(fullname, self.path, self.text)
        inside = [os.path.dirname(self.path)] if self.path.endswith("__init__.py") else None
        spec = importlib.machinery.ModuleSpec(fullname, loader, origin=self.path, is_package=inside is not None)
        spec.submodule_search_locations = inside
        spec.has_location = True
        return spec


CASES: list[tuple[str, Path, dict[str, Any]]] = []
"""The rules' cases, read once: they are two thousand files, and every child that runs one of them would read all."""


def warm(root: Path) -> None:
    """Import what every child needs and no mutant changes; read the cases of `root`."""
    for name in WARM:
        __import__(name)
    from prepcheck.contract.yamldoc import parse

    for path in sorted((root / "tests" / "rules" / "cases").glob("*/*.yaml")):
        value = parse(path.read_text(encoding="utf-8"), path.name).value
        CASES.append((path.parent.name, path, value if isinstance(value, dict) else {}))


def _cases_at_hand(tests: Sequence[str]) -> None:
    """In a child: the harness gets those cases that will run, out of what the parent has read."""
    harness = importlib.import_module("tests.rules.harness")
    wanted = {test.partition("[")[2].rstrip("]") for test in tests}
    rows = [row for row in CASES if f"{row[0]}/{row[1].stem}" in wanted]
    harness.cases = lambda: [harness.Case(*row) for row in rows]  # type: ignore[attr-defined]


def judge(root: Path, file: str, text: str, tests: Sequence[str], timeout: float) -> tuple[str, float]:
    """("killed" | "timeout" | "survived" | "broken", seconds): what `tests` say of `file` with `text` in its place.

    timeout: CPU seconds.

    Broken: pytest found none of the tests, a fault of ours. A mutant that cannot even be imported is killed.
    """
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(_run(root, file, text, tests, timeout))
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        spent = time.monotonic() - start
        if done:
            break
        if spent > WAITING * timeout:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timeout", spent
        time.sleep(0.01)
    code = os.waitstatus_to_exitcode(status)
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout", spent
    return ("survived" if code == 0 else "broken" if code == 5 else "killed"), spent


def _run(root: Path, file: str, text: str, tests: Sequence[str], timeout: float) -> int:
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(timeout), int(timeout) + 5))
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    os.chdir(root)
    for name in [n for n in sys.modules if n.partition(".")[0] in ("tests", "prepcheck")]:
        del sys.modules[name]  # the driver's own: the child takes those of the copy
    sys.path[:] = [str(root), *(p for p in sys.path if p not in ("", str(ROOT)))]
    sys.dont_write_bytecode = False  # pytest's rewritten tests are kept, or each child would rewrite them
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    sys.meta_path.insert(0, _Finder(module, str(root / file), text))
    import pytest

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plain = ["-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider"]
    try:
        if any(t.startswith("tests/rules/") for t in tests):
            _cases_at_hand(tests)
        return int(pytest.main([*plain, *tests]))
    except BaseException:
        return 1
