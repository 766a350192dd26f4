"""The C and C++ sources build without a warning wherever boards' compilers may be, and load on old systems."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from prepcheck import native
from prepcheck.readers.record import record_to_plan
from tests.native.conftest import (
    HERE,
    NATIVE,
    SAMPLE,
    STANDIN,
    STRICT,
    STRICT_CXX,
    Programs,
    build_demo,
    build_tracer,
    run,
    tool,
)

OLDEST = (2, 17)
"""glibc of 2012, the level of the oldest systems that the vendor's runtimes support."""


SLOW = pytest.mark.slow


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=SLOW)])
@pytest.mark.parametrize("flags", [[], ["-DPREPCHECK_WRAP"], ["-DPREPCHECK_RGA_BUFFER=1"]])
def test_the_recorder_builds_clean(compiler: str, flags: list[str], tmp_path: Path) -> None:
    run(tool(compiler), *STRICT, "-O1", "-fPIC", *flags, "-c", NATIVE / "prepcheck_trace.c", "-o", tmp_path / "t.o")


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_one_file_to_carry_to_the_board_builds_too(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(native.amalgamated(), encoding="utf-8")
    run(tool(compiler), *STRICT, "-O2", "-fPIC", "-shared", "-o", tmp_path / "one.so", tmp_path / "one.c", "-ldl")
    for name in (native.TRACER, native.TRACER_MNN):
        assert not re.search(r'^\s*#\s*include "', native.amalgamated(name), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_the_mnn_recorder_builds_clean(compiler: str, tmp_path: Path) -> None:
    source = HERE / "mnn" / "demo_mnn.cpp"
    run(tool(compiler), *STRICT_CXX, "-O1", f"-I{HERE / 'mnn'}", f"-I{NATIVE}", "-c", source, "-o", tmp_path / "m.o")
    plain = ["-DPREPCHECK_MNN_NO_MACROS", "-fsyntax-only"]
    run(tool(compiler), *STRICT_CXX, *plain, f"-I{HERE / 'mnn'}", f"-I{NATIVE}", source)


def exported(library: Path) -> set[str]:
    lines = run(tool("nm"), "-D", "--defined-only", library).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def test_the_list_for_wrapping_is_every_hook(programs: Programs) -> None:
    hooks = set(native.hooks())
    assert (NATIVE / native.WRAP).read_text() == native.wrap_file()
    here = exported(programs.tracer)
    assert here <= hooks
    assert all("importbuffer_physicaladdr" in name for name in hooks - here)  # mangled for the other pointer width


def test_the_cxx_symbols_are_those_that_a_compiler_makes(tmp_path: Path) -> None:
    source = tmp_path / "use.cpp"
    source.write_text(
        '#include "im2d.h"\n'
        "int use(RockchipRga &r, rga_buffer_t a, rga_buffer_t b, im_rect c, im_opt_t *o, rga_info_t *i) {\n"
        "    return imcopy(a, b) + imresize(a, b) + imcrop(a, b, c) + imtranslate(a, b, 1, 2) + imcvtcolor(a, b, 1, 2) +\n"
        "           imrotate(a, b, 1) + imflip(a, b, 1) + imfill(b, c, 0) + improcess(a, b, a, c, c, c, -1, NULL, o, 0) +\n"
        "           int(importbuffer_fd(1, 2) + importbuffer_fd(1, 2, 3, 4) + importbuffer_virtualaddr(0, 2) +\n"
        "               importbuffer_virtualaddr(0, 2, 3, 4) + importbuffer_physicaladdr(1, 2) +\n"
        "               importbuffer_physicaladdr(1, 2, 3, 4)) + r.RkRgaBlit(i, i, i);\n"
        "}\n",
        encoding="utf-8",
    )
    hooks = set(native.hooks())
    for compiler in ("g++", "arm-linux-gnueabihf-g++"):
        target = tmp_path / f"{compiler}.o"
        try:
            tool(compiler)
        except pytest.skip.Exception:
            continue
        run(compiler, "-std=c++11", f"-I{NATIVE}", f"-I{STANDIN}", "-c", source, "-o", target)
        used = {line.split()[-1] for line in run(tool("nm"), "--undefined-only", target).stdout.splitlines()}
        mangled = {name for name in used if name.startswith("_Z")}
        assert len(mangled) == 16
        assert mangled <= hooks, compiler


def newest_glibc(library: Path, objdump: str) -> tuple[int, ...]:
    text = run(tool(objdump), "-T", library).stdout
    versions = [tuple(int(n) for n in v.split(".")) for v in re.findall(r"GLIBC_(\d+(?:\.\d+)+)", text)]
    return max(versions)


def test_no_symbol_is_newer_than_glibc_2_17(programs: Programs) -> None:
    assert newest_glibc(programs.tracer, "objdump") <= OLDEST


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["arm-linux-gnueabihf-", "aarch64-linux-gnu-"])
def test_no_symbol_is_newer_where_it_is_cross_built(prefix: str, tmp_path: Path) -> None:
    library = build_tracer(tool(prefix + "gcc"), tmp_path)
    assert newest_glibc(library, prefix + "objdump") <= OLDEST


@pytest.mark.slow
@pytest.mark.parametrize(("prefix", "machine"), [("arm-linux-gnueabihf-", "arm"), ("aarch64-linux-gnu-", "aarch64")])
def test_cross_built_and_run_under_emulation(prefix: str, machine: str, tmp_path: Path) -> None:
    compiler, emulator = tool(prefix + "gcc"), tool(f"qemu-{machine}")
    root = Path(run(compiler, "-print-sysroot").stdout.strip() or "/") / "usr" / prefix.rstrip("-")
    root = root if root.is_dir() else Path("/usr") / prefix.rstrip("-")
    demo, tracer = build_demo(compiler, tmp_path), build_tracer(compiler, tmp_path)
    for name in ("set_small_frame", "rga_right", "zero_right_no_flush", "rga_right_nv12"):
        record = tmp_path / f"{name}.pcrec"
        settings = [f"PREPCHECK_TRACE={record}", f"LD_PRELOAD={tracer}"]
        alone = run(emulator, "-L", root, demo, name)
        traced = run(emulator, "-L", root, *(part for s in settings for part in ("-E", s)), demo, name)
        assert (traced.stdout, traced.stderr) == (alone.stdout, alone.stderr)
        host = tmp_path / f"host_{name}.pcrec"
        assert record.exists() and not host.exists()
        recorded = record_to_plan(record)
        assert recorded.runs == 3
        calls = recorded.plan["calls"]
        assert isinstance(calls, list)
        blits = [c for c in calls if isinstance(c, dict) and c["api"] in ("imresize", "imcvtcolor")]
        assert all(isinstance(c["dst"], dict) and c["dst"]["width"] in (96, 168) and c["ret"] == 1 for c in blits)
        assert len(blits) == (3 if name.startswith("rga") else 0)


@pytest.mark.slow
def test_linked_in_with_musl_and_no_dynamic_loader(tmp_path: Path) -> None:
    compiler = tool("musl-gcc")
    run(compiler, *STRICT, "-O2", "-DPREPCHECK_WRAP", "-c", NATIVE / "prepcheck_trace.c", "-o", tmp_path / "t.o")
    standin = [STANDIN / "standin_rknn.c", STANDIN / "standin_rga.c"]
    sources: list[str | Path] = [
        SAMPLE / "demo.c",
        SAMPLE / "demo_feed.c",
        *standin,
        tmp_path / "t.o",
        f"@{NATIVE / native.WRAP}",
    ]
    run(compiler, *STRICT, "-O1", "-static", f"-I{NATIVE}", f"-I{STANDIN}", "-o", tmp_path / "demo", *sources)
    record = tmp_path / "static.pcrec"
    run(tmp_path / "demo", "rga_right", env={"PREPCHECK_TRACE": str(record)})
    assert record_to_plan(record).runs == 3


def test_the_abi_has_the_documented_sizes(tmp_path: Path) -> None:
    source = tmp_path / "abi.c"
    source.write_text(
        '#include "prepcheck_abi.h"\n#include <stddef.h>\n'
        "typedef char attr_is_376[sizeof(pc_attr) == PC_ATTR_V2 ? 1 : -1];\n"
        "typedef char v1_ends_after_scale[offsetof(pc_attr, w_stride) == PC_ATTR_V1 ? 1 : -1];\n"
        "typedef char old_ends_after_pass_through[offsetof(pc_attr, h_stride) == PC_ATTR_V2_OLD ? 1 : -1];\n"
        "typedef char input[sizeof(pc_input) == (sizeof(void *) == 8 ? 32 : 24) ? 1 : -1];\n"
        "typedef char buffer[sizeof(pc_rga_buffer) == 80 + 2 * sizeof(void *) ? 1 : -1];\n"
        "typedef char mem_size[offsetof(pc_mem, size) == 24 ? 1 : -1];\n",
        encoding="utf-8",
    )
    for compiler in ("gcc", "arm-linux-gnueabihf-gcc", "aarch64-linux-gnu-gcc"):
        try:
            run(tool(compiler), *STRICT, f"-I{NATIVE}", "-c", source, "-o", tmp_path / "abi.o")
        except pytest.skip.Exception:
            continue


def test_an_absent_library_is_told_and_the_call_fails(programs: Programs, tmp_path: Path) -> None:
    source = tmp_path / "alone.c"
    source.write_text(
        "#include <stdint.h>\nint rknn_destroy(uint64_t);\nint main(void) { return rknn_destroy(1) == -1 ? 0 : 1; }\n",
        encoding="utf-8",
    )
    compiler, tracer = tool("gcc"), programs.tracer
    run(compiler, *STRICT, "-o", tmp_path / "alone", source, tracer, f"-Wl,-rpath,{tracer.parent}")
    done = subprocess.run([tmp_path / "alone"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0
    assert "no loaded library has rknn_destroy" in done.stderr


def test_a_library_opened_privately_is_found(programs: Programs, tmp_path: Path) -> None:
    """A wrapper that was loaded with RTLD_LOCAL, as language bindings are, brings its runtime with it."""
    compiler, tracer = tool("gcc"), programs.tracer
    (tmp_path / "wrapper.c").write_text(
        '#include "rknn_api.h"\nint go(void);\n'
        'int go(void) { rknn_context c; static char m[] = "chip rk3588\\ninput a int8 1 0 1 2 2 3"; '
        "return rknn_init(&c, m, sizeof m, 0, 0) || rknn_destroy(c); }\n",
        encoding="utf-8",
    )
    (tmp_path / "main.c").write_text(
        "#include <dlfcn.h>\nint main(int n, char **v) { void *h = dlopen(v[n - 1], RTLD_NOW | RTLD_LOCAL); "
        'int (*go)(void); if (!h) return 3; *(void **)&go = dlsym(h, "go"); return go(); }\n',
        encoding="utf-8",
    )
    wrapper = tmp_path / "libwrapper.so"
    link = [f"-L{programs.folder}", "-lstandin", f"-Wl,-rpath,{programs.folder}"]
    run(compiler, "-fPIC", "-shared", f"-I{NATIVE}", f"-I{STANDIN}", "-o", wrapper, tmp_path / "wrapper.c", *link)
    run(compiler, "-o", tmp_path / "main", tmp_path / "main.c", "-ldl")
    record = tmp_path / "local.pcrec"
    run(tmp_path / "main", wrapper, env={"LD_PRELOAD": str(tracer), "PREPCHECK_TRACE": str(record)})
    calls = record_to_plan(record).plan["calls"]
    assert isinstance(calls, list)
    assert [c["ret"] for c in calls if isinstance(c, dict)] == [0]
