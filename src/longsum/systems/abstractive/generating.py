"""A Hugging Face encoder–decoder and its tokenizer as a writer: documents in, sentences out."""

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

from longsum.documents.builder import clean
from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.sentences import split_sentences
from longsum.models.folders import ModelFolder
from longsum.models.seq2seq import LongsumForConditionalGeneration
from longsum.systems.abstractive.attention_mass import attention_mass
from longsum.systems.abstractive.budgeting import TokenRange
from longsum.systems.abstractive.importance import Weigher, importance_of
from longsum.systems.abstractive.writer import Reading, Writer, Writing
from longsum.tasks.source import (
    NOWHERE,
    START,
    EncodedSource,
    SourceFormat,
    encode_source,
    reads_sections,
)
from longsum.tasks.tokens import ends

USUAL_SOURCE = 1024
"""Source tokens of a model that states no limit: what most summarizers were trained on."""

# Names under which configurations state a limit; the first that is there holds.
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
# A tokenizer without a limit of its own states an enormous one.
_NO_LIMIT = 10**6
_LENGTHS = ("max_length", "min_length", "max_new_tokens", "min_new_tokens")
_UNSAID = (*_LENGTHS, "transformers_version", "output_attentions", "output_hidden_states")

_CLOSING = (".", "?", "!", "…", "。", "！", "？")
_QUOTES = "\"'”’»)]"
# PEGASUS writes it for a line's end; spaces keep its place in the text.
_NEWLINE = "<n>"
_WINDOW = 16


