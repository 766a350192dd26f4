"""Measurements: each file prints figures; small runs of them are tests."""
