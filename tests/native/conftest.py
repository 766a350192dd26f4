"""Programs of the recorder's tests: built once into a temporary folder, every scenario recorded once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "prepcheck" / "native"
SAMPLE = ROOT / "samples" / "04_trace_c"
STANDIN = SAMPLE / "standin"
HERE = Path(__file__).parent
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
STRICT_CXX = ["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
SCENARIOS: dict[str, dict[str, dict[str, object]]] = json.loads((HERE / "scenarios.json").read_text())


def tool(name: str) -> str:
    """A program, or a skip that says which one is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command: str | Path, ok: bool = True, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command; with `ok` it must succeed, and what it printed is the message where it does not."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, env=env, timeout=60)
    if ok and done.returncode:
        raise AssertionError(f"{' '.join(str(c) for c in command)}\n{done.stdout}{done.stderr}")
    return done


def build_demo(compiler: str, folder: Path, flags: Sequence[str] = ()) -> Path:
    """libstandin.so and demo of samples/04_trace_c, built without a warning."""
    both = [*STRICT, "-O0", f"-I{NATIVE}", f"-I{STANDIN}"]
    library: list[str | Path] = [
        "-fPIC",
        "-shared",
        "-o",
        folder / "libstandin.so",
        STANDIN / "standin_rknn.c",
        STANDIN / "standin_rga.c",
    ]
    run(compiler, *both, *library)
    program: list[str | Path] = [
        SAMPLE / "demo.c",
        SAMPLE / "demo_feed.c",
        f"-L{folder}",
        "-lstandin",
        f"-Wl,-rpath,{folder}",
    ]
    run(compiler, *both, *flags, "-o", folder / "demo", *program)
    return folder / "demo"


def build_tracer(compiler: str, folder: Path) -> Path:
    """The recorder as a library to preload."""
    target = folder / "libprepcheck_trace.so"
    run(compiler, *STRICT, "-O1", "-fPIC", "-shared", "-o", target, NATIVE / "prepcheck_trace.c", "-ldl")
    return target


@dataclass(frozen=True)
class Programs:
    """The built programs and the records of all scenarios."""

    folder: Path
    demo: Path
    tracer: Path
    demo_mnn: Path

    def environment(
        self, record: Path | None, scenario: dict[str, object] | None = None, **more: str
    ) -> dict[str, str]:
        """Variables for a run, recorded where `record` is given."""
        found = {**os.environ, "DEMO_HEAPS": str(self.folder / "heaps"), **more}
        if record is not None:
            found |= {"PREPCHECK_TRACE": str(record), "LD_PRELOAD": str(self.tracer)}
        if scenario is not None and scenario["board"]:
            found["PREPCHECK_TRACE_BOARD"] = str(scenario["board"])
        return found

    def record(self, name: str, *, mnn: bool = False, **more: str) -> Path:
        """The record of a scenario; made anew, in a file of its own, where variables are given."""
        path = self.folder / f"{'mnn_' if mnn else ''}{name}{'.with_variables' if more else ''}.pcrec"
        if more or not path.exists():
            scenario = SCENARIOS["mnn" if mnn else "rknn"][name]
            env = self.environment(path, scenario, **more)
            if mnn:
                del env["LD_PRELOAD"]
            run(self.demo_mnn if mnn else self.demo, name, ok=not scenario.get("crashes"), env=env)
        return path


def build_all(folder: Path) -> Programs:
    """Everything, with gcc, which every CI machine has."""
    compiler, cxx = tool("gcc"), tool("g++")
    (folder / "heaps").mkdir()
    (folder / "heaps" / "system-dma32").touch()
    demo = build_demo(compiler, folder)
    mnn = folder / "demo_mnn"
    run(cxx, *STRICT_CXX, "-O0", f"-I{HERE / 'mnn'}", f"-I{NATIVE}", "-o", mnn, HERE / "mnn" / "demo_mnn.cpp")
    return Programs(folder, demo, build_tracer(compiler, folder), mnn)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """The built programs; records are made when asked for."""
    return build_all(tmp_path_factory.mktemp("native"))
