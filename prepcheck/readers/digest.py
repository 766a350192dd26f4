"""The SHA-256 of a file, streamed."""

from __future__ import annotations

import os
from typing import Final

from prepcheck.wire.source import Source

_CHUNK: Final = 1 << 20


def sha256(path: str | os.PathLike[str], limit: int | None = None) -> str | None:
    """Hex digest of a file's bytes; None where it is larger than `limit` bytes (None: no limit).

    Raises NotFoundError and ReadError as `Source` does. Memory: 1 MiB. Time: 3.6 s for 1 GiB on a machine without SHA
    instructions (measured once, two busy cores); whoever promises to be quick gives a `limit`.
    """
    import hashlib

    digest = hashlib.sha256()
    with Source.open(path, max_total=1 << 62) as source:
        if limit is not None and source.size > limit:
            return None
        for at in range(0, source.size, _CHUNK):
            digest.update(source.read(at, min(_CHUNK, source.size - at)))
    return digest.hexdigest()
