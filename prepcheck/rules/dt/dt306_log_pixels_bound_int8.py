"""Code binds the input's memory as INT8 and copies a picture's bytes into it.

What it checks
    `input_attrs[N].type = RKNN_TENSOR_INT8` in pasted code together with memcpy(mem->virt_addr, picture) where nothing in the text
    makes quantised codes of the pixels.

Why it matters
    Memory bound as INT8 holds the model's own codes: the runtime converts nothing. The pixel 200 is read as the code −56, bright and
    dark change places, and mean and std are not applied. Every call returns 0.

How it is computed
    The last type that the code assigns before the copy is used; with zero point and scale from the printed attributes:
    value = (code − zp) · scale.

Example
    type INT8, zp −14, scale 0.018658: the pixel 200 is the code −56, (−56 − (−14)) · 0.018658 = −0.784.

Fix
    type RKNN_TENSOR_UINT8, fmt RKNN_TENSOR_NHWC, pass_through 0: mean, std and quantisation are done by the runtime.

Limits
    Code is read, not run. A picture that was made into codes under another name in a text that is not given is not seen.

References
    RKNN API guide 1.5.2 table 4-3; measured: librknnmrt 2.3.2 under emulation; runtime:M-05
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule

PIXEL, CODE = 200, 200 - 256
"""A bright pixel, and what the same byte is as a signed number."""


@rule(
    "DT306",
    "log-pixels-bound-int8",
    over="logbook",
    category="dtype",
    severity="warning",
    rank=Rank.TYPE,
    sources=("RKNN API guide 1.5.2 table 4-3", "runtime:M-05"),
    confidence="M",
    scope="input",
)
def check(book: LogBook, log_contract: Contract | None = None) -> Iterator[Finding]:
    copy = book.first("code_mem_pixels")
    if copy is None:
        return
    types = [
        e for e in book.all("code_rknn_attr")
        if e.word("field") == "type" and e.file == copy.file and "out" not in (e.word("object") or "").lower()
    ]  # fmt: skip
    if not types or types[-1].word("value") != "INT8":
        return
    tensor = log_contract.inputs[0] if log_contract is not None and len(log_contract.inputs) == 1 else None
    known = (
        tensor is not None and tensor.scheme == "affine" and tensor.scale is not None and tensor.zero_point is not None
    )
    zp, scale = (tensor.zero_point or 0, tensor.scale or 1.0) if known and tensor is not None else (0, 1.0)
    values: dict[str, Value] = {
        "src": copy.word("src"), "pixel": PIXEL, "code": CODE, "zp": zp, "scale": scale, "value": (CODE - zp) * scale,
    }  # fmt: skip
    yield Finding(
        "The input's memory is bound as INT8, and the bytes of {src} are copied into it: pixels are read as signed codes.",
        "INT8 memory holds the model's own codes: the runtime then applies neither mean and std nor the quantisation. The byte {pixel} is read "
        "as {code}"
        + (", which stands for ({code} − ({zp})) · {scale:.6g} = {value:.4g}" if known else "")
        + ". Every call returns 0. The calibration pictures have no part in it.",
        "Set type = RKNN_TENSOR_UINT8 (fmt RKNN_TENSOR_NHWC, pass_through 0) before rknn_set_io_mem and copy the pixels as they are, row by row "
        "where w_stride is larger than the width; the runtime then normalises and quantises.",
        values,
        where=types[-1].where,
        about="log:input0",
    )
