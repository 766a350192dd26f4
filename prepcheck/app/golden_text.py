"""The texts of a golden folder: the C lines that read the bytes into the tensor's memory, and the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prepcheck.app.golden import Feed
    from prepcheck.facts.world import World


def feed_c(runtime: str, feeds: Sequence[Feed]) -> str:
    """C99 lines for the vendor's API; empty for runtimes without one."""
    if runtime == "mnn":
        return ""
    lines = [
        "/* Reads the golden bytes into the memory of each input. Include after rknn_api.h; ctx is an initialised context. */",
        "#include <stdio.h>",
        "",
        "static int golden_feed(rknn_context ctx)",
        "{",
    ]
    for feed in feeds:
        i = feed.position
        size = len(feed.data)
        lines += [
            f"    /* {_word(feed.tensor.name)}: {size} bytes, {feed.dtype} {feed.layout}, w_stride {feed.w_stride} */"
        ]
        if feed.call == "rknn_set_io_mem":
            lines += [
                f"    rknn_tensor_attr attr{i} = {{0}};",
                f"    attr{i}.index = {i};",
                f"    if (rknn_query(ctx, RKNN_QUERY_INPUT_ATTR, &attr{i}, sizeof(attr{i})) != 0) return -1;",
                f"    attr{i}.type = RKNN_TENSOR_{feed.dtype.upper()};",
                f"    attr{i}.fmt = RKNN_TENSOR_{feed.layout};",
                f"    attr{i}.pass_through = 0;",
                f"    rknn_tensor_mem *mem{i} = rknn_create_mem(ctx, {size});",
                f'    FILE *file{i} = fopen("{feed.file}", "rb");',
                f"    if (!mem{i} || !file{i} || fread(mem{i}->virt_addr, 1, {size}, file{i}) != {size}) return -1;",
                f"    fclose(file{i});",
                f"    if (rknn_set_io_mem(ctx, mem{i}, &attr{i}) != 0) return -1;",
            ]
        else:
            lines += [
                f"    static unsigned char data{i}[{size}];",
                f'    FILE *file{i} = fopen("{feed.file}", "rb");',
                f"    if (!file{i} || fread(data{i}, 1, {size}, file{i}) != {size}) return -1;",
                f"    fclose(file{i});",
                f"    rknn_input in{i} = {{0}};",
                f"    in{i}.index = {i}; in{i}.buf = data{i}; in{i}.size = {size}; in{i}.pass_through = 0;",
                f"    in{i}.type = RKNN_TENSOR_{feed.dtype.upper()}; in{i}.fmt = RKNN_TENSOR_{feed.layout};",
                f"    if (rknn_inputs_set(ctx, 1, &in{i}) != 0) return -1;",
            ]
    lines += ["    return rknn_run(ctx, NULL);", "}"]
    return "\n".join(lines) + "\n"


def _word(name: str | None) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name or "input")


def readme(model: str, world: World, feeds: Sequence[Feed], answer: dict[str, str], note: str) -> str:
    """What the files are, and how they split "the model on the board" from "my input code"."""
    lines = [
        "# Golden bytes",
        "",
        f"For `{model}`. These bytes are what the picture should have become. If the board answers them as expected, the model",
        "and the runtime are cleared and the fault is in the code that fills the memory; if not, it is not your input.",
        "",
        "| file | what |",
        "|---|---|",
    ]
    for f in feeds:
        pitch = f", rows {f.w_stride} pixels apart" if f.w_stride else ""
        lines.append(
            f"| `{f.file}` | {len(f.data)} bytes for {_word(f.tensor.name)}: {f.dtype} {f.layout}{pitch} ({f.call}) |"
        )
        lines.append(f"| `{f.npy}` | the same, packed, {f.dtype} {list(f.array.shape)} |")
    for name, file in answer.items():
        lines.append(f"| `{file}` | the expected answer of {_word(name)} ({note}) |")
    lines += ["", *_how(world, model, feeds), ""]
    if not answer:
        lines += [f"Expected answer: {note}.", ""]
    lines += [
        "Compare the answers: the largest class first, then the numbers. A quantised model may differ by a few steps of its",
        "output scale; a wrong input differs by far more, or not at all from picture to picture.",
    ]
    return "\n".join(lines) + "\n"


def _how(world: World, model: str, feeds: Sequence[Feed]) -> list[str]:
    if world.runtime == "mnn":
        return [
            "Feed it: fill a host tensor of dimension type CAFFE with the bytes and call copyFromHostTensor, then runSession.",
            "",
            "`mnn_test/` holds the same as numbers, as MNN's own tools read them: on the device `ModuleBasic.out "
            f"{model} mnn_test 0 TYPE` (TYPE 0 CPU, 3 OpenCL, 7 Vulkan) computes it and compares with the answer.",
            "It fails above 1 % of the largest value; your own input code takes no part in it.",
        ]
    first = feeds[0]
    return [
        "Feed it from C: `feed.c` has the lines. They allocate, read, bind and run.",
        "",
        f"Feed it from a PC over USB with rknn-toolkit2: `rknn.inference(inputs=[numpy.load('{first.npy}')], "
        f"data_format=['nhwc'])` after `init_runtime(target='{world.platform or 'rk3588'}')`.",
        "",
        f"Feed it with the vendor's benchmark: `rknn_benchmark {model} {'#'.join(f.npy for f in feeds)}`.",
    ]
