"""The tokenizer that is trained here, and the special tokens that show a document's structure."""

from collections.abc import Iterable

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

from longsum.errors import LongsumError

DEPTH_TOKENS = tuple(f"<depth{depth}>" for depth in range(6))
"""Marks of a section's depth; 0 is the document's title, the last stands for all that is deeper."""
PARAGRAPH_TOKEN = "<paragraph>"
MASK_TOKEN = "<mask>"
STRUCTURE_TOKENS = (*DEPTH_TOKENS, PARAGRAPH_TOKEN, "<question>", "<up>", "<hold>", "<down>")
"""What HIBRIDS (§5.2) marks in sources and, the last four, in trees of questions."""

_CONTROL = ("<s>", "<pad>", "</s>", "<unk>", MASK_TOKEN)


def depth_token(level: int) -> str:
    """Return the mark of a section of this level, counted from 1."""
    return DEPTH_TOKENS[min(level, len(DEPTH_TOKENS) - 1)]


def has_marks(tokenizer: PreTrainedTokenizerBase) -> bool:
    """Tell whether a tokenizer knows the marks of depths and paragraphs."""
    known = tokenizer.get_vocab()
    return all(mark in known for mark in (*DEPTH_TOKENS, PARAGRAPH_TOKEN))


def train_tokenizer(texts: Iterable[str], size: int) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer with BART's control tokens and marks of structure.

    Args:
        texts: What to learn from.
        size: Tokens of the vocabulary, special ones and the 256 bytes included.

    Raises:
        LongsumError: The size leaves no room for the bytes.
    """
    special = [*_CONTROL, *STRUCTURE_TOKENS]
    least = len(special) + 256
    if size < least:
        raise LongsumError(f"A vocabulary of {size} tokens is too small; give at least {least}.")
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        # Digits apart: numbers are then copied digit by digit, and take no room in the vocabulary.
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.Sequence(
        [
            processors.ByteLevel(trim_offsets=True),
            processors.TemplateProcessing(
                single="<s> $A </s>",
                pair="<s> $A </s> $B </s>",
                special_tokens=[("<s>", 0), ("</s>", 2)],
            ),
        ]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        mask_token=MASK_TOKEN,
        additional_special_tokens=list(STRUCTURE_TOKENS),
        clean_up_tokenization_spaces=False,
    )


def check_offsets(tokenizer: PreTrainedTokenizerBase) -> None:
    """Check that a tokenizer can tell where its tokens stand in a text.

    Raises:
        LongsumError: It cannot.
    """
    if not tokenizer.is_fast:
        raise LongsumError(
            "This model's tokenizer cannot tell where its tokens stand in a text; use a "
            "checkpoint that has a tokenizer.json."
        )


def ends(tokenizer: PreTrainedTokenizerBase) -> tuple[list[int], list[int]]:
    """Return the special tokens that a tokenizer puts before and after a text.

    Raises:
        LongsumError: As `check_offsets`.
    """
    check_offsets(tokenizer)
    found = tokenizer("a", return_offsets_mapping=True, return_special_tokens_mask=True)
    text = [place for place, special in enumerate(found["special_tokens_mask"]) if not special]
    return found["input_ids"][: text[0]], found["input_ids"][text[-1] + 1 :]


def encode_target(text: str, tokenizer: PreTrainedTokenizerBase, most: int) -> list[int]:
    """Return the tokens of a target text, its end included, cut to a number of tokens."""
    found = tokenizer(
        text_target=" ".join(text.split()),
        truncation=True,
        max_length=most,
        split_special_tokens=True,
    )
    ids: list[int] = found["input_ids"]
    return ids
