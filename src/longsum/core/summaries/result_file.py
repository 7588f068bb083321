"""The result file: one JSON form for every system (schema in `docs/schema/summary-1.json`)."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from longsum.core.summaries.by_document import shares_by_document
from longsum.core.summaries.formats import shades
from longsum.core.summaries.layout import speaker_of
from longsum.core.summaries.sentence import SourceSpan, SummarySentence
from longsum.core.summaries.summary import Explanation, Importance, Level, Summary
from longsum.documents.dossier import Dossier
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree
from longsum.language.words import count_words

SCHEMA = "longsum/summary/1"
_DIGITS = 9


def summary_to_json(
    summary: Summary, *, levels: bool = False, importance: bool = False
) -> dict[str, Any]:
    """Return the summary as JSON values.

    The same document, system, settings and seed give the same values, except for `timings`. Numbers
    are rounded to nine decimals, so that reasons add up to the score within 1e-8.

    With `levels`, the result includes the levels of a divided text; with `importance`, that of the
    document's parts, if it is known.
    """
    document = summary.document
    value = {
        "schema": SCHEMA,
        "document": document_to_json(document),
        "summary": {
            "text": summary.text,
            "words": summary.words,
            "sentences": [sentence_to_json(sentence, document) for sentence in summary.sentences],
        },
        "budget": {
            "asked": summary.budget.amount,
            "unit": summary.budget.unit,
            "reached": summary.reached,
            **({"automatic": True} if summary.budget.automatic else {}),
        },
        "coverage": {
            "sentences_read": summary.coverage.sentences_read,
            "sentences_total": summary.coverage.sentences_total,
            "unread_sections": list(summary.coverage.unread_sections),
            **_by_document(summary),
        },
        "system": summary.system,
        "settings": dict(summary.settings),
        "seed": summary.seed,
        "explanation": summary.explanation and _explanation(summary.explanation),
        "timings": {name: round(seconds, 4) for name, seconds in summary.timings.items()},
        "warnings": list(summary.warnings),
        "finish_reason": summary.finish_reason,
    }
    if levels:
        value["levels"] = levels_to_json(summary.levels, document)
    if importance and summary.importance is not None:
        value["importance"] = importance_to_json(summary.importance)
    return value


def levels_to_json(levels: Sequence[Level], document: Document) -> list[dict[str, Any]]:
    """Return the levels of a divided text as JSON values."""
    return [
        {
            "level": number,
            "words": level.words,
            "parts": [
                {
                    "title": part.title,
                    "part_words": part.part_words,
                    "budget": part.budget,
                    "words": part.words,
                    "sentences": [
                        sentence_to_json(sentence, document) for sentence in part.sentences
                    ],
                    "warnings": list(part.warnings),
                }
                for part in level.parts
            ],
        }
        for number, level in enumerate(levels, start=1)
    ]


def sentence_to_json(sentence: SummarySentence, document: Document) -> dict[str, Any]:
    """Return a sentence of a document's summary with its sources and reasons as JSON values."""
    return {
        "text": sentence.text,
        "speaker": speaker_of(sentence, document),
        "sources": [source_to_json(source, document) for source in sentence.sources],
        "score": _round(sentence.score),
        "reasons": {name: _round(share) for name, share in sentence.reasons.items()},
        "step": sentence.step,
        "runner_up": sentence.runner_up,
        "verified": sentence.verified,
        "doubts": [doubt.to_json() for doubt in sentence.doubts],
        "origin": sentence.origin,
        "expands": sentence.expands,
        "rivals": [
            {
                "sentences": list(rival.sentences),
                "score": _round(rival.score),
                "repeats": rival.repeats,
            }
            for rival in sentence.rivals
        ],
        "insertions": [
            {
                "offset": insertion.offset,
                "text": insertion.text,
                "source": {
                    "sentence": insertion.source.sentence,
                    "section": insertion.source.section,
                    "page": insertion.source.page,
                    "start": insertion.source.start,
                    "end": insertion.source.end,
                },
            }
            for insertion in sentence.insertions
        ],
        "deletions": [
            {"start": deletion.start, "end": deletion.end, "kind": deletion.kind}
            for deletion in sentence.deletions
        ],
    }


