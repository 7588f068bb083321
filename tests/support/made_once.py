"""What tests compute from the same numbers again and again is computed once in a process."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import longsum
from longsum.core.encoder.onnx_runtime.light_network import LightNetwork
from longsum.language import topics

PACKAGE = Path(longsum.__file__).parent
Key = Callable[..., Any]


def remembering(compute: Callable[..., Any], key: Key) -> Callable[..., Any]:
    """Return a function that computes once for each key, and copies the arrays it has found."""
    known: dict[Any, Any] = {}

    @wraps(compute)
    def recall(*given: Any, **named: Any) -> Any:
        asked = key(*given, **named)
        if asked not in known:
            known[asked] = compute(*given, **named)
        found = known[asked]
        return tuple(map(np.copy, found)) if isinstance(found, tuple) else np.copy(found)

    return recall


def remember(patch: pytest.MonkeyPatch) -> None:
    """Load the networks of the package once; remember vectors of texts, and topics of passages."""
    load = LightNetwork.of
    networks: dict[Any, LightNetwork] = {}

    def of(folder: Any, config: Any, kind: Any) -> LightNetwork:
        if PACKAGE not in folder.path.parents:
            return load(folder, config, kind)
        if (folder.path, kind) not in networks:
            made = networks[folder.path, kind] = load(folder, config, kind)
            made._encoder = remembering(made._encoder, _tokens)  # type: ignore[assignment]
        return networks[folder.path, kind]

    patch.setattr(LightNetwork, "of", of)
    fit = remembering(topics.fit_latent_dirichlet, _counts)
    patch.setattr(topics, "fit_latent_dirichlet", fit)


def _tokens(texts: Sequence[Any]) -> tuple[bytes, ...]:
    return tuple(np.asarray(text).tobytes() for text in texts)


def _counts(counts: Any, *settings: int, **named: int) -> tuple[Any, ...]:
    return counts.shape, counts.tobytes(), settings, *sorted(named.items())
