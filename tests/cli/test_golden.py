"""Golden folders: the bytes are what validate accepts, and the C lines feed exactly them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.cli.run import MODELS, SAMPLES, prepcheck, report

STREET = SAMPLES / "03_rv1106_zero_copy" / "street.jpg"
STAND_IN = """
#include <stdint.h>
#include <stdlib.h>
typedef uint64_t rknn_context;
enum { RKNN_QUERY_INPUT_ATTR = 1, RKNN_TENSOR_UINT8 = 3, RKNN_TENSOR_NHWC = 1 };
typedef struct { uint32_t index; int type; int fmt; uint8_t pass_through; } rknn_tensor_attr;
typedef struct { void *virt_addr; uint32_t size; } rknn_tensor_mem;
static rknn_tensor_mem bound; static rknn_tensor_attr bound_attr;
static int rknn_query(rknn_context c, int q, void *p, uint32_t n) { (void)c; (void)q; (void)p; (void)n; return 0; }
static rknn_tensor_mem *rknn_create_mem(rknn_context c, uint32_t n)
{ (void)c; bound.virt_addr = calloc(1, n); bound.size = n; return &bound; }
static int rknn_set_io_mem(rknn_context c, rknn_tensor_mem *m, rknn_tensor_attr *a)
{ (void)c; bound = *m; bound_attr = *a; return 0; }
static int rknn_run(rknn_context c, void *p) { (void)c; (void)p; return 0; }
#include "feed.c"
int main(void)
{
    if (golden_feed(0)) return 1;
    fwrite(bound.virt_addr, 1, bound.size, stdout);
    return bound_attr.type == RKNN_TENSOR_UINT8 && bound_attr.pass_through == 0 ? 0 : 2;
}
"""


@pytest.mark.parametrize(
    "name", ["rk3588_imagenet_i8", "rv1106_seed_400x800_i8", "rk3566_nomean_i8", "rk3588_gray_w33_i8"]
)
def test_bytes_are_what_validate_accepts(name: str, tmp_path: Path) -> None:
    model = MODELS / "rknn" / f"{name}.rknn"
    done = prepcheck("golden", model, STREET, "-o", tmp_path / "g")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "g" / "golden.json").read_text(encoding="utf-8"))
    tensor = report("inspect", model, code=0)["contract"]["inputs"][0]
    assert (tmp_path / "g" / "input.bin").stat().st_size == tensor["size_with_stride"] == manifest["inputs"][0]["bytes"]
    assert list(np.load(tmp_path / "g" / "input.npy").shape) == tensor["shape"]
    for given in ("input.bin", "input.npy"):
        found = report("validate", model, STREET, "--buffer", tmp_path / "g" / given)
        assert [f["rule"] for f in found["findings"] if f["where"].startswith("buffers")] == ["CN510"], given


@pytest.mark.native
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
def test_c_lines_feed_the_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    assert prepcheck("golden", MODELS / "rknn" / "rk3588_imagenet_i8.rknn", STREET, "-o", folder).returncode == 0
    (folder / "main.c").write_text(STAND_IN, encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, "main.c", "-o", "main"], cwd=folder, check=True)
    done = subprocess.run(["./main"], cwd=folder, capture_output=True, check=True)
    assert done.stdout == (folder / "input.bin").read_bytes()


@pytest.mark.mnn
def test_mnn_answer_is_written(tmp_path: Path) -> None:
    pytest.importorskip("MNN", reason="MNN is not installed")
    done = prepcheck("golden", MODELS / "mnn" / "c3_nc4hw4.mnn", STREET, "-o", tmp_path / "g")
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "g" / "expected.npy").size > 0


def test_refusals(tmp_path: Path) -> None:
    model = MODELS / "rknn" / "rk3588_imagenet_i8.rknn"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x", encoding="utf-8")
    done = prepcheck("golden", model, STREET, "-o", tmp_path / "full")
    assert done.returncode == 2
    assert "not empty" in done.stderr
    done = prepcheck("golden", model, STREET, "-o", tmp_path / "full" / "x")
    assert done.returncode == 2
    assert "is a file" in done.stderr
    done = prepcheck("golden", MODELS / "rknn" / "rk3588_image_plus_vector_i8.rknn", STREET, "-o", tmp_path / "g")
    assert done.returncode == 2
    assert "gets nothing" in done.stderr
