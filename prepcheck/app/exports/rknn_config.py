"""The mean and std that a .rknn carries, as the arguments of rknn-toolkit2's config() that put them there."""

from __future__ import annotations

from prepcheck.app.worlds import Prepared
from prepcheck.errors import UsageError

TITLE = "the config() call of rknn-toolkit2 that gives this normalisation"
NEEDS = "model"


def export(prepared: Prepared) -> str:
    """Python lines. Raises UsageError for a model without stated mean and std."""
    contract = prepared.world.contract
    if contract is None or contract.runtime not in ("rknn", "rknn1"):
        raise UsageError("rknn-config is written for .rknn models; another runtime normalises nothing by itself")
    if any(t.mean is None or t.std is None for t in contract.inputs):
        raise UsageError("this model does not state mean and std for every input")
    means = [[round(v, 6) for v in t.mean or []] for t in contract.inputs]
    stds = [[round(v, 6) for v in t.std or []] for t in contract.inputs]
    platform = prepared.world.platform or "rk3588"
    lines = [
        "# mean_values and std_values are applied inside the model: value = (pixel - mean) / std, one list per input.",
        "rknn.config(",
        f"    mean_values={means},",
        f"    std_values={stds},",
        f"    target_platform={platform!r},",
    ]
    if any(t.rgb2bgr for t in contract.inputs) and contract.runtime == "rknn":
        lines.append("    quant_img_RGB2BGR=True,  # the calibration images only; nothing swaps at run time")
    return "\n".join([*lines, ")"]) + "\n"
