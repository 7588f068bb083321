"""The content of requests: the command line's options, except any that lead elsewhere."""

import hashlib
import json
from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from longsum import __version__
from longsum.common.errors import LongsumError
from longsum.common.names import MAX_SEED
from longsum.common.wording import did_you_mean, quote
from longsum.core.recipes import recipes
from longsum.core.summaries import Budget, Fill
from longsum.service.service_settings import Settings

Kind = Literal["summary", "questions", "table"]
_LENGTHS = {"summary": "medium", "questions": "50w", "table": ""}
_FIELDS: dict[str, tuple[str, ...]] = {
    "summary": (
        *("system", "focus", "explain", "levels", "lengths", "shorten", "headings", "fill"),
        *("as_written", "at_once", "seed", "length", "writer", "keep"),
    ),
    "questions": ("question", "depth", "length", "writer", "keep"),
    "table": ("game", "planner"),
}
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class Wanted(BaseModel):
    """What is made of a document; each field is an option of the command line."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Annotated[
        Kind,
        Field(description="`summary`, a tree of `questions`, or the report of a `table`."),
    ] = "summary"
    length: Annotated[
        str,
        Field(
            max_length=40,
            description=(
                "The maximum length: 250w, 12s, 300t, 8%, short, medium, long, auto; by default "
                "medium, and 50w for each node of a tree."
            ),
        ),
    ] = ""
    system: Annotated[
        str | None, Field(max_length=80, description="A system that `/limits` lists.")
    ] = None
    writer: Annotated[
        str | None,
        Field(max_length=80, description="A language model that `/limits` lists, by its name."),
    ] = None
    focus: Annotated[Text | None, Field(description="What you want to know about.")] = None
    explain: Annotated[bool, Field(description="Say why each sentence was chosen.")] = False
    levels: Annotated[bool, Field(description="Summarize the chapters first, and show them.")] = (
        False
    )
    lengths: Annotated[
        bool,
        Field(
            description="Make a summary for every stop of the length slider, and the page with it."
        ),
    ] = False
    shorten: Annotated[bool | None, Field(description="Shorten the sentences it copies.")] = None
    headings: Annotated[bool | None, Field(description="Show the titles of sections.")] = None
    fill: Annotated[Fill | None, Field(description="How a length is filled.")] = None
    as_written: Annotated[bool, Field(description="Leave what a writer writes as it is.")] = False
    at_once: Annotated[bool, Field(description="Do not divide a long text.")] = False
    seed: Annotated[int, Field(ge=0, le=MAX_SEED, description="Seed of anything random.")] = 0
    question: Annotated[Text | None, Field(description="A question that the tree answers.")] = None
    depth: Annotated[int | None, Field(ge=1, le=100, description="Levels of the tree.")] = None
    game: Annotated[
        str | None, Field(max_length=200, description="Which game of several, by number or id.")
    ] = None
    planner: Annotated[
        Literal["table-rules", "table-ranker", "table-stepwise"] | None,
        Field(description="The planner of a table's report."),
    ] = None
    keep: Annotated[
        str,
        Field(
            max_length=200, description="Which of the parts left out to keep: tables,code, or all."
        ),
    ] = ""

    @field_validator("length")
    @classmethod
    def _possible_length(cls, length: str) -> str:
        try:
            if length:
                Budget.parse(length)
        except LongsumError as error:
            raise ValueError(str(error)) from None
        return length

    @model_validator(mode="after")
    def _fields_of_its_kind(self) -> Self:
        for name in sorted(self.stated().keys() - {"kind"}):
            if name not in _FIELDS[self.kind]:
                raise ValueError(f"A request of kind {self.kind!r} takes no {name}; leave it out.")
        if self.system is not None and self.writer is not None:
            raise ValueError("Give either a system or a writer; a writer is a system of its own.")
        if self.at_once and self.levels:
            raise ValueError(
                "levels needs the parts of a divided text, and at_once divides nothing; leave out "
                "one of them."
            )
        if self.as_written and self.writer is None:
            raise ValueError("as_written is for what a writer writes; name one, or leave it out.")
        return self

    def check(self, settings: Settings) -> None:
        """Check that the named system and writer are configured."""
        for what, name, known in (
            ("system", self.system, ready_systems()),
            ("writer", self.writer, tuple(settings.writers)),
        ):
            if name is not None and name not in known:
                raise LongsumError(
                    f"There is no {what} {quote(name)} here; /limits lists those there are."
                    f"{did_you_mean(name, known)}"
                )

    @property
    def budget(self) -> Budget:
        """The length."""
        return Budget.parse(self.length or _LENGTHS[self.kind])

    def stated(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults."""
        return self.model_dump(include=set(Wanted.model_fields), exclude_defaults=True)

    def hash_with(self, document: str, settings: Settings) -> str:
        """Return a hash that is the same for requests with the same result."""
        parts = {
            "version": __version__,
            "document": document,
            "wanted": self.stated() | {"length": ""},
            "length": str(self.budget) if self.kind != "table" else "",
            "writer": settings.writers.get(self.writer or ""),
            "limits": settings.read_limit,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@cache
def ready_systems() -> tuple[str, ...]:
    """Return the systems that requests may name: those without need of training or references."""
    return tuple(recipe.name for recipe in recipes() if recipe.state == "ready")
