"""The guard that stands before every run, and the recorder that uses the same hooks: standard library and numpy only."""
