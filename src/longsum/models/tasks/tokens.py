"""Training a tokenizer, and the special tokens that mark a document's structure."""

from collections.abc import Iterable
from itertools import groupby
from typing import cast

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

from longsum.common.errors import LongsumError
from longsum.core.questions.linearisation import (
    LEVEL_DOWN,
    LEVEL_UP,
    QUESTION_END,
    SAME_LEVEL,
    Mark,
)

DEPTH_TOKENS = tuple(f"<depth{depth}>" for depth in range(6))
"""Marks of a section's depth; 0 is the document's title, and the last covers all deeper levels."""
PARAGRAPH_TOKEN = "<paragraph>"
SECTION_TOKEN = "<section>"
"""The mark of a section of any depth."""
QUESTION_TOKEN = QUESTION_END
"""The mark of a question that precedes a source."""
MASK_TOKEN = "<mask>"
STRUCTURE_TOKENS = (
    *DEPTH_TOKENS,
    PARAGRAPH_TOKEN,
    *(QUESTION_END, LEVEL_UP, SAME_LEVEL, LEVEL_DOWN),
    # Later additions come last, so that the others keep their ids.
    SECTION_TOKEN,
)
"""The marks of HIBRIDS in sources (§5.2); four of them also mark trees of questions (§5.1)."""

_CONTROL = ("<s>", "<pad>", "</s>", "<unk>", MASK_TOKEN)


def depth_token(level: int) -> str:
    """Return the mark of a section of this level, counted from 1."""
    return DEPTH_TOKENS[min(level, len(DEPTH_TOKENS) - 1)]


def lacking(tokenizer: PreTrainedTokenizerBase, marks: Iterable[str]) -> list[str]:
    """Return the marks that a tokenizer does not know."""
    known = tokenizer.get_vocab()
    return [mark for mark in marks if mark not in known]


def check_marks(tokenizer: PreTrainedTokenizerBase, marks: Iterable[str], otherwise: str) -> None:
    """Check that a tokenizer knows marks.

    `otherwise` tells the user what to do instead of training a tokenizer.

    Raises:
        LongsumError: It lacks one of them.
    """
    if missing := lacking(tokenizer, marks):
        raise LongsumError(
            f"This model's tokenizer has no token {missing[0]}; {otherwise}, or train a "
            "model with a new tokenizer ('longsum train')."
        )


def check_same_tokens(tagger: PreTrainedTokenizerBase, model: PreTrainedTokenizerBase) -> None:
    """Refuse a tagger whose vocabulary is not that of the model that reads its tags."""
    if tagger.get_vocab() != model.get_vocab():
        raise LongsumError(
            "The tagger has another vocabulary than the model; train a tagger that starts from the "
            "same checkpoint."
        )


def train_tokenizer(texts: Iterable[str], size: int) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer with BART's control tokens and structure marks.

    Args:
        texts: Training texts.
        size: Size of the vocabulary, including special tokens and the 256 bytes.

    Raises:
        LongsumError: The size leaves no room for the bytes.
    """
    special = [*_CONTROL, *STRUCTURE_TOKENS]
    min_size = len(special) + 256
    if size < min_size:
        raise LongsumError(f"A vocabulary of {size} tokens is too small; give at least {min_size}.")
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        # Single digits: numbers are copied digit by digit, and take no space in the vocabulary.
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
    """Refuse a tokenizer that does not return the offsets of its tokens."""
    if not tokenizer.is_fast:
        raise LongsumError(
            "This model's tokenizer cannot tell where its tokens are in a text; use a checkpoint "
            "that has a tokenizer.json."
        )


def ends(
    tokenizer: PreTrainedTokenizerBase, *, target: bool = False
) -> tuple[list[int], list[int]]:
    """Return the special tokens that a tokenizer puts before and after a text.

    Args:
        tokenizer: The tokenizer.
        target: Whether the text is a target, which makes a difference in some model families.

    Raises:
        LongsumError: As for `check_offsets`, or the tokenizer has no token for a letter.
    """
    check_offsets(tokenizer)
    encoding = tokenizer(
        **{"text_target" if target else "text": "a"}, return_special_tokens_mask=True
    )
    text = [place for place, special in enumerate(encoding["special_tokens_mask"]) if not special]
    if not text:
        raise LongsumError(
            "This model's tokenizer has no token for the letter a; use a checkpoint whose "
            "tokenizer.json is complete."
        )
    return encoding["input_ids"][: text[0]], encoding["input_ids"][text[-1] + 1 :]


def encode_target(text: str, tokenizer: PreTrainedTokenizerBase, max_tokens: int) -> list[int]:
    """Return the tokens of a target text, including its end, truncated to `max_tokens`."""
    encoding = tokenizer(
        text_target=" ".join(text.split()),
        truncation=True,
        max_length=max_tokens,
        split_special_tokens=True,
    )
    ids: list[int] = encoding["input_ids"]
    return ids


def encode_pieces(
    pieces: Iterable[Mark | str], tokenizer: PreTrainedTokenizerBase, max_tokens: int
) -> list[int]:
    """Return the tokens of a target of texts and marks; otherwise as `encode_target`.

    Raises:
        LongsumError: The tokenizer lacks the marks.
    """
    check_marks(tokenizer, [mark.value for mark in Mark], "choose a task without questions")
    before, after = ends(tokenizer, target=True)
    ids: list[int] = []
    for piece in pieces:
        if isinstance(piece, Mark):
            ids.append(cast(int, tokenizer.convert_tokens_to_ids(piece.value)))
        elif text := " ".join(piece.split()):
            encoding = tokenizer(
                # Words have the same tokens everywhere except at the very beginning.
                text_target=f" {text}" if ids else text,
                add_special_tokens=False,
                split_special_tokens=True,
            )
            ids.extend(encoding["input_ids"])
    return [*before, *ids[: max_tokens - len(before) - len(after)], *after]


def decode_pieces(ids: Iterable[int], tokenizer: PreTrainedTokenizerBase) -> list[Mark | str]:
    """Return the texts and marks of generated tokens, without other special tokens.

    It inverts `encode_pieces` if nothing was truncated, up to white space.
    """
    known = tokenizer.get_vocab()
    marks = {known[mark.value]: mark for mark in Mark if mark.value in known}
    pieces: list[Mark | str] = []
    for mark, run in groupby(map(int, ids), marks.get):
        if mark is not None:
            pieces.extend(mark for _ in run)
            continue
        text = tokenizer.decode(
            list(run), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        if line := " ".join(str(text).split()):
            pieces.append(line)
    return pieces
