"""A document as the units of an extractive model: the tokens and position of each sentence."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.documents.model import Document
from longsum.documents.sentence_features import places
from longsum.documents.tree import DocumentTree

_OPENINGS, _CLOSINGS = ("[CLS]", "<s>"), ("[SEP]", "</s>")
_BETWEEN = " / "


@dataclass(frozen=True, slots=True)
class EncodedDocument:
    """The texts of a document as tokens: its sentences, then their headings.

    Attributes:
        tokens: Concatenated tokens of all texts, each with its start and end.
        ends: Where each text ends in `tokens`.
        headings: `[n]`, index of the text that is each sentence's heading; −1 if there is none.
        places: `[n, F]`, see `longsum.documents.sentence_features`.
    """

    tokens: Ints
    ends: Places
    headings: Ints
    places: Ints


def encode_document(
    document: Document, tokenizer: Tokenizer, sentence_tokens: int
) -> EncodedDocument:
    """Encode the sentences of a document and their headings.

    A heading includes those above it, so that "Results" under "Experiment 2" is recognisable.

    Args:
        document: The document, with at least one sentence.
        tokenizer: The model's tokenizer.
        sentence_tokens: Maximum number of tokens of a text, including start and end; the rest is
            truncated.

    Raises:
        LongsumError: The tokenizer has no tokens for start and end.
    """
    titles = _titles(document)
    count = len(document.sentences)
    rows = {number: count + row for row, number in enumerate(titles)}
    texts = [*(sentence.text for sentence in document.sentences), *titles.values()]
    encoded = encode_texts(texts, tokenizer, sentence_tokens)
    headings = [rows.get(document.section_of(at).number, -1) for at in range(count)]
    return EncodedDocument(
        tokens=np.concatenate(encoded),
        ends=np.cumsum([len(text) for text in encoded]),
        headings=np.array(headings, dtype=np.int32),
        places=places(document),
    )


def _titles(document: Document) -> dict[int, str]:
    """Return the headings of the sections that hold text, with those above them, by number."""
    tree = DocumentTree(document)
    titles: dict[int, str] = {}
    for section in document.walk():
        path = tree.title_path(section.number)
        if section.paragraphs and path:
            titles[section.number] = _BETWEEN.join(path)
    return titles


def encode_texts(texts: list[str], tokenizer: Tokenizer, max_tokens: int) -> list[Ints]:
    """Return the tokens of texts, truncated to `max_tokens` each including start and end.

    Raises:
        LongsumError: The tokenizer has no tokens for start and end.
    """
    opening, closing = needed_token(tokenizer, _OPENINGS), needed_token(tokenizer, _CLOSINGS)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return [
        np.array([opening, *found.ids[: max_tokens - 2], closing], dtype=np.int32)
        for found in tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    ]


def token_id(tokenizer: Tokenizer, names: Iterable[str]) -> int | None:
    """Return the id of the first of some tokens that a tokenizer has; None if it has none."""
    found = (tokenizer.token_to_id(name) for name in names)
    return next((number for number in found if number is not None), None)


def needed_token(tokenizer: Tokenizer, names: Iterable[str]) -> int:
    """Return what `token_id` does.

    Raises:
        LongsumError: The tokenizer has none of the tokens.
    """
    found = token_id(tokenizer, names)
    if found is None:
        raise LongsumError(
            f"The tokenizer has none of the tokens {', '.join(names)}; use that of BERT or RoBERTa."
        )
    return found
