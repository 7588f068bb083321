"""Scores of texts about games by the relations that they state (Wiseman et al. 2017, §4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.evaluation.metrics.reference_scores import corpus_bleu
from longsum.language.sentences import sentence_texts
from longsum.tables.games.rotowire import game_table, reference_text
from longsum.tables.matching.plain_words import PlainWords
from longsum.tables.plan import Plan
from longsum.tables.relation_finder import RelationFinder, plan_triples, same_in_league
from longsum.tables.table_relations import (
    content_ordering,
    content_selection,
    relation_generation,
)

SCHEMA = "longsum/report-scores/1"
_HEADS = {
    "rg_precision": "RG P",
    "rg_count": "RG #",
    "cs_precision": "CS P",
    "cs_recall": "CS R",
    "cs_f1": "CS F1",
    "co": "CO",
    "bleu": "BLEU",
}

_CHOICE = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class ReportScores:
    """The scores of texts about games.

    Attributes:
        reports: How many texts there are.
        scores: `rg_precision` and `rg_count`, distinct right relations per text. Against the
            references, if all games have one: `cs_precision`, `cs_recall`, `cs_f1`, `co` and
            `bleu`. All except the count are in [0, 1].
    """

    reports: int
    scores: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return the scores as JSON values."""
        return {"schema": SCHEMA, "reports": self.reports, **self.scores}

    def row(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the row of a table, with shares in per cent."""
        cells = [
            f"{value:.1f}" if name == "rg_count" else f"{100 * value:.1f}"
            for name, value in self.scores.items()
        ]
        return ["reports", *map(_HEADS.__getitem__, self.scores)], [[f"{self.reports:,}", *cells]]


def texts_of(text: str, name: str, games: int) -> list[str]:
    """Return the texts of a file: the whole file for one game, else a line for each.

    Raises:
        LongsumError: There are not as many lines as games.
    """
    lines = [text] if games == 1 else text.splitlines()
    if len(lines) != games:
        raise LongsumError(
            f"{name} has {counted(len(lines), 'line')} for {counted(games, 'game')}; write one "
            "text per line, in the order of the games, or choose a game with --game."
        )
    return lines


def score_reports(
    games: Sequence[Mapping[str, Any]],
    texts: Sequence[str],
    finder: RelationFinder,
    plans: Sequence[Plan] = (),
) -> ReportScores:
    """Score texts about games against their tables, and against the texts that people wrote.

    Relation generation counts what the table confirms; content selection and ordering compare all
    relations found in a text with all found in its reference. BLEU is that of the corpus, on
    lower-case words with punctuation separated.

    Args:
        games: The games, as Rotowire has them; their `summary` is the reference.
        texts: A text about each.
        finder: What finds relations.
        plans: The plans that the texts follow; what they choose is compared with what the
            references state, as `plan_cs_precision`, `plan_cs_recall` and `plan_cs_f1`.

    Raises:
        LongsumError: A game cannot be read.
    """
    tables = [game_table(game, f"Game {number}") for number, game in enumerate(games, start=1)]
    found = [
        finder.relations(table, sentence_texts(text))
        for table, text in zip(tables, texts, strict=True)
    ]
    made = relation_generation(found)
    scores = {"rg_precision": made.precision, "rg_count": made.count}
    references = [reference_text(game) for game in games]
    if all(references):
        own = [[triple for triple, _ in each] for each in found]
        other = [
            [triple for triple, _ in finder.relations(table, sentence_texts(text))]
            for table, text in zip(tables, references, strict=True)
        ]
        same = same_in_league()
        chosen = content_selection(own, other, same)
        words = ([PlainWords(text).text for text in each] for each in (texts, references))
        scores |= {
            **{f"cs_{name}": getattr(chosen, name) for name in _CHOICE},
            "co": content_ordering(own, other, same),
            "bleu": corpus_bleu(*words),
        }
        if plans:
            planned = list(map(plan_triples, plans, tables))
            chosen = content_selection(planned, other, same)
            scores |= {f"plan_cs_{name}": getattr(chosen, name) for name in _CHOICE}
    return ReportScores(len(texts), scores)
