"""What each Python entry point takes: element types, contiguity, missing batch axis. Data with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prepcheck.guarding.compiled import CompiledContract


@dataclass(frozen=True, slots=True)
class Profile:
    """One entry point.

    dtypes: numpy names that an image input takes; None = exactly the contract's. contiguous: severity of a view that
    is not contiguous (`error`, `warning`, `free`). rank: severity of a missing batch axis. values: whether arrays are
    real values (pixels) that the runtime normalizes and quantizes itself.
    """

    name: str
    dtypes: frozenset[str] | None
    contiguous: str
    rank: str
    values: bool


_REAL = frozenset(("uint8", "int8", "int16", "float16", "float32"))

PROFILES = {
    # measured with the rknn-toolkit2 2.5.0 simulator: float64 and uint64 refused, views copied right, a missing batch
    # axis added with a W line; every type is taken as real values.
    "rknn-toolkit2": Profile(
        "rknn-toolkit2", _REAL | frozenset(("uint16", "uint32", "int32", "int64", "bool")), "free", "warning", True
    ),
    # rknn_lite.py of rknn-toolkit-lite2 2.5.0 (data_type: int8 uint8 int16 float16 float32);
    # airockchip/rknn_model_zoo#105, leafqycc/rknn-multi-threaded#14 (3 axes refused). Views: not documented.
    "rknn-toolkit-lite2": Profile("rknn-toolkit-lite2", _REAL, "warning", "error", False),
    # rknn-toolkit 1 user guide 1.7.5 §7.8: data_type describes the array, conversion follows.
    "rknn-toolkit": Profile("rknn-toolkit", _REAL, "free", "warning", False),
    # measured with MNN 3.6.1: a host tensor of another type is silently not copied; views are copied right.
    "mnn": Profile("mnn", None, "free", "error", False),
    # any other callable: what takes the pointer needs contiguous memory.
    "rknn": Profile("rknn", _REAL, "error", "error", False),
    # measured: onnxruntime 1.32 and ai-edge-litert 2.3 (views are copied right, another type or rank is refused)
    "onnxruntime": Profile("onnxruntime", None, "free", "error", False),
    "tensorflow-lite": Profile("tensorflow-lite", None, "free", "error", False),
    "generic": Profile("generic", None, "error", "error", False),
}


def profile_for(contract: CompiledContract, name: str | None = None) -> Profile:
    """The profile of an entry point by name, else the one for any callable that feeds the contract's runtime."""
    if name is not None:
        return PROFILES[name]
    if contract.runtime in ("rknn", "rknn1"):
        return PROFILES["rknn"]
    return PROFILES["mnn" if contract.runtime == "mnn" else "generic"]
