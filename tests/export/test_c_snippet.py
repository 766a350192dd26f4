"""The exported C lines compile strictly, run, and pass the numbers that the report says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from prepcheck.app.export import NotRight, export, kinds
from prepcheck.app.exports.c_snippet import comment
from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.loading import plan_from_text
from prepcheck.contract.plan import Plan
from prepcheck.errors import UsageError

HERE = Path(__file__).parent
MODELS = HERE.parent / "data" / "models" / "rknn"
TYPES = ("float32", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "bool")
FORMATS = ("NCHW", "NHWC", "NC1HWC2", "UNDEFINED")
GCC = shutil.which("gcc")

pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")

IMAGE = """prepcheck: plan/v1
runtime: rknn
platform: {platform}
model:
  inputs:
    - {{index: 0, name: "in*/ put", layout: NHWC, shape: [{n}, 48, {w}, 3], dtype: int8, scheme: affine, scale: 0.003922, zero_point: -128}}
buffers:
  mem: {{dtype: uint8, size: {size}{memory}}}
calls:
  - {{api: rknn_init, flags: [{flags}]}}
  - {{api: {make}, buffer: mem, size: {size}{more}}}
  - {{api: rknn_set_io_mem, index: 0, buffer: mem, type: UINT8, fmt: NHWC, size: {size}, pass_through: 0}}
  - {{api: write, buffer: mem, by: cpu, dtype: uint8, size: {size}, wstride: {stride}}}
{sync}  - {{api: rknn_run}}
"""

DYNAMIC = """prepcheck: plan/v1
model: {inputs: [{index: 0, name: in, layout: NHWC, shape: [1, -1, 168, 3], dtype: int8, scheme: affine, scale: 1.0, zero_point: -128}]}
"""


def plan(text: str) -> Plan:
    return plan_from_text(text, "plan.yaml")


def image(*, w: int = 168, n: int = 1, stride: int = 176, platform: str = "rv1106", flags: str = "", make: str = "rknn_create_mem",
          memory: str = "", more: str = "", sync: str = "") -> Plan:  # fmt: skip
    size = n * 48 * stride * 3
    return plan(
        IMAGE.format(
            w=w,
            n=n,
            stride=stride,
            size=size,
            platform=platform,
            flags=flags,
            make=make,
            memory=memory,
            more=more,
            sync=sync,
        )
    )


def run(text: str, main: str, folder: Path, pitch: int | None = None) -> list[dict[str, str]]:
    """Compile the lines with a main of the test's and run it: what the calls were given, in order."""
    source = folder / "snippet.c"
    body = f"#include <stdio.h>\n{text}\nint main(void)\n{{\n    static uint8_t data[8 << 20];\n    size_t i;\n"
    body += f"    for (i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i % 251);\n{main}\n    return 0;\n}}\n"
    source.write_text(body, encoding="ascii")
    assert GCC is not None
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{HERE}"]
    subprocess.run([GCC, *flags, "-o", folder / "snippet", source, HERE / "record.c"], check=True)
    env = {} if pitch is None else {"W_STRIDE": str(pitch)}
    done = subprocess.run([folder / "snippet"], capture_output=True, text=True, check=True, env=env)
    return [
        {"call": line.split()[0], **dict(p.split("=", 1) for p in line.split()[1:])}
        for line in done.stdout.splitlines()
    ]


def bind_main(*, fd: str = "", context: str = "") -> str:
    return (
        f"    rknn_tensor_mem *memory;\n    if (prepcheck_bind_input0(1, &memory{fd})) return 3;\n"
        f"    if (prepcheck_fill_input0({context}memory, data)) return 4;\n"
        '    { const uint8_t *m = memory->virt_addr; uint32_t k; printf("memory bytes=");\n'
        '      for (k = 0; k < memory->size; k++) printf("%02x", m[k]);\n      printf("\\n"); }'
    )


def kinds_of(lines: list[dict[str, str]], call: str) -> dict[str, str]:
    return next(line for line in lines if line["call"] == call)


SET_MODELS = (
    "rk3588_std255_i8", "rk3588_gray_w33_i8", "rk3588_imagenet_f16", "rk3588_ids_int64", "rk3588_bool_mask_i8",
    "rk3588_image_plus_vector_i8", "rk3588_batch4_i8", "rk3566_c4_f16", "rk3588_c5_nc1hwc2_i8",
)  # fmt: skip


@pytest.mark.parametrize("name", SET_MODELS)
def test_usual_call_passes_what_the_report_says(name: str, tmp_path: Path) -> None:
    request = Request(model=MODELS / f"{name}.rknn")
    report = validate(request)
    assert report.contract is not None
    text = export(request, "c-snippet")
    count = len(report.contract.inputs)
    lines = run(
        text,
        f"    void *given[{count}] = {{{', '.join(['data'] * count)}}};\n    if (prepcheck_set_inputs(1, given)) return 3;",
        tmp_path,
    )
    assert len(lines) == count
    for line, told in zip(lines, report.hand_over, strict=True):
        assert (line["call"], int(line["size"])) == ("set", told.bytes)
        assert TYPES[int(line["type"])] == told.dtype
        assert f"RKNN_TENSOR_{FORMATS[int(line['fmt'])]}" == told.fields["fmt"]
        assert int(line["pass_through"]) == told.fields["pass_through"]
        assert int(line["index"]) == told.fields["index"]


