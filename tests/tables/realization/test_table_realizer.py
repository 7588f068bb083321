"""A trained realizer: it learns the sentences of games, and `longsum table` uses it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from longsum.common.errors import LongsumError
from longsum.core.loading import load_model
from longsum.core.recipes import load_recipe
from longsum.evaluation.datasets import Example, load
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.tables.realization import table_realizer
from longsum.tables.realization.realization_task import Realization
from longsum.tables.realization.table_realizer import TableRealizer

SMALL = {"d_model": 64, "encoder_layers": 1, "decoder_layers": 1, "dropout": 0.0}
SMALL |= {f"{half}_attention_heads": 4 for half in ("encoder", "decoder")}
SMALL |= {f"{half}_ffn_dim": 128 for half in ("encoder", "decoder")}
TOY = {
    "data": {"names": "generated_games", "limit": 2, "validation_limit": 1},
    "model": SMALL,
    "tokenizer": {"size": 700},
    "training": {"steps": 150, "batch": 8, "learning_rate": 0.004, "warmup_steps": 20},
    "generation": {"num_beams": 2, "max_new_tokens": 60},
    "save_every": 1000,
    "evaluate_every": 1000,
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A realizer that knows the sentences of two invented games by heart."""
    with pytest.MonkeyPatch.context() as patch:
        # A few sentences of each, and short ones.
        whole = Realization.pairs

        def some(self: Realization, example: Example):
            return (pair for pair in whole(self, example) if len(pair.target) < 60)

        patch.setattr(Realization, "pairs", some)
        recipe = load_recipe("table-realizer-small")
        folder = tmp_path_factory.mktemp("realizer") / "run"
        SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, TOY), folder)
    return folder


@pytest.mark.slow
def test_it_reproduces_its_training_sentences(trained: Path) -> None:
    writer = TableRealizer.load(trained)
    pairs = [
        pair
        for game in load("generated_games", "train", limit=2)
        for pair in Realization().pairs(game)
        if len(pair.target) < 60
    ]
    assert len(pairs) >= 4
    found = [writer.sentences(pair.document.text, 2) for pair in pairs]
    assert all(1 <= len(each) <= 2 for each in found)
    right = [each[0] == pair.target for each, pair in zip(found, pairs, strict=True)]
    assert sum(right) >= len(right) / 2


def test_another_model_is_no_realizer(tokenizer, tmp_path: Path) -> None:
    sizes = {name: size for name, size in SMALL.items() if name != "dropout"}
    model = LongsumForConditionalGeneration(
        LongsumSeq2SeqConfig(vocab_size=len(tokenizer), **sizes)
    )
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match="has not learned to write about tables"):
        TableRealizer.load(tmp_path)


def test_it_writes_as_many_tokens_as_it_has_learned(tmp_path: Path, monkeypatch) -> None:
    writer = SimpleNamespace(several=lambda *asked: asked)
    task = SimpleNamespace(kind="realization", target_tokens=7)
    for name, given in (("check_model", tmp_path), ("task_of", task), ("load_writer", writer)):
        monkeypatch.setattr(table_realizer, name, lambda _, given=given: given)
    writer.read = lambda source: source.text
    assert TableRealizer.load(tmp_path).sentences("It is.", 2) == ("It is.", 2, 7)


@pytest.mark.slow
def test_a_realizer_summarizes_nothing(trained: Path) -> None:
    with pytest.raises(LongsumError, match="--realizer"):
        load_model(trained)
