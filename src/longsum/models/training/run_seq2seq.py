"""Training of encoder–decoders."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import (
    GenerationConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Seq2SeqTrainer,
    TrainerCallback,
)

from longsum.common.errors import LongsumError
from longsum.common.registry import find, load, registered
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    load_seq2seq,
)
from longsum.models.networks.seq2seq.convert_checkpoints import is_new
from longsum.models.networks.seq2seq.sections import SectionRelations, counted_pairs
from longsum.models.tasks.gap_sentences import GapSentences
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import reads_importance, reads_sections
from longsum.models.training.measure import mean_rouge2, token_loss
from longsum.models.training.prepare_tokens import (
    embed_marks,
    run_tokenizer,
    save_tokens,
    tokenized_split,
)
from longsum.models.training.run_settings import (
    ReaderSettings,
    Seq2SeqOptimizationConfig,
    Seq2SeqSettings,
)
from longsum.models.training.tagged import tagger_folder, with_test_importance
from longsum.models.training.trainer import LengthGroupedTrainer
from longsum.models.training.training_dataset import TrainingDataset, collate
from longsum.models.training.training_run import Run, Started


class LongsumSeq2SeqTrainer(LengthGroupedTrainer, Seq2SeqTrainer):
    """Trains an encoder–decoder on a `TrainingDataset`."""

    settings: Seq2SeqOptimizationConfig
    terms = 2

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.add_callback(SpanClamp())

    def create_optimizer(self, *args: Any) -> torch.optim.Optimizer:
        """Make the optimizer, with a separate learning rate for new parts."""
        optimizer = super().create_optimizer(*args)
        if self.settings.new_rate != 1:
            named = cast(nn.Module, self.model).named_parameters()
            new = {id(weight) for name, weight in named if is_new(name)}
            scale_learning_rate(optimizer, new, self.settings.new_rate)
        return optimizer

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of target tokens and, if they have a loss, of pairs of sections."""
        tokens: Tensor = (batch["labels"] != -100).sum()
        relations = self._relations
        if relations is None:
            return tokens[None]
        sections = (batch["section_of"], batch["section_parents"], batch["attention_mask"])
        return torch.stack([tokens, counted_pairs(*sections)])

    def means(self, outputs: Any) -> Tensor:
        """Return the loss per token, with the span loss if there is one, and per pair."""
        loss: Tensor = outputs["loss"]
        relations = self._relations
        if self.settings.span_loss:
            # Weighted by the shares of an update's batches, which add up to one, it counts once.
            adaptive = _adaptive(cast(nn.Module, self.model))
            spans = [part.span_loss(self.settings.span_loss) for part in adaptive]
            loss = loss + torch.stack(spans).sum()
        if relations is None:
            return loss[None]
        paired = relations.loss_weight * outputs["relation_loss"]
        return torch.stack([loss - paired, paired])

    def read_apart(self) -> Collection[nn.Module]:
        """Return the adaptive spans, if they are part of the loss."""
        return _adaptive(cast(nn.Module, self.model)) if self.settings.span_loss else ()

    @property
    def _relations(self) -> SectionRelations | None:
        return cast(LongsumForConditionalGeneration, self.model).section_relations

    @staticmethod
    def sums(model: PreTrainedModel, batch: Mapping[str, Any]) -> Tensor:
        """Return the cross-entropy summed over all target tokens, and their number."""
        return token_loss(model, [batch])

    def extra_metrics(self) -> dict[str, float]:
        """Return the ROUGE-2 of what the model generates, if it is to be measured."""
        # Devices that round differently must agree on which weights are best.
        return {
            name: self.accelerator.reduce(
                torch.tensor(value).to(self.args.device), reduction="mean"
            ).item()
            for name, value in super().extra_metrics().items()
        }


def scale_learning_rate(
    optimizer: torch.optim.Optimizer, parameters: set[int], times: float
) -> None:
    """Move parameters, given by `id`, to groups whose learning rate is multiplied by `times`."""
    for group in list(optimizer.param_groups):
        apart = [weight for weight in group["params"] if id(weight) in parameters]
        if apart:
            group["params"] = [weight for weight in group["params"] if id(weight) not in parameters]
            optimizer.add_param_group({**group, "params": apart, "lr": times * group["lr"]})


class SpanClamp(TrainerCallback):
    """Clamps the parameters of adaptive spans to their range after every update."""

    def on_optimizer_step(self, *_: Any, **given: Any) -> None:
        """Clamp them."""
        for part in _adaptive(given["model"]):
            part.clamp_()


def _adaptive(model: nn.Module) -> list[AdaptiveSpanAttention]:
    return [part for part in model.modules() if isinstance(part, AdaptiveSpanAttention)]


def check_tagger(settings: Seq2SeqSettings) -> None:
    """Refuse to train a model that generates in between if it needs a tagger and has none."""
    if settings.rouge_documents and settings.task.importance == "tagger":
        tagger_folder(settings.task)


