"""A tagger of important tokens: an encoder with a score for each token.

Pang et al. 2022, §2.3, AdaPool, Step 2.
"""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModelForTokenClassification
from transformers.modeling_outputs import TokenClassifierOutput

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder, ModelPath
from longsum.models.attention.linear_layers import project
from longsum.models.attention.softmax import at_least_float32
from longsum.models.networks.base import register
from longsum.models.networks.hugging_face import load_config, load_model
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.encoder import LongsumEncoder
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.pretrained_model import LongsumPreTrainedModel
from longsum.models.networks.seq2seq.seq2seq_layers import real_tokens


class LongsumTaggerConfig(LongsumSeq2SeqConfig):
    """Settings of the encoder–decoder whose encoder it is; those of a decoder are not used.

    Raises:
        LongsumError: As for `LongsumSeq2SeqConfig`; or the encoder reads the importance of tokens.
    """

    model_type = "longsum_tagger"

    is_encoder_decoder: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.reads_importance:
            raise LongsumError(
                "A tagger finds the importance of tokens, and so cannot pool by it; set "
                "top_down.pooling=average."
            )


class LongsumTagger(LongsumPreTrainedModel):
    """An encoder, top-down or any other, and a linear layer that scores each token."""

    config: LongsumTaggerConfig
    config_class = LongsumTaggerConfig
    base_model_prefix = "encoder"

    def __init__(self, config: LongsumTaggerConfig) -> None:
        super().__init__(config)
        self.encoder = LongsumEncoder(config)
        self.head = nn.Linear(config.d_model, 1)
        self.post_init()

    @classmethod
    def of(cls, model: LongsumForConditionalGeneration) -> "LongsumTagger":
        """Make a tagger that starts from the encoder of a model.

        Raises:
            LongsumError: That encoder reads the importance of tokens.
        """
        settings = model.config.to_dict()
        shared = {name: value for name, value in settings.items() if name not in _IDENTITY}
        tagger = cls(LongsumTaggerConfig(**shared))
        tagger.encoder.load_state_dict(model.model.encoder.state_dict())
        return tagger

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        section_of: Tensor | None = None,
        section_parents: Tensor | None = None,
    ) -> TokenClassifierOutput | tuple[Any, ...]:
        """Score tokens, and compute the loss if there are labels.

        The loss is the binary cross-entropy with equal weights: class weights would bias the
        probabilities, by which tokens are weighted in a segment. The paper does not state it.

        Args:
            input_ids: `[b, n]`; this or `inputs_embeds`.
            attention_mask: `[b, n]`, 1 for tokens, 0 for padding.
            inputs_embeds: `[b, n, D]`.
            labels: `[b, n]`, 1 for important tokens, 0 for others; ignored for padding.
            return_dict: False for a plain tuple.
            section_of: `[b, n]`; see `LongsumEncoder.forward`.
            section_parents: `[b, S]`; see `LongsumEncoder.forward`.

        Returns:
            Logits `[b, n]` that each token is important and, with labels, the mean loss.

        Raises:
            LongsumError: As for `LongsumEncoder.forward`.
        """
        encoded = self.encoder(
            input_ids,
            attention_mask=attention_mask,
            inputs_embeds=inputs_embeds,
            return_dict=True,
            section_of=section_of,
            section_parents=section_parents,
        )
        logits = project(self.head, encoded.last_hidden_state).squeeze(-1)
        loss = None
        if labels is not None:
            precise = logits.to(at_least_float32(logits.dtype))
            losses = nn.functional.binary_cross_entropy_with_logits(
                precise, labels.to(precise), reduction="none"
            )
            real = real_tokens(attention_mask)
            loss = losses.mean() if real is None else losses[real].mean()
        output = TokenClassifierOutput(loss=loss, logits=logits)
        return self.output_or_tuple(output, return_dict)


# Settings that identify the kind of model.
_IDENTITY = ("model_type", "architectures", "is_encoder_decoder", "transformers_version")

register(LongsumTagger, AutoModelForTokenClassification)


def load_tagger(source: ModelPath) -> LongsumTagger:
    """Load a tagger that `longsum train` wrote, in evaluation mode, onto a GPU if there is one.

    Raises:
        LongsumError: There is no such folder, it holds another kind of model, or its weights
            cannot be read.
    """
    if not Path(source).is_dir():
        raise LongsumError(
            f"There is no folder '{source}'; give that of a tagger, which 'longsum train "
            "importance-tagger' makes."
        )
    folder = ModelFolder.at(source)
    config = load_config(folder)
    if not isinstance(config, LongsumTaggerConfig):
        raise LongsumError(
            f"The model in '{folder}' is not a tagger of important tokens; give one that 'longsum "
            "train importance-tagger' made."
        )
    tagger: LongsumTagger = load_model(LongsumTagger, folder, config)
    nn.Module.to(tagger, "cuda" if torch.cuda.is_available() else "cpu")
    return tagger
