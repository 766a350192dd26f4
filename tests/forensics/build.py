"""The pipeline as an application would run it, with every fault of the vocabulary built in where it happens.

Written apart from the product: plain numpy and OpenCV. A fault is a dict: `name`, its parameters (the evidence keys of the
vocabulary), and choices of this generator that begin with `_`.
"""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from prepcheck.forensics import BufferSpec
from tests.forensics.contracts import Contract, coloured, resized

Fault = dict[str, Any]
U8 = NDArray[np.uint8]
TURNS = {
    "flipped_vertical": lambda a: a[::-1],
    "flipped_horizontal": lambda a: a[:, ::-1],
    "transposed": lambda a: a.swapaxes(0, 1),
}
_WEIGHTS = {"BT601": (0.299, 0.114), "BT709": (0.2126, 0.0722)}


def fit(image: U8, spec: BufferSpec, contract: Contract, faults: list[Fault]) -> U8:
    """The source at the model's size."""
    by = {f["name"]: f for f in faults}
    h, w = spec.size
    how = by.get("wrong_interpolation", {}).get("filter", "bilinear")
    height, width = image.shape[:2]
    letterbox = contract.letterbox and "stretched_instead_of_letterbox" not in by
    letterbox |= "letterbox_instead_of_stretch" in by
    if "center_crop" in by:
        x, y, cw, ch = by["center_crop"]["crop"]
        return resized(image[y : y + ch, x : x + cw], w, h, how)
    if not letterbox:
        return resized(image, w, h, how)
    scale = min(h / height, w / width)
    bw, bh = min(w, round(width * scale)), min(h, round(height * scale))
    centred = contract.align == "center"
    x, y = ((w - bw) // 2, (h - bh) // 2) if centred else (0, 0)
    fill: Any = contract.fill
    if "letterbox_instead_of_stretch" in by:
        f = by["letterbox_instead_of_stretch"]
        fill = f["fill"]
        x, y, bw, bh = f["box"]
    if "letterbox_fill" in by:
        fill = by["letterbox_fill"]["got"]
    if "letterbox_alignment" in by:
        x, y = by["letterbox_alignment"]["got"]
        if "box" in by["letterbox_alignment"]:
            x, y, bw, bh = by["letterbox_alignment"]["box"]
    out = np.empty((h, w, image.shape[2]), np.uint8)
    out[:] = np.asarray(fill, np.uint8)
    out[y : y + bh, x : x + bw] = resized(image, bw, bh, how)
    return out


def through_yuv(rgb: U8, encode: tuple[str, bool], decode: tuple[str, bool], swap: bool, blocks: int) -> U8:
    """RGB → YUV by one rule → RGB by another; blocks = 2: chroma halved both ways (as NV12 holds it)."""

    def matrix(name: str) -> NDArray[np.float64]:
        kr, kb = _WEIGHTS[name]
        kg = 1 - kr - kb
        return np.array(
            [[kr, kg, kb], [-kr / (2 - 2 * kb), -kg / (2 - 2 * kb), 0.5], [0.5, -kg / (2 - 2 * kr), -kb / (2 - 2 * kr)]]
        )

    def scale(limited: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return (
            (np.array([219 / 255, 224 / 255, 224 / 255]), np.array([16.0, 128, 128]))
            if limited
            else (np.ones(3), np.array([0.0, 128, 128]))
        )

    k, o = scale(encode[1])
    yuv = np.clip(np.round(rgb.astype(np.float64) @ matrix(encode[0]).T * k + o), 0, 255)
    if blocks == 2:
        h, w = yuv.shape[:2]
        even = np.pad(yuv[..., 1:], ((0, h % 2), (0, w % 2), (0, 0)), mode="edge")
        small = cv2.resize(even, ((w + 1) // 2, (h + 1) // 2), interpolation=cv2.INTER_AREA)
        yuv[..., 1:] = np.round(np.repeat(np.repeat(small, 2, 0), 2, 1)[:h, :w])
    if swap:
        yuv = yuv[..., [0, 2, 1]]
    k, o = scale(decode[1])
    return np.clip(np.round((yuv - o) / k @ np.linalg.inv(matrix(decode[0])).T), 0, 255).astype(np.uint8)


def _colour(rgb: U8, faults: list[Fault]) -> U8:
    for f in faults:
        e = tuple(f.get("_encode", ("BT601", True)))
        blocks = f.get("_blocks", 1)
        if f["name"] == "uv_swapped":
            rgb = through_yuv(rgb, e, e, True, blocks)
        elif f["name"] == "yuv_range":
            limited = f["want"] == "limited"
            rgb = through_yuv(rgb, (e[0], limited), (e[0], not limited), False, blocks)
        elif f["name"] == "yuv_matrix":
            rgb = through_yuv(rgb, (f["want"], e[1]), (f["used"], e[1]), False, blocks)
        elif f["name"] == "gray_replicated":
            how = f.get("from") or "luma"
            if how == "luma":
                g = cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2GRAY)
            elif how == "average":
                g = np.round(rgb.mean(axis=2)).astype(np.uint8)
            else:
                g = rgb[..., ("red", "green", "blue").index(how)]
            rgb = np.dstack([g, g, g])
    return rgb


def _turn(a: U8, f: Fault) -> U8:
    if f["name"] == "rotated":
        return np.rot90(a, -f["degrees"] // 90)
    return TURNS[f["name"]](a) if f["name"] in TURNS else a


def pixels(image: U8, contract: Contract, faults: list[Fault]) -> U8:
    """The picture at the model's size (or lying on its side) after faults of colour and place."""
    spec = contract.for_source(*image.shape[:2])
    sourced = [f for f in faults if f.get("_at") == "source"]
    rgb = _colour(image, sourced)
    for f in sourced:
        rgb = _turn(rgb, f)
    out = fit(rgb, spec, contract, faults)
    at_pixels = [f for f in faults if f.get("_at") != "source"]
    out = _colour(out, at_pixels)
    for f in at_pixels:
        out = _turn(out, f)
        if f["name"] == "shifted":
            out = _shift(out, f["dx"], f["dy"], f.get("border", 0))
    out = coloured(np.ascontiguousarray(out), spec.color)
    for f in faults:
        if f["name"] == "channels_swapped" and not f.get("_after"):
            out = out[..., [2, 1, 0, *range(3, out.shape[2])]]
        elif f["name"] == "inverted":
            out = 255 - out
    return np.ascontiguousarray(out)


def _shift(a: U8, dx: int, dy: int, border: Any) -> U8:
    if border == "wrap":
        return np.roll(a, (dy, dx), (0, 1))
    h, w = a.shape[:2]
    m = np.float32([[1, 0, dx], [0, 1, dy]])
    if border == "replicate":
        return cv2.warpAffine(
            np.ascontiguousarray(a), m, (w, h), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
        ).reshape(a.shape)
    value = [int(v) for v in np.resize(np.asarray(border), 4)]
    return cv2.warpAffine(np.ascontiguousarray(a), m, (w, h), flags=cv2.INTER_NEAREST, borderValue=value).reshape(
        a.shape
    )


def _normalized(x: NDArray[np.float64], mean: Any, std: Any) -> NDArray[np.float64]:
    return (x - np.asarray(mean)) / np.asarray(std)


def elements(px: U8, spec: BufferSpec, faults: list[Fault]) -> NDArray[Any]:
    """Pixels to elements H x W x C of the type that is submitted."""
    x = px.astype(np.float64)
    by = {f["name"]: f for f in faults}
    host = spec.mean is not None
    mean, std = (spec.mean, spec.std) if host else ((0.0,), (1.0,))
    if "scaled_0_1" in by and by["scaled_0_1"].get("_before"):
        x = x / by["scaled_0_1"]["by"]
    if "mean_std_swapped" in by:
        x = _normalized(x, by["mean_std_swapped"]["std"], by["mean_std_swapped"]["mean"])
    elif "normalized_twice" in by:
        f = by["normalized_twice"]
        x = _normalized(_normalized(x, f["mean"], f["std"]), f["mean"], f["std"])
    elif "not_normalized" not in by:
        x = _normalized(x, mean, std)
    if "normalized_on_host" in by:
        x = _normalized(x, by["normalized_on_host"]["mean"], by["normalized_on_host"]["std"])
    if "scaled_0_1" in by and not by["scaled_0_1"].get("_before"):
        x = x / by["scaled_0_1"]["by"]
    valued = next(
        (
            f
            for f in faults
            if f["name"]
            in ("scaled_0_1", "normalized_on_host", "normalized_twice", "mean_std_swapped", "not_normalized")
        ),
        {},
    )
    dtype = spec.dtype
    if "float32_bytes" in by:
        dtype = "float32"
    if "float16_bytes" in by:
        dtype = "float16"
    if dtype.startswith("float"):
        out: NDArray[Any] = x.astype(dtype)
    else:
        if spec.scale is not None:
            x = x / spec.scale + spec.zero_point
        info = np.iinfo(dtype)
        cast = valued.get("_cast", "clip")
        if cast == "clip":
            out = np.clip(np.round(x), info.min, info.max).astype(dtype)
        elif cast == "trunc":
            out = np.clip(np.trunc(x), info.min, info.max).astype(dtype)
        else:
            out = np.trunc(x).astype(np.int64).astype(dtype)
    for f in faults:
        if f["name"] == "channels_swapped" and f.get("_after"):
            out = out[..., [2, 1, 0]]
        elif f["name"] == "signed_offset":
            out = (out.view(np.uint8) ^ 0x80).view(out.dtype)
    return np.ascontiguousarray(out)


def laid_out(a: NDArray[Any], spec: BufferSpec, faults: list[Fault], rng: np.random.Generator) -> NDArray[Any]:
    """H x W x C elements in the memory order that is submitted, row padding included, as a flat array of elements."""
    by = {f["name"]: f for f in faults}
    layout = spec.layout
    if "planar_instead_of_interleaved" in by:
        layout = "NCHW"
    if "interleaved_instead_of_planar" in by:
        layout = "NHWC"
    stored = spec.shape[4] if layout == "NC1HWC2" else 4
    for name, packed in (("nc4hw4_packing", "NC4HW4"), ("nc1hwc2_packing", "NC1HWC2")):
        if name in by:
            f = by[name]
            layout = packed if f["direction"] == "packed" else f.get("layout", "NCHW")
            stored = f.get("c2", 4)
    h, w, c = a.shape
    if "alpha_channel" in by:
        order = by["alpha_channel"]["order"]
        alpha = np.full((h, w, 1), by["alpha_channel"].get("alpha") or 255).astype(a.dtype)
        if ("BGR" in order) != (spec.color == "BGR"):
            a = a[..., ::-1]
        a = np.concatenate([alpha, a] if order[0] == "A" else [a, alpha], axis=2)
        c = 4
    if layout in ("NC4HW4", "NC1HWC2"):
        padded = np.zeros((h, w, -(-c // stored) * stored), a.dtype)
        padded[..., :c] = a
        a = padded
        c = a.shape[2]
    rows = a.transpose(2, 0, 1).reshape(c * h, w) if layout in ("NCHW", "CHW") else a.reshape(h, w * c)
    step = 1 if layout in ("NCHW", "CHW") else c
    turned = (h, w) != spec.size
    pitch = (spec.w_stride or w) * step if not turned and layout == spec.layout else w * step
    if "row_stride" in by:
        pitch = by["row_stride"]["got"] // a.dtype.itemsize
    if pitch > rows.shape[1]:
        kind = by.get("row_stride", {}).get("_pad", "zero")
        out = np.zeros((rows.shape[0], pitch), a.dtype)
        if kind == "noise":
            out[:] = rng.integers(0, 100, out.shape).astype(a.dtype)
        out[:, : rows.shape[1]] = rows
        rows = out
    return rows.ravel()


def build(image: U8, contract: Contract, faults: list[Fault], *, previous: U8 | None = None, seed: int = 0) -> bytes:
    """The bytes that an application with these faults hands over; the length is that of a correct buffer unless a fault
    says otherwise (`_whole`)."""
    rng = np.random.default_rng(seed)
    spec = contract.for_source(*image.shape[:2])
    by = {f["name"]: f for f in faults}
    if "encoded_bytes" in by:
        out = _encoded(pixels(image, contract, faults), by["encoded_bytes"]["format"])
        return _length(out, spec.nbytes, rng) if not by["encoded_bytes"].get("_whole") else out
    if "constant_buffer" in by:
        return np.full(spec.nbytes // spec.itemsize, by["constant_buffer"]["value"], spec.dtype).tobytes()
    if "stale_buffer" in by or "different_image" in by:
        assert previous is not None
        image = previous
    px = pixels(image, contract, faults)
    if "yuv_as_rgb" in by:
        return _yuv_bytes(px if spec.color == "RGB" else px[..., ::-1], by["yuv_as_rgb"]["format"]).ljust(
            spec.nbytes, b"\0"
        )
    flat = laid_out(elements(px, spec, faults), spec, faults, rng)
    if "partial_fill" in by:
        f = by["partial_fill"]
        stop = _row_end(flat, px, f["rows"])
        flat = flat.copy()
        if f.get("_previous"):
            assert previous is not None
            other = [g for g in faults if g["name"] != "partial_fill"]
            flat[stop:] = laid_out(elements(pixels(previous, contract, other), spec, other), spec, other, rng)[stop:]
        else:
            flat[stop:] = f["rest"]
    if "byte_order" in by:
        flat = flat.byteswap()
    data = flat.tobytes()
    if spec.batch > 1:
        data = _batch(data, spec.batch, by.get("batch_partial"), rng)
    if "header_offset" in by:
        data = rng.integers(0, 256, by["header_offset"]["bytes"], dtype=np.uint8).tobytes() + data
    if any(f.get("_whole") for f in faults):
        return data
    return _length(data, spec.nbytes, rng)


def _row_end(flat: NDArray[Any], px: U8, rows: int) -> int:
    per_row = len(flat) // px.shape[0]
    return rows * per_row


def _batch(data: bytes, batch: int, partial: Fault | None, rng: np.random.Generator) -> bytes:
    filled = partial["filled"] if partial else batch
    rest = (
        bytes(len(data))
        if not partial or not partial.get("_noise")
        else rng.integers(0, 256, len(data), dtype=np.uint8).tobytes()
    )
    return data * filled + rest * (batch - filled)


def _length(data: bytes, need: int, rng: np.random.Generator) -> bytes:
    return data[:need] if len(data) >= need else data + bytes(need - len(data))


def _encoded(px: U8, kind: str) -> bytes:
    out = io.BytesIO()
    Image.fromarray(px[..., :3] if px.shape[2] > 1 else px[..., 0]).save(
        out, {"jpeg": "JPEG", "png": "PNG", "bmp": "BMP", "webp": "WEBP"}[kind]
    )
    return out.getvalue()


def _yuv_bytes(rgb: U8, kind: str) -> bytes:
    h, w = rgb.shape[0] // 2 * 2, rgb.shape[1] // 2 * 2
    rgb = np.ascontiguousarray(rgb[:h, :w])
    i420 = cv2.cvtColor(rgb, cv2.COLOR_RGB2YUV_I420)
    y, u, v = i420[:h], i420[h : h + h // 4].reshape(-1), i420[h + h // 4 :].reshape(-1)
    if h % 4:
        flat = i420.reshape(-1)
        u, v = flat[h * w : h * w + h * w // 4], flat[h * w + h * w // 4 :]
    if kind in ("I420", "YV12"):
        return y.tobytes() + (u.tobytes() + v.tobytes() if kind == "I420" else v.tobytes() + u.tobytes())
    if kind in ("NV12", "NV21"):
        pair = np.stack([u, v] if kind == "NV12" else [v, u], axis=1)
        return y.tobytes() + pair.tobytes()
    out = np.empty((h, w, 2), np.uint8)
    out[..., 0] = y
    full_u, full_v = (np.repeat(p.reshape(h // 2, w // 2), 2, axis=0) for p in (u, v))
    out[:, 0::2, 1], out[:, 1::2, 1] = full_u, full_v
    if kind == "UYVY":
        out = out[..., ::-1]
    return out.tobytes()
