"""Key facts that a reader looks up in ever longer texts, as people do in MLS, §3.1.3.

A fact is a cloze question from a reference summary. A reader is shown a text, then one twice as
long, and so on until it answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.lab.checking.apes import Answerer, Cloze, ClozeMaker
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class FactCheck:
    """How a reader fared with a fact.

    Attributes:
        right: Whether its answer to each text is right: whether its words are those left out.
        shown: How many texts it was shown until it answered, or all.
        words: Words of the last of these.
        known: Whether its answer then is right.
    """

    right: tuple[bool, ...]
    shown: int
    words: int
    known: bool


def key_facts(
    references: Sequence[str], document: str, most: int, maker: ClozeMaker | None = None
) -> list[Cloze]:
    """Return facts of the references whose answers are words of the document.

    Args:
        references: The reference summaries; only the first that has facts is used.
        document: The document's text.
        most: The maximum number of facts, spread evenly over all that there are.
        maker: Makes cloze questions; by rules by default.
    """
    said = f" {' '.join(_words(document))} "
    for reference in references:
        found = [
            cloze
            for cloze in (maker or ClozeMaker()).questions(reference)
            if _words(cloze.answer) and f" {' '.join(_words(cloze.answer))} " in said
        ]
        if found:
            step = max(1.0, len(found) / most)
            return [found[int(place * step)] for place in range(min(most, len(found)))]
    return []


def check_fact(fact: Cloze, texts: Sequence[str], reader: Answerer) -> FactCheck:
    """Let a reader answer a fact from texts, from the shortest to the longest.

    Args:
        fact: The fact.
        texts: The texts, at least one.
        reader: Answers, or returns nothing if it needs more information; a text without words is
            not read.
    """
    answers = [reader.answer(fact.question, text) if text.strip() else "" for text in texts]
    wanted = _words(fact.answer)
    right = tuple(_words(answer) == wanted for answer in answers)
    told = next((place for place, answer in enumerate(answers) if answer), len(texts) - 1)
    return FactCheck(right, told + 1, count_words(texts[told]), right[told])


def _words(text: str) -> list[str]:
    return rouge_tokens(text, stemmer=False)
