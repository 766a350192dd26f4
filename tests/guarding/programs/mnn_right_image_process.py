import sys

import MNN
import numpy as np

net = MNN.Interpreter(f"{sys.argv[1]}/c3_nchw.mnn")
session = net.createSession()
tensor = net.getSessionInput(session)
process = MNN.CVImageProcess(
    {
        "sourceFormat": MNN.CV_ImageFormat_BGR,
        "destFormat": MNN.CV_ImageFormat_RGB,
        "filterType": MNN.CV_Filter_BILINEAL,
        "mean": (123.675, 116.28, 103.53, 0.0),
        "normal": (0.01712475, 0.017507, 0.01742919, 1.0),
    }
)
matrix = MNN.CVMatrix()
matrix.setScale(40 / 10, 32 / 8)
matrix.postTranslate(0.5 * 4 - 0.5, 0.5 * 4 - 0.5)
process.setMatrix(matrix)
rng = np.random.default_rng(0)
for _ in range(3):
    picture = rng.integers(0, 256, (32, 40, 3), dtype=np.uint8)
    process.convert(picture, 40, 32, 0, tensor)
    print(net.runSession(session))
