"""Whole data sets: find the samples, judge them in units on an executor, keep a journal, group what was found."""
