"""Commands of the program, as entries of the registry (`longsum.commands`)."""

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

import typer


@dataclass(frozen=True, slots=True)
class Command:
    """A command, registered by its name.

    Attributes:
        run: The function, whose parameters are its options; or a group of subcommands.
        does: What it does, in one line.
        examples: Example command lines.
        help: Its help text; None for the docstring of the function.
    """

    run: Callable[..., None] | typer.Typer
    does: str
    examples: tuple[str, ...] = ()
    help: str | None = None

    def build(self, name: str) -> Any:
        """Return it as a Click command."""
        program = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
        shown: Any = {"name": name, "short_help": self.does, "epilog": epilog(self.examples)}
        if isinstance(self.run, typer.Typer):
            program.add_typer(self.run, help=self.help, **shown)
            group: Any = typer.main.get_command(program)
            return group.commands[name]
        program.command(help=self.help, **shown)(ungrouped(self.run))
        return typer.main.get_command(program)


def ungrouped(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the options of its groups one by one, as Typer requires.

    A group is a parameter whose type is a dataclass; its fields are declared like options.
    """
    hints = get_type_hints(function)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    fields = {name: signature(group).parameters for name, group in groups.items()}
    taken: list[Parameter] = []
    for name, parameter in signature(function).parameters.items():
        taken += fields[name].values() if name in groups else [parameter]

    def run(**given: Any) -> None:
        options = {
            name: group(**{field: given.pop(field) for field in fields[name]})
            for name, group in groups.items()
        }
        function(**given, **options)

    run.__name__, run.__doc__ = function.__name__, function.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in taken}
    keyword = Parameter.KEYWORD_ONLY
    taken = [parameter.replace(kind=keyword) for parameter in taken]
    run.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    return run


def epilog(examples: tuple[str, ...]) -> str:
    """Return the examples at the end of a help text."""
    # `\b` makes Click keep the line breaks.
    return "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)
