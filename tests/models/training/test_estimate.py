"""Estimates of what a run will take."""

import multiprocessing
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from longsum.common.errors import LongsumError
from longsum.models.training import estimate as module
from longsum.models.training.documents import PreparedCache
from longsum.models.training.estimate import Estimate, TriedUpdates, tried
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.update_order import UpdateOrder


@pytest.mark.usefixtures("corpus")
def test_updates_and_measurements_are_counted_as_the_run_has_them(
    recipe, prepared, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(module, "TIMED", 2)
    data = {"prepared": str(prepared), "validation_limit": 3}
    changes = {"data": data, "training": {"steps": 100}, "evaluate_every": 25, "save_every": 40}
    settings = SEQ2SEQ.settings_of(recipe, changes)
    found = tried("seq2seq", settings)
    assert (found.updates, found.measurements, found.checkpoints) == (100, 5, 3)
    tokens = SEQ2SEQ.tokens(settings, PreparedCache(settings.data, prepared, print))
    assert found.parameters == SEQ2SEQ.build(settings, tokens).num_parameters()
    expected = 100 * found.seconds_per_update + 5 * found.seconds_per_measurement
    assert found.seconds == pytest.approx(expected + 3 * found.seconds_per_checkpoint)
    # The process holds PyTorch, so that it has at least its size.
    assert found.memory > 100e6
    assert "loss" not in capsys.readouterr().out


@pytest.mark.usefixtures("corpus")
def test_measurements_on_few_documents_are_extrapolated_to_all(recipe, monkeypatch) -> None:
    """With a clock that ticks once per reading."""
    monkeypatch.setattr(module, "TIMED", 1)
    monkeypatch.setattr(module, "_TRAINING_DOCUMENTS", 3)
    monkeypatch.setattr(module, "_VALIDATION_DOCUMENTS", 2)
    monkeypatch.setattr(module, "_ROUGE_DOCUMENTS", 1)
    monkeypatch.setattr(module, "_now", count().__next__)
    prepared = []
    prepare = SEQ2SEQ.prepare
    monkeypatch.setattr(
        type(SEQ2SEQ), "prepare", lambda _, *given: prepared.append(prepare(*given)) or prepared[0]
    )
    changes = {"rouge_documents": 3, "training": {"workers": 0}}
    found = tried("seq2seq", SEQ2SEQ.settings_of(recipe, changes))
    assert (len(prepared[0].train), len(prepared[0].validation)) == (3, 2)
    assert found.seconds_per_update == found.seconds_per_checkpoint == 1
    # Two ticks for two documents read, one for one that is written; of the run's, four and three.
    assert found.seconds_per_measurement == 4 * 2 / 2 + 3 * 1
    # One before the first update and one after each third; where ROUGE decides, all are kept.
    assert (found.measurements, found.checkpoints) == (3, 2)


@pytest.mark.usefixtures("corpus")
def test_if_time_runs_out_the_largest_update_counts_for_all(recipe, prepared, monkeypatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    monkeypatch.setattr(module, "_now", count().__next__)
    data = {"prepared": str(prepared)}
    found = tried("seq2seq", SEQ2SEQ.settings_of(recipe, {"data": data}))
    assert (found.timed, found.seconds_per_update) == (0, 1)


@pytest.mark.usefixtures("corpus")
def test_a_trial_that_does_not_end_is_ended(recipe, monkeypatch) -> None:
    monkeypatch.setattr(module, "_LONGEST", 0.0)
    with pytest.raises(LongsumError, match="Only 0 updates could be tried"):
        module.estimate(SEQ2SEQ, SEQ2SEQ.settings_of(recipe, {}))
    assert multiprocessing.active_children() == []


def test_an_estimate_is_printed_in_lines() -> None:
    found = Estimate(
        parameters=1_234_567,
        updates=30,
        seconds_per_update=3.0,
        computed_per_update=5.0,
        measurements=2,
        seconds_per_measurement=10.0,
        checkpoints=1,
        seconds_per_checkpoint=9.0,
        memory=2_345_000_000,
        device="a CPU",
    )
    assert found.lines == [
        "1,234,567 parameters on a CPU",
        "30 updates of 3.00 s (the mean of 8)",
        "2 measurements of 10.0 s",
        "1 checkpoint of 9.0 s",
        "119 seconds in all, without the preparation of the data",
        "2.35 GB of memory at the peak",
    ]
    assert "(the largest alone was tried)" in replace(found, timed=0).lines[1]
    for seconds, told in {10: "2 minutes", 7029: "119 minutes", 7090: "2.0 hours"}.items():
        longer = replace(found, seconds_per_checkpoint=float(seconds), processes=2).lines
        assert longer[4].startswith(f"{told} in all")
    assert longer[0].endswith("parameters on 2 processes, each on a CPU")
    assert longer[5].endswith("at the peak of a process")


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
