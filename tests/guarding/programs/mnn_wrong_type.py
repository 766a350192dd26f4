import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
for seed in range(3):
    data = np.random.default_rng(seed).integers(0, 256, (1, 3, 8, 10), dtype=np.uint8)
    print(tensor.copyFrom(MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Uint8, data, MNN.Tensor_DimensionType_Caffe)))
    print(net.runSession(session))
