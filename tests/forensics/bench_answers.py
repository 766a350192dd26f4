"""The benchmark of answers as evidence: models that packages ship, faults built in by the generator of this folder.

    python -m tests.forensics.bench_answers [--seed 1] [--trials 4] [--images 40] [--model cls|rec] [--device NAME] [--keep FILE]

Needs the `bench` extra: rapidocr-onnxruntime for its models, onnxruntime, onnx, scikit-image for its pictures of text.
For each fault of the vocabulary, with each of the parameter values that `tests/forensics/catalogue.py` has (not those that
the product tries), `trials` random sets of eight crops are answered by "the device": the model run on the bytes that
`tests/forensics/build.py` makes, printed to four decimals. Three devices: the same float model; the same with Pillow's
resizer where the plan has OpenCV's; an int8 model (onnxruntime's static quantisation), judged by the float one.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from prepcheck.core.answer_text import parse
from prepcheck.forensics import BufferSpec, Expected
from prepcheck.forensics.answers import FLOAT, QUANTIZED, Noise, hypotheses_for, weigh
from prepcheck.forensics.answers.forward import Renderer
from prepcheck.forensics.answers.priors import AS_PLANNED
from prepcheck.forensics.answers.reading import Output, Reading, read
from tests.forensics import contracts
from tests.forensics.build import U8, Fault, build
from tests.forensics.catalogue import NAMES, singles
from tests.forensics.contracts import Contract

FILES = {"cls": "ch_ppocr_mobile_v2.0_cls_infer.onnx", "rec": "ch_PP-OCRv4_rec_infer.onnx"}
SIZES = {"cls": (48, 192), "rec": (48, 192)}
SKIP = frozenset({"batch_partial", "different_image"})
WORDS = ("Invoice 2041", "open daily", "SPEED LIMIT", "Rockchip", "Exit right", "No parking", "fragile", "14:35 Gate B",
         "Serial 88-31", "coffee 2.40", "mind the step", "Platform 9", "AB 123 CD", "total 19.99", "push", "Room 204")  # fmt: skip


def model_file(name: str) -> Path | None:
    """The packaged model; None where the package is not installed."""
    found = importlib.util.find_spec("rapidocr_onnxruntime")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "models" / FILES[name]
    return path if path.is_file() else None


def crops(count: int, seed: int) -> list[U8]:
    """Pictures of text lines: cut out of scikit-image's scans, and rendered in colours on uneven grounds; some upside down."""
    import skimage.data

    rng = np.random.default_rng(seed)
    scans = [skimage.data.page(), skimage.data.text()]
    out: list[U8] = []
    while len(out) < count:
        if len(out) % 4 == 0:
            scan = np.asarray(scans[len(out) // 4 % 2])
            h, w = int(rng.integers(16, 34)), int(rng.integers(90, 170))
            y, x = int(rng.integers(0, scan.shape[0] - h)), int(rng.integers(0, scan.shape[1] - w))
            part = scan[y : y + h, x : x + w]
            if part.std() < 18:
                continue
            made = np.repeat(part[..., None], 3, axis=2)
        else:
            made = _line(rng)
        if rng.random() < 0.4:
            made = made[::-1, ::-1]
        out.append(np.ascontiguousarray(made))
    return out


def _line(rng: np.random.Generator) -> U8:
    word = WORDS[int(rng.integers(len(WORDS)))]
    font = ImageFont.load_default(int(rng.integers(22, 44)))
    left, top, right, bottom = font.getbbox(word)
    margin = int(rng.integers(4, 14))
    size = (int(right - left) + 2 * margin, int(bottom - top) + 2 * margin)
    ground, ink = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
    if abs(float(ground.mean() - ink.mean())) < 70:
        ink = 255 - ground if abs(255 - 2 * ground.mean()) > 70 else ink * 0 + (255 if ground.mean() < 128 else 0)
    image = Image.new("RGB", size, tuple(int(v) for v in ground))
    ImageDraw.Draw(image).text((margin - left, margin - top), word, fill=tuple(int(v) for v in ink), font=font)
    array = np.asarray(image).astype(np.float32)
    slope = np.linspace(-1, 1, size[0])[None, :, None] * rng.uniform(-25, 25)
    array = array + slope + rng.normal(0, rng.uniform(1, 9), array.shape)
    return np.clip(cv2.GaussianBlur(array, (0, 0), rng.uniform(0.4, 1.2)), 0, 255).astype(np.uint8)


class Model:
    """A packaged network behind a device that takes uint8 NHWC pixels and normalises by 127.5 itself."""

    def __init__(self, path: Path, size: tuple[int, int]) -> None:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name
        self.name = self.session.get_outputs()[0].name
        self.size = size
        self.kept: dict[bytes, NDArray[np.float64]] = {}

    def pixels(self, read_: NDArray[Any]) -> NDArray[np.float64]:
        """H x W x 3 as the device reads them → the network's output (of a reader of text: the best score of each character)."""
        key = read_.tobytes()
        if key not in self.kept:
            x = ((read_.astype(np.float32) - 127.5) / 127.5).transpose(2, 0, 1)[None]
            out = np.asarray(self.session.run(None, {self.input: x})[0], np.float64)
            self.kept[key] = out.max(axis=1) if out.ndim == 3 else out
        return self.kept[key]

    def bytes_(self, data: bytes) -> NDArray[np.float64]:
        """Submitted bytes → the output; an int8-free device reads them as uint8 NHWC whatever they are."""
        h, w = self.size
        return self.pixels(np.frombuffer(data[: h * w * 3], np.uint8).reshape(h, w, 3))


def quantized(path: Path, size: tuple[int, int], pictures: list[U8], folder: Path) -> Path:
    """The int8 model: every convolution and product in int8, calibrated on the crops, as a device's converter does."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            import onnxruntime as ort

            name = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"]).get_inputs()[0].name
            small = [contracts.resized(p, size[1], size[0]) for p in pictures]
            self.left = iter([{name: ((s.astype(np.float32) - 127.5) / 127.5).transpose(2, 0, 1)[None]} for s in small])

        def get_next(self) -> Any:
            return next(self.left, None)

    ready, out = folder / "ready.onnx", folder / "int8.onnx"
    import onnx
    from onnx import version_converter

    newer = folder / "opset13.onnx"  # scales per channel need it
    onnx.save(version_converter.convert_version(onnx.load(str(path)), 13), str(newer))
    quant_pre_process(str(newer), str(ready), skip_symbolic_shape=True)
    quantize_static(str(ready), str(out), Reader(), quant_format=QuantFormat.QDQ, activation_type=QuantType.QInt8,
                    weight_type=QuantType.QInt8, per_channel=True)  # fmt: skip
    return out


@dataclass
class Tally:
    trials: int = 0
    excluded: float = 0.0
    hypotheses: int = 0
    lost: int = 0
    first: Counter[int] = None  # type: ignore[assignment]
    strict: Counter[int] = None  # type: ignore[assignment]
    named: Counter[int] = None  # type: ignore[assignment]
    wrong: Counter[int] = None  # type: ignore[assignment]
    tie: int = 0
    unexplained: Counter[int] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        self.first, self.strict, self.named, self.wrong, self.unexplained = (Counter() for _ in range(5))


class Bench:
    """One model, one pool of crops; what every hypothesis answers for each crop is computed once."""

    def __init__(self, name: str, pool: list[U8], path: Path) -> None:
        self.size = SIZES[name]
        self.pool, self.model = pool, Model(path, self.size)
        self.contract = Contract(
            name, BufferSpec("uint8", "NHWC", (1, *self.size, 3), color="BGR", model_mean=(127.5,), model_std=(127.5,))
        )
        self.hypotheses = hypotheses_for(self.contract.spec, pool[1].shape[:2], previous=True, file_format=None)
        self.runs: list[list[list[NDArray[np.float64]] | None]] = []
        self.expected: list[NDArray[np.float64]] = []
        before = [self._fitted(p) for p in [pool[-1], *pool[:-1]]]
        for image, previous in zip(pool, before, strict=True):
            renderers = self._renderers(image, previous)
            rows: list[list[NDArray[np.float64]] | None] = []
            for hypothesis in self.hypotheses:
                elements = [r.elements(hypothesis) for r in renderers]
                rows.append(None if elements[0] is None else [self.model.pixels(e) for e in elements if e is not None])
            self.runs.append(rows)

    def _fitted(self, image: U8) -> U8:
        return contracts.coloured(contracts.resized(image, self.size[1], self.size[0]), "BGR")

    def _renderers(self, image: U8, previous: U8) -> list[Renderer]:
        expected = Expected(image, "RGB", self._fitted(image), self.contract.spec, previous=(("before", previous),))
        return [Renderer(expected), Renderer(expected, second=True)]

    def reading(self, index: int, text: str, noise: Noise) -> Reading:
        """noise: of an int8 device, whose output has codes of 1/256 (as its contract would say)."""
        planned = self.runs[index][0]
        assert planned is not None
        scale = 1 / 256 if noise is QUANTIZED else None
        return read(parse(text), [Output(self.model.name, planned[0].size, scale)], {self.model.name: planned[0]})

    def judged(self, chosen: list[int], texts: list[str], noise: Noise) -> Any:
        seen, runs = [], []
        for index, text in zip(chosen, texts, strict=True):
            reading = self.reading(index, text, noise)
            seen.append(reading.seen)
            runs.append(
                [None if r is None else [reading.of({self.model.name: v}) for v in r] for r in self.runs[index]]
            )
        return weigh(self.hypotheses, seen, runs, noise)


def printed(output: NDArray[np.float64]) -> str:
    """What a program prints of it: all numbers of a few, the five largest as class: score of many."""
    flat = output.reshape(-1)
    if flat.size <= 16:
        return ",".join(f"{v:.4f}" for v in flat)
    return ",".join(f"{i}:{flat[i]:.4f}" for i in np.argsort(-flat, kind="stable")[:5])


def trial(
    bench: Bench, device: Model, faults: list[Fault | None], chosen: list[int], noise: Noise, tally: Tally
) -> str:
    """faults: one for each crop (boxes and crops of the same rule differ from picture to picture)."""
    texts, truth = [], []
    for fault, index in zip(faults, chosen, strict=True):
        image, previous = bench.pool[index], bench.pool[index - 1]
        data = build(image, bench.contract, [fault] if fault else [], previous=previous, seed=index)
        answer = device.bytes_(data)
        texts.append(printed(answer))
        truth.append(bench.model.bytes_(data))
    name = faults[0]["name"] if faults[0] else AS_PLANNED
    tally.trials += 1
    said = ""
    for count in (1, 2, 8):
        found = bench.judged(chosen[:count], texts[:count], noise)
        first = {r.hypothesis.name for r in found.first}
        same = name in first or _alike(bench, found, chosen[:count], texts[:count], truth[:count], noise)
        tally.first[count] += found.verdict != "not_explained" and same
        tally.strict[count] += found.verdict != "not_explained" and name in first
        tally.unexplained[count] += found.verdict == "not_explained"
        if found.verdict in ("named", "as_planned"):
            answer_name = found.name or AS_PLANNED
            tally.named[count] += 1
            tally.wrong[count] += answer_name != name
            tally.tie += len({r.hypothesis.name for r in found.first}) > 1
            said = answer_name
        else:
            said = found.verdict
        if count == 1:
            tally.excluded += len(found.excluded)
            tally.hypotheses += len(found.ranked)
        if count == 8:
            own = [r for r in found.ranked if r.hypothesis.name == name]
            tally.lost += bool(own) and all(r.excluded for r in own)
    return said


def _alike(
    bench: Bench, found: Any, chosen: list[int], texts: list[str], truth: list[NDArray[np.float64]], noise: Noise
) -> bool:
    """Whether the truth's own answers are those of the first class, to the digits that were printed."""
    for k, (index, text) in enumerate(zip(chosen, texts, strict=True)):
        reading = bench.reading(index, text, noise)
        mine = reading.of({bench.model.name: truth[k]})
        theirs = np.asarray(found.ranked[0].expected[k])
        if len(theirs) != len(mine) or (np.abs(mine - theirs) > 2.1 * reading.seen.halves).any():
            return False
    return True


def run(name: str, seed: int, trials: int, images: int, only: str | None = None) -> dict[str, dict[str, Any]]:
    path = model_file(name)
    if path is None:
        raise SystemExit("rapidocr-onnxruntime is not installed: pip install -e .[bench]")
    started = time.process_time()
    pool = crops(images, seed)
    bench = Bench(name, pool, path)
    print(f"{FILES[name]}: {len(bench.hypotheses)} hypotheses, {images} crops, seed {seed}, "
          f"{time.process_time() - started:.0f} s CPU for their answers", flush=True)  # fmt: skip
    report: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        devices = {"float": bench.model, "other resizer": bench.model}
        if only in (None, "int8"):
            devices["int8"] = Model(quantized(path, bench.size, pool, Path(folder)), bench.size)
        for device, model in devices.items():
            if only is not None and device != only:
                continue
            report[device] = _device(bench, device, model, seed, trials)
    return report


def _pillow(image: U8, width: int, height: int, how: str = "bilinear") -> U8:
    return np.asarray(Image.fromarray(np.ascontiguousarray(image)).resize((width, height), Image.Resampling.BILINEAR))


def _device(bench: Bench, device: str, model: Model, seed: int, trials: int) -> dict[str, Any]:
    rng, tally = random.Random(seed), Tally()
    by: dict[str, Tally] = defaultdict(Tally)
    said: dict[str, Counter[str]] = defaultdict(Counter)
    plain = contracts.resized
    from tests.forensics import build as builder

    try:
        if device == "other resizer":
            builder.resized = _pillow  # type: ignore[assignment]
        for name in (AS_PLANNED, *NAMES):
            if name in SKIP:
                continue
            for _ in range(trials):
                chosen = rng.sample(range(1, len(bench.pool)), 8)
                options: list[tuple[Fault | None, ...]] = [(None,) * 8]
                if name != AS_PLANNED:
                    options = list(zip(*(singles(name, bench.contract, bench.pool[i]) for i in chosen), strict=False))
                for faults in options:
                    own = Tally()
                    word = trial(bench, model, list(faults), chosen, QUANTIZED if device == "int8" else FLOAT, own)
                    said[name][word] += 1
                    for t in (tally, by[name]):
                        _add(t, own)
    finally:
        builder.resized = plain
    return _print(device, tally, by, said)


def _add(to: Tally, one: Tally) -> None:
    to.trials += one.trials
    to.excluded += one.excluded
    to.hypotheses += one.hypotheses
    to.lost += one.lost
    to.tie += one.tie
    for key in ("first", "strict", "named", "wrong", "unexplained"):
        getattr(to, key).update(getattr(one, key))


def _print(device: str, tally: Tally, by: dict[str, Tally], said: dict[str, Counter[str]]) -> dict[str, Any]:
    n = tally.trials
    result = {
        "trials": n, "excluded by one image": round(100 * tally.excluded / max(1, tally.hypotheses), 1),
        **{f"first with {k}": round(100 * tally.first[k] / n, 1) for k in (1, 2, 8)},
        **{f"first by name with {k}": round(100 * tally.strict[k] / n, 1) for k in (1, 2, 8)},
        "named with 8": round(100 * tally.named[8] / n, 1), "of these wrong": round(100 * tally.wrong[8] / max(1, tally.named[8]), 1),
        "named with 1": round(100 * tally.named[1] / n, 1), "of those wrong": round(100 * tally.wrong[1] / max(1, tally.named[1]), 1),
        "right one excluded with 8": round(100 * tally.lost / n, 1), "not explained with 8": round(100 * tally.unexplained[8] / n, 1),
        "names on a tie": tally.tie,
    }  # fmt: skip
    print(f"\n{device}: " + ", ".join(f"{k} {v}" for k, v in result.items()), flush=True)
    for name, t in by.items():
        words = ", ".join(f"{w} {c}" for w, c in said[name].most_common(4))
        print(
            f"  {name:32} first {t.first[8]}/{t.trials} excluded {100 * t.excluded / max(1, t.hypotheses):.0f} %  {words}"
        )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--model", choices=tuple(FILES), default="cls")
    parser.add_argument("--device", default=None)
    parser.add_argument("--keep", default=None, help="write the figures there as JSON")
    given = parser.parse_args()
    report = run(given.model, given.seed, given.trials, given.images, given.device)
    if given.keep:
        import json

        Path(given.keep).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
