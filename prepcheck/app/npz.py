"""Arrays as one .npz in memory: what is handed to a child process that runs a model."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def packed(arrays: Mapping[str, NDArray[np.generic]]) -> bytes:
    """An .npz whose members are `i:NAME`, C order, not compressed; the same bytes for the same arrays.

    Member by member, not by np.savez(**arrays): any name of a tensor is a name here, also one that is a parameter there.
    """
    import numpy as np

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"i:{name}.npy")  # of 1980: no clock
            with archive.open(member, "w", force_zip64=True) as file:
                np.save(file, np.asarray(array, order="C"), allow_pickle=False)
    return stream.getvalue()


def unpacked(data: bytes) -> dict[str, NDArray[np.generic]]:
    """The members of an .npz by their names."""
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}
