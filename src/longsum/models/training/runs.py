"""All kinds of training runs, by the kind of their recipes."""

from collections.abc import Mapping
from typing import Any

from longsum.common.registry import find, load, registered
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.training_run import Run


def runs() -> Mapping[str, Run[Any, Any, Any, Any]]:
    """Return all kinds of runs."""
    return {kind: load(entry) for kind, entry in registered("runs").items()}


def run_for(kind: str) -> Run[Any, Any, Any, Any]:
    """Return what trains recipes of a kind; for any other, a run that refuses the recipe."""
    run: Run[Any, Any, Any, Any] = find("runs", kind) or SEQ2SEQ
    return run
