"""Files with the weights of an ONNX model are missing.

What it checks
    Whether the files that an ONNX model keeps its weights in lie beside it.

Why it matters
    Models above 2 GiB, and those that newer exporters write, keep weights in files of their own (model.onnx.data). Without
    them neither onnxruntime nor a converter can load the model.

How it is computed
    Every weight with data_location EXTERNAL names a file, relative to the model's folder.

Example
    model.onnx refers to model.onnx.data, and only model.onnx was copied.

Fix
    Copy the named files beside the model, under the same names.

Limits
    Whether a file that is there is long enough is not checked. A path that leads out of the folder counts as missing.

References
    onnx/docs/ExternalData.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT046",
    "onnx-external-missing",
    over="note:onnx_external_missing",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("onnx/docs/ExternalData.md",),
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    files = values["files"]
    yield Finding(
        "{tensors} weights lie in files beside the model, and {files} is not there.",
        "The .onnx holds the graph; the numbers are in files that it names, relative to its own folder. No runtime and no "
        "converter can load it without them.",
        "Copy {files} into the model's folder, under the same name.",
        {"tensors": values["tensors"], "files": ", ".join(map(str, files)) if isinstance(files, list) else str(files)},
    )
