from rknn.api import RKNN

rknn = RKNN()
rknn.config(channel_mean_value="103.94 116.78 123.68 58.82", reorder_channel="2 1 0", target_platform=["rv1126"])
