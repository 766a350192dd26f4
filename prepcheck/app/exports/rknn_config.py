"""The mean and std that a .rknn carries, or that a plan's training asks for, as the arguments of rknn-toolkit2's config()."""

from __future__ import annotations

from prepcheck.app.worlds import Prepared
from prepcheck.errors import UsageError
from prepcheck.facts.path_values import trained_values
from prepcheck.facts.world import World

TITLE = "the config() call of rknn-toolkit2 that gives this normalisation"
NEEDS = "model or plan"


def export(prepared: Prepared) -> str:
    """Python lines: of the .rknn as it is, else (another model, or a plan alone) as `training` asks for.

    Raises UsageError where neither states mean and std.
    """
    world = prepared.world
    contract = world.contract
    if contract is not None and contract.runtime in ("rknn", "rknn1"):
        if any(t.mean is None or t.std is None for t in contract.inputs):
            raise UsageError("this model does not state mean and std for every input")
        means = [[round(v, 6) for v in t.mean or []] for t in contract.inputs]
        stds = [[round(v, 6) for v in t.std or []] for t in contract.inputs]
        swapped = contract.runtime == "rknn" and any(t.rgb2bgr for t in contract.inputs)
    else:
        means, stds = _trained(world)
        swapped = _color(world) == "BGR"
    platform = world.platform or "rk3588"
    lines = [
        "# mean_values and std_values are applied inside the model: value = (pixel - mean) / std, one list per input.",
        "rknn.config(",
        f"    mean_values={means},",
        f"    std_values={stds},",
        f"    target_platform={platform!r},",
    ]
    if swapped:
        lines.append("    quant_img_RGB2BGR=True,  # the calibration images only; nothing swaps at run time")
    return "\n".join([*lines, ")"]) + "\n"


def _trained(world: World) -> tuple[list[list[float]], list[list[float]]]:
    """(x - mean)/std in pixels, as training did, for the one picture input that a plan's training is about."""
    training = world.plan.model.training if world.plan is not None and world.plan.model is not None else None
    goal = trained_values(training) if training is not None and not isinstance(training, dict) else None
    if goal is None or 0.0 in goal.a:
        raise UsageError(
            "rknn-config is written for .rknn models, and for plans whose `training` states range, mean and std; this is neither"
        )
    means = [round(-b / a, 6) + 0.0 for a, b in zip(goal.a, goal.b, strict=True)]
    stds = [round(1 / a, 6) for a in goal.a]
    n = 3 if len(stds) == 1 and _color(world) in ("RGB", "BGR") else 1
    return [means * n if len(means) == 1 else means], [stds * n if len(stds) == 1 else stds]


def _color(world: World) -> str | None:
    training = world.plan.model.training if world.plan is not None and world.plan.model is not None else None
    return training.color if training is not None and not isinstance(training, dict) else None
