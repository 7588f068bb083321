"""The base of all models here as Hugging Face models: how they are loaded and run.

`transformers` knows neither weights of one byte each (`longsum.models.networks.weights`) nor
checkpoints to convert (`longsum.models.networks.seq2seq.convert_checkpoints`). Both are read here
and passed to it as settings and weights in memory, so that its own loading does the rest: types,
devices, offloading, quantization.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.checkpoint import checkpoint
from transformers import AutoConfig, AutoModel, GenerationConfig, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import Seq2SeqModelOutput

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder, check_model
from longsum.core.model_files.settings_file import ADAPTER_CONFIG, CONFIG
from longsum.core.model_files.weight_files import compact_files, has_plain_weights
from longsum.models.networks.hugging_face import load_config, load_generation
from longsum.models.networks.weights import copy_from_files, load_weights

CACHE = "cache" if hasattr(Seq2SeqModelOutput, "cache") else "past_key_values"
"""The name of a decoder's cache in `transformers`: from 5.24 on `cache`."""

_ON_THE_HUB = ("cache_dir", "force_download", "local_files_only", "revision", "token")

Config = TypeVar("Config", bound=PreTrainedConfig)


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[Config]):
    """A model in memory, as its settings and weights."""

    config: Config
    state: dict[str, Tensor]
    generation: GenerationConfig | None


class UnknownAttentionError(LongsumError, ValueError):
    """There is no such implementation of attention; `transformers` raises `ValueError` for this."""


class LongsumModel(PreTrainedModel):
    """A model that loads from every format, and computes attention as requested."""

    config_class: type[PreTrainedConfig]

    @classmethod
    def from_pretrained(
        cls, pretrained_model_name_or_path: Any, *model_args: Any, **options: Any
    ) -> Any:
        """Load a model; see `PreTrainedModel.from_pretrained`.

        Args:
            pretrained_model_name_or_path: A folder, or an id on the Hugging Face Hub, with weights
                in safetensors as `transformers` or as this package writes them; or None, with
                settings and weights in memory.
            *model_args: As there.
            **options: As there; and the options of `read_checkpoint`, for a checkpoint in one of
                our formats.

        Raises:
            LongsumError: The model is missing or incomplete.
        """
        path = pretrained_model_name_or_path
        if path is None or options.get("gguf_file") is not None:
            return super().from_pretrained(path, *model_args, **options)
        hub = {name: options.pop(name) for name in _ON_THE_HUB if name in options}
        folder = ModelFolder.at(path, **hub)
        if within := options.pop("subfolder", None):
            folder = ModelFolder.of(folder.path / within)
        checkpoint = None
        if (folder.path / CONFIG).is_file() and not (folder.path / ADAPTER_CONFIG).is_file():
            checkpoint = cls.read_checkpoint(folder, options)
        options.setdefault("use_safetensors", True)
        if checkpoint is None:
            loaded = super().from_pretrained(folder.path, *model_args, **hub, **options)
            copy_from_files(loaded[0] if isinstance(loaded, tuple) else loaded)
            return loaded
        for name in ("config", "use_safetensors"):
            options.pop(name, None)
        options["generation_config"] = options.get("generation_config") or checkpoint.generation
        loaded = super().from_pretrained(
            None, *model_args, config=checkpoint.config, state_dict=checkpoint.state, **options
        )
        model = loaded[0] if isinstance(loaded, tuple) else loaded
        model.name_or_path = model.config.name_or_path = str(folder)
        return loaded

    @classmethod
    def read_checkpoint(
        cls, folder: ModelFolder, options: dict[str, Any]
    ) -> Checkpoint[Any] | None:
        """Read a checkpoint in one of our formats; None for one that `transformers` can read.

        Args:
            folder: The folder.
            options: The options of `from_pretrained`. Fields of the settings, which replace those
                of the folder, are removed from it.

        Raises:
            LongsumError: The folder is not safe to load, or incomplete.
        """
        if has_plain_weights(folder.path) or not compact_files(folder.path):
            return None
        check_model(folder)
        config = options.get("config")
        if not isinstance(config, PreTrainedConfig):
            settings = load_config(Path(config) if config else folder).to_dict() | cls.changes(
                options
            )
            config = cls.config_class.from_dict(settings)
        generation = load_generation(folder) if cls.can_generate() else None
        return Checkpoint(config, load_weights(folder), generation)

    @classmethod
    def changes(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Remove fields of the settings from the options of `from_pretrained`; return them."""
        known = {field.name for field in fields(cls.config_class)} | {"output_attentions"}
        known -= {"dtype"}  # `from_pretrained` applies it itself.
        return {name: options.pop(name) for name in list(options) if name in known}

    def get_correct_attn_implementation(
        self,
        requested_attention: str | None,
        is_init_check: bool = False,  # noqa: ARG002
    ) -> str:
        """Return how attention is computed: `sdpa`, or `eager`, the definition written out.

        Raises:
            UnknownAttentionError: Another way is requested.
        """
        ways = ("sdpa", "eager") if self._supports_sdpa else ("eager",)
        if requested_attention is not None and requested_attention not in ways:
            raise UnknownAttentionError(
                f'Specified `attn_implementation="{requested_attention}"` is not supported by '
                f"{type(self).__name__}; choose {' or '.join(map(repr, ways))}, or leave it out."
            )
        return requested_attention or ways[0]

    def _check_and_adjust_attn_implementation(
        self, attn_implementation: str | None, *_args: Any, **_options: Any
    ) -> str:
        # This is called first, and would otherwise fetch a kernel of that name from the Hub.
        return self.get_correct_attn_implementation(attn_implementation)

    def attending(self) -> AbstractContextManager[Any]:
        """Return a context in which, with `eager`, attention is two products and a softmax."""
        if self.config._attn_implementation == "eager":
            return sdpa_kernel(SDPBackend.MATH)
        return nullcontext()

    def _set_gradient_checkpointing(
        self,
        enable: bool = True,
        gradient_checkpointing_func: Callable[..., Any] = checkpoint,
        *more: Any,
        **options: Any,
    ) -> None:
        # A layer is recomputed in the backward pass, outside of the context that it was called in.
        recompute = partial(self._recomputed, gradient_checkpointing_func)
        super()._set_gradient_checkpointing(enable, recompute, *more, **options)

    def _recomputed(
        self, checkpointed: Callable[..., Any], layer: Callable[..., Any], *inputs: Any
    ) -> Any:
        """Call a layer so that it attends as requested whenever it is computed."""

        def attend(*inputs: Any) -> Any:
            with self.attending():
                return layer(*inputs)

        return checkpointed(attend, *inputs)


def register(model: type[LongsumModel], auto: Any = AutoModel) -> None:
    """Make a model known to AutoConfig and to an Auto class; may be called again."""
    config: Any = model.config_class
    AutoConfig.register(config.model_type, config, exist_ok=True)
    auto.register(config, model, exist_ok=True)
