"""The frames' colour order against the order that the build wants.

What it checks
    Frames that pasted tools describe as RGB or BGR (ROS bgr8/rgb8, GStreamer caps, V4L2 RGB3/BGR3), after what cvtColor in the
    code makes of them, against quant_img_RGB2BGR and reorder_channel of config() or of the model.

Why it matters
    quant_img_RGB2BGR turns calibration pictures only: the program has to hand over BGR. reorder_channel '2 1 0' of rknn-toolkit 1
    makes the runtime exchange R and B: the program has to hand over RGB. The other order mixes up red and blue at every run.

How it is computed
    The frame's order, changed by each conversion that the code states, in order.

Example
    encoding: rgb8 beside quant_img_RGB2BGR=True.

Fix
    cv2.cvtColor once, or the other encoding; not both.

Limits
    A warning: a conversion in lines that are not given is not seen. Without either option the order follows from training, which
    the text does not state: unknown.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5; User Guide RKNN Toolkit 1.7.5, config; sensor_msgs/image_encodings.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.base import Unstated
from prepcheck.facts.frames_log import LogFrame
from prepcheck.facts.log import LogBook
from prepcheck.facts.toolkit_code import config_arguments, value_of
from prepcheck.registry import Finding, Rank, rule

ORDER = {
    **dict.fromkeys(("RGB", "RGB3", "RGB8", "RGBA", "RGBX", "RGBA8", "RGB24"), "RGB"),
    **dict.fromkeys(("BGR", "BGR3", "BGR8", "BGRA", "BGRX", "BGRA8", "BGR24"), "BGR"),
}
"""Format name → order of its colours. Sources: V4L2 and GStreamer format lists, sensor_msgs."""


@rule(
    "CL302",
    "log-frame-colour",
    over="logbook",
    category="channel_order",
    severity="warning",
    rank=Rank.VALUES,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5", "User Guide RKNN Toolkit 1.7.5, config"),
    confidence="M",
)
def check(frames: list[LogFrame], book: LogBook, model_contract: Contract | None = None) -> Iterator[Finding]:
    known = [(f, ORDER[f.format.upper()]) for f in frames if f.format is not None and f.format.upper() in ORDER]
    if not known or len({order for _, order in known}) > 1:
        return
    frame, order = known[0]
    turned = [e for e in book.all("code_color") if {e.word("source"), e.word("target")} <= {"RGB", "BGR"}]
    for event in turned:
        order = event.word("target") or order if event.word("source") == order else "?"
    wanted, why = _wanted(book, model_contract)
    if wanted is None:
        if book.contract is None and model_contract is None and not config_arguments(book):
            return
        raise Unstated(
            "colour order", "the frames are {order}; which order the network was trained on is not stated",
            "look at the training's loader: OpenCV reads BGR, PIL and torchvision RGB; then validate with `training: {{color: …}}`",
            order=order if order != "?" else frame.format or "?",
        )  # fmt: skip
    if order in ("?", wanted):
        return
    yield Finding(
        "{source} gives {format}"
        + (", and the code turns it into {order};" if turned else ";")
        + " the model wants {wanted} ({why}).",
        "Nothing complains: every run returns 0, and red and blue are exchanged."
        + ("" if turned else " No line of the text converts the frame."),
        "Hand over {wanted}: convert once (cvtColor), or ask the source for the other format; not both.",
        {"source": frame.source, "format": frame.format, "order": order, "wanted": wanted, "why": why},
        where=frame.where,
        about="log:colour",
    )


def _wanted(book: LogBook, contract: Contract | None) -> tuple[str | None, str]:
    """The order that the program has to hand over, and what says so."""
    given = {e.word("argument"): value_of(e) for e in config_arguments(book)}
    if given.get("quant_img_RGB2BGR") is True or any(
        n.kind == "calibrated_bgr" for n in (contract.notes if contract else ())
    ):
        return "BGR", "quant_img_RGB2BGR"
    if isinstance(order := given.get("reorder_channel"), str) and order.split() == ["2", "1", "0"]:
        return "RGB", "reorder_channel"
    return None, ""
