"""Write the guard of a model as one file, and a saved input that it refuses.

python make_guard.py MODEL GUARD.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import prepcheck as pc
from prepcheck.guarding.py_guard import py_guard

model, target = sys.argv[1:3]
contract = pc.load(model)
Path(target).write_text(py_guard(contract, Path(model).name, Path(target).stem), encoding="utf-8")
shape = contract.inputs[0].shape or []
np.save("saved.npy", np.zeros(shape[1:], np.float32))  # the batch axis is missing
