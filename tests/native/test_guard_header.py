"""The C guard header over the sample's programs: faults are refused with both numbers, right programs are left alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from prepcheck.errors import PlanError, UsageError
from prepcheck.guarding.c_header import MAX_BYTES, c_header
from prepcheck.readers.record import record_to_plan
from tests.native.conftest import NATIVE, SAMPLE, STANDIN, STRICT, STRICT_CXX, Programs, run, tool

Guarded = Callable[..., Path]

MODELS = {
    "set_right": (
        ["set_right", "set_right_float", "set_right_pass_through", "set_static_scene", "set_right_path", "zero_right",
         "zero_right_no_flush", "zero_right_heap", "zero_right_outputs", "rga_right_3588", "rga_right_legacy",
         "set_right_two", "zero_right_mini"],
        {
            "set_type_unset": "18432 bytes given, 73728 wanted (73728 / 18432 = 4: type is FLOAT32",
            "set_nchw": "fmt NCHW, NHWC wanted",
            "set_undefined": "fmt UNDEFINED, NHWC wanted",
            "set_small_frame": "16200 bytes given, 18432 wanted",
            "set_one_channel": "6144 bytes given, 18432 wanted (18432 / 6144 = 3: one channel for 3",
            "set_pass_through_uint8": "UINT8 with pass_through 1",
            "set_int16": "type INT16 is not converted to the model's INT8",
            "run_without_input": "an input was never handed over",
            "null_buffer": "buf is NULL",
            "zero_other_name": 'name "images" is no tensor of the model',
            "zero_nchw": "fmt NCHW, NHWC wanted",
        },
    ),
    "set_right_odd": (
        ["set_right_odd", "zero_right_odd"],
        {
            "zero_small": "10080 bytes given, 11520 wanted (rows of 80 pixels are needed (w_stride), 70 given: 1 x 48 x 80 x 3 = 11520",
            "set_pass_through_tight": "10080 bytes given, 11520 wanted",
        },
    ),
    "set_right_two": (
        ["set_right_two"],
        {"set_first_of_two": "1 inputs given, 2 wanted", "set_swapped": "inputs[0].index is 1: the place in the array decides"},
    ),
    "set_right_batch": (
        ["set_right_batch"],
        {"set_batch_one_frame": "4608 bytes given, 18432 wanted (18432 / 4608 = 4: one picture for a batch of 4"},
    ),
    "set_right_half": (
        ["set_right_half"],
        {"set_half_as_float": "612 bytes given, 1224 wanted"},
    ),
    "zero_right_mini_168": (
        ["zero_right_mini_168", "zero_right_larger", "rga_right"],
        {
            "set_on_mini": "rknn_inputs_set always returns -5 on this chip",
            "zero_small_mini": "24192 bytes given, 25344 wanted (rows of 176 pixels are needed (w_stride), 168 given",
            "zero_pass_through_uint8": "UINT8 with pass_through 1",
        },
    ),
    "zero_right_mini": (["zero_right_mini"], {"zero_no_name": 'name "" is no tensor of the model'}),
    "zero_right_native": (["zero_right_native"], {"zero_native_size": "52224 bytes given, 98304 wanted"}),
}  # fmt: skip


def contract_of(programs: Programs, name: str) -> dict[str, object]:
    """The contract that the program queried, with the native sizes as a model file's contract has them."""
    recorded = record_to_plan(programs.record(name)).plan
    model = recorded["model"]
    assert isinstance(model, dict)
    natives = model.get("native_inputs")
    inputs = model["inputs"]
    assert isinstance(inputs, list)
    for i, tensor in enumerate(inputs):
        assert isinstance(tensor, dict)
        if isinstance(natives, list):
            tensor["native"] = natives[i]
    return {**model, "platforms": [recorded["platform"]]}