class GeneratingWriter(Writer):
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
            tokenizer: Its tokenizer, one that knows where tokens stand in a text.
            form: Layout of the source; by default as long as the model reads. A longer one is
                shortened to that.
            prefix: Text before the source, such as T5's `summarize: `.
            generation: Fields of `GenerationConfig` to set differently from the model's own.
            weigher: What tells the model how important its tokens are, where it is told that.
            name: What the model is called.
            folder: Where it was loaded from.

        Raises:
            LongsumError: A field of `generation` is unknown, impossible, or sets a length.
        """
        self.name, self.folder = name, folder
        self.model = model
        self.tokenizer = tokenizer
        most = longest_source(model, tokenizer)
        form = form or SourceFormat(most)
        self.form = replace(form, tokens=min(form.tokens, most))
        self.limit = longest_target(model)
        self.prefix = prefix
        self.weigher = weigher
        self._generation = _generation_config(model, generation or {})

    @property
    def generation(self) -> dict[str, Any]:
        """The settings of generation that differ from `transformers`' own, lengths aside."""
        found = self._generation.to_diff_dict()
        return {
            name: found[name]
            for name in sorted(found)
            if name not in _UNSAID and not name.startswith("_")
        }

    def count(self, text: str) -> int:
        """Return how many tokens a text takes."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def encode(self, document: Document, question: str = "") -> EncodedSource:
        """Lay out a document as tokens, the prefix before its text and before a question."""
        prefix = self.tokenizer(self.prefix, add_special_tokens=False)["input_ids"]
        room = replace(self.form, tokens=self.form.tokens - len(prefix))
        reference = None if self.weigher is None else self.weigher.reference
        source = encode_source(document, self.tokenizer, room, question, reference)
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

    def read(self, document: Document, question: str = "") -> Reading:
        """Encode a document, and what is asked about it."""
        source = self.encode(document, question)
        ids = self._row(source.ids)
        sections = {}
        if reads_sections(self.model.config):
            sections = {
                "section_of": self._row(source.section_of),
                "section_parents": self._row(source.section_parents),
            }
        told: dict[str, torch.Tensor] = {}
        importance = None
        if self.weigher is not None:
            weights = self.weigher.weights(source)
            told = {"importance": torch.from_numpy(weights)[None].to(self.model.device)}
            importance = importance_of(document, source, weights, self.weigher.made_by)
        with torch.inference_mode():
            found = self.model.get_encoder()(
                ids, attention_mask=torch.ones_like(ids), **sections, **told
            )
        return Reading(
            ids, found[0], source.sentence_of, source.sentences_read, sections, importance
        )

    def write(self, reading: Reading, length: TokenRange, seed: int) -> Writing:
        """Write a text; the same seed gives the same text."""
        settings = copy.deepcopy(self._generation)
        settings.min_new_tokens, settings.max_new_tokens = length.least, length.most
        device = self.model.device
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            (sequence,) = self.model.generate(
                input_ids=reading.ids,
                attention_mask=torch.ones_like(reading.ids),
                # `generate` may repeat the states within the object that it is given.
                encoder_outputs=BaseModelOutput(last_hidden_state=reading.states),
                generation_config=settings,
                **reading.sections,
            )
        return self._writing(sequence, length)

    def mass(self, reading: Reading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention that each source sentence drew; see `attention_mass`."""
        return attention_mass(
            self.model, reading.states, sequence, reading.sentence_of, reading.sections
        )

    def _row(self, numbers: NDArray[np.int32]) -> torch.Tensor:
        return torch.from_numpy(numbers.astype(np.int64))[None].to(self.model.device)

    def _writing(self, sequence: torch.Tensor, length: TokenRange) -> Writing:
        ids = sequence[1:].tolist()
        text = self._decode(ids).replace(_NEWLINE, " " * len(_NEWLINE))
        reached = self._reached(ids)
        spans = [span for span in split_sentences(text) if clean(text[slice(*span)])]
        sentences = tuple(clean(text[start:end]) for start, end in spans)
        tokens = tuple(
            (
                int(np.searchsorted(reached, start, side="right")),
                min(int(np.searchsorted(reached, end)) + 1, len(ids)),
            )
            for start, end in spans
        )
        # Models that are made to close at the last token do so in the middle of a sentence.
        ended = len(ids) < length.most
        closed = bool(sentences) and sentences[-1].rstrip(_QUOTES).endswith(_CLOSING)
        return Writing(sequence, sentences, tokens, unfinished=not ended and not closed)

    def _decode(self, ids: list[int]) -> str:
        text = self.tokenizer.decode(
            ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        assert isinstance(text, str)
        return text

    def _reached(self, ids: list[int]) -> NDArray[np.int64]:
        """Return how far into the text each token reaches, `[t]`.

        A token adds what the text of the last few tokens is longer with it; alone it might lose the
        space before it.
        """
        grown = []
        for place in range(len(ids)):
            before = ids[max(0, place - _WINDOW) : place]
            grown.append(len(self._decode([*before, ids[place]])) - len(self._decode(before)))
        return np.array(list(accumulate(grown)), dtype=np.int64)


def longest_source(model: Any, tokenizer: PreTrainedTokenizerBase) -> int:
    """Return how many tokens a model reads at most, special ones included.

    Our own models state it; of others the smaller of what model and tokenizer state, because a
    model without absolute positions (T5) takes any length and has learned only some.
    """
    stated = _stated(model.config, _SOURCE_LIMITS)
    if isinstance(model, LongsumForConditionalGeneration):
        return stated or USUAL_SOURCE
    known = [tokenizer.model_max_length, stated or _NO_LIMIT]
    least = min(limit for limit in known if limit)
    return least if least < _NO_LIMIT else USUAL_SOURCE


def longest_target(model: Any) -> int | None:
    """Return how many tokens a model writes at most, after the one that starts a text."""
    stated = _stated(model.config, _TARGET_LIMITS)
    return None if stated is None else stated - 1


def _stated(config: Any, names: tuple[str, ...]) -> int | None:
    found = (getattr(config, name, None) for name in names)
    return next((value for value in found if isinstance(value, int)), None)


def _generation_config(model: Any, given: Mapping[str, Any]) -> Any:
    """Return the model's `GenerationConfig` with some fields replaced and no length set."""
    settings: Any = copy.deepcopy(model.generation_config)
    known = type(settings)().to_dict()
    for name in given:
        if name in _LENGTHS:
            raise LongsumError(f"The length asked for decides {name}; leave it out.")
        if name not in known:
            raise LongsumError(
                f"Generation has no setting '{name}'; see GenerationConfig of transformers."
            )
    for name in _LENGTHS:
        setattr(settings, name, None)
    try:
        settings.update(**given)
    except (TypeError, ValueError) as error:
        raise LongsumError(f"Generation cannot be set so: {' '.join(str(error).split())}") from None
    return settings
