"""The kinds of fault that a guard names in MNN's calls: sessions, tensors, ImageProcess, modules. Data only.

Measured with MNN 3.6.1 on x86-64 (pip wheel) unless said otherwise: none of these prints a message that names the cause,
most print nothing and return success.
"""

from __future__ import annotations

from prepcheck.guarding.finding import Kind

NEVER_WRITTEN = Kind(
    "GD040", "stale_buffer", "error",
    "input {name!r} was never written in this session",
    "MNN runs all the same (code 0) on whatever the memory held: values around 1e34 were seen.",
    "Copy the input in before runSession: session_tensor.copyFrom(host_tensor). {note}", "constant_buffer",
)  # fmt: skip
BEFORE_RESIZE = Kind(
    "GD041", "stale_buffer", "error",
    "input {name!r} was written before resizeSession and not again since",
    "resizeSession allocates anew; what was written before is lost, and the run returns 0.",
    "Write the input after resizeSession, through a tensor fetched again with getSessionInput.", "stale_buffer",
)  # fmt: skip
CONSUMED = Kind(
    "GD042", "stale_buffer", "error",
    "input {name!r} was not written again since the last run",
    "MNN reuses the memory of an input for later layers: after a run it holds something else, so the same session gives another answer "
    "the second time (0.5209 became 0.3061 in the measured case).",
    "Copy every input in before every runSession, also those that do not change (templates, masks).", "stale_buffer",
)  # fmt: skip
NOT_RESIZED = Kind(
    "GD043", "session_config", "error",
    "resizeTensor({shape}) was called and resizeSession was not: {action}",
    "Until resizeSession the session's memory has the old size: a copy of the new size writes past its end, and a run returns 3 "
    "(\"Can't run session because not resized\").",
    "Call resizeSession(session) after resizeTensor, then fetch the input again and write it.",
)  # fmt: skip
COPY_DTYPE = Kind(
    "GD044", "dtype", "error",
    "a host tensor of {got} is copied into an input of {want}",
    "copyFrom prints \"Input type not match session's tensor\", returns True and copies nothing: the net runs on old memory.",
    "Make the host tensor with the input's type: array.astype(numpy.{want}) and the matching MNN.Halide_Type.",
)  # fmt: skip
COPY_BIGGER = Kind(
    "GD045", "size", "error",
    "a host tensor of {got} ({got_elements} elements) is copied into an input of {want} ({want_elements} elements)",
    "copyFrom does not compare shapes: {got_elements} - {want_elements} = {excess} elements too many are written past the end of the input. "
    "The heap is damaged; the process crashes here or later.",
    "Resize the picture to {want}, or call resizeTensor and resizeSession first.",
)  # fmt: skip
COPY_SMALLER = Kind(
    "GD046", "size", "error",
    "a host tensor of {got} ({got_elements} elements) is copied into an input of {want} ({want_elements} elements)",
    "copyFrom does not compare shapes and returns True: what the {got_elements} elements do not fill stays undefined.",
    "Hand over exactly {want}.", "partial_fill",
)  # fmt: skip
COPY_SHAPE = Kind(
    "GD047", "layout", "error",
    "a host tensor of {got} declared {declared} is copied into an input of {want}",
    "Both hold {got_elements} elements, so nothing is reported, and the values land in other places: {looks}.",
    "Give the host tensor the shape {want} with Tensor_DimensionType_Caffe (channels first), or {want_nhwc} with "
    "Tensor_DimensionType_Tensorflow (channels last).",
)  # fmt: skip
COPY_REFUSED = Kind(
    "GD048", "memory", "error",
    "copyFrom returned False: nothing was copied into input {name!r}",
    "MNN refuses a source without memory and an input that is not allocated yet (a dynamic shape before resizeSession).",
    "Resize first where the shape is dynamic; copy from a tensor that was made with data.",
)  # fmt: skip
COPY_LOST = Kind(
    "GD049", "memory", "error",
    "copyFrom returned {result}, but reading back shows other values in input {name!r}: {got} where {want} was sent",
    "{different} of {samples} places that were compared differ: the copy did not reach the session.",
    "Use a host tensor of the input's own type and shape: MNN.Tensor(input_tensor, MNN.Tensor_DimensionType_Caffe).",
)  # fmt: skip
COPY_NOT_TENSOR = Kind(
    "GD050", "other", "error",
    "copyFrom got {got}, not an MNN.Tensor",
    "pymnn does not check the argument: the process would crash with a segmentation fault.",
    "Wrap the array: MNN.Tensor(shape, type, array, MNN.Tensor_DimensionType_Caffe).",
)  # fmt: skip
FROM_NUMPY = Kind(
    "GD051", "host_pointer", "error",
    "fromNumpy on session input {name!r} writes nothing",
    "It fills only a tensor that Python owns; on a session's tensor it returns None and the net runs on old memory.",
    "session_tensor.copyFrom(MNN.Tensor(shape, type, array, dimension_type)).",
)  # fmt: skip
HOST_POINTER = Kind(
    "GD052", "host_pointer", "error",
    "input {name!r} was written through its host pointer, and its layout is NC4HW4",
    "The memory is packed in blocks of {pack} channels with zeros between; the {channels} channels were written as if it were plain. The run "
    "returns 0 and the answer is wrong, on the CPU as well.",
    "Copy through a host tensor (copyFrom), or convert the model again with --keepInputFormat=1.", "nc4hw4_packing",
)  # fmt: skip
PARTIAL = Kind(
    "GD053", "stale_buffer", "error",
    "input {name!r} is only partly written: {left} of {samples} places still hold what was there before",
    "The rest of the memory is undefined, so the answer changes from run to run.",
    "Write the whole input before runSession.", "partial_fill",
)  # fmt: skip
RUN_CODE = Kind(
    "GD054", "session_config", "error",
    "runSession returned {code}: {meaning}",
    "The outputs hold old or undefined values.",
    "Stop at a code other than 0.",
)  # fmt: skip
UNNAMED_INPUT = Kind(
    "GD055", "other", "warning",
    "getSessionInput without a name on a model with {count} inputs gave {name}",
    "Without a name it gives the alphabetically first ({order}), not the first of the model.",
    "Name the input: getSessionInput(session, {name!r}).",
)  # fmt: skip
PROCESS_SIZE = Kind(
    "GD056", "stride", "error",
    "ImageProcess.convert was told {told_w}x{told_h} with stride {stride}, the array is {real_w}x{real_h} with {row} bytes a row",
    "convert returns 0 whatever it is told. The array is handed over packed: {real_w} pixels of {channels} bytes = {row}.",
    "convert(array, {real_w}, {real_h}, 0, tensor): width first, stride 0.", "row_stride",
)  # fmt: skip
PROCESS_MATRIX = Kind(
    "GD057", "resize", "error",
    "ImageProcess.convert of {real_w}x{real_h} into {want_w}x{want_h} without a matrix",
    "Without setMatrix there is no resize: the top left {want_w}x{want_h} pixels are taken as they are.",
    "setMatrix with the scale source/destination: x {sx}, y {sy} (the matrix maps destination to source).", "center_crop",
)  # fmt: skip
PROCESS_CHANNELS = Kind(
    "GD058", "channel_order", "error",
    "destFormat has {bytes} channels, the channels-last tensor has {channels}",
    "convert writes {bytes} values a pixel into rows made for {channels}: {effect}, and returns 0.",
    "Choose the destFormat that has the tensor's channels.",
)  # fmt: skip
PROCESS_UNTOUCHED = Kind(
    "GD059", "stale_buffer", "error",
    "ImageProcess.convert from {source} to the same format and size into a uint8 tensor does nothing",
    "This path returns 0 and leaves the destination as it was.",
    "Copy the array with copyFrom; no conversion is needed.", "constant_buffer",
)  # fmt: skip
PROCESS_PLANAR = Kind(
    "GD060", "layout", "error",
    "ImageProcess.convert to {dest} into a uint8 tensor with channels first",
    "Three-byte pixels are written into a four-byte store: the picture is scrambled, the code is 0.",
    "Use a four-byte destFormat (RGBA, BGRA), a float tensor, or a channels-last tensor.",
)  # fmt: skip
PROCESS_CONFIG = Kind(
    "GD061", "session_config", "error",
    "ImageProcess configuration: {what}",
    "Unknown keys and formats given as text are ignored without a word; what is left is RGBA, NEAREST, CLAMP, no mean.",
    "Use sourceFormat, destFormat, filterType, wrap with MNN.CV_… constants, mean and normal as tuples of 4.",
)  # fmt: skip
PROCESS_BATCH = Kind(
    "GD062", "batch", "error",
    "ImageProcess.convert into a tensor with a batch of {batch}",
    "Only picture 0 is written; with channels first the others are overwritten with undefined values.",
    "Convert each picture into a tensor of batch 1 and copy it into its place.",
)  # fmt: skip
PROCESS_NORMAL = Kind(
    "GD063", "normalization", "error",
    "ImageProcess applies (x - mean) * normal: mean {mean}, normal {normal} gives {low} to {high}",
    "{why}",
    "mean = 255 * m, normal = 1 / (255 * s) for the usual m and s of 0..1.", "mean_std_swapped",
)  # fmt: skip
MODULE_ARRAY = Kind(
    "GD064", "other", "error",
    "forward got {got} where an MNN Var is wanted",
    "pymnn does not check: the process would crash with a segmentation fault.",
    "Wrap it: MNN.expr.const(array, shape, MNN.expr.NCHW).",
)  # fmt: skip
MODULE_LAYOUT = Kind(
    "GD065", "layout", "error",
    "a Var in {got} goes into an input whose file layout is NC4HW4",
    "Module.forward does not convert (Session.copyFrom does): the values are misread, no message is printed.",
    "MNN.expr.convert(var, MNN.expr.NC4HW4), or convert the model again with --keepInputFormat=1.", "nc4hw4_packing",
)  # fmt: skip
MODULE_DTYPE = Kind(
    "GD066", "dtype", "error",
    "a Var of {got} goes into an input of {want}",
    "Nothing is converted or reported: the answer is wrong.",
    "Make the Var with the input's type, e.g. MNN.numpy.astype or const(..., MNN.expr.float).",
)  # fmt: skip
TENSOR_ARGUMENT = Kind(
    "GD067", "layout", "error",
    "MNN.Tensor: the array has shape {got}, the tensor {want}",
    "Only the number of elements ({elements}) is compared: the values are read in another order.",
    "Transpose the array (np.ascontiguousarray(array.transpose(...))) or give the tensor the array's shape and dimension type.",
    "interleaved_instead_of_planar",
)  # fmt: skip
TENSOR_C4 = Kind(
    "GD068", "layout", "error",
    "MNN.Tensor with Tensor_DimensionType_Caffe_C4 from an array of {elements} elements: {packed} are read",
    "The array is taken as packed already, {channels} channels rounded up to {rounded}: memory past its end is read.",
    "Make it with Tensor_DimensionType_Caffe and let copyFrom pack it.", "nc4hw4_packing",
)  # fmt: skip
TENSOR_ORDER = Kind(
    "GD069", "dtype", "error",
    "MNN.Tensor from an array of {got}: the bytes are in the other order",
    "A big-endian array is accepted and misread.",
    "array.astype({want!r})", "byte_order",
)  # fmt: skip
RESIZE_IGNORED = Kind(
    "GD070", "size", "error",
    "input {name!r} was resized to {want}; the file is static and stays at {got}",
    "A model converted with --saveStaticModel accepts resizeTensor and resizeSession, getShape gives the new shape, and the network "
    "still computes the old one; the run returns 0.",
    "Use the size of the file ({got}), or convert without --saveStaticModel.",
)  # fmt: skip
OWN_DESTINATION = Kind(
    "GD071", "host_pointer", "error",
    "{api} into a tensor that the program made itself returned False: nothing was copied",
    "A tensor made with MNN.Tensor(...) belongs to the program; no session reads it, and MNN copies only from or to a session.",
    "To write an input: session_tensor.copyFrom(own), session_tensor from getSessionInput. To read an output: "
    "output_tensor.copyToHostTensor(own).",
)  # fmt: skip
