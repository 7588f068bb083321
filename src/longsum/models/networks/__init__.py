"""The networks, as Hugging Face models. Only this room imports `transformers`."""

from typing import Any


def register() -> dict[str, type[Any]]:
    """Make the models of this room known to the Hugging Face Auto classes; may be called again.

    Nobody needs to call it: `import longsum` announces the models
    (`longsum.common.beginning`), and importing a family of them
    (`longsum.models.networks.seq2seq`, `longsum.models.networks.extractive.modeling_extractive`,
    `longsum.models.networks.pointer`, `longsum.models.networks.convolutional`,
    `longsum.models.networks.tagger`, `longsum.tables.relations`) registers that family.

    Returns:
        The class of each model's settings, by the `model_type` of a checkpoint.
    """
    # Imported here, so that importing the package does not pay for it.
    from longsum.common.registry import load, registered

    entries = registered("architectures")
    return {model_type: load(entry) for model_type, entry in entries.items()}
