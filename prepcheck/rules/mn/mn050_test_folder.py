"""MNN passes over something in its test folder.

What it checks
    input.json and the files of numbers of a folder given with --buffer: files that are missing, counts, words that are no
    numbers, names and sizes against the model.

Why it matters
    MNN's tools read leniently: an output without a file is "Skip check" and success, an input without one runs on uninitialised
    memory, a short file leaves what the memory held. The test then says nothing, or something wrong.

How it is computed
    Numbers are counted as MNN reads them and compared with the sizes of input.json and of the model.

Example
    input.txt with 150000 numbers for 1x3x224x224 = 150528.

Fix
    One number for each element, in N, C, H, W order; `prepcheck golden MODEL IMAGE -o DIR` writes such a folder.

Limits
    Sizes of outputs are not in the folder and are not compared.

References
    Measured: --testdir of the converter 3.6.1; MNN tools/script/testMNNFromOnnx.py, tools/cpp/ModuleBasic.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_testdir import FolderProblem
from prepcheck.registry import Finding, Rank, rule

_TEXTS = {
    "input_file_missing": (
        "{tensor}: {want} is missing in {folder}; MNN runs on uninitialised memory.",
        "It prints TESTERROR and goes on; a difference that follows says nothing.", "error",
    ),
    "output_file_missing": (
        "{tensor}: {want} is missing in {folder}; the output is not compared.",
        "MNN prints \"Skip check\" and reports success.", "warning",
    ),
    "count_short": (
        "{tensor}: {got} numbers in {folder}, {want} wanted.",
        "The rest of the input is what the memory held: {got} of {want} elements are written.", "error",
    ),
    "count_long": (
        "{tensor}: {got} numbers in {folder}, {want} wanted.",
        "Numbers beyond the input are not read: the file belongs to another size.", "warning",
    ),
    "not_a_number": (
        "{tensor}: the file in {folder} holds {got}, which is no number; MNN stops reading there.",
        "Everything behind it keeps what the memory held.", "error",
    ),
    "shape_unknown": (
        "{tensor}: input.json in {folder} states no shape.",
        "MNN takes the model's own sizes; a model with open sizes cannot be run so.", "info",
    ),
    "not_in_model": (
        "{tensor} of {folder} is no input of the model; it has {want}.",
        "MNN finds no tensor of that name and leaves it out.", "error",
    ),
    "missing_from_folder": (
        "{tensor} is an input of the model that {folder} does not give.",
        "It stays uninitialised.", "error",
    ),
    "shape_differs": (
        "{tensor} is {got} in {folder}, {want} in the model.",
        "MNN resizes the session to the folder's sizes where the model allows it, and reads past or short of them where not.", "warning",
    ),
}  # fmt: skip


@rule(
    "MN050",
    "test-folder",
    over="testdir_problem",
    category="size",
    rank=Rank.SIZE,
    runtimes=("mnn",),
    sources=("mnn:K1", "mnn:K2", "measured: MNN converter 3.6.1"),
)
def check(problem: FolderProblem) -> Iterator[Finding]:
    message, why, severity = _TEXTS[problem.kind]
    yield Finding(
        message,
        why,
        "Write one number for each element of the input, in N, C, H, W order, into <name>.txt (prepcheck golden MODEL IMAGE -o DIR writes "
        "such a folder).",
        {
            "tensor": problem.tensor,
            "folder": problem.folder,
            "got": problem.got,
            "want": problem.want,
            "kind": problem.kind,
        },
        severity=severity,
    )
