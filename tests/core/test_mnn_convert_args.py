"""The converter's arguments: what 3.6.1 makes of each spelling, and which options it does not know."""

from __future__ import annotations

from prepcheck.core import mnn_convert_args
from prepcheck.core.mnn_convert_args import KeepInputFormat, Misread, keep_input_format, misread
from tests.core.test_tables import KNOWN

K = "--keepInputFormat"


def test_options_are_those_of_the_converters_help() -> None:
    assert frozenset(KNOWN) == mnn_convert_args.OPTIONS
    assert frozenset({"saveStaticModel", "saveExternalData"}) == mnn_convert_args.COUNTED


def test_only_equals_one_keeps_the_layout() -> None:
    """cxxopts reads a bool as a number: any word is 0. A value after a blank is no value of the option."""
    readings = {
        (f"{K}=1",): KeepInputFormat(f"{K}=1", True, True),
        (f" {K}= '1' ",): KeepInputFormat(f"{K}= '1'", True, True),
        (f'{K}="1"',): KeepInputFormat(f'{K}="1"', True, True),
        (f"{K}=0",): KeepInputFormat(f"{K}=0", False, False),
        (f"{K}=true",): KeepInputFormat(f"{K}=true", False, True),
        (f"{K}=False",): KeepInputFormat(f"{K}=False", False, False),
        (f"{K}=OFF",): KeepInputFormat(f"{K}=OFF", False, False),
        (f"{K}=no",): KeepInputFormat(f"{K}=no", False, False),
        (f"{K}=",): KeepInputFormat(f"{K}=", False, True),
        (f"{K}=2",): KeepInputFormat(f"{K}=2", False, True),
        (K,): KeepInputFormat(K, False, True),
        (K, "1"): KeepInputFormat(f"{K} 1", False, True),
        (K, " 0 "): KeepInputFormat(f"{K} 0", False, False),
        (f" {K} ", "True"): KeepInputFormat(f"{K} True", False, True),
        (K, "FALSE"): KeepInputFormat(f"{K} FALSE", False, False),
        (K, "model.onnx"): KeepInputFormat(K, False, True),
        (K, "off"): KeepInputFormat(K, False, True),
        (f"{K}=1", "0"): KeepInputFormat(f"{K}=1", True, True),
        ("-f", "ONNX", f"{K}=1", "--fp16"): KeepInputFormat(f"{K}=1", True, True),
        ("0", K): KeepInputFormat(K, False, True),
        ("-f", K, "1", "--fp16"): KeepInputFormat(f"{K} 1", False, True),
        ("1", K, "--fp16"): KeepInputFormat(K, False, True),
    }
    assert {case: keep_input_format(case) for case in readings} == readings


def test_the_last_one_counts() -> None:
    assert keep_input_format([f"{K}=1", f"{K}=0", "--fp16"]) == KeepInputFormat(f"{K}=0", False, False)
    assert keep_input_format([f"{K}=0", f"{K}=1"]) == KeepInputFormat(f"{K}=1", True, True)


def test_no_such_option() -> None:
    assert keep_input_format([]) is None
    assert keep_input_format(["--keepInput=1", "keepInputFormat=1", "--fp16", "1"]) is None


def test_counted_flags_that_say_no() -> None:
    for word in ("0", "false", "FALSE", "off", "no", " No "):
        argument = f"--saveStaticModel={word}"
        assert misread([f" {argument} "]) == [Misread(argument.strip(), "counted", None)]
        assert misread([f"--saveExternalData={word}"])[0].kind == "counted"
    assert misread(["--saveStaticModel", "--saveStaticModel=1", "--saveExternalData=true", "--saveStaticModel="]) == []
    assert misread(["--fp16=0", "--forTraining=false"]) == []


def test_unknown_options_with_the_one_that_was_meant() -> None:
    meant = {
        "--fp61": None, "--FP16": "fp16", "--modelfile=x": "modelFile", "--keepInputFormatt=1": "keepInputFormat",
        "--MnnModel": "MNNModel", "--threshold=0.1": "thredhold", "--weightQuantBit=8": "weightQuantBits", "--op": "OP",
        "--nothing-like-it": None, "--optimizelevel": "optimizeLevel", "--transformerfuseC": "transformerFuseC4",
    }  # fmt: skip
    for argument, known in meant.items():
        assert misread([f" {argument} "]) == [Misread(argument, "unknown", known)], argument


def test_what_is_no_long_option_is_left_alone() -> None:
    assert misread(["-f", "ONNX", "--", "--x", "model.onnx", "-modelfile", "saveStaticModel=0", ""]) == []
    assert misread(["--xy"]) == [Misread("--xy", "unknown", None)]


def test_all_misread_arguments_in_their_order() -> None:
    found = misread(["-f", "--fp16x=1", "ONNX", "--fp16", "--saveStaticModel=no", "--Batch"])
    assert [(m.typed, m.kind, m.known) for m in found] == [
        ("--fp16x=1", "unknown", "fp16"), ("--saveStaticModel=no", "counted", None), ("--Batch", "unknown", "batch"),
    ]  # fmt: skip
