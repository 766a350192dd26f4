"""An Ultralytics export folder as MODEL: the model in it, and the plan that its metadata.yaml gives."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.errors import NotFoundError, PrepcheckError, UsageError

if TYPE_CHECKING:
    from prepcheck.app.worlds import Request

MODELS = (".rknn", ".mnn", ".onnx", ".tflite")
METADATA = "metadata.yaml"


def opened(request: Request) -> Request:
    """The request with the folder's model, and its plan where none is given.

    Raises NotFoundError for a folder without a model, UsageError for one with several.
    """
    assert isinstance(request.model, (str, os.PathLike))
    folder = Path(request.model)
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in MODELS and p.is_file())
    if not found:
        raise NotFoundError(
            f"{folder} is a folder, and no {', '.join(MODELS)} lies in it: name a model file, or an export folder of Ultralytics"
        )
    if len(found) > 1:
        raise UsageError(
            f"{folder} holds {len(found)} models ({', '.join(p.name for p in found[:6])}): name one of them"
        )
    from prepcheck.app.worlds import plan_beside

    model = found[0]
    if request.plan is not None or plan_beside(model) is not None or not (folder / METADATA).is_file():
        return replace(request, model=model)
    from prepcheck.app.ready import completed
    from prepcheck.importers.choosing import read_foreign
    from prepcheck.readers.images import read_header
    from prepcheck.readers.model import read_model

    imported = read_foreign(folder / METADATA, "ultralytics")
    images = []
    for name, path in request.images:
        try:
            images.append(read_header(path, input_name=name))
        except PrepcheckError:  # an image that cannot be read is told where images are judged
            continue
    plan = completed(imported.document(), read_model(model), images, resize_library="opencv")
    return replace(request, model=model, plan=plan)
