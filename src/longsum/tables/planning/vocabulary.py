"""A small vocabulary for the strings of tables."""

from collections.abc import Iterable

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.trainers import WordPieceTrainer

from longsum.tables.planning.table_units import BREAK

PADDING, UNKNOWN, OPENING, CLOSING = "[PAD]", "[UNK]", "[CLS]", "[SEP]"


def train_vocabulary(texts: Iterable[str], size: int) -> Tokenizer:
    """Return a WordPiece tokenizer learned from strings.

    Accents are taken off, and names in other alphabets than the strings' are unknown.

    Args:
        texts: The strings of many units.
        size: Number of pieces, those for padding, start, end and break included.
    """
    tokenizer = Tokenizer(WordPiece(unk_token=UNKNOWN))
    tokenizer.normalizer = BertNormalizer(lowercase=True, strip_accents=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=size,
        special_tokens=[PADDING, UNKNOWN, OPENING, CLOSING, BREAK],
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
