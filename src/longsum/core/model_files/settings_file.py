"""Reads settings and tokenizers of untrusted models, and checks them before use.

A `config.json` states the sizes of a model, so a few bytes can demand any amount of memory or time;
and it can name code in the folder, or other files to read instead. None of that is followed.
Neither `transformers` nor PyTorch is needed for the check.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.core.model_files.weight_files import Shapes

CONFIG = "config.json"
TOKENIZER_CONFIG = "tokenizer_config.json"
GENERATION_CONFIG = "generation_config.json"
ADAPTER_CONFIG = "adapter_config.json"

_MAX_BYTES = 2**24


class Limit(NamedTuple):
    """The range of the sizes with some names."""

    names: frozenset[str]
    minimum: int
    maximum: int


LIMITS = tuple(
    Limit(frozenset(names.split()), minimum, maximum)
    for names, minimum, maximum in (
        (
            "layers encoder_layers decoder_layers num_layers num_encoder_layers num_decoder_layers "
            "num_hidden_layers n_layer n_layers segment_layers summary_layers levels rounds",
            0,
            1_000,
        ),
        ("beams num_beams num_beam_groups num_return_sequences", 1, 1_000),
        (
            "heads encoder_attention_heads decoder_attention_heads num_heads num_attention_heads "
            "num_key_value_heads n_head n_heads",
            1,
            4_096,
        ),
        (
            "size d_model d_ff d_kv hidden_size embedding_size intermediate_size feed_forward "
            "encoder_ffn_dim decoder_ffn_dim head_dim n_embd n_inner width num_labels num_experts "
            "relative_attention_num_buckets",
            1,
            2**18,
        ),
        ("vocab_size vocabulary", 1, 2**23),
        (
            "positions max_position_embeddings max_source_positions max_target_positions "
            "max_encoder_position_embeddings max_decoder_position_embeddings n_positions "
            "max_source_tokens max_target_tokens long_tokens global_tokens summary_tokens "
            "summary_sentences sentences places plan position_offset token_types type_vocab_size "
            "window stride kernel chunk block random_block projected radius relative span_ramp "
            "local_block leading_tokens num_global_tokens attention_window min_target_tokens "
            "relative_attention_max_distance token_reach decoder_token_reach sparse_block "
            "sparse_random transient_block local_radius",
            0,
            2**22,
        ),
    )
)
"""Well above the sizes of any model that is known, and low enough to be refused in time."""

_COUNT = re.compile(r"(num|n|max)_.*|.*_(size|dim|layers?|heads|experts|positions|length|buckets)")
_MAX_COUNT = 2**31
_MAX_NUMBER = 2**63 - 1
# What a checkpoint's width and vocabulary are called, for what its weights must hold.
_WIDTHS = ("embedding_size", "d_model", "hidden_size", "size", "n_embd")
_VOCABULARIES = ("vocab_size", "vocabulary")
_LAYERS = ("layers", "encoder_layers", "num_layers", "num_hidden_layers", "n_layer", "n_layers")
# What names code, or a file that would be read in place of this one.
_CODE = "auto_map"
_ELSEWHERE = ("configuration_files", "transformers_weights", "fast_tokenizer_files")
_KERNELS = ("attn_implementation", "experts_implementation", "kernel_config", "use_kernels")
_ATTENTIONS = (None, "eager", "sdpa", "flex_attention")
_QUANTIZED = "quantization_config"
# What is also the name of a setting that is a word.
_WORDS = frozenset({"positions"})


def read_settings_file(path: Path) -> dict[str, Any]:
    """Return the settings in a file of JSON.

    Raises:
        LongsumError: There is no such file, it is too long, or it is not what it should be.
    """
    try:
        # What is no regular file could keep its reader waiting.
        content = b"" if not path.is_file() else _beginning(path)
    except OSError:
        content = b""
    if not content:
        raise LongsumError(
            f"'{path.parent}' has no readable {path.name}; give the folder of a model."
        )
    if len(content) > _MAX_BYTES:
        raise LongsumError(
            f"'{path}' is longer than {_MAX_BYTES:,} bytes, which no model's settings are; fetch "
            "the model again."
        )
    try:
        found = parse_json(content, parse_constant=_refuse_constant)
    except ValueError as error:
        raise LongsumError(f"'{path}' is damaged ({error}); fetch the model again.") from None
    if not isinstance(found, dict):
        raise LongsumError(f"'{path}' is damaged (it holds no settings); fetch the model again.")
    return found


def check_followed(settings: Mapping[str, Any], path: Path) -> None:
    """Refuse settings that name code, or files that are to be read in place of this one.

    They are those that `read_settings_file` returned for this path.
    """
    for name, value in _walk(settings):
        _check_followed(name, value, path)


def check_settings(settings: Mapping[str, Any], path: Path) -> None:
    """Refuse what `check_followed` refuses, and sizes that no model has."""
    check_followed(settings, path)
    for name, value in _walk(settings):
        _check_size(name, value, path)


def check_against(settings: Mapping[str, Any], shapes: Shapes, path: Path) -> None:
    """Refuse sizes for which the weights are too few, whatever kind of model it is.

    Args:
        settings: Settings that passed `check_settings`.
        shapes: The shapes of the weights; see `longsum.core.model_files.weight_files.read_shapes`.
        path: The file of the settings.

    Raises:
        LongsumError: The weights hold fewer numbers than an embedding of the vocabulary, or fewer
            tensors than there are layers.
    """
    held = sum(math.prod(shape) for shape in shapes.values())
    parts = [settings, *(value for _, value in _walk(settings) if isinstance(value, dict))]
    for part in parts:
        width = min(_named(part, _WIDTHS), default=1)
        for size in _named(part, _VOCABULARIES):
            if size * width > held:
                raise LongsumError(
                    f"'{path}' states a vocabulary of {size:,} in {width:,} features, which the "
                    "weights do not have; give settings and weights that belong together."
                )
        for layers in _named(part, _LAYERS):
            if layers > len(shapes):
                raise LongsumError(
                    f"'{path}' states {layers:,} layers, which the weights do not have; give "
                    "settings and weights that belong together."
                )


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_BYTES + 1)


def _named(part: Mapping[str, Any], names: tuple[str, ...]) -> list[int]:
    return [part[name] for name in names if type(part.get(name)) is int]


def _walk(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield all settings with their names, nested ones too; entries of a list have its name."""
    left: list[tuple[str, Any]] = list(settings.items())
    while left:
        name, value = left.pop()
        yield name, value
        if isinstance(value, dict):
            left.extend(value.items())
        elif isinstance(value, list):
            left.extend((name, each) for each in value)


