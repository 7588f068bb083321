"""An extractor's input: tokens and places of a document's sentences, and vectors of its texts.

An extractor spends nearly all its time on the vectors of sentences, most of which it will not
choose. For rough vectors, a matrix maps the mean of a text's token embeddings to a vector near the
one of the sentence encoder, in a thousandth of the time: too rough to choose by, but good enough to
tell which sentences are hardly worth encoding.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save
from tokenizers import Tokenizer

from longsum.common.arrays import Ints, Mask, Places
from longsum.common.errors import LongsumError
from longsum.core.encoder.network import Rows
from longsum.documents.model import Document
from longsum.documents.sentence_features import places
from longsum.documents.tree import DocumentTree

_OPENINGS, _CLOSINGS = ("[CLS]", "<s>"), ("[SEP]", "</s>")
_BETWEEN = " / "


@dataclass(frozen=True, slots=True)
class EncodedDocument:
    """The texts of a document as tokens: its sentences, then their headings.

    Attributes:
        tokens: Concatenated tokens of all texts, each with start and end tokens.
        ends: Where each text ends in `tokens`.
        headings: `[n]`, index of the text with each sentence's heading; −1 if there is none.
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
        sentence_tokens: Maximum number of tokens of a text, including start and end; longer texts
            are truncated.

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
    """Return the headings of sections with text, preceded by those above them, by number."""
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
    most = max_tokens - 2
    encoded = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    return [np.array([opening, *text.ids[:most], closing], dtype=np.int32) for text in encoded]


def token_id(tokenizer: Tokenizer, names: Iterable[str]) -> int | None:
    """Return the id of the first of the given tokens that a tokenizer has; None if it has none."""
    ids = (tokenizer.token_to_id(name) for name in names)
    return next((number for number in ids if number is not None), None)


def needed_token(tokenizer: Tokenizer, names: Iterable[str]) -> int:
    """Return the id of the first of the given tokens that a tokenizer has.

    Raises:
        LongsumError: The tokenizer has none of the tokens.
    """
    number = token_id(tokenizer, names)
    if number is None:
        raise LongsumError(
            f"The tokenizer has none of the tokens {', '.join(names)}; use that of BERT or RoBERTa."
        )
    return number


ROUGH_VECTORS = "rough_vectors.safetensors"
TOKENS = "embedding.tokens.weight"
"""Name of the token embeddings of a sentence encoder."""

_PROJECTION = "projection"


class RoughVectors:
    """Maps texts to rough vectors.

    Attributes:
        projection: `[D + 1, D]`, applied to a mean embedding with a 1 appended.

    Args:
        table: Returns the sentence encoder's token embeddings, `[V, D]`. It is not called before
            the first text, since most documents are short.
        projection: The projection.
    """

    def __init__(self, table: Callable[[], Rows], projection: Rows) -> None:
        self._make_table = table
        self.projection = projection

    @cached_property
    def _table(self) -> Rows:
        return self._make_table()

    @classmethod
    def of(cls, folder: Path, size: int, table: Callable[[], Rows]) -> "RoughVectors | None":
        """Read what `write` stored in a model's folder; None if there is nothing.

        Args:
            folder: The folder.
            size: D of the model.
            table: Returns its embeddings of tokens, `[V, D]`.

        Raises:
            LongsumError: The file is damaged or belongs to another model.
        """
        path = folder / ROUGH_VECTORS
        if not path.is_file():
            return None
        try:
            projection = load_file(path)[_PROJECTION].astype(np.float32)
        except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
            raise LongsumError(
                f"'{path}' is damaged ({error}); write it again with 'longsum export --skim'."
            ) from None
        if projection.shape != (size + 1, size):
            raise LongsumError(
                f"'{path}' does not fit the weights beside it; write it again with "
                "'longsum export --skim'."
            )
        return cls(table, projection)

    @classmethod
    def fit(cls, table: Rows, texts: Sequence[Ints], vectors: Rows) -> "RoughVectors":
        """Fit the projection by ridge regression.

        Args:
            table: `[V, D]`, embeddings of tokens.
            texts: n texts as tokens.
            vectors: `[n, D]`, what the sentence encoder returns for them.
        """
        means = _with_one(_means(table, texts)).astype(np.float64)
        # Too small to matter in any direction in which texts differ; keeps the system solvable.
        ridge = 1e-6 * len(texts) * np.eye(means.shape[1])
        projection = np.linalg.solve(means.T @ means + ridge, means.T @ vectors)
        return cls(lambda: table, projection.astype(np.float32))

    def __call__(self, texts: Sequence[Ints]) -> Rows:
        """Return the vectors of texts as tokens, `[m, D]`."""
        vectors: Rows = _with_one(_means(self._table, texts)) @ self.projection
        return vectors

    def write(self, folder: Path) -> Path:
        """Write the projection into the folder of the model, and return the file."""
        from longsum.common.files import write_bytes

        path = folder / ROUGH_VECTORS
        write_bytes(path, save({_PROJECTION: self.projection.astype(np.float16)}))
        return path


def _means(table: Rows, texts: Sequence[Ints]) -> Rows:
    """Return the mean embedding of each text, `[m, D]`."""
    means = np.empty((len(texts), table.shape[1]), dtype=np.float32)
    # Ten times as fast as `reduceat` over all texts, with the memory of a single one.
    for text, mean in zip(texts, means, strict=True):
        table[text].mean(axis=0, out=mean)
    return means


def _with_one(rows: Rows) -> Rows:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)


Encode = Callable[[Sequence[Ints]], Rows]


class TextVectors:
    """Returns the vectors of texts, most of which were encoded beforehand, all together.

    A sentence encoder groups texts of similar length, so the more texts it gets, the less padding
    they need. Equal texts are encoded once.

    Args:
        encode: Returns the vectors of texts, like `Network.encode` or this class itself.
        texts: The texts to encode now, as tokens; not empty.
        skimmed: Texts that get only rough vectors, unless they are among those encoded.
        rough: Returns rough vectors; without it, nothing may be skimmed.
    """

    def __init__(
        self,
        encode: Encode,
        texts: Iterable[Ints],
        skimmed: Iterable[Ints] = (),
        rough: Encode | None = None,
    ) -> None:
        self._encode = encode
        distinct = {text.tobytes(): text for text in texts}
        self._close = len(distinct)
        others = {text.tobytes(): text for text in skimmed}
        left = {tokens: text for tokens, text in others.items() if tokens not in distinct}
        self._rows = {tokens: row for row, tokens in enumerate([*distinct, *left])}
        self._vectors = self._encode(list(distinct.values()))
        if rough is not None and left:
            self._vectors = np.concatenate([self._vectors, rough(list(left.values()))])

    def __call__(self, texts: Sequence[Ints], *, rough: bool = False) -> Rows:
        """Return the vectors of texts, `[m, D]`; unknown texts are encoded but not kept.

        With `rough`, rough vectors are accepted.
        """
        rows = self._places(texts)
        if not rough:
            rows[rows >= self._close] = -1
        vectors: Rows = self._vectors[rows]
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            vectors[missing] = self._encode([texts[place] for place in missing.tolist()])
        return vectors

    def is_close(self, texts: Sequence[Ints]) -> Mask:
        """Return which texts have vectors from the encoder rather than rough ones, `[m]`."""
        close: Mask = self._places(texts) < self._close
        return close

    def _places(self, texts: Sequence[Ints]) -> Places:
        return np.array([self._rows.get(text.tobytes(), -1) for text in texts])
