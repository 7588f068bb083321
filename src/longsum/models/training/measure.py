"""Measuring a trained model: the loss of given targets, and the texts that it generates."""

from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any, cast

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.models.training.training_dataset import TrainingDataset, collate


@torch.no_grad()
def token_loss(model: PreTrainedModel, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
    """Return the summed cross-entropy of all target tokens, and their number: `[2]`, fp64.

    `transformers` averages the means of batches, which depends on how the batches are made up.
    """
    model.eval()
    total = torch.zeros(2, dtype=torch.float64, device=model.device)
    for batch in batches:
        count = (batch["labels"] != -100).sum()
        total += torch.stack([model(**batch).loss.double() * count, count.double()])
    return total


def batches_of(
    dataset: TrainingDataset, size: int, pad: int, device: torch.device
) -> Iterator[dict[str, Tensor]]:
    """Yield the examples in order, in batches on a device."""
    for start in range(0, len(dataset), size):
        items = [dataset[index] for index in range(start, min(start + size, len(dataset)))]
        yield {name: tensor.to(device) for name, tensor in collate(items, pad).items()}


@torch.no_grad()
def generate_all(
    model: PreTrainedModel, dataset: TrainingDataset, *, batch: int, pad: int, **generation: Any
) -> list[list[int]]:
    """Return the tokens that the model generates for each example's source, in order.

    Args:
        model: The model, on its device.
        dataset: The examples.
        batch: Number of sources read at once; those of similar length are read together.
        pad: Id of the padding token.
        **generation: Settings that differ from the model's own.

    Raises:
        LongsumError: The model reads a tagger's importance, and the examples have the oracle's
            labels; see `longsum.models.training.tagged.with_test_importance`.
    """
    if dataset.importance == "tagger" and dataset.split.labelled:
        raise LongsumError(
            "The importance of these tokens was derived from the reference summaries; let a tagger "
            "predict it before generating."
        )
    model.eval()
    lengths = dataset.lengths()
    order = sorted(range(len(dataset)), key=lambda index: -lengths[index])
    generated: list[list[int]] = [[]] * len(dataset)
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        inputs = collate([dataset[place] for place in places], pad)
        del inputs["labels"]
        inputs = {name: tensor.to(model.device) for name, tensor in inputs.items()}
        outputs = cast(Any, model).generate(**inputs, **generation).tolist()
        for place, ids in zip(places, outputs, strict=True):
            generated[place] = ids
    return generated


def write_all(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    dataset: TrainingDataset,
    *,
    batch: int,
    **generation: Any,
) -> list[str]:
    """Return the texts that the model generates; for the other arguments see `generate_all`."""
    pad = int(tokenizer.pad_token_id or 0)
    written = generate_all(model, dataset, batch=batch, pad=pad, **generation)
    texts = tokenizer.batch_decode(written, skip_special_tokens=True)
    return [text.strip() for text in texts]


def outputs_with_targets(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    dataset: TrainingDataset,
    *,
    batch: int,
) -> list[tuple[str, str]]:
    """Return the text that the model generates for each example, and its target as text."""
    written = write_all(model, tokenizer, dataset, batch=batch)
    labels = [dataset[index]["labels"].tolist() for index in range(len(dataset))]
    targets = tokenizer.batch_decode(labels, skip_special_tokens=True)
    return list(zip(written, targets, strict=True))


def mean_rouge2(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    dataset: TrainingDataset,
    *,
    batch: int,
) -> dict[str, float]:
    """Return the mean ROUGE-2 F1 of what the model generates against the targets as text."""
    pairs = outputs_with_targets(model, tokenizer, dataset, batch=batch)
    return {"rouge2": fmean(rouge(text, [target])["rouge2"].fmeasure for text, target in pairs)}
