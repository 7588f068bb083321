"""ROUGE (Lin 2004), computed by Google's `rouge-score`, with its variant printed beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, Literal

from longsum.errors import LongsumError
from longsum.evaluation.tokens import rouge_tokens
from longsum.language.sentences import split_sentences

Splitter = Literal["nupunkt", "lines"]

METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
"""Unigrams; bigrams; longest common subsequence of the whole texts; union of the longest common
subsequences of the sentences. The last two differ widely and are often confused."""


@dataclass(frozen=True, slots=True)
class Score:
    """One ROUGE score; each part lies in [0, 1], and is 0 where one of the texts has no token."""

    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True, slots=True)
class RougeConfig:
    """What a ROUGE number depends on besides the texts.

    Attributes:
        stemmer: Whether tokens are reduced by Porter's stemmer, as in most papers.
        splitter: Where a sentence ends for `rougeLsum`: as `split_sentences` finds it, line breaks
            being mere white space (`nupunkt`), or at each line break and nowhere else (`lines`), as
            `rouge-score` reads a text as it is.
    """

    stemmer: bool = True
    splitter: Splitter = "nupunkt"

    @property
    def variant(self) -> str:
        """The settings in one line, to be printed beside every number."""
        stem = "yes" if self.stemmer else "no"
        sentences = "nupunkt sentences" if self.splitter == "nupunkt" else "lines"
        package = f"rouge-score {version('rouge-score')}"
        return f"{package}|stem={stem}|Lsum=union-LCS over {sentences}|F1"


def rouge(
    prediction: str, references: Sequence[str], config: RougeConfig | None = None
) -> Mapping[str, Score]:
    """Score a summary by its n-grams and subsequences shared with reference summaries.

    Args:
        prediction: The summary.
        references: One or more summaries written by others. Of several, each metric takes its own
            best: the one with the highest F, the first of equals, as `score_multi` of the package.
        config: Settings; `RougeConfig()` where absent.

    Returns:
        A score for each of `METRICS`.

    Raises:
        LongsumError: There is no reference.
    """
    if not references:
        raise LongsumError("ROUGE needs at least one reference summary; give one.")
    config = config or RougeConfig()
    found = _scorer(METRICS[:3], config.stemmer).score_multi(references, prediction)
    # Apart from the others, since the sentences stand on lines of their own here.
    found |= _scorer(METRICS[3:], config.stemmer).score_multi(
        [_one_sentence_a_line(reference, config.splitter) for reference in references],
        _one_sentence_a_line(prediction, config.splitter),
    )
    return {
        name: Score(*(float(found[name][part]) for part in range(3)))  # ints where a side is empty
        for name in METRICS
    }


def _one_sentence_a_line(text: str, splitter: Splitter) -> str:
    if splitter == "lines":
        return text
    return "\n".join(" ".join(text[start:end].split()) for start, end in split_sentences(text))


class _Tokenizer:
    def __init__(self, stemmer: bool) -> None:
        self._stemmer = stemmer

    def tokenize(self, text: str) -> list[str]:
        return rouge_tokens(text, self._stemmer)


@cache
def _scorer(metrics: tuple[str, ...], stemmer: bool) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(metrics), tokenizer=_Tokenizer(stemmer))
