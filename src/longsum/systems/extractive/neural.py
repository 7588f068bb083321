"""A neural extractor as a system: Stepwise HiBERT and its kin (Stepwise, §4)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from pydantic import Field
from tokenizers import Tokenizer

from longsum.arrays import Array, Mask, Places
from longsum.documents.back_matter import in_back_matter
from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.centrality import centrality
from longsum.language.identify import is_language
from longsum.language.prose import are_prose
from longsum.language.repeats import first_alike
from longsum.language.words import count_words
from longsum.models.extractive.decoding import Allowed, Plan, search_plans
from longsum.models.extractive.extractor_files import load_extractor
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.units import ExtractiveModel, join
from longsum.models.folders import ModelFolder
from longsum.models.precision import Precision, in_bf16
from longsum.summaries import FinishReason, Notice
from longsum.systems.extractive.blocking import BlockingRanking, Trigrams
from longsum.systems.extractive.salience import (
    REASON,
    FocusedRanking,
    ProbabilityRanking,
    Read,
    SteadyRanking,
    StepwiseRanking,
)
from longsum.systems.extractive.selection import FixedRanking, PlannedRanking, Ranking, pool
from longsum.systems.extractive.shipped import LANGUAGE, load_tokenizer, shipped_folder
from longsum.systems.extractive.summarizer import ExtractiveSummarizer, Ranked, unlike_focus
from longsum.systems.system import Request
from longsum.tasks.extraction.encode_units import encode_document, encode_texts

# Cosine by which a sentence more like the focus is e times as like.
_SHARPNESS = 0.05
# Cosine below which nothing in a document has to do with a focus. Unrelated words reach 0.15 to
# 0.25.
_UNLIKE = 0.2
# Of texts that fill up; what a model makes of them, it leaves out.
_PAD = 0


@dataclass(frozen=True, slots=True)
class ExtractorConfig:
    """Settings of the system `extractor`.

    Attributes:
        model: Folder of the model and its tokenizer; None is the model that ships with longsum.
        sentence_tokens: The most tokens of a sentence that are read.
        prose_first: Choose captions, table rows and other fragments only when no sentence proper
            is left (`longsum.language.prose`).
        back_matter_last: Choose from references, contacts and acknowledgements only when nothing
            else is left but fragments (`longsum.documents.back_matter`).
        blocking: Whether a sentence is passed over that shares three words in a row with what is
            chosen (`longsum.systems.extractive.blocking`).
        length_exponent: Each sentence's logit is lessened by the logarithm of its words over the
            document's mean, so many times over: above 0 favours short sentences, which leave room
            for others.
        centrality_exponent: Each sentence's logit is raised by the logarithm of its PageRank in the
            document (the system `graph`) over the mean, so many times over: what many sentences
            resemble gains. Where all are equally central, or long, nothing changes against the end.
        redundancy_weight: From the step where a stepwise model would rather end than take any
            sentence, it is asked no more; each sentence's logit is lessened by so many times its
            greatest cosine to what is chosen (`salience.py`). None asks the model at each
            step, whatever it says of the end.
        beams: Plans that are searched at once; 1 takes the best sentence at each step.
        steps: The most sentences of a summary; None for no limit but the length asked for.
        ends: Whether the model may end the summary before it is as long as was asked.
        focus_weight: Part of a sentence's score that goes to its likeness to a focus, where one is
            given.
        precision: `bf16` runs products in bf16; `auto` where the machine computes in it.
    """

    model: str | None = None
    sentence_tokens: Annotated[int, Field(ge=3, le=512)] = 128
    prose_first: bool = True
    back_matter_last: bool = False
    blocking: bool = False
    length_exponent: float = 0.0
    centrality_exponent: Annotated[float, Field(ge=0)] = 0.0
    redundancy_weight: Annotated[float, Field(ge=0)] | None = None
    beams: Annotated[int, Field(ge=1)] = 1
    steps: Annotated[int, Field(ge=1)] | None = None
    ends: bool = False
    focus_weight: Annotated[float, Field(ge=0, le=1)] = 0.5
    precision: Precision = "auto"

    @property
    def searches(self) -> bool:
        """Whether a whole plan is searched for before the first sentence is chosen."""
        return self.ends or self.beams > 1 or self.steps is not None


class NeuralExtractor(ExtractiveSummarizer):
    """Chooses sentences by a network's probabilities, of a stepwise one in sight of the choices.

    Sentences are chosen one at a time, and nothing that is chosen depends on the budget but by what
    fits; so lengths nest. With `ends`, `steps` or more than one beam, a whole plan is searched for
    the length asked for; longer summaries add nothing to it.
    """

    neural = True

    def __init__(
        self,
        name: str,
        config: ExtractorConfig,
        model: ExtractiveModel | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        """Make the system.

        Args:
            name: Name of the recipe.
            config: Its settings.
            model: The network; by default that of the folder.
            tokenizer: Its tokenizer; by default that of the folder.

        Raises:
            LongsumError: The folder holds no model or no tokenizer, or settings do not go together
                or ask for what the model cannot do.
        """
        super().__init__(name, config)
        self._config = config
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._bf16 = in_bf16(config.precision, self._device)
        folder = ModelFolder.of(shipped_folder() if config.model is None else Path(config.model))
        self._folder = folder
        network = load_extractor(folder) if model is None else model
        self.model = network.to(self._device).eval()
        self._tokenizer = load_tokenizer(folder.path) if tokenizer is None else tokenizer
        self._check_redundancy()
        # Only a model with vectors of single sentences can tell how like they are to something.
        self.takes_focus = isinstance(network, Hibert) and not config.searches

    @property
    def identity(self) -> str:
        """The hash of the folder's weights."""
        return self._folder.weights_sha256

    @property
    def stepwise(self) -> bool:
        """Whether each choice is made in sight of the choices before it."""
        return self.model.stepwise

    def rank(self, request: Request) -> Ranked:
        """Read the document, and rank its sentences or search for a plan.

        Raises:
            LongsumError: The settings ask for a plan, and the model is not stepwise.
        """
        read = self.read(request)
        if self._config.searches:
            return self._planned(request, read)
        notices = (*self._of_language(request.document), *read.notices)
        ranking: Ranking = FixedRanking(read.first, REASON)
        if self._config.redundancy_weight is not None:
            vectors = read.reading.vectors[0].float().cpu().numpy()
            ranking = SteadyRanking(read, vectors, self._config.redundancy_weight)
        elif self.stepwise:
            ranking = StepwiseRanking(read)
        if request.focus is not None:
            cosines = self._cosines(request.focus, read)
            if cosines.max() < _UNLIKE:
                notices += (unlike_focus(request.focus),)
            else:
                likeness = _softmax(cosines / _SHARPNESS)
                if self._config.redundancy_weight is not None:
                    ranking = ProbabilityRanking(ranking)
                ranking = FocusedRanking(ranking, likeness, self._config.focus_weight)
        if self._config.blocking:
            ranking = BlockingRanking(ranking, Trigrams(read.texts))
        return Ranked(
            ranking,
            candidates=read.known,
            preferred=read.preferred,
            coverage=read.coverage(request.document),
            notices=notices,
            exhausted=read.exhausted,
        )

    def _of_language(self, document: Document) -> Iterator[Notice]:
        """Warn of a document in a language that the extractor which ships was not trained on."""
        language = document.language
        if self._config.model is None and language and not is_language(language, LANGUAGE):
            yield Notice(
                "language",
                f"The document is in another language ('{language}') than English, which "
                f"'{self.name}' was trained on; check what it chose.",
            )

    def _check_redundancy(self) -> None:
        config = self._config
        if config.redundancy_weight is None:
            return
        if not (self.stepwise and isinstance(self.model, Hibert)):
            raise LongsumError(
                "Only a stepwise HiBERT takes a redundancy_weight: other models have no vectors of "
                "sentences or no end. Set it to null."
            )
        if config.searches and not config.ends:
            raise LongsumError(
                "A plan that is searched for takes no redundancy_weight, as it is the model's "
                "alone. Set it to null, or leave out beams and steps."
            )

    def _cosines(self, focus: str, read: Read) -> Array:
        """Return the cosine of each sentence's vector with that of a focus, `[n]`."""
        assert isinstance(self.model, Hibert)
        text = encode_texts([focus], self._tokenizer, self._config.sentence_tokens)[0]
        tokens = torch.from_numpy(text).long().to(self._device)[None]
        with read.computing():
            vector = self.model.encode(tokens, torch.tensor([tokens.shape[1]]).to(self._device))
            cosines = torch.cosine_similarity(read.reading.vectors[0].float(), vector.float())
            found: Array = cosines.double().cpu().numpy()
        return found

    def _planned(self, request: Request, read: Read) -> Ranked:
        """Search for a plan within the budget."""
        config, count = self._config, len(read.texts)
        alike = first_alike(read.texts)
        with read.computing():
            plan = search_plans(
                self.model,
                read.reading,
                beams=config.beams,
                maximum=config.steps or count,
                minimum=1,
                end=config.ends,
                # Plans that must fill the budget hold more or fewer sentences by their lengths.
                length_penalty=0.0 if config.ends else 1.0,
                penalties=read.penalties,
                allowed=self._allowed(request, read, alike),
            )[0]
        candidates = np.zeros(count, dtype=bool)
        candidates[list(plan.sentences)] = True
        gains = np.exp(plan.log_probabilities).tolist()
        return Ranked(
            PlannedRanking(plan.sentences, gains, count, REASON),
            candidates,
            coverage=read.coverage(request.document),
            notices=(*self._of_language(request.document), *read.notices),
            exhausted=self._reason(plan, read, len(np.unique(alike[read.known]))),
        )

    def _allowed(self, request: Request, read: Read, alike: Places) -> Allowed:
        """Make what tells which sentences may follow a plan: the same that a selection takes."""
        document, budget = request.document, request.budget
        costs = np.array(budget.costs(document.sentences))
        capacity = budget.capacity(document)
        trigrams = Trigrams(read.texts) if self._config.blocking else None

        def allowed(plan: tuple[int, ...]) -> Mask:
            chosen = list(plan)
            left = read.known & ~np.isin(alike, alike[chosen])
            if trigrams is not None:
                left &= ~trigrams.blocked(chosen)
            fits: Mask = costs <= capacity - costs[chosen].sum()
            return pool(left, read.preferred) & fits

        return allowed

    def _reason(self, plan: Plan, read: Read, distinct: int) -> FinishReason:
        """Say why the summary of a plan is no longer."""
        if not plan.sentences:
            return "nothing_fits"
        if plan.ended:
            return "model_end"
        if len(plan.sentences) == distinct:
            return read.exhausted
        return "model_limit" if len(plan.sentences) == self._config.steps else "budget"

    def read(self, request: Request) -> Read:
        """Let the model read a document."""
        texts = [sentence.text for sentence in request.document.sentences]
        encoded = encode_document(request.document, self._tokenizer, self._config.sentence_tokens)
        units = join([encoded], _PAD).to(torch.device(self._device))
        computing = partial(_computing, self._device, self._bf16)
        with computing():
            reading = self.model.read(units)
        return Read(
            texts=texts,
            model=self.model,
            reading=reading,
            leanings=self._leanings(texts),
            preferred=self._preferred(request.document, texts),
            computing=computing,
        )

    def _preferred(self, document: Document, texts: list[str]) -> Places:
        """Return how much each sentence is preferred: prose to fragments, text to back matter."""
        levels = np.zeros(len(texts), dtype=np.int64)
        if self._config.prose_first:
            levels += 2 * np.array(are_prose(texts))
        if self._config.back_matter_last:
            levels += ~in_back_matter(document)
        return levels

    def _leanings(self, texts: list[str]) -> dict[str, Array]:
        """Return what is added to each sentence's logit, whatever is chosen: `[n]` by name.

        Both are of a sentence over the mean, so that none is moved against the end for what it has
        in common with all.
        """
        config, found = self._config, dict[str, Array]()
        if config.length_exponent:
            words = np.array([max(count_words(text), 1) for text in texts])
            found["length"] = -config.length_exponent * np.log(words / words.mean())
        if config.centrality_exponent:
            relative = centrality(texts) * len(texts)
            found["centrality"] = config.centrality_exponent * np.log(relative)
        return found


@contextmanager
def _computing(device: str, bf16: bool) -> Iterator[None]:
    with torch.inference_mode(), torch.autocast(device, torch.bfloat16, enabled=bf16):
        yield


def _softmax(values: Array) -> Array:
    weights = np.exp(values - values.max())
    found: Array = weights / weights.sum()
    return found
