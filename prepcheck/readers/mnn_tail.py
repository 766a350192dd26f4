"""Bytes behind a model: MNN accepts them, and they show that a file was appended to or is two files."""

from __future__ import annotations

from prepcheck.contract.contract import Note
from prepcheck.core.layouts import round_up
from prepcheck.readers.mnn_net import MnnNet
from prepcheck.readers.mnn_schema import Net
from prepcheck.readers.mnn_survey import Survey
from prepcheck.readers.notes import note

_PADDING = 8
"""Most alignment that a flatbuffer of this schema needs (64-bit offsets of external weights)."""


def tail_notes(net: MnnNet, found: Survey) -> list[Note]:
    """`appended_bytes` where that can be told.

    A flatbuffer does not hold its length. It is written from its end, and the business code is the first part of a Net
    to be written (the order of the schema's fields), so it ends the file; measured: 23 models of 3.6.1, 3 older ones.
    Where anything else is found behind it, another program wrote the file and nothing is said.
    """
    place = net.root.place(Net.BIZ_CODE)
    if place is None:
        return []
    others = [net.root.place(slot) or 0 for slot in Net.REFERENCES if slot != Net.BIZ_CODE]
    if max(*others, found.furthest) > place:
        return []
    end = place + 4 + net.root.count(Net.BIZ_CODE) + 1
    if net.source.size <= round_up(end, _PADDING):
        return []
    end = round_up(end, 4)
    return [note("appended_bytes", bytes=net.source.size - end, offset=end)]
