"""Trains the judge of `longsum check` from the shipped sentence encoder.

Run: PYTHONPATH=src python gpu/train_judge.py OUTPUT PAIRS [--steps 3000] [--batch 32] [--rank 32]

PAIRS is the output of `judge_pairs.py`; its first pairs are held out, and evaluated at each
checkpoint. The judge reads `[CLS] claim [SEP] sources [SEP]`; the mean of the states gives three
logits: entailment, contradiction, neither. For claims known to be changes of true ones it also
learns which tokens were changed, as ELECTRA does (Clark et al. 2020); that head is dropped in the
end. The encoder is frozen, except for low-rank updates of its matrices (Hu et al. 2021); these and
the head are all that OUTPUT/judge.safetensors has. An interrupted run continues from
OUTPUT/state.safetensors, also to another number of steps.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import torch
from judge_runtime import FILE, LABELS, pair_tokens
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import (
    binary_cross_entropy_with_logits,
    cross_entropy,
    gelu,
    layer_norm,
    linear,
)

from longsum.common.arrays import Ints
from longsum.core.encoder.extractor_settings import PREFIX, folder_settings
from longsum.core.encoder.onnx_runtime.stored_weights import StoredWeights
from longsum.core.extractive.extractor_options import shipped_folder, shipped_tokenizer
from longsum.core.model_files.folders import ModelFolder

HELD_OUT = 1000
STATE = "state.safetensors"
_TOKENS_WEIGH = 3.0
"""How much more the mean over tokens weighs than that over pairs."""
MATRICES = {
    **{f"attention.{part}": ("attention", part) for part in ("query", "key", "value", "output")},
    **{f"feed_forward.{part}": ("feed_forward", part) for part in ("expand", "shrink")},
}


class Updated(nn.Module):
    """A frozen linear layer with a low-rank update."""

    def __init__(self, stored: StoredWeights, name: str, rank: int, dtype: torch.dtype) -> None:
        super().__init__()
        weight = torch.from_numpy(stored.floats(f"{name}.weight"))
        self.register_buffer("weight", weight.to(dtype))
        self.register_buffer("bias", torch.from_numpy(stored.floats(f"{name}.bias")).to(dtype))
        outputs, inputs = weight.shape
        self.down = nn.Parameter(torch.randn(rank, inputs) / inputs**0.5)
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, states: Tensor) -> Tensor:
        """Return `[…, out]` of `[…, in]`."""
        found = linear(states, self.weight, self.bias)
        return found + linear(linear(states, self.down.to(states.dtype)), self.up.to(states.dtype))


class Layer(nn.Module):
    """One layer of the encoder."""

    def __init__(
        self, stored: StoredWeights, name: str, heads: int, rank: int, dtype: torch.dtype
    ) -> None:
        super().__init__()
        self.heads = heads
        for part in MATRICES:
            self.add_module(part.replace(".", "_"), Updated(stored, f"{name}.{part}", rank, dtype))
        for part in ("attention", "feed_forward"):
            for kind in ("weight", "bias"):
                value = torch.from_numpy(stored.floats(f"{name}.{part}.norm.{kind}"))
                self.register_buffer(f"{part}_norm_{kind}", value.to(dtype))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return new states, `[b, t, D]`; the mask is added to attention logits, `[b, 1, 1, t]`."""
        rows, width, size = states.shape
        query, key, value = (
            self.get_submodule(f"attention_{part}")(states)
            .view(rows, width, self.heads, -1)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        # Written out, since fused attention's backward pass takes twice the time in bf16 on CPUs.
        logits = (query * query.shape[-1] ** -0.5) @ key.transpose(2, 3) + mask
        read = (logits.softmax(-1) @ value).transpose(1, 2).reshape(rows, width, size)
        states = self._normed("attention", states + self.get_submodule("attention_output")(read))
        inner = gelu(self.get_submodule("feed_forward_expand")(states))
        return self._normed(
            "feed_forward", states + self.get_submodule("feed_forward_shrink")(inner)
        )

    def _normed(self, part: str, states: Tensor) -> Tensor:
        weight, bias = (self.get_buffer(f"{part}_norm_{kind}") for kind in ("weight", "bias"))
        return layer_norm(states, weight.shape, weight, bias, 1e-12)


class JudgeNetwork(nn.Module):
    """The shipped sentence encoder with low-rank updates and a head for three labels."""

    def __init__(self, rank: int, dtype: torch.dtype) -> None:
        super().__init__()
        folder = ModelFolder.at(shipped_folder())
        sizes = folder_settings(folder).sentence_encoder
        stored = StoredWeights.of(folder).within(PREFIX).within("sentence_encoder.")
        tokens = torch.from_numpy(stored.floats("embedding.tokens.weight"))
        places = stored.floats("embedding.positions.weight")
        places = torch.from_numpy(places + stored.floats("embedding.types.weight")[0])
        norm = [torch.from_numpy(stored.floats(f"embedding.norm.{x}")) for x in ("weight", "bias")]
        self.register_buffer("tokens", tokens)
        self.register_buffer("places", places)
        self.register_buffer("scale", norm[0])
        self.register_buffer("shift", norm[1])
        self.dtype = dtype
        self.layers = nn.ModuleList(
            Layer(stored, f"layers.{number}", sizes.heads, rank, dtype)
            for number in range(sizes.layers)
        )
        self.head = nn.Linear(sizes.size, LABELS)
        self.changed = nn.Linear(sizes.size, 1)

    def forward(self, tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of pairs, `[b, 3]`, and of a change at each token, `[b, t]`.

        Args:
            tokens: `[b, t]`, padded on the right.
            lengths: `[b]`.
        """
        real = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
        states = self.tokens[tokens] + self.places[: tokens.shape[1]]
        states = layer_norm(states, self.scale.shape, self.scale, self.shift, 1e-12).to(self.dtype)
        mask = torch.zeros(real.shape, dtype=self.dtype, device=tokens.device)
        mask = mask.masked_fill(~real, -1e4)[:, None, None]
        for layer in self.layers:
            states = layer(states, mask)
        weights = real[:, None].to(self.dtype)
        logits = self.head((weights @ states)[:, 0].float() / lengths[:, None])
        return logits, self.changed(states.float())[..., 0]

    def learned(self) -> dict[str, Tensor]:
        """Return the learned updates by the names of their matrices, in fp16."""
        found = {"head.weight": self.head.weight, "head.bias": self.head.bias}
        for number, layer in enumerate(self.layers):
            for part in MATRICES:
                updated = layer.get_submodule(part.replace(".", "_"))
                for side in ("down", "up"):
                    found[f"layers.{number}.{part}.{side}"] = updated.get_parameter(side)
        return {name: value.detach().cpu().half().contiguous() for name, value in found.items()}


def update(
    network: JudgeNetwork, batch: Sequence[Tensor], pool: ThreadPoolExecutor, parts: int
) -> float:
    """Set the gradients of a batch, divided among threads, and return its loss.

    Threads that share every product wait for each other at every product, which is slow if
    other programs use the processor too.
    """
    learned = list(network.parameters())
    count = len(batch[0])

    def part(number: int) -> tuple[float, tuple[Tensor, ...]]:
        tokens, lengths, labels, marks = (each[number::parts] for each in batch)
        width = int(lengths.max())
        found = network(tokens[:, :width], lengths)
        loss = loss_of(found, labels, marks[:, :width]) * (len(labels) / count)
        return loss.item(), torch.autograd.grad(loss, learned)

    found = list(pool.map(part, range(min(parts, count))))
    for place, each in enumerate(learned):
        each.grad = torch.stack([gradients[place] for _, gradients in found]).sum(0)
    return sum(loss for loss, _ in found)


def loss_of(found: tuple[Tensor, Tensor], labels: Tensor, marks: Tensor) -> Tensor:
    """Return the cross-entropy, of pairs and of tokens whose marks are known."""
    logits, changed = found
    known = marks >= 0
    tokens = binary_cross_entropy_with_logits(
        changed, marks.clamp_min(0).float(), known.float(), reduction="sum"
    )
    return cross_entropy(logits, labels) + _TOKENS_WEIGH * tokens / known.sum().clamp_min(1)


def main() -> None:
    """Train, with a checkpoint and figures of held-out pairs every 250 updates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--every", type=int, default=250)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fp32", action="store_true", help="compute in fp32 rather than bf16")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = JudgeNetwork(options.rank, torch.float32 if options.fp32 else torch.bfloat16)
    network = network.to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=0.01)
    state = options.output / STATE
    first = resume(network, optimizer, state) if state.is_file() else 0
    pairs = read_pairs(options.pairs)
    kept, learned = pairs[:HELD_OUT], pairs[HELD_OUT:]
    began, losses = time.perf_counter(), []
    torch.set_num_threads(1)
    pool = ThreadPoolExecutor(options.threads)
    for step, batch in enumerate(batches(learned, options.batch, options.seed)):
        if step >= options.steps:
            break
        if step < first:
            continue
        warm = min(1.0, (step + 1) / 100)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * warm * (1 - step / options.steps)
        losses.append(update(network, [each.to(device) for each in batch], pool, options.threads))
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if (step + 1) % options.every == 0 or step + 1 == options.steps:
            keep(network, optimizer, step + 1, state)
            save_file(network.learned(), options.output / FILE)
            told = {
                "step": step + 1,
                "loss": round(float(np.mean(losses[-options.every :])), 4),
                "seconds": round(time.perf_counter() - began),
                **measured(network, kept, device),
            }
            print(json.dumps(told), flush=True)
            with (options.output / "log.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")


