"""What a run would take, tried before it starts."""

from pathlib import Path

import numpy as np
import pytest

from longsum.core.recipes import Recipe
from longsum.models.training import estimate as module
from longsum.models.training.estimate import TriedUpdates, peak_memory, tried
from longsum.models.training.prepared_cache import PreparedCache
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.update_order import UpdateOrder
from training_fixtures import tiny


@pytest.mark.usefixtures("corpus")
def test_updates_and_measurements_are_counted_as_the_run_has_them(
    prepared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "TIMED", 2)
    data = tiny()["data"] | {"prepared": str(prepared), "validation_limit": 3}
    training = tiny()["training"] | {"steps": 100}
    recipe = Recipe("tiny", "For tests", "none", "seq2seq", tiny(data=data, training=training))
    settings = SEQ2SEQ.settings_of(recipe, {"evaluate_every": 25, "save_every": 40})
    found = tried("seq2seq", settings)
    assert (found.updates, found.measurements, found.checkpoints) == (100, 5, 3)
    tokens = SEQ2SEQ.tokens(settings, PreparedCache(settings.data, prepared, print))
    assert found.parameters == SEQ2SEQ.build(settings, tokens).num_parameters()
    expected = 100 * found.seconds_per_update + 5 * found.seconds_per_measurement
    assert found.seconds == pytest.approx(expected + 3 * found.seconds_per_checkpoint)
    # The process holds PyTorch, so that it has at least its size.
    assert found.memory > 100e6
    assert "loss" not in capsys.readouterr().out


def test_updates_of_all_sizes_are_tried_after_the_largest() -> None:
    lengths = [*range(1, 161)]
    order = UpdateOrder(len(lengths), 4, lengths)
    tried_ones = np.array(list(TriedUpdates(order, lengths))).reshape(-1, 4)
    longest = tried_ones.max(axis=1) + 1
    assert longest[0] == 160 > longest[1]
    assert len(tried_ones) == 2 + module.TIMED
    assert (np.diff(longest[2:]) > 0).all()
    # Their mean is that of all.
    every = np.array(lengths)[order.epoch(0)].max(axis=1).mean()
    assert longest[2:].mean() == pytest.approx(every, rel=0.05)


def test_the_peak_of_memory_is_kept() -> None:
    held = b"x" * 64_000_000
    peak = peak_memory()
    assert peak > len(held)
    del held
    # The kernel counts pages in batches.
    assert peak_memory() > 0.98 * peak
