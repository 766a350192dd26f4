"""Arguments of MNN's converter, as its own parser understands them. Standard library only.

Source: `MNNConvert --help` of 3.6.1 and MNN tools/converter/include/cxxopts.hpp (parse_value of bool reads a number, so the
word "true" is no true); measured with the converter 3.6.1: every spelling below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

OPTIONS: Final = frozenset({
    "help", "version", "framework", "modelFile", "batch", "keepInputFormat", "optimizeLevel", "optimizePrefer", "prototxt",
    "MNNModel", "fp16", "benchmarkModel", "bizCode", "debug", "forTraining", "weightQuantBits", "weightQuantAsymmetric",
    "weightQuantBlock", "hqq", "weightQuantScaleBit", "compressionParamsFile", "OP", "saveStaticModel", "targetVersion",
    "customOpLibs", "info", "authCode", "inputConfigFile", "testdir", "testconfig", "thredhold", "JsonFile",
    "alignDenormalizedValue", "detectSparseSpeedUp", "saveExternalData", "useGeluApproximation", "convertMatmulToConv",
    "transformerFuse", "transformerFuseC4", "groupConvNative", "allowCustomOp", "useOriginRNNImpl", "splitBlockQuant",
    "dumpPass",
})  # fmt: skip
"""Long options of the converter 3.6.1. One that it does not know is a single line "Not support option" in its log."""

COUNTED: Final = frozenset({"saveStaticModel", "saveExternalData"})
"""Flags whose mere presence switches them on, whatever value follows. Measured: converter 3.6.1."""


@dataclass(frozen=True, slots=True)
class KeepInputFormat:
    """--keepInputFormat as typed, and what 3.6.1 makes of it. meant: what the words ask for; None where they say nothing."""

    typed: str
    keeps: bool
    meant: bool


@dataclass(frozen=True, slots=True)
class Misread:
    """An argument that does not do what it says. known: the option that was probably meant, for one that is not known."""

    typed: str
    kind: str
    known: str | None = None


def keep_input_format(arguments: Sequence[str]) -> KeepInputFormat | None:
    """The last --keepInputFormat of a command line; None where there is none.

    Only `=1` keeps the original layout. Bare, and with any word, it switches the option off, which is on by default in
    3.x; the documents and threads of 2.x say that the bare flag switches it on (alibaba/MNN#2473).
    """
    found = None
    for at, argument in enumerate(arguments):
        name, sign, value = argument.strip().partition("=")
        if name != "--keepInputFormat":
            continue
        typed = argument.strip()
        if not sign and at + 1 < len(arguments) and arguments[at + 1].strip().lower() in ("1", "0", "true", "false"):
            value = arguments[at + 1].strip()
            typed = f"{typed} {value}"
        word = value.strip().strip("\"'").lower()
        found = KeepInputFormat(typed, bool(sign) and word == "1", word not in ("0", "false", "off", "no"))
    return found


def misread(arguments: Sequence[str]) -> list[Misread]:
    """Counted flags with a value that says no, and long options that the converter does not know."""
    found = []
    for argument in arguments:
        name, sign, value = argument.strip().partition("=")
        if not name.startswith("--") or len(name) < 4:
            continue
        option = name[2:]
        if option in COUNTED and sign and value.strip().lower() in ("0", "false", "off", "no"):
            found.append(Misread(argument.strip(), "counted"))
        elif option not in OPTIONS:
            near = get_close_matches(option.lower(), [o.lower() for o in OPTIONS], n=1, cutoff=0.8)
            known = next((o for o in sorted(OPTIONS) if near and o.lower() == near[0]), None)
            found.append(Misread(argument.strip(), "unknown", known))
    return found
