"""Fits what each sign of a heading counts: `heading_weights.json` beside the readers' judge.

Run: python benchmarks/fit_headings.py [--half 0|1] [--documents N] [--keep FOLDER]
     [--printed FOLDER] [FILES …]

Learned from: the marked outlines of `real_documents.py` (PDF, Word, OpenDocument), as the files
stand and with their bookmarks and styles hidden; documents of the shared data printed in the
development styles of `trees.py`; and FILES, PDFs with bookmarks and Word or OpenDocument files with
styles, whose bookmarks and styles are hidden and tell what is a heading (lines set like one of
them, which they lack, are left out). What the readers take for a candidate is one example; those
of a document weigh less, the more headings it has. A logistic regression with a small ridge is
fitted a few times over, since numbers and lines that look alike are judged by the scores. With
`--half` only one half of the marked documents is used, so that `real_documents.py` can measure
the other.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from math import sqrt
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from longsum.documents import Source
from longsum.documents.readers.detect import parse
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.office import docx, odt, rtf
from longsum.documents.readers.pdf import pdf
from longsum.documents.readers.pdf.pdf_content import PdfText, extract_pdf
from longsum.documents.readers.structure import heading_candidates
from longsum.documents.readers.structure.heading_candidates import PRIOR, HeadingCandidate
from longsum.documents.readers.structure.heading_inference import (
    Block,
    Inferences,
    paragraph_candidates,
)
from longsum.documents.readers.structure.heading_signs import compare
from origins import fetch
from real_documents import real_documents
from tree_documents import known_documents
from tree_styles import STYLES, render
from trees import Headings, key_of

WEIGHTS = Path(heading_candidates.__file__).parent / "heading_weights.json"
RIDGE, ROUNDS = 0.5, 5
COMPARED = ("said again", "looks like no other", "lines that look alike")
LATER = "not in the outline"
MARKED, PRINTED, OTHER = 4.0, 0.7, 0.7
_FEWEST, _LEAST_FOUND, _SHORTEST = 4, 0.85, 5


@dataclass(slots=True)
class Document:
    """The candidates of a document: 1 for a heading, 0 for none, -1 for what tells nothing."""

    found: list[HeadingCandidate]
    labels: list[int]
    weight: float


def labels_of(true: Headings, texts: Sequence[str]) -> list[int]:
    """Return which texts are the headings, in order; parts and repetitions of one tell nothing."""
    keys, wanted = [key_of(text) for text in texts], [key_of(title) for _, title in true]
    known, joined = set(wanted), "|".join(wanted)
    labels = [-(key in known or (len(key) >= _SHORTEST and key in joined)) for key in keys]
    for block in SequenceMatcher(None, wanted, keys, autojunk=False).get_matching_blocks():
        labels[block.b : block.b + block.size] = [1] * block.size
    return labels


def of_pdf(text: PdfText, true: Headings, weight: float) -> Document:
    """Return the candidates of a PDF as the reader weighs them, after its title is taken out."""
    taken: list[list[HeadingCandidate]] = []
    decode = pdf.decode

    def caught(found: Sequence[HeadingCandidate]) -> list[int]:
        taken.append(list(found))
        return decode(found)

    with patch.object(pdf, "decode", caught):
        pdf.lay_out(text, Source("a.pdf", "pdf"))
    return Document(taken[0], labels_of(true, [each.text for each in taken[0]]), weight)


def blocks_in(data: bytes, name: str) -> list[Block]:
    """Return the paragraphs of a Word, OpenDocument or RTF file; none if they are not judged."""
    taken: list[list[Block]] = []

    def caught(blocks: Sequence[Block]) -> Inferences:
        taken.append(list(blocks))
        return Inferences({})

    with (
        patch.object(docx, "infer_headings", caught),
        patch.object(odt, "infer_headings", caught),
        patch.object(rtf, "infer_headings", caught),
    ):
        parse(data, name)
    return taken[0] if taken else []


def of_blocks(blocks: Sequence[Block], true: Headings, weight: float) -> Document:
    """Return the candidates of a file of paragraphs."""
    labels = labels_of(true, [block.text for block in blocks])
    found, _ = paragraph_candidates(blocks)
    return Document(found, [labels[each.first] for each in found], weight)


def hide(blocks: Sequence[Block]) -> list[Block]:
    """Return paragraphs without the levels of their styles."""
    return [replace(block, level=None) for block in blocks]


def marked(half: int | None, folder: Path) -> Iterator[Document]:
    """Yield the documents whose outlines are written down."""
    for real in real_documents():
        name = f"{real.name}.{real.format}"
        own = int(hashlib.md5(real.name.encode()).hexdigest(), 16) % 2
        if real.format not in ("pdf", "docx", "odt") or (half is not None and own != half):
            continue
        data = fetch(real.origin, folder)
        if real.format == "pdf":
            text = extract_pdf(data, name, ReadLimits())
            for each in [text, replace(text, outline={})] if text.outline else [text]:
                yield of_pdf(each, real.headings, MARKED)
            continue
        blocks = blocks_in(data, name)
        yield of_blocks(hide(blocks), real.headings, MARKED)
        if any(block.level is not None for block in blocks):
            yield of_blocks(blocks, real.headings, MARKED)


def printed(documents: int, folder: Path) -> Iterator[Document]:
    """Yield documents printed in the development styles, with their bookmarks and without."""
    for known in known_documents("train", documents):
        true = [(part.level, part.title) for part in known.parts]
        for style in STYLES:
            if not style.held_out:
                data = render(known, style, folder).read_bytes()
                text = extract_pdf(data, style.name, ReadLimits())
                for each in [text, replace(text, outline={})] if text.outline else [text]:
                    yield of_pdf(each, true, PRINTED)


def others(files: Sequence[Path]) -> Iterator[Document]:
    """Yield files whose bookmarks or styles tell the headings, if enough of them are found."""
    for file in files:
        if file.suffix == ".pdf":
            text = extract_pdf(file.read_bytes(), file.name, ReadLimits())
            marks = [mark for page in sorted(text.outline) for mark in text.outline[page]]
            true = [(mark.level + 1, mark.title) for mark in marks]
            document = of_pdf(replace(text, outline={}), true, OTHER)
        else:
            blocks = blocks_in(file.read_bytes(), file.name)
            true = [(block.level + 1, block.text) for block in blocks if block.level is not None]
            document = of_blocks(hide(blocks), true, 1.0)
        right = [e for e, label in zip(document.found, document.labels, strict=True) if label == 1]
        if len(true) < _FEWEST or len(right) < _LEAST_FOUND * len(true):
            continue
        looks = {each.look for each in right if each.is_set_off}
        document.labels = [
            -1 if label == 0 and each.is_set_off and each.look in looks else label
            for each, label in zip(document.found, document.labels, strict=True)
        ]
        yield document


def fit(documents: Sequence[Document]) -> dict[str, float]:
    """Return the weights of all signs, by Newton's method."""
    rows = [
        (each.signs, label, document.weight / sqrt(max(document.labels.count(1), _FEWEST)))
        for document in documents
        for each, label in zip(document.found, document.labels, strict=True)
        if label >= 0 and not each.stated
    ]
    names = sorted({name for signs, _, _ in rows for name in signs})
    values = np.array([[signs.get(name, 0.0) for name in names] for signs, _, _ in rows])
    labels, weights = (np.array([row[n] for row in rows], dtype=float) for n in (1, 2))
    ridge = np.array([0.0 if name == PRIOR else RIDGE / 3 for name in names])
    found = np.zeros(len(names))
    for _ in range(60):
        odds = 1 / (1 + np.exp(-np.clip(values @ found, -30, 30)))
        slope = values.T @ (weights * (labels - odds)) - ridge * found
        bend = (values * (weights * odds * (1 - odds))[:, None]).T @ values
        step = np.linalg.solve(bend + np.diag(ridge + 1e-6), slope)
        found += step * min(1.0, 3 / float(np.abs(step).max()))
        if np.abs(step).max() < 1e-4:
            break
    return {name: round(float(weight), 2) for name, weight in zip(names, found, strict=True)}


