"""Versions, chip and runtime that the lines of a text state."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prepcheck.core.rockchip import RKNN1_PLATFORMS
from prepcheck.facts.log import LogEvent
from prepcheck.records import dataclass

_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?\w*")
_NODES = {"fdab0000": "rk3588", "fde40000": "rk3568", "ff660000": "rv1106", "27700000": "rk3576"}
"""Address of the NPU's device node → chip (vendor's device trees rk3588s.dtsi, rk356x.dtsi, rv1106.dtsi `npu@ff660000`,
rk3576.dtsi `npu@27700000`; boards' kernel logs print the same, e.g. `RKNPU ff660000.npu` on Luckfox Pico). Confidence H.

rk3566 and rk3568 share one, rv1103 and rv1106 another; where only the address is known, the rules that both have apply
and rk3568 and rv1106 stand for both."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What is known of the device and the tools."""

    runtime: str | None = None
    platform: str | None = None
    version: str | None = None
    toolkit: str | None = None
    driver: str | None = None


def stated(events: Sequence[LogEvent]) -> Stated:
    """The first statement of each counts; a platform from a model's banner counts before one from the kernel."""
    version = _first(
        events,
        ("ver_rt", "ver"),
        ("api_line", "api"),
        ("api_line2", "api"),
        ("api_line3", "api"),
        ("v1_rt", "ver"),
        ("v1_api", "ver"),
    )
    driver = _first(
        events, ("ver_drv", "drv"), ("api_line", "drv"), ("api_line2", "drv"), ("api_line3", "drv"), ("drv_line", "drv")
    )
    toolkit, platform = None, None
    for event in events:
        if event.kind == "ver_model":
            tk, plat = event.word("tk"), event.word("plat")
            if tk == "(null)":
                # 32-bit librknnrt 1.5.2 prints this line shifted by one field (measured under emulation)
                tk, plat = event.word("tgt"), event.word("fw")
            toolkit = toolkit or _number(tk)
            platform = platform or _chip(plat)
    toolkit = toolkit or _first(events, ("tk_ver", "ver"))
    for event in events:
        if event.kind == "kernel_npu":
            platform = platform or _NODES.get(str(event.fields.get("node")))
        elif event.kind in ("hardware_name", "target_platform", "v1_target", "rt_target"):
            platform = platform or _chip(event.word("plat") or event.word("board"))
    return Stated(_runtime(events, platform), platform, version, toolkit, driver)


def _runtime(events: Sequence[LogEvent], platform: str | None) -> str | None:
    order = [e.runtime for e in events if e.runtime and e.label in ("finding", "fact")] or [
        e.runtime for e in events if e.runtime
    ]
    for event in events:
        if event.kind in ("v1_rt", "v1_api", "pc_versions") or (event.kind == "tensor" and event.fields.get("numeric")):
            return "rknn1"
    for name in ("rknn", "mnn"):
        if name in order:
            return "rknn1" if name == "rknn" and platform in RKNN1_PLATFORMS else name
    return order[0] if order else None


def _first(events: Sequence[LogEvent], *places: tuple[str, str]) -> str | None:
    for kind, key in places:
        for event in events:
            if event.kind == kind and (found := _number(event.word(key))):
                return found
    return None


def _number(text: str | None) -> str | None:
    match = _VERSION.search(text or "")
    return match[0] if match else None


def _chip(text: str | None) -> str | None:
    match = re.search(r"\b(r[kv]\d{4}(?:pro|b|s)?)\b", (text or "").lower())
    return match[1] if match else None
