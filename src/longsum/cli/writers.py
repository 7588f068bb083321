"""`longsum writers`."""

from typing import Annotated, Any

import typer

from longsum.cli.command import Command
from longsum.cli.options import Form
from longsum.cli.streams import entries, write_as
from longsum.common.extras import missing_extras_explained

EXAMPLES = (
    "longsum writers",
    "longsum writers http://127.0.0.1:8080/v1",
)


def writers(
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS]",
            help="A server to ask, such as http://127.0.0.1:8080/v1, or a name from the list.",
        ),
    ] = None,
    allow_net: Annotated[
        bool, typer.Option("--allow-net", help="Allow a server on another machine.")
    ] = False,
    form: Form = "text",
) -> None:
    """List the language models that you have named, or ask a server what it offers.

    A model behind a chat endpoint writes summaries with --model ADDRESS#NAME. Asking a server sends
    it no document, only three calls of a few words, which show what its model can do.
    """
    rows = _named() if address is None else [_asked(address, allow_net)]
    write_as(form, rows, lambda: _text(rows))


def _named() -> list[dict[str, Any]]:
    from longsum.writers.endpoint import named_writers

    return [
        {"name": name, "address": str(each), "context": each.context, "key_from": each.key_from}
        for name, each in named_writers().items()
    ]


@missing_extras_explained()
def _asked(address: str, allow_net: bool) -> dict[str, Any]:
    from longsum.writers.client import described
    from longsum.writers.endpoint import writer_at

    return described(writer_at(address), allow_net=allow_net)


def _text(rows: list[dict[str, Any]]) -> str:
    from longsum.writers.endpoint import writers_file

    if not rows:
        return (
            f"No writer is named in {writers_file()}; name one as in\n\n"
            "local:\n  url: http://127.0.0.1:8080/v1#NAME\n"
        )
    lines = [
        (name, [str(value)])
        for row in rows
        for name, value in row.items()
        if value not in ("", None)
    ]
    return entries(lines)


COMMAND = Command(writers, "List language models behind endpoints, or ask one.", EXAMPLES)
