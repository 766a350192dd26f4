"""A program that knows nothing of prepcheck: it writes its input once and runs three times."""

import MNN
import numpy as np

net = MNN.Interpreter("plain.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
data = np.random.default_rng(0).random((1, 3, 8, 10), np.float32)
tensor.copyFrom(MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe))
for _ in range(3):
    net.runSession(session)
    output = net.getSessionOutput(session)
    own = MNN.Tensor(output, MNN.Tensor_DimensionType_Caffe)
    output.copyToHostTensor(own)
    print(own.getNumpyData())
