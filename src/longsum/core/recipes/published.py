"""The scores that papers publish, of systems with a recipe and of others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pydantic import ConfigDict

from longsum.common.structured_text import shipped_yaml
from longsum.core.recipes.recipe import Metric, Percent, check, recipes


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """Scores of a system on the test split of a data set, as a paper prints them.

    Attributes:
        system: The system, with its size where there are several.
        data: The data set, by its name in the catalogue.
        scores: Metric to value in percent; see `Published.scores`. What the source does not print
            is absent.
        source: Where the numbers were read.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    system: str
    data: str
    scores: Mapping[Metric, Percent]
    source: str


@cache
def published() -> tuple[PublishedRow, ...]:
    """Return the published scores of systems that have no recipe.

    Raises:
        LongsumError: The file is malformed.
    """
    held = shipped_yaml("longsum.core.recipes", "published.yaml")["rows"]
    return tuple(check(PublishedRow, row, "The list of published scores") for row in held)


def all_published() -> Iterator[PublishedRow]:
    """Yield all published scores: those that recipes are compared with, then all others."""
    for recipe in recipes():
        for row in recipe.published:
            yield PublishedRow(recipe.name, row.data, row.scores, row.table)
    yield from published()
