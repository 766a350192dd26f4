"""One file per form that `prepcheck export --to KIND` writes: `<kind>.py` with underscores for the hyphens.

Each has TITLE (a few words for the list of kinds), NEEDS ("contract" or "plan": what must be found right) and
`export(prepared) -> str`.
"""
