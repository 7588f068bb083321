"""Cloze questions of a summary: its sentences with a name, number or date left out.

Eyal et al. 2019 (APES), §3.1; HEPOS, §5.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from longsum.language.entities import entities, load_pipeline, spacy_entities
from longsum.language.sentences import split_sentences

BLANK = "@placeholder"
"""What stands in the place of the answer, as in the data that APES's reader was trained on."""

Span = tuple[int, int]
Finder = Callable[[str], Iterable[Span]]
"""Finds the phrases of a sentence that are left out, as offsets."""


@dataclass(frozen=True, slots=True)
class Cloze:
    """A question.

    Attributes:
        question: The sentence, with `BLANK` in the place of the answer.
        answer: What stood there.
    """

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class ClozeMaker:
    """Makes cloze questions.

    Attributes:
        phrases: Finds names, numbers and dates; by default by rules.
        events: Finds events, which the paper masks too; None for none, which `variant` says.
        source: What `phrases` is called in `variant`.
    """

    phrases: Finder = lambda text: ((found.start, found.end) for found in entities(text))
    events: Finder | None = None
    source: str = "rules"

    @classmethod
    def with_spacy(cls, model: str) -> "ClozeMaker":
        """Return one that finds phrases with an installed spaCy model, such as `en_core_web_sm`.

        Raises:
            LongsumError: spaCy or the model is not installed.
        """
        pipeline = load_pipeline(model)

        def phrases(text: str) -> Iterator[Span]:
            return ((found.start, found.end) for found in spacy_entities(pipeline, text))

        return cls(phrases, source=f"spaCy's {model}")

    def questions(self, summary: str) -> Iterator[Cloze]:
        """Yield a question for each phrase of each sentence; a line break ends a sentence too."""
        for line in summary.splitlines():
            for start, end in split_sentences(line):
                sentence = line[start:end]
                found = set(self.phrases(sentence)) | set(
                    self.events(sentence) if self.events else ()
                )
                for first, last in sorted(found):
                    yield Cloze(f"{sentence[:first]}{BLANK}{sentence[last:]}", sentence[first:last])

    @property
    def variant(self) -> str:
        """What is left out, in words."""
        events = "events" if self.events else "no events: no extractor is given"
        return f"names, numbers and dates by {self.source}; {events}"
