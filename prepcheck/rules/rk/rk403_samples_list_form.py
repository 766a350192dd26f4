"""A calibration list is written in a form that rknn-toolkit2 misreads.

What it checks
    A blank first line, a byte order mark, comments, tabs or commas between files, spaces or quotes in a name.

Why it matters
    The list looks right in an editor and the build stops with words that do not name the cause: `input num: 0`, an
    image that `is invalid` though it is there, `Unsupport file #`.

How it is computed
    Where the parts of a line do not exist as files and the line read otherwise does, that is what was meant.

Example
    `two words.png` is split into `two` and `words.png`.

Fix
    One line for each sample, single spaces between files, no spaces in names, no comments, UTF-8 without byte order
    mark.

Limits
    Lists for rknn-toolkit2 only. Blank lines after the first are passed over by it and no fault.

References
    Measured: rknn-toolkit2 2.5.0, one list for each form.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import LineProblem
from prepcheck.registry import Finding, Rank, rule

_FORMS = {
    "blank_first_line": "The list begins with a blank line: the toolkit counts 0 inputs there.",
    "byte_order_mark": "The list begins with a byte order mark: the toolkit takes it as part of the first name.",
    "comment": "The list has comments, {count} in all, the first on line {line}: the toolkit takes `#` for a file.",
    "tab": "Tabs stand between the files, on {count} lines, the first is line {line}: the toolkit splits at spaces only.",
    "comma": "Commas stand between the files, on {count} lines, the first is line {line}: the toolkit splits at spaces only.",
    "space": "{count} names have a space in them, the first on line {line}: the toolkit splits there.",
    "quotes": "Quotes stand around names, on {count} lines, the first is line {line}: the toolkit takes them as part of the name.",
}


@rule(
    "RK403",
    "samples-list-form",
    over="sample_set",
    category="other",
    severity="error",
    rank=Rank.CONTRACT,
    runtimes=("rknn",),
    sources=("measured: rknn-toolkit2 2.5.0, one dataset file for each form",),
    scope="conversion",
)
def check(toolkit_problems: tuple[LineProblem, ...]) -> Iterator[Finding]:
    for kind, message in _FORMS.items():
        bad = [p for p in toolkit_problems if p.kind == kind]
        if bad:
            yield Finding(
                message,
                "rknn-toolkit2 reads line {line} otherwise than it is meant, `{text}`, and refuses to build.",
                "Write one sample on each line, files separated by single spaces, names without spaces, no comments, UTF-8 without "
                "a byte order mark.",
                {"line": bad[0].line, "count": len(bad), "text": bad[0].text, "kind": kind},
                about=f"samples.{kind}",
            )