@pytest.fixture(scope="module")
def guarded(programs: Programs) -> Guarded:
    """Builds the demo with the header for a model in front of every file; flags as given."""

    def build(name: str, *flags: str) -> Path:
        folder = programs.folder / f"guard_{name}{''.join(flags).replace('=', '_')}"
        if not folder.exists():
            folder.mkdir()
            (folder / "guard.h").write_text(c_header(contract_of(programs, name), name), encoding="utf-8")
            include = ["-include", "rknn_api.h", "-include", "guard.h", f"-I{folder}", f"-I{NATIVE}", f"-I{STANDIN}"]
            link = [f"-L{programs.folder}", "-lstandin", f"-Wl,-rpath,{programs.folder}"]
            sources = [SAMPLE / "demo.c", SAMPLE / "demo_feed.c"]
            run(tool("gcc"), *STRICT, "-D_GNU_SOURCE", *flags, *include, "-o", folder / "demo", *sources, *link)
        return folder / "demo"

    return build


@pytest.mark.parametrize("model", MODELS)
def test_right_programs_run_as_before_and_faults_are_refused(programs: Programs, guarded: Guarded, model: str) -> None:
    demo, env = guarded(model), programs.environment(None)
    right, faulty = MODELS[model]
    for name in right:
        alone, checked = run(programs.demo, name, env=env), run(demo, name, env=env)
        notes = [
            line for line in checked.stderr.splitlines() if line.startswith("prepcheck:") and "not checked" not in line
        ]
        assert (checked.stdout, notes) == (alone.stdout, []), name
    for name, text in faulty.items():
        done = run(demo, name, ok=False, env=env)
        assert text in done.stderr, (name, done.stderr)
        assert done.returncode >= 0  # null_buffer, too: the call is not made


def test_a_failed_hand_over_stops_the_run(programs: Programs, guarded: Guarded) -> None:
    done = run(guarded("set_right"), "set_small_frame", env=programs.environment(None))
    assert done.stderr.count("the last hand-over of an input failed") == 3


def test_another_model_is_told_once_and_left_alone(programs: Programs, guarded: Guarded) -> None:
    done = run(guarded("set_right"), "set_right_two", env=programs.environment(None))
    assert done.stderr.count("not checked") == 1
    assert "input left of 6144 elements" in done.stderr


def test_warn_only_reports_and_calls(programs: Programs, guarded: Guarded) -> None:
    env = programs.environment(None)
    demo = guarded("set_right", "-DPREPCHECK_WARN_ONLY")
    done, alone = run(demo, "set_nchw", env=env), run(programs.demo, "set_nchw", env=env)
    assert done.stdout == alone.stdout
    assert "fmt NCHW" in done.stderr


def test_off_compiles_it_out(programs: Programs, guarded: Guarded) -> None:
    env = programs.environment(None)
    demo = guarded("set_right", "-DPREPCHECK_OFF")
    done, alone = run(demo, "set_nchw", env=env), run(programs.demo, "set_nchw", env=env)
    assert (done.stdout, done.stderr) == (alone.stdout, alone.stderr)
    assert "pcg_" not in run(tool("nm"), demo).stdout


def test_without_the_vendor_header_the_checks_are_called_by_hand(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "guard.h").write_text(c_header(contract_of(programs, "set_right"), "hand"), encoding="utf-8")
    (tmp_path / "hand.c").write_text(
        '#include "guard.h"\n'
        "int main(void) {\n"
        "    static unsigned char pixels[18432];\n"
        "    pcg_input in = {0, pixels, 18432, 0, PCG_UINT8, PCG_NHWC};\n"
        "    pcg_mem mem = {pixels, 0, 3, 0, 18432};\n"
        '    pcg_attr attr = {0, "image", PCG_UINT8, PCG_NHWC, 96, 0};\n'
        "    int right = pc_check_inputs_set(1, &in) == 0 && pc_check_set_io_mem(&mem, &attr) == 0;\n"
        "    in.size = 100, mem.size = 100;\n"
        "    return right && pc_check_inputs_set(1, &in) < 0 && pc_check_set_io_mem(&mem, &attr) < 0 ? 0 : 1;\n"
        "}\n",
        encoding="utf-8",
    )
    for compiler, flags in (("gcc", STRICT), ("g++", [*STRICT_CXX, "-xc++"])):
        run(tool(compiler), *flags, "-O2", f"-I{tmp_path}", tmp_path / "hand.c", "-o", tmp_path / "hand")
        done = run(tmp_path / "hand")
        assert done.stderr.count("100 bytes given, 18432 wanted") == 2


