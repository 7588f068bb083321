"""A writer with a Hugging Face encoder–decoder and its tokenizer."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase
from transformers.modeling_outputs import BaseModelOutput

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.documents.model import Document
from longsum.language.characters import clean
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.tasks.source import (
    NOWHERE,
    START,
    EncodedSource,
    SourceFormat,
    encode_source,
    reads_sections,
)
from longsum.models.tasks.tokens import ends
from longsum.models.writing.attention_mass import attention_mass
from longsum.models.writing.budgeting import TokenRange
from longsum.models.writing.importance import Weigher, importance_of
from longsum.models.writing.writer import ReadSource, Writer, Writing, sentence_spans

USUAL_SOURCE = 1024
"""Source tokens of a model that states no limit: the length most summarizers were trained on."""

# Names under which configurations state a limit; the first one present applies.
_SOURCE_LIMITS = (
    "max_encoder_position_embeddings",
    "max_source_positions",
    "max_position_embeddings",
    "n_positions",
)
_TARGET_LIMITS = (
    "max_decoder_position_embeddings",
    "max_target_positions",
    "max_position_embeddings",
)
# A tokenizer without a limit states an enormous number: 10³⁰, in transformers.
_NO_LIMIT = 10**6
_LENGTHS = ("max_length", "min_length", "max_new_tokens", "min_new_tokens")
_NOT_REPORTED = (*_LENGTHS, "transformers_version", "output_attentions", "output_hidden_states")

_CLOSING = (".", "?", "!", "…", "。", "！", "？")
_QUOTES = "\"'”’»)]"
# PEGASUS generates it for a line break; replacing it with spaces keeps offsets.
_NEWLINE = "<n>"
# Preceding tokens that may change how one is decoded; words, and runs of bytes, are shorter.
_WINDOW = 16


class GeneratingWriter(Writer[ReadSource]):
    """Reads and writes with a Hugging Face encoder–decoder and its `generate`."""

    def __init__(
        self,
        model: Any,
        tokenizer: PreTrainedTokenizerBase,
        *,
        form: SourceFormat | None = None,
        prefix: str = "",
        generation: Mapping[str, Any] | None = None,
        weigher: Weigher | None = None,
        name: str = "model",
        folder: ModelFolder | None = None,
    ) -> None:
        """Make the writer.

        Args:
            model: A model with `generate`, in evaluation mode.
            tokenizer: Its tokenizer, a fast one with offsets.
            form: Format of the source, capped at the model's maximum length, which is the default.
            prefix: Text before the source, such as T5's `summarize: `.
            generation: Fields of `GenerationConfig` that override the model's own.
            weigher: Computes token importance, for a model that is conditioned on it.
            name: Name of the model.
            folder: Where it was loaded from.

        Raises:
            LongsumError: A field of `generation` is unknown, invalid, or sets a length.
        """
        self.name, self.folder = name, folder
        self.model = model
        self.tokenizer = tokenizer
        maximum = longest_source(model, tokenizer)
        form = form or SourceFormat(maximum)
        self.form = replace(form, tokens=min(form.tokens, maximum))
        self.limit = longest_target(model)
        self.prefix = prefix
        self.weigher = weigher
        self._generation = _generation_config(model, generation or {})

    @property
    def generation(self) -> dict[str, Any]:
        """The generation settings, except lengths, that differ from `transformers` defaults."""
        changes = self._generation.to_diff_dict()
        return {
            name: changes[name]
            for name in sorted(changes)
            if name not in _NOT_REPORTED and not name.startswith("_")
        }

    def count(self, text: str) -> int:
        """Return the number of tokens in a text."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def encode(self, document: Document, question: str = "") -> EncodedSource:
        """Tokenize a document, after the prefix and a question if there is one."""
        prefix = self.tokenizer(self.prefix, add_special_tokens=False)["input_ids"]
        form = replace(self.form, tokens=self.form.tokens - len(prefix))
        reference = None if self.weigher is None else self.weigher.reference
        source = encode_source(document, self.tokenizer, form, question, reference)
        if not prefix:
            return source
        places = [len(ends(self.tokenizer)[0])] * len(prefix)
        return replace(
            source,
            ids=np.insert(source.ids, places, prefix),
            sentence_of=np.insert(source.sentence_of, places, NOWHERE),
            section_of=np.insert(source.section_of, places, START),
            spans=np.insert(source.spans, places, NOWHERE, axis=0),
            important=np.insert(source.important, places, 0),
        )

    def read(self, document: Document, question: str = "") -> ReadSource:
        """Encode a document with the model, after a question if there is one."""
        source = self.encode(document, question)
        ids = self._row(source.ids)
        sections = {}
        if reads_sections(self.model.config):
            sections = {
                "section_of": self._row(source.section_of),
                "section_parents": self._row(source.section_parents),
            }
        weighting: dict[str, torch.Tensor] = {}
        importance = None
        if self.weigher is not None:
            weights = self.weigher.weights(source)
            weighting = {"importance": torch.from_numpy(weights)[None].to(self.model.device)}
            importance = importance_of(document, source, weights, self.weigher.made_by)
        with torch.inference_mode():
            output = self.model.get_encoder()(
                ids, attention_mask=torch.ones_like(ids), **sections, **weighting
            )
        return ReadSource(
            ids, output[0], source.sentence_of, source.sentences_read, sections, importance
        )

    def write(self, reading: ReadSource, length: TokenRange, seed: int) -> Writing:
        """Write a text; the same seed gives the same text."""
        lengths = {"min_new_tokens": length.minimum, "max_new_tokens": length.maximum}
        device = self.model.device
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            (sequence,) = self._generate(reading, lengths)
        return self._writing(sequence, length)

    def several(self, reading: ReadSource, count: int, tokens: int) -> list[str]:
        """Return the best texts that beam search finds, the best first, each on one line.

        Equal texts are returned once, and none has more than `tokens`.
        """
        beams = max(self._generation.num_beams or 1, count)
        best = {"do_sample": False, "num_beams": beams, "num_return_sequences": count}
        sequences = self._generate(reading, {"max_new_tokens": tokens, **best})
        return list(dict.fromkeys(clean(self._decode(ids[1:].tolist())) for ids in sequences))

    def _generate(self, reading: ReadSource, changes: Mapping[str, Any]) -> torch.Tensor:
        settings = copy.deepcopy(self._generation)
        for name, value in changes.items():
            setattr(settings, name, value)
        sequences: torch.Tensor = self.model.generate(
            input_ids=reading.ids,
            attention_mask=torch.ones_like(reading.ids),
            # A fresh object, since `generate` may repeat the states in place for beams.
            encoder_outputs=BaseModelOutput(last_hidden_state=reading.states),
            generation_config=settings,
            **reading.sections,
        )
        return sequences

    def mass(self, reading: ReadSource, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention from each token to each source sentence; see `attention_mass`."""
        return attention_mass(
            self.model, reading.states, sequence, reading.sentence_of, reading.sections
        )

    def _row(self, numbers: NDArray[np.int32]) -> torch.Tensor:
        return torch.from_numpy(numbers.astype(np.int64))[None].to(self.model.device)

    def _writing(self, sequence: torch.Tensor, length: TokenRange) -> Writing:
        ids = sequence[1:].tolist()
        text = self._decode(ids).replace(_NEWLINE, " " * len(_NEWLINE))
        token_ends = self._token_ends(ids)
        spans = sentence_spans(text)
        sentences = tuple(clean(text[start:end]) for start, end in spans)
        tokens = tuple(
            (
                int(np.searchsorted(token_ends, start, side="right")),
                min(int(np.searchsorted(token_ends, end)) + 1, len(ids)),
            )
            for start, end in spans
        )
        # Models with a forced end token emit it at the limit even in the middle of a sentence.
        ended = len(ids) < length.maximum
        closed = bool(sentences) and sentences[-1].rstrip(_QUOTES).endswith(_CLOSING)
        return Writing(sequence, sentences, tokens, unfinished=not ended and not closed)

    def _decode(self, ids: list[int]) -> str:
        text = self.tokenizer.decode(
            ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        assert isinstance(text, str)
        return text

    def _token_ends(self, ids: list[int]) -> NDArray[np.int64]:
        """Return the end offset of each token in the text, `[t]`.

        A token's length is measured after the few tokens before it; decoded alone it might lose its
        leading space.
        """
        lengths = []
        for place in range(len(ids)):
            before = ids[max(0, place - _WINDOW) : place]
            lengths.append(len(self._decode([*before, ids[place]])) - len(self._decode(before)))
        return np.array(list(accumulate(lengths)), dtype=np.int64)


def longest_source(model: Any, tokenizer: PreTrainedTokenizerBase) -> int:
    """Return the maximum number of source tokens of a model, including special ones.

    Models of longsum state it. For others it is the smaller of the limits that model and tokenizer
    state, because a model without absolute positions (T5) accepts any length but was trained only
    up to one.
    """
    stated = _stated(model.config, _SOURCE_LIMITS)
    if isinstance(model, LongsumForConditionalGeneration):
        return stated or USUAL_SOURCE
    known = [tokenizer.model_max_length, stated or _NO_LIMIT]
    smallest = min(limit for limit in known if limit)
    return smallest if smallest < _NO_LIMIT else USUAL_SOURCE


def longest_target(model: Any) -> int | None:
    """Return the maximum number of tokens that a model generates, without the start token."""
    stated = _stated(model.config, _TARGET_LIMITS)
    return None if stated is None else stated - 1


def _stated(config: Any, names: tuple[str, ...]) -> int | None:
    values = (getattr(config, name, None) for name in names)
    return next((value for value in values if isinstance(value, int)), None)


def _generation_config(model: Any, given: Mapping[str, Any]) -> Any:
    """Return the model's `GenerationConfig` with the given fields replaced and no length set."""
    settings: Any = copy.deepcopy(model.generation_config)
    known = type(settings)().to_dict()
    for name in given:
        if name in _LENGTHS:
            raise LongsumError(f"The requested length determines {name}; leave it out.")
        if name not in known:
            raise LongsumError(
                f"Generation has no setting '{name}'; see GenerationConfig of transformers."
            )
    for name in _LENGTHS:
        setattr(settings, name, None)
    try:
        settings.update(**given)
    except (TypeError, ValueError) as error:
        text = " ".join(str(error).split())
        raise LongsumError(f"These generation settings are invalid: {text}") from None
    return settings
