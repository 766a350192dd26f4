"""The kinds of fault that a guard names in arrays, in their content and over time: ids, severities, texts. Data only.

Family GD: live checks; what they say of one array agrees with the rules of `prepcheck validate`. Texts have named
places; every number in them can be recomputed from the line that shows it.
"""

from __future__ import annotations

from prepcheck.guarding.finding import Kind

INPUT_COUNT = Kind(
    "GD001", "size", "error",
    "{got} inputs given, {want} wanted ({names})",
    "Each input of the model needs its own array, in the model's order; a missing one keeps old or undefined data and "
    "one too many is ignored without a word.",
    "Pass a list with exactly {want} arrays in this order: {names}.",
)  # fmt: skip
NOT_AN_ARRAY = Kind(
    "GD002", "other", "error",
    "{got} given where an array of shape {shape} is wanted",
    "The runtime needs numbers in memory. None is what cv2.imread returns for a path that it cannot read, a text is a "
    "path that nobody opened, a bare array instead of a list of arrays is split along its first axis.",
    "{hint}",
)  # fmt: skip
RANK = Kind(
    "GD003", "batch", "error",
    "{got_rank} axes given {got}, {want_rank} wanted {want}",
    "The arrays differ by the leading batch axis: {got} is one picture, {want} is a batch of {batch}. The PC simulator "
    "adds the axis by itself, RKNNLite on the board refuses the array and returns None.",
    "Add the axis: array[None] or np.expand_dims(array, 0).",
)  # fmt: skip
BATCH = Kind(
    "GD004", "batch", "error",
    "{got_batch} pictures given, the model was built for a batch of {want_batch}: {got_bytes} bytes given, {want_bytes} wanted",
    "{want_bytes} / {got_bytes} = {factor}: all other axes agree ({got} against {want}). The other slots would hold zeros "
    "or whatever lies behind the buffer, which also makes the first and the second run differ.",
    "Stack {want_batch} pictures on axis 0, or build the model again with batch 1.",
)  # fmt: skip
LAYOUT = Kind(
    "GD005", "layout", "error",
    "{got} given as {declared}, which wants {want}: the axes are those of {looks}",
    "{got} has its {channels} channels where {declared} has {misplaced}. Both hold {elements} elements, so only the order tells "
    "them apart.",
    "{hint}", "planar_instead_of_interleaved",
)  # fmt: skip
TRANSPOSED = Kind(
    "GD006", "size", "error",
    "height and width are exchanged: {got} given, {want} wanted",
    "Both hold {elements} elements, but row {want_w} elements long are read from rows {got_w} long. Most libraries take "
    "sizes as (width, height), arrays have the shape (height, width).",
    "Resize to (width, height) = ({want_w}, {want_h}); the array then has shape {want}.", "transposed",
)  # fmt: skip
CHANNELS = Kind(
    "GD007", "size", "error",
    "{got_c} channels given, {want_c} wanted ({got} against {want})",
    "{got_bytes} bytes given, {want_bytes} wanted: {got_c} / {want_c} channels. Four channels are usually a picture with alpha, "
    "one is a gray picture or a missing conversion.",
    "{hint}",
)  # fmt: skip
ROW_PITCH = Kind(
    "GD008", "stride", "error",
    "rows of {got_w} pixels given, rows of {want_w} wanted ({got} against {want})",
    "{got_w} is the row pitch of this model's native buffer (w_stride), not its width: {got_w} - {want_w} = {padding} columns "
    "of padding. This call takes packed rows and adds the padding itself.",
    "Pass the picture without padding: array[:, :, :{want_w}, :] made contiguous.", "row_stride",
)  # fmt: skip
PICTURE_SIZE = Kind(
    "GD009", "size", "error",
    "a picture of {got_w}x{got_h} given, {want_w}x{want_h} wanted ({got} against {want})",
    "{got_elements} elements given, {want_elements} wanted: the frame was not resized to the model's input, or the resized copy was not "
    "the one handed over.",
    "Resize (or letterbox, as in training) to {want_w}x{want_h} before the call.",
)  # fmt: skip
SHAPE = Kind(
    "GD010", "size", "error",
    "shape {got} given, {want} wanted",
    "{got_elements} elements given, {want_elements} wanted.",
    "Hand over an array of shape {want}.",
)  # fmt: skip
BYTES = Kind(
    "GD011", "size", "error",
    "{got} bytes given, {want} wanted",
    "{arithmetic}",
    "{hint}",
)  # fmt: skip
DTYPE = Kind(
    "GD012", "dtype", "error",
    "elements of type {got} given, {want} wanted",
    "{reason}",
    "{hint}",
)  # fmt: skip
BYTE_ORDER = Kind(
    "GD013", "dtype", "error",
    "elements with swapped bytes given (numpy type {got}), native byte order wanted",
    "The runtime reads the memory as it is: a swapped float32 1.0 is read as 4.6e-41, and no message is printed.",
    "Convert: array.astype({want!r}).", "byte_order",
)  # fmt: skip
CONTIGUITY = Kind(
    "GD014", "stride", "error",
    "the array is a view that is not contiguous: strides {got}, {want} wanted for shape {shape}",
    "A view such as img[..., ::-1], a crop or a transpose shares the memory of its parent. Code that takes the pointer reads "
    "the parent's bytes: another picture.",
    "np.ascontiguousarray(array) just before the call.", "row_stride",
)  # fmt: skip
DATA_FORMAT = Kind(
    "GD015", "layout", "error",
    "data_format={got} for {count} inputs: {want} wanted",
    "inference() takes 'nhwc' or 'nchw' for each 4-D input, as one value or as a list as long as the inputs; otherwise it returns "
    "None or raises.",
    "Pass data_format='nhwc' with arrays in NHWC, or a list with one entry for each input.",
)  # fmt: skip
DATA_TYPE = Kind(
    "GD016", "dtype", "error",
    "data_type says {got}, the array holds {want}",
    "data_type describes the array that is handed over. Where they differ the call is refused (inference() returns None) or "
    "the bytes are read as another type.",
    "Pass data_type={want!r}, or convert the array.",
)  # fmt: skip
PASS_THROUGH = Kind(
    "GD017", "dtype", "error",
    "inputs_pass_through is set and the array holds {got} in shape {shape}",
    "With pass-through nothing is converted: the PC simulator wants float32, NCHW, already normalized; one-byte arrays make it "
    "abort the interpreter.",
    "Leave inputs_pass_through out, or hand over float32 {want} values that are already (x - mean) / std.",
)  # fmt: skip
NOT_FINITE = Kind(
    "GD020", "normalization", "error",
    "the input holds values that are not finite (min {low}, max {high})",
    "NaN or infinity in one element spreads through the whole network; quantizing NaN gives a fixed code.",
    "Look for a division by zero (std 0, max of an empty picture) or memory that was never filled.",
)  # fmt: skip
SCALED_0_1 = Kind(
    "GD021", "normalization", "error",
    "values {low} to {high} given where {want_low} to {want_high} are wanted",
    "All sampled values are multiples of 1/255 up to 1: pixels divided by 255. The model divides by itself (its codes hold "
    "{want_low} to {want_high}), so after quantization at most {codes} codes remain and every picture gives the same answer.",
    "Hand over the pixels as they are (0 to 255), or build the model without mean/std and keep the division.",
    "scaled_0_1",
)  # fmt: skip
NOT_SCALED = Kind(
    "GD022", "normalization", "error",
    "values {low} to {high} given where {want_low} to {want_high} are wanted",
    "{high} is {factor} times the largest value that the input holds ({want_high}): all brighter values are cut off there.",
    "Scale the pixels as in training before the call, or put mean/std into the model when it is converted.",
    "not_normalized",
)  # fmt: skip
NORMALIZED_TWICE = Kind(
    "GD023", "normalization", "error",
    "values {low} to {high} given where pixels of {want_low} to {want_high} are wanted",
    "Pixels are never negative and span more than {span}: these were normalized on the host, and the model's runtime "
    "normalizes again.",
    "Hand over the pixels as they are, or build the model without mean_values/std_values.",
    "normalized_on_host",
)  # fmt: skip
OUT_OF_RANGE = Kind(
    "GD024", "quantization", "error",
    "values {low} to {high} given, the input holds {want_low} to {want_high}",
    "What lies outside is cut off. The values leave the range by more than its own width ({width}): they are in "
    "another unit.",
    "Compare the normalization of the program with the one of the training and of the conversion.",
)  # fmt: skip
SIGNED = Kind(
    "GD025", "dtype", "error",
    "{got} values {low} to {high} given where pixels of {want_low} to {want_high} are wanted",
    "Pixels are never negative: {low} + 128 = {shifted}. The bytes were shifted by 128 or read as signed; rknn-toolkit2 takes int8 "
    "arrays as signed numbers, not as quantized codes.",
    "Hand over uint8 pixels.", "signed_offset",
)  # fmt: skip
CONSTANT = Kind(
    "GD026", "stale_buffer", "error",
    "the input is one value ({value}) in all {elements} elements, while the frame spans {frame_low} to {frame_high}",
    "A frame with content cannot give a constant input: the buffer was allocated and never filled, or the conversion "
    "wrote somewhere else or failed unnoticed.",
    "Check the return code of the conversion, and that the array handed over is the one that it wrote.",
    "constant_buffer",
)  # fmt: skip
STALE = Kind(
    "GD027", "stale_buffer", "error",
    "the input is the same as before, while {changed} of {samples} samples of the frame changed",
    "The frame is new and the model would see the old one: the preprocessing wrote into another buffer, or its result was "
    "not handed over.",
    "Hand over the array that this frame's preprocessing returned.", "stale_buffer",
)  # fmt: skip
ENCODED = Kind(
    "GD028", "image", "error",
    "the bytes begin with the mark of a {format} file",
    "An encoded file was read into the buffer and never decoded.",
    "Decode it first (cv2.imdecode, PIL.Image.open).", "encoded_bytes",
)  # fmt: skip
UNSTABLE = Kind(
    "GD030", "determinism", "error",
    "the same {elements} input elements gave two different answers: largest difference {difference} at a range of {range}",
    "Input bytes were compared one by one. A network without memory answers the same. Usual causes, in this order: an input call "
    "that failed and was ignored (the first run used old memory), a batch model given one picture, asynchronous mode "
    "(the answer belongs to the frame before), a buffer freed or reused between hand-over and run, an input that the run "
    "itself overwrote.",
    "Run three times and compare: 2 = 3 but not 1 points to the first two causes. For a network with memory pass stateful=True.",
)  # fmt: skip
STUCK = Kind(
    "GD031", "stale_buffer", "error",
    "{repeats} clearly different inputs in a row gave exactly the same answer ({distinct} distinct values in it)",
    "Right answers of this richness repeat by chance with less than 1 in 2^{bits} each time; saturated or empty answers do "
    "repeat and are not counted. The network does not see what is handed over.",
    "Check that the buffer bound to the model is the one written; feed all zeros and then noise: if the answer stays, nothing is bound.",
)  # fmt: skip
SCALE_DRIFT = Kind(
    "GD032", "normalization", "error",
    "the values changed their unit: {now_low} to {now_high} now, {first_low} to {first_high} in the first frames",
    "The ratio is {ratio}, near {near}: no scene does that. Somebody scales differently from here on.",
    "Look for a second code path (another camera, a retry, a reconnect) that preprocesses differently.",
)  # fmt: skip
CALIBRATION = Kind(
    "GD033", "quantization", "warning",
    "{percent} % of the elements lie outside what the input can hold ({want_low} to {want_high})",
    "Calibration never saw such values; they are all cut off at the end of the range. Counted over {calls} calls that "
    "together cover every element.",
    "Calibrate with pictures like these, with the same preprocessing.",
)  # fmt: skip
NO_ANSWER = Kind(
    "GD034", "other", "error",
    "inference() returned None",
    "The runtime refused the call and said why only on the console; the next line of the program would fail on None.",
    "Read the E lines that it printed: `prepcheck explain --file LOG` says what they mean.",
)  # fmt: skip
EMPTY = Kind(
    "GD035", "size", "error",
    "an array without elements given (shape {got}), {want} wanted",
    "A crop outside the picture or an empty list became the input.",
    "Check the box of the crop before the call.",
)  # fmt: skip
DYNAMIC = Kind(
    "GD036", "size", "error",
    "shape {got} is none of the {count} shapes that the model was built for",
    "Built for: {want}.",
    "Resize to one of them and set it with the runtime's call for shapes first.",
)  # fmt: skip
INPUT_NAME = Kind(
    "GD037", "other", "error",
    "the feed has the inputs {got}; the model's are {want}",
    "run() takes a table with exactly the model's input names. A name that the model does not have is refused, one that is "
    "missing as well, in the runtime's words only.",
    "Use the names of session.get_inputs(), or those that `prepcheck inspect` shows: {want}.",
)  # fmt: skip
NEVER_SET = Kind(
    "GD038", "stale_buffer", "error",
    "{count} input(s) were never set before the run: {names}",
    "allocate_tensors() leaves memory of undefined content; invoke() runs on it and returns without a word.",
    "Call set_tensor() for every input: {names}.",
)  # fmt: skip
