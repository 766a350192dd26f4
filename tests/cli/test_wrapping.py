"""Chinese lines break between characters, and no line begins with a closing sign."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from prepcheck.render.wrapping import is_wide, wrap

TEXT = "它的 MMU 只有 32 位地址（4 GiB）：RGA3 核能访问全部内存，但做不了这项任务；只剩 RGA2。页面落在哪里每次运行都不同，与模型和像素都无关。"


@pytest.mark.parametrize("width", [24, 40, 61, 100])
def test_lines_are_filled(width: int) -> None:
    lines = wrap(TEXT, width).split("\n")
    assert max(cell_len(line) for line in lines) <= width
    assert min(cell_len(line) for line in lines[:-1]) > width - 12
    assert not [line for line in lines if line[0] in "，。；：）、"]
    assert not [line for line in lines if line[-1] in "（《"]
    assert "".join("".join(lines).split()) == "".join(TEXT.split())


def test_what_is_no_chinese_is_left_alone() -> None:
    assert not is_wide("84 / 16 = 5.25 → 96 × 3")
    assert wrap("", 20) == ""
    assert wrap("a" * 30, 10) == "a" * 30
