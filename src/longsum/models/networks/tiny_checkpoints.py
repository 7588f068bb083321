"""Checkpoints of random weights, as small as can be, in the forms that recipes start from.

With them a recipe is tried from conversion to summaries in a minute, without a network.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertForMaskedLM,
    LEDConfig,
    LEDForConditionalGeneration,
    PegasusConfig,
    PegasusForConditionalGeneration,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
)

from longsum.common.files import new_folder
from longsum.models.tasks.tokens import train_tokenizer

TinyKind = Literal["bart", "led", "roberta", "bert", "pegasus"]
KINDS: tuple[TinyKind, ...] = get_args(TinyKind)
WIDTH, LAYERS, HEADS = 32, 2, 4
POSITIONS = 512
_PIECES = 1_000


def write_tiny_checkpoint(
    kind: TinyKind, folder: Path, texts: Iterable[str], *, seed: int = 0
) -> int:
    """Write a model of random weights with a tokenizer, as `transformers` saves them.

    Args:
        kind: Which model.
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
    model = _model(kind, len(tokenizer))
    with new_folder(folder) as unfinished:
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
    return model.num_parameters()


def _model(kind: TinyKind, vocabulary: int) -> PreTrainedModel:
    sizes: dict[str, Any] = {"vocab_size": vocabulary, "d_model": WIDTH}
    for side in ("encoder", "decoder"):
        sizes |= {f"{side}_layers": LAYERS, f"{side}_attention_heads": HEADS}
        sizes[f"{side}_ffn_dim"] = 2 * WIDTH
    encoder: dict[str, Any] = {
        "vocab_size": vocabulary,
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": 2 * WIDTH,
    }
    match kind:
        case "bart":
            return BartForConditionalGeneration(
                BartConfig(**sizes, max_position_embeddings=POSITIONS)
            )
        case "led":
            reach: dict[str, Any] = {
                f"max_{side}_position_embeddings": POSITIONS for side in ("encoder", "decoder")
            }
            return LEDForConditionalGeneration(LEDConfig(**sizes, **reach, attention_window=64))
        case "pegasus":
            # The tokenizer is the same, so its special tokens are BART's.
            ids: dict[str, Any] = {
                "pad_token_id": 1,
                "eos_token_id": 2,
                "decoder_start_token_id": 1,
            }
            return PegasusForConditionalGeneration(
                PegasusConfig(**sizes, **ids, max_position_embeddings=POSITIONS)
            )
        case "roberta":
            positions: dict[str, Any] = {
                "max_position_embeddings": POSITIONS + 2,
                "type_vocab_size": 1,
            }
            return RobertaForMaskedLM(RobertaConfig(**encoder, **positions, layer_norm_eps=1e-5))
        case "bert":
            return BertForMaskedLM(BertConfig(**encoder, max_position_embeddings=POSITIONS))


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
