"""A training run that is interrupted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from longsum.models.training.callbacks import MetricsLog


@contextmanager
def interrupted(monkeypatch: pytest.MonkeyPatch, step: int) -> Iterator[None]:
    """Interrupt what trains in the `with` when this update is logged, as a user would."""
    logged: Callable[..., None] = MetricsLog.on_log

    def on_log(self: MetricsLog, args: Any, state: Any, *rest: Any, **named: Any) -> None:
        if state.global_step == step:
            raise KeyboardInterrupt
        logged(self, args, state, *rest, **named)

    with monkeypatch.context() as patched:
        patched.setattr(MetricsLog, "on_log", on_log)
        with pytest.raises(KeyboardInterrupt):
            yield
