"""Training of content planners: extractive models over the entries of tables."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from longsum.common.errors import LongsumError
from longsum.common.files import write_text
from longsum.common.wording import quote
from longsum.core.model_files.folders import find_folder
from longsum.evaluation.datasets import Example
from longsum.language.sentences import sentence_texts
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.tasks.extraction.histories import Histories
from longsum.models.tasks.extraction.prepared_units import ExtractionExample, ExtractionSplit
from longsum.models.training.documents import PreparedCache, Tally
from longsum.models.training.extraction.extraction_settings import (
    ExtractionTaskConfig,
    ExtractorSettings,
    Target,
)
from longsum.models.training.extraction.prepare_extraction import (
    TOKENIZER,
    PrunedTokenizer,
    save_extractor,
)
from longsum.models.training.extraction.run_extraction import (
    ExtractionRun,
    build_extractor,
    check_recomputed,
    make_trainer,
)
from longsum.models.training.run_settings import DataConfig
from longsum.models.training.training_run import Run
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table, reference_text
from longsum.tables.linearization import MOST_ENTRIES
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.plan import Plan, plan_from_json
from longsum.tables.planning.table_units import (
    BREAK_UNIT,
    KINDS,
    PLACES,
    TableUnits,
    encode_table,
    train_vocabulary,
    unit_texts,
)
from longsum.tables.table import Table


@dataclass(frozen=True, slots=True)
class PlanningTaskConfig(ExtractionTaskConfig):
    """What is read of a table, and what is learned from its plan.

    Attributes:
        sentence_tokens: Maximum number of tokens of an entry.
        entries: Maximum number of entries of a table (B.3).
        target: The plan's next entry; nothing else is learned.
        beginnings: Number of prefixes of each plan in a batch; None for all, which costs little
            more where only the top layer reads the plan.
        strayed: 0: plans are learned as they are.
    """

    sentence_tokens: int = 32
    entries: int = MOST_ENTRIES
    target: Target = "selection"
    beginnings: int | None = None
    strayed: float = 0.0


@dataclass(frozen=True, slots=True)
class PlannerSettings(ExtractorSettings):
    """A trained content planner.

    Attributes:
        vocabulary: Size of the vocabulary that is learned from the strings of the training games; a
            checkpoint or `tokenizer` brings its own.
        data: The training data: data sets of games.
    """

    vocabulary: int | None = 1500
    data: DataConfig = field(default_factory=lambda: DataConfig(names="generated_games"))
    task: PlanningTaskConfig = field(default_factory=PlanningTaskConfig)


def build_planner(settings: PlannerSettings, tokens: PrunedTokenizer) -> LongsumExtractor:
    """Make the model that training starts from, with its loss."""
    model = build_extractor(settings, tokens)
    if settings.checkpoint is None:
        spread_weights(model)
    return model


@torch.no_grad()
def spread_weights(model: nn.Module) -> None:
    """Initialize weights in a way that suits networks of few features.

    The paper starts from random weights (B.3) without stating their distribution. BERT's deviation
    of 0.02 suits 768 features; here it is the inverse root of the number of inputs. Keys are
    initialized like the queries, so that entries with a name in common attend to each other from
    the start: otherwise that takes longer to learn than anything else.
    """
    for part in model.modules():
        if isinstance(part, nn.Linear):
            nn.init.normal_(part.weight, std=part.in_features**-0.5)
    for part in model.modules():
        query, key = getattr(part, "query", None), getattr(part, "key", None)
        if isinstance(query, nn.Linear) and isinstance(key, nn.Linear):
            key.weight.copy_(query.weight)


# Games from whose strings the vocabulary is learned: more would add names, but no words.
_READ_FOR_VOCABULARY = 200


def planner_tokenizer(settings: PlannerSettings, cache: PreparedCache) -> PrunedTokenizer:
    """Return the tokenizer that is named, or one that is learned from the training games.

    Raises:
        LongsumError: There is neither a tokenizer nor the size of one, or the games are missing.
    """
    if source := settings.checkpoint or settings.tokenizer:
        path = find_folder(source) / TOKENIZER
        if not path.is_file():
            raise LongsumError(
                f"There is no {TOKENIZER} in '{source}'; name the folder of a planner that "
                "'longsum train' wrote."
            )
        return PrunedTokenizer(Tokenizer.from_file(str(path)), kept=None)
    size, entries = settings.vocabulary, settings.task.entries
    if size is None:
        raise LongsumError("A planner without a checkpoint needs a size of its vocabulary.")

    def make(tally: Tally, folder: Path) -> None:
        games = islice(_games(tally.documents()), _READ_FOR_VOCABULARY)
        texts = (
            text
            for game in games
            for text in unit_texts(game.table, TableUnits.of(game.table, entries))
        )
        write_text(folder / TOKENIZER, train_vocabulary(texts, size).to_str(pretty=True))

    work = f"choosing {size:,} pieces of the vocabulary"
    path = cache.vocabulary("vocabulary", [size, entries, "strings"], make, work)
    return PrunedTokenizer(Tokenizer.from_file(str(path / TOKENIZER)), None)


def planned_split(
    settings: PlannerSettings, tokens: PrunedTokenizer, name: str, cache: PreparedCache
) -> ExtractionSplit:
    """Return the games of a split, encoded, with their plans as choices.

    A planner that is not stepwise learns which entries a plan contains, each once.

    Raises:
        LongsumError: Games are missing, or none has a plan to learn.
    """
    task, tokenizer = settings.task, tokens.tokenizer
    stepwise = bool(settings.model.get("stepwise", True))
    identity = hashlib.sha256(tokenizer.to_str().encode()).hexdigest()
    read = [task.sentence_tokens, task.entries, KINDS, PLACES]
    described = [*read, task.history.steps, stepwise, identity]

    def make(tally: Tally) -> ExtractionSplit:
        games = (game for game in _games(tally.documents()) if game.plan.sentences)
        examples = (_example(game, settings, tokenizer, stepwise) for game in games)
        return ExtractionSplit.of(tally.counted(examples))

    return cache.split(ExtractionSplit, name, described, make)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game as a table.

    Attributes:
        table: The table.
        plan: What its reference states, by the matcher; for a game that has a plan, that plan.
    """

    table: Table
    plan: Plan


