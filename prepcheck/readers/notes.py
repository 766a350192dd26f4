"""What a reader notices in a file and puts into `Contract.notes`; rules of family CT turn it into findings.

`KINDS` is the closed table: kind → what it means and which values it carries. `input` (or `output`) is the index of the
tensor, `name` its name. Shapes are in the order in which the file has them unless it says "reported".
"""

from __future__ import annotations

from typing import Final

from prepcheck.contract.contract import Note

NoteValue = int | float | str | bool | None | list[int] | list[str]

KINDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    # --- the container -------------------------------------------------------------------------------------------
    "trailing_bytes": (
        "Bytes follow the JSON part. Harmless, but export_rknn writes none: the file was appended to or is two files.",
        ("bytes", "offset"),
    ),
    "unknown_container_version": (
        "A container version that was never seen; the file parsed by the rules of the versions around it.",
        ("version",),
    ),
    "mini_config_encoded": (
        "A mini container with a low version byte under 4: its configuration is encoded. Names, shapes and the target come "
        "from the JSON part; zero point, scale, mean and std are unknown (inferred: no such file was at hand).",
        ("version",),
    ),
    "generator_unreadable": (
        "The generator text does not parse; calibration range, rgb2bgr and the original types are unknown.",
        ("reason",),
    ),
    "reported_layout_unreadable": (
        "The JSON that states layout and type as rknn_query reports them does not parse; rules took its place.",
        ("side",),  # "inputs" or "outputs"
    ),
    # --- the target ----------------------------------------------------------------------------------------------
    "platform_disagrees": (
        "The NPU tag of the compiled graph and the target platform named in the file are different chips. The runtime goes "
        "by the tag; `platforms` of the contract does too.",
        ("tag", "tag_platforms", "target"),
    ),
    "unknown_npu_tag": (
        "An NPU tag that is not known; `platforms` is the target that the file names.",
        ("tag", "target"),
    ),
    "dynamic_on_mini": (
        "A model with dynamic shapes for a chip that runs mini containers only: the toolkit wrote a full container, which "
        "its runtime refuses (`incompatible model version: 6`).",
        ("platform", "version", "shapes"),
    ),
    "full_on_mini": (
        "A full container for a chip that runs mini containers only: its runtime refuses it.",
        ("platform", "version"),
    ),
    # --- an input or output --------------------------------------------------------------------------------------
    "nhwc_origin": (
        "The original network's input looks like NHWC already, and the converter took it for NCHW: the reported shape has "
        "its axes permuted once too often. dims: original network; reported: rknn_query.",
        ("input", "name", "dims", "reported"),
    ),
    "mean_on_vector_input": (
        "mean/std other than 0/1 on an input that is not 4-D: the runtime applies them, calibration did not.",
        ("input", "name", "dims"),
    ),
    "mean_list_short": (
        "Fewer means or stds than channels, and they are not all alike.",
        ("input", "name", "channels", "means", "stds"),
    ),
    "calibrated_bgr": (
        "RKNN2: calibration swapped R and B (quant_img_RGB2BGR), so means are in BGR order and the network wants BGR. "
        "Nothing swaps at run time: the application has to hand over BGR. (RKNN1's `reorder` is different: there the "
        "runtime swaps, and no note is made.)",
        ("input", "name"),
    ),
    "unknown_reorder": ("RKNN1: `reorder` is neither 0,1,2 nor 2,1,0.", ("input", "name", "reorder")),
    "too_many_dims": (
        "More than 5 dimensions: librknnrt 1.5.2 reports four wrong ones; nothing it says about the tensor can be trusted.",
        ("input", "name", "dims"),
    ),
    "yuv_inputs": (
        "One image goes in as two inputs, luma and interleaved chroma (inputs_yuv_fmt). NV12 or NV21, matrix and range are "
        "not in the file. size: width and height in pixels.",
        ("y", "uv", "size"),
    ),
    "name_breaks_runtime": (
        "The input's name holds a quote or a backslash: librknnrt 1.5.2 aborts in rknn_query for such models.",
        ("input", "name", "characters"),
    ),
    "reported_dtype_differs": (
        "rknn_query reports another type than the tensor is stored in (files of toolkit 1.1; BOOL inputs are not noted). "
        "Scale and zero point belong to the stored type (`native.dtype`).",
        ("input", "output", "name", "reported", "stored"),
    ),
    "zero_scale": (
        "A scale of 0: the tensor was constant in calibration. The contract's scale is null.",
        ("input", "output", "name"),
    ),
    "size_slack": (
        "The file's bytes with stride are more than rows, stride and channels make: never divide them to get the stride.",
        ("input", "name", "stored", "computed"),
    ),
    "size_short": (
        "The file's bytes with stride are fewer than rows, stride and channels make.",
        ("input", "name", "stored", "computed"),
    ),
    "json_disagrees": (
        "The JSON part names another thing than the compiled graph (which the runtime goes by). field: `name` or `dims`.",
        ("input", "field", "graph", "json"),
    ),
}


def note(kind: str, **values: NoteValue) -> Note:
    """A note of a listed kind with listed values. Raises KeyError or ValueError where they are not (a fault of ours)."""
    known = KINDS[kind][1]
    unknown = [key for key in values if key not in known]
    if unknown:
        raise ValueError(f"note {kind} has no value {unknown[0]}; it has {', '.join(known)}")
    return Note(kind=kind, values=values)
