"""Prefixes of log collectors, quote marks and bullets come off; what the runtime printed stays."""

from __future__ import annotations

import pytest

from prepcheck.logs.cleaning import clean

LINE = "E RKNN: [10:00:00.000] rknn_inputs_set, param input size(10080) < model input size(40320)"


@pytest.mark.parametrize(
    "raw",
    [
        LINE,
        "> " + LINE,
        ">> > " + LINE,
        "- " + LINE,
        "1. " + LINE,
        "\x1b[31m" + LINE + "\x1b[0m",
        LINE + "\r",
        "`" + LINE + "`",
        "\t" + LINE,
        "09-14 08:45:03.277  6912  6912 I demo    : " + LINE,
        "2023-08-01 12:00:00.000 6912-6912/com.app E/demo: " + LINE,
        "2025-10-17 18:11:32.036  4106-4106  demo  E  " + LINE,
        "Aug 12 10:00:00 orangepi demo[123]: " + LINE,
        "2024-08-12T10:00:00.123+08:00 rk3588 app[7]: " + LINE,
        "[ 1234.567890] " + LINE,
        "<6>[ 1234.567890] " + LINE,
        "[INFO] [1690000000.123456]: " + LINE,
        "2024-08-12 10:00:00,123 - INFO - " + LINE,
        "app-1  | " + LINE,
        LINE.translate(str.maketrans({",": "，", ":": "：", "(": "（", ")": "）"})),
        LINE.replace("<", "&lt;"),
    ],
)
def test_the_line_is_left(raw: str) -> None:
    assert clean(raw).text == LINE


def test_tags_that_tell_stay() -> None:
    line = clean("09-14 08:45:03.277  6912  6912 E RKNN    : failed to malloc npu memory!, size: 6421360, flags: 0xa")
    assert line.text == "E RKNN: failed to malloc npu memory!, size: 6421360, flags: 0xa"
    assert (line.level, line.tag) == ("E", "RKNN")
    assert clean("67148   1330   1330 E   librga: job_handle[0]").text == "job_handle[0]"


@pytest.mark.parametrize(
    "line",
    ["254 - 0 is error", "--> Loading model", "-----TOP 2-----", "[Input] images 1.00000 | 0.0", "0: 0.0 != 0.53"],
)
def test_what_only_looks_like_a_mark_stays(line: str) -> None:
    assert clean(line).text == line
