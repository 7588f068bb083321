"""Checkpoints of random weights, as small as can be, in the forms that recipes start from.

With them a recipe is tried from conversion to summaries in a minute, without a network.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AutoConfig,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    PreTrainedTokenizerFast,
)

from longsum.common.files import new_folder
from longsum.models.tasks.tokens import train_tokenizer

WIDTH, LAYERS, HEADS = 32, 2, 4
POSITIONS = 512
_PIECES = 1_000
_ENCODER: Mapping[str, Any] = {
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": 2 * WIDTH,
}
_BOTH: Mapping[str, Any] = {
    "d_model": WIDTH,
    **dict.fromkeys(("encoder_layers", "decoder_layers"), LAYERS),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), HEADS),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 2 * WIDTH),
    "max_position_embeddings": POSITIONS,
}
_LED: Mapping[str, Any] = {
    "max_encoder_position_embeddings": POSITIONS,
    "max_decoder_position_embeddings": POSITIONS,
    "attention_window": 64,
}
KINDS: Mapping[str, Mapping[str, Any]] = {
    "bart": _BOTH,
    "led": {**_BOTH, **_LED},
    "roberta": {
        **_ENCODER,
        "max_position_embeddings": POSITIONS + 2,
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-5,
    },
    "bert": {**_ENCODER, "max_position_embeddings": POSITIONS},
    # The tokenizer is the same, so its special tokens are BART's.
    "pegasus": {**_BOTH, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1},
}
"""The sizes of each kind."""


def write_tiny_checkpoint(kind: str, folder: Path, texts: Iterable[str], *, seed: int = 0) -> int:
    """Write a model of random weights with a tokenizer, as `transformers` saves them.

    Args:
        kind: A key of `KINDS`.
        folder: A new or empty folder.
        texts: What the tokenizer is made from; whatever it has not seen it takes apart.
        seed: Of the weights.

    Returns:
        The number of weights.

    Raises:
        LongsumError: The folder holds something.
    """
    tokenizer = _word_pieces(texts) if kind == "bert" else train_tokenizer(texts, _PIECES)
    torch.manual_seed(seed)
    form = AutoModelForMaskedLM if kind in ("bert", "roberta") else AutoModelForSeq2SeqLM
    sizes = AutoConfig.for_model(kind, vocab_size=len(tokenizer), **KINDS[kind])
    model: Any = form.from_config(sizes)
    with new_folder(folder) as unfinished:
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
    return int(model.num_parameters())


def _word_pieces(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """Return a tokenizer of BERT's form."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(
        vocab_size=_PIECES,
        special_tokens=special,
        initial_alphabet=[chr(code) for code in range(33, 127)],
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **dict(zip(names, special, strict=True))
    )
