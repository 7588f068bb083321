"""The references of an example whose parts have aspects."""

from longsum.documents.aspects import Labelled, labelled
from longsum.evaluation.datasets.example import Example

LABELLED_SUMMARY = "labelled_summary"
"""The further field with a summary as it stands with its titles, where the reference leaves them
out."""


def labelled_references(example: Example) -> list[Labelled]:
    """Return the references that have aspects, by their labels or by titles that the set keeps."""
    titled = example.extra.get(LABELLED_SUMMARY)
    texts = example.references if titled is None else (str(titled),)
    return [found for text in texts if (found := labelled(text)) is not None]
