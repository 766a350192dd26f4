"""Plans that say anything at all about RGA: every rule answers, none breaks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepcheck.core.rga_formats import FORMATS
from prepcheck.data.chips import table
from tests.plans.rga_random import Body, judged

NUMBERS = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.integers(0, 5000),
    st.integers(-(1 << 40), 1 << 40),
    st.sampled_from([1080, 1920, 640]),
)
NAMES = st.sampled_from([None, "a", "b"])
MEMORY = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([None, "virtual", "dma_fd", "physical", "handle"]),
        "heap": st.sampled_from([None, "malloc", "system", "cma", "reserved", "system-dma32", "nonsense"]),
        "cached": st.sampled_from([None, True, False]),
        "address": st.one_of(NUMBERS, st.just(0xFFFFFFFF)),
        "capacity": NUMBERS,
    }
)
CHANNEL = st.fixed_dictionaries(
    {
        "width": NUMBERS, "height": NUMBERS, "wstride": NUMBERS, "hstride": NUMBERS, "size": NUMBERS, "buffer": NAMES,
        "format": st.sampled_from([None, "RGB888", *sorted(FORMATS)]), "memory": st.one_of(st.none(), MEMORY),
        "rect": st.one_of(st.none(), st.lists(st.integers(-5, 5000), min_size=4, max_size=4)),
        "producer": st.one_of(
            st.none(),
            st.fixed_dictionaries(
                {"hor_stride": NUMBERS, "ver_stride": NUMBERS, "color_space": st.sampled_from([None, "BT601_FULL", "BT709_FULL"])}
            ),
        ),
    }
)  # fmt: skip
OPERATION = st.fixed_dictionaries(
    {
        "api": st.sampled_from(["imresize", "imcvtcolor", "imcrop", "improcess", "imcopy", "imfill", "imrotate", "imflip"]),
        "src": st.one_of(st.none(), CHANNEL), "dst": st.one_of(st.none(), CHANNEL), "ret": NUMBERS,
        "core": st.sampled_from([None, "rga2", "rga3"]),
        "csc": st.sampled_from([None, "YUV_TO_RGB_BT709_LIMIT", "RGB_TO_YUV_BT601_FULL", "COLOR_SPACE_DEFAULT", "x"]),
        "color": st.sampled_from([None, "0x72", "0x72727272", "gray", "114"]),
    }
)  # fmt: skip
OTHER = st.one_of(
    st.fixed_dictionaries(
        {
            "api": st.sampled_from(["importbuffer_fd", "importbuffer_virtualaddr", "importbuffer_physicaladdr"]),
            "src": st.one_of(st.none(), CHANNEL),
            "ret": NUMBERS,
        }
    ),
    st.fixed_dictionaries({"api": st.just("alloc"), "buffer": st.sampled_from(["a", "b"]), "size": NUMBERS}),
    st.fixed_dictionaries(
        {
            "api": st.just("write"),
            "buffer": st.sampled_from(["a", "b"]),
            "by": st.sampled_from([None, "cpu", "memcpy", "rga", "decoder"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "api": st.sampled_from(["dma_buf_sync", "rknn_mem_sync"]),
            "buffer": st.sampled_from(["a", "b"]),
            "direction": st.sampled_from([None, "to_device", "from_device", "both"]),
        }
    ),
    st.fixed_dictionaries({"api": st.just("read"), "buffer": st.sampled_from(["a", "b"])}),
)


@settings(max_examples=150)
@given(
    st.sampled_from([None, "rk9999", *sorted(table().chips)]),
    st.lists(st.one_of(OPERATION, OPERATION, OTHER), min_size=1, max_size=5),
    st.sampled_from([None, 0.5, 4, 16]),
    st.sampled_from([None, "1.10.5", "1.3", "x"]),
    st.dictionaries(
        NAMES.filter(bool), st.fixed_dictionaries({"color": st.sampled_from([None, "NV12", "BGR", "GRAY"])})
    ),
)
def test_every_plan_is_answered(
    platform: str | None, calls: list[Body], gib: float | None, version: str | None, buffers: dict[str, Any]
) -> None:
    plan: Body = {"prepcheck": "plan/v1", "runtime": "rga", "platform": platform, "calls": calls, "buffers": buffers}
    if gib is not None:
        plan["device"] = {"memory_gib": gib}
    if version is not None:
        plan["version"] = version
    report = judged(plan)
    assert report.verdict in ("ok", "warning", "error")
    for finding in report.findings:
        assert "{" not in finding.message
        assert finding.message[0].isupper() or not finding.message[0].isalpha() or finding.message.startswith("im")


@pytest.mark.slow
@settings(max_examples=3000)
@given(st.lists(st.one_of(OPERATION, OTHER), min_size=1, max_size=6), st.sampled_from(sorted(table().chips)))
def test_many_plans_are_answered(calls: list[Body], platform: str) -> None:
    judged({"prepcheck": "plan/v1", "runtime": "rga", "platform": platform, "calls": calls})
