"""The smallest possible checkpoints, of random weights, in the formats that recipes start from.

With them a recipe can be tried from conversion to summaries in a minute, without a network.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, BertTokenizer

from longsum.common.files import new_folder
from longsum.models.tasks.tokens import train_tokenizer

WIDTH, POSITIONS = 32, 512
_PIECES = 1_000
_SIZES = {
    **dict.fromkeys(("d_model", "hidden_size"), WIDTH),
    **dict.fromkeys(("ffn_dim", "intermediate_size"), 2 * WIDTH),
    "layers": 2,
    "heads": 4,
    "position_embeddings": POSITIONS,
}
"""The sizes for all kinds, by the ending of a setting's name."""
# The tokenizer is the same for all, so special tokens are BART's.
_SPECIAL: Mapping[str, Any] = {"pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
KINDS: Mapping[str, Mapping[str, Any]] = {
    "bart": {},
    "led": {"attention_window": 64},
    "roberta": {
        "max_position_embeddings": POSITIONS + 2,
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-5,
    },
    "bert": {},
    "pegasus": _SPECIAL,
    "bigbird_pegasus": {**_SPECIAL, "block_size": 16, "num_random_blocks": 1},
    "longt5": {
        **{"d_kv": WIDTH // 4, "d_ff": 2 * WIDTH, "n_positions": POSITIONS, "local_radius": 31},
        **{"feed_forward_proj": "gated-gelu", "is_gated_act": True, "dense_act_fn": "gelu_new"},
        **{"encoder_attention_type": "transient-global", **_SPECIAL},
    },
}
"""Further settings, by kind."""


def write_tiny_checkpoint(kind: str, folder: Path, texts: Iterable[str], *, seed: int = 0) -> int:
    """Write a model of random weights with a tokenizer; return its number of weights.

    Args:
        kind: A key of `KINDS`.
        folder: A new or empty folder.
        texts: Texts that the tokenizer is trained on; it splits words that it has not seen.
        seed: Seed of the weights.

    Raises:
        LongsumError: The folder is not empty.
    """
    if kind == "bert":
        letters = [chr(code) for code in range(33, 127)]
        tokenizer = BertTokenizer().train_new_from_iterator(
            texts, _PIECES, initial_alphabet=letters, show_progress=False
        )
    else:
        tokenizer = train_tokenizer(texts, _PIECES)
    settings = AutoConfig.for_model(kind, vocab_size=len(tokenizer))
    for name in vars(settings).copy():
        for ending, size in _SIZES.items():
            if name.endswith(ending):
                setattr(settings, name, size)
    settings.update(dict(KINDS[kind]))
    torch.manual_seed(seed)
    form = AutoModelForMaskedLM if kind in ("bert", "roberta") else AutoModelForSeq2SeqLM
    model: Any = form.from_config(settings)
    with new_folder(folder) as unfinished:
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
    return int(model.num_parameters())
