"""A write takes more bytes than its source holds, or more than the memory has.

What it checks
    Whether the size of each write fits the buffer it reads from and the memory it goes to.

Why it matters
    Beyond the source lie foreign bytes (or the program dies); beyond the memory it overwrites something else.

How it is computed
    size of the write against the size of `from` and against the size of the memory at that moment.

Example
    memcpy of size_with_stride = 602112 bytes of a float16 input out of 301056 bytes of uint8 pictures.

Fix
    Copy what the source holds; where the model's type is wider, convert instead of copying.

Limits
    RGA and decoders do not copy byte for byte; their sources are not compared.

References
    airockchip/rknn-toolkit2#62.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.memory_calls import Copied
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MM004",
    "copy-beyond-buffer",
    over="call:write",
    category="memory",
    rank=Rank.CALL,
    sources=("airockchip/rknn-toolkit2#62", "runtime:Z-08"),
)
def check(copied: Copied) -> Iterator[Finding]:
    values: dict[str, Value] = {
        "size": copied.size, "source": copied.source, "source_size": copied.source_size, "memory": copied.memory,
        "memory_size": copied.memory_size, "source_dtype": copied.source_dtype, "memory_dtype": copied.memory_dtype,
        "link": "write -> memory",
    }  # fmt: skip
    if copied.source_size is not None and copied.size > copied.source_size:
        values["over"] = copied.size - copied.source_size
        wider = copied.source_dtype != copied.memory_dtype and copied.source_dtype and copied.memory_dtype
        yield Finding(
            "{size} bytes are copied out of {source}, which holds {source_size}.",
            "{size} - {source_size} = {over} bytes of foreign memory. {source} is {source_dtype}, {memory} is {memory_dtype}: a "
            "copy changes no type, so the bytes would be taken for {memory_dtype} elements as well."
            if wider
            else "{size} - {source_size} = {over} bytes of foreign memory go along, or the program dies.",
            "Convert {source} to {memory_dtype} while writing, or bind the memory as {source_dtype} with pass_through 0 and copy "
            "{source_size} bytes."
            if wider
            else "Copy {source_size} bytes.",
            values,
            category="dtype" if wider else None,
            about=copied.about,
        )
    elif copied.memory_size is not None and copied.size > copied.memory_size:
        values["over"] = copied.size - copied.memory_size
        yield Finding(
            "{size} bytes are written into {memory}, which has {memory_size}.",
            "{size} - {memory_size} = {over} bytes go beyond the memory and overwrite what lies behind it.",
            "Make the memory larger, or write at most {memory_size} bytes.",
            values,
            about=copied.about,
        )
