"""Mutation testing of `core`, `wire` and `readers`: `python -m tests.mutation --count 650 --seed 1`.

Operators are mutmut's own (libcst); mutmut itself wants to rewrite the whole tree and run it in place, which does not go
with a package whose tests start it as a program. Here one mutant at a time replaces its module inside a forked child, and
only the tests that touch the mutated line run.
"""
