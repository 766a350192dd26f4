"""What MNN's lines, its test tools and code for it clear, and the test that separates what they leave."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.facts.log import LogBook
from prepcheck.facts.mnn_code import groups, pointer_writes
from prepcheck.facts.mnn_tests import BackendTest, backend_tests
from prepcheck.facts.world import World

GPU = ("OpenCL", "Vulkan", "Metal", "CUDA", "OpenGL")


def assess_mnn(book: LogBook, world: World) -> Assessment:
    """What the texts say about MNN; empty where they say nothing of it."""
    tests = backend_tests(book)
    cleared = [*_by_tests(tests), *_by_code(book, tests), *_by_converter(book), *_harmless(book, tests)]
    following = [
        *_after_tests(tests, book),
        *_after_converter(book),
        *_after_shape(book),
        *_after_code(book, world, tests),
    ]
    return Assessment(tuple(cleared), tuple(sorted(following, key=lambda t: t.rank)))


# -- cleared


def _by_tests(tests: list[BackendTest]) -> Iterator[Cleared]:
    cpu = [t for t in tests if t.type == 0 and not t.failed and t.right]
    bad = [t for t in tests if t.failed]
    if cpu:
        yield Cleared(
            "the model file",
            "backendTest.out opens it and the CPU computes it; CPU against CPU proves repeatability, no more",
        )
    if bad:
        yield Cleared(
            "the program's input code: ImageProcess::convert or copyFromHostTensor as the way in, contiguity of the picture, its layout, "
            "reading with copyToHostTensor",
            "backendTest.out runs none of it: it makes its own input, copies it on both sides in the same way (convert and copyFromHostTensor "
            "are right on the CPU and on GPU backends), and the difference is there all the same, on {backends}",
            {"backends": _names(bad)},
        )
    for test in bad:
        twin = next(
            (t for t in bad if t is not test and t.type == test.type and t.precision == 3 and not test.precision), None
        )
        if twin is not None and twin.first_op == test.first_op and twin.first_pair == test.first_pair:
            yield Cleared(
                "precision Low_BF16 as a cure on {backend}",
                "it prints the same numbers as Normal, operator {op}: this backend has no such store",
                {"backend": test.backend, "op": test.first_op},
            )


def _by_code(book: LogBook, tests: list[BackendTest]) -> Iterator[Cleared]:
    copies = [e for e in book.all("code_copy_in") if e.word("api")]
    if copies and not pointer_writes(book) and book.first("mnn_input_type") is None:
        yield Cleared(
            "the host pointer", "the code copies with {api}, which is right on every backend and for every layout of the file",
            {"api": copies[0].word("api")},
        )  # fmt: skip
    set_high = any(e.number("number") == 1 for e in book.all("code_mnn") if e.fields.get("field") == "precision")
    if set_high and any(t.failed for t in tests):
        yield Cleared(
            "precision in the program",
            "the code sets Precision_High, so half precision is not what the program suffers from",
        )


def _by_converter(book: LogBook) -> Iterator[Cleared]:
    if book.first("cv_test_value") is not None:
        yield Cleared(
            "the application's preprocessing", "the check makes its own inputs, and the converted model differs on them"
        )
    elif book.first("cv_test_ok") is not None and book.first("cv_skip") is None:
        yield Cleared(
            "the conversion", "the converted model agrees with the original within 1 % on the script's inputs"
        )
    if book.first("cl_fallback_op") is not None:
        yield Cleared("operators that fall back to the CPU", "they are computed right there, only slower")


def _harmless(book: LogBook, tests: list[BackendTest]) -> Iterator[Cleared]:
    if book.first("mnn_image_alloc") is not None:
        count = len(book.all("cl_error")) + len(book.all("mnn_recycle"))
        if count:
            yield Cleared(
                "the {count} OpenCL lines after `Alloc Image` (codes −50, −52, recycle failed)", "they follow from the image that could not be made",
                {"count": count},
            )  # fmt: skip
    if book.first("simd") is not None and (tests or book.first("mnn_cache", "cl_platform") is not None):
        yield Cleared("the line about i8sdot, fp16 and i8mm", "it says what the CPU can do; it is printed in every run")
    if book.first("mnn_cache") is not None:
        yield Cleared("the tuning cache", "it is written anew whenever an operator is tuned; it changes no result")


# -- next


def _after_tests(tests: list[BackendTest], book: LogBook) -> Iterator[Test]:
    for test in [t for t in tests if t.images][:1]:
        yield Test(
            "{command}",
            (
                ("Correct", "the image limit was all of it: set mode = {mode} in the program"),
                ("the same Alloc Image", "the mode does not reach the session: look for numThread assigned after it"),
                ("another operator differs", "a second fault of {backend}: report that operator"),
            ),
            {
                "command": test.command(precision=1, mode=test.buffer_mode),
                "mode": test.buffer_mode,
                "backend": test.backend,
            },
            rank=5,
        )
    by_type: dict[int | None, list[BackendTest]] = {}
    for test in tests:
        by_type.setdefault(test.type, []).append(test)
    for runs in by_type.values():
        bad = [t for t in runs if t.failed and not t.images]
        if not bad or bad[0].backend not in GPU:
            continue
        if not any(t.precision == 1 for t in runs):
            yield Test(
                "{command}",
                (
                    ("Correct", "half precision was all of it: set precision high in the program"),
                    ("the same operator", "not precision: a fault of that operator on {backend}"),
                    ("a later operator", "two faults: precision, and that operator"),
                ),
                {"command": bad[0].command(precision=1), "backend": bad[0].backend},
                rank=8,
            )
        else:
            last = [t for t in bad if t.precision == 1] or bad
            yield Test(
                "report operator {op} on {backend} to MNN, with the model cut behind it and the two values",
                (("fixed upstream", "update MNN"), ("not fixed", "run that network on the CPU")),
                {"op": last[-1].first_op, "backend": last[-1].backend},
                rank=40,
            )
    shown = [t for t in tests if t.right and t.type != 0]
    if shown and not any(t.failed for t in tests):
        yield Test(
            "put the program's own input beside the tool: input.json with <name>.txt in the folder of backendTest.out, and run it again",
            (
                (
                    "Correct",
                    "{backend} is cleared for this input too: look at what the program copies in and reads out",
                ),
                ("an operator differs", "that operator, for values of this size (half precision?)"),
            ),
            {"backend": shown[0].backend},
            rank=20,
        )
    alone = book.first("cl_error")
    if alone is not None and alone.label == "finding" and not tests:
        yield Test(
            "./backendTest.out MODEL.mnn 3 0.05 1 65",
            (
                ("Correct", "buffer memory and precision High cure it: try the two one at a time in the program"),
                ("an operator differs", "that operator on this GPU"),
                ("the same lines", "the driver: look for the first line of the run"),
            ),
            rank=10,
        )


def _after_converter(book: LogBook) -> Iterator[Test]:
    found = book.first("cv_test_value")
    if found is not None:
        yield Test(
            "python3 testMNNFromOnnx.py MODEL.onnx DEBUG",
            (
                (
                    "it names an operator",
                    "its conversion, or MNN's CPU kernel for it: report it with that part of the model",
                ),
                ("only the last output differs", "the reference: look at onnx/{output}.txt for zeros or NaN"),
            ),
            {"output": found.word("op") or "output"},
            rank=10,
        )


def _after_shape(book: LogBook) -> Iterator[Test]:
    if book.first("mnn_reshape") is not None or any(e.label == "finding" for e in book.all("mnn_compute_shape")):
        yield Test(
            "run the model once with the sizes of its file (prepcheck inspect MODEL.mnn), without resizeTensor",
            (
                ("it runs", "the graph is fixed to that size: resize the picture to it, or export with dynamic axes"),
                ("the same error", "the export itself: a Reshape with constants of another size"),
            ),
            rank=12,
        )


def _after_code(book: LogBook, world: World, tests: list[BackendTest]) -> Iterator[Test]:
    lost = any(len({e.fields.get("field") for e in g} & {"mode", "numThread"}) == 2 for g in groups(book))
    if lost and not tests:
        yield Test(
            "assign only mode (no numThread) and print config.mode just before createSession",
            (
                ("the value that you meant", "tuning and memory kind are in force"),
                ("another value", "a later line overwrites it"),
            ),
            rank=15,
        )
    if pointer_writes(book) and world.contract is None:
        yield Test(
            "prepcheck inspect MODEL.mnn",
            (
                ("layout NC4HW4", "values written through host() land in wrong places: copy from a host tensor"),
                ("layout NCHW or NHWC", "host() is right on the CPU where the order is that one"),
            ),
            rank=10,
        )


def _names(tests: list[BackendTest]) -> str:
    return " and ".join(dict.fromkeys(t.backend for t in tests))
