"""The networks, as Hugging Face models. Only this room imports `transformers`."""


def register() -> None:
    """Make the models of this room known to the Hugging Face Auto classes; may be called again.

    Nobody needs to call it: `import longsum` announces the models (`longsum.models.announce`), and
    importing a family of them (`longsum.models.seq2seq`,
    `longsum.models.extractive.modeling_extractive`, `longsum.models.pointer`,
    `longsum.models.convolutional`, `longsum.models.tagger`) registers that family.
    """
    from longsum.models import convolutional, pointer, seq2seq, tagger
    from longsum.models.extractive import modeling_extractive as modeling

    seq2seq.register()
    modeling.register()
    pointer.register()
    convolutional.register()
    tagger.register()
