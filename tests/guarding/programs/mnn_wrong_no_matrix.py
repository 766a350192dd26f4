import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
process = MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_RGB, "destFormat": MNN.CV_ImageFormat_RGB})
for seed in range(3):
    picture = np.random.default_rng(seed).integers(0, 256, (32, 40, 3), dtype=np.uint8)
    process.convert(picture, 40, 32, 0, tensor)
    print(net.runSession(session))
