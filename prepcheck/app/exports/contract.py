"""The contract document itself (`prepcheck/contract/v1`), as JSON: for `diff`, for the guard, for version control."""

from __future__ import annotations

from prepcheck.app.worlds import Prepared
from prepcheck.errors import UsageError
from prepcheck.render.json_ import render

TITLE = "the contract document as JSON"
NEEDS = "model"


def export(prepared: Prepared) -> str:
    """The document with sorted keys."""
    contract = prepared.world.contract
    if contract is None:
        raise UsageError("there is no model")
    return render(contract)
