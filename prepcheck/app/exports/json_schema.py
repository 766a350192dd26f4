"""A JSON Schema of one input array's description, for programs that announce what they hand over.

An object `{input name: {shape, dtype, layout}}` passes exactly where it is what the recommended call takes.
"""

from __future__ import annotations

import json

from prepcheck.app.handover import hand_overs
from prepcheck.app.worlds import Prepared
from prepcheck.errors import UsageError

TITLE = "a JSON Schema of what has to be handed over, per input"
NEEDS = "model"


def export(prepared: Prepared) -> str:
    """The schema (2020-12)."""
    contract = prepared.world.contract
    if contract is None:
        raise UsageError("there is no model")
    properties: dict[str, object] = {}
    for hand in hand_overs(contract, prepared.world.platform):
        keys: dict[str, object] = {}
        for key, value in (
            ("shape", hand.shape),
            ("dtype", hand.dtype),
            ("layout", hand.layout),
            ("bytes", hand.bytes),
        ):
            if value is not None:
                keys[key] = {"const": value}
        properties[hand.input] = {
            "type": "object",
            "description": hand.sentence,
            "properties": keys,
            "required": [k for k in ("shape", "dtype") if k in keys],
        }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "what the model takes",
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }
    return json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
