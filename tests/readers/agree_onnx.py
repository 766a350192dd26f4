"""Every model.onnx below a folder, read by us and by the onnx package: names, types and shapes of inputs and outputs.

python -m tests.readers.agree_onnx [FOLDER]     # default: the backend tests that the installed onnx package brings
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.readers.test_onnx import agrees


def main() -> None:
    """Print how many files and tensors were compared, and the first that differ."""
    import onnx

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(onnx.__file__).parent / "backend" / "test" / "data"
    files = tensors = 0
    wrong: list[str] = []
    for path in sorted(folder.rglob("model.onnx")):
        try:
            tensors += agrees(onnx, path)
        except AssertionError as error:
            wrong.append(f"{path}: {str(error)[:200]}")
        files += 1
    print(
        f"onnx {onnx.__version__}: {files} files, {tensors} tensors alike, {len(wrong)} files differ",
        *wrong[:10],
        sep="\n",
    )


if __name__ == "__main__":
    main()
