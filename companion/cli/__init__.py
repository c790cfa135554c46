"""The `companion` command. Each subcommand lives in its own module and is imported only when it is called,
so that `companion dungeon-drop rooms` does not wait for OpenCV and `companion --help` waits for nothing."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final

import click

from companion.errors import CompanionError

# Our matrices are small: BLAS threads that wait for each other cost more than they save, most on a busy machine.
# Nothing here has imported numpy yet, and processes that are started later inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# name: (module, its click command, what the overview says of it)
COMMANDS: Final[dict[str, tuple[str, str, str]]] = {
    "serve": ("companion.cli.serve", "serve", "Start the page that everyone at the table opens."),
    "read": ("companion.cli.reading", "read", "Read photos of a table."),
    "teach": ("companion.cli.reading", "teach", "Learn your copy's pieces from tapped photos."),
    "print": ("companion.cli.printing", "print_kit", "Write the marker cards and the lens board as a PDF."),
    "bench": ("companion.cli.bench", "bench", "Measure the readers: accuracy, rooms, speed, memory."),
    "lens": ("companion.cli.lens", "lens", "Measure a camera's lens from photos of a printed board."),
    "merge": ("companion.cli.merging", "merge", "Read two photos of one table, from two sides, as one."),
    "watch": ("companion.cli.watching", "watch", "Watch a camera without a page: a line for each settled reading."),
    "cameras": ("companion.cli.cameras", "cameras", "List the webcams that can be used."),
    "check": ("companion.cli.check", "check", "Before play: light, glare, focus, cards, resolution."),
    "dungeon-drop": ("companion.cli.drop", "drop", "Dungeon Drop: rooms and what they hold, final scores."),
    "dungeon-hustle": ("companion.cli.hustle", "hustle", "Dungeon Hustle: monster moves, best runs, final scores."),
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, text) for name, (_, _, text) in COMMANDS.items()]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="dungeon-companion")
def companion() -> None:
    """Reads the table, knows the rules, settles the argument.

    Start with `companion serve`: it opens the page that everyone at the table can use.
    """


def main() -> None:
    """Exit codes: 0 fine, 1 a photo could not be read, 2 bad usage or input. Never a traceback for a user's mistake."""
    try:
        code = companion.main(standalone_mode=False)  # click returns the code of an Exit that a command raised
        sys.exit(code if isinstance(code, int) else 0)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as problem:
        problem.show()
        sys.exit(2)
    except CompanionError as problem:
        click.echo(f"companion: {problem}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away, as `| head` does: not our failure
        sys.exit(0)
