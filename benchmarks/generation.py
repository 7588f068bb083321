"""Generation with beams from a long source, against Hugging Face's LED in the same run.

Run: python benchmarks/generation.py [--quick] [--source N] [--tokens N] [--dtype …] [--json FILE]

LED-large's decoder (12 layers, 50,265 tokens) with random weights of a fixed seed, converted for
ours; all get the same encoder states, so that no encoder is timed. The number of generated tokens
is fixed. The table has the first step, which projects the source; a later step; the whole; LED's
whole as a multiple of ours; the peak of memory above the weights; the size of the cross-attention's
cache; and a step as a multiple of its floor, the time in which this machine reads the decoder's
weights and that system's own caches once, at the rate measured in the same run. Systems take turns,
each in a process of its own; LED runs once, as it takes minutes. `--quick` lets LED generate an
eighth of the tokens, adds the rest at the time of a step, and marks the row. `--systems longsum
"longsum, not packed"` shows what packing the weights gains.
"""

import argparse
import itertools
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers import GEOMETRIES, LED, OURS, Geometry
from workers import Subject, Summary, finish, take_turns, working

READING = "reading alone"
STRIDE = 4
HEPOS = f"{OURS}, HEPOS {STRIDE}"
UNPACKED = f"{OURS}, not packed"
SYSTEMS = (OURS, HEPOS, LED)
# Bytes read to measure the rate: far more than a processor's caches hold.
READ_MB = 512
MB = 2**20
FEWER = 8
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print a table for each type; with `--json FILE` write the figures as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="LED generates an eighth")
    parser.add_argument("--geometry", choices=[*GEOMETRIES], default="large")
    parser.add_argument("--layers", type=int, default=12, help="of the decoder")
    parser.add_argument("--source", type=int, default=8192, help="positions of the source")
    parser.add_argument("--tokens", type=int, default=200, help="tokens to generate")
    parser.add_argument("--beams", type=int, default=4)
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--systems", nargs="+", choices=[*SYSTEMS, UNPACKED], default=SYSTEMS)
    parser.add_argument("--repeat", type=int, default=3, help="runs of ours (median)")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    if options.tokens < 2:
        parser.error("--tokens must be 2 or more: the time of a step is that after the first")
    rows: list[Row] = []
    for dtype in options.dtype:
        found = measure(options, dtype)
        show(found, options, dtype)
        rows += found
    finish({"generation": rows}, options.json)


@dataclass(frozen=True, slots=True)
class Decoding:
    """The parameters shared by all systems of a measurement: sizes and inputs."""

    geometry: Geometry
    layers: int
    source: int
    beams: int
    longest: int
    dtype: str


def measure(options: argparse.Namespace, dtype: str) -> list[Row]:
    """Measure all systems in one type."""
    decoding = Decoding(
        geometry=GEOMETRIES[options.geometry],
        layers=options.layers,
        source=options.source,
        beams=options.beams,
        longest=options.tokens,
        dtype=dtype,
    )
    subjects: dict[str, tuple[Any, ...]] = {READING: (build_reading, READ_MB)}
    for system in options.systems:
        share = FEWER if options.quick and system == LED else 1
        subjects[system] = (build_decoder, system, decoding, share)
    with working(subjects, 2) as workers:
        found = take_turns(workers, options.repeat, options.tokens, once=(LED,))
    bandwidth: float = statistics.median(found.pop(READING).reports)
    return [describe(system, found, decoding, bandwidth) for system in found]


def describe(system: str, found: dict[str, Summary], decoding: Decoding, bandwidth: float) -> Row:
    """Return the figures of a system."""
    report, tokens = found[system].reports[0], decoding.longest
    step = step_of(found[system])
    floor = (report["weights"] + report["cross"] + report["own"] / 2) / bandwidth
    row: Row = {"system": system, "dtype": decoding.dtype, "layers": decoding.layers}
    row |= {"source": decoding.source, "tokens": tokens, "steps_run": report["steps"]}
    row |= {"first_ms": 1000 * report["first"], "step_ms": 1000 * step}
    row |= {"seconds": whole(found[system], tokens), "mb": found[system].megabytes}
    row |= {"cross_cache_mb": report["cross"] / MB, "gb_per_second": bandwidth / 1e9}
    row |= {"floor_ms": 1000 * floor, "times_floor": step / floor}
    if LED in found:
        led = found[LED]
        row["led_over_it"] = whole(led, tokens) / row["seconds"]
        row["share_of_led_mb"] = found[system].memory_over(led)
        # HEPOS is a different model: it reads less.
        if system == OURS:
            row["difference"] = float(abs(report["logits"] - led.reports[0]["logits"]).max())
            if led.reports[0]["steps"] == report["steps"]:
                both = zip(report["tokens"], led.reports[0]["tokens"], strict=True)
                row["same_tokens"] = statistics.mean(one == other for one, other in both)
    return row


def step_of(summary: Summary) -> float:
    """Return the time of a step after the first, in seconds."""
    steps: list[float] = [report["step"] for report in summary.reports]
    return statistics.median(steps)


def whole(summary: Summary, tokens: int) -> float:
    """Return the time of all tokens; ungenerated ones count as the time of a step."""
    missing: int = tokens - summary.reports[0]["steps"]
    return summary.seconds + missing * step_of(summary)


