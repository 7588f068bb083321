"""How processes divide a run, and what they refuse."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.core.recipes import Recipe
from longsum.models.training.processes import shares
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.run_settings import OptimizationConfig

SMALL = st.integers(1, 12)


@given(SMALL, SMALL, SMALL, SMALL)
def test_an_update_keeps_its_examples(batch: int, accumulate: int, began: int, now: int) -> None:
    settings = OptimizationConfig(batch=batch, accumulate=accumulate)
    examples = batch * accumulate * began
    if examples % now:
        with pytest.raises(LongsumError, match="cannot share evenly"):
            shares(settings, began, now)
        return
    own, turns = shares(settings, began, now)
    assert own * turns * now == examples
    # No batch needs more memory than the settings allow.
    assert own <= batch
    if began == now:
        assert (own, turns) == (batch, accumulate)


def test_a_model_is_not_divided_twice(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCELERATE_USE_FSDP", "true")
    with pytest.raises(LongsumError, match=r"set training\.sharding=full"):
        SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, {}), tmp_path / "run")
    assert not (tmp_path / "run").exists()
