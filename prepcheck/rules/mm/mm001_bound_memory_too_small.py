"""Memory bound to an input is smaller than what the NPU reads.

What it checks
    Whether the memory has the bytes that the input takes in the way it is bound.

Why it matters
    librknnrt refuses too little memory with -1, the mini runtime with -5, and rknn_run returns 0 on internal memory all the
    same. With pass_through 1 librknnrt checks nothing: the NPU reads beyond the memory.

How it is computed
    pass_through 0, pictures: N x height x w_stride x channels x width of the bound type. Other inputs: all elements.
    pass_through 1: size_with_stride of the native attribute (blocks of C2 channels filled up).

Example
    rv1106, 17 channels of 48x64: the ordinary attribute says 52224 bytes, the native one 98304.

Fix
    rknn_create_mem with size_with_stride of the attribute that is bound (RKNN_QUERY_NATIVE_INPUT_ATTR for NC1HWC2).

Limits
    Sizes that neither the plan nor the model states are computed from the chip's alignment.

References
    RKNN API guide 1.5.2 §4.4; airockchip/rknn_model_zoo#448; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation;
    strings of librknn_runtime 1.7.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.link_parts import Need
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM001",
    "bound-memory-too-small",
    over="bound",
    category="zero_copy",
    rank=Rank.SIZE,
    runtimes=("rknn", "rknn1"),
    sources=(
        "runtime:Z-02", "runtime:Z-03", "runtime:Z-04", "runtime:Z-10", "runtime:Z-21", "runtime:M-07", "runtime:M-09",
        "runtime:V-07", "runtime:L-01", "runtime:L-02", "airockchip/rknn_model_zoo#448", "RKNN API guide 1.5.2 §4.4",
    ),
)  # fmt: skip
def check(
    input: InputThing, capacity: int, need: Need, label: str, name_of_memory: str, pass_through: int, call_where: str
) -> Iterator[Finding]:
    if capacity >= need.size:
        return
    plain = input.tensor.size
    yield Finding(
        "{memory} has {got} bytes; {label} bound so reads {want}.",
        "{formula} = {want} ({of}); {short} bytes are missing. With pass_through 1 the size may not be checked: the NPU reads "
        "beyond the memory."
        if pass_through
        else "{formula} = {want} ({of}); {short} bytes are missing. rknn_set_io_mem refuses it (-1, on rv1103/rv1106 -5), and "
        "rknn_run returns 0 without using this memory.",
        "Make the memory with {want} bytes: size_with_stride of the attribute that is bound, not size.",
        {
            "memory": name_of_memory, "got": capacity, "want": need.size, "formula": need.formula, "of": need.of,
            "short": need.size - capacity, "label": label, "plain": plain, "link": "memory -> binding",
        },
        where=call_where,
    )  # fmt: skip