def show(rows: list[Row], options: argparse.Namespace, dtype: str) -> None:
    """Print a table."""
    print(
        f"\n{dtype}: {options.layers} decoder layers of {options.geometry}, {options.beams} beams, "
        f"{options.tokens} tokens from {options.source:,} positions"
    )
    heads = ("first ms", "step ms", "whole s", "LED / it", "MB", "of LED's", "cross MB", "× floor")
    print(f"{'':<18}" + "".join(f"{head:>10}" for head in heads))
    for row in rows:
        print(
            f"{row['system']:<18}{row['first_ms']:>10.0f}{row['step_ms']:>10.1f}"
            f"{row['seconds']:>10.2f}{row.get('led_over_it', math.nan):>10.2f}{row['mb']:>10.0f}"
            f"{row.get('share_of_led_mb', math.nan):>10.2f}{row['cross_cache_mb']:>10.1f}"
            f"{row['times_floor']:>10.2f}"
        )
    for row in rows:
        if row["steps_run"] < row["tokens"]:
            print(
                f"{row['system']} generated {row['steps_run']} tokens; the whole is extrapolated "
                "from the time of a step."
            )
        if "difference" in row:
            print(f"{row['system']} and {LED}: logits differ by at most {row['difference']:.1e}.")
        if "same_tokens" in row:
            print(f"{100 * row['same_tokens']:.0f} % of their generated tokens are the same.")
    print(f"Memory is read at {rows[0]['gb_per_second']:.1f} GB/s.")


def build_reading(megabytes: int) -> Subject:
    """Make a read of this much memory, in the fastest of several ways."""
    import torch

    from longsum.models.attention.linear_layers import linear

    tensor, few = torch.ones(megabytes * MB // 4096, 1024), torch.ones(4, 1024)

    ways: tuple[Callable[[], Any], ...] = (tensor.sum, tensor.amax, lambda: linear(few, tensor))

    def timed(read: Callable[[], Any]) -> float:
        began = time.perf_counter()
        read()
        return time.perf_counter() - began

    def fastest(_: int) -> float:
        with torch.no_grad():
            return min(timed(read) for read in ways)

    return Subject(fastest, lambda seconds: tensor.nbytes / seconds)


def build_decoder(system: str, decoding: Decoding, share: int) -> Subject:
    """Make a model that generates this many tokens, or a share of them, from given states."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    from longsum.models.attention import packed_layers

    if system == UNPACKED:
        packed_layers.WORTHWHILE_STEPS = decoding.longest + 1
    torch.manual_seed(0)
    model = _model(system, decoding).to(getattr(torch, decoding.dtype)).eval()
    # States as after a norm.
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(1, decoding.source, decoding.geometry.size, generator=generator)
    states = states.to(model.dtype)
    seen = torch.ones(1, decoding.source, dtype=torch.long)

    def run(tokens: int) -> tuple[list[float], Any]:
        fewer = max(tokens // share, 2)
        clock = _clock()
        began = time.perf_counter()
        output = model.generate(
            # Made for each run, since `generate` expands its inputs in place.
            encoder_outputs=BaseModelOutput(last_hidden_state=states),
            attention_mask=seen,
            num_beams=decoding.beams,
            do_sample=False,
            min_new_tokens=fewer,
            max_new_tokens=fewer,
            stopping_criteria=[clock],
            return_dict_in_generate=True,
        )
        return [at - began for at in clock.times], output

    def report(result: tuple[list[float], Any]) -> dict[str, Any]:
        times, output = result
        with torch.no_grad():
            logits = model(
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
                attention_mask=seen,
                decoder_input_ids=torch.arange(3, 11)[None],
            ).logits
        cache = output.past_key_values
        return {
            "first": times[0],
            "step": statistics.median(two - one for one, two in itertools.pairwise(times)),
            "steps": len(times),
            "tokens": output.sequences[0, 1:].tolist(),
            "logits": logits.float().numpy(),
            "cross": _held(cache.cross_attention_cache),
            "own": _held(cache.self_attention_cache),
            "weights": _read_each_step(model),
        }

    return Subject(run, report, settled=True)


def _model(system: str, decoding: Decoding) -> Any:
    """Make LED with an encoder of one small layer, which is not run; or convert it."""
    from transformers import LEDConfig, LEDForConditionalGeneration

    from longsum.models.networks.seq2seq import from_checkpoint

    geometry = decoding.geometry
    led = LEDForConditionalGeneration(
        LEDConfig(
            vocab_size=geometry.vocabulary,
            d_model=geometry.size,
            encoder_layers=1,
            encoder_attention_heads=geometry.heads,
            encoder_ffn_dim=64,
            decoder_layers=decoding.layers,
            decoder_attention_heads=geometry.heads,
            decoder_ffn_dim=geometry.inner,
            attention_window=[geometry.window],
            max_encoder_position_embeddings=geometry.window,
            max_decoder_position_embeddings=max(decoding.longest + 8, 1024),
        )
    )
    if system == LED:
        return led
    stride = STRIDE if system == HEPOS else 1
    return from_checkpoint(led, cross_attention={"kind": "hepos", "stride": stride})


def _clock() -> Any:
    """Make a stopping criterion that never stops, but records when each step ends."""
    import torch
    from transformers import StoppingCriteria

    class Clock(StoppingCriteria):
        def __init__(self) -> None:
            self.times: list[float] = []

        def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ARG002
            self.times.append(time.perf_counter())
            return torch.zeros(len(input_ids), dtype=torch.bool)

    return Clock()


def _held(cache: Any) -> int:
    """Return the bytes of a cache's keys and values."""
    return sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)


def _read_each_step(model: Any) -> int:
    """Return the bytes of a step's weights, without those that project the source."""
    from torch import nn

    once = ("encoder_attn.k_proj", "encoder_attn.v_proj")
    modules = {"": model.lm_head, **dict(model.get_decoder().named_modules())}
    return sum(
        module.weight.nbytes
        for name, module in modules.items()
        if isinstance(module, nn.Linear) and not name.endswith(once)
    )


if __name__ == "__main__":
    main()
