import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession({"numThread": 1})
tensor = net.getSessionInput(session)
rng = np.random.default_rng(0)
for _ in range(4):
    data = rng.random((1, 3, 8, 10), np.float32)
    tensor.copyFrom(MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe))
    net.runSession(session)
    output = net.getSessionOutput(session)
    host = MNN.Tensor(output, MNN.Tensor_DimensionType_Caffe)
    output.copyToHostTensor(host)
    print(host.getNumpyData())
