import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/dynhw_nchw.mnn")
session = net.createSession()
for side in (16, 24, 16):
    tensor = net.getSessionInput(session)
    net.resizeTensor(tensor, (1, 3, side, side))
    net.resizeSession(session)
    tensor = net.getSessionInput(session)
    data = np.random.default_rng(side).random((1, 3, side, side), np.float32)
    tensor.copyFrom(MNN.Tensor((1, 3, side, side), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe))
    print(net.runSession(session))