def test_source_files_share_one_state(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "guard.h").write_text(c_header(contract_of(programs, "set_right"), "two files"), encoding="utf-8")
    (tmp_path / "feed.cpp").write_text(
        '#include "rknn_api.h"\n#include "guard.h"\n'
        "int feed(rknn_context c, unsigned char *p) {\n"
        "    rknn_input in[1] = {};\n"
        "    in[0].buf = p; in[0].size = 18432; in[0].type = RKNN_TENSOR_UINT8; in[0].fmt = RKNN_TENSOR_NHWC;\n"
        "    return rknn_inputs_set(c, 1, in);\n}\n",
        encoding="utf-8",
    )
    (tmp_path / "main.cpp").write_text(
        '#include "rknn_api.h"\n#include "guard.h"\n'
        "int feed(rknn_context c, unsigned char *p);\n"
        "int main() {\n"
        '    static char model[] = "chip rk3588\\ninput image int8 0.004 -128 1 64 96 3\\noutput s int8 1 0 1 10";\n'
        "    static unsigned char pixels[18432];\n"
        "    rknn_context c = 0;\n"
        "    if (rknn_init(&c, model, sizeof model, 0, 0)) return 1;\n"
        "    if (rknn_run(c, nullptr) == 0) return 2;\n"
        "    return feed(c, pixels) || rknn_run(c, nullptr) ? 3 : 0;\n}\n",
        encoding="utf-8",
    )
    link = [f"-L{programs.folder}", "-lstandin", f"-Wl,-rpath,{programs.folder}"]
    include = [f"-I{tmp_path}", f"-I{NATIVE}", f"-I{STANDIN}"]
    run(tool("g++"), *STRICT_CXX, *include, tmp_path / "feed.cpp", tmp_path / "main.cpp", "-o", tmp_path / "two", *link)
    assert run(tmp_path / "two").stderr.count("prepcheck:") == 1


MNN_CONTRACT: dict[str, object] = {
    "runtime": "mnn",
    "inputs": [
        {"name": "data", "layout": "NC4HW4", "shape": [1, 3, 16, 24], "dtype": "float32"},
        {"name": "nhwc", "layout": "NHWC", "shape": [1, 16, 24, 3], "dtype": "uint8"},
        {"name": "any", "layout": "NCHW", "shape": [-1, 3, 8, 8], "dtype": "float32"},
    ],
}


