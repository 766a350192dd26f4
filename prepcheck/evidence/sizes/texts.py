"""What readings say: templates with named places (keys of the translation catalogs), by kind of fault."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """Category of the interface, message and fix of one kind of fault."""

    category: str
    message: str
    fix: str


DYNAMIC_SHAPE = "Shape {shape} has a dynamic axis and fixes no number of bytes; it was set aside."
PART_BYTES = "An element of {dtype} has {bits} bits, no whole number of bytes; the type was set aside."
SHAPE_UNFIT = "Neither {got} nor {want} agrees with shape {shape}; the readings below do without it."
DTYPE_UNFIT = "No reading agrees with the element type {dtype}; the readings below do without it."
PLATFORM_UNFIT = "No reading agrees with platform {platform}; the readings below are those of other platforms."
NOTHING_FITS = "No reading makes {got} and {want} equal: neither batch, element type, channels, padding, planes, an axis, another size nor a header explains them."

TEXTS: dict[str, Text] = {
    "dtype": Text(
        "dtype",
        "Element width: {given_bytes} byte(s) an element are given ({given_types}), {wanted_bytes} are counted ({wanted_types}).",
        "Let the bytes and the declared type agree: hand over {wanted_types}, or declare the type that the buffer holds.",
    ),
    "dtype_unset": Text(
        "dtype",
        "Element width: {want} bytes are counted with {wanted_bytes} bytes an element ({wanted_types}), the buffer has {given_bytes} ({given_types}). In rknn_inputs_set the declared type counts, and a type field left at 0 is FLOAT32.",
        "Set the type of the input to what the buffer holds (inputs[i].type = RKNN_TENSOR_UINT8 for pixels), or hand over {wanted_types}.",
    ),
    "dtype_wide": Text(
        "dtype",
        "Element width: {given_bytes} bytes an element are given ({given_types}; numpy's default for real numbers is float64), {wanted_bytes} are wanted ({wanted_types}).",
        "Convert the array before it is handed over: array.astype('{wanted_type}').",
    ),
    "batch": Text(
        "batch",
        "Batch: the model was built for a batch of {batch}, and {given_items} item(s) are given; one item is {item} bytes.",
        "Build with batch 1, or give {batch} images.",
    ),
    "batch_calibration": Text(
        "batch",
        "Batch: the model was built for a batch of {batch}, and {given_items} item(s) are given; one item is {item} bytes. 100 is the default batch_size of rknn-toolkit 1's config(): it is meant for calibration, and hybrid quantization can leave it in the model.",
        "Build with batch 1 (batch_size=1 in config() before hybrid quantization), or give {batch} images.",
    ),
    "batch_mnn": Text(
        "batch",
        "Batch: the tensor holds a batch of {batch}, and {given_items} item(s) are given; one item is {item} bytes.",
        "Resize the input to batch 1 (resizeTensor, then resizeSession), or give {batch} images.",
    ),
    "batch_reverse": Text(
        "batch",
        "Batch: {given_items} items are given to a model of batch {batch}; one item is {item} bytes.",
        "Hand over one item a call, or build the model with a batch of {given_items}.",
    ),
    "channels": Text(
        "size",
        "Channels: {given_channels} channel(s) are given ({given_name}), {wanted_channels} are wanted ({wanted_name}).",
        "Convert {given_name} to {wanted_name} before the buffer is handed over.",
    ),
    "nc4hw4_pack": Text(
        "layout",
        "NC4HW4: the tensor stores channels in blocks of four ({channels} become {padded_channels}), the buffer is plain.",
        "Do not write the packed memory by hand: fill a host tensor of the plain layout and let copyFromHostTensor (copyFrom) convert it.",
    ),
    "nc4hw4_unpack": Text(
        "layout",
        "NC4HW4: the {got} counted are the packed tensor, {channels} channels padded to {padded_channels}; the plain data are {want}.",
        "Read or write through a host tensor (copyToHostTensor, copyFromHostTensor) of the plain layout; take the length from the shape, not from size() or getData().",
    ),
    "nc1hwc2_pack": Text(
        "zero_copy",
        "NC1HWC2: the NPU's memory holds {channels} channels as {blocks} blocks of {block} ({padded_channels} channels), the buffer is plain.",
        "Size the memory by the NATIVE attribute (size_with_stride), and pack the channels in blocks of {block}; or let the runtime convert (pass_through 0, the plain attribute).",
    ),
    "nc1hwc2_unpack": Text(
        "zero_copy",
        "NC1HWC2: the buffer is in the NPU's own layout ({channels} channels as {blocks} blocks of {block}), plain bytes are wanted.",
        "Use the size of the plain attribute (RKNN_QUERY_INPUT_ATTR, RKNN_QUERY_OUTPUT_ATTR) for this call.",
    ),
    "row_stride_pack": Text(
        "stride",
        "Row pitch: rows of {width} pixels lie {pitch} pixels apart where they are read, the buffer has them tight.",
        "Allocate size_with_stride bytes ({want}) and copy row by row, {pitch} pixels apart; or use the call that takes tight rows.",
    ),
    "row_stride_unpack": Text(
        "stride",
        "Row pitch: the buffer has rows of {width} pixels {pitch} pixels apart, tight rows are wanted.",
        "Copy row by row without the padding, or pass the pitch ({pitch} pixels) to the call that reads it.",
    ),
    "pitch_pack": Text(
        "stride",
        "Row pitch: rows of {width} pixels lie {pitch} pixels apart where they are counted, the buffer has them tight.",
        "Allocate {pitch} pixels a row ({want} bytes) and write with that pitch, or pass the tight width as the stride.",
    ),
    "pitch_unpack": Text(
        "stride",
        "Row pitch: the buffer has rows of {width} pixels {pitch} pixels apart, tight rows are wanted.",
        "Copy row by row without the padding, or pass the pitch ({pitch} pixels: wstride, hor_stride) to the call that reads it.",
    ),
    "height_align_pack": Text(
        "stride",
        "Plane height: {height} rows are given, {rows} are wanted (planes aligned in height, as decoders have them).",
        "Allocate for {rows} rows and pass the aligned height (ver_stride, hstride) along.",
    ),
    "height_align_unpack": Text(
        "stride",
        "Plane height: the buffer has {rows} rows a plane, {height} are wanted.",
        "Pass the aligned height ({rows}: ver_stride, hstride) to whatever reads the buffer, and crop to {height} rows.",
    ),
    "yuv": Text(
        "color_space",
        "Planes: {width}x{height} in {given_format} is given, {width}x{height} in {wanted_format} is wanted.",
        "Convert {given_format} to {wanted_format} first, or allocate for the format that is really used.",
    ),
    "axis_short": Text(
        "size",
        "One axis: axis {axis} has {given_length} where {wanted_length} is wanted.",
        "Give {wanted_length} on axis {axis} (pad or cut), or export the model for {given_length}.",
    ),
    "axis_free": Text(
        "size",
        "One axis: {given_length} where {wanted_length} is wanted (a shape would say which axis).",
        "Give {wanted_length} on that axis (pad or cut), or export the model for {given_length}.",
    ),
    "other_map": Text(
        "size",
        "Another size: {got} and {want} are as {given_width}² and {wanted_width}² (ratio {ratio}), as for a network that is fixed to one size and fed another, both sides in this ratio.",
        "Feed the size that the model was exported for, or export it with dynamic height and width.",
    ),
    "other_size": Text(
        "size",
        "Another size: {given_width}x{given_height} is given, {wanted_width}x{wanted_height} is wanted (width x height); {ratio} times the bytes.",
        "Resize to {wanted_width}x{wanted_height}, or use the model that was made for {given_width}x{given_height}.",
    ),
    "frame": Text(
        "size",
        "Frame not resized: {got} bytes are a picture of {given_width}x{given_height} in {format}, the model wants {wanted_width}x{wanted_height}.",
        "Resize (and convert) the frame to {wanted_width}x{wanted_height} before it is handed over.",
    ),
    "frame_other": Text(
        "size",
        "Frame not resized: {got} bytes are {pixels} pixels in {format}, {given_width}x{given_height} for instance; the model wants {wanted_width}x{wanted_height}.",
        "Resize (and convert) the frame to {wanted_width}x{wanted_height} before it is handed over.",
    ),
    "header": Text(
        "size",
        "Header: {header} bytes more than wanted, the length of {file}; the file's bytes were read instead of its content.",
        "Load the file with its own reader (numpy.load for .npy), or skip the first {header} bytes.",
    ),
    "encoded": Text(
        "image",
        "Encoded file: {got} obeys none of the equations of raw pixels for {want} bytes; a compressed picture (JPEG, PNG) has such a length.",
        "Decode the picture and hand over its pixels.",
    ),
    "struct": Text(
        "version",
        "Struct size: {got} and {want} are sizeof(rknn_tensor_attr) without and with its last field h_stride: the header that the program was compiled with and the library are of different versions. No buffer is wrong.",
        "Compile with the rknn_api.h that belongs to the librknnrt on the device.",
    ),
    "other_input": Text(
        "size",
        "Another input: {got} bytes are exactly what input '{name}' takes.",
        "Check the order of the inputs: the position in the array decides which input a buffer feeds, not the index field.",
    ),
    "axis_order": Text(
        "layout",
        "Equal counts hide the order of axes: {shape} as {stated} and {swapped} as {other} are both {elements} elements.",
        "Compare shapes, not sizes; transpose where the buffer is {other} and {stated} is wanted.",
    ),
    "transposed": Text(
        "layout",
        "Equal counts hide exchanged rows and columns: {height}x{width} and {width}x{height} are both {area} pixels.",
        "Check the order of width and height in the call that resizes (OpenCV and PIL take width first).",
    ),
    "sign": Text(
        "dtype",
        "Equal counts hide the sign: int8 and uint8 have one byte an element; pixels from 128 up read as signed become negative.",
        "Declare the type that the bytes have (UINT8 for pixels), or convert: int8 = pixel - 128 for zero point -128.",
    ),
    "rank": Text(
        "batch",
        "Equal counts hide the number of axes: {without} and {with_batch} are the same bytes, and RKNNLite refuses the first.",
        "Add the batch axis: array[None] (numpy.expand_dims(array, 0)).",
    ),
}
"""Kind of reading (and form of it) → text. Sources: RKNN runtime measured (rknn_inputs_set counts the declared type, 0 is
FLOAT32), rockchip-linux/rknn-toolkit#478 and #407 (calibration batch in the model), alibaba/MNN#799 (packed length),
airockchip/rknn_model_zoo#448 (native attribute), rockchip-linux/rknn-toolkit#440 (struct sizes)."""

CHANNEL_NAMES = {1: "grey", 3: "RGB", 4: "RGBA"}
WIDTH_TYPES = {1: "uint8 or int8", 2: "float16 or int16", 4: "float32 or int32", 8: "float64 or int64"}
WIDTH_TYPE = {1: "uint8", 2: "float16", 4: "float32", 8: "int64"}
HEADERS = {
    128: "a .npy header", 80: "an old .npy header", 192: "a long .npy header", 54: "a BMP header", 122: "a BMP V4 header",
    138: "a BMP V5 header", 1078: "a BMP header with palette", 44: "a WAV header", 13: "a PPM or PGM header",
    14: "a PPM or PGM header", 15: "a PPM or PGM header", 16: "a PPM or PGM header", 17: "a PPM or PGM header",
}  # fmt: skip
"""Bytes → what has a header of that length (numpy.lib.format, BITMAPINFOHEADER, netpbm, RIFF)."""
