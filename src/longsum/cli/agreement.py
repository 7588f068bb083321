"""`longsum agreement`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from longsum.cli.command import Command
from longsum.cli.options import Form, Seed
from longsum.cli.streams import write_as
from longsum.common.wording import counted

EXAMPLES = (
    "longsum agreement ratings.csv",
    "longsum agreement ratings.csv --level ordinal --format json",
)

if TYPE_CHECKING:
    from longsum.evaluation.metrics.agreement import Agreement


def agreement(
    ratings: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A CSV file with a line for each rated unit and a column for each rater. The "
            "first line names the raters, the first column the units; empty cells are missing "
            "ratings.",
        ),
    ],
    level: Annotated[
        Literal["nominal", "ordinal", "interval"],
        typer.Option(
            "--level",
            help="The kind of ratings: categories, ranks such as 1 to 5, or numbers.",
        ),
    ] = "nominal",
    seed: Seed = 0,
    form: Form = "text",
) -> None:
    """Measure how far people agree beyond chance: Krippendorff's alpha with its interval.

    It is a 95 % interval, from resampling the units.
    """
    from longsum.documents.readers import ReadLimits
    from longsum.documents.readers.decode import decode
    from longsum.documents.readers.reading import load
    from longsum.evaluation.metrics.agreement import agreement as measure
    from longsum.evaluation.metrics.agreement import parse_ratings

    data, name = load(ratings, ReadLimits())
    result = measure(parse_ratings(decode(data, name)[0], name), level, seed=seed)
    values = {"level": level, **asdict(result)}
    write_as(form, values, lambda: _told(result, level))


def _told(found: "Agreement", level: str) -> str:
    of = f"{counted(found.ratings, 'rating')} of {counted(found.units, 'unit')}"
    if found.alpha is None:
        return f"{of}: all are the same, so that nothing can be told from chance.\n"
    interval = "" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"Krippendorff's alpha ({level}), {of}: {found.alpha:.3f}{interval}\n"


COMMAND = Command(agreement, "Measure how far people's ratings agree.", EXAMPLES)
