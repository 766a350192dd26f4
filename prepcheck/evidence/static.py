"""What the static facts in logs clear: sizes that agree, ranges that fit, lines that a good run prints too."""

from __future__ import annotations

from itertools import pairwise

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.core.affine import value_range
from prepcheck.core.layouts import dims_of
from prepcheck.evidence.assessment import Assessment, Cleared
from prepcheck.evidence.runs import Run
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.world import World

ADVICE = {
    "tk_opset": "the opset advice",
    "tk_crop": "the advice about inputs and outputs (cropping the model)",
    "tk_outlier": "the outlier warning",
    "tk_idx": "the remark about 'idx'",
    "tk_io_dtype": "the change of the input's type to int8",
    "tk_fmt": "data_format that is not set (nhwc is the default)",
}
"""Lines of the toolkit that users suspect, in words."""


def static_facts(book: LogBook, world: World, runs: list[Run]) -> Assessment:
    """Everything that a dump, the demo's prints and the toolkit's advice clear."""
    if any(e.label == "finding" for e in book.events):
        sizes: tuple[Cleared, ...] = ()
    else:
        sizes = tuple(_sizes(book, book.contract))
    return Assessment(
        ruled_out=(*sizes, *_range(book.contract), *_resize(book), *_demo(book, runs), *_advice(book, runs))
    )


def _image_input(contract: Contract | None) -> Tensor | None:
    found = [t for t in contract.inputs if len(t.shape or []) == 4] if contract else []
    return found[0] if len(found) == 1 else None


def _sizes(book: LogBook, contract: Contract | None) -> list[Cleared]:
    tensor = _image_input(contract)
    stride = next((e for e in book.all("stride_size") if e.word("which") == "input"), None)
    with_stride = (stride.number("n") if stride else None) or (tensor.size_with_stride if tensor else None)
    if tensor is None or tensor.size is None or with_stride != tensor.size or not tensor.shape:
        return []
    dims = dims_of(tensor.layout or "", tensor.shape)
    if dims is None:
        return []
    return [
        Cleared(
            "size and row stride of the input",
            "{n}·{h}·{w}·{c} = {size} bytes = size_with_stride: rows are packed, nothing is padded",
            {"n": dims.n, "h": dims.h, "w": dims.w, "c": dims.c, "size": tensor.size},
        )
    ]


def _range(contract: Contract | None) -> list[Cleared]:
    tensor = _image_input(contract)
    if tensor is None or tensor.scale is None or tensor.zero_point is None or not tensor.dtype:
        return []
    held = value_range(tensor.dtype, tensor.scale, tensor.zero_point)
    if held is None or abs(held[0]) > 0.51 or abs(held[1] - 255) > 0.51:
        return []
    return [
        Cleared(
            "a missing normalisation on the host",
            "zero point {zp} and scale {scale} hold {low}..{high}: the model wants raw pixels 0..255 and normalises nothing",
            {"zp": tensor.zero_point, "scale": tensor.scale, "low": held[0], "high": held[1]},
        )
    ]


def _resize(book: LogBook) -> list[Cleared]:
    found = []
    for src, dst in _conversions(book):
        sw, sh, dw, dh = src.number("w"), src.number("h"), dst.number("w"), dst.number("h")
        if None in (sw, sh, dw, dh) or not sw or not sh or not dw or not dh or (sw, sh) == (dw, dh):
            continue
        ratio = (dw / dh) / (sw / sh)
        if abs(ratio - 1) < 0.02:
            continue
        axis = "height" if ratio > 1 else "width"
        found.append(
            Cleared(
                "the resize {sw}x{sh} → {dw}x{dh} as the cause of equal answers",
                "it squeezes the {axis} by a factor of {factor} and nothing else: a distortion costs accuracy, it does not make "
                "different pictures equal",
                {"sw": sw, "sh": sh, "dw": dw, "dh": dh, "axis": axis, "factor": round(max(ratio, 1 / ratio), 3)},
            )
        )
    return found


def _conversions(book: LogBook) -> list[tuple[LogEvent, LogEvent]]:
    pairs = []
    images = book.all("zoo_image")
    for a, b in pairwise(images):
        if a.word("side") == "src" and b.word("side") == "dst" and a.file == b.file:
            pairs.append((a, b))
    return pairs


def _demo(book: LogBook, runs: list[Run]) -> list[Cleared]:
    """What the demo's own prints prove (rknn_model_zoo: they stand before the conversion; it stops on a failing code)."""
    pairs = _conversions(book)
    if not pairs:
        return []
    found = []
    src, dst = pairs[0]
    found.append(
        Cleared(
            "fd {src} and {dst}, virAddr (nil) and fmt=0x1 in the conversion lines",
            "they are what this demo's order of calls gives: small file descriptors are normal, the destination is known by its fd "
            "alone (so there is no CPU fallback), and 0x1 is RGB888 in the demo's own numbering; the lines are printed before the "
            "conversion and prove its intent, not its success",
            {"src": src.number("fd"), "dst": dst.number("fd")},
        )
    )
    if book.first("zoo_color") is not None:
        found.append(
            Cleared(
                "color=0x… in the demo's print",
                "it is the pad byte of a letterbox, which is not used where the whole frame is filled",
            )
        )
    if book.first("zoo_run") is not None and not any(e.label == "finding" for e in book.events):
        found.append(
            Cleared(
                "a conversion or binding that reported an error",
                "the demo stops on a failing code before rknn_run, and rknn_run is printed: RGA reported success and the memory "
                "was bound. Each run is a new process, so the memory cannot hold the picture of the run before",
            )
        )
    return found


def _advice(book: LogBook, runs: list[Run]) -> list[Cleared]:
    """Advice of the toolkit in a build whose model the simulator answers well, or that two builds print."""
    found = []
    simulated = {r.file for r in runs if r.where == "simulator"}
    for kind, words in ADVICE.items():
        files = sorted({e.file for e in book.all(kind)})
        if len(files) > 1:
            found.append(Cleared("{what}", "both builds print it, the good one too", {"what": words}))
        elif files and files[0] in simulated:
            found.append(
                Cleared(
                    "{what}",
                    "it is advice; the simulator answers with the model that was built under it",
                    {"what": words},
                )
            )
    return found
