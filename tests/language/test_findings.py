"""The rules find the same in the sentences of real documents as before.

They are the sentences that were judged by hand for the figures of the documentation, the lines of
plain texts of many genres, and the golden documents. Where a rule is meant to find something else,
`python tests/language/test_findings.py` writes anew what is expected; its difference shows what has
changed.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from inspect import getmembers, isfunction
from pathlib import Path

import pytest

from longsum.core.grounding.denials import negated
from longsum.core.grounding.quantities import figures, written_numbers
from longsum.core.kernels.keywords import rake
from longsum.core.section_trees.segmentation import key_terms, topic_segments
from longsum.documents.fitness import forms, signposts, spoken_sentences
from longsum.documents.fitness.acronyms import definitions, uses
from longsum.documents.fitness.complete import (
    has_verb,
    is_complete,
    is_phrase,
    lacks_subject,
    names_code,
)
from longsum.documents.fitness.dependence import dependence
from longsum.language.boundaries import opens_with_mark, places, sentence_continues, starts_sentence
from longsum.language.broken_words import mend_lines
from longsum.language.characters import without_hidden, written_out
from longsum.language.compression.compression import shorten
from longsum.language.entities import entities
from longsum.language.identify import identify_language
from longsum.language.repeats import first_alike
from longsum.language.sentences import ends_as_sentence, opens_lower, sentence_texts
from longsum.language.words import count_unspaced, count_words, has_longer_word
from longsum.tables.datasets.games import untokenized

TESTS = Path(__file__).parents[1]
EXPECTED = TESTS / "data" / "findings.json"
JUDGED = {
    TESTS / "data" / "boundaries.tsv": "text",
    TESTS / "data" / "dependence.tsv": "sentence",
    TESTS.parent / "benchmarks" / "unfit_sentences.tsv": "sentence",
}
GOLDEN = TESTS / "core" / "golden" / "documents"
PLAIN = TESTS / "documents" / "readers" / "readings"
WIDTH = 60


@cache
def sentences() -> list[str]:
    """Return the sentences that were judged by hand, and the lines of plain texts."""
    found = []
    for path, column in JUDGED.items():
        with path.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            found += [row[column].replace("‖", "") for row in rows]
    for path in sorted(PLAIN.iterdir()):
        if path.suffix in (".md", ".mbox", ".srt", ".txt"):
            found += path.read_text(encoding="utf-8").split("\n")
    return [*filter(None, found)]


@cache
def documents() -> list[str]:
    """Return the texts of the golden documents."""
    return [
        json.loads(path.read_text(encoding="utf-8"))["text"] for path in sorted(GOLDEN.iterdir())
    ]


def boundaries(text: str) -> list[tuple]:
    rules = (opens_with_mark, sentence_continues, starts_sentence)
    return [(place, *(rule(text, place) for rule in rules)) for place in places(text)]


def split(text: str) -> str:
    return "‖".join(sentence_texts(text))


def shortened(text: str) -> str:
    found = shorten(text)
    return "; ".join([found.text, *map(str, found.deletions)])


def mentions(text: str) -> list[str]:
    return [f"{each.start} {each.kind} {each.text}" for each in entities(text)]


def acronyms(text: str):
    known = definitions(sentence_texts(text))
    return known, [found for each in sentence_texts(text) if (found := uses(each, known))]


def segments(text: str):
    pieces = sentence_texts(text)
    parts = topic_segments(pieces, 6)
    return parts, key_terms([pieces[part.start : part.stop] for part in parts], 4)


def mended(text: str) -> str:
    return mend_lines("\n".join(text[at : at + WIDTH] for at in range(0, len(text), WIDTH)))


def repeated(text: str):
    pieces = sentence_texts(text)
    return first_alike([*pieces, *(piece[: len(piece) - 9] for piece in pieces)]).tolist()


def phrases(text: str) -> list[str]:
    return [str(each) for each in rake(sentence_texts(text), 30)]


def long_words(text: str) -> list[int]:
    return [most for most in (12, 39, 40, 41) if has_longer_word(text, most)]


def rules_of(module) -> list[Callable]:
    return [
        rule
        for _, rule in getmembers(module, isfunction)
        if rule.__module__ == module.__name__ and not rule.__name__.startswith("_")
    ]


OF_SENTENCES = [
    *rules_of(signposts),
    *rules_of(forms),
    *rules_of(spoken_sentences),
    *(is_phrase, lacks_subject, names_code, opens_lower, ends_as_sentence, has_verb, is_complete),
    *(boundaries, split, dependence, shortened, mentions, negated, figures, written_numbers),
    *(untokenized, without_hidden, written_out, count_words, count_unspaced, long_words),
]
OF_DOCUMENTS = [acronyms, segments, mended, identify_language, repeated, phrases]


def found(rule: Callable) -> dict[str, str]:
    """Return what a rule finds in each text, except where it finds the same as in most."""
    texts = documents() if rule in OF_DOCUMENTS else sentences()
    values = [told(rule(text)) for text in texts]
    usual, times = Counter(values).most_common(1)[0]
    usual = usual if times > 9 else None
    return {"usual": usual} | {
        f"{number} {text[:20]}": value
        for number, (text, value) in enumerate(zip(texts, values, strict=True))
        if value not in (text, usual)
    }


def told(value) -> str:
    if isinstance(value, Iterator):
        value = list(value)
    return " ".join(sorted(value)) if isinstance(value, frozenset) else str(value)


@pytest.mark.parametrize("rule", [*OF_SENTENCES, *OF_DOCUMENTS], ids=lambda rule: rule.__name__)
def test_a_rule_finds_the_same_as_before(rule: Callable) -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))[rule.__name__]
    assert found(rule) == expected


if __name__ == "__main__":
    rules = [*OF_SENTENCES, *OF_DOCUMENTS]
    text = json.dumps({rule.__name__: found(rule) for rule in rules}, ensure_ascii=False, indent=0)
    EXPECTED.write_text(f"{text}\n", encoding="utf-8")
