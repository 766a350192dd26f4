import sys

import numpy as np
from rknn.api import RKNN

folder = sys.argv[1]
rknn = RKNN()
rknn.config(mean_values=[[0, 0, 0]], std_values=[[255, 255, 255]], target_platform="rk3588")
rknn.load_onnx(f"{folder}/tiny.onnx")
rknn.build(do_quantization=True, dataset=f"{folder}/dataset.txt")
rknn.export_rknn("model.rknn")
rknn.init_runtime()
for seed in range(3):
    picture = np.random.default_rng(seed).integers(0, 256, (1, 32, 48, 3), dtype=np.uint8)
    print(rknn.inference(inputs=[picture.astype(np.float32) / np.float32(255)]))
rknn.release()
