"""The networks, as Hugging Face models. Only this room imports `transformers`."""


def register() -> None:
    """Make the models of this room known to the Hugging Face Auto classes; may be called again.

    Importing a family of models (`longsum.models.seq2seq`) does so for that family. This room
    itself imports no family, because `transformers` takes seconds to load.
    """
    from longsum.models import seq2seq

    seq2seq.register()