def fit_again(documents: Sequence[Document], weights: dict[str, float]) -> dict[str, float]:
    """Return the weights where candidates are compared by their scores under other weights."""
    with patch.object(heading_candidates, "weights", lambda: weights):
        for document in documents:
            later = [each.signs.pop(LATER, 0.0) for each in document.found]
            for each in document.found:
                for name in COMPARED:
                    each.signs.pop(name, None)
            compare([each for each in document.found if not each.stated])
            for each, value in zip(document.found, later, strict=True):
                each.signs |= {LATER: value} if value else {}
    return fit(documents)


def main() -> None:
    """Fit the weights and write them down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1), help="of the marked documents")
    parser.add_argument("--documents", type=int, default=3, help="printed of each data set")
    parser.add_argument("--keep", type=Path, help="folder where packages stay")
    parser.add_argument("--printed", type=Path, help="folder where printed files stay")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        documents = [
            *marked(options.half, options.keep or Path(folder)),
            *printed(options.documents, options.printed or Path(folder)),
            *others(options.files),
        ]
    weights = dict(heading_candidates.weights())
    for _ in range(ROUNDS):
        weights = fit_again(documents, weights)
    card: dict[str, Any] = json.loads(WEIGHTS.read_text("utf-8"))
    card["fitted on"] = {
        "marked": "all PDF, DOCX and ODT files of real_documents.py"
        if options.half is None
        else f"half {options.half} of the PDF, DOCX and ODT files of real_documents.py",
        "printed": f"{options.documents} of each data set in the development styles of trees.py",
        "files": len(options.files),
        "documents, as they stand and with bookmarks or styles hidden": len(documents),
        "candidates": sum(len(document.found) for document in documents),
        "headings": sum(document.labels.count(1) for document in documents),
    }
    card["weights"] = dict(sorted(weights.items(), key=lambda each: -abs(each[1])))
    WEIGHTS.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