def game_of(example: Example) -> Mapping[str, Any]:
    """Return the game of an example of a data set, in Rotowire's form.

    Raises:
        LongsumError: The data set has no games.
    """
    game = example.extra.get("game")
    if not isinstance(game, Mapping):
        raise LongsumError(
            f"{quote(example.id)} is not a game; planners learn from data sets of games, such as "
            "generated_games."
        )
    return game


def reference_sentences(game: Mapping[str, Any]) -> list[str]:
    """Return the sentences of a game's reference report; none if it has none."""
    return sentence_texts(reference_text(game))


def planned_game(game: Mapping[str, Any]) -> PlannedGame:
    """Return a game with the plan that its reference follows, or that it was generated with.

    Raises:
        LongsumError: It is not a game, or its plan does not fit it.
    """
    table = game_table(game)
    if "plan" in game:
        return PlannedGame(table, plan_from_json(game["plan"], table))
    return PlannedGame(table, oracle_plan(matcher_for(table), reference_sentences(game)))


def _games(examples: Iterable[Example]) -> Iterator[PlannedGame]:
    return (planned_game(game_of(example)) for example in examples)


def _example(
    game: PlannedGame, settings: PlannerSettings, tokenizer: Tokenizer, stepwise: bool
) -> ExtractionExample:
    """Return the choices of a plan as a history without gains, as only one order is right."""
    task, units = settings.task, TableUnits.of(game.table, settings.task.entries)
    chosen = units.choices(game.plan)
    if not stepwise:
        chosen = [unit for unit in dict.fromkeys(chosen) if unit != BREAK_UNIT]
    chosen = chosen[: task.history.steps]
    plan = np.full((1, task.history.steps), -1, dtype=np.int32)
    plan[0, : len(chosen)] = chosen
    document = encode_table(game.table, units, tokenizer, task.sentence_tokens)
    lengths = np.array([len(chosen)], dtype=np.int32)
    return ExtractionExample(document, Histories(plan, lengths))


def check_planner(settings: PlannerSettings) -> None:
    """Refuse settings of extractors that mean nothing to planners."""
    if settings.rouge_documents or settings.task.target != "selection" or settings.task.strayed:
        raise LongsumError(
            "A planner learns plans as they are: leave out rouge_documents, task.target and "
            "task.strayed."
        )
    check_recomputed(settings)


PLANNING = Run(
    kind="planning",
    form=PlannerSettings,
    tokens=planner_tokenizer,
    split=planned_split,
    build=build_planner,
    # That of extractors, whose settings planners share.
    trainer=lambda run: make_trainer(cast(ExtractionRun, run)),
    save=save_extractor,
    check=check_planner,
)
