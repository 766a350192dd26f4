"""Correct combinations of models, plans, pictures, buffers and logs: none may give an error or a warning nobody explains.

    python -m tests.agreement.right --count 3200

Models are those of the tests; pictures of many sizes, kinds and formats; buffers are made here with OpenCV and numpy as a
correct program makes them; plans come from the generators of right plans (host, RKNN, RGA); logs are the harmless lines.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from prepcheck.app.explain import Question, explain
from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.contract import Contract
from prepcheck.contract.plan import Plan
from prepcheck.contract.report import Report
from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.readers.model import read_model

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "data" / "models"
EXPLAINED = {
    "QT003": "the test model whose calibration is too narrow by design",
    "IM": "what the picture's file itself is: turned by EXIF, animated, with an alpha channel, 16 bits deep",
    "RS": "a picture of another shape than the input's is stretched",
    "CT": "what the model's own file says twice, or differently",
    "RG": "how fast or on which core the chip does it",
}
"""Rules or families whose warnings a right combination may have, and what they tell. Everything else is a false alarm."""
U8 = NDArray[np.uint8]


def pictures(folder: Path, rng: random.Random) -> Iterator[Path]:
    """Files with a scene of its own each: gradients, blocks and noise, in common kinds."""
    from PIL import Image

    for number in range(40):
        width, height = rng.choice(((36, 20), (72, 40), (128, 96), (97, 61), (640, 360), (33, 200)))
        y, x = np.mgrid[0:height, 0:width]
        noise = np.random.default_rng(number).integers(0, 40, (height, width, 3))
        planes = np.stack([x * 200 // width, y * 200 // height, (x // 8 + y // 8) % 2 * 150], axis=-1)
        picture = Image.fromarray((planes + noise).clip(0, 255).astype(np.uint8))
        mode, form = rng.choice(
            (
                ("RGB", "png"),
                ("RGB", "jpg"),
                ("RGB", "bmp"),
                ("L", "png"),
                ("RGBA", "png"),
                ("P", "gif"),
                ("RGB", "webp"),
                ("L", "jpg"),
            )
        )
        path = folder / f"scene{number}.{form}"
        picture.convert(mode).save(path)
        yield path


def right_bytes(contract: Contract, path: Path) -> bytes | None:
    """What a correct program hands over for a picture: Pillow, OpenCV's bilinear, uint8 NHWC in rows; None where it is no such input."""
    import cv2
    from PIL import Image

    tensor = contract.inputs[0]
    shape = tensor.shape or []
    if len(contract.inputs) != 1 or contract.runtime != "rknn" or tensor.layout != "NHWC" or len(shape) != 4:
        return None
    n, height, width, channels = shape
    if n != 1 or channels not in (1, 3) or tensor.dynamic or set(contract.platforms or ()) & set(ZERO_COPY_ONLY):
        return None
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("L" if channels == 1 else "RGB"))
    return np.ascontiguousarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR)).tobytes()


def combinations(count: int, seed: int, folder: Path) -> Iterator[tuple[str, Report]]:
    """(name, report): two thirds models with pictures, a part of them with buffers; a third plans."""
    rng = random.Random(seed)
    scenes = list(pictures(folder, rng))
    paths = [p for kind in ("rknn", "mnn") for p in sorted((MODELS / kind).iterdir()) if p.suffix in (".rknn", ".mnn")]
    models = [(p, read_model(p)) for p in paths]
    fed = [(p, c) for p, c in models if right_bytes(c, scenes[0]) is not None]
    for number in range(count * 2 // 3):
        if number % 6 == 0:
            path, contract = rng.choice(fed)
            scene = rng.choice(scenes)
            target = folder / "buffer.bin"
            target.write_bytes(right_bytes(contract, scene) or b"")
            yield (
                f"{path.name} {scene.name} buffer",
                validate(Request(model=path, images=[(None, scene)], buffers=[(None, target)])),
            )
        else:
            path, contract = rng.choice(models)
            scene = rng.choice(scenes)
            image = next((t for t in contract.inputs if len(t.shape or []) == 4), None)
            given = [] if image is None else [(image.name if len(contract.inputs) > 1 else None, scene)]
            if image is not None and image.shape and len(contract.inputs) == 1:
                given *= max(1, image.shape[0])  # a batch takes as many pictures
            yield f"{path.name} {scene.name}", validate(Request(model=path, images=given))
    yield from _plans(count - count * 2 // 3, seed)


def _plans(count: int, seed: int) -> Iterator[tuple[str, Report]]:
    from tests.plans.host_random import plan as host_plan
    from tests.plans.rknn_random import right_plan

    for number in range(count * 4 // 5):
        if number % 2:
            body = host_plan(random.Random(f"right {seed} {number}"))
        else:
            body = right_plan(seed * 100_000 + number)
        yield f"plan {number}", validate(Request(plan=Plan.model_validate({"prepcheck": "plan/v1", **body})))
    yield from _rga(count - count * 4 // 5)


def _rga(count: int) -> list[tuple[str, Report]]:
    """RGA plans are drawn by hypothesis."""
    from hypothesis import HealthCheck, given, settings

    from tests.plans import rga_random

    found: list[tuple[str, Report]] = []

    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(rga_random.rga_plans())
    def draw(body: dict[str, object]) -> None:
        found.append((f"rga {len(found)}", rga_random.judged(body)))

    draw()
    return found[:count]


def harmless() -> Iterator[tuple[str, Report]]:
    """Each line that the pattern tables call harmless, as a log of its own."""
    for path in sorted((ROOT / "prepcheck" / "data").glob("log_patterns_*.json")):
        loaded = json.loads(path.read_text(encoding="utf-8"))
        for pattern in loaded["patterns"] if isinstance(loaded, dict) else loaded:
            if pattern["label"] == "harmless" and "example" in pattern:
                yield f"log {pattern['id']}", explain(Question(texts=[("log", pattern["example"])]))


def alarms(report: Report) -> list[str]:
    """Errors, and warnings of families that nobody explains."""
    return [
        f"{f.rule} {f.severity} {f.where}: {f.message}"
        for f in report.findings
        if f.severity == "error" or (f.severity == "warning" and not {f.rule, f.rule[:2]} & set(EXPLAINED))
    ]


def main() -> int:
    """Draw, judge, tell; exit code 1 where there is a false alarm."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=3200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    start = time.process_time()
    wrong, total, warned, families = 0, 0, Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for source in (combinations(asked.count, asked.seed, Path(folder)), harmless()):
            for name, report in source:
                total += 1
                warned.update(f.rule for f in report.findings if f.severity == "warning")
                families.update({u.rule[:2] for u in report.unknown} | {f.rule[:2] for f in report.findings})
                families["passed"] += report.summary.passed
                for said in alarms(report):
                    wrong += 1
                    print(f"{name}: {said}"[:300])
    print(
        f"{total} right combinations, {families.pop('passed')} checks passed, {wrong} false alarms, {time.process_time() - start:.0f} s"
    )
    print("explained warnings:", ", ".join(f"{k} {v}" for k, v in warned.most_common()) or "none")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
