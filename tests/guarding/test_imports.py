"""The guard runs on a board: numpy and the standard library only, whatever is installed beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "pydantic",
    "cv2",
    "PIL",
    "MNN",
    "_mnncengine",
    "rknn",
    "rknnlite",
    "rich",
    "click",
    "ruamel",
    "jinja2",
    "onnx",
}
ROOMS = {"prepcheck.guarding", "prepcheck.data", "prepcheck.wire", "prepcheck.core", "prepcheck.errors", "prepcheck"}


def loaded(code: str) -> set[str]:
    """The modules in sys.modules after `code`, in a process of its own."""
    text = f"{code}\nimport sys\nprint('\\n'.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "from prepcheck.guarding.guard import Guard",
        "import prepcheck as pc; pc.Guard; pc.guard",
        "import prepcheck as pc; pc.record",
        "from prepcheck.guarding.py_guard import py_guard",
        "from tests.guarding.contracts import *; from prepcheck import guard; guard(RKNN(), rknn()).inference([picture(np.random.default_rng(0))[None]])",
    ],
)
def test_closure_of_imports(code: str) -> None:
    names = loaded(code)
    assert "numpy" in names or "py_guard" in code
    assert not {n.split(".")[0] for n in names} & HEAVY
    ours = {".".join(n.split(".")[:2]) for n in names if n.split(".")[0] == "prepcheck"}
    assert ours <= ROOMS, sorted(ours - ROOMS)
    allowed = {*sys.stdlib_module_names, "numpy", "prepcheck", "tests", "__main__"}
    # site hooks of the environment (editable installs, distutils) come before any code
    foreign = {n.split(".")[0] for n in names} - allowed - {n.split(".")[0] for n in loaded("")}
    # names that numpy.random's extension modules register for themselves
    assert not {n for n in foreign if "cython" not in n}


def test_the_guard_needs_no_recorder() -> None:
    names = loaded("from prepcheck import Guard, guard")
    assert not {
        n for n in names if n.startswith(("prepcheck.wire", "prepcheck.guarding.tracing", "prepcheck.guarding.mnn"))
    }


def test_nothing_grows_over_many_calls() -> None:
    """The bench does a million (`python -m tests.bench.guard`); here the same function over a few thousand."""
    from tests.bench.guard import growth

    assert growth(5000) < 16 * 1024
