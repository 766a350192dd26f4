"""Run by the interpreter that has rknn-toolkit2: builds a small network with each dataset file given, tells what came out.

    python toolkit_child.py FOLDER INPUTS MEAN STD DATASET …

Writes FOLDER/<name of the dataset file>.rknn where the build worked, and FOLDER/results.json: {dataset: "" or the error}.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from rknn.api import RKNN

folder, inputs, mean, std = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]), json.loads(sys.argv[4])
ins, outs, nodes, weights = [], [], [], []
for k in range(inputs):
    ins.append(helper.make_tensor_value_info(f"in{k}", TensorProto.FLOAT, [1, 3, 20, 36]))
    outs.append(helper.make_tensor_value_info(f"out{k}", TensorProto.FLOAT, [1, 4, 20, 36]))
    values = np.random.default_rng(k).normal(size=(4, 3, 3, 3)).astype(np.float32)
    weights.append(numpy_helper.from_array(values, f"w{k}"))
    nodes.append(helper.make_node("Conv", [f"in{k}", f"w{k}"], [f"out{k}"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]))
model = helper.make_model(
    helper.make_graph(nodes, "g", ins, outs, weights), opset_imports=[helper.make_opsetid("", 12)]
)
model.ir_version = 8
onnx.save(model, str(folder / "net.onnx"))
results = {}
for dataset in sys.argv[5:]:
    rknn = RKNN(verbose=False)
    rknn.config(mean_values=[mean] * inputs, std_values=[std] * inputs, target_platform="rk3588")
    rknn.load_onnx(str(folder / "net.onnx"))
    try:
        code = rknn.build(do_quantization=True, dataset=dataset)
        results[dataset] = "" if code == 0 else f"build returned {code}"
        if code == 0:
            rknn.export_rknn(str(folder / f"{Path(dataset).name}.rknn"))
    except BaseException as error:
        results[dataset] = str(error)[-300:] or type(error).__name__
    rknn.release()
(folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
