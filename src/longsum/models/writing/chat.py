"""Language models from a folder or the Hub that converse: decoders of `transformers`."""

import logging
from dataclasses import replace
from threading import Lock
from typing import Any

import torch
from transformers import AutoModelForCausalLM, GenerationConfig

from longsum.common.checked_settings import parse_settings
from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.core.model_files.folders import ModelFolder
from longsum.core.systems.system import System
from longsum.models.networks.hugging_face import load_config, load_model, load_tokenizer
from longsum.models.writing.chat_template import read_template
from longsum.models.writing.number_types import AUTO, dtype_named
from longsum.writers.calls import Call, Feature, Message, PromptTooLongError, Reply
from longsum.writers.summarizer import WriterOptions, WriterSummarizer
from longsum.writers.tokens import UNKNOWN_WINDOW, Window

_INT8 = "int8"
MOST_READ = 16_384
"""Largest window, in tokens, by default: attention to more costs more than another call."""


class LocalChat:
    """A decoder that answers calls one after another, with the most probable words."""

    def __init__(
        self,
        folder: ModelFolder,
        *,
        context: int | None = None,
        dtype: str | None = None,
        device: str | None = None,
    ) -> None:
        """Load the model.

        Args:
            folder: Its folder, with a chat template.
            context: Tokens of its window; None for what its settings state, `MOST_READ` at most.
            dtype: Type of weights and activations: `float32`, `bfloat16` or `float16`; None or
                `auto` for that of the weights, but never `float16` on a CPU. With `int8`, matrices
                are stored in 8 bits (torchao), and computed with as with None.
            device: Device to run on; by default a GPU if there is one.

        Raises:
            LongsumError: It is no decoder that `transformers` knows, a file is damaged, its chat
                template cannot be used, or the window is longer than it can read.
        """
        config = load_config(folder)
        if type(config) not in AutoModelForCausalLM._model_mapping:
            raise LongsumError(
                f"'{folder.name}' is a model of the type '{config.model_type}', which does not "
                "write text; give a language model that answers."
            )
        self._window = _window(folder, config, context)
        self._tokenizer: Any = load_tokenizer(folder)
        special = {
            name: str(token)
            for name in ("bos_token", "eos_token", "unk_token", "pad_token")
            if (token := getattr(self._tokenizer, name, None)) is not None
        }
        self._template = read_template(folder.chat_template or "", special, folder.name)
        model = load_model(AutoModelForCausalLM, folder, config)
        place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        kind = model.dtype if dtype in (None, AUTO, _INT8) else dtype_named(dtype)
        if dtype in (None, AUTO, _INT8) and kind == torch.float16 and place.type == "cpu":
            kind = torch.float32
        self._model = model.to(device=place, dtype=kind).eval()
        if dtype == _INT8:
            _quantize(self._model)
        self._ends = _ends(self._model, self._tokenizer)
        self._lock = Lock()
        self.name = folder.name
        self.dropped: set[str] = set()
        self.identity = {
            "weights": folder.weights_sha256,
            "model": folder.name,
            "dtype": dtype if dtype == _INT8 else str(kind).removeprefix("torch."),
        }

    def enable(self, feature: Feature) -> bool:
        """Return that it has none of the features that some servers have."""
        self.dropped.add(feature)
        return False

    def window(self) -> Window:
        """Return its window: how much it reads and writes in one call."""
        return self._window

    def tokens_of(self, text: str) -> int:
        """Return the number of tokens of a text that is not part of the template."""
        return len(self._tokens(text, of_template=False))

    def complete(self, call: Call) -> Reply:
        """Return the most probable answer.

        Raises:
            PromptTooLongError: Prompt and answer are longer than the window.
        """
        ids = self.prompt(call.messages)
        if len(ids) + call.max_tokens > self._window.tokens:
            raise PromptTooLongError(
                f"a prompt of {len(ids):,} tokens and an answer of {call.max_tokens:,} are longer "
                f"than the window of {self._window.tokens:,}"
            )
        prompt = torch.tensor([ids], device=self._model.device)
        # Without the model's own settings: they are for conversations, and sample at random.
        settings: Any = GenerationConfig.from_dict(
            {
                "max_new_tokens": call.max_tokens,
                "do_sample": False,
                "eos_token_id": self._ends,
                "pad_token_id": self._ends[0],
            }
        )
        with self._lock, torch.inference_mode():
            sequences = self._model.generate(
                prompt, attention_mask=torch.ones_like(prompt), generation_config=settings
            )
        answer = sequences[0, len(ids) :].tolist()
        text = self._tokenizer.decode(answer, skip_special_tokens=True)
        return Reply(text, bool(answer) and answer[-1] in self._ends, len(ids), len(answer))

    def prompt(self, messages: tuple[Message, ...]) -> list[int]:
        """Return the tokens of a conversation; nothing in its texts becomes a control token."""
        return [
            token
            for text, of_template in self._template.parts(messages)
            for token in self._tokens(text, of_template=of_template)
        ]

    def _tokens(self, text: str, *, of_template: bool) -> list[int]:
        encoding = self._tokenizer(
            text, add_special_tokens=False, split_special_tokens=not of_template, verbose=False
        )
        ids: list[int] = encoding["input_ids"]
        return ids


@missing_extras_explained()
def _quantize(model: Any) -> None:
    """Store the matrices of a model in 8 bits, with a scale for each row."""
    for noisy in ("torchao", "torch.utils._pytree"):
        # They report missing kernels, which are for other machines.
        logging.getLogger(noisy).setLevel(logging.ERROR)
    from torchao.quantization import Int8WeightOnlyConfig, quantize_  # type: ignore[import-untyped]

    quantize_(model, Int8WeightOnlyConfig())


def _window(folder: ModelFolder, config: Any, context: int | None) -> Window:
    """Return the requested window, or else that of the settings."""
    positions = getattr(config.get_text_config(), "max_position_embeddings", None)
    if context is not None:
        if positions is not None and context > positions:
            raise LongsumError(
                f"'{folder.name}' reads {positions:,} tokens at most; give a smaller --context."
            )
        return Window(context, "the user")
    if positions is None:
        return Window(UNKNOWN_WINDOW)
    return Window(min(positions, MOST_READ), "max_position_embeddings")


def _ends(model: Any, tokenizer: Any) -> list[int]:
    """Return the tokens that end an answer."""
    stated = model.generation_config.eos_token_id
    ends = stated if isinstance(stated, list) else [stated]
    return [end for end in dict.fromkeys([*ends, tokenizer.eos_token_id]) if end is not None]


def load_chat(
    folder: ModelFolder,
    *,
    beams: int | None = None,
    importance: str | None = None,
    dtype: str | None = None,
    device: str | None = None,
    **settings: Any,
) -> System:
    """Load a language model as a system that divides, cites and checks (`longsum.writers`).

    `dtype` and `device` are as for `LocalChat`, the settings are those of
    `longsum.writers.summarizer.WriterOptions`; `beams` and `importance` must be None.

    Raises:
        LongsumError: As for `LocalChat`; or a setting is unknown, or beams or importance are given.
    """
    if beams is not None or importance is not None:
        raise LongsumError("A language model takes neither beams nor importance; leave them out.")
    options = parse_settings(WriterOptions, settings, "model")
    model = LocalChat(folder, context=options.context, dtype=dtype, device=device)
    return WriterSummarizer(model, replace(options, context=None))
