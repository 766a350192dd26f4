"""Every fault of the vocabulary with three parameter values for a contract and a picture, pairs, and what lies outside."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from prepcheck.forensics.poses import cover_crop
from tests.forensics.build import U8, Fault
from tests.forensics.contracts import IMAGENET, Contract

_NAMES = (
    "channels_swapped planar_instead_of_interleaved interleaved_instead_of_planar transposed flipped_vertical flipped_horizontal "
    "rotated stretched_instead_of_letterbox letterbox_instead_of_stretch letterbox_fill letterbox_alignment center_crop shifted "
    "wrong_interpolation scaled_0_1 normalized_on_host normalized_twice not_normalized mean_std_swapped signed_offset float32_bytes "
    "float16_bytes byte_order row_stride header_offset partial_fill constant_buffer different_image stale_buffer encoded_bytes "
    "yuv_as_rgb uv_swapped yuv_range yuv_matrix alpha_channel gray_replicated inverted nc4hw4_packing nc1hwc2_packing batch_partial"
)
NAMES = tuple(_NAMES.split())


def singles(name: str, contract: Contract, image: U8) -> list[Fault]:
    """The fault with up to three parameter values; empty where it cannot happen to this contract and picture."""
    return [{"name": name, **f} for f in _parameters(name, contract, image)]


def _parameters(name: str, contract: Contract, image: U8) -> list[dict[str, Any]]:
    s = contract.for_source(*image.shape[:2])
    h, w = s.size
    host, quantized, one_byte = s.mean is not None, s.scale is not None, s.itemsize == 1
    if name == "channels_swapped":
        return [{}, {"_after": True}, {}] if host else [{}]
    if name == "planar_instead_of_interleaved":
        return [{}] if s.layout == "NHWC" else []
    if name == "interleaved_instead_of_planar":
        return [{}] if s.layout == "NCHW" else []
    if name == "transposed":
        return [{}]
    if name in ("flipped_vertical", "flipped_horizontal"):
        return [{}, {"_at": "source"}]
    if name == "rotated":
        return [{"degrees": 90, "_at": "source"}, {"degrees": 180}, {"degrees": 270}]
    if name == "stretched_instead_of_letterbox":
        return [{"box": [0, 0, w, h]}] if contract.letterbox and image.shape[0] * w != image.shape[1] * h else []
    if name == "letterbox_instead_of_stretch":
        scale = min(h / image.shape[0], w / image.shape[1])
        bw, bh = min(w, round(image.shape[1] * scale)), min(h, round(image.shape[0] * scale))
        if contract.letterbox or (bw, bh) == (w, h):
            return []
        centre = [(w - bw) // 2, (h - bh) // 2, bw, bh]
        return [{"box": centre, "fill": 114}, {"box": centre, "fill": 0}, {"box": [0, 0, bw, bh], "fill": 128}]
    if name in ("letterbox_fill", "letterbox_alignment"):
        box = s.geometry.box
        if box is None or (box.w, box.h) == (w, h):
            return []
        if name == "letterbox_fill":
            return [{"got": v, "want": contract.fill} for v in (0, 128, 255) if v != contract.fill]
        spare_x, spare_y = w - box.w, h - box.h
        places = [(0, 0), (spare_x, spare_y), (spare_x // 4, spare_y // 4)]
        return [{"got": list(p), "want": [box.x, box.y]} for p in places if abs(p[0] - box.x) + abs(p[1] - box.y) > 3]
    if name == "center_crop":
        crop = cover_crop(image.shape[:2], (h, w))
        if abs(crop.w - image.shape[1]) + abs(crop.h - image.shape[0]) < 4:
            return []
        return [{"crop": [crop.x, crop.y, crop.w, crop.h]}]
    if name == "shifted":
        return [
            {"dx": 2 if contract.letterbox else 1, "dy": 0, "border": "replicate"},
            {"dx": -3, "dy": 5, "border": 0},
            {"dx": w // 6, "dy": -h // 7, "border": "wrap"},
        ]
    if name == "wrong_interpolation":
        return [{"filter": f} for f in ("nearest", "bicubic", "lanczos")] if s.filter else []
    if name == "scaled_0_1":
        if one_byte and not quantized:
            return [{"by": 255.0, "_cast": "clip"}, {"by": 128.0, "_cast": "trunc"}]
        return [{"by": 255.0}, {"by": 255.0, "_before": True}, {"by": 256.0}]
    if name == "normalized_on_host":
        cast = {"_cast": "wrap"} if one_byte else {}
        return (
            []
            if host
            else [
                {"mean": list(m), "std": list(d), **cast}
                for m, d in (IMAGENET, ((127.5,), (127.5,)), ((127.5,), (128.0,)))
            ]
        )
    if name in ("normalized_twice", "mean_std_swapped"):
        if not host or (name == "mean_std_swapped" and not any(s.mean or ())):
            return []
        return [{"mean": list(s.mean or ()), "std": list(s.std or ())}] if any(s.mean or ()) else []
    if name == "not_normalized":
        return [{}] if host else []
    if name == "signed_offset":
        return [{}] if one_byte else []
    if name in ("float32_bytes", "float16_bytes"):
        return (
            [{}]
            if s.dtype != name.removesuffix("_bytes") and not (name == "float16_bytes" and s.dtype == "int16")
            else []
        )
    if name == "byte_order":
        return [{}] if s.itemsize > 1 else []
    if name == "row_stride":
        step = (1 if s.planar else s.stored) * s.itemsize
        wants = [w + 1, -(-w // 64) * 64 + 64, w + 13] if s.w_stride is None else [w, s.w_stride + 16, s.w_stride + 48]
        return [
            {"got": p * step, "want": s.pitch, "_pad": pad}
            for p, pad in zip(wants, ("zero", "noise", "noise"), strict=True)
        ]
    if name == "header_offset":
        return [{"bytes": b} for b in (54, 128, 1000)]
    if name == "partial_fill":
        return [
            {"rows": h // 10, "rest": 0},
            {"rows": h // 2, "rest": 90},
            {"rows": h * 4 // 5, "rest": "previous", "_previous": True},
        ]
    if name == "constant_buffer":
        return [{"value": v} for v in (0, 127, 93)]
    if name in ("different_image", "stale_buffer"):
        return [{}]
    if name == "encoded_bytes":
        return [{"format": f} for f in ("jpeg", "png", "bmp")]
    if name == "yuv_as_rgb":
        return (
            [{"format": f} for f in ("NV12", "NV21", "I420", "YUYV")]
            if one_byte and s.channels == 3 and h % 4 == 0 and w % 2 == 0
            else []
        )
    if name == "uv_swapped":
        return [{}, {"_encode": ("BT709", True)}, {"_encode": ("BT601", False), "_blocks": 2}]
    if name == "yuv_range":
        return [
            {"used": "full", "want": "limited"},
            {"used": "limited", "want": "full"},
            {"used": "limited", "want": "full", "_encode": ("BT709", True)},
        ]
    if name == "yuv_matrix":
        return [{"used": "BT709", "want": "BT601"}, {"used": "BT601", "want": "BT709"}]
    if name == "alpha_channel":
        plain = s.layout == "NHWC" and s.channels == 3
        orders = ("RGBA", "BGRA", "ARGB") if s.color == "RGB" else ("BGRA", "RGBA", "ABGR")
        return [{"order": o} for o in orders] if plain else []
    if name == "gray_replicated":
        return [{"from": f} for f in ("luma", "green", "average")]
    if name == "inverted":
        return [{}]
    if name == "nc4hw4_packing":
        if s.layout == "NC4HW4":
            return [
                {"direction": "plain", "layout": "NCHW", "c2": 4},
                {"direction": "plain", "layout": "NHWC", "c2": 4},
            ]
        return [{"direction": "packed", "c2": 4}] if s.layout == "NCHW" else []
    if name == "nc1hwc2_packing":
        return [{"direction": "packed", "c2": c} for c in (8, 16)] if s.layout == "NHWC" and one_byte else []
    if name == "batch_partial":
        return [{"filled": n, "batch": s.batch, "_noise": n == 2} for n in (1, 2, 3)] if s.batch > 1 else []
    raise KeyError(name)


_PAIRS = (
    "flipped_vertical+channels_swapped channels_swapped+planar_instead_of_interleaved rotated+channels_swapped "
    "flipped_horizontal+letterbox_fill letterbox_alignment+letterbox_fill stretched_instead_of_letterbox+channels_swapped "
    "letterbox_instead_of_stretch+channels_swapped center_crop+channels_swapped shifted+channels_swapped inverted+channels_swapped "
    "gray_replicated+inverted uv_swapped+flipped_vertical yuv_range+channels_swapped rotated+planar_instead_of_interleaved "
    "transposed+channels_swapped flipped_vertical+row_stride channels_swapped+row_stride channels_swapped+header_offset "
    "flipped_vertical+header_offset planar_instead_of_interleaved+header_offset channels_swapped+partial_fill flipped_horizontal+partial_fill "
    "signed_offset+channels_swapped signed_offset+planar_instead_of_interleaved signed_offset+flipped_vertical float32_bytes+scaled_0_1 "
    "channels_swapped+float32_bytes flipped_horizontal+float32_bytes not_normalized+channels_swapped normalized_twice+flipped_horizontal "
    "scaled_0_1+channels_swapped byte_order+channels_swapped byte_order+flipped_vertical nc4hw4_packing+channels_swapped "
    "normalized_on_host+channels_swapped mean_std_swapped+channels_swapped planar_instead_of_interleaved+partial_fill "
    "letterbox_fill+channels_swapped center_crop+flipped_horizontal batch_partial+channels_swapped row_stride+partial_fill "
    "shifted+inverted letterbox_instead_of_stretch+flipped_horizontal"
)
PAIRS = tuple(_PAIRS.split())


def outside(image: U8) -> dict[str, U8]:
    """Pictures at the model's size spoilt in ten ways that the vocabulary has no name for."""
    rng = np.random.default_rng(5)
    h, w = image.shape[:2]
    x = image.astype(np.float32)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), 11, 1.0)
    tile_h, tile_w = h // 4, w // 4
    tiles = image.copy()
    places = [(r, c) for r in range(4) for c in range(4)]
    for (r, c), (r2, c2) in zip(places, [places[i] for i in rng.permutation(16)], strict=True):
        tiles[r * tile_h : (r + 1) * tile_h, c * tile_w : (c + 1) * tile_w] = image[
            r2 * tile_h : (r2 + 1) * tile_h, c2 * tile_w : (c2 + 1) * tile_w
        ]
    hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 40) % 180
    waves = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    spoilt = {
        "blurred": cv2.GaussianBlur(image, (0, 0), 4),
        "noisy": x + rng.normal(0, 30, x.shape),
        "gamma": 255 * (x / 255) ** 0.45,
        "contrast": (x - 128) * 1.6 + 128,
        "eleven degrees": cv2.warpAffine(image, turn, (w, h)),
        "tiles shuffled": tiles,
        "hue": cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB),
        "every other row black": np.where((np.arange(h) % 2)[:, None, None] == 0, image, 0),
        "waves": cv2.remap(image, waves[0] + 8 * np.sin(waves[1] / 9), waves[1], cv2.INTER_LINEAR),
        "patches": _patched(image, rng),
    }
    return {name: np.clip(np.round(a), 0, 255).astype(np.uint8) for name, a in spoilt.items()}


def _patched(image: U8, rng: np.random.Generator) -> U8:
    out = image.copy()
    h, w = image.shape[:2]
    for _ in range(14):
        y, x = rng.integers(0, h - h // 6), rng.integers(0, w - w // 6)
        out[y : y + h // 6, x : x + w // 6] = rng.integers(0, 256, 3)
    return out
