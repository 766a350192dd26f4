"""prepcheck: verify what goes into a neural network on a Rockchip NPU (RKNN) or in MNN, before the run.

Names are resolved on first use, so that a board with numpy alone can import the guard.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

_WHERE = {
    "CheckFailed": "prepcheck.errors",
    "Contract": "prepcheck.contract.contract",
    "ExitCode": "prepcheck.errors",
    "Finding": "prepcheck.contract.report",
    "Guard": "prepcheck.guarding.guard",
    "Plan": "prepcheck.contract.plan",
    "PrepcheckError": "prepcheck.errors",
    "Report": "prepcheck.contract.report",
    "SizeExplanation": "prepcheck.evidence.sizes",
    "explain": "prepcheck.app.api",
    "explain_size": "prepcheck.evidence.sizes",
    "guard": "prepcheck.guarding.proxies",
    "inspect": "prepcheck.app.api",
    "load": "prepcheck.app.api",
    "load_plan": "prepcheck.contract.loading",
    "record": "prepcheck.guarding.tracing",
    "validate": "prepcheck.app.api",
}

__version__ = "0.1.0"

if TYPE_CHECKING:
    from prepcheck.app.api import explain, inspect, load, validate
    from prepcheck.contract.contract import Contract
    from prepcheck.contract.loading import load_plan
    from prepcheck.contract.plan import Plan
    from prepcheck.contract.report import Finding, Report
    from prepcheck.errors import CheckFailed, ExitCode, PrepcheckError
    from prepcheck.evidence.sizes import SizeExplanation, explain_size
    from prepcheck.guarding.guard import Guard
    from prepcheck.guarding.proxies import guard
    from prepcheck.guarding.tracing import record

__all__ = [
    "CheckFailed",
    "Contract",
    "ExitCode",
    "Finding",
    "Guard",
    "Plan",
    "PrepcheckError",
    "Report",
    "SizeExplanation",
    "explain",
    "explain_size",
    "guard",
    "inspect",
    "load",
    "load_plan",
    "record",
    "validate",
]


def __getattr__(name: str) -> object:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module 'prepcheck' has no attribute {name!r}")
    value = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
