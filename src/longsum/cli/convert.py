"""`longsum convert`."""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.assignments import parse_assignments
from longsum.cli.command import Command
from longsum.cli.options import Seed
from longsum.cli.streams import hide_bars_of_transformers, progress, table, write_result

EXAMPLES = (
    "longsum convert facebook/bart-large long-bart max_source_positions=16384",
    "longsum convert facebook/bart-large long-bart max_source_positions=16384 \\\n"
    "      encoder_attention.window=1024 cross_attention.kind=hepos",
)

if TYPE_CHECKING:
    from longsum.models.attention.attention_settings import EncoderAttentionConfig
    from longsum.models.networks.seq2seq import (
        LongsumForConditionalGeneration,
        LongsumSeq2SeqConfig,
    )


def convert(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="The model: a folder, or owner/name on the Hub.")
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="The folder to write to, new or empty.")
    ],
    assignments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE",
            help="Settings to change, such as max_source_positions=16384, "
            "encoder_attention.window=1024, cross_attention.kind=hepos, or "
            "position_extension=tile (or repeat_last, random, interpolate).",
        ),
    ] = None,
    seed: Seed = 0,
) -> None:
    """Convert a BART, LED, mBART, PEGASUS or LongT5 checkpoint to read long documents.

    The tokenizer and the generation settings are kept. Naming a kind of attention resets its
    settings; otherwise, settings you do not name stay as they are.
    """
    changes = parse_assignments(assignments or [])
    extension = changes.pop("position_extension", "tile")
    from longsum.core.model_files.folders import check_model

    # Before the slow imports.
    folder = check_model(source)
    with progress(f"Converting {source}"):
        from longsum.models.networks.seq2seq.seq2seq_files import convert_checkpoint

        hide_bars_of_transformers()
        model = convert_checkpoint(
            folder, target, position_extension=extension, changes=changes, seed=seed
        )
    write_result(_described(model, target), None)


def _described(model: "LongsumForConditionalGeneration", target: Path) -> str:
    config: LongsumSeq2SeqConfig = model.config
    unbounded = config.position_kind != "learned"
    rows = [
        ("parameters", f"{model.num_parameters():,}"),
        ("longest source", "any" if unbounded else f"{config.max_source_positions:,} tokens"),
        ("longest target", "any" if unbounded else f"{config.max_target_positions:,} tokens"),
        ("encoder attention", _encoder(config.encoder_attentions())),
        ("cross-attention", _settings(config.cross_attention or {"kind": "full"})),
    ]
    return table(("written to", str(target)), rows)


def _encoder(attentions: "tuple[EncoderAttentionConfig, ...]") -> str:
    """Name the attentions of the layers, each run of equal ones once."""
    from dataclasses import asdict

    written = []
    for attention, run in groupby(attentions):
        default = asdict(type(attention)())
        changed = {name: v for name, v in asdict(attention).items() if v != default[name]}
        layers = len(list(run))
        written.append(f"{layers} × {_settings({'kind': attention.kind, **changed})}")
    return "; ".join(written)


def _settings(settings: dict[str, object]) -> str:
    others = [f"{name} {value}" for name, value in settings.items() if name != "kind"]
    return " ".join([str(settings["kind"]), *others])


COMMAND = Command(convert, "Convert BART, LED, PEGASUS or LongT5 for long documents.", EXAMPLES)
