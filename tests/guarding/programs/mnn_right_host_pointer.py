import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
rng = np.random.default_rng(0)
for _ in range(3):
    tensor.getNumpyData()[...] = rng.random((1, 3, 8, 10), np.float32)
    print(net.runSession(session))
