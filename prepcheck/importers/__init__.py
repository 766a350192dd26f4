"""One file per foreign format that `prepcheck import` reads.

Each has TITLE (a few words for the list), `recognises(document) -> bool` and `read(document) -> Imported`.
"""
