"""Realization: a sentence of a report from the entries of its table that it states.

Stepwise (Narayan et al. 2020), B.4: reports are split into sentences, each with the plan that is
inferred for it (`longsum.tables.oracle_plans`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from longsum.common.errors import LongsumError
from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Source
from longsum.evaluation.datasets.info import Example
from longsum.language.sentences import sentence_texts
from longsum.models.tasks.task import Pair
from longsum.models.tasks.task_settings import TaskConfig
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.oracle_plans import stated_records
from longsum.tables.plan_checks import unplanned_numbers
from longsum.tables.realization.realizer_input import context_of, realizer_input


@dataclass(frozen=True, slots=True)
class Realization:
    """Pairs each sentence of a report with its entries, their context and the previous sentence.

    The previous sentence is the last one that states entries, since the others are in no plan.

    Attributes:
        traced: Whether sentences with numbers that the table does not confirm are left out; the
            paper keeps them, and its realizer learned to add such numbers (§7).
    """

    traced: bool = True

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the sentences of a game's report that state entries.

        Raises:
            LongsumError: The example is not a game.
        """
        game = example.extra.get("game")
        if game is None:
            raise LongsumError(
                "A realizer learns from games; choose a data set such as rotowire_games."
            )
        table = game_table(game)
        sentences = sentence_texts(example.references[0])
        previous = ""
        for text, read in zip(sentences, matcher_for(table).read(sentences), strict=True):
            entries = stated_records(read, table)
            if not entries:
                continue
            allowed = {*entries, *context_of(table, entries)}
            if not (self.traced and any(unplanned_numbers(read, allowed, table))):
                yield Pair(source_document(realizer_input(table, entries, previous)), text)
            previous = text


def source_document(source: str) -> Document:
    """Return what a realizer reads as a document of one sentence."""
    builder = DocumentBuilder()
    builder.sentences([source])
    return builder.build("", Source("", "realization"))


def build_realization(settings: TaskConfig) -> Realization:
    """Make the task of a model's settings."""
    return Realization(settings.traced)
