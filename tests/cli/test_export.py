"""export: each kind says what the contract says, in its own form."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from tests.cli.run import MODELS, SAMPLES, prepcheck, report

RKNN = MODELS / "rknn" / "rk3588_imagenet_i8.rknn"


def exported(model: Path, kind: str) -> str:
    done = prepcheck("export", model, "--to", kind)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kinds_are_listed() -> None:
    done = prepcheck("export")
    for kind in ("c-header", "py-guard", "c-snippet", "json-schema", "contract", "rknn-config", "preprocessor-config"):
        assert kind in done.stdout
    assert prepcheck("export", RKNN, "--to", "c-hedder").returncode == 2


@pytest.mark.native
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
@pytest.mark.parametrize("model", [RKNN, MODELS / "mnn" / "c3_nc4hw4.mnn"], ids=["rknn", "mnn"])
def test_c_header_compiles(model: Path, tmp_path: Path) -> None:
    (tmp_path / "guard.h").write_text(exported(model, "c-header"), encoding="utf-8")
    (tmp_path / "main.c").write_text('#include "guard.h"\nint main(void) { return 0; }\n', encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function"]
    subprocess.run(["gcc", *flags, "-c", "main.c"], cwd=tmp_path, check=True)


def test_py_guard_is_python() -> None:
    ast.parse(exported(RKNN, "py-guard"), feature_version=(3, 7))


def test_contract_is_what_inspect_says(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(exported(RKNN, "contract"), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == report("inspect", RKNN)["contract"]
    assert report("diff", path, RKNN, code=0)["findings"] == []


def test_json_schema_takes_what_is_recommended() -> None:
    schema = json.loads(exported(SAMPLES / "03_rv1106_zero_copy" / "model.rknn", "json-schema"))
    validator = jsonschema.Draft202012Validator(schema)
    good = {"input": {"shape": [1, 400, 800, 3], "dtype": "uint8", "layout": "NHWC", "bytes": 960000}}
    assert validator.is_valid(good)
    assert not validator.is_valid({"input": {**good["input"], "shape": [1, 3, 400, 800]}})
    assert not validator.is_valid({})


def test_rknn_config_states_the_model_s_mean_and_std() -> None:
    call = ast.parse(exported(RKNN, "rknn-config")).body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    given = {k.arg: ast.literal_eval(k.value) for k in call.value.keywords}
    assert given["mean_values"] == [[123.675, 116.28, 103.53]]
    assert given["std_values"] == [[58.395, 57.12, 57.375]]
    assert prepcheck("export", MODELS / "mnn" / "c3_nchw.mnn", "--to", "rknn-config").returncode == 2


def test_preprocessor_config_leaves_out_what_the_model_does() -> None:
    body = json.loads(exported(RKNN, "preprocessor-config"))
    assert body["do_normalize"] is False
    assert body["size"] == {"height": 20, "width": 36}
