import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from longsum.models.training.callbacks import MetricsLog


@contextmanager
def interrupted(monkeypatch: pytest.MonkeyPatch, step: int) -> Iterator[None]:
    """Interrupt the training in the `with` block when this update is logged, as a user would."""
    logged: Callable[..., None] = MetricsLog.on_log

    def on_log(self: MetricsLog, args: Any, state: Any, *rest: Any, **named: Any) -> None:
        if state.global_step == step:
            raise KeyboardInterrupt
        logged(self, args, state, *rest, **named)

    with monkeypatch.context() as patched:
        patched.setattr(MetricsLog, "on_log", on_log)
        with pytest.raises(KeyboardInterrupt):
            yield


def logged(folder: Path, name: str) -> list[tuple[int, float]]:
    """Return each logged number of a run of this name, with its update."""
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [(line["step"], line[name]) for line in map(json.loads, lines) if name in line]


def check_resumed(
    run: Any, recipe: Any, settings: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that an interrupted run of six updates ends like an uninterrupted one."""
    whole = run.train(recipe, settings, folder / "whole")
    losses = logged(folder / "whole", "loss")
    assert [step for step, _ in losses] == [1, 2, 3, 4, 5, 6]
    with interrupted(monkeypatch, 5):
        run.train(recipe, settings, folder / "broken")
    assert run.train(recipe, settings, folder / "broken") == whole
    assert logged(folder / "broken", "loss") == losses
