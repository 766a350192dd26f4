"""Another project's preprocessing file → the text of a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from prepcheck.importers.choosing import kinds, read_foreign
from prepcheck.importers.document import Plain
from prepcheck.importers.imported import Imported

PathLike = str | os.PathLike[str]


def import_plan(
    path: PathLike, kind: str | None = None, *, model: PathLike | None = None, folder: Path | None = None
) -> Imported:
    """What a foreign file says, as a plan. kind: a key of `kinds()`; None = told by the content.

    model: completes the plan with the hand-over to this model, and settles who normalises (see `app.completing`).
    folder: where the plan will lie (None: the current folder); a model inside it is named in the plan.
    Raises PrepcheckError with the place of what is wrong.
    """
    found = read_foreign(path, kind)
    if model is None:
        return found
    from prepcheck.app.completing import complete
    from prepcheck.readers.model import read_model

    whole = with_model(complete(found.plan, read_model(model)), model, folder)
    unknown = [u for u in found.unknown if not u.startswith("who ")]
    return replace(found, plan=cast("dict[str, Plain]", whole), unknown=unknown)


def with_model(plan: dict[str, object], model: PathLike, folder: Path | None) -> dict[str, object]:
    """The plan with the model's path below its folder; without one where the model lies elsewhere (then MODEL is given)."""
    from prepcheck.app.init import place

    where = place(Path(model), folder)
    body = plan.get("model")
    named = {"file": where} if where is not None else {}
    return {**plan, "model": {**named, **(body if isinstance(body, Mapping) else {})}}


def ready_plan(name: str, model: PathLike, folder: Path | None) -> str:
    """A ready plan completed for a model, as text to edit. Raises NotFoundError for a name that none has."""
    from prepcheck.app import ready
    from prepcheck.app.completing import complete
    from prepcheck.contract.loading import plan_from_text
    from prepcheck.importers.imported import write
    from prepcheck.readers.model import read_model

    whole = with_model(complete(ready.document(name), read_model(model)), model, folder)
    text = write(cast("dict[str, Plain]", whole), doubts=[], unknown=[], remarks=ready.comments(name))
    plan_from_text(text, name)
    return text


__all__ = ["Imported", "import_plan", "kinds", "ready_plan"]
