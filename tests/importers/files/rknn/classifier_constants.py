from rknn.api import RKNN

MEAN = [[0.485 * 255, 0.456 * 255, 0.406 * 255]]
STD = [[0.229 * 255, 0.224 * 255, 0.225 * 255]]
OPTIONS = {"target_platform": "RK3566", "quantized_dtype": "asymmetric_quantized-8", "optimization_level": 3}

rknn = RKNN()
ret = rknn.config(mean_values=MEAN, std_values=STD, quant_img_RGB2BGR=True, **OPTIONS)