def source_to_json(source: SourceSpan, document: Document) -> dict[str, Any]:
    """Return a source as JSON values; in a dossier, with its document and its place there."""
    return {
        "sentence": source.sentence,
        "section": source.section,
        "page": source.page,
        "start": source.start,
        "end": source.end,
        "score": _round(source.score),
        "method": source.method,
        **(_origin(source, document) if isinstance(document, Dossier) else {}),
    }


def _origin(source: SourceSpan, dossier: Dossier) -> dict[str, Any]:
    member = dossier.member_of(source.sentence)
    return {
        "origin": {
            "document": dossier.members.index(member),
            "name": member.name,
            "sentence": source.sentence - member.sentences.start,
            "start": source.start - member.start,
            "end": source.end - member.start,
        }
    }


def _by_document(summary: Summary) -> dict[str, Any]:
    """Return how much of each document of a dossier was read, and is in the summary."""
    documents = [
        {
            "name": share.member.name,
            "sentences_read": share.coverage and share.coverage.sentences_read,
            "sentences_total": len(share.member.sentences),
            "summary_sentences": share.sentences,
            "summary_words": share.words,
        }
        for share in shares_by_document(summary)
    ]
    return {"documents": documents} if documents else {}


def dump_json(value: Any) -> str:
    """Serialize JSON in longsum's file style: indented, UTF-8, keys in the given order."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def document_to_json(document: Document) -> dict[str, Any]:
    """Return the description of a document in result files."""
    tree = DocumentTree(document)
    omitted = Counter(part.kind for part in document.omitted)
    return {
        "title": document.title,
        "language": document.language,
        "words": sum(count_words(sentence.text) for sentence in document.sentences),
        "sentences": len(document.sentences),
        "sections": len(document.walk()),
        "outline": [
            {
                "number": section.number,
                "label": tree.label(section.number),
                "level": section.level,
                "title": section.title,
            }
            for section in document.walk()
        ],
        **({"omitted": dict(sorted(omitted.items()))} if omitted else {}),
        "sha256": document.sha256,
        **(_members(document) if isinstance(document, Dossier) else {}),
    }


def _members(dossier: Dossier) -> dict[str, Any]:
    """Return the documents of a dossier with their places in it."""
    return {
        "documents": [
            {
                "name": member.name,
                "file": member.document.source.name,
                "format": member.document.source.format,
                "section": member.section,
                "start": member.start,
                "first_sentence": member.sentences.start,
                "sentences": len(member.sentences),
                "sha256": member.document.sha256,
            }
            for member in dossier.members
        ]
    }


def _explanation(explanation: Explanation) -> dict[str, Any]:
    return {
        "topics": [list(words) for words in explanation.topics],
        "keywords": [
            {"keyword": keyword, "frequency": _round(frequency)}
            for keyword, frequency in explanation.keywords
        ],
        "weights": dict(explanation.weights),
    }


def _round(value: float) -> float:
    # Adding zero turns -0.0 into 0.0.
    return round(value, _DIGITS) + 0.0


def importance_to_json(importance: Importance) -> dict[str, Any]:
    """Return the importance of the shaded parts as JSON values, rounded."""
    sentences = zip(importance.sentences, shades(importance.sentences), strict=True)
    words = zip(importance.words, shades([word.weight for word in importance.words]), strict=True)
    return {
        "made_by": importance.made_by,
        "sentences": [
            {"sentence": place, "weight": _rounded(weight)}
            for place, (weight, shade) in enumerate(sentences)
            if weight is not None and shade
        ],
        "words": [
            {"start": word.start, "end": word.end, "weight": _rounded(word.weight)}
            for word, shade in words
            if shade
        ],
    }


def _rounded(weight: float) -> float:
    return float(f"{weight:.3g}")
