"""From the summaries of the parts to that of the whole (top-down, Pang et al. 2022, §3.4.2).

This is how a model trained on chapters learns from books: it reads the concatenated reference
summaries of the chapters. At test time it reads generated ones, from the system `recursive`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from longsum.documents.builder import DocumentBuilder
from longsum.evaluation.datasets.example import Example
from longsum.models.tasks.task import Pair


@dataclass(frozen=True, slots=True)
class PartSummaries:
    """The summary of the whole against the reference summaries of its parts, joined.

    These are in `Example.extra["section_summaries"]`, objects with `section`, a title, and `text`.
    Each part is a section of the first level, as in a level of a recursive summary.
    """

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield one training example, or none if the parts have no summaries."""
        builder = DocumentBuilder()
        for part in example.extra.get("section_summaries", ()):
            builder.heading(1, part["section"])
            for line in part["text"].splitlines():
                builder.paragraph(line)
        joined = builder.build(example.document.title, example.document.source)
        if joined.sentences:
            yield Pair(joined, example.references[0])
