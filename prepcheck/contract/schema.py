"""JSON Schemas of the documents, generated from the models: `python -m prepcheck.contract.schema` rewrites schemas/."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel

from prepcheck.contract.contract import Contract
from prepcheck.contract.plan import Plan
from prepcheck.contract.report import Report

MODELS: dict[str, type[BaseModel]] = {"contract": Contract, "plan": Plan, "report": Report}


def schema(name: str) -> str:
    """The JSON Schema (2020-12) of `contract`, `plan` or `report`, as text with sorted keys."""
    body = MODELS[name].model_json_schema(by_alias=True)
    body = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"prepcheck/{name}.schema.json", **body}
    if name == "plan":
        body.setdefault("required", ["prepcheck"])
    return json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def write(folder: Path) -> None:
    """Write all schemas into a folder."""
    for name in MODELS:
        (folder / f"{name}.schema.json").write_text(schema(name), encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).resolve().parents[2] / "schemas")
