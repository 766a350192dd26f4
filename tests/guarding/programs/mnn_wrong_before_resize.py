import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
data = np.random.default_rng(0).random((1, 3, 8, 10), np.float32)
tensor.copyFrom(MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe))
net.resizeTensor(tensor, (1, 3, 16, 20))
net.resizeSession(session)
print(net.runSession(session))
