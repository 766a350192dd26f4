import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nc4hw4.mnn")
session = net.createSession()
tensor = net.getSessionInput(session, "input")
rng = np.random.default_rng(0)
for _ in range(3):
    data = rng.random((1, 8, 10, 3), np.float32)
    tensor.copyFrom(MNN.Tensor((1, 8, 10, 3), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Tensorflow))
    print(net.runSession(session))
