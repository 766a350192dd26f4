"""What pasting does to logs: twelve ways to damage a text without changing what it says. Deterministic by seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Damage = Callable[[str, random.Random], str]

_HEAD = re.compile(r"\S")


def joined(text: str, rng: random.Random) -> str:
    """Some neighbouring lines on one physical line, a space between."""
    out: list[str] = []
    for line in text.split("\n"):
        if out and line.strip() and out[-1].strip() and rng.random() < 0.35 and len(out[-1]) < 600:
            out[-1] += " " + line.strip()
        else:
            out.append(line)
    return "\n".join(out)


def wrapped(text: str, rng: random.Random) -> str:
    """Long lines over two or more, as a narrow terminal shows them (words cut or not)."""
    width = rng.choice((60, 72, 80, 100, 132))
    soft = rng.random() < 0.5
    out: list[str] = []
    for line in text.split("\n"):
        while len(line) > width:
            cut = width
            if soft:
                space = line.rfind(" ", 20, width)
                cut = space if space > 0 else width
            out.append(line[:cut])
            line = line[cut:].lstrip(" ") if soft else line[cut:]
        out.append(line)
    return "\n".join(out)


def quoted(text: str, rng: random.Random) -> str:
    """Mail or forum quotes."""
    mark = rng.choice(("> ", ">> ", "> > ", ">"))
    return "\n".join(mark + line for line in text.split("\n"))


def bulleted(text: str, rng: random.Random) -> str:
    """List bullets or numbers in front."""
    kind = rng.choice(("- ", "* ", "• ", "1. "))
    lines = text.split("\n")
    if kind == "1. ":
        return "\n".join(f"{i % 99 + 1}. {line}" if _letters(line) else line for i, line in enumerate(lines))
    return "\n".join(kind + line if line.strip() else line for line in lines)


def _letters(line: str) -> bool:
    """A numbered list is only told from a number where a word follows."""
    found = _HEAD.search(line)
    return found is not None and (found[0].isalpha() or found[0] in "[\"'")


def crlf(text: str, rng: random.Random) -> str:
    """Windows line ends."""
    return text.replace("\n", "\r\n")


def ansi(text: str, rng: random.Random) -> str:
    """Terminal colours."""
    color = rng.choice((31, 32, 33, 36))
    return "\n".join(f"\x1b[{color}m{line}\x1b[0m" if line.strip() else line for line in text.split("\n"))


def logcat(text: str, rng: random.Random) -> str:
    """Android's log in front."""
    tag = rng.choice(("demo", "rknn_demo", "native", "yolov5"))
    return "\n".join(
        f"09-14 08:45:{i % 60:02d}.{rng.randrange(1000):03d}  6912  6915 I {tag:<8}: {line}" if line.strip() else line
        for i, line in enumerate(text.split("\n"))
    )


def syslog(text: str, rng: random.Random) -> str:
    """Syslog or the journal in front."""
    head = rng.choice(
        ("Aug 12 10:00:{:02d} orangepi5 demo[1234]: ", "2024-08-12T10:00:{:02d}.123456+08:00 rk3588 app[77]: ")
    )
    return "\n".join(head.format(i % 60) + line if line.strip() else line for i, line in enumerate(text.split("\n")))


def full_width(text: str, rng: random.Random) -> str:
    """Full-width punctuation, as an input method makes it."""
    signs = str.maketrans({",": "，", ":": "：", "(": "（", ")": "）", "!": "！", "[": "［", "]": "］", "=": "＝"})
    return text.translate(signs)


def no_end(text: str, rng: random.Random) -> str:
    """The last character or two of some lines, where they are punctuation, are missing; trailing spaces come and go."""
    out = []
    for line in text.split("\n"):
        kept = line.rstrip()
        if rng.random() < 0.6:
            kept = kept.rstrip("!.")
        out.append(kept + " " * rng.randrange(3))
    return "\n".join(out)


_TALK = (
    "I tried this on two boards and it is the same, what should I do?",
    "请问这个问题怎么解决？我用的是自带的模型",
    "Здравствуйте, помогите пожалуйста с этой ошибкой",
    "この問題を解決する方法を教えてください",
    "Thanks for the answer, here is the rest of the log that you asked for:",
    "其他都正常，只有这里报错",
)


def talk(text: str, rng: random.Random) -> str:
    """What people write between the lines, in any language."""
    out: list[str] = []
    for line in text.split("\n"):
        out.append(line)
        if line.strip() and rng.random() < 0.15:
            out += ["", rng.choice(_TALK), ""]
    return "\n".join(out)


def blank(text: str, rng: random.Random) -> str:
    """Empty lines between, indentation, tabs for runs of spaces, code fences."""
    lines = ["```"]
    for line in text.split("\n"):
        lines.append("    " + line)
        if rng.random() < 0.3:
            lines.append("")
    return "\n".join([*lines, "```"])


DAMAGES: dict[str, Damage] = {
    "joined": joined, "wrapped": wrapped, "quoted": quoted, "bulleted": bulleted, "crlf": crlf, "ansi": ansi, "logcat": logcat,
    "syslog": syslog, "full_width": full_width, "no_end": no_end, "talk": talk, "blank": blank,
}  # fmt: skip
"""The twelve."""
