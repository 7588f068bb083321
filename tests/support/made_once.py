"""Caches, per process, results that tests compute repeatedly from the same numbers."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import longsum
from longsum.core.encoder.onnx_runtime.light_network import LightNetwork
from longsum.evaluation.datasets import planted
from longsum.language import topics


def remembering(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that computes once for equal arguments, and returns copies."""
    known: dict[bytes, Any] = {}

    def recall(*given: Any, **named: Any) -> Any:
        asked = pickle.dumps((given, named))
        if asked not in known:
            known[asked] = compute(*given, **named)
        return deepcopy(known[asked])

    return recall


def remember(patch: pytest.MonkeyPatch) -> None:
    """Load the networks of the package once; remember vectors, topics, and planted documents."""
    load, networks = LightNetwork.of, dict[Any, LightNetwork]()

    def of(folder: Any, config: Any, kind: Any) -> LightNetwork:
        if Path(longsum.__file__).parent not in folder.path.parents:
            return load(folder, config, kind)
        if (folder.path, kind) not in networks:
            made = networks[folder.path, kind] = load(folder, config, kind)
            made._encoder = remembering(made._encoder)  # type: ignore[assignment]
        return networks[folder.path, kind]

    patch.setattr(LightNetwork, "of", of)
    patch.setattr(topics, "fit_latent_dirichlet", remembering(topics.fit_latent_dirichlet))
    patch.setattr(planted, "_example", cache(planted._example))
