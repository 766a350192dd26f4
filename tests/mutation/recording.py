"""A pytest plugin: which lines of the three rooms each test touches, and how long it takes (one JSON file)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

from tests.mutation.mutants import ROOMS


class Recorder:
    """Switches coverage's context with every test; writes {"lines": {file: {line: [test, …]}}, "seconds": {test: s}}."""

    def __init__(self, target: Path, root: Path) -> None:
        self.target = target
        self.root = root
        self.coverage = coverage.Coverage(
            data_file=None, include=[str(root / "prepcheck" / room / "*") for room in ROOMS], config_file=False
        )
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test: set-up, call and tear-down count for it."""
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.process_time() - start, 4)
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails without any mutant says nothing about one."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {
            str(Path(file).relative_to(self.root)): {
                str(line): sorted(set(contexts) - {""} - self.failed)
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        self.target.write_text(json.dumps({"lines": lines, "seconds": self.seconds}), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Begin before anything of the package is imported."""
    config.pluginmanager.register(Recorder(Path(os.environ["MUTATION_MAP"]), Path.cwd()))
