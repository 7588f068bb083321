import json
import lzma
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from longsum.core.recipes import Recipe
from longsum.models.tasks.prepared import PreparedSplit, prepare
from longsum.models.tasks.source import SourceFormat
from longsum.models.tasks.task import Pair
from tiny_sizes import tiny_sizes


@pytest.fixture(scope="session")
def split(small, example, tokenizer) -> PreparedSplit:
    pairs = [Pair(small, "Rivers and railways."), Pair(example, "Coins are mined by machines.")]
    return prepare(pairs, tokenizer, SourceFormat(400), target_tokens=20)


NOUNS = ["river", "valley", "bridge", "railway", "farmer", "dam", "flood", "trout", "market"]
VERBS = ["feeds", "crosses", "damages", "builds", "carries", "sells", "guards", "follows"]


def told(number: int, generator: random.Random) -> dict[str, Any]:
    """Make a document of one to six paragraphs, and a summary of its first and last sentences."""
    paragraphs = []
    for _ in range(generator.randint(1, 6)):
        words = [
            f"The {generator.choice(NOUNS)} {generator.choice(VERBS)} "
            f"the {generator.choice(NOUNS)} of region {generator.randint(1, 9)}."
            for _ in range(generator.randint(1, 5))
        ]
        paragraphs.append(" ".join(words))
    text = "\n\n".join(paragraphs)
    sentences = text.replace("\n\n", " ").split(". ")
    summary = f"{sentences[0].rstrip('.')}. {sentences[-1].rstrip('.')}."
    return {"id": f"{number}", "text": text, "summary": summary, "summaries": [summary]}


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in the form of the shared data sets, with a small `scitldr_a` of our own."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "scitldr_a").mkdir()
    generator = random.Random(0)
    for split, count in (("train", 16), ("dev", 6)):
        lines = [json.dumps(told(number, generator)) for number in range(count)]
        data = lzma.compress("\n".join(lines).encode())
        (folder / "scitldr_a" / f"{split}.jsonl.xz").write_bytes(data)
    return folder


@pytest.fixture
def corpus(corpus_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the data sets be those of `corpus_folder`."""
    monkeypatch.setenv("LONGSUM_DATA", str(corpus_folder))
    return corpus_folder


def gradients(model: nn.Module, losses: Sequence[Tensor]) -> tuple[float, list[Tensor]]:
    """Return the sum of losses, and the gradients of their inputs."""
    model.zero_grad()
    for loss in losses:
        loss.backward()
    found = [each.grad.clone() for each in model.parameters() if each.grad is not None]
    return sum(loss.item() for loss in losses), found


def update(trainer: Any, batches: Sequence[Mapping[str, Any]]) -> tuple[float, list[Tensor]]:
    """Compute the loss and the gradients of an update as a trainer would, of given batches."""
    taken, _ = trainer.get_batch_samples(iter(batches), len(batches), torch.device("cpu"))
    trainer.current_gradient_accumulation_steps = len(taken)
    # `Trainer` divides each by their number.
    losses = [trainer.compute_loss(trainer.model, dict(each)) / len(taken) for each in taken]
    return gradients(trainer.model, losses)


def check_update(
    make: Callable[[nn.Module], Any],
    model: nn.Module,
    batches: Sequence[Mapping[str, Tensor]],
    whole: Mapping[str, Tensor],
) -> None:
    """Compare an update of several batches with the model's own loss of all examples at once.

    That mean is over all targets, and needs nothing of the trainer.
    """
    model.train()
    expected = gradients(model, [model(**whole)["loss"]])
    found = update(make(model), batches)
    assert found[0] == pytest.approx(expected[0], rel=1e-5)
    for ours, theirs in zip(found[1], expected[1], strict=True):
        assert (ours - theirs).norm() <= 1e-4 * theirs.norm() + 1e-6


def tiny(**changes: Any) -> dict[str, Any]:
    """Return settings of a system that trains in a second."""
    return {
        "model": {
            **tiny_sizes(16, 4, 16),
            "encoder_attention": {"kind": "pattern", "window": 16},
            "cross_attention": {"kind": "hepos", "stride": 2},
        },
        "tokenizer": {"size": 400},
        "task": {"source_tokens": 96, "target_tokens": 24},
        "data": {"names": "scitldr_a", "limit": 12, "validation_limit": 4},
        "training": {"steps": 6, "batch": 2, "optimizer": "adamw", "learning_rate": 0.01},
        "save_every": 3,
        "evaluate_every": 3,
        **changes,
    }


@pytest.fixture
def recipe() -> Recipe:
    return Recipe("tiny", "For tests", "none", "seq2seq", tiny(), state="train first")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which tests that train share their encoded data."""
    return tmp_path_factory.mktemp("prepared")
