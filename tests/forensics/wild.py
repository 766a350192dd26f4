"""Faults, pictures and pairs unlike the benchmark's: every parameter drawn at random, photos altered, textures made.

What the benchmark lists is easily fitted; this is what it is held against. Faults are dicts as in `build`.
"""

from __future__ import annotations

import random
from typing import Any

import cv2
import numpy as np

from prepcheck.forensics.poses import cover_crop
from tests.forensics.build import U8, Fault
from tests.forensics.catalogue import singles
from tests.forensics.contracts import Contract
from tests.forensics.photos import photos, scene

SETS = (
    ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375)),
    ((127.5,), (127.5,)),
    ((127.5,), (128.0,)),
    ((128.0,), (128.0,)),
    ((104.0, 117.0, 123.0), (1.0,)),
    ((90.0, 100.0, 110.0), (62.0, 61.0, 64.0)),  # nobody's: has to be fitted
)


def draw(name: str, contract: Contract, image: U8, rng: random.Random) -> Fault | None:
    """The fault with parameters drawn at random; None where it cannot happen."""
    listed = singles(name, contract, image)
    if not listed:
        return None
    fault = dict(rng.choice(listed))
    fault.update(_drawn(name, contract, image, rng))
    return fault


def _drawn(name: str, contract: Contract, image: U8, rng: random.Random) -> dict[str, Any]:
    s = contract.for_source(*image.shape[:2])
    h, w = s.size
    if name == "shifted":
        dx, dy = rng.randint(-w // 8, w // 8), rng.randint(-h // 8, h // 8)
        if rng.random() < 0.4:
            dx, dy = rng.randint(-3, 3), rng.randint(-3, 3)
        border = rng.choice([0, 255, 114, "wrap", "replicate"])
        return {"dx": dx or 2, "dy": dy, "border": border}
    if name == "letterbox_fill":
        return {"got": rng.choice([v for v in (0, 255, 127, 128, 114, 56, 200) if v != contract.fill])}
    if name == "letterbox_alignment":
        box = s.geometry.box
        assert box is not None
        for _ in range(20):
            place = [rng.randint(0, w - box.w), rng.randint(0, h - box.h)]
            if abs(place[0] - box.x) + abs(place[1] - box.y) > 4:
                return {"got": place}
        return {}
    if name == "letterbox_instead_of_stretch":
        return {"fill": rng.choice([0, 114, 128, 255, 127])}
    if name == "center_crop":
        crop = cover_crop(image.shape[:2], (h, w))
        return {"crop": [crop.x, crop.y, crop.w, crop.h]}
    if name == "header_offset":
        return {"bytes": rng.choice([1, 2, 3, 14, 16, 44, 54, 64, 70, 122, 256, 512, 1078, rng.randint(4, 3000)])}
    if name == "row_stride":
        step = (1 if s.planar else s.stored) * s.itemsize
        own = s.w_stride or w
        choices = [
            p for p in (-(-w // 16) * 16, -(-w // 32) * 32, -(-w // 64) * 64, w + rng.randint(1, 40), w) if p != own
        ]
        return {"got": rng.choice(choices or [w + 8]) * step, "_pad": rng.choice(["zero", "noise"])}
    if name == "partial_fill":
        rows = rng.randint(max(4, h // 12), h - max(2, h // 20))
        if rng.random() < 0.3:
            return {"rows": rows, "rest": "previous", "_previous": True}
        return {"rows": rows, "rest": rng.choice([0, 0, 114 if s.dtype != "int8" else 100, 1]), "_previous": False}
    if name == "constant_buffer":
        return {"value": rng.choice([0, 1, 114, -1 if s.dtype.startswith(("int", "float")) else 255, 77])}
    if name == "normalized_on_host":
        mean, std = rng.choice(SETS)
        if s.color == "GRAY":
            mean, std = mean[:1], std[:1]
        if s.color == "RGBA":
            mean, std = mean[:1], std[:1]
        cast = {"_cast": rng.choice(["wrap", "clip", "trunc"])} if s.itemsize == 1 else {}
        return {"mean": list(mean), "std": list(std), **cast}
    if name == "scaled_0_1":
        by = rng.choice([255.0, 255.0, 256.0, 128.0, 127.5])
        return {"by": by, "_cast": rng.choice(["clip", "trunc"])}
    if name in ("uv_swapped", "yuv_range", "yuv_matrix"):
        blocks = {"_blocks": rng.choice([1, 2])}
        where = {"_at": rng.choice(["source", "pixels"])}
        if name == "uv_swapped":
            return {"_encode": (rng.choice(["BT601", "BT709"]), rng.random() < 0.6), **blocks, **where}
        if name == "yuv_range":
            return {"_encode": (rng.choice(["BT601", "BT709"]), True), **blocks, **where}
        return {"_encode": ("BT601", rng.random() < 0.6), **blocks, **where}
    if name in ("flipped_vertical", "flipped_horizontal", "rotated", "transposed"):
        at = {"_at": rng.choice(["source", "pixels"])}
        return {"degrees": rng.choice([90, 180, 270]), **at} if name == "rotated" else at
    if name == "gray_replicated":
        return {
            "from": rng.choice(["luma", "average", "green", "red", "blue"]),
            "_at": rng.choice(["source", "pixels"]),
        }
    if name == "batch_partial":
        return {"filled": rng.randint(1, s.batch - 1), "batch": s.batch, "_noise": rng.random() < 0.5}
    if name == "nc1hwc2_packing" and s.layout == "NHWC":
        return {"c2": rng.choice([8, 16, 32])}
    if name == "encoded_bytes":
        return {"format": rng.choice(["jpeg", "png", "bmp", "webp"]), "_whole": rng.random() < 0.5}
    if name in ("float32_bytes", "float16_bytes", "alpha_channel"):
        return {"_whole": rng.random() < 0.3}
    if name == "yuv_as_rgb":
        return {"format": rng.choice(["NV12", "NV21", "I420", "YV12", "YUYV", "UYVY"]), "_whole": rng.random() < 0.3}
    return {}


def altered(image: U8, rng: random.Random) -> U8:
    """A photo cropped, turned, brightened, darkened, blurred or given grain."""
    h, w = image.shape[:2]
    ch, cw = int(h * rng.uniform(0.45, 1)), int(w * rng.uniform(0.45, 1))
    y, x = rng.randint(0, h - ch), rng.randint(0, w - cw)
    out = np.rot90(image[y : y + ch, x : x + cw], rng.choice([0, 0, 1, 2, 3]))
    if rng.random() < 0.3:
        out = out[:, ::-1]
    if rng.random() < 0.5:
        gain, lift, gamma = rng.uniform(0.5, 1.5), rng.uniform(-25, 25), rng.uniform(0.7, 1.4)
        out = np.clip(255 * (out / 255.0) ** gamma * gain + lift, 0, 255).round().astype(np.uint8)
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(np.ascontiguousarray(out), (0, 0), rng.uniform(0.5, 2.0))
    if rng.random() < 0.3:
        noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rng.uniform(1, 6), out.shape)
        out = np.clip(out + noise, 0, 255).round().astype(np.uint8)
    side = rng.choice([None, None, 300, 500, 1000])
    if side:
        scale = side / max(out.shape[:2])
        size = (max(40, round(out.shape[1] * scale)), max(40, round(out.shape[0] * scale)))
        out = cv2.resize(np.ascontiguousarray(out), size, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(out)


def texture(seed: int, width: int, height: int) -> U8:
    """Colours whose power falls with the frequency as in photos, with edges of random planes."""
    rng = np.random.default_rng(seed)
    out = np.zeros((height, width, 3), np.float32)
    fy, fx = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)
    power = 1 / np.maximum(np.hypot(fx, fy), 1 / max(width, height)) ** rng.uniform(0.9, 1.5)
    mix = rng.normal(0, 1, (3, 3)) * 0.35 + 0.65
    for c in range(3):
        phase = np.exp(2j * np.pi * rng.random(power.shape))
        layer = np.fft.irfft2(power * phase, (height, width))
        out += (layer / layer.std())[..., None] * mix[c]
    y, x = np.mgrid[0:height, 0:width] / max(width, height)
    for _ in range(rng.integers(3, 9)):
        a, b, c = rng.normal(0, 1, 3)
        out[(a * x + b * y + c * 0.4) > 0] += rng.normal(0, 0.8, 3)
    out = (out - out.mean()) / out.std()
    return np.clip(120 + 55 * out, 0, 255).round().astype(np.uint8)


def picture(rng: random.Random) -> U8:
    """An altered photo where photos are installed, else (and one time in three) something generated."""
    known = photos()
    kind = rng.random()
    if known and kind < 0.67:
        return altered(known[rng.choice(sorted(known))], rng)
    width, height = rng.randint(120, 1100), rng.randint(120, 900)
    if kind < 0.85:
        return texture(rng.randrange(10_000), width, height)
    return altered(scene(rng.randrange(10_000), width, height), rng)


def outside(image: U8, rng: random.Random) -> dict[str, U8]:
    """A picture at the model's size spoilt in further ways that the vocabulary has no name for."""
    h, w = image.shape[:2]
    x = image.astype(np.float32)
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    y, z = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
    luma = x.mean(axis=2, keepdims=True)
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    pushed = (corners + numbers.uniform(-0.12, 0.12, (4, 2)) * (w, h)).astype(np.float32)
    tilt = cv2.getRotationMatrix2D((w / 2, h / 2), rng.choice([-7, -4, 5, 9]), rng.choice([1.0, 1.1]))
    small = cv2.resize(image, (max(2, w // 8), max(2, h // 8)), interpolation=cv2.INTER_AREA)
    salt = numbers.random((h, w, 1))
    zeroed, mixed = x.copy(), x[..., [0, 2, 1]]
    zeroed[..., 1] = 0
    apart = np.stack([np.roll(x[..., c], (2 * c, -3 * c), (0, 1)) for c in range(3)], axis=2)
    spoilt = {
        "posterized": x // 64 * 64 + 32,
        "sharpened": x + 2.5 * (x - cv2.GaussianBlur(x, (0, 0), 1.5)),
        "salt and pepper": np.where(salt < 0.06, 0, np.where(salt > 0.94, 255, x)),
        "brighter": x + 35,
        "darker": x * 0.6,
        "vignette": x * np.clip(1.1 - 0.7 * (y**2 + z**2), 0, 1)[..., None],
        "perspective": cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, pushed), (w, h)),
        "tilted": cv2.warpAffine(image, tilt, (w, h)),
        "pixelated": cv2.resize(small, (w, h), interpolation=cv2.INTER_NEAREST),
        "solarized": np.where(x > 128, 255 - x, x),
        "pale": luma + (x - luma) * 0.4,
        "sepia": luma * np.array([1.07, 0.9, 0.65], np.float32),
        "green and blue swapped": mixed,
        "green lost": zeroed,
        "channels apart": apart,
        "grain": x + numbers.normal(0, 16, x.shape),
        "median": cv2.medianBlur(image, 9),
    }
    return {name: np.clip(np.round(a), 0, 255).astype(np.uint8) for name, a in spoilt.items()}
