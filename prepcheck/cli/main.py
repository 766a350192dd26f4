"""The group of commands, found lazily; errors become one report and exit code 2, never a traceback."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence

import click

from prepcheck.cli.output import FORMATS
from prepcheck.errors import ExitCode, PrepcheckError, UsageError

# numpy's linear algebra is not used: one thread spares start-up time and memory (set before numpy is imported)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# no plugin may change how our documents are validated; looking for some costs 70 ms at every start
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

COMMANDS: dict[str, str] = {
    "validate": "Check an image's whole way into a model.",
    "inspect": "Show the contract that a model file states.",
    "explain": "Explain a log, a size mismatch or a symptom.",
    "diff": "Compare two models, plans, logs or records.",
    "golden": "Write the exact bytes to hand over.",
    "init": "Write a plan to fill in for a model.",
    "rules": "List the rules, or show the page of one.",
    "export": "Write a contract in another form.",
    "trace": "Record what a program really hands over.",
    "sweep": "Validate a folder, glob or dataset.txt.",
    "import": "Turn another project's preprocessing file into a plan.",
}


class Commands(click.Group):
    """Commands whose module is imported only when they are called or asked for help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands that are there, in the order of the table."""
        return [name for name in COMMANDS if _module_exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS or not _module_exists(cmd_name):
            return None
        module = importlib.import_module(f"prepcheck.cli.{_module(cmd_name)}")
        command = module.command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, but an unknown command gets the nearest known one."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and self.get_command(ctx, name) is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(f"no command '{name}'{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


def _module(name: str) -> str:
    return f"{name}_" if name in ("import",) else name


def _module_exists(name: str) -> bool:
    return os.path.exists(os.path.join(os.path.dirname(__file__), f"{_module(name)}.py"))


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option("0.1.0", "--version", message="prepcheck %(version)s")
def cli() -> None:
    """Verify what goes into a neural network on a Rockchip NPU (RKNN) or in MNN, before the run.

    \b
    prepcheck validate model.rknn image.jpg
    prepcheck explain --file board.log

    Exit codes: 0 no error found, 1 at least one error found, 2 could not judge.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = cli.main(args=argv, prog_name="prepcheck", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.UsageError as error:
        code = _usage(error, argv)
    except (click.Abort, KeyboardInterrupt):
        sys.stderr.write("interrupted\n")
        code = 130
    except BrokenPipeError:
        code = _closed_pipe()
    except PrepcheckError as error:
        code = _refuse(error, argv)
    except (Exception, RecursionError) as error:  # the last net: a bug is reported as one, without a traceback
        code = _bug(error, argv)
    sys.exit(int(code or 0))


def entry() -> None:
    """The program: `main`, without the last collection of garbage, which frees what the end of the process frees anyway."""
    try:
        main()
    finally:
        gc.disable()


_MACHINE = FORMATS[1:]
"""Formats for programs: a refusal is written in them too."""


def wanted_format(argv: Sequence[str]) -> str:
    """The format for programs that the arguments ask for, readable even where they are wrong otherwise; else `text`."""
    asked = "text"
    for i, a in enumerate(argv):
        if a == "--format" and i + 1 < len(argv):
            asked = argv[i + 1]
        elif a.startswith("--format="):
            asked = a.partition("=")[2]
    return "json" if asked == "jsonl" else asked if asked in _MACHINE else "text"


def wants_json(argv: Sequence[str]) -> bool:
    """Whether the arguments ask for a document, which then is written also where nothing can be judged."""
    return wanted_format(argv) != "text"


def _usage(error: click.UsageError, argv: Sequence[str]) -> int:
    if wants_json(argv):
        return _refuse(UsageError(error.format_message()), argv)
    hint = f"\nTry '{error.ctx.command_path} --help'." if error.ctx is not None else ""
    sys.stderr.write(f"prepcheck: {error.format_message()}{hint}\n")
    return int(ExitCode.UNJUDGED)


def _refuse(error: PrepcheckError, argv: Sequence[str]) -> int:
    if "--debug" in argv:
        import traceback

        traceback.print_exception(error)
    also = [argv[i + 1].partition("=")[::2] for i, a in enumerate(argv[:-1]) if a == "--also"]
    also += [a.removeprefix("--also=").partition("=")[::2] for a in argv if a.startswith("--also=")]
    if any(kind in _MACHINE and file for kind, file in also):
        from prepcheck.app.unjudged import unjudged
        from prepcheck.cli.output import write_also

        with contextlib.suppress(PrepcheckError):  # the refusal itself is what has to be told
            write_also(unjudged(error), [(kind, file) for kind, file in also if kind in _MACHINE and file])
    if wants_json(argv):
        from prepcheck.app.unjudged import unjudged
        from prepcheck.cli.output import machine_text

        sys.stdout.write(machine_text(unjudged(error), wanted_format(argv)))
        sys.stdout.flush()
    else:
        from prepcheck.render.plain import clean

        sys.stderr.write(f"prepcheck: {clean(error.message)}\n")
    return int(ExitCode.UNJUDGED)


def _bug(error: BaseException, argv: Sequence[str]) -> int:
    if "--debug" in argv:
        import traceback

        traceback.print_exception(error)
    wrapped = PrepcheckError(
        f"a bug in prepcheck: {type(error).__name__}: {' '.join(str(error).split())[:300]}; "
        "please report it with the file that caused it (--debug shows where)"
    )
    return _refuse(wrapped, [a for a in argv if a != "--debug"])


def _closed_pipe() -> int:
    """The reader has gone (`| head`): nothing more can be said, and nothing is wrong."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
