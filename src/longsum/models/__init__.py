"""The networks, as Hugging Face models. Only this room imports `transformers`."""

from typing import Any


def register() -> dict[str, type[Any]]:
    """Make the models of this room known to the Hugging Face Auto classes; may be called again.

    Nobody needs to call it: `import longsum` announces the models (`longsum.models.announce`), and
    importing a family of them (`longsum.models.seq2seq`,
    `longsum.models.extractive.modeling_extractive`, `longsum.models.pointer`,
    `longsum.models.convolutional`, `longsum.models.tagger`, `longsum.models.relations`) registers
    that family.

    Returns:
        The class of each model's settings, by the `model_type` of a checkpoint.
    """
    from longsum.models.convolutional import LongsumConvolutionalConfig
    from longsum.models.extractive.modeling_extractive import LongsumExtractor
    from longsum.models.pointer import LongsumPointerConfig
    from longsum.models.relations import LongsumRelationsConfig
    from longsum.models.seq2seq import LongsumSeq2SeqConfig
    from longsum.models.tagger import LongsumTaggerConfig

    configs: tuple[type[Any], ...] = (
        LongsumConvolutionalConfig,
        LongsumExtractor.config_class,
        LongsumPointerConfig,
        LongsumRelationsConfig,
        LongsumSeq2SeqConfig,
        LongsumTaggerConfig,
    )
    return {config.model_type: config for config in configs}
