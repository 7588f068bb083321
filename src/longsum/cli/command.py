"""What a command of the program is, for the registry (`longsum.commands`)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import typer


@dataclass(frozen=True, slots=True)
class Command:
    """A command, registered by its name.

    Attributes:
        run: The function, whose parameters are its options; or several commands below it.
        does: What it does, in one line.
        examples: Lines that use it.
        help: Its help text; None for the docstring of the function.
    """

    run: Callable[..., None] | typer.Typer
    does: str
    examples: tuple[str, ...] = ()
    help: str | None = None

    def build(self, name: str) -> Any:
        """Return the command as Click has it."""
        program = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
        shown: Any = {"name": name, "short_help": self.does, "epilog": epilog(self.examples)}
        if isinstance(self.run, typer.Typer):
            program.add_typer(self.run, help=self.help, **shown)
            group: Any = typer.main.get_command(program)
            return group.commands[name]
        program.command(help=self.help, **shown)(self.run)
        return typer.main.get_command(program)


def epilog(examples: tuple[str, ...]) -> str:
    """Return the end of a help text: the examples."""
    # The mark before them keeps the line breaks.
    return "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)
