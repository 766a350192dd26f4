import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
data = np.random.default_rng(0).random((1, 3, 8, 10), np.float32)
host = MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe)
for _ in range(5):
    tensor.copyFrom(host)
    print(net.runSession(session))
