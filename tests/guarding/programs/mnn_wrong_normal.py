import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
process = MNN.CVImageProcess(
    {
        "sourceFormat": MNN.CV_ImageFormat_RGB,
        "destFormat": MNN.CV_ImageFormat_RGB,
        "mean": (123.675, 116.28, 103.53, 0.0),
        "normal": (58.395, 57.12, 57.375, 1.0),
    }
)
for seed in range(3):
    picture = np.random.default_rng(seed).integers(0, 256, (8, 10, 3), dtype=np.uint8)
    process.convert(picture, 10, 8, 0, tensor)
    print(net.runSession(session))
