"""Why a shape is not the one wanted: the diagnosis with its arithmetic. Standard library only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.guarding import kinds
from prepcheck.guarding.finding import Kind

if TYPE_CHECKING:
    from prepcheck.guarding.compiled import CompiledTensor
    from prepcheck.guarding.finding import Value

    Diagnosis = tuple[Kind, dict[str, Value]]

_AXES = {"NCHW": "NCHW", "NC4HW4": "NCHW", "NHWC": "NHWC", "CHW": "CHW", "HWC": "HWC", "HW": "HW"}


def permuted(shape: tuple[int, ...], source: str, target: str) -> tuple[int, ...]:
    """`shape` of layout `source` in the order of layout `target`; unchanged where the axes are not the same letters."""
    a, b = _AXES.get(source, ""), _AXES.get(target, "")
    if len(a) != len(shape) or sorted(a) != sorted(b):
        return shape
    return tuple(shape[a.index(letter)] for letter in b)


def elements(shape: tuple[int, ...]) -> int:
    """Product of the axes; a dynamic axis counts as 1."""
    total = 1
    for d in shape:
        total *= d if d > 0 else 1
    return total


def matches(got: tuple[int, ...], want: tuple[int, ...]) -> bool:
    """Whether a shape is the wanted one; −1 matches any size but 0."""
    return len(got) == len(want) and all(g == w or (w == -1 and g > 0) for g, w in zip(got, want))  # noqa: B905 (3.7)


def diagnose(got: tuple[int, ...], want: tuple[int, ...], layout: str, item: int, tensor: CompiledTensor) -> Diagnosis:
    """The likeliest reason why `got` is not `want`, both in `layout`'s order (`NHWC`, `NCHW`, …); item: bytes an element."""
    values: dict[str, Value] = {
        "got": str(got),
        "want": str(want),
        "got_elements": elements(got),
        "want_elements": elements(want),
        "elements": elements(got),
        "got_bytes": elements(got) * item,
        "want_bytes": elements(want) * item,
    }
    if 0 in got:
        return kinds.EMPTY, values
    if tensor.dynamic and len(got) == len(want):
        values.update(count=len(tensor.dynamic), want=", ".join(str(s) for s in tensor.dynamic[:8]))
        return kinds.DYNAMIC, values
    letters = _AXES.get(layout, "")
    if len(letters) != len(want):
        return kinds.SHAPE, values
    if len(got) == len(want) - 1 and letters[0] == "N":
        return _without_batch(got, want, letters, values)
    if len(got) != len(want):
        return kinds.SHAPE, values
    return _same_rank(got, want, letters, values, tensor)


def _without_batch(got: tuple[int, ...], want: tuple[int, ...], letters: str, values: dict[str, Value]) -> Diagnosis:
    values.update(got_rank=len(got), want_rank=len(want), batch=want[0])
    other = "NCHW" if letters == "NHWC" else "NHWC"
    if not matches(got, want[1:]) and matches(got, permuted(want, letters, other)[1:]):
        return _layout(got, want, letters[1:], other[1:], values)
    if want[0] not in (1, -1) and matches(got, want[1:]):
        return _batch(1, want[0], values)
    return kinds.RANK, values


def _same_rank(
    got: tuple[int, ...], want: tuple[int, ...], letters: str, values: dict[str, Value], tensor: CompiledTensor
) -> Diagnosis:
    g, w = dict(zip(letters, got)), dict(zip(letters, want))  # noqa: B905 (3.7)
    differing = [k for k in letters if g[k] != w[k] and w[k] != -1]
    if differing == ["N"]:
        return _batch(g["N"], w["N"], values)
    if "C" in w and len(letters) >= 3:
        other = {"NHWC": "NCHW", "NCHW": "NHWC", "HWC": "CHW", "CHW": "HWC"}.get(letters)
        if other is not None and matches(got, permuted(want, letters, other)):
            return _layout(got, want, letters, other, values)
    if differing == ["C"]:
        values.update(got_c=g["C"], want_c=w["C"], hint=_channel_hint(g["C"], w["C"]))
        return kinds.CHANNELS, values
    values.update(got_w=g.get("W"), got_h=g.get("H"), want_w=w.get("W"), want_h=w.get("H"))
    if differing == ["H", "W"] and g["H"] == w["W"] and g["W"] == w["H"]:
        return kinds.TRANSPOSED, values
    if differing == ["W"] and tensor.w_stride and g["W"] == tensor.w_stride:
        values.update(padding=g["W"] - w["W"])
        return kinds.ROW_PITCH, values
    if differing and set(differing) <= {"H", "W"}:
        return kinds.PICTURE_SIZE, values
    return kinds.SHAPE, values


