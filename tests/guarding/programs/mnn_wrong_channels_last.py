import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
for seed in range(3):
    data = np.random.default_rng(seed).random((1, 8, 10, 3), np.float32)
    tensor.copyFrom(MNN.Tensor((1, 8, 10, 3), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe))
    print(net.runSession(session))
