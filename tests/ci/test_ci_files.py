"""Dockerfile, GitHub action, pre-commit hooks: their form by schemas, their commands run here."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

from tests.cli.run import MODELS, ROOT, SAMPLES, Done, prepcheck

THREE = SAMPLES / "03_rv1106_zero_copy"


def yaml(name: str) -> Any:
    return YAML(typ="safe", pure=True).load((ROOT / name).read_text(encoding="utf-8"))


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile, continuation lines joined."""
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


class TestDockerfile:
    def test_slim_twice_and_no_root(self) -> None:
        kinds = [k for k, _ in instructions()]
        stages = [a for k, a in instructions() if k == "FROM"]
        assert stages == ["python:3.12-slim AS build", "python:3.12-slim"]
        assert kinds.index("USER") < kinds.index("ENTRYPOINT")
        assert dict(instructions())["USER"] == "prepcheck"
        assert json.loads(dict(instructions())["ENTRYPOINT"]) == ["prepcheck"]
        text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
        assert "libgl" not in text.replace("libGL, which", "")
        assert "apt-get" not in text

    def test_what_is_copied_is_there_and_let_in(self) -> None:
        let_in = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
        assert let_in[0] == "*"
        copied = [a.split()[:-1] for k, a in instructions() if k == "COPY" and not a.startswith("--from")]
        for source in (s for group in copied for s in group):
            assert (ROOT / source).exists(), source
            assert f"!{source}" in let_in, source

    def test_everything_the_wheel_needs_is_copied(self) -> None:
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        copied = {s for k, a in instructions() if k == "COPY" and not a.startswith("--from") for s in a.split()[:-1]}
        needed = {*re.findall(r'readme = "(.+)"', text), "pyproject.toml", "prepcheck"}
        assert len(needed) == 3
        needed |= set(re.findall(r'license-files = \["(.+)"\]', text))
        table = re.search(r"force-include\]\n((?:\".*\n)*)", text)
        needed |= set(re.findall(r'^"(.+?)"', table[1], re.MULTILINE)) if table else set()
        assert needed <= copied | {n for n in needed if n.split("/")[0] in copied}

    @pytest.mark.skipif(sys.version_info < (3, 11), reason="the image has Python 3.12; tomllib is of 3.11")
    def test_requirements_have_the_headless_build_and_nothing_less(self) -> None:
        (run,) = [a for k, a in instructions() if k == "RUN" and "tomllib" in a]
        program = shlex.split(run.partition(" > ")[0])[1:]
        done = subprocess.run([sys.executable, *program], cwd=ROOT, capture_output=True, text=True, check=True)
        import tomllib

        wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
        given = done.stdout.split("\n")[:-1]
        assert len(given) == len(wanted)
        assert [g for g in given if g not in wanted] == [
            w.replace("opencv-python", "opencv-python-headless") for w in wanted if w.startswith("opencv-python")
        ]


