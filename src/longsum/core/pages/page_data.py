"""The data for the page's script, in addition to the text that is in the page anyway."""

import json
import math
from collections.abc import Iterable
from typing import Any

from longsum.core.pages.lengths_view import (
    FINISH_NOTES,
    LengthsView,
    ShownSentence,
    length_label,
    length_name,
    spoken_length,
)
from longsum.core.pages.section_map import SectionMap
from longsum.core.summaries import Summary
from longsum.core.summaries.formats import MEANINGS, notes
from longsum.language.words import count_words

COLOURS = 8
"""Colours for reasons in the style sheet; further reasons repeat them."""

_KNOWN_REASONS = ("topics", "keywords", "redundancy", "focus")
_DIGITS = 9
# Characters that could end the script element, open a comment, or end a line in old JavaScript.
_ESCAPES = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def reason_names(view: LengthsView) -> tuple[str, ...]:
    """Return the names of all reasons; their positions determine their colours.

    The names that longsum's own systems use have fixed positions; others follow alphabetically.
    """
    names = {name for line in view.lines for name in line.sentence.reasons}
    return (*_KNOWN_REASONS, *sorted(names.difference(_KNOWN_REASONS)))


def page_data(view: LengthsView, layout: SectionMap) -> dict[str, Any]:
    """Return the data as JSON values, without texts, which are already in the page."""
    names = reason_names(view)
    first: dict[int | str, int] = {}
    alike = [first.setdefault(_identity(line), place) for place, line in enumerate(view.lines)]
    return {
        "start": view.nested.start,
        "rungs": [_length(summary) for summary in view.nested.summaries],
        "reasons": list(names),
        "meanings": {name: MEANINGS[name] for name in names if name in MEANINGS},
        "digits": _shown_digits(view.lines),
        "dense": view.in_order,
        "words": list(layout.section_words),
        "parents": [view.tree.parent(section.number) for section in view.tree.sections],
        "sentences": [
            _sentence(view, line, names, layout) | {"alike": place}
            for line, place in zip(view.lines, alike, strict=True)
        ],
    }


def embed_json(value: Any) -> str:
    """Return JSON that is safe in a script element, whatever its texts contain."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.translate(_ESCAPES)


def _length(summary: Summary) -> dict[str, Any]:
    return {
        "name": length_name(summary.budget),
        "label": length_label(summary),
        "spoken": spoken_length(summary),
        "words": summary.words,
        "most": _most(summary),
        "ends": FINISH_NOTES[summary.finish_reason],
    }


def _most(summary: Summary) -> dict[str, float]:
    """Return the length that must not be exceeded when a reader adds or drops sentences."""
    if summary.budget.unit in ("words", "sentences"):
        return {summary.budget.unit: summary.budget.amount}
    return {"words": summary.words}


def _sentence(
    view: LengthsView, line: ShownSentence, names: Iterable[str], layout: SectionMap
) -> dict[str, Any]:
    sentence = line.sentence
    reasons = sentence.reasons
    sources = sentence.sources
    return {
        "rungs": line.rungs,
        "section": line.section,
        "words": count_words(sentence.text),
        "score": round(sentence.score, _DIGITS),
        "shares": [round(reasons[name], _DIGITS) if name in reasons else None for name in names],
        "step": sentence.step,
        "method": sources[0].method if sources else None,
        "runnerUp": sentence.runner_up,
        "notes": list(notes(sentence, view.document, view.summary.explanation)),
        "sources": [source.sentence for source in sources],
        "page": sources[0].page if sources else None,
        "citation": view.citation(sources[0]) if sources else "",
        "cells": layout.chain(view, sources[0].section) if sources else [],
    }


def _identity(line: ShownSentence) -> int | str:
    """Return what a sentence shares with its shortened forms: its source, or else its text."""
    sentence = line.sentence
    return sentence.sources[0].sentence if sentence.origin == "copied" else sentence.text


def _shown_digits(lines: Iterable[ShownSentence]) -> int:
    """Return the number of decimals of the scores: three, or more if all scores are small."""
    largest = max((abs(line.sentence.score) for line in lines), default=0.0)
    return 3 if largest == 0 else min(max(3, 2 - math.floor(math.log10(largest))), _DIGITS)
