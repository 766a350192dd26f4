"""Run by every Python from 3.7 on: a program on a board that uses the single-file guard. No prepcheck, no third package."""

import json
import sys
from os.path import join

import numpy as np

FOLDER = sys.argv[1]
sys.path.insert(0, FOLDER)

import model_guard  # noqa: E402


class RKNNLite:
    def inference(self, inputs, data_type=None, data_format=None, inputs_pass_through=None, get_frame_id=False):
        flat = np.asarray(inputs[0], np.float64).ravel()
        return [np.array([[flat.sum(), flat[::2].sum(), flat[::3].sum()]], np.float32)]


def run(case, arrays):
    """The rule that stopped the last call; None where none did."""
    guarded = model_guard.guard(RKNNLite())
    for row in case["calls"]:
        call = {k: v for k, v in row.items() if k not in ("inputs", "bare", "frame")}
        if "frame" in row:
            guarded.frame(arrays[row["frame"]])
        if "bare" in row:
            inputs = arrays[row["bare"]]
        else:
            inputs = [None if name is None else arrays[name] for name in row["inputs"]]
        last = row is case["calls"][-1]
        try:
            guarded.inference(inputs=inputs, **call)
        except model_guard.CheckFailed as error:
            return error.report.findings[0].rule if last else "too early: " + str(error)
    return None


with open(join(FOLDER, "plan.json")) as file:
    CASES = json.load(file)
BAD = []
for k, case in enumerate(CASES):
    with np.load(join(FOLDER, f"{k}.npz")) as arrays:
        found = run(case, arrays)
    if found != case["rule"]:
        BAD.append((case["name"], case["rule"], found))
foreign = sorted(name for name in sys.modules if name.split(".")[0] in ("prepcheck", "pydantic"))
print(BAD or foreign or f"ok {len(CASES)}")
sys.exit(1 if BAD or foreign else 0)
