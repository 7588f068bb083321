"""What a run would take, tried before it starts."""

from pathlib import Path

import pytest

from longsum.recipes import Recipe
from longsum.training import estimate as module
from longsum.training.estimate import estimate
from longsum.training.prepared_cache import PreparedCache
from longsum.training.run_seq2seq import SEQ2SEQ

from .conftest import tiny


@pytest.mark.slow
@pytest.mark.usefixtures("corpus")
def test_updates_and_measurements_are_counted_as_the_run_has_them(
    prepared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "UPDATES", 4)
    data = tiny()["data"] | {"prepared": str(prepared), "validation_limit": 3}
    training = tiny()["training"] | {"steps": 100}
    recipe = Recipe("tiny", "For tests", "none", "seq2seq", tiny(data=data, training=training))
    settings = SEQ2SEQ.settings_of(recipe, {"evaluate_every": 25})
    found = estimate(SEQ2SEQ, settings)
    assert (found.updates, found.measurements) == (100, 5)
    tokens = SEQ2SEQ.tokens(settings, PreparedCache(settings.data, prepared, print))
    assert found.parameters == SEQ2SEQ.build(settings, tokens).num_parameters()
    expected = 100 * found.seconds_per_update + 5 * found.seconds_per_measurement
    assert found.seconds == pytest.approx(expected)
    # The process holds PyTorch, so that it has at least its size.
    assert found.memory > 100e6
    assert "loss" not in capsys.readouterr().out
