import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.model_files.weight_files import compact_files
from longsum.models.networks.weights import load_compact, save_compact


def test_no_weight_moves_by_more_than_half_a_step(tmp_path) -> None:
    generator = torch.Generator().manual_seed(0)
    matrix = torch.randn(7, 33, generator=generator) * torch.logspace(-4, 3, 7)[:, None]
    state = {"matrix": matrix, "vector": torch.linspace(-2, 2, 9), "zeros": torch.zeros(3, 4)}
    loaded = load_compact(*save_compact(state, tmp_path))
    assert set(loaded) == set(state)
    step = matrix.abs().amax(dim=1, keepdim=True) / 127
    assert ((loaded["matrix"] - matrix).abs() <= step * 0.5001).all()
    assert torch.equal(loaded["vector"], state["vector"].half().float())
    assert torch.equal(loaded["zeros"], state["zeros"])


def test_tied_weights_are_written_once(tmp_path) -> None:
    matrix = torch.ones(3, 4)
    loaded = load_compact(*save_compact({"a": matrix, "b": matrix, "c": matrix + 1}, tmp_path))
    assert sorted(loaded) == ["a", "c"]


def test_no_file_is_larger_than_the_limit(tmp_path) -> None:
    state = {f"matrix.{number}": torch.randn(40, 50) for number in range(7)}
    whole = load_compact(*save_compact(state, tmp_path))
    # A byte a weight and a scale of four bytes a row: 2,160 bytes each, two in a file.
    paths = save_compact(state, tmp_path, limit=5000)
    assert [path.name for path in paths] == [
        f"compact-0000{number}-of-00004.safetensors" for number in range(1, 5)
    ]
    assert sorted(tmp_path.iterdir()) == paths == compact_files(tmp_path)
    parts = load_compact(*paths)
    assert parts.keys() == whole.keys()
    assert all(torch.equal(parts[name], whole[name]) for name in whole)


def test_weights_within_the_limit_are_one_file(tmp_path) -> None:
    save_compact({"a": torch.ones(9, 9), "b": torch.ones(9, 9)}, tmp_path, limit=130)
    paths = save_compact({"a": torch.ones(9, 9)}, tmp_path, limit=130)
    assert [path.name for path in paths] == ["compact.safetensors"]
    assert sorted(tmp_path.iterdir()) == paths == compact_files(tmp_path)


def test_a_weight_beyond_the_limit_is_refused_and_existing_files_are_kept(tmp_path) -> None:
    paths = save_compact({"a": torch.ones(2, 2)}, tmp_path)
    with pytest.raises(LongsumError, match="big alone takes 117 bytes"):
        save_compact({"big": torch.ones(9, 9)}, tmp_path, limit=116)
    assert compact_files(tmp_path) == paths
