"""Models of MNN's own benchmarks, made by old converters, where they lie beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_graph import read_graph
from prepcheck.readers.mnn_images import predict_images
from prepcheck.wire.source import Source

VENDOR = Path(__file__).parents[3] / "shared" / "vendor_models"
pytestmark = pytest.mark.skipif(not VENDOR.is_dir(), reason="no folder with the vendors' models beside the checkout")


@pytest.mark.parametrize(
    "name,inputs,outputs,notes,framework",
    [
        (
            "MobileNetV2_224",
            [("input", "NC4HW4", [-1, 3, 224, 224], "float32", "rule:MN-INPUT-DEFAULTS")],
            ["MobilenetV2/Predictions/Reshape_1"],
            ["batch_minus_one"],
            "TENSORFLOW",
        ),
        (
            "mobilenetV3",
            [("serving_default_inputs:0", "NHWC", [1, 224, 224, 3], "float32", "file")],
            ["StatefulPartitionedCall:0"],
            [],
            "TFLITE",
        ),
        ("squeezenetv1.1", [("data", "NC4HW4", [1, 3, 227, 227], "float32", "file")], ["prob"], [], "CAFFE"),
    ],
)
def test_contracts(name: str, inputs: list[tuple], outputs: list[str], notes: list[str], framework: str) -> None:
    path = VENDOR / f"{name}.mnn"
    with Source.open(path) as source:
        got = read_mnn(source, str(path))
    assert [(t.name, t.layout, t.shape, t.dtype, t.provenance["layout"]) for t in got.inputs] == inputs
    assert [t.name for t in got.outputs] == outputs
    assert [n.kind for n in got.notes] == notes
    assert (got.metadata["mnn.source"], got.toolkit, got.batch) == (framework, None, 1)


def test_depthwise_filters_are_told() -> None:
    with Source.open(VENDOR / "MobileNetV2_224.mnn") as source:
        uses = predict_images(read_graph(source), (16384, 16384))
    assert {u.what for u in uses} >= {"filter", "depthwise_filter", "tensor"}
    assert not [u for u in uses if u.exceeds]
    assert next((u.width, u.height) for u in uses if u.what == "depthwise_filter") == (9, 8)
