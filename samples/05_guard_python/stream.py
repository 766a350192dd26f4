"""Any callable, guarded by one decorator; the frame tells a stale buffer from a still scene.

    python stream.py

No runtime is needed: `infer` stands for whatever takes your array.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import prepcheck as pc

HERE = Path(__file__).resolve().parent
guard = pc.Guard(pc.load(HERE / "plain.mnn"))


@guard.wrap("array", frame="frame")
def infer(array: Any, frame: Any) -> Any:
    """Your call."""
    return array.mean(axis=(2, 3))


def main() -> None:
    """A still scene is no fault; a buffer that stays while the frame changes is one."""
    random = np.random.default_rng(0)
    scene = random.integers(0, 256, (16, 20, 3), dtype=np.uint8)
    array = np.ascontiguousarray(scene[::2, ::2].transpose(2, 0, 1)[None]).astype(np.float32)
    for _ in range(100):
        infer(array, frame=scene)
    print("100 times the same scene: nothing to say")
    try:
        infer(array, frame=random.integers(0, 256, (16, 20, 3), dtype=np.uint8))
    except pc.CheckFailed as stopped:
        print(stopped)
    print(guard.stats()["findings"])


if __name__ == "__main__":
    main()
