"""Does every attention equal its definition on a GPU, and how fast is it there?

Run: PYTHONPATH=src python gpu/check_attention.py [--tokens N] [--json FILE]

Fixed patterns run by both `tiled` and `flex`, full attention also by PyTorch's own (`fast`), and
learned attentions by their own code. A row has

- the largest difference of output and of gradients from the dense definition (fp32, 600 tokens, one
  row of two padded), and whether a row without a key gives zeros;
- at the full length in bf16, one row: seconds of the first calls (compilation), milliseconds and
  peak memory in MB, forward alone and forward with backward;
- how often three other lengths were compiled again;

or the error, if one was raised. Then HEPOS is compared with its dense mask. Without a GPU it runs
on the CPU, where FlexAttention has no gradients and shows "-"; `--tokens 512` is a toy size.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from longsum.models.attention.attention_settings import (
    EncoderAttentionConfig,
    build_encoder_attention,
)
from longsum.models.attention.backends.reference import dense_attention
from longsum.models.attention.cross import Hepos

HEADS, SIZE, SHORT = 16, 64, 600
KINDS: dict[str, dict[str, Any]] = {
    "full": {},
    "window": {"kind": "pattern", "window": 256},
    "window+global": {"kind": "pattern", "window": 256, "global_tokens": 128},
    "window+stride": {"kind": "pattern", "window": 256, "stride": 64},
    "window+random": {"kind": "pattern", "window": 256, "random_block": 128},
    "adaptive_span": {"kind": "adaptive_span", "window": 256, "span_parametrization": "sigmoid"},
    "linformer": {"kind": "linformer"},
    "lsh": {"kind": "lsh"},
    "sinkhorn": {"kind": "sinkhorn"},
}
EXECUTIONS = {"full": ("fast", "flex"), "pattern": ("tiled", "flex")}
COLUMNS = {
    "output": "10.1e",
    "gradient": "10.1e",
    "zeros": "7",
    "first s": "9.1f",
    "fwd ms": "10.2f",
    "fwd MB": "9.0f",
    "f+b ms": "10.2f",
    "f+b MB": "9.0f",
    "again": "7",
}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def main() -> None:
    """Print a row for each attention."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=16_384)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"{DEVICE}, torch {torch.__version__}, {options.tokens} tokens")
    widths = {name: int(form.split(".")[0]) for name, form in COLUMNS.items()}
    heads = "".join(f"{name:>{width}}" for name, width in widths.items())
    print(f"{'attention':<16}{'by':<6}{heads}")
    rows = []
    for name, settings in KINDS.items():
        for execution in EXECUTIONS.get(settings.get("kind", "full"), ("fast",)):
            row = examine({**settings, "execution": execution}, options.tokens)
            rows.append({"attention": name, "execution": execution, **row})
            print(f"{name:<16}{execution:<6}{written(row)}", flush=True)
            if options.json:
                options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"HEPOS against its dense mask: {check_hepos():.1e}")


def examine(settings: dict[str, Any], tokens: int) -> dict[str, Any]:
    """Return a row; an error is stated in it, and ends only the step that raised it."""
    learns = DEVICE == "cuda" or settings["execution"] != "flex"
    row: dict[str, Any] = {}
    errors = []
    for part in (
        lambda: check(settings, learns),
        lambda: measure(settings, tokens, learn=False),
        lambda: measure(settings, tokens, learn=True) if learns else {},
        lambda: count_compilations(settings, tokens),
    ):
        try:
            found = part()
            found["first s"] = row.get("first s", 0.0) + found.get("first s", 0.0)
            row |= found
        except Exception as error:
            lines = str(error).strip().splitlines() or [""]
            errors.append(f"{type(error).__name__}: {lines[0][:160]}")
        if DEVICE == "cuda":
            torch.cuda.empty_cache()
    return row | ({"error": " | ".join(dict.fromkeys(errors))} if errors else {})


def written(row: dict[str, Any]) -> str:
    """Return a row as text; unknown values are dashes."""
    cells = []
    for name, form in COLUMNS.items():
        value = row.get(name)
        if isinstance(value, bool) or value is None:
            cells.append(f"{'-' if value is None else str(value):>{form.split('.')[0]}}")
        else:
            cells.append(f"{value:>{form}}")
    return "".join(cells) + (f"  {row['error']}" if "error" in row else "")