def keep(network: nn.Module, optimizer: torch.optim.Optimizer, step: int, state: Path) -> None:
    """Write the state for `resume`, replacing the previous one."""
    held = {f"network.{name}": each.detach() for name, each in network.named_parameters()}
    for number, values in optimizer.state_dict()["state"].items():
        held |= {f"optimizer.{number}.{name}": value for name, value in values.items()}
    save_file(held | {"step": torch.tensor(step)}, state.with_suffix(".tmp"))
    state.with_suffix(".tmp").replace(state)


def resume(network: nn.Module, optimizer: torch.optim.Optimizer, state: Path) -> int:
    """Load what `keep` wrote, and return the number of updates made."""
    held = load_file(state)
    step = int(held.pop("step"))
    values: dict[int, dict[str, Tensor]] = defaultdict(dict)
    learned = {}
    for name, tensor in held.items():
        part, rest = name.split(".", 1)
        if part == "network":
            learned[rest] = tensor
        else:
            number, key = rest.split(".")
            values[int(number)][key] = tensor
    network.load_state_dict(learned, strict=False)
    optimizer.load_state_dict(optimizer.state_dict() | {"state": dict(values)})
    return step


Encoded = tuple[Ints, int, str, Ints]
"""Tokens, label and kind of a pair; and of each token whether it was changed, −1 if not known."""