def _check_followed(name: str, value: Any, path: Path) -> None:
    plain = name.strip("_").removesuffix("_internal")
    if plain == _CODE and value:
        raise LongsumError(
            f"'{path}' names code of its own ('{name}'), and longsum runs no code that comes with "
            "a model; give a model that transformers knows."
        )
    if plain in _KERNELS and value not in _ATTENTIONS:
        raise LongsumError(
            f"'{path}' asks for code from elsewhere ('{name}'); remove that setting."
        )
    if plain in _ELSEWHERE and value:
        raise LongsumError(
            f"'{path}' names other files to be read in its place ('{name}'); remove that setting."
        )
    if plain == _QUANTIZED and value:
        raise LongsumError(
            f"'{path}' describes quantized weights, which longsum does not read; give the model "
            "that they were made from."
        )


def _check_size(name: str, value: Any, path: Path) -> None:
    """Refuse a size that is not a number, or that no model has."""
    for limit in LIMITS:
        if name in limit.names and not isinstance(value, dict | list | None):
            if name in _WORDS and isinstance(value, str):
                return
            if type(value) is not int or not limit.minimum <= value <= limit.maximum:
                raise LongsumError(
                    f"'{path}' has {_shown(value)} as '{name}'; it must be a whole number from "
                    f"{limit.minimum:,} to {limit.maximum:,}."
                )
            return
    if isinstance(value, int | float) and abs(value) > (
        _MAX_COUNT if _COUNT.fullmatch(name) else _MAX_NUMBER
    ):
        raise LongsumError(f"'{path}' has {_shown(value)} as '{name}', which is too large.")


def _shown(value: Any) -> str:
    text = f"{value:,}" if type(value) is int and abs(value) < 10**18 else json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


TOKENIZER = "tokenizer.json"

_MAX_TOKENIZER_BYTES = 2**26
_MAX_GROWTH = 64
# Of the tokenizers of today's models; on what they read, each takes linear time.
_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_ENDS = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_CASED = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+%s|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*%s"
    rf"|%s| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_ENDS}"
)
_KNOWN = frozenset(
    {
        _GPT2,
        # Llama 3, Qwen 2 and 3.
        *(
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{number}"
            rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_ENDS}"
            for number in (r"\p{N}{1,3}", r"\p{N}")
        ),
        # Qwen 3.5.
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
        rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_ENDS}",
        # Mistral's Tekken; GPT-4o and gpt-oss.
        _CASED % ("", "", r"\p{N}"),
        _CASED % (f"{_CONTRACTIONS}?", f"{_CONTRACTIONS}?", r"\p{N}{1,3}"),
    }
)
# Of each alternative one character or class, once or repeated: time at most quadratic.
_ATOM = r"(?:\\?[^\\()\[\]|*+?{}]|\[(?:\\.|[^\\\[\]])+\])(?:[*+]|\{\d{0,9}(?:,\d{0,9})?\})?"
_SIMPLE = re.compile(rf"{_ATOM}(?:\|{_ATOM})*")


def read_tokenizer_file(path: Path) -> str:
    """Return the content of a `tokenizer.json`.

    Raises:
        LongsumError: It cannot be read, or could exhaust time or memory.
    """
    try:
        # What is no regular file could keep its reader waiting.
        if not path.is_file() or path.stat().st_size > _MAX_TOKENIZER_BYTES:
            raise ValueError(path)
        text = path.read_text(encoding="utf-8")
        pending = [json.loads(text)]
    except (OSError, ValueError, RecursionError):
        raise _refused(path, "cannot be read") from None
    growth: list[int] = []
    while pending:
        part: Any = pending.pop()
        if isinstance(part, dict):
            pending += [part[name] for name in part if name not in ("vocab", "merges")]
            if part.get("type") == "Replace":
                growth.append(max(1, len(str(part.get("content")))))
            pattern = str(part.get("Regex", "x"))
            if pattern not in _KNOWN and not _SIMPLE.fullmatch(pattern):
                raise _refused(path, f"has a pattern that can take without end ({pattern[:40]!r})")
        elif isinstance(part, list):
            pending += part
    if math.prod(growth) > _MAX_GROWTH:
        raise _refused(path, "replaces characters by much longer texts")
    return text


def _refused(path: Path, problem: str) -> LongsumError:
    return LongsumError(f"'{path}' {problem}; give a model that you trust, whole.")
