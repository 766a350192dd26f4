"""Mutations that know what they damage. Every function takes a `random.Random`: the same seed makes the same input."""

from __future__ import annotations

import json
import struct
from random import Random

WILD = (0, 1, 2, 3, 4, 7, 8, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE,
        0xFFFFFFFF, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 64, (1 << 64) - 1)  # fmt: skip
NAMES = ("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b2J", "a\rb", "a\nb", "‮gpj", "\u200b", "\x00", "é" * 40, "😀", "ＦＵＬＬ", "../../etc/passwd",
         "/etc/passwd", "<script>alert(1)</script>", "' \" & <b>", "%s%n", "{0}", "{got}", "\ud83d", "a" * 5000, "", " ", "C:\\x", "con", "-rf")  # fmt: skip
NUMBERS = ("0", "-1", "1e999", "-1e999", "nan", ".nan", ".inf", "1e-320", "9" * 30, "9" * 5000, "0x7fffffff", "18446744073709551616",
           "1_000", "0o17", "１２", "-0", "1.5", "4294967296", "0.1.2", "+7", "1e400")  # fmt: skip
VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**40, -(10**30), 0.5, -0.0, 1e308, float("inf"), float("nan"), "", [], {}, [[]],
    [None], {"a": {}}, [0] * 50, "0", "x" * 3000, [1e999], *NAMES[:8],
)  # fmt: skip
TOKENS = ("&a ", "*a", "!!python/object:os.system ", "!!binary ", "<<: ", "? ", "- ", ": ", "{", "}", "[", "]", "|\n", ">-\n", "%YAML 9.9\n",
          "---\n", "...\n", "\t", "#", "@", "`", "'", '"', "\\", ",", "\x00", "\ufeff", "\u2028", "\x85")  # fmt: skip


