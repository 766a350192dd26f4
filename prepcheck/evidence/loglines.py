"""What lines of logs clear by themselves, and the test that separates what they leave.

Only single lines are read here: what runs, answers and experiments say together is the ledger's.
"""

from __future__ import annotations

from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.facts.log import LogBook, LogEvent, SizeQuestion
from prepcheck.facts.world import World

NOT_READ = ("in_layout", "in_dtype", "in_mini", "not_set", "rga_noaddr", "rga_noaddr2", "zoo_noformat", "norm_tgt")
"""Lines after which the NPU may run on what its input held before."""

HARMLESS = {
    "dyn_range": Cleared("the line about RKNN_QUERY_INPUT_DYNAMIC_RANGE", "it asks a static model for something that only dynamic ones have"),
    "in_over": Cleared("the line `current input size > need input size`", "more bytes than needed are taken: the first ones count, the call returns 0"),
    "operand_align": Cleared("the line `first input must be aligned to …`", "it is about an operand inside the graph, not about the model's input or its rows"),
    "npu_iommu": Cleared("the line `iommu still enabled`", "it says how the NPU's memory is mapped"),
    "turn_cpu": Cleared("the lines `turn to Target:CPU`", "the op runs on the CPU: slower, not wrong"),
    "cpu_op": Cleared("the line `Detect CPU op with input`", "the first op runs on the CPU, so zero copy saves no time; values are the same"),
    "drv_advice": Cleared("the advice to upgrade the driver", "the model loads with this one"),
    "rga_align_note": Cleared("the line `win0 wstride is not align`", "it is a warning of the driver; the job still runs"),
}  # fmt: skip
"""Kind of line → what it does not show, and why. The sources stand at the patterns."""


def assess(book: LogBook, world: World) -> Assessment:
    """What the lines of a book clear, and the next test. Pure; the world holds the size pairs."""
    return Assessment(ruled_out=tuple(_cleared(book)), next_tests=tuple(_tests(book, world)))


def _cleared(book: LogBook) -> list[Cleared]:
    found = [cleared for kind, cleared in HARMLESS.items() if book.first(kind) is not None]
    row = next((e for e in book.all("acc_row") if (e.word("op") or "").lower() == "input"), None)
    if row is not None and _equal(row):
        found.append(
            Cleared(
                "the picture handed to the model (input {name})",
                "accuracy_analysis compares it with the reference: cosine 1, distance 0 in every column",
                {"name": row.word("name")},
            )
        )
    finish = book.first("zoo_finish")
    if finish is not None:
        found.append(
            Cleared(
                "RGA as the source of odd pixels",
                "`finish` is printed by the CPU conversion only: these pixels are the CPU's",
            )
        )
    return found


def _equal(row: LogEvent) -> bool:
    """Whether every cosine of a row is 1 and every distance 0 (as printed)."""
    cosines = [v for k, v in row.fields.items() if k.startswith("cos") and isinstance(v, float)]
    distances = [v for k, v in row.fields.items() if k.startswith("euc") and isinstance(v, float)]
    return bool(cosines) and all(c >= 0.99999 for c in cosines) and all(d == 0.0 for d in distances)


def _tests(book: LogBook, world: World) -> list[Test]:
    found: list[Test] = []
    stale = next(
        (e for e in book.all(*NOT_READ) if e.kind != "norm_tgt" or (e.word("tgt") or "").upper() == "CPU"), None
    )
    if stale is not None:
        found.append(
            Test(
                "fill the input with 0x00 and run, then with 0xFF and run",
                (
                    (
                        "equal answers",
                        "the NPU does not read what the program writes: the refused call of {where} is the cause",
                    ),
                    ("different answers", "the input is read; compare its bytes with the expected ones (--buffer)"),
                ),
                {"where": stale.where},
                rank=30,
            )
        )
    if book.first("rga_blit", "rga_request", "rga_call", "rga_status") is not None and not (
        _kernel(book) or book.first("rga_stride")  # librga has said itself why
    ):
        found.append(
            Test(
                "dmesg | grep -i rga, right after the failure",
                (
                    ("larger than 4G, mm_flag, swiotlb", "memory above 4 GiB for a core that does not reach it"),
                    ("Only get buffer", "the buffer is shorter than stride, height and format need"),
                    ("no core match, invalid function policy", "no core can do the whole job"),
                    ("nothing", "librga refused it before the driver: its own line says why"),
                ),
                rank=25,
            )
        )
    found += [
        test
        for question in world.extra.get("sizes", ())
        if isinstance(question, SizeQuestion)
        for test in _size(question)
    ]
    return found


def _kernel(book: LogBook) -> bool:
    kinds = (
        "rga_mmu4g",
        "rga_mmflag",
        "rga_contig",
        "rga_heap",
        "rga_swiotlb",
        "rga_short",
        "rga_policy_bad",
        "rga_fd",
        "rga_pages",
    )
    return book.first(*kinds) is not None


def _size(question: SizeQuestion) -> list[Test]:
    """The query that separates a batch from an element width, where both readings are left."""
    kinds = {r.kind for r in question.readings if r.probability >= 0.02}
    if not {"batch", "dtype"} <= kinds:
        return []
    return [
        Test(
            "print dims, n_elems and size of RKNN_QUERY_INPUT_ATTR for this input",
            (
                ("dims[0] above 1", "the model has a batch: {want} bytes are for all its items"),
                ("dims[0] = 1", "the element type stated in the call is wider than the bytes given ({got})"),
            ),
            {"got": question.got, "want": question.want},
            rank=35,
        )
    ]
