"""Planners of toy size: order of entries, repeats, ends, beams, and what a folder needs."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import yaml

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import read_settings
from longsum.core.model_files.folders import ModelFolder
from longsum.models.networks.extractive.extractor_files import build, save_extractor
from longsum.models.networks.extractive.torch_network import TorchNetwork
from longsum.tables.games.rotowire import game_table
from longsum.tables.planning.neural_planner import NeuralPlanner, PlannerConfig
from longsum.tables.planning.table_units import (
    BREAK_UNIT,
    TableUnits,
    encode_table,
    train_vocabulary,
    unit_texts,
)

TABLE = game_table(GAMES[5])
ENTRIES = 90
UNITS = TableUnits.of(TABLE, ENTRIES)
TOKENIZER = train_vocabulary(unit_texts(TABLE, UNITS), 300)
SIZES = {"size": 16, "layers": 1, "heads": 2, "feed_forward": 16}
SIZES["vocabulary"] = TOKENIZER.get_vocab_size()
SETTINGS = {
    "hibert": {
        "sentence_encoder": {**SIZES, "positions": 32, "representation": "mean"},
        "document_encoder": {"layers": 2, "feed_forward": 16, "positions": "none", "plan": 128},
    },
    "etc": {
        **{**SIZES, "long_tokens": 4000, "global_tokens": 256, "radius": 8, "relative": 4},
        **{"summary_tokens": 800, "summary_sentences": 100},
    },
}


def planner(architecture: str = "hibert", *, stepwise: bool = True, **config: int) -> NeuralPlanner:
    torch.manual_seed(4)
    settings = {**SETTINGS[architecture], "stepwise": stepwise}
    model = build(architecture, read_settings(architecture, settings))
    for parameter in model.parameters():
        parameter.data *= 4
    network = TorchNetwork(model, "cpu", "fp32")
    return NeuralPlanner(network, TOKENIZER, PlannerConfig(entries=ENTRIES, **config))


def test_entries_have_no_order():
    network = planner().network
    order = np.random.default_rng(0).permutation(len(UNITS.records) - 1) + 1
    shuffled = replace(UNITS, records=(-1, *(UNITS.records[place] for place in order)))
    plans = [(), (3, BREAK_UNIT, 7)]
    place_of = {0: 0} | {int(old): new for new, old in enumerate(order, start=1)}
    for plan in plans:
        found = network.read(encode_table(TABLE, UNITS, TOKENIZER, 32)).logits([plan])[0]
        moved = tuple(place_of[unit] for unit in plan)
        other = network.read(encode_table(TABLE, shuffled, TOKENIZER, 32)).logits([moved])[0]
        np.testing.assert_allclose(other[1:-1], found[order], rtol=1e-3, atol=1e-4)
        np.testing.assert_allclose(other[[0, -1]], found[[0, -1]], rtol=1e-3, atol=1e-4)
        assert np.ptp(found[:-1]) > 0.01


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize("architecture", ["hibert", "etc"])
def test_only_names_and_cities_of_teams_are_repeated(architecture, beams):
    plan = planner(architecture, beams=beams, choices=24).plan(TABLE)
    said = [index for sentence in plan.sentences for index in sentence]
    repeated = {index for index in said if said.count(index) > 1}
    types = {TABLE.records[index].type.name for index in repeated}
    assert types <= {"TEAM-NAME", "TEAM-CITY"}
    assert set(said) <= set(UNITS.records[1:])
    assert 0 < len(said) <= 24


def test_a_plan_ends_where_the_model_ends_it():
    eager = planner(choices=24)
    with torch.no_grad():
        encoder = eager.network.model.document_encoder
        # The end scores what its learned unit does: along the direction that is scored highest.
        encoder.end.copy_(encoder.salience.weight[0] * 1000)
    assert eager.plan(TABLE).entries < planner(choices=24).plan(TABLE).entries


def _group(index: int) -> str:
    entity = TABLE.records[index].entity
    return "team" if entity.kind in ("team", "match") else entity.name


def test_a_model_that_ranks_takes_the_best_entries_each_once():
    ranker = planner(stepwise=False, ranked=20)
    plan = ranker.plan(TABLE)
    said = [index for sentence in plan.sentences for index in sentence]
    scores = ranker.network.read(encode_table(TABLE, UNITS, TOKENIZER, 32)).logits([()])[0, 1:-1]
    best = {UNITS.records[1:][place] for place in np.argsort(-scores)[:20]}
    # Who would be named and no more is left out.
    counted = {_group(index) for index in best if TABLE.records[index].type.kind == "number"}
    assert sorted(said) == sorted(index for index in best if _group(index) in counted)
    for sentence in plan.sentences[1:]:
        assert len({TABLE.records[index].entity for index in sentence}) == 1


def test_a_folder_says_how_tables_are_read(tmp_path):
    made = planner()
    save_extractor(made.network.model, tmp_path)
    TOKENIZER.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(LongsumError, match=r"holds no planner; give a folder that 'longsum train'"):
        NeuralPlanner.of(ModelFolder.of(tmp_path))
    task = {"entries": ENTRIES, "sentence_tokens": 32}
    training = {"recipe": "stepwise-hibert-planner", "settings": {"task": task}}
    (tmp_path / "training.yaml").write_text(yaml.safe_dump(training))
    loaded = NeuralPlanner.of(ModelFolder.of(tmp_path), precision="fp32", runtime="torch")
    loaded = NeuralPlanner(loaded.network, TOKENIZER, replace(loaded.config, choices=24))
    assert loaded.config.entries == ENTRIES
    assert loaded.plan(TABLE) == planner(choices=24).plan(TABLE)
