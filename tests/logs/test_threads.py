"""Whole threads as people post them (prose, code, lines of programs, a wrong guess): the first cause, and nothing wrong beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.app.explain import Question, explain
from prepcheck.contract.report import Report

THREADS = Path(__file__).parent / "threads"


def _told(report: Report) -> str:
    parts = [t for f in report.findings for t in (f.message, f.explanation, f.fix)]
    parts += [t for x in report.next_tests for t in (x.do, *(o.means for o in x.outcomes))]
    return " ".join(t for t in parts if t)


CASES: list[tuple[str, str, str | None, list[str], list[str]]] = [
    # file, first rule, scope (None: not compared), what has to be read, what must not be
    ("scaled_twice_en", "NM304", None, ["line 24", "0.0039", "uint8 pixels", "Quantisation"], ["kl_divergence"]),
    ("rga_stride_en", "RG301", "input", ["wstride 96", "row by row"], ["dmesg"]),
    ("mnn_host_pointer_en", "MN322", None, ["copyFromHostTensor", "inspect MODEL.mnn"], ["operator"]),
    ("pixels_as_int8_zh", "DT306", None, ["RKNN_TENSOR_UINT8", "-0.7836"], ["slow", "never written", "0xFF"]),
    ("mnn_planes_zh", "MN337", None, ["transpose(2, 0, 1)", "Tensor_DimensionType_Tensorflow"], []),
    ("old_runtime_zh", "RK308", "device", ["librknnrt.so", "Nothing ran"], ["0xFF", "resize", "the input memory"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rule", "scope", "said", "unsaid"), CASES, ids=[c[0] for c in CASES])
def test_thread(name: str, rule: str, scope: str | None, said: list[str], unsaid: list[str]) -> None:
    report = explain(Question(files=[THREADS / f"{name}.txt"]))
    assert report.findings[0].rule == rule
    assert scope is None or report.scope == scope
    told = _told(report)
    assert not [t for t in said if t not in told]
    assert not [t for t in unsaid if t in told]


@pytest.mark.parametrize(
    ("said", "symptom"),
    [
        ("每张图片的结果都一样", "same-answer"),
        ("换了好几张图，输出一直不变", "same-answer"),
        ("改成 640x640 还是一样报错", None),
        ("两个模型的输出和 onnx 的不一样", None),
        ("三个类别得分几乎一样", None),
        ("memcpy(input_mems[0]->virt_addr, rgb, n);", None),
        ("memcpy takes 15 ms per frame", "slow"),
        ("推理耗时太长", "slow"),
    ],
)
def test_a_symptom_needs_its_subject(said: str, symptom: str | None) -> None:
    from prepcheck.evidence.symptoms import matching

    found = {s.id for s in matching(said)}
    assert (symptom in found) if symptom else not found & {"same-answer", "slow"}
