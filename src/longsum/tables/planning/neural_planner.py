"""A trained planner: an extractive model over the entries of a table (Stepwise, §7, B.3)."""

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from pydantic import Field
from tokenizers import Tokenizer

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.encoder.decoding import search_plans
from longsum.core.encoder.network import Network
from longsum.core.encoder.networks import InferencePrecision, Runtime, load_network
from longsum.core.extractive.extractor_options import load_tokenizer
from longsum.core.model_files.folders import TRAINING, ModelFolder
from longsum.tables.linearization import MOST_ENTRIES
from longsum.tables.plan import Plan
from longsum.tables.planning.table_units import BREAK_UNIT, TableUnits, encode_table
from longsum.tables.table import Table

KIND = "planning"
"""The kind of the recipes for training planners."""

_USUAL_ENTRIES = 47
"""Mean number of different entries in oracle plans of real games."""


@dataclass(frozen=True, slots=True)
class PlannerConfig:
    """How plans are searched for.

    Attributes:
        entries: Maximum number of entries of a table that are read.
        entry_tokens: Maximum number of tokens of an entry.
        beams: Beam size; 1 takes the best choice at each step, as in the paper (B.3).
        choices: Maximum number of choices of a plan, breaks between sentences included.
        ranked: Entries of a plan by a model that is not stepwise, which cannot end a plan itself.
    """

    entries: Annotated[int, Field(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES
    entry_tokens: Annotated[int, Field(ge=3, le=512)] = 32
    beams: Annotated[int, Field(ge=1)] = 1
    choices: Annotated[int, Field(ge=1)] = 160
    ranked: Annotated[int, Field(ge=1)] = _USUAL_ENTRIES


class NeuralPlanner:
    """Plans what a report states with a network, step by step if it is stepwise."""

    def __init__(self, network: Network, tokenizer: Tokenizer, config: PlannerConfig) -> None:
        self.network = network
        self.config = config
        self._tokenizer = tokenizer

    @classmethod
    def of(
        cls,
        folder: ModelFolder,
        *,
        beams: int = 1,
        precision: InferencePrecision = "auto",
        runtime: Runtime = "auto",
    ) -> Self:
        """Load a planner that `longsum train` wrote.

        For `beams` see `PlannerConfig`, for precision and runtime `load_network`.

        Raises:
            LongsumError: The folder holds no planner, or files are missing or damaged.
        """
        task = _task(folder)
        config = PlannerConfig(
            entries=task["entries"], entry_tokens=task["sentence_tokens"], beams=beams
        )
        return cls(load_network(folder, precision, runtime), load_tokenizer(folder.path), config)

    def plan(self, table: Table) -> Plan:
        """Return the plan of a report on a table.

        Raises:
            LongsumError: The model finds nothing to say.
        """
        config, units = self.config, TableUnits.of(table, self.config.entries)
        encoded = encode_table(table, units, self._tokenizer, config.entry_tokens)
        reading = self.network.read(encoded)
        if not self.network.stepwise:
            scores = reading.logits([()])[0, : len(units.records)]
            return ranked_plan(table, units, scores, config.ranked)
        best = search_plans(
            self.network,
            reading,
            beams=config.beams,
            maximum=config.choices,
            minimum=1,
            repeats=True,
            allowed=units.allowed,
        )[0]
        plan = units.plan(best.sentences)
        if not plan.sentences:
            raise LongsumError("The planner found nothing to say; take the rules instead.")
        return plan


def _task(folder: ModelFolder) -> dict[str, int]:
    """Return the task that the planner in a folder was trained for."""
    settings = (folder.training or {}).get("settings", {})
    task = settings.get("task", {}) if isinstance(settings, dict) else {}
    known = task if isinstance(task, dict) else {}
    found = {name: known.get(name) for name in ("entries", "sentence_tokens")}
    counts = {name: value for name, value in found.items() if isinstance(value, int)}
    if counts != found or not 1 <= counts["entries"] <= MOST_ENTRIES:
        raise LongsumError(
            f"'{folder}' holds no planner; give a folder that 'longsum train' wrote by a recipe of "
            f"the kind {KIND}, with its {TRAINING}."
        )
    return counts


def ranked_plan(table: Table, units: TableUnits, scores: Array, entries: int) -> Plan:
    """Return a plan of the entries with the highest scores.

    A model that scores all entries at once gives neither their order nor where sentences end. Here
    those of teams come first, in one sentence, then each other entity in a sentence of its own,
    those with the highest score first; within a sentence the order is the table's. Entities that
    would only be named are left out.

    The scores are those of the units, `[n]`; the best `entries` of them are taken.
    """
    places = [int(each) for each in np.argsort(-scores, kind="stable") if each != BREAK_UNIT]
    sentences: dict[str, list[int]] = {"team": []}
    for unit in places[:entries]:
        record = table.records[units.records[unit]]
        group = "team" if record.entity.kind in ("team", "match") else record.entity.name
        sentences.setdefault(group, []).append(units.records[unit])
    told = [
        tuple(sorted(sentence))
        for sentence in sentences.values()
        if any(table.records[record].type.kind == "number" for record in sentence)
    ]
    return Plan(tuple(told))
