"""The extractive models by name."""

from collections.abc import Callable, Mapping
from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import known_architecture
from longsum.models.networks.extractive.etc import EtcSum
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import ExtractiveModel

ARCHITECTURES: Mapping[str, Callable[[Any], ExtractiveModel]] = {
    "hibert": Hibert,
    "etc": EtcSum,
    "flat": FlatSum,
}
"""The class of each architecture, made from its settings alone (`extractor_config.SETTINGS`)."""


def architecture_of(model: ExtractiveModel) -> str:
    """Return the name of a model's architecture.

    Raises:
        LongsumError: It has none.
    """
    for name, kind in ARCHITECTURES.items():
        if type(model) is kind:
            return name
    raise LongsumError(
        f"{type(model).__name__} cannot be saved; take one of {', '.join(ARCHITECTURES)}."
    )


def build(architecture: str, settings: Any) -> ExtractiveModel:
    """Make a model with weights of its own.

    Args:
        architecture: A key of `ARCHITECTURES`.
        settings: A value of `extractor_config.SETTINGS[architecture]`.

    Raises:
        LongsumError: There is no such architecture.
    """
    return ARCHITECTURES[known_architecture(architecture)](settings)
