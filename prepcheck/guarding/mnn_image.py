"""The arguments of CVImageProcess: `convert` returns 0 whatever it is told, so all of them are checked. numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds_mnn
from prepcheck.guarding.finding import make
from prepcheck.guarding.mnn_state import array_of, like_tensor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from prepcheck.guarding.finding import GuardFinding, Value
    from prepcheck.guarding.foreign import MnnTensor
    from prepcheck.guarding.mnn_state import ProcessState

FORMATS = {0: ("RGBA", 4), 1: ("RGB", 3), 2: ("BGR", 3), 3: ("GRAY", 1), 4: ("BGRA", 4)}
"""MNN.CV_ImageFormat_*: number → name and bytes a pixel (measured: pymnn 3.6.1's constants). YUV_NV21 = 11."""
KEYS = ("sourceFormat", "destFormat", "filterType", "wrap", "mean", "normal")
_WHERE = "calls (ImageProcess.convert)"


def check_process(process: ProcessState) -> list[GuardFinding]:
    """The configuration: keys and types that pymnn ignores silently, and mean and normal in the wrong unit."""
    config = process.config
    if not isinstance(config, dict):
        return []
    found = []
    for key, value in config.items():
        if key not in KEYS:
            found.append(f"key {key!r} is not known")
        elif key in ("sourceFormat", "destFormat") and isinstance(value, str):
            found.append(f"{key} is the text {value!r}, a MNN.CV_ImageFormat_… constant is wanted")
        elif key in ("mean", "normal") and not (isinstance(value, tuple) and len(value) == 4):
            found.append(f"{key} is {value!r}, a tuple of 4 numbers is wanted")
    findings = [make(kinds_mnn.PROCESS_CONFIG, "calls (CVImageProcess)", {"what": what}) for what in found]
    return findings if findings else _normal(config)


def _normal(config: dict[str, object]) -> list[GuardFinding]:
    mean, normal = config.get("mean"), config.get("normal")
    if not isinstance(mean, tuple) or not isinstance(normal, tuple):
        return []
    ends = [(x - float(m)) * float(n) for m, n in zip(mean[:3], normal[:3]) for x in (0.0, 255.0)]  # noqa: B905 (3.7)
    low, high = min(ends), max(ends)
    if any(float(n) == 0.0 for n in normal[:3]):
        why = "A normal of 0 makes every value 0."
    elif all(0.0 < float(m) <= 1.0 for m in mean[:3]) and high > 300.0:
        why = "The means are in the unit 0..1, the pixels in 0..255: 255 * m was left out."
    elif high > 1000.0 and all(float(n) > 1.0 for n in normal[:3]):
        why = "normal multiplies: a standard deviation was given instead of its reciprocal."
    else:
        return []
    values: dict[str, Value] = {"mean": str(mean[:3]), "normal": str(normal[:3]), "low": low, "high": high, "why": why}
    return [make(kinds_mnn.PROCESS_NORMAL, "calls (CVImageProcess)", values)]


def source_frame(args: tuple[object, ...]) -> NDArray[np.generic] | None:
    """The source picture of a convert."""
    return args[0] if args and isinstance(args[0], np.ndarray) else None


def check_convert(process: ProcessState, args: tuple[object, ...]) -> list[GuardFinding]:
    """The arguments of one convert(array, width, height, stride, tensor)."""
    if len(args) < 5:
        return []
    array, width, height, stride, tensor = args[:5]
    if not isinstance(array, np.ndarray) or not like_tensor(tensor):
        return []
    if not all(isinstance(n, int) for n in (width, height, stride)):
        return []
    found = [_size(array, int(str(width)), int(str(height)), int(str(stride))), _destination(process, array, tensor)]
    return [f for f in found if f is not None]


def _size(array: NDArray[np.generic], width: int, height: int, stride: int) -> GuardFinding | None:
    if array.ndim not in (2, 3) or array.dtype != np.uint8:
        return None
    channels = array.shape[2] if array.ndim == 3 else 1
    if channels not in (1, 3, 4):
        return None
    real_h, real_w = array.shape[:2]
    # a YUV picture is one plane half as high again, told with the height of the picture
    if array.ndim == 2 and real_w == width and 2 * real_h == 3 * height:
        return None
    row = real_w * channels
    if (width, height) == (real_w, real_h) and stride in (0, row):
        return None
    values: dict[str, Value] = {
        "told_w": width, "told_h": height, "stride": stride, "real_w": real_w, "real_h": real_h, "row": row, "channels": channels,
    }  # fmt: skip
    return make(kinds_mnn.PROCESS_SIZE, _WHERE, values)


def _destination(process: ProcessState, array: NDArray[np.generic], tensor: MnnTensor) -> GuardFinding | None:
    shape = tuple(int(d) for d in tensor.getShape())
    if len(shape) != 4 or array.ndim not in (2, 3):
        return None
    last = tensor.getDimensionType() == 0
    batch, channels = shape[0], shape[3] if last else shape[1]
    want_h, want_w = (shape[1], shape[2]) if last else (shape[2], shape[3])
    if batch > 1:
        return make(kinds_mnn.PROCESS_BATCH, _WHERE, {"batch": batch})
    config = process.config
    if not isinstance(config, dict):
        return None  # made before anybody watched: neither formats nor matrix are known
    real_h, real_w = array.shape[:2]
    source, dest = config.get("sourceFormat", 0), config.get("destFormat", 0)
    if process.matrix is None and source in FORMATS and (real_h, real_w) != (want_h, want_w):
        values: dict[str, Value] = {"real_w": real_w, "real_h": real_h, "want_w": want_w, "want_h": want_h}
        values.update(sx=round(real_w / max(want_w, 1), 5), sy=round(real_h / max(want_h, 1), 5))
        return make(kinds_mnn.PROCESS_MATRIX, _WHERE, values)
    same = process.matrix is None and source == dest
    return _format(dest, str(FORMATS.get(source, (source,))[0]), same, last, channels, _is_byte(tensor))


def _format(dest: object, source: str, same: bool, last: bool, channels: int, byte: bool) -> GuardFinding | None:
    if dest not in FORMATS:
        return None
    name, size = FORMATS[dest]
    fits = channels == size or (not byte and channels == 4 and size in (1, 3))
    if last and not fits:
        effect = "past the end of the tensor" if size > channels else "rows land in the wrong places"
        return make(kinds_mnn.PROCESS_CHANNELS, _WHERE, {"bytes": size, "channels": channels, "effect": effect})
    if byte and same:
        return make(kinds_mnn.PROCESS_UNTOUCHED, _WHERE, {"source": source})
    if byte and not last and size == 3:
        return make(kinds_mnn.PROCESS_PLANAR, _WHERE, {"dest": name})
    return None


def _is_byte(tensor: MnnTensor) -> bool:
    view = array_of(tensor)
    return view is not None and bool(view.dtype == np.uint8)
