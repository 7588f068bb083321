"""What a checkpoint holds, which one a run resumes from, and how processes divide it."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from transformers.optimization import Adafactor

from longsum.common.errors import LongsumError
from longsum.models.training.checkpoints import (
    last_checkpoint,
    load_optimizer,
    load_weights,
    save_optimizer,
    save_weights,
)
from longsum.models.training.processes import shares
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.run_settings import OptimizationConfig


class Tied(nn.Module):
    """Two names for one weight, a buffer, a frozen weight, and one that nothing uses."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.second.weight = self.first.weight
        self.unused = nn.Linear(2, 1)
        self.frozen = nn.Parameter(torch.randn(2), requires_grad=False)
        self.register_buffer("counts", torch.arange(4))

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        return self.second(self.first(given).relu())


def optimizer_of(kind: str, model: nn.Module) -> torch.optim.Optimizer:
    weights = [each for each in model.parameters() if each.requires_grad]
    if kind == "adafactor":
        return Adafactor(weights, lr=0.01, scale_parameter=False, relative_step=False)
    return {"adamw": torch.optim.AdamW, "adagrad": torch.optim.Adagrad}[kind](weights, lr=0.01)


def learn(model: nn.Module, optimizer: torch.optim.Optimizer, updates: int) -> None:
    for number in range(updates):
        optimizer.zero_grad()
        model(torch.full((2, 3), 1.0 + number)).square().sum().backward()
        optimizer.step()


@pytest.mark.parametrize("kind", ["adafactor", "adamw", "adagrad"])
def test_training_continues_from_a_checkpoint_as_without_one(kind: str, tmp_path) -> None:
    torch.manual_seed(0)
    model = Tied()
    optimizer = optimizer_of(kind, model)
    learn(model, optimizer, 3)
    save_weights(model, tmp_path)
    save_optimizer(model, optimizer, tmp_path)
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".safetensors"}

    again = Tied()
    resumed = optimizer_of(kind, again)
    load_weights(again, tmp_path)
    load_optimizer(again, resumed, tmp_path)
    assert again.second.weight is again.first.weight
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name
    assert [group["lr"] for group in resumed.param_groups] == [0.01]
    for each, other in ((model, optimizer), (again, resumed)):
        learn(each, other, 2)
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name


def test_an_incomplete_checkpoint_is_skipped(tmp_path) -> None:
    assert last_checkpoint(tmp_path) is None
    for number in (9, 10, 11):
        (tmp_path / f"checkpoint-{number}" / "weights").mkdir(parents=True)
    for number in (9, 10):
        (tmp_path / f"checkpoint-{number}" / "trainer_state.json").write_text("{}")
    assert last_checkpoint(tmp_path) == tmp_path / "checkpoint-10"


def test_other_checkpoints_are_refused_in_a_sentence(tmp_path) -> None:
    (tmp_path / "checkpoint-7").mkdir()
    (tmp_path / "checkpoint-7" / "trainer_state.json").write_text("{}")
    with pytest.raises(LongsumError, match="an earlier version of longsum"):
        last_checkpoint(tmp_path)
    save_weights(nn.Linear(2, 2), tmp_path)
    with pytest.raises(LongsumError, match="delete it to resume from the one before"):
        load_weights(nn.Linear(2, 3), tmp_path)
    next((tmp_path / "weights").iterdir()).write_bytes(b"broken")
    with pytest.raises(LongsumError, match="cannot be read"):
        load_weights(nn.Linear(2, 2), tmp_path)


SMALL = st.integers(1, 12)


@given(SMALL, SMALL, SMALL, SMALL)
def test_an_update_keeps_its_examples(batch: int, accumulate: int, began: int, now: int) -> None:
    settings = OptimizationConfig(batch=batch, accumulate=accumulate)
    examples = batch * accumulate * began
    if examples % now:
        with pytest.raises(LongsumError, match=f"have {examples} examples?, which {now} processes"):
            shares(settings, began, now)
        return
    own, turns = shares(settings, began, now)
    assert own * turns * now == examples
    # No batch needs more memory than the settings allow.
    assert own <= batch
    if began == now:
        assert (own, turns) == (batch, accumulate)


def test_a_model_is_not_divided_twice(recipe, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ACCELERATE_USE_FSDP", "true")
    with pytest.raises(LongsumError, match=r"set training\.sharding=full"):
        SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, {}), tmp_path / "run")
    assert not (tmp_path / "run").exists()
