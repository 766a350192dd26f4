"""Lines that runtimes print → facts. Patterns are data (`prepcheck/data/log_patterns_*.json`), one file a runtime."""
