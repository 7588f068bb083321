"""The readability of a summary, regardless of content: openers, repetition, cohesion.

The measures know nothing about how a summary was made except the positions of its sentences in the
document. They share no rules with systems, since such a measure would only show that a system
follows its own rules.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from longsum.core.grounding.rouge_tokens import stem
from longsum.documents.fitness.complete import is_complete
from longsum.documents.model import Document
from longsum.language.repeats import plain
from longsum.language.words import content_terms, count_words, ngrams

READABILITY_VARIANT = (
    "readability: per 100 sentences, English openers, repeated at 80 % of content bigrams"
)
"""The variant that `readability` computes, to be reported with its numbers."""

NEAR = 0.8
"""Share of common content bigrams from which on two sentences say the same."""
_FEWEST_BIGRAMS = 3
"""A sentence with fewer content bigrams repeats another only if the words are the same."""

_POINTING = r"th(?:is|ese|ose|at)|such"
_OF_THE_TEXT = (
    r"paper|article|report|study|chapter|section|document|book|review|appendix|statement|thesis"
    r"|testimony|note|standard|specification|proposal|pep|rfc|module|unit|work|story|manual|guide"
)
"""What "this" can refer to without an antecedent: the text itself."""
_REFERENCE = (
    # Pronouns; "it is … that" and "it is … to" refer to what follows.
    r"(?!it(?:[’']s| is| was| has been| would be| will be| may be| seems| appears| follows"
    r"| turns out)\b(?:\W+\w+){0,4}?\W+(?:that|to|whether|how|why)\b)"
    r"(?:he|she|they|it|him|them|his|her|hers|their|theirs|its|himself|herself|itself|themselves)\b"
    # Demonstratives, also after a preposition; "such as" gives examples.
    rf"|(?:(?:in|on|at|for|from|by|with|to|of|under|after|before|during|through|because of|despite"
    rf"|as|since|given|based on|until|like|besides|beyond|all|both|each of|one of|some of|many of"
    rf"|most of|none of|half of|and|but) )?(?:{_POINTING})\b(?! as\b)"
    rf"(?! (?:{_OF_THE_TEXT})s?\b)"
    r"|the (?:former|latter|above|aforementioned|same)\b"
    r"|(?:here|there)(?:in|by|of|after|upon)\b"
)
_CONNECTIVE = (
    r"(?:however|therefore|thus|hence|moreover|furthermore|additionally|also|consequently"
    r"|accordingly|nevertheless|nonetheless|otherwise|meanwhile|similarly|likewise|conversely"
    r"|instead(?! of)|besides,|indeed|specifically|rather,|still,|then|afterwards?|next,|finally,?"
    r"|second(?:ly)?,|third(?:ly)?,|fourth(?:ly)?,|lastly,|alternatively|subsequently|thereafter"
    r"|and|but|or|nor|so(?! far)|yet|too|again,|even so|that is|in addition(?! to)"
    r"|in contrast(?! to)|by contrast|in comparison(?! (?:to|with))|on the (?:other hand|contrary)"
    r"|as a (?:result|consequence)(?! of)|as such|for (?:example|instance)|in (?:particular|fact)"
    r"|in other words|in turn|at the same time|to this end|for one thing|after all|i\.e\.|e\.g\.)"
    r"(?!\w)"
)
_DANGLES = re.compile(rf"[\W_]*(?:{_REFERENCE}|{_CONNECTIVE})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Readability:
    """The readability of a summary; shares are per 100 sentences, in [0, 100].

    Attributes:
        dangling: Sentences that open with a reference or a connective while the sentence before
            them in the document is not before them in the summary. Lower is better.
        not_material: Sentences that are neither prose nor list items in the document: captions,
            footnotes, references, headings. Lower is better.
        repeated: Sentences that repeat an earlier one. Lower is better.
        sentence_words: Mean number of words per sentence.
        cohesion: Mean share of content words that neighbouring sentences have in common, relative
            to the shorter one, times 100. Repetition also raises it, so it means little without
            `repeated`.
    """

    dangling: float
    not_material: float
    repeated: float
    sentence_words: float
    cohesion: float


def readability(
    sentences: Sequence[str], places: Sequence[int | None], document: Document
) -> Readability:
    """Measure the readability of a summary; all measures are 0 without sentences.

    Args:
        sentences: Its sentences, in reading order.
        places: Position in `document.sentences` of the one that each copies, None if a model wrote
            it.
        document: The document.
    """
    count = len(sentences)
    if not count:
        return Readability(0.0, 0.0, 0.0, 0.0, 0.0)
    return Readability(
        dangling=100 * sum(dangling_openers(sentences, places)) / count,
        not_material=100 * sum(not_material(sentences, places, document)) / count,
        repeated=100 * sum(repeated_sentences(sentences)) / count,
        sentence_words=sum(map(count_words, sentences)) / count,
        cohesion=100 * lexical_cohesion(sentences),
    )


def dangling_openers(sentences: Sequence[str], places: Sequence[int | None]) -> list[bool]:
    """Return for each sentence whether its opening refers to a sentence that is missing.

    The opening is a pronoun, a demonstrative that does not refer to the text itself ("this paper"),
    or a connective. Its antecedent is missing if the preceding sentence of the document is not the
    preceding one in the summary; for a sentence written by a model, if there is none before it. The
    first sentence of a document refers to nothing before it. Only English openings are recognised.
    """
    before: list[int | None] = [None, *places[:-1]]
    return [
        _DANGLES.match(text) is not None
        and (not number if place is None else place > 0 and previous != place - 1)
        for number, (text, place, previous) in enumerate(
            zip(sentences, places, before, strict=True)
        )
    ]


def not_material(
    sentences: Sequence[str], places: Sequence[int | None], document: Document
) -> list[bool]:
    """Return for each sentence whether it is of a kind unfit for summaries.

    Copied sentences have their kind in the document (`Sentence.kind`); those written by a model are
    judged by form (`is_complete`).
    """
    return [
        not (is_complete(text) if place is None else document.sentences[place].is_material)
        for place, text in zip(places, sentences, strict=True)
    ]


def repeated_sentences(sentences: Sequence[str]) -> list[bool]:
    """Return for each sentence whether it repeats an earlier one.

    It does if the words are the same, or if at least `NEAR` of the content bigrams of the shorter
    one (with three or more) are in the other; this includes sentences that contain the other.
    """
    repeated: list[bool] = []
    seen: set[str] = set()
    earlier: list[set[tuple[str, ...]]] = []
    for text in sentences:
        bigrams = set(ngrams(_stems(text), 2))
        near = any(
            min(len(bigrams), len(other)) >= _FEWEST_BIGRAMS
            and len(bigrams & other) >= NEAR * min(len(bigrams), len(other))
            for other in earlier
        )
        repeated.append(near or plain(text) in seen)
        seen.add(plain(text))
        earlier.append(bigrams)
    return repeated


def lexical_cohesion(sentences: Sequence[str]) -> float:
    """Return how many content words neighbouring sentences share, in [0, 1].

    The mean over neighbours of |A ∩ B| / min(|A|, |B|) with their sets of stems, the lexical
    cohesion of Halliday and Hasan 1976 by repetition alone. A sentence without content words shares
    none; fewer than two sentences give 0.
    """
    stems = [set(_stems(text)) for text in sentences]
    shares = [
        len(first & second) / max(min(len(first), len(second)), 1)
        for first, second in pairwise(stems)
    ]
    return sum(shares) / len(shares) if shares else 0.0


def _stems(text: str) -> list[str]:
    return [stem(term) for term in content_terms(text)]