def build(settings: dict[str, Any], tokens: int) -> torch.nn.Module:
    """Make an attention, the same at every call."""
    torch.manual_seed(0)
    config = EncoderAttentionConfig(**settings)
    made = build_encoder_attention(config, heads=HEADS, head_dim=SIZE, tokens=tokens)
    return made.to(DEVICE)


def inputs(batch: int, tokens: int, dtype: torch.dtype, learn: bool) -> list[Tensor]:
    """Return queries, keys and values."""
    generator = torch.Generator().manual_seed(1)
    shape = (batch, HEADS, tokens, SIZE)
    made = (torch.randn(shape, generator=generator).to(DEVICE, dtype) for _ in range(3))
    return [tensor.requires_grad_(learn) for tensor in made]


def check(settings: dict[str, Any], learns: bool) -> dict[str, Any]:
    """Compare with the definition."""
    real = torch.ones(2, SHORT, dtype=torch.bool, device=DEVICE)
    real[1, SHORT // 2 :] = False
    arguments = inputs(2, SHORT, torch.float32, learns)
    found = []
    for execution in (settings["execution"], "reference"):
        module = build({**settings, "execution": execution}, SHORT)
        output = module(*arguments, real) * real[:, None, :, None]
        gradients = torch.autograd.grad(output.square().sum(), arguments) if learns else ()
        found.append((output, *gradients))
    differences = [float((a - b).detach().abs().max()) for a, b in zip(*found, strict=True)]
    blind = build(settings, SHORT)(*arguments, torch.zeros_like(real))
    return {
        "output": differences[0],
        **({"gradient": max(differences[1:])} if learns else {}),
        "zeros": bool((blind == 0).all()),
    }


def measure(settings: dict[str, Any], tokens: int, *, learn: bool) -> dict[str, float]:
    """Time the first call and the best of later ones in bf16, and measure their peak memory."""
    module = build(settings, tokens).bfloat16()
    arguments = inputs(1, tokens, torch.bfloat16, learn)
    name = "f+b" if learn else "fwd"
    first = timed(lambda: step(module, arguments), runs=1)
    if DEVICE == "cuda":
        torch.cuda.reset_peak_memory_stats()
    found = {"first s": first, f"{name} ms": 1000 * timed(lambda: step(module, arguments))}
    if DEVICE == "cuda":
        found[f"{name} MB"] = torch.cuda.max_memory_allocated() / 2**20
    return found


def step(module: torch.nn.Module, arguments: list[Tensor]) -> None:
    """Run forward, and backward if the arguments have gradients."""
    learn = arguments[0].requires_grad
    with torch.set_grad_enabled(learn):
        output = module(*arguments)
        if learn:
            torch.autograd.grad(output.float().square().sum(), arguments)


def count_compilations(settings: dict[str, Any], tokens: int) -> dict[str, int]:
    """Count the graphs that three other lengths compile."""
    stats = torch._dynamo.utils.counters["stats"]
    before = stats["unique_graphs"]
    module = build(settings, tokens).bfloat16()
    for other in (tokens // 2, tokens // 4 + 1, tokens * 3 // 4 - 5):
        step(module, inputs(1, other, torch.bfloat16, learn=False))
    return {"again": stats["unique_graphs"] - before}


def timed(call: Callable[[], object], runs: int = 5) -> float:
    """Return the best of several times, in seconds."""
    times = []
    for _ in range(runs):
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        began = time.perf_counter()
        call()
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return min(times)


def check_hepos() -> float:
    """Return the largest difference of folded from masked cross-attention."""
    generator = torch.Generator().manual_seed(2)
    size = HEADS * SIZE
    hidden, query, weight = (
        torch.randn(shape, generator=generator).to(DEVICE)
        for shape in ((2, SHORT, size), (2, HEADS, 5, SIZE), (size, size))
    )
    weight *= size**-0.5
    pattern = Hepos(4)
    folded = pattern.fold(hidden)
    key = folded.project(weight, None, HEADS)
    fast = dense_attention(query, key, key, folded.mask(HEADS))
    whole = (hidden @ weight.T).view(2, SHORT, HEADS, SIZE).transpose(1, 2)
    visible = pattern.visible(HEADS, SHORT, torch.ones(2, SHORT, dtype=torch.bool, device=DEVICE))
    return float((fast - dense_attention(query, whole, whole, visible)).abs().max())


if __name__ == "__main__":
    main()
