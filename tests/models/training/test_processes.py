"""A model sharded among processes computes and learns like the whole one.

Here one process has all parts; several are started where runs are tested as a whole.
"""

from collections.abc import Iterator
from copy import deepcopy

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.fsdp import FSDPModule
from torch.distributed.tensor import DTensor
from transformers.optimization import Adafactor

from longsum.models.training import processes
from longsum.models.training.adafactor import ShardedAdafactor


class Layer(nn.Module):
    """A matrix, what is added, and a weight with three dimensions."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = nn.Linear(4, 4)
        self.three = nn.Parameter(torch.randn(2, 4, 3) * 0.3)

    def forward(self, states: Tensor) -> Tensor:
        return self.whole(states) + torch.einsum("bi,nij->bj", states, self.three).sum()


class Model(nn.Module):
    """Two layers of its own, and one that shares its matrix with the head."""

    _no_split_modules = ("Layer",)

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(3))
        self.head = nn.Linear(4, 4)
        self.head.weight = self.layers[2].whole.weight
        self.outside = nn.Linear(4, 1)
        self.frozen = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, states: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states * self.frozen).tanh()
        return self.outside(self.head(states))


@pytest.fixture
def group() -> Iterator[None]:
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield
    processes.leave()
    assert not dist.is_initialized()
    processes.leave()


@pytest.mark.usefixtures("group")
@pytest.mark.parametrize("keep", [True, False])
def test_a_divided_model_learns_as_the_whole_and_becomes_whole_again(keep: bool) -> None:
    torch.manual_seed(0)
    whole, given = Model(), torch.randn(5, 4)
    divided = deepcopy(whole)
    assert not processes.is_sharded(divided)
    processes.shard(divided, torch.device("cpu"), [divided.layers[1]])
    assert processes.is_sharded(divided)
    # A layer that shares a weight, or is read by others, stays with the rest.
    assert [isinstance(layer, FSDPModule) for layer in divided.layers] == [True, False, False]
    how = {"lr": 0.05, "weight_decay": 0.1, "clip_threshold": 0.5, "relative_step": False}
    for model, kind in ((whole, Adafactor), (divided, ShardedAdafactor)):
        weights = [each for each in model.parameters() if each.requires_grad]
        assert all(isinstance(each, DTensor) for each in weights) is (model is divided)
        optimizer = kind(weights, scale_parameter=False, **how)
        for _ in range(4):
            optimizer.zero_grad()
            loss = model(given).square().sum()
            loss.backward()
            assert optimizer.step(lambda loss=loss: loss.item()) == loss.item()
    with processes.gathered(divided):
        for name, weight in divided.named_parameters():
            assert not isinstance(weight, DTensor), name
    assert all(isinstance(each, DTensor) for each in divided.parameters())
    processes.join(divided, keep)
    assert not processes.is_sharded(divided)
    assert [type(each) for each in divided.modules()] == [type(each) for each in whole.modules()]
    assert divided.head.weight is divided.layers[2].whole.weight
    assert not divided.frozen.requires_grad
    for name, weight in whole.named_parameters():
        found = divided.get_parameter(name)
        assert found.requires_grad == weight.requires_grad
        if keep:
            torch.testing.assert_close(found, weight, msg=name)
        else:
            assert found.numel() == 0


def test_weights_that_are_whole_are_updated_as_ever() -> None:
    torch.manual_seed(0)
    one = Model()
    for model, kind in ((one, Adafactor), (other := deepcopy(one), ShardedAdafactor)):
        optimizer = kind(model.parameters(), lr=0.05, scale_parameter=False, relative_step=False)
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()
    for found, expected in zip(other.parameters(), one.parameters(), strict=True):
        assert torch.equal(found, expected)


@pytest.mark.parametrize(("rank", "first"), [(None, True), ("0", True), ("1", False)])
def test_the_first_process_speaks(rank, first, monkeypatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    if rank is not None:
        monkeypatch.setenv("RANK", rank)
    assert processes.is_first_process() is first
