"""Tiny byte-level language models, random or trained to give one answer."""

from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from tiny_sizes import bert_sizes

QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CHAT_ML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ("<|im_start|>", "<|im_end|>", "<s>")


def tokenizer(template: str | None) -> PreTrainedTokenizerFast:
    """A token for each byte, divided before as Qwen's texts are."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {sign: number for number, sign in enumerate(alphabet)}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([*SPECIAL])
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="<|im_end|>", chat_template=template
    )


SIZES = {
    **bert_sizes(),
    **{"vocab_size": 260, "num_key_value_heads": 1, "head_dim": 8, "pad_token_id": 0},
    "max_position_embeddings": 8_192,
}


def teach(model: Any, said: PreTrainedTokenizerFast, answer: str) -> None:
    """Train a model to write the same after any prompt: each token follows from the one before."""
    ids = said(f"\n{answer}<|im_end|>", add_special_tokens=False)["input_ids"]
    assert len({*ids}) == len(ids)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(80):
        before = torch.randint(256, (4, 60))
        rows = torch.cat([before, torch.tensor([ids] * 4)], dim=1)
        labels = rows.masked_fill(torch.arange(rows.shape[1]) < 60, -100)
        optimizer.zero_grad()
        model(rows, labels=labels).loss.backward()
        optimizer.step()
    model.eval()