def build_model(
    settings: Seq2SeqSettings, tokenizer: PreTrainedTokenizerBase
) -> LongsumForConditionalGeneration:
    """Make the model that the settings describe, from a checkpoint or from scratch.

    Raises:
        LongsumError: The model reads the importance of tokens, and the task provides none.
    """
    smoothing = settings.training.label_smoothing
    model = start_model(settings, tokenizer, label_smoothing=smoothing)
    if reads_importance(model.config) and settings.task.importance is None:
        raise LongsumError(
            "The model reads the importance of tokens; set task.importance to tagger or oracle."
        )
    if settings.generation:
        given = {**model.generation_config.to_dict(), **settings.generation}
        model.generation_config = GenerationConfig.from_dict(given)
        try:
            # Checked before training, not only when the model is saved.
            model.generation_config.validate(strict=True)
        except ValueError as error:
            problem = " ".join(str(error).split()).partition(" If you're using")[0]
            raise LongsumError(
                f"The settings of generation do not fit together: {problem}"
            ) from None
    return model


def start_model(
    settings: ReaderSettings, tokenizer: PreTrainedTokenizerBase, **more: Any
) -> LongsumForConditionalGeneration:
    """Make the encoder–decoder that training starts from.

    Args:
        settings: What the system reads, and its model.
        tokenizer: Its tokenizer.
        **more: Further fields of `LongsumSeq2SeqConfig`, unless the settings set them.
    """
    fields = {"max_source_positions": settings.task.source_tokens, **more, **settings.model}
    if settings.checkpoint is not None:
        model = load_seq2seq(
            settings.checkpoint, position_extension=settings.position_extension, **fields
        )
        embed_marks(model, tokenizer, settings.training.seed)
        return model
    special = {
        name: getattr(tokenizer, name) for name in ("pad_token_id", "bos_token_id", "eos_token_id")
    }
    config = LongsumSeq2SeqConfig(
        vocab_size=len(tokenizer),
        decoder_start_token_id=tokenizer.bos_token_id,
        forced_eos_token_id=None,
        **special,
        **{"max_target_positions": settings.task.target_tokens, **fields},
    )
    return LongsumForConditionalGeneration(config)


def make_trainer(
    run: Started[
        Seq2SeqSettings, PreTrainedTokenizerBase, PreparedSplit, LongsumForConditionalGeneration
    ],
) -> LongsumSeq2SeqTrainer:
    """Make the trainer, with gap sentences and ROUGE if the settings ask for them."""
    settings, tokenizer = run.settings, run.data.tokens
    task, training, config = settings.task, settings.training, run.model.config
    gaps = training.gap_sentences
    dataset = partial(
        TrainingDataset,
        source_tokens=task.source_tokens,
        start=config.decoder_start_token_id,
        structure=reads_sections(config),
        overflow=task.overflow,
        importance=task.importance,
    )
    rouge2 = None
    if settings.rouge_documents:
        scored = run.data.validation.first(settings.rouge_documents)
        scored = with_test_importance(scored, task, tokenizer, batch=training.batch)
        rouge2 = partial(
            mean_rouge2, tokenizer=tokenizer, dataset=dataset(scored), batch=training.batch
        )
    return run.trainer(
        LongsumSeq2SeqTrainer,
        dataset(
            run.data.train,
            gaps=_gap_sentences(settings, tokenizer),
            gap_ratio=gaps,
            # As many as the passes of the run, so that no gaps repeat.
            draws=run.passes(round(len(run.data.train) * (1 + gaps))) if gaps else 1,
        ),
        dataset(run.data.validation),
        partial(collate, pad=int(config.pad_token_id or 0)),
        extra=rouge2,
    )


def _gap_sentences(
    settings: Seq2SeqSettings, tokenizer: PreTrainedTokenizerBase
) -> GapSentences | None:
    """Return how gap sentences are made; None if the settings ask for none."""
    if not settings.training.gap_sentences:
        return None
    if tokenizer.mask_token_id is None:
        raise LongsumError(
            "Gap sentences need a tokenizer with a mask token; set training.gap_sentences=0."
        )
    return GapSentences(
        source_tokens=settings.task.source_tokens,
        target_tokens=settings.task.target_tokens,
        mask=tokenizer.mask_token_id,
        share=settings.training.gap_share,
        seed=settings.training.seed,
    )


SEQ2SEQ = Run(
    kind="seq2seq",
    form=Seq2SeqSettings,
    tokens=run_tokenizer,
    split=tokenized_split,
    build=build_model,
    trainer=make_trainer,
    save=save_tokens,
    best=lambda settings: "rouge2" if settings.rouge_documents else None,
    check=check_tagger,
)


def runs() -> Mapping[str, Run[Any, Any, Any, Any]]:
    """Return all kinds of runs."""
    return {kind: load(entry) for kind, entry in registered("runs").items()}


def run_for(kind: str) -> Run[Any, Any, Any, Any]:
    """Return the run that trains recipes of a kind; for an unknown kind, one that refuses them."""
    run: Run[Any, Any, Any, Any] = find("runs", kind) or SEQ2SEQ
    return run
