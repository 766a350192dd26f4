from rknn.api import RKNN

rknn = RKNN()
rknn.config(
    mean_values=[[123.675, 116.28, 103.53], [0] * 3],
    std_values=[[58.395, 57.12, 57.375], [255] * 3],
    quant_img_RGB2BGR=[True, False],
    dynamic_input=[[[1, 3, 224, 224], [1, 3, 112, 112]]],
    target_platform="rk3588",
)
