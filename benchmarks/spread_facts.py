"""Do head-wise strides cover the whole document? Scattered facts, and equal attention budgets.

Run: python benchmarks/spread_facts.py [--systems S …] [--seeds N …] [--json FILE]

A document of 256 tokens is filler except for four facts at random places. A fact is a token with a
key and a value; the decoder is given the four keys and has to output their values, one of 8 each.
The model is `LongsumSeq2SeqModel`, an encoder layer of attention in windows of 16 tokens and a
decoder layer of 8 heads. `full` reads all 256 positions in each head; all others 32: `hepos` every
eighth, each head another (HEPOS, §3), `contiguous` the head's own eighth of the document,
`linformer` 32 learned mixtures, and `truncated` only the first 32 tokens of the document. The table
has the accuracy on 1,000 documents from other seeds, and without further training on longer ones,
of which a head also reads an eighth. Guessing gives 12.5 %; reading an eighth of the facts gives 23
%.
"""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumSeq2SeqModel
from puzzles import (
    FILLERS,
    PAD,
    QUESTIONS,
    VALUES,
    FactDocument,
    accuracy,
    answer_loss,
    fact_documents,
    learn,
    options,
    show,
)
from workers import finish

TOKENS, TOLD, SHARE = 256, 4, 8
LONGER = {2048: 20, 16384: 5}
"""Longer documents, and how many a batch has."""
SYSTEMS: dict[str, dict[str, Any]] = {
    "full": {},
    "hepos": {"kind": "hepos", "stride": SHARE},
    "contiguous": {"kind": "contiguous", "stride": SHARE},
    "linformer": {"kind": "linformer", "projected": TOKENS // SHARE},
    "truncated": {},
}


def main() -> None:
    """Train and test every system, and print a table."""
    given = options(__doc__, SYSTEMS, steps=1000, batch=32).parse_args()
    rows = []
    for name in given.systems:
        found = [answered(name, seed, given.steps, given.batch) for seed in given.seeds]
        columns = {str(tokens): [each[tokens] for each in found] for tokens in found[0]}
        rows.append(show(name, columns))
    finish({"spread_facts": rows}, given.json)


def answered(name: str, seed: int, steps: int, batch: int) -> dict[int, float]:
    """Train a system, and return its accuracy on unseen documents by their length."""
    torch.manual_seed(seed)
    config = LongsumSeq2SeqConfig(
        vocab_size=FILLERS.stop,
        d_model=64,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=8,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        dropout=0.0,
        # Token embeddings are as large as those of positions, which are not learned.
        init_std=0.1,
        scale_embedding=True,
        position_kind="sinusoidal",
        max_source_positions=TOKENS,
        pad_token_id=PAD,
        encoder_attention={"kind": "pattern", "window": 16},
        cross_attention=SYSTEMS[name] or None,
    )
    model, head = LongsumSeq2SeqModel(config), nn.Linear(64, VALUES)
    share = SHARE if name == "truncated" else 1

    def judge_of(part: str, tokens: int, count: int) -> Any:
        source = fact_documents(random.Random(f"{part} {seed}"), tokens, TOLD)
        return lambda: judge(model, head, source, count, tokens // share)

    learn([model, head], judge_of("train", TOKENS, batch), steps)
    model.eval()
    found = {TOKENS: accuracy(judge_of("test", TOKENS, 100))}
    if name != "linformer":
        # Its mixtures have only as many positions as in training.
        for tokens, count in LONGER.items():
            found[tokens] = accuracy(judge_of("test", tokens, count))
    return found


def judge(
    model: LongsumSeq2SeqModel,
    head: nn.Module,
    source: Iterator[FactDocument],
    count: int,
    read: int,
) -> tuple[Tensor, Tensor]:
    """Return the mean loss over the next documents, and the share of correct answers.

    Args:
        model: The model.
        head: Predicts a value from the state of its question.
        source: The documents.
        count: How many are read.
        read: How many tokens of each.
    """
    batch = list(islice(source, count))
    rows = torch.tensor([each.tokens[:read] for each in batch])
    asked = torch.tensor([[QUESTIONS[key] for key in each.keys] for each in batch])
    states = model(rows, decoder_input_ids=asked).last_hidden_state
    return answer_loss(head(states), torch.tensor([each.values for each in batch]))


if __name__ == "__main__":
    main()
