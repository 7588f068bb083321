"""Does top-down correction carry what a window cannot? A fact and its question far apart.

Run: python benchmarks/distant_segments.py [--systems S …] [--seeds N …] [--json FILE]

A document of 160 tokens is filler except for four facts and four questions. A fact is a token with
a key and a value, a question one with a key; they are at random places, each question at least 48
tokens from the fact with its key. The label at a question is the value, one of 8. The encoder is
`LongsumEncoder`, two layers of attention in windows of 16 tokens: through both, a token receives
information from 16 on either side, so that the answer cannot be found bottom-up alone. Top-down
(Pang et al. 2022, §2), the second layer reads segments of 16 tokens, one every 12, to which a layer
of full attention has been applied. The table has the accuracy on documents from other seeds;
guessing gives 12.5 %, guessing among the document's values 25 % or a little more.

`none` reads no segments (Appendix C), `concat` the mean of a token's own segments, `cross` attends
to all (Eq. 1); `adaptive` pools by the importance of tokens (Eq. 3), 1 for facts and questions and
0.1 for fillers, where `cross` pools all alike (Eq. 2); `full` is two layers of full attention.
"""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.encoder import LongsumEncoder
from puzzles import (
    FILLERS,
    PAD,
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

TOKENS, TOLD, APART = 160, 4, 48
WINDOW = {"kind": "pattern", "window": 16}
ABOVE = {"layers": 1, "segment_layers": 1, "kernel": 16, "stride": 12}
SYSTEMS: dict[str, dict[str, Any]] = {
    "none": {"encoder_attention": WINDOW},
    "concat": {"encoder_attention": WINDOW, "top_down": {**ABOVE, "update": "concat"}},
    "cross": {"encoder_attention": WINDOW, "top_down": ABOVE},
    "adaptive": {"encoder_attention": WINDOW, "top_down": {**ABOVE, "pooling": "adaptive"}},
    "full": {},
}


def main() -> None:
    """Train and test every system, and print a table."""
    given = options(__doc__, SYSTEMS, steps=800, batch=32).parse_args()
    rows = []
    for name in given.systems:
        found = [answered(SYSTEMS[name], seed, given.steps, given.batch) for seed in given.seeds]
        rows.append(show(name, {"accuracy": found}))
    finish({"distant_segments": rows}, given.json)


def answered(settings: dict[str, Any], seed: int, steps: int, batch: int) -> float:
    """Train a system, and return its accuracy on 1,000 unseen documents."""
    torch.manual_seed(seed)
    config = LongsumSeq2SeqConfig(
        vocab_size=FILLERS.stop,
        d_model=64,
        encoder_layers=2,
        encoder_attention_heads=4,
        encoder_ffn_dim=128,
        dropout=0.0,
        max_source_positions=TOKENS,
        pad_token_id=PAD,
        **settings,
    )
    encoder, head = LongsumEncoder(config), nn.Linear(64, VALUES)
    known, unseen = (
        fact_documents(random.Random(f"{part} {seed}"), TOKENS, TOLD, APART)
        for part in ("train", "test")
    )
    learn([encoder, head], lambda: judge(encoder, head, known, batch), steps)
    encoder.eval()
    return accuracy(lambda: judge(encoder, head, unseen, 100))


def judge(
    encoder: LongsumEncoder, head: nn.Module, source: Iterator[FactDocument], count: int
) -> tuple[Tensor, Tensor]:
    """Return the mean loss over the next documents, and the share of correct answers."""
    batch = list(islice(source, count))
    rows, asked, answers = (
        torch.tensor([getattr(each, part) for each in batch])
        for part in ("tokens", "asked", "values")
    )
    more = {}
    if encoder.config.reads_importance:
        more["importance"] = torch.where(rows < FILLERS.start, 1.0, 0.1)
    states = encoder(rows, **more).last_hidden_state
    return answer_loss(head(states[torch.arange(count)[:, None], asked]), answers)


if __name__ == "__main__":
    main()