@pytest.fixture
def no_libgl(tmp_path: Path) -> dict[str, str]:
    """An environment where cv2 is there and cannot be imported, as on a slim image."""
    package = tmp_path / "broken" / "cv2"
    package.mkdir(parents=True)
    words = "libGL.so.1: cannot open shared object file: No such file or directory"
    (package / "__init__.py").write_text(f"raise ImportError({words!r})\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": f"{package.parent}{os.pathsep}{ROOT}"}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_without_libgl_pillow_takes_over(no_libgl: dict[str, str], tmp_path: Path, jobs: str) -> None:
    shutil.copy(THREE / "street.jpg", tmp_path / "a.jpg")
    shutil.copy(THREE / "square.jpg", tmp_path / "b.jpg")
    argv = [sys.executable, "-m", "prepcheck", "sweep", str(THREE / "model.rknn"), str(tmp_path), "--format", "json"]
    done = subprocess.run([*argv, "-j", jobs], capture_output=True, text=True, env=no_libgl, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["details"]["sweep"]
    assert told["judged"] == 2
    assert "libGL.so.1" in told["resized_otherwise"]
    argv = [sys.executable, "-m", "prepcheck", "validate", str(THREE / "model.rknn"), str(tmp_path / "b.jpg")]
    done = subprocess.run(argv, capture_output=True, text=True, env=no_libgl, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


class TestAction:
    def test_schema(self) -> None:
        vendored = pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed (test extra)")
        path = Path(vendored.__file__).parent / "builtin_schemas" / "vendor" / "github-actions.json"
        schema = json.loads(path.read_text(encoding="utf-8"))
        assert [e.message for e in Draft7Validator(schema).iter_errors(yaml("action.yml"))] == []

    def test_inputs_reach_shells_by_the_environment_only(self) -> None:
        for step in yaml("action.yml")["runs"]["steps"]:
            if "run" in step:
                assert step["shell"] == "bash"
                assert "${{" not in step["run"], "an input inside a script is code"

    def run(self, tmp_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
        action = yaml("action.yml")
        (check,) = [s for s in action["runs"]["steps"] if s["name"] == "Check"]
        inputs = {name: str(one.get("default", "")) for name, one in action["inputs"].items()} | given
        env = {k: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: inputs[m[1]], v) for k, v in check["env"].items()}
        bin_ = tmp_path / "bin"
        bin_.mkdir(exist_ok=True)
        (bin_ / "python").unlink(missing_ok=True)
        (bin_ / "python").symlink_to(sys.executable)
        (bin_ / "prepcheck").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m prepcheck "$@"\n', encoding="utf-8")
        (bin_ / "prepcheck").chmod(0o755)
        path = f"{bin_}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", check["run"]], cwd=tmp_path, text=True,
            capture_output=True, check=False, env={**os.environ, **env, "PATH": path, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    @pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
    def test_the_check_step(self, tmp_path: Path) -> None:
        shutil.copy(THREE / "pixels_as_int8.yaml", tmp_path / "my plan.yaml")
        shutil.copy(THREE / "model.rknn", tmp_path / "model.rknn")
        done = self.run(tmp_path, arguments="validate --plan 'my plan.yaml'", junit="r.xml")
        assert done.returncode == 1, done.stderr
        assert "::error file=my plan.yaml,line=" in done.stdout
        assert json.loads((tmp_path / "prepcheck.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
        assert "<testsuites" in (tmp_path / "r.xml").read_text(encoding="utf-8")
        report = prepcheck("validate", "--plan", "my plan.yaml", "--format", "json", cwd=tmp_path).stdout
        (tmp_path / "base.json").write_text(report, encoding="utf-8")
        done = self.run(tmp_path, arguments="validate --plan 'my plan.yaml'", baseline="base.json")
        assert done.returncode == 0, done.stdout
        done = self.run(tmp_path, arguments="validate nowhere.rknn '$(touch broken)'")
        assert done.returncode == 2
        assert not (tmp_path / "broken").exists()
        log = json.loads((tmp_path / "prepcheck.sarif").read_text(encoding="utf-8"))
        assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False


class TestHooks:
    def test_form(self) -> None:
        hooks = yaml(".pre-commit-hooks.yaml")
        assert [h["id"] for h in hooks] == ["prepcheck-plan", "prepcheck-lock"]
        for hook in hooks:
            assert {"id", "name", "entry", "language"} <= set(hook)
            assert hook["language"] == "python"
            re.compile(hook["files"])
        assert re.search(hooks[0]["files"], "a/m.rknn.prepcheck.yaml")
        assert not re.search(hooks[0]["files"], "a/other.yaml")
        assert re.search(hooks[1]["files"], "a/m.mnn")

    def run(self, id_: str, *files: str, cwd: Path) -> Done:
        """The hook's command, in this process."""
        (hook,) = [h for h in yaml(".pre-commit-hooks.yaml") if h["id"] == id_]
        program, option, module, *arguments = shlex.split(hook["entry"])
        assert (program, option) == ("python", "-m")
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            patch.chdir(cwd)
            code = import_module(module).main([*arguments, *files])
        return Done(code, out.getvalue(), err.getvalue())

    def test_plans(self, tmp_path: Path) -> None:
        for source, name in (("right", "a"), ("pixels_as_int8", "b"), ("right", "c")):
            shutil.copy(THREE / f"{source}.yaml", tmp_path / f"{name}.prepcheck.yaml")
        shutil.copy(THREE / "model.rknn", tmp_path / "model.rknn")
        names = [f"{n}.prepcheck.yaml" for n in "abc"]
        assert self.run("prepcheck-plan", names[0], names[2], cwd=tmp_path).returncode == 0
        done = self.run("prepcheck-plan", *names, cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout.count("passed") == 3
        (tmp_path / names[1]).write_text("no plan", encoding="utf-8")
        assert self.run("prepcheck-plan", *names, cwd=tmp_path).returncode == 2

    def test_locks(self, tmp_path: Path) -> None:
        model = tmp_path / "m.rknn"
        shutil.copy(MODELS / "rknn" / "rk3566_nomean_i8.rknn", model)
        done = self.run("prepcheck-lock", "m.rknn", cwd=tmp_path)
        assert done.returncode == 1
        command = re.search(r"`(prepcheck diff --lock .*)`", done.stderr)
        assert command is not None
        assert prepcheck(*shlex.split(command[1])[1:], cwd=tmp_path).returncode == 0
        assert self.run("prepcheck-lock", "m.rknn", cwd=tmp_path).returncode == 0
        shutil.copy(MODELS / "rknn" / "rk3588_imagenet_i8.rknn", model)
        assert self.run("prepcheck-lock", "m.rknn", cwd=tmp_path).returncode == 1

    def test_usage(self, tmp_path: Path) -> None:
        from prepcheck.cli.hook import main

        assert main([]) == main(["other", "x"]) == 2
        assert main(["plan"]) == 0
        argv = [sys.executable, "-m", "prepcheck.cli.hook", "plan", "nowhere.prepcheck.yaml"]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, "nowhere" in done.stderr) == (2, True)
