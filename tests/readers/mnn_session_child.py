"""Run by test_mnn_real.py in a process of its own, because MNN can crash and prints on stdout.

argv: where to write JSON lines, and a file with a JSON list of questions: {"model": path, "sizes": {input: shape},
"save": [tensor, …], "outputs": [name, …]}. One line is written for each model, as soon as it is known.
"""

from __future__ import annotations

import json
import sys


def ask(question: dict) -> dict:
    import MNN
    import MNN.expr as expr
    import MNN.nn as nn

    model = question["model"]
    kinds = {id(getattr(MNN, f"Halide_Type_{name}")): name for name in ("Float", "Int", "Uint8", "Int64", "Double")}
    net = MNN.Interpreter(model)
    session = net.createSession({"saveTensors": tuple(question["save"])})
    inputs = net.getSessionInputAll(session)
    for name, shape in question["sizes"].items():
        net.resizeTensor(inputs[name], tuple(shape))
    net.resizeSession(session)
    inputs, outputs = net.getSessionInputAll(session), net.getSessionOutputAll(session)
    first = net.getSessionInput(session).getShape()
    found = {
        "model": model,
        "inputs": {n: [list(t.getShape()), kinds.get(id(t.getDataType()))] for n, t in inputs.items()},
        "tensors": {n: list(t.getShape()) for n, t in outputs.items()},
        "first": [n for n, t in inputs.items() if t.getShape() == first],
    }
    if question["outputs"]:
        info = nn.load_module_from_file(model, [], question["outputs"]).get_info()
        names = {expr.NCHW: "NCHW", expr.NHWC: "NHWC", expr.NC4HW4: "NC4HW4"}
        found["module"] = [
            [name, list(var.shape), str(var.dtype).rsplit(".", 1)[-1], names.get(var.data_format)]
            for name, var in zip(info["inputNames"], info["inputs"], strict=True)
        ]
    return found


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as questions, open(sys.argv[1], "w", encoding="utf-8") as answers:
        for question in json.load(questions):
            answers.write(json.dumps(ask(question)) + "\n")
            answers.flush()
