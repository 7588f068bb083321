"""The options of extractors, and what is bundled: the extractor, and weights for tables."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field
from tokenizers import Tokenizer

from longsum.common.errors import LongsumError
from longsum.core.encoder.networks import InferencePrecision, Runtime
from longsum.core.model_files.settings_file import TOKENIZER, read_tokenizer_file
from longsum.core.summaries import Fill

LANGUAGE = "en"
"""The language that the extractor was trained on."""


def shipped_folder(name: str = "extractor") -> Path:
    """Return the folder of bundled weights.

    Raises:
        LongsumError: This installation lacks them.
    """
    folder = Path(str(files("longsum").joinpath("weights", name)))
    if not folder.is_dir():
        raise LongsumError(
            f"This installation contains no {name}; give the folder of a model that 'longsum "
            "train' wrote."
        )
    return folder


@cache
def shipped_tokenizer() -> Tokenizer:
    """Return the tokenizer of the bundled extractor.

    Raises:
        LongsumError: As for `shipped_folder` and `load_tokenizer`.
    """
    return load_tokenizer(shipped_folder())


def load_tokenizer(folder: Path) -> Tokenizer:
    """Read the tokenizer in a folder.

    Raises:
        LongsumError: There is no tokenizer, or it cannot be read.
    """
    text = read_tokenizer_file(folder / TOKENIZER)
    try:
        return Tokenizer.from_str(text)
    except Exception as error:  # tokenizers raises nothing narrower
        raise LongsumError(
            f"The folder '{folder}' contains no readable {TOKENIZER}; give one that "
            "'longsum train' wrote."
        ) from error


@dataclass(frozen=True, slots=True)
class ExtractorConfig:
    """Settings of the system `extractor`.

    Attributes:
        model: Folder of the model and its tokenizer; None for the model that ships with longsum.
        sentence_tokens: Maximum number of tokens read per sentence; longer ones are truncated.
        prose_first: Whether captions, table rows and other fragments are chosen only when no full
            sentence is left (`longsum.documents.fitness.kinds`).
        back_matter_last: Whether references, contacts and acknowledgements are chosen from only
            when nothing else is left (`longsum.documents.fitness.back_matter`).
        blocking: Whether to skip sentences that share a trigram with a chosen one
            (`longsum.core.extractive.network_ranking`).
        length_exponent: Each sentence's logit is reduced by this times the logarithm of its length
            in words relative to the document's mean: values above 0 favour short sentences, which
            leave room for others.
        centrality_exponent: Each sentence's logit is increased by this times the logarithm of its
            PageRank in the document (the system `graph`) relative to the mean, which favours
            sentences similar to many others. If all are equally long, or central, their logits keep
            their distance from that of the end.
        running_length_exponent: Added to `length_exponent` in running text, in proportion to
            `running_share`.
        running_centrality_exponent: Added to `centrality_exponent` likewise.
        outcome_weight: Added to the logit of a sentence that states the outcome of a case
            (`longsum.documents.fitness.signposts.tells_outcome`).
        bare_item_weight: Subtracted from the logit of a list item that does not end as a sentence,
            unless such items are a quarter of the material or more, as in minutes.
        redundancy_weight: Once a stepwise model prefers stopping to choosing any sentence, it is
            not queried again, and each sentence's logit is reduced by this times its maximum cosine
            with the chosen ones (`SteadyRanking`). None queries the model at each step, even if it
            prefers to stop.
        asked_steps: Number of choices after which the model is not queried again, rather than when
            it prefers to stop; for a model trained on plans of that length.
        beams: Beam size of the plan search; 1 chooses the best sentence at each step.
        steps: Maximum number of sentences; None for no limit besides the budget.
        self_contained: See `longsum.core.extractive.copies`.
        say_once: See `longsum.core.extractive.copies`.
        spell_out: See `longsum.core.extractive.copies`.
        mark_quotations: See `longsum.core.extractive.copies`.
        findings_first: See `longsum.core.extractive.copies`.
        fill: See `longsum.core.extractive.copies`.
        ends: Whether the model may stop before the budget is filled.
        focus_weight: Weight of the relevance to the focus, if there is one, in a sentence's score;
            the rest is that of the model's logits (`longsum.core.extractive.focus`).
        skim_words: Documents with more words are skimmed if the model has rough vectors, and so are
            the parts of divided documents (`longsum.core.extractive.skimming`). None to read every
            sentence closely.
        skim_share: The share of their sentences that is read closely.
        precision: How matrix products are computed; `auto` takes the fastest precision that the
            runtime and the hardware support.
        runtime: What runs the network: ONNX Runtime, or PyTorch; `auto` takes ONNX Runtime for an
            exported HiBERT if there is no GPU for PyTorch (`longsum.core.encoder.networks`).
    """

    model: str | None = None
    sentence_tokens: Annotated[int, Field(ge=3, le=512)] = 128
    prose_first: bool = True
    back_matter_last: bool = False
    blocking: bool = False
    length_exponent: float = 0.0
    centrality_exponent: Annotated[float, Field(ge=0)] = 0.0
    running_length_exponent: float = 0.0
    running_centrality_exponent: Annotated[float, Field(ge=0)] = 0.0
    outcome_weight: Annotated[float, Field(ge=0)] = 0.0
    bare_item_weight: Annotated[float, Field(ge=0)] = 0.0
    redundancy_weight: Annotated[float, Field(ge=0)] | None = None
    asked_steps: Annotated[int, Field(ge=1)] | None = None
    beams: Annotated[int, Field(ge=1)] = 1
    steps: Annotated[int, Field(ge=1)] | None = None
    ends: bool = False
    self_contained: bool = False
    say_once: bool = False
    spell_out: bool = False
    mark_quotations: bool = False
    fill: Fill = "strict"
    findings_first: bool = False
    focus_weight: Annotated[float, Field(ge=0, le=1)] = 0.55
    skim_words: Annotated[int, Field(ge=0)] | None = None
    skim_share: Annotated[float, Field(gt=0, le=1)] = 0.4
    precision: InferencePrecision = "auto"
    runtime: Runtime = "auto"

    @property
    def searches(self) -> bool:
        """Whether a complete plan is searched for before the first sentence is chosen."""
        return self.ends or self.beams > 1 or self.steps is not None
