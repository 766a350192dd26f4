"""A Python session configuration has keys or values that pymnn ignores.

What it checks
    Dictionaries with `backend` or `numThread` in pasted code.

Why it matters
    pymnn reads backend, numThread, power, memory, precision, saveTensors, inputPaths and outputPaths; `mode` and `backupType` are
    passed over in silence. Of precision only low, high and Low_BF16 are known: "High" means normal.

How it is computed
    The keys and values as typed.

Example
    {'backend': 'OPENCL', 'mode': 68}: the mode is not set; numThread 68 sets it.

Fix
    numThread holds the GPU mode in Python.

Limits
    Only literals.

References
    pymnn/src/util.h.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule

KNOWN = frozenset({"backend", "numThread", "power", "memory", "precision", "saveTensors", "inputPaths", "outputPaths"})
"""Keys that pymnn reads. Source: pymnn/src/util.h."""
PRECISIONS = frozenset({"low", "high", "normal", "Low_BF16"})


@rule(
    "MN323",
    "log-python-config",
    over="logbook",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    sources=("mnn:G11",),
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("code_py_config"):
        config = _literal(event.text)
        ignored = sorted(k for k in config if k not in KNOWN)
        precision = config.get("precision")
        values: dict[str, Value] = {
            "keys": ", ".join(ignored), "precision": str(precision), "mode": str(config.get("mode")), "known": ", ".join(sorted(KNOWN)),
        }  # fmt: skip
        if ignored:
            yield Finding(
                "pymnn ignores {keys} in the session's configuration.",
                "It reads {known}, and passes over every other key without a word."
                + (
                    " numThread and mode are one number: `'numThread': {mode}` sets the mode."
                    if "mode" in ignored
                    else ""
                ),
                "Write 'numThread': {mode} in place of 'mode': {mode}." if "mode" in ignored else "Leave {keys} out.",
                values,
                where=event.where,
                about="log:py_config",
            )
        if isinstance(precision, str) and precision not in PRECISIONS:
            yield Finding(
                "precision '{precision}' is not one of pymnn's: normal is taken.",
                "The texts are low, high and Low_BF16, in these very letters.",
                "Write 'precision': 'high'.",
                values,
                where=event.where,
                about="log:py_precision",
            )


def _literal(text: str) -> dict[str, object]:
    """The dictionary in a line; empty where it is no literal."""
    start, end = text.find("{"), text.find("}")
    try:
        found = ast.literal_eval(text[start : end + 1]) if 0 <= start < end else {}
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return {}
    return {str(k): v for k, v in found.items()} if isinstance(found, dict) else {}
