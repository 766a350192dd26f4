"""`python -m prepcheck`."""

from prepcheck.cli.main import entry

if __name__ == "__main__":
    entry()
