"""Fuzzing of everything that reads: `python -m tests.fuzz --seconds 180`, `--target mnn --seed 7`, `--target mnn --seed 7 --index 123`.

Inputs are mutations of real files that know their structure (flatbuffer tables, JSON and YAML nodes, log lines, record
frames, image headers). Whatever comes out must be a result or a named error, soon and in bounded memory: see `oracle.py`.
"""