def splice(data: bytes, other: bytes, rng: Random) -> bytes:
    """The head of one and the tail of the other."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def damage_bytes(data: bytes, rng: Random) -> bytes:
    """One to six damages: bytes, words, cuts, repeats, insertions; early offsets oftener, since heads say the most."""
    found = bytearray(data)
    for _ in range(rng.randrange(1, 7)):
        if not found:
            return bytes(found)
        at = int(len(found) * rng.random() ** rng.choice((1, 3, 6)))
        kind = rng.randrange(9)
        if kind <= 1:
            found[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif kind == 2:
            found[at] ^= 1 << rng.randrange(8)
        elif kind <= 5:
            form = rng.choice(("<H", "<I", "<Q", ">H", ">I", ">Q"))
            width = struct.calcsize(form)
            start = at & ~(width - 1) if rng.random() < 0.7 else at
            value = (rng.choice(WILD) + rng.choice((0, 0, 0, 1, -1, len(found), rng.randrange(4096)))) % (
                1 << 8 * width
            )
            found[start : start + width] = struct.pack(form, value)
        elif kind == 6:
            del found[at : at + rng.choice((1, 2, 4, 16, 100, 5000, len(found)))]
        elif kind == 7:
            piece = bytes(found[at : at + rng.choice((1, 4, 16, 300))])
            found[at:at] = piece * rng.choice((1, 2, 50))
        else:
            found[at:at] = rng.randbytes(rng.choice((1, 3, 8, 64)))
    return bytes(found)


def damage_table(data: bytes, rng: Random) -> bytes:
    """References, counts and lengths of a little-endian flatbuffer: words that point inside are sent elsewhere."""
    found = bytearray(data)
    limit = max(8, min(len(found), 60_000) - 8)
    for _ in range(rng.randrange(1, 5)):
        for _ in range(40):
            at = rng.randrange(0, limit) & ~3
            if at + 4 > len(found):
                continue
            (word,) = struct.unpack_from("<I", found, at)
            if 0 < word < len(found):
                value = rng.choice(
                    (0, word + 4, word - 4, word * 2, len(found), len(found) - at, -at, 0xFFFFFFFC, rng.choice(WILD))
                )
                struct.pack_into("<I", found, at, value & 0xFFFFFFFF)
                break
    return bytes(found)


def damage_value(value: object, rng: Random, depth: int = 0) -> object:
    """One place of a document replaced, dropped, doubled, renamed or nested."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        way = rng.random()
        if way < 0.08:
            return {k: v for k, v in value.items() if k != key}
        if way < 0.14:
            return {(rng.choice(NAMES) if k == key else k): v for k, v in value.items()}
        if way < 0.18:
            return {**value, rng.choice(NAMES): rng.choice(VALUES)}
        return {k: damage_value(v, rng, depth + 1) if k == key else v for k, v in value.items()}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        way = rng.random()
        if way < 0.08:
            return value[:at] + value[at + 1 :]
        if way < 0.14:
            return value + [value[at]] * rng.choice((1, 3, 200))
        return [*value[:at], damage_value(value[at], rng, depth + 1), *value[at + 1 :]]
    way = rng.random()
    if way < 0.05:
        deep: object = value
        for _ in range(rng.choice((2, 45, 300))):
            deep = [deep] if rng.random() < 0.5 else {"a": deep}
        return deep
    if isinstance(value, int) and not isinstance(value, bool) and way < 0.6:
        return rng.choice(
            (value + 1, value - 1, -value, value * 2, value * 1000, value // 2, float(value), str(value), value << 40)
        )
    if isinstance(value, float) and way < 0.6:
        return rng.choice(
            (-value, value * 255, 1 / value if value else 0.0, int(value) if abs(value) < 1e18 else 0, [value])
        )
    if isinstance(value, str) and way < 0.5:
        return rng.choice(
            (
                value.upper(),
                value[::-1],
                value + rng.choice(NAMES),
                value[:-1],
                [value],
                rng.choice(NUMBERS),
                value * 40,
            )
        )
    return rng.choice(VALUES)


def damage_document(value: object, rng: Random) -> object:
    """One to four places of a document."""
    for _ in range(rng.randrange(1, 5)):
        value = damage_value(value, rng)
    return value


def as_json(value: object) -> bytes:
    """JSON text; NaN and infinities as JavaScript writes them, lone surrogates escaped."""
    return json.dumps(value, ensure_ascii=True).encode()


def damage_text(data: bytes, rng: Random) -> bytes:
    """Lines exchanged, doubled, cut and joined; numbers and names replaced; control characters and syntax put in."""
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(rng.randrange(1, 6)):
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        kind = rng.randrange(10)
        if kind == 0:
            lines[at:at] = [lines[rng.randrange(len(lines))]] * rng.choice((1, 2, 30))
        elif kind == 1:
            del lines[at]
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
        elif kind == 4 and lines[at]:
            lines[at] = rng.choice(("> ", "  ", "[ 12.345678] ", "E/RKNN: ", "\t", "- ", "\x1b[1m", "​")) + lines[at]
        elif kind <= 6:
            lines[at] = _one_number(lines[at], rng)
        else:
            place = rng.randrange(len(lines[at]) + 1)
            put = rng.choice((*TOKENS, *NAMES, *NUMBERS))
            lines[at] = lines[at][:place] + put + lines[at][place + rng.choice((0, 0, 1, 5)) :]
        text = "\n".join(lines)
        if len(text) > 400_000:
            break
    return text.encode("utf-8", "surrogatepass" if rng.random() < 0.1 else "replace")


def _one_number(line: str, rng: Random) -> str:
    """One run of digits exchanged."""
    starts = [i for i, c in enumerate(line) if c.isdigit() and (i == 0 or not line[i - 1].isdigit())]
    if not starts:
        return line
    start = rng.choice(starts)
    end = start
    while end < len(line) and line[end].isdigit():
        end += 1
    old = int(line[start:end][:20] or "0") if line[start:end].isascii() else 0
    new = rng.choice((*NUMBERS, str(old + 1), str(old * 100), str(old // 2), str(old << 16)))
    return line[:start] + new + line[end:]