def test_host_tensors_of_mnn(tmp_path: Path) -> None:
    (tmp_path / "guard.h").write_text(c_header(MNN_CONTRACT, "mnn"), encoding="utf-8")
    checks = [  # call, refused, words
        ('pc_check_mnn_host("data", p, 4608, PCG_CAFFE, PCG_FLOAT, 32, d, 4)', False, ""),
        ('pc_check_mnn_host("data", p, 4608, PCG_TENSORFLOW, PCG_FLOAT, 32, n, 4)', False, ""),
        ('pc_check_mnn_host("nhwc", p, 1152, PCG_CAFFE, PCG_UINT, 8, d, 4)', False, ""),
        ('pc_check_mnn_host("any", p, 1536, PCG_CAFFE, PCG_FLOAT, 32, two, 4)', False, ""),
        ('pc_check_mnn_host("data", p, 4608, PCG_CAFFE, PCG_FLOAT, 32, n, 4)', True, "dims 1x16x24x3 given as CAFFE (NCHW), 1x3x16x24 wanted"),
        ('pc_check_mnn_host("data", p, 1152, PCG_CAFFE, PCG_UINT, 8, d, 4)', True, "8-bit elements of kind 1 given, 32-bit of kind 2 wanted"),
        ('pc_check_mnn_host("data", p, 1152, PCG_CAFFE, PCG_FLOAT, 32, d, 4)', True, "1152 bytes given, 4608 wanted"),
        ('pc_check_mnn_host("data", p, 4608, PCG_CAFFE, PCG_FLOAT, 32, d, 3)', True, "dims 1x3x16 given"),
        ('pc_check_mnn_host("data", NULL, 4608, PCG_CAFFE, PCG_FLOAT, 32, d, 4)', True, "has no memory"),
        ('pc_check_mnn_host("nobody", p, 4608, PCG_CAFFE, PCG_FLOAT, 32, d, 4)', True, "no input of the model"),
        ('pc_check_mnn_pointer("data", 0)', True, "packed by channels"),
        ('pc_check_mnn_pointer("any", 1)', True, "lives on the device"),
        ('pc_check_mnn_pointer("any", 0)', False, ""),
    ]  # fmt: skip
    body = "\n".join(
        f"    if (({call}) {'>=' if bad else '!='} 0) return {i + 1};" for i, (call, bad, _) in enumerate(checks)
    )
    (tmp_path / "m.c").write_text(
        '#include "guard.h"\nint main(void) {\n    static float p[2000];\n    const int d[] = {1, 3, 16, 24}, n[] = {1, 16, 24, 3}, '
        f"two[] = {{2, 3, 8, 8}};\n{body}\n    return 0;\n}}\n",
        encoding="utf-8",
    )
    for compiler, flags in (("gcc", STRICT), ("g++", [*STRICT_CXX, "-xc++"])):
        run(tool(compiler), *flags, "-O2", f"-I{tmp_path}", tmp_path / "m.c", "-o", tmp_path / "m")
        done = run(tmp_path / "m")
        for _, _, words in checks:
            assert words in done.stderr
        assert done.stderr.count("prepcheck:") == sum(bad for _, bad, _ in checks)


def rknn_contract(**changes: object) -> dict[str, object]:
    tensor = {
        "name": "x",
        "layout": "NHWC",
        "shape": [1, 8, 8, 3],
        "dtype": "int8",
        "w_stride": 16,
        "size_with_stride": 384,
    }
    return {"runtime": "rknn", "inputs": [{**tensor, **changes}]}


def test_names_of_tensors_cannot_leave_their_string() -> None:
    text = c_header(rknn_contract(name='a"; exit(1); //\n??/"é'), "x */ int evil; /*")
    assert '"a\\042; exit(1); //\\012\\077\\077/\\042\\303\\251"' in text
    assert "*/ int evil" not in text
    assert text.isascii()


@pytest.mark.parametrize(
    ("contract", "error", "words"),
    [
        ({"runtime": "onnx", "inputs": [{"shape": [1], "dtype": "int8"}]}, UsageError, "onnx"),
        (rknn_contract(shape=[-1, 8, 8, 3]), UsageError, "several shapes"),
        (rknn_contract(shape=[1] * 9), UsageError, "9 axes"),
        (rknn_contract(dtype="float64"), PlanError, "float64"),
        (
            {"runtime": "rknn", "inputs": [{"name": "n" * 250, "shape": [1, 2], "dtype": "int8"}] * 120},
            UsageError,
            "too many",
        ),
        ({"runtime": "rknn", "inputs": []}, PlanError, "at least one input"),
    ],
)
def test_what_no_header_can_be_made_of(contract: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        c_header(contract)


def test_the_header_is_small_and_the_same_every_time() -> None:
    text = c_header(rknn_contract(), "m.rknn")
    assert len(text.encode()) < MAX_BYTES // 2 + 1024
    assert text == c_header(rknn_contract(), "m.rknn")
    assert "malloc" not in text
