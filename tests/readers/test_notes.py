"""The closed table of notes: what each kind means and which values it carries, as rules and their authors rely on it."""

from __future__ import annotations

import pytest

from prepcheck.readers.notes import KINDS, note

TABLE: dict[str, tuple[str, str]] = {
    "trailing_bytes": (
        "Bytes follow the JSON part. Harmless, but export_rknn writes none: the file was appended to or is two files.",
        "bytes offset",
    ),
    "unknown_container_version": (
        "A container version that was never seen; the file parsed by the rules of the versions around it.",
        "version",
    ),
    "mini_config_encoded": (
        "A mini container with a low version byte under 4: its configuration is encoded. Names, shapes and "
        "the target come from the JSON part; zero point, scale, mean and std are unknown (inferred: no such "
        "file was at hand).",
        "version",
    ),
    "generator_unreadable": (
        "The generator text does not parse; calibration range, rgb2bgr and the original types are unknown.",
        "reason",
    ),
    "reported_layout_unreadable": (
        "The JSON that states layout and type as rknn_query reports them does not parse; rules took its place.",
        "side",
    ),
    "platform_disagrees": (
        "The NPU tag of the compiled graph and the target platform named in the file are different chips. The"
        " runtime goes by the tag; `platforms` of the contract does too.",
        "tag tag_platforms target",
    ),
    "unknown_npu_tag": (
        "An NPU tag that is not known; `platforms` is the target that the file names.",
        "tag target",
    ),
    "dynamic_on_mini": (
        "A model with dynamic shapes for a chip that runs mini containers only: the toolkit wrote a full "
        "container, which its runtime refuses (`incompatible model version: 6`).",
        "platform version shapes",
    ),
    "full_on_mini": (
        "A full container for a chip that runs mini containers only: its runtime refuses it.",
        "platform version",
    ),
    "nhwc_origin": (
        "The original network's input looks like NHWC already, and the converter took it for NCHW: the "
        "reported shape has its axes permuted once too often. dims: original network; reported: rknn_query.",
        "input name dims reported",
    ),
    "mean_on_vector_input": (
        "mean/std other than 0/1 on an input that is not 4-D: the runtime applies them, calibration did not.",
        "input name dims",
    ),
    "mean_list_short": (
        "Fewer means or stds than channels, and they are not all alike.",
        "input name channels means stds",
    ),
    "calibrated_bgr": (
        "RKNN2: calibration swapped R and B (quant_img_RGB2BGR), so means are in BGR order and the network "
        "wants BGR. Nothing swaps at run time: the application has to hand over BGR. (RKNN1's `reorder` is "
        "different: there the runtime swaps, and no note is made.)",
        "input name",
    ),
    "unknown_reorder": (
        "RKNN1: `reorder` is neither 0,1,2 nor 2,1,0.",
        "input name reorder",
    ),
    "too_many_dims": (
        "More than 5 dimensions: librknnrt 1.5.2 reports four wrong ones; nothing it says about the tensor "
        "can be trusted.",
        "input name dims",
    ),
    "yuv_inputs": (
        "One image goes in as two inputs, luma and interleaved chroma (inputs_yuv_fmt). NV12 or NV21, matrix "
        "and range are not in the file. size: width and height in pixels.",
        "y uv size",
    ),
    "name_breaks_runtime": (
        "The input's name holds a quote or a backslash: librknnrt 1.5.2 aborts in rknn_query for such models.",
        "input name characters",
    ),
    "reported_dtype_differs": (
        "rknn_query reports another type than the tensor is stored in (files of toolkit 1.1; BOOL inputs are "
        "not noted). Scale and zero point belong to the stored type (`native.dtype`).",
        "input output name reported stored",
    ),
    "zero_scale": (
        "A scale of 0: the tensor was constant in calibration. The contract's scale is null.",
        "input output name",
    ),
    "size_slack": (
        "The file's bytes with stride are more than rows, stride and channels make: never divide them to get "
        "the stride.",
        "input name stored computed",
    ),
    "size_short": (
        "The file's bytes with stride are fewer than rows, stride and channels make.",
        "input name stored computed",
    ),
    "json_disagrees": (
        "The JSON part names another thing than the compiled graph (which the runtime goes by). field: `name`"
        " or `dims`.",
        "input field graph json",
    ),
    "external_weight_missing": (
        "The weights lie in a file beside the model, and it is not there (not copied, or the model was "
        "renamed without it). MNN runs all the same, returns code 0 and garbage. candidates: .weight files in"
        " the folder that are long enough. operators: how many keep their numbers there.",
        "expected_file need_bytes operators candidates",
    ),
    "external_weight_short": (
        "The .weight file ends before the last weights: MNN prints nothing, returns code 0 and garbage. Sizes"
        " in bytes.",
        "expected_file have need missing_bytes operators",
    ),
    "external_weight_zero": (
        "The first weights in the .weight file (up to 64 KiB) are all zero bytes: it was reserved and never written.",
        "expected_file have need operators",
    ),
    "external_weight_unchecked": (
        "The model came as bytes, without a place on disk: it needs a .weight file of so many bytes.",
        "need_bytes operators",
    ),
    "static_model": (
        "Made with --saveStaticModel: shapes are frozen. resizeTensor is accepted, changes nothing, and the "
        "run returns 0.",
        "",
    ),
    "training_model": (
        "The file says it is for training (usage 1), not for inference.",
        "",
    ),
    "nhwc_dims_in_nchw": (
        "The file calls the layout NCHW (or NC4HW4), which only names the framework's default, but the axes "
        "are N, H, W, C: ImageProcess and Tensor(t, Tensorflow) misread them. transposed: whether the first "
        "operator that reads the input moves the last axis to place 1, which settles it.",
        "input name dims layout consumer transposed",
    ),
    "batch_minus_one": (
        "The first axis is -1, as old converters wrote it: MNN runs it as batch 1 without asking.",
        "input name dims",
    ),
    "mixed_layouts": (
        "The inputs have different layouts: with keepInputFormat=0 only inputs of image operators become NC4HW4.",
        "names layouts",
    ),
    "int64_source": (
        "The file says an element type that no session holds: MNN makes int32 of int64 and bool, float32 of "
        "float64. The contract's dtype is the session's, `source.dtype` the file's.",
        "input name stored session",
    ),
    "unknown_element_type": (
        "An element type without a name here; number: MNN's DataType.",
        "input name number",
    ),
    "input_without_parameters": (
        "An Input operator without dims, type and layout.",
        "input name",
    ),
    "activations_quantized": (
        "The model was calibrated to int8. Its input stays float32: hand over floats; codes beyond min..max "
        "are clipped.",
        "input name scale zero min max type",
    ),
    "appended_bytes": (
        "Bytes follow the model. MNN accepts them; the converter writes none.",
        "bytes offset",
    ),
    "onnx_external_missing": (
        "Weights lie in files beside the model, and some are not there: no runtime or converter can load it. "
        "tensors: how many weights lie outside.",
        "files tensors",
    ),
    "metadata_unreadable": (
        "The converter's metadata (extraInfo) does not parse.",
        "reason",
    ),
}
"""kind → its meaning, and the names of its values."""


def test_the_whole_table() -> None:
    """Kinds in the order of the parts of a file; a text or a value's name that changes is a change of what rules read."""
    assert {kind: (text, tuple(values.split())) for kind, (text, values) in TABLE.items()} == KINDS
    assert list(KINDS) == list(TABLE)
    for kind, (_, values) in TABLE.items():
        made = note(kind, **dict.fromkeys(values.split(), 1))
        assert (made.kind, made.values) == (kind, dict.fromkeys(values.split(), 1))


def test_values_that_are_not_listed_are_a_fault_of_ours() -> None:
    with pytest.raises(KeyError):
        note("no_such_note")
    with pytest.raises(ValueError, match=r"^note trailing_bytes has no value byte; it has bytes, offset$"):
        note("trailing_bytes", bytes=1, byte=3)
    with pytest.raises(ValueError, match=r"^note training_model has no value a; it has $"):
        note("training_model", a=1, b=2)
    assert note("trailing_bytes", offset=3).values == {"offset": 3}