def _batch(got: int, want: int, values: dict[str, Value]) -> Diagnosis:
    values.update(got_batch=got, want_batch=want, factor=_ratio(want, got))
    return kinds.BATCH, values


def _layout(
    got: tuple[int, ...], want: tuple[int, ...], declared: str, looks: str, values: dict[str, Value]
) -> Diagnosis:
    at = looks.index("C")
    values.update(
        declared=declared,
        looks=looks,
        channels=got[at],
        misplaced="its " + {"N": "batch", "C": "channels", "H": "rows", "W": "columns"}[declared[at]],
        hint="array.transpose({}) made contiguous, or say that it is {} where the call can be told.".format(
            ", ".join(str(looks.index(letter)) for letter in declared), looks
        ),
    )
    return kinds.LAYOUT, values


def _channel_hint(got: int, want: int) -> str:
    if got == 4 and want == 3:
        return "Drop the alpha channel: array[..., :3] made contiguous, in the order of colors that the model wants."
    if got == 1 and want == 3:
        return "Decode in color (cv2.IMREAD_COLOR), or repeat the channel if the model was trained on gray pictures."
    if got == 3 and want == 1:
        return "Convert to gray: cv2.cvtColor(img, cv2.COLOR_BGR2GRAY)[..., None]."
    return f"Hand over {want} channels."


def _ratio(a: int, b: int) -> Value:
    if b == 0:
        return "infinite"
    return a // b if a % b == 0 else a / b


def diagnose_bytes(got: int, want: int, tensor: CompiledTensor, layout: str, item: int) -> Diagnosis:
    """Why a flat buffer of `got` bytes is not the `want` bytes of `tensor`: the factor and what it usually means.

    item: bytes of one wanted element.
    """
    values: dict[str, Value] = {"got": got, "want": want}
    shape = dict(zip(_AXES.get(layout, ""), tensor.shape))  # noqa: B905 (3.7)
    batch, channels = shape.get("N", 1), shape.get("C", 1)
    count = elements(tensor.shape)
    padded = tensor.size_with_stride or 0
    for bytes_each, name in ((4, "float32"), (2, "16-bit"), (1, "8-bit")):
        if got == count * bytes_each != want:
            values["arithmetic"] = (
                f"{got} / {count} elements = {bytes_each} bytes each: these are {name} elements, {item}-byte ones are wanted."
            )
            values["hint"] = f"Convert the elements to {tensor.dtype} before handing over the bytes."
            return kinds.BYTES, values
    if got and want % got == 0 and want // got == batch:
        values["arithmetic"] = f"{want} / {got} = {batch}: one picture for a batch of {batch}."
        values["hint"] = f"Stack {batch} pictures, or build the model with batch 1."
    elif padded and got == padded != want:
        values["arithmetic"] = (
            f"{got} is the size with row padding (rows of {tensor.w_stride} pixels), packed rows are wanted."
        )
        values["hint"] = "Leave the padding out: this call adds it itself."
    elif channels and got * channels == want * (channels + 1):
        values["arithmetic"] = f"{got} / {want} = {channels + 1} / {channels}: one channel too many."
        values["hint"] = "Drop the alpha channel."
    elif got and (want % got == 0 or got % want == 0):
        values["arithmetic"] = f"factor {want // got if want >= got else got // want}."
        values["hint"] = f"Hand over {want} bytes."
    else:
        values["arithmetic"] = f"{got} - {want} = {got - want} bytes apart; shape {tensor.shape}."
        values["hint"] = f"Hand over {want} bytes."
    return kinds.BYTES, values
