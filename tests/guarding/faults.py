"""Faults of what an array is and holds, each as a function of a random seed; the rule that must stop it. Data for tests.

A case gives the contract, the stand-in's class, the good calls before it and the faulty call, as keyword arguments of
`inference` (and `frame`, the picture that the input was made of).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.guarding.contracts import RKNN, RKNNLite, picture, rknn

IMAGENET = (np.array([123.675, 116.28, 103.53]), np.array([58.395, 57.12, 57.375]))


@dataclass(frozen=True)
class Case:
    """One faulty program: `good` calls that pass, then `bad` that must be stopped by one of `rules`."""

    contract: dict[str, Any]
    bad: dict[str, Any]
    rules: tuple[str, ...]
    good: list[dict[str, Any]] = field(default_factory=list)
    target: type = RKNNLite


Rng = np.random.Generator


def _image(rng: Rng) -> Any:
    return picture(rng)[None]


def _call(array: Any, **rest: Any) -> dict[str, Any]:
    return {"inputs": [array], **rest}


def _good(rng: Rng, runs: int = 3) -> list[dict[str, Any]]:
    return [_call(_image(rng)) for _ in range(int(rng.integers(0, runs + 1)))]


def rank(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng)[0]), ("GD003",), _good(rng))


def batch(rng: Rng) -> Case:
    n = int(rng.integers(2, 101))
    return Case(rknn((n, 48, 64, 3)), _call(_image(rng)), ("GD004",), target=RKNN)


def planar(rng: Rng) -> Case:
    return Case(rknn(), _call(np.ascontiguousarray(_image(rng).transpose(0, 3, 1, 2))), ("GD005",), _good(rng))


def planar_without_batch(rng: Rng) -> Case:
    return Case(rknn(), _call(np.ascontiguousarray(_image(rng)[0].transpose(2, 0, 1))), ("GD005",), _good(rng))


def format_says_nchw(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng), data_format="nchw"), ("GD005",), _good(rng))


def transposed(rng: Rng) -> Case:
    return Case(rknn(), _call(np.ascontiguousarray(_image(rng).transpose(0, 2, 1, 3))), ("GD006",), _good(rng))


def alpha(rng: Rng) -> Case:
    return Case(rknn(), _call(picture(rng, channels=4)[None]), ("GD007",), _good(rng))


def gray(rng: Rng) -> Case:
    return Case(rknn(), _call(picture(rng, channels=1)[None]), ("GD007",), _good(rng))


def padded_rows(rng: Rng) -> Case:
    contract = rknn()
    return Case(contract, _call(picture(rng, 48, contract["inputs"][0]["w_stride"])[None]), ("GD008",), _good(rng))


def not_resized(rng: Rng) -> Case:
    return Case(
        rknn(),
        _call(picture(rng, int(rng.integers(90, 200)), int(rng.integers(90, 300)))[None]),
        ("GD009",),
        _good(rng),
    )


def empty_crop(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng)[:, :0]), ("GD035",), _good(rng))


def float64(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng) / 1.0), ("GD012",), _good(rng), target=RKNN)


def big_endian(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng).astype(">f4")), ("GD013",), _good(rng))


def declared_type(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng), data_type="float32"), ("GD016",), _good(rng))


def format_list(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng), data_format=["nhwc", "nhwc"]), ("GD015",), _good(rng), target=RKNN)


def pass_through_bytes(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng), inputs_pass_through=[1]), ("GD017",), _good(rng), target=RKNN)


def unread_picture(rng: Rng) -> Case:
    return Case(rknn(), _call(None), ("GD002",), _good(rng))


def bare_array(rng: Rng) -> Case:
    return Case(rknn(), {"inputs": _image(rng)}, ("GD002",), _good(rng))


def extra_input(rng: Rng) -> Case:
    return Case(rknn(), {"inputs": [_image(rng), _image(rng)]}, ("GD001",), _good(rng))


def nan(rng: Rng) -> Case:
    array = _image(rng).astype(np.float32)
    array.ravel()[int(rng.integers(0, array.size))] = rng.choice([np.nan, np.inf, -np.inf])
    return Case(rknn(), _call(array), ("GD020",))


def divided_by_255(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng).astype(np.float32) / np.float32(255.0)), ("GD021",), _good(rng))


def half_divided(rng: Rng) -> Case:
    return Case(rknn(), _call((_image(rng) / 255.0).astype(np.float16)), ("GD021",), _good(rng))


def normalized_on_host(rng: Rng) -> Case:
    mean, std = IMAGENET if rng.random() < 0.5 else (127.5, 127.5)
    return Case(rknn(), _call(((_image(rng) - mean) / std).astype(np.float32)), ("GD023",), _good(rng))


def raw_for_0_1(rng: Rng) -> Case:
    return Case(rknn(value_range=(0.0, 1.0), scale=1 / 255), _call(_image(rng).astype(np.float32)), ("GD022",))


def raw_for_normalized(rng: Rng) -> Case:
    contract = rknn(value_range=(-2.118, 2.64), scale=0.01866, runtime="generic", dtype="float32")
    return Case(contract, _call(_image(rng).astype(np.float32)), ("GD022",), target=RKNN)


def ten_bit(rng: Rng) -> Case:
    return Case(rknn(), _call(_image(rng).astype(np.uint16) * 4), ("GD024",), _good(rng), target=RKNN)


def signed(rng: Rng) -> Case:
    return Case(
        rknn(), _call((_image(rng).astype(np.int16) - 128).astype(np.int8)), ("GD025",), _good(rng), target=RKNN
    )


def never_filled(rng: Rng) -> Case:
    frame = picture(rng, 96, 128)
    array = np.full((1, 48, 64, 3), rng.integers(0, 256), np.uint8)
    return Case(rknn(), _call(array, frame=frame), ("GD026",), _good(rng))


def old_frame(rng: Rng) -> Case:
    frame = picture(rng, 96, 128)
    small = np.ascontiguousarray(frame[::2, ::2])[None]
    return Case(
        rknn(), _call(small.copy(), frame=picture(rng, 96, 128)), ("GD027",), [*_good(rng), _call(small, frame=frame)]
    )  # fmt: skip


def encoded(rng: Rng) -> Case:
    mark = [b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF"][int(rng.integers(0, 3))]
    data = np.frombuffer(mark + rng.bytes(int(rng.integers(500, 5000))), np.uint8)
    return Case(rknn(), _call(data), ("GD028",), _good(rng))


FAULTS: dict[str, Callable[[Rng], Case]] = {
    f.__name__: f
    for f in (
        rank, batch, planar, planar_without_batch, format_says_nchw, transposed, alpha, gray, padded_rows, not_resized,
        empty_crop, float64, big_endian, declared_type, format_list, pass_through_bytes, unread_picture, bare_array,
        extra_input, nan, divided_by_255, half_divided, normalized_on_host, raw_for_0_1, raw_for_normalized, ten_bit, signed,
        never_filled, old_frame, encoded,
    )
}  # fmt: skip
