"""ROUGE (Lin 2004), computed by Google's `rouge-score`, with a description of the variant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, Literal

from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.language.sentences import sentence_texts

Splitter = Literal["nupunkt", "lines"]

METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
"""Unigrams; bigrams; longest common subsequence of the whole texts; union of the longest common
subsequences of sentences. The last two differ widely and are often confused."""


@dataclass(frozen=True, slots=True)
class Score:
    """One ROUGE score; each part lies in [0, 1], and is 0 if one of the texts has no tokens."""

    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True, slots=True)
class RougeConfig:
    """Settings that a ROUGE score depends on.

    Attributes:
        stemmer: Whether tokens are stemmed by Porter's stemmer, as in most papers.
        splitter: Sentences for `rougeLsum`: those of `split_sentences`, with line breaks as white
            space (`nupunkt`), or lines (`lines`), as `rouge-score` reads a text by default.
    """

    stemmer: bool = True
    splitter: Splitter = "nupunkt"

    @property
    def variant(self) -> str:
        """The settings in one line, to be reported with every score."""
        stem = "yes" if self.stemmer else "no"
        sentences = "nupunkt sentences" if self.splitter == "nupunkt" else "lines"
        package = f"rouge-score {version('rouge-score')}"
        return f"{package}|stem={stem}|Lsum=union-LCS over {sentences}|F1"


def rouge(
    prediction: str, references: Sequence[str], config: RougeConfig | None = None
) -> Mapping[str, Score]:
    """Score a summary by the n-grams and subsequences that it shares with references.

    Args:
        prediction: The summary.
        references: One or more reference summaries. Of several, each metric takes the one with the
            highest F, the first of equal ones, like `score_multi` of the package.
        config: Settings; by default `RougeConfig()`.

    Returns:
        A score for each of `METRICS`.

    Raises:
        LongsumError: There is no reference.
    """
    if not references:
        raise LongsumError("ROUGE needs at least one reference summary; give one.")
    config = config or RougeConfig()
    found = _scorer(METRICS[:3], config.stemmer).score_multi(references, prediction)
    # Separate from the others, since it takes one sentence per line.
    found |= _scorer(METRICS[3:], config.stemmer).score_multi(
        [_one_sentence_a_line(reference, config.splitter) for reference in references],
        _one_sentence_a_line(prediction, config.splitter),
    )
    return {
        name: Score(*(float(found[name][part]) for part in range(3)))  # ints if a side is empty
        for name in METRICS
    }


def _one_sentence_a_line(text: str, splitter: Splitter) -> str:
    if splitter == "lines":
        return text
    return "\n".join(" ".join(sentence.split()) for sentence in sentence_texts(text))


class _Tokenizer:
    def __init__(self, stemmer: bool) -> None:
        self._stemmer = stemmer

    def tokenize(self, text: str) -> list[str]:
        return rouge_tokens(text, self._stemmer)


@cache
def _scorer(metrics: tuple[str, ...], stemmer: bool) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(metrics), tokenizer=_Tokenizer(stemmer))
