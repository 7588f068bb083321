"""The vocabulary and the encoded splits of a planner."""

import hashlib
from collections import Counter
from collections.abc import Iterator

import numpy as np
from tokenizers import Tokenizer

from longsum.errors import LongsumError
from longsum.files import make_folder, write_text
from longsum.models.folders import find_folder
from longsum.tasks.extraction.histories import Histories
from longsum.tasks.extraction.prepared_units import ExtractionExample, ExtractionSplit
from longsum.tasks.planning.games import (
    GENERATED,
    LICENSES,
    SHIPPABLE,
    PlannedGame,
    load_games,
    planned_game,
)
from longsum.tasks.planning.table_units import BREAK_UNIT, TableUnits, encode_table, unit_texts
from longsum.tasks.planning.vocabulary import train_vocabulary
from longsum.training.documents import Part, UsedData, load_used, parts_of, save_used
from longsum.training.extraction.prepare_extraction import TOKENIZER, KeptTokenizer
from longsum.training.planning.planning_settings import PlannerSettings
from longsum.training.prepared_cache import PreparedCache, fingerprint

# Games whose strings the vocabulary is learned from: names are invented anew each season.
_READ_FOR_VOCABULARY = 200


def planner_tokenizer(settings: PlannerSettings, cache: PreparedCache) -> KeptTokenizer:
    """Return the tokenizer of the checkpoint, or one that is learned from the training games.

    Raises:
        LongsumError: There is neither a tokenizer nor the size of one, or the games are missing.
    """
    if settings.checkpoint is not None:
        path = find_folder(settings.checkpoint) / TOKENIZER
        if not path.is_file():
            raise LongsumError(
                f"There is no {TOKENIZER} in '{settings.checkpoint}'; name the folder of a planner "
                "that 'longsum train' wrote."
            )
        return KeptTokenizer(Tokenizer.from_file(str(path)), None)
    if settings.vocabulary is None:
        raise LongsumError("A planner without a checkpoint needs the size of its vocabulary.")
    parts, task = parts_of(cache.data, "train"), settings.task
    described = fingerprint([parts, settings.vocabulary, task.entries, task.fold, task.folds])
    path = cache.folder / f"vocabulary-{described}.json"
    if not path.is_file():
        cache.say(f"choosing {settings.vocabulary:,} pieces of the vocabulary")
        texts = (
            text
            for part in parts
            for number, game in enumerate(_games(settings, part, "train"))
            if number < _READ_FOR_VOCABULARY
            for text in unit_texts(game.table, TableUnits.of(game.table, task.entries))
        )
        make_folder(cache.folder)
        write_text(path, train_vocabulary(texts, settings.vocabulary).to_str(pretty=True))
    return KeptTokenizer(Tokenizer.from_file(str(path)), None)


def planned_split(
    settings: PlannerSettings, tokens: KeptTokenizer, name: str, cache: PreparedCache
) -> ExtractionSplit:
    """Return the games of a split, encoded, with their plans as choices.

    A planner that is not stepwise learns which entries a plan has, each once.

    Raises:
        LongsumError: Games are missing, or none has a plan to learn.
    """
    task, data = settings.task, cache.data
    parts = parts_of(data, name)
    stepwise = bool(settings.model.get("stepwise", True))
    identity = hashlib.sha256(tokens.tokenizer.to_str().encode()).hexdigest()
    read = [task.sentence_tokens, task.entries, task.fold, task.folds, stepwise, identity]
    path = cache.folder / f"{name}-{fingerprint([parts, read, data.shippable])}.npz"
    record = path.with_suffix(".json")
    if not (path.is_file() and record.is_file()):
        cache.say(f"encoding the {name} split of {data.names}")
        counts: Counter[str] = Counter()
        games = _counted(settings, name, parts, counts)
        split = ExtractionSplit.of(
            [_example(game, settings, tokens.tokenizer, stepwise) for game in games]
        )
        make_folder(cache.folder)
        split.save(path)
        save_used([_used(source, name, count) for source, count in counts.items()], record)
    cache.used[name] = load_used(record)
    return ExtractionSplit.load(path)


def held_out(place: int, settings: PlannerSettings, source: str) -> bool:
    """Return whether a game, by its place in its source, is one that is measured."""
    fold = settings.task.fold
    return source != GENERATED and fold is not None and place % settings.task.folds == fold


def _counted(
    settings: PlannerSettings, name: str, parts: list[Part], counts: Counter[str]
) -> Iterator[PlannedGame]:
    for part in parts:
        for game in _games(settings, part, name):
            if game.plan.sentences:
                counts[part.name] += 1
                yield game


def _games(settings: PlannerSettings, part: Part, name: str) -> Iterator[PlannedGame]:
    """Yield the games of a source that belong to a split.

    Raises:
        LongsumError: Their licence does not let the weights be handed on, as asked.
    """
    if settings.data.shippable and part.name not in SHIPPABLE:
        raise LongsumError(
            f"The games of '{part.name}' state no licence that lets the weights be handed on; set "
            "data.shippable to false."
        )
    measured = name != "train"
    for place, game in enumerate(load_games(part.name, name, part.limit)):
        folded = part.name != GENERATED and settings.task.fold is not None
        if not folded or held_out(place, settings, part.name) == measured:
            yield planned_game(game)


def _example(
    game: PlannedGame, settings: PlannerSettings, tokenizer: Tokenizer, stepwise: bool
) -> ExtractionExample:
    task = settings.task
    units = TableUnits.of(game.table, task.entries)
    chosen = units.choices(game.plan)
    if not stepwise:
        chosen = [unit for unit in dict.fromkeys(chosen) if unit != BREAK_UNIT]
    longest = task.history.steps
    plan = np.full((1, longest), -1, dtype=np.int32)
    plan[0, : len(chosen)] = chosen[:longest]
    histories = Histories(
        plan,
        np.array([min(len(chosen), longest)], dtype=np.int32),
        np.zeros((0, 0), dtype=np.int32),
        np.zeros((0, 0), dtype=np.float32),
        np.zeros(0, dtype=np.float32),
    )
    document = encode_table(game.table, units, tokenizer, task.sentence_tokens)
    return ExtractionExample(document, histories)


def _used(source: str, name: str, count: int) -> UsedData:
    return UsedData(
        source,
        name,
        documents=count,
        lessons=count,
        shippable=count if source in SHIPPABLE else 0,
        licenses={LICENSES[source]: count},
    )
