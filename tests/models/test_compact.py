from pathlib import Path

import torch

from longsum.models.compact import load_compact, save_compact


def test_no_weight_moves_by_more_than_half_a_step(tmp_path: Path) -> None:
    generator = torch.Generator().manual_seed(0)
    matrix = torch.randn(7, 33, generator=generator) * torch.logspace(-4, 3, 7)[:, None]
    state = {"matrix": matrix, "vector": torch.linspace(-2, 2, 9), "zeros": torch.zeros(3, 4)}
    loaded = load_compact(save_compact(state, tmp_path))
    assert set(loaded) == set(state)
    step = matrix.abs().amax(dim=1, keepdim=True) / 127
    assert ((loaded["matrix"] - matrix).abs() <= step * 0.5001).all()
    assert torch.equal(loaded["vector"], state["vector"].half().float())
    assert torch.equal(loaded["zeros"], state["zeros"])


def test_tied_weights_are_written_once(tmp_path: Path) -> None:
    matrix = torch.ones(3, 4)
    loaded = load_compact(save_compact({"a": matrix, "b": matrix, "c": matrix + 1}, tmp_path))
    assert sorted(loaded) == ["a", "c"]


def test_a_weight_takes_a_byte(tmp_path: Path) -> None:
    path = save_compact({"matrix": torch.ones(400, 500)}, tmp_path)
    assert path.stat().st_size < 1.02 * 400 * 500