@pytest.mark.parametrize("name", [p.stem for p in sorted(MODELS.glob("rv110*.rknn"))])
def test_bound_memory_is_what_the_report_says(name: str, tmp_path: Path) -> None:
    request = Request(model=MODELS / f"{name}.rknn")
    report = validate(request)
    assert report.contract is not None
    if len(report.contract.inputs) > 1:
        pytest.skip("one input is enough here")
    told, tensor = report.hand_over[0], report.contract.inputs[0]
    lines = run(export(request, "c-snippet"), bind_main(), tmp_path, tensor.w_stride)
    assert int(kinds_of(lines, "create")["size"]) == told.bytes == int(kinds_of(lines, "bind")["size"])
    assert TYPES[int(kinds_of(lines, "bind")["type"])] == told.dtype
    assert kinds_of(lines, "bind")["name"] == "input0"


def rows_at(stride: int, width: int = 168, rows: int = 48) -> bytes:
    """The memory as it has to be: packed rows of the test's data, each at the pitch, 0xEE between."""
    data = bytes(i % 251 for i in range(rows * width * 3))
    return b"".join(data[y * width * 3 : (y + 1) * width * 3] + b"\xee" * ((stride - width) * 3) for y in range(rows))


def test_rows_go_to_their_pitch(tmp_path: Path) -> None:
    lines = run(export(Request(plan=image()), "c-snippet"), bind_main(), tmp_path, 176)
    assert bytes.fromhex(kinds_of(lines, "memory")["bytes"]) == rows_at(176)


def test_a_batch_has_all_its_rows(tmp_path: Path) -> None:
    lines = run(export(Request(plan=image(n=2, platform="rk3588")), "c-snippet"), bind_main(), tmp_path, 176)
    assert bytes.fromhex(kinds_of(lines, "memory")["bytes"]) == rows_at(176, rows=96)


def test_memory_from_a_descriptor(tmp_path: Path) -> None:
    own = image(
        make="rknn_create_mem_from_fd",
        more=", fd: 5, offset: 4096",
        memory=", memory: {kind: dma_fd, address: 5, capacity: 65536}",
    )
    lines = run(export(Request(plan=own), "c-snippet"), bind_main(fd=", 5, data"), tmp_path, 176)
    made = kinds_of(lines, "from_fd")
    assert (made["size"], made["fd"], made["offset"]) == ("25344", "5", "4096")


def test_sync_where_the_flush_is_off(tmp_path: Path) -> None:
    own = image(
        flags="DISABLE_FLUSH_INPUT_MEM_CACHE", sync="  - {api: rknn_mem_sync, buffer: mem, direction: to_device}\n"
    )
    lines = run(export(Request(plan=own), "c-snippet"), bind_main(context="1, "), tmp_path, 176)
    assert kinds_of(lines, "sync")["mode"] == "1"


def test_another_model_is_noticed(tmp_path: Path) -> None:
    main = "    rknn_tensor_mem *memory;\n    (void)data;\n    (void)prepcheck_fill_input0;\n    if (prepcheck_bind_input0(1, &memory) != -1) return 5;"
    assert not [
        line for line in run(export(Request(plan=image()), "c-snippet"), main, tmp_path, 184) if line["call"] == "bind"
    ]


def test_a_wrong_plan_is_not_exported() -> None:
    with pytest.raises(NotRight, match=r"MM003|MM001"):
        export(Request(plan=image(stride=168)), "c-snippet")


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean c-snippet"):
        export(Request(plan=image()), "c-snipet")
    text = "prepcheck: plan/v1\nruntime: mnn\nmodel: {inputs: [{name: a, layout: NCHW, shape: [1, 3, 4, 4], dtype: float32}]}\n"
    with pytest.raises(UsageError, match="runtime of this plan is mnn"):
        export(Request(plan=plan(text)), "c-snippet")
    open_shape = image().model_copy(update={"model": plan(DYNAMIC).model})
    with pytest.raises(UsageError, match="no fixed shape"):
        export(Request(plan=open_shape), "c-snippet")


def test_names_cannot_leave_their_comment() -> None:
    assert comment("a*/ int x; /* ??/ \\ \n é") == "a_/ int x; /_ __/ _ _ _"
    assert not re.search(r"\*/ put", export(Request(plan=image()), "c-snippet"))


def test_the_kinds_have_titles() -> None:
    assert "c-snippet" in kinds()
    assert all(title for title in kinds().values())
