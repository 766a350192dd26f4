"""Converts a detector; needs the vendor's toolkit, which nobody imports here."""

import sys

from rknn.api import RKNN

raise SystemExit("never run")


def main():
    rknn = RKNN(verbose=False)
    print("--> config")
    rknn.config(mean_values=[[0, 0, 0]], std_values=[[255, 255, 255]], target_platform=sys.argv[2])
    rknn.load_onnx(model=sys.argv[1])
    rknn.build(do_quantization=True, dataset="dataset.txt")
