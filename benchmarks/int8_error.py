"""Errors of int8 and bfloat16 in the logits: random weights of LED-large's width, two layers each.

python benchmarks/int8_error.py
"""

import copy

import torch
from torchao.quantization import (
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    quantize_,
)

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig

TOKENS, TARGET = 512, 64


def main() -> None:
    """Print the error of each, as a share of the logits' standard deviation."""
    torch.manual_seed(0)
    config = LongsumSeq2SeqConfig(
        vocab_size=5000,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention={"window": 256, "global_tokens": 1},
        global_projections=True,
    )
    model = LongsumForConditionalGeneration(config).eval()
    with torch.inference_mode():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.02)
        ids = torch.randint(3, config.vocab_size, (1, TOKENS))
        given = {"input_ids": ids, "decoder_input_ids": ids[:, :TARGET]}
        expected = model(**given).logits
        for name, change in {
            "int8 weights": lambda made: quantize_(made, Int8WeightOnlyConfig()),
            "int8 weights and activations": lambda made: quantize_(
                made, Int8DynamicActivationInt8WeightConfig()
            ),
            "bfloat16": lambda made: made.bfloat16(),
        }.items():
            changed = copy.deepcopy(model)
            change(changed)
            found = changed(**given).logits.float()
            error = (found - expected).square().mean().sqrt() / expected.std()
            same = (found.argmax(-1) == expected.argmax(-1)).float().mean()
            print(f"{name}: error {error:.1%}, likeliest token the same at {same:.0%}")


if __name__ == "__main__":
    main()
