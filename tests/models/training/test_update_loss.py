"""The loss of an update is the mean over its targets, however divided into batches."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from longsum.models.networks.pointer import LongsumPointerConfig, LongsumPointerGenerator
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from longsum.models.networks.tagger import LongsumTagger
from longsum.models.training.run_seq2seq import LongsumSeq2SeqTrainer
from longsum.models.training.run_settings import Seq2SeqOptimizationConfig
from longsum.models.training.run_tagger import TaggingTrainer
from longsum.models.training.trainer import LengthGroupedTrainer, training_arguments
from longsum.models.training.words.run_words import WordOptimizationConfig, WordTrainer
from tiny_sizes import tiny_sizes
from training_fixtures import check_update, update

Batch = dict[str, Tensor]
SIZES = {
    "vocab_size": 30,
    **tiny_sizes(8, 2, 8, layers=1, positions=16),
    "dropout": 0.0,
    "pad_token_id": 1,
    "decoder_start_token_id": 2,
    "label_smoothing": 0.1,
}


class Nothing(list[Any]):
    """No examples."""

    def lengths(self) -> list[int]:
        return []


def rows(batch: Batch, *places: int) -> Batch:
    """Return some examples of a batch."""
    return {name: part[list(places)] for name, part in batch.items()}


@pytest.fixture
def make(tmp_path) -> Callable[..., Callable[[nn.Module], LengthGroupedTrainer]]:
    """Return a function that makes a trainer for a model, without examples."""

    def of(
        kind: type[LengthGroupedTrainer], **named: Any
    ) -> Callable[[nn.Module], LengthGroupedTrainer]:
        given = {"settings": Seq2SeqOptimizationConfig(precision="fp32"), "collate": None, **named}
        arguments = training_arguments(tmp_path, given["settings"], save_every=9, evaluate_every=9)
        return lambda model: kind(
            model,
            arguments,
            train=Nothing(),
            validation=Nothing(),
            metrics=tmp_path / "metrics.jsonl",
            **given,
        )

    return of


def sources() -> Batch:
    """Five sources of 12 tokens, of which 3 to 12 are real, with targets of 1 to 9 tokens."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(3, 30, (5, 12), generator=generator)
    labels = torch.randint(3, 30, (5, 9), generator=generator)
    mask = torch.arange(12) < torch.tensor([[12], [3], [7], [5], [12]])
    written = torch.arange(9) < torch.tensor([[9], [1], [2], [1], [4]])
    return {
        "input_ids": ids.masked_fill(~mask, 1),
        "attention_mask": mask.long(),
        "labels": labels.masked_fill(~written, -100),
    }


def seq2seq(**settings: Any) -> LongsumForConditionalGeneration:
    torch.manual_seed(0)
    return LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**SIZES, **settings))


def test_tokens_of_summaries(make: Any) -> None:
    batch = sources()
    parts = [rows(batch, 0), rows(batch, 1, 2, 3), rows(batch, 4)]
    check_update(make(LongsumSeq2SeqTrainer), seq2seq(), parts, batch)


def test_spans_cost_once_an_update(make: Any) -> None:
    model = seq2seq(encoder_attention={"kind": "adaptive_span", "window": 8, "span_ramp": 2})
    batch = sources()
    parts = [rows(batch, 0), rows(batch, 1, 2, 3, 4)]
    losses = [
        update(make(LongsumSeq2SeqTrainer, settings=settings)(model.train()), parts)[0]
        for settings in (
            Seq2SeqOptimizationConfig(precision="fp32", span_loss=span_loss)
            for span_loss in (0.0, 3.0)
        )
    ]
    (span,) = (each for each in model.modules() if hasattr(each, "span_loss"))
    assert losses[1] - losses[0] == pytest.approx(span.span_loss(3.0).item(), rel=1e-4)


def test_pairs_of_sections_beside_tokens(make: Any) -> None:
    """Sources have 4, 1, 2, 1 and 3 sections, so that pairs are not proportional to tokens."""
    batch = sources()
    counts = torch.tensor([4, 1, 2, 1, 3])
    places = torch.arange(12).expand(5, -1) // 3
    batch["section_of"] = torch.minimum(places, counts[:, None] - 1)
    batch["section_parents"] = torch.where(torch.arange(4) < counts[:, None], 0, -1)
    batch["section_parents"][:, 0] = -1
    parts = [rows(batch, 1), rows(batch, 0, 2), rows(batch, 3, 4)]
    model = seq2seq(section_relations={"weight": 0.7})
    check_update(make(LongsumSeq2SeqTrainer), model, parts, batch)


def test_tokens_that_are_tagged(make: Any) -> None:
    model = LongsumTagger.of(seq2seq())
    batch = sources()
    batch["labels"] = (batch["input_ids"] % 3 == 0).float()
    parts = [rows(batch, 0, 4), rows(batch, 1), rows(batch, 2, 3)]
    check_update(make(TaggingTrainer), model, parts, batch)


def test_targets_of_word_level_models(make: Any) -> None:
    torch.manual_seed(0)
    model = LongsumPointerGenerator(
        LongsumPointerConfig(
            vocab_size=30, embedding_size=6, hidden_size=6, coverage=True, min_target_tokens=1
        )
    )
    batch = sources()
    batch["extended_ids"] = batch["input_ids"]
    del batch["attention_mask"]
    parts = [rows(batch, 0), rows(batch, 1, 2, 3, 4)]
    settings = WordOptimizationConfig()
    check_update(make(WordTrainer, settings=settings), model, parts, batch)
