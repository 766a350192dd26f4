"""The JSON part of `.rknn` files: which entry is which end of the graph, and shapes that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from prepcheck.errors import CorruptError
from prepcheck.readers import rknn_json
from prepcheck.readers.rknn_json import JsonTensor, check_dims, graph_tensors, target_platforms


def row(number: Any, size: Any, **more: Any) -> dict[str, Any]:
    return {"tensor_id": number, "size": size} | more


def edge(side: str, number: Any, tensor: Any, **more: Any) -> dict[str, Any]:
    return {"left": side, "left_tensor_id": number, "right_tensor_id": tensor} | more


def table(rows: list[Any], edges: list[Any]) -> dict[str, Any]:
    return {"norm_tensor": rows, "graph": edges}


def test_ends_come_in_the_order_of_the_runtime() -> None:
    """left_tensor_id orders; right_tensor_id names the entry; other edges and entries are passed over."""
    rows = [
        row(7, [1, 6], url="b", dtype={"vx_type": "x"}), "junk", row(True, [9]), row(3, [4], url=5), row(9, [2], url="o"),
        row(3, [5], url="last wins", dtype=7),
    ]  # fmt: skip
    edges = [
        edge("input", 1, 7), "junk", edge("input", 0, 3, right="norm_tensor"), edge("output", 0, 9),
        edge("input", 2, 9, right="const_tensor"), edge("node", None, None), edge("output", None, 1, right="x"),
    ]  # fmt: skip
    assert graph_tensors(table(rows, edges), "input", "m") == [
        JsonTensor("last wins", (5,), {}),
        JsonTensor("b", (1, 6), {"vx_type": "x"}),
    ]
    assert graph_tensors(table(rows, edges), "output", "m") == [JsonTensor("o", (2,), {})]
    assert graph_tensors(table([row(0, [1])], [edge("input", 5, 0)]), "input", "m") == [JsonTensor(None, (1,), {})]
    assert graph_tensors({}, "input", "m") == []


@pytest.mark.parametrize(
    ("rows", "edges", "says"),
    [
        ([row(0, [1])], [edge("input", None, 0)], "m: an entry of `graph` in the JSON part has no tensor number."),
        ([row(0, [1])], [edge("input", 0, None)], "m: an entry of `graph` in the JSON part has no tensor number."),
        ([row(0, [1])], [edge("input", 2, 1)], "m: input 2 is tensor 1, which `norm_tensor` in the JSON part lacks."),
        ([row(0, "x")], [edge("input", 2, 0)], "m: input 2 in the JSON part has no list of integers `size`."),
        ([row(0, [1, 0])], [edge("input", 2, 0)], "m: input 2 in the JSON part has the shape [1, 0]; axes are at least 1"),
    ],
)  # fmt: skip
def test_lists_that_do_not_fit(rows: list[Any], edges: list[Any], says: str) -> None:
    with pytest.raises(CorruptError) as caught:
        graph_tensors(table(rows, edges), "input", "m")
    assert caught.value.message.startswith(says)


def test_ends_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rknn_json.MAX_TENSORS == 2048
    monkeypatch.setattr(rknn_json, "MAX_TENSORS", 2)
    edges = [edge("output", k, 0) for k in range(3)]
    assert len(graph_tensors(table([row(0, [1])], edges[:2]), "output", "m")) == 2
    with pytest.raises(CorruptError, match=r"^m: the JSON part names 3 outputs; at most 2 are read\."):
        graph_tensors(table([row(0, [1])], edges), "output", "m")


def test_shapes_that_can_be() -> None:
    """Axes of at least 1, at most 16 of them, at most 2^40 elements."""
    for dims in ((), (1,), (1 << 40,), (1 << 20, 1 << 20), (1,) * 16):
        assert check_dims("here", dims) is dims
    for bad in ((0,), (-1,), (-2, -3), (3, 0, 1), ((1 << 40) + 1,), (1 << 20, (1 << 20) + 1), (1,) * 17 + (0,)):
        with pytest.raises(CorruptError) as caught:
            check_dims("here", bad)
        assert caught.value.message == (
            f"here has the shape {list(bad)[:16]}; axes are at least 1, elements at most 2^40."
        )
    with pytest.raises(CorruptError, match=r"^here has 17 axes; at most 16 are read\."):
        check_dims("here", (1,) * 17)


def test_targets_are_lower_case() -> None:
    """A list or one text; what is no text is passed over."""
    for value, want in (
        (["RK3588", "rk3566"], ["rk3588", "rk3566"]),
        ("RV1126", ["rv1126"]),
        ("", []),
        (["", 5, None, "RK3562"], ["rk3562"]),
        (7, []),
        (None, []),
    ):
        assert target_platforms({"target_platform": value}) == want  # type: ignore[dict-item]
    assert target_platforms({}) == []
