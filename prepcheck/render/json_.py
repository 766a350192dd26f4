"""Report → one JSON document: sorted keys, UTF-8, no clock, NaN and infinities as strings."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel


def render(document: BaseModel) -> str:
    """The document as JSON text with a final newline."""
    return json.dumps(plain(document), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: object) -> object:
    """Models as plain values under their public keys. Faster than pydantic's own dump here: no serializer is built."""
    fields = getattr(type(value), "model_fields", None)
    if fields is not None:
        return {(field.alias or name): plain(getattr(value, name)) for name, field in fields.items()}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