def read_pairs(path: Path) -> list[Encoded]:
    """Read pairs as tokens."""
    tokenizer = shipped_tokenizer()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = pair_tokens(tokenizer, [(row["source"], row["claim"]) for row in rows])
    truths = tokenizer.encode_batch([row["true"] for row in rows], add_special_tokens=False)
    return [
        (ids, row["label"], row["kind"], marks_of(ids, true.ids, tokenizer.token_to_id("[SEP]")))
        for ids, row, true in zip(found, rows, truths, strict=True)
    ]


def marks_of(ids: Ints, true: Sequence[int], end: int) -> Ints:
    """Return which tokens of a claim differ from the true one; −1 for others, or if unknown."""
    marks = np.full(len(ids), -1, dtype=np.int8)
    if len(true):
        claim = ids[1 : list(ids).index(end)].tolist()
        own = np.zeros(len(claim) + 1, dtype=np.int8)
        for tag, _, _, start, stop in SequenceMatcher(None, true, claim, False).get_opcodes():
            if tag != "equal" and not (tag == "delete" and start == len(claim)):
                own[start : max(stop, start + 1)] = 1
        marks[1 : len(claim) + 1] = own[:-1]
    return marks


def batches(pairs: Sequence[Encoded], size: int, seed: int) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches of pairs of similar length endlessly, in an order that depends on the seed."""
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(pairs))
        for chunk in np.array_split(order, max(1, len(order) // (size * 40))):
            ranked = sorted(chunk.tolist(), key=lambda place: len(pairs[place][0]))
            groups = [ranked[at : at + size] for at in range(0, len(ranked), size)]
            for number in rng.permutation(len(groups)):
                yield padded([pairs[place] for place in groups[number]])


def padded(pairs: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return tokens, lengths, labels and marks of pairs."""
    lengths = torch.tensor([len(ids) for ids, *_ in pairs])
    tokens = torch.zeros(len(pairs), int(lengths.max()), dtype=torch.long)
    marks = torch.full_like(tokens, -1)
    for row, (ids, _, _, changed) in enumerate(pairs):
        tokens[row, : len(ids)] = torch.from_numpy(ids)
        marks[row, : len(ids)] = torch.from_numpy(changed)
    return tokens, lengths, torch.tensor([label for _, label, *_ in pairs]), marks


@torch.no_grad()
def measured(
    network: JudgeNetwork, pairs: Sequence[Encoded], device: torch.device
) -> Mapping[str, Any]:
    """Return how many of each kind are judged correctly: entailed, or not."""
    found = defaultdict(list)
    ranked = sorted(pairs, key=lambda pair: len(pair[0]))
    for at in range(0, len(ranked), 64):
        group = ranked[at : at + 64]
        tokens, lengths, labels, _ = padded(group)
        logits = network(tokens.to(device), lengths.to(device))[0].cpu().softmax(1)
        right = (logits[:, 0] > 0.5) == (labels == 0)
        for (_, _, kind, _), each in zip(group, right.tolist(), strict=True):
            found[kind].append(each)
            found["all"].append(each)
    return {kind: round(float(np.mean(each)), 3) for kind, each in sorted(found.items())}


if __name__ == "__main__":
    main()
