"""Another project's preprocessing file → the text of a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from prepcheck.importers.choosing import kinds, read_foreign
from prepcheck.importers.document import Plain
from prepcheck.importers.imported import Imported

PathLike = str | os.PathLike[str]


def import_plan(path: PathLike, kind: str | None = None, *, model: PathLike | None = None) -> Imported:
    """What a foreign file says, as a plan. kind: a key of `kinds()`; None = told by the content.

    model: completes the plan with the hand-over to this model, and settles who normalises (see `app.completing`).
    Raises PrepcheckError with the place of what is wrong.
    """
    found = read_foreign(path, kind)
    if model is None:
        return found
    from prepcheck.app.completing import complete
    from prepcheck.readers.model import read_model

    whole = complete(found.plan, read_model(model))
    place = os.path.basename(os.fspath(model))
    body = whole.get("model")
    whole["model"] = {"file": place, **(body if isinstance(body, Mapping) else {})}
    unknown = [u for u in found.unknown if not u.startswith("who ")]
    return replace(found, plan=cast("dict[str, Plain]", whole), unknown=unknown)


__all__ = ["Imported", "import_plan", "kinds"]
