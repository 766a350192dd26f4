"""Another runtime (onnxruntime, TensorFlow Lite) refused the element type.

What it checks
    `Unexpected input data type. Actual: (tensor(uint8)) , expected: (tensor(float))`, `Got value of type UINT8 but
    expected type FLOAT32`.

Why it matters
    The call is refused.

How it is computed
    Read off the line; TensorFlow Lite's numbers are named (1 float32, 2 int32, 3 uint8, 4 int64, 9 int8).

Example
    uint8 pixels where float32 is wanted.

Fix
    array.astype('float32'), with the mean and std that training used.

Limits
    Which mean and std are due is not said by the line.

References
    PaddlePaddle/Paddle2ONNX#285, aiden-dai/ai-tflite-opencv#1, tensorflow/tensorflow#22409
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT305",
    "log-other-runtime-type",
    over="logbook",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "PaddlePaddle/Paddle2ONNX#285",
        "aiden-dai/ai-tflite-opencv#1",
        "tensorflow/tensorflow#22409",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("ort_type", "tfl_type"):
        got, need = (NAMES.get(w := (event.word(k) or "?").lower(), w) for k in ("got", "need"))
        integer = need in ("uint8", "int8")
        yield Finding(
            "The array holds {got}, the model takes {need} elements (float32 is called float there)."
            if need == "float32"
            else "The array holds {got}, the model takes {need} elements.",
            "Nothing is converted by the runtime."
            + (
                " The model was quantized: real values have to become codes with its scale and zero point."
                if integer
                else ""
            )
            + " Whether mean and std are due is not said by this line.",
            "Convert first: array.astype('{need}')."
            if not integer
            else "Hand over {need}: pixels as they are for uint8, quantized values else.",
            {"got": got, "need": need},
            where=event.where,
            about="log:input0",
        )


NAMES = {
    "float": "float32", "double": "float64", "float32": "float32", "1": "float32", "2": "int32", "3": "uint8", "4": "int64", "7": "int16",
    "9": "int8", "10": "float16", "notype": "float64 (a type that it does not have)",
}  # fmt: skip
"""Names of onnxruntime and numbers of TfLiteType (tensorflow/lite/core/c/c_api_types.h)."""
