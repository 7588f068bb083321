"""The metrics of summaries that are registered under `longsum.metrics`."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache

from longsum.common.registry import load, registered
from longsum.core.summaries import Summary
from longsum.evaluation.aspects import section_aspects
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.info import labelled_references
from longsum.evaluation.metrics.fragments import extractiveness, novel_ngrams, repeated_ngrams
from longsum.evaluation.metrics.metric_info import PER_CENT, UPWARDS, MetricInfo, ScoreInfo
from longsum.evaluation.metrics.readability import READABILITY_VARIANT, readability
from longsum.evaluation.metrics.reference_scores import (
    ASPECTS_VARIANT,
    aspect_recall,
    aspect_shares,
    meteor,
    meteor_variant,
    rouge,
    rouge_variant,
)
from longsum.evaluation.metrics.representativeness import (
    coherence_difference,
    sentiment_divergence,
    topic_divergence,
)
from longsum.lab.checking.apes import Answerer, ApesScorer, ClozeMaker
from longsum.lab.checking.consistency import ClaimChecker, factcc
from longsum.language.words import count_words

Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Metric:
    """A group of scores that are computed together.

    Attributes:
        score: Computes the scores; those that cannot be computed for a document are left out.
        variant: Returns how they are computed, to be reported with them.
        info: Their description.
    """

    score: Callable[[Summary, Example], Scores]
    variant: Callable[[], str]
    info: MetricInfo


def _rouge(summary: Summary, example: Example) -> Scores:
    scores = rouge(summary.text, example.references)
    return {name: 100 * scores[name].fmeasure for name in scores}


def _meteor(summary: Summary, example: Example) -> Scores:
    return {"meteor": 100 * meteor(summary.text, example.references)}


def _copying(summary: Summary, example: Example) -> Scores:
    fragments = extractiveness(summary.text, example.document.text)
    return {
        "coverage": fragments.coverage,
        "density": fragments.density,
        "compression": fragments.compression,
        "novel_2grams": novel_ngrams(summary.text, example.document.text, 2),
    }


def _redundancy(summary: Summary, example: Example) -> Scores:  # noqa: ARG001
    return {f"repeated_{n}grams": 100 * repeated_ngrams(summary.text, n) for n in (2, 3)}


def _representativeness(summary: Summary, example: Example) -> Scores:
    return {
        "topic_kl": topic_divergence(summary.text, example.document.text),
        "sentiment_kl": sentiment_divergence(summary.text, example.document.text),
        "coherence_difference": coherence_difference(summary.text, example.document.text),
    }


def _readability(summary: Summary, example: Example) -> Scores:
    scores = readability(
        [sentence.text for sentence in summary.sentences],
        [sentence.copied_from for sentence in summary.sentences],
        example.document,
    )
    return asdict(scores)


def _aspects(summary: Summary, example: Example) -> Scores:
    references = labelled_references(example)
    if not references:
        return {}
    scores = {
        f"{aspect}_{name}": 100 * value
        for aspect, recalls in aspect_recall(summary.text, references).items()
        for name, value in recalls.items()
    }
    document = example.document
    shares = aspect_shares(
        [count_words(sentence.text) for sentence in summary.sentences],
        [
            document.section_of(sentence.sources[0].sentence).number if sentence.sources else None
            for sentence in summary.sentences
        ],
        section_aspects(document, references[0].scheme),
    )
    return scores | {f"{aspect}_source": 100 * share for aspect, share in shares.items()}


def _doubts(summary: Summary, example: Example) -> Scores:
    from longsum.checking.checker import checked_against

    verdicts = [
        sentence.verdict
        for sentence in checked_against(summary.text, example.document)
        if sentence.verdict != "not_checkable"
    ]
    if not verdicts:
        return {}
    differing = verdicts.count("differs")
    doubted = len(verdicts) - verdicts.count("confirmed")
    return {"doubted": 100 * doubted / len(verdicts), "differing": 100 * differing / len(verdicts)}


ROUGE = Metric(
    _rouge,
    rouge_variant,
    MetricInfo(
        "What summary and reference share: F, of several references the highest",
        "Lin 2004, as computed by rouge-score",
        (
            ScoreInfo("rouge1", "words", PER_CENT, "higher"),
            ScoreInfo("rouge2", "pairs of words", PER_CENT, "higher"),
            ScoreInfo("rougeL", "longest common subsequence", PER_CENT, "higher"),
            ScoreInfo("rougeLsum", "the same, sentence by sentence", PER_CENT, "higher"),
        ),
    ),
)
METEOR = Metric(
    _meteor,
    meteor_variant,
    MetricInfo(
        "Words aligned with those of a reference",
        "Lavie and Agarwal 2007; MLS §3 B",
        (ScoreInfo("meteor", "words aligned, less for scattered ones", PER_CENT, "higher"),),
    ),
)
COPYING = Metric(
    _copying,
    lambda: "coverage, density, compression: Grusky et al. 2018",
    MetricInfo(
        "How much of the summary is copied from the document word for word",
        "Grusky et al. 2018, §4; HEPOS Table 2; MLS §3",
        (
            ScoreInfo("coverage", "share of the words in copied runs", "0 to 1", "neither"),
            ScoreInfo("density", "mean length of a word's run", UPWARDS, "neither"),
            ScoreInfo("compression", "document's words per word", UPWARDS, "neither"),
            ScoreInfo("novel_2grams", "share of new pairs of words", "0 to 1", "neither"),
        ),
    ),
)
DOUBTS = Metric(
    _doubts,
    lambda: (
        "sentences that longsum check does not confirm, in per cent of those that claim something"
    ),
    MetricInfo(
        "What the summary says otherwise than the document, or without it, by rules",
        "longsum's own; docs/checking.md says what the rules find and doubt wrongly",
        (
            ScoreInfo("doubted", "sentences that are not confirmed", PER_CENT, "lower"),
            ScoreInfo("differing", "of these, where the document has another", PER_CENT, "lower"),
        ),
    ),
)
REDUNDANCY = Metric(
    _redundancy,
    lambda: "repeated n-grams, in per cent",
    MetricInfo(
        "What the summary says more than once",
        "longsum's own",
        (
            ScoreInfo("repeated_2grams", "pairs of words said before", PER_CENT, "lower"),
            ScoreInfo("repeated_3grams", "three words said before", PER_CENT, "lower"),
        ),
    ),
)
READABILITY = Metric(
    _readability,
    lambda: READABILITY_VARIANT,
    MetricInfo(
        "How the summary reads, whatever it says",
        "longsum's own",
        (
            ScoreInfo("dangling", "sentences that refer to nothing", PER_CENT, "lower"),
            ScoreInfo("not_material", "sentences that are no prose", PER_CENT, "lower"),
            ScoreInfo("repeated", "sentences that say the same again", PER_CENT, "lower"),
            ScoreInfo("sentence_words", "words of a sentence", UPWARDS, "neither"),
            ScoreInfo("cohesion", "words that neighbours share", PER_CENT, "higher"),
        ),
    ),
)
REPRESENTATIVENESS = Metric(
    _representativeness,
    lambda: "topic KL, sentiment KL, Δcoherence: MLS §3; lower is better",
    MetricInfo(
        "How far topics, sentiment and coherence are from the document's",
        "MLS §3",
        (
            ScoreInfo("topic_kl", "divergence of topics", UPWARDS, "lower"),
            ScoreInfo("sentiment_kl", "divergence of sentiment", UPWARDS, "lower"),
            ScoreInfo("coherence_difference", "difference of coherence", "0 to 2", "lower"),
        ),
    ),
)
ASPECTS = Metric(
    _aspects,
    lambda: ASPECTS_VARIANT,
    MetricInfo(
        "How much of each aspect of a reference with labels the summary says, and from which "
        "parts of the document it is",
        "HEPOS §4, §6.4, Table 11",
        (
            ScoreInfo("ASPECT_rouge1", "words recalled", PER_CENT, "higher"),
            ScoreInfo("ASPECT_rouge2", "pairs of words recalled", PER_CENT, "higher"),
            ScoreInfo("ASPECT_source", "words from its sections", PER_CENT, "neither"),
        ),
    ),
)

MODEL_METRICS: Mapping[str, MetricInfo] = {
    "apes": MetricInfo(
        "Whether the summary answers cloze questions as its reference and its source do",
        "HEPOS §5; Eyal et al. 2019",
        (
            ScoreInfo("apes", "answers as from the reference", PER_CENT, "higher"),
            ScoreInfo("apes_src", "answers as from the source", PER_CENT, "higher"),
            ScoreInfo("questions", "questions that were asked", UPWARDS, "neither"),
        ),
        package="transformers",
        model="--qa-model FOLDER",
    ),
    "factcc": MetricInfo(
        "How likely the sentences are consistent with the source",
        "Kryscinski et al. 2020; HEPOS §5",
        (ScoreInfo("factcc", "mean probability of consistency", PER_CENT, "higher"),),
        package="transformers",
        model="--claim-model FOLDER",
    ),
}
"""The metrics that need a model; `metrics_of` makes them from one."""


@cache
def summary_metrics() -> Mapping[str, Metric]:
    """Return the metrics that need no model: longsum's, and those of other packages."""
    entries = registered("metrics")
    # ROUGE, which most readers look for, comes first.
    names = sorted(entries, key=lambda name: name != "rouge")
    return {name: load(entries[name]) for name in names}


def metric_infos() -> dict[str, MetricInfo]:
    """Return the descriptions of all metrics of summaries, by name."""
    return {**{name: metric.info for name, metric in summary_metrics().items()}, **MODEL_METRICS}


def metrics_of(
    answerer: Answerer | None, checker: ClaimChecker | None, cloze: ClozeMaker | None = None
) -> dict[str, Metric]:
    """Return the metrics that need a model, for the given models.

    Args:
        answerer: Answers questions, for `apes`; such as
            `longsum.lab.checking.checkers.SpanAnswerer`.
        checker: Checks claims, for `factcc`; such as
            `longsum.lab.checking.checkers.ClaimScorer`.
        cloze: Makes the questions of `apes`; by default with entities that rules find.
    """
    metrics: dict[str, Metric] = {}
    if answerer is not None:
        scorer = ApesScorer(answerer, cloze or ClozeMaker())

        def apes(summary: Summary, example: Example) -> Scores:
            scores = scorer.score(summary.text, example.references, _sentences(example))
            return {
                "apes": 100 * scores.apes,
                "apes_src": 100 * scores.apes_src,
                "questions": float(scores.questions),
            }

        metrics["apes"] = Metric(
            apes, lambda: f"APES, APES_src: {scorer.cloze.variant}", MODEL_METRICS["apes"]
        )
    if checker is not None:

        def consistency(summary: Summary, example: Example) -> Scores:
            claims = [sentence.text for sentence in summary.sentences]
            return {"factcc": 100 * factcc(claims, _sentences(example), checker)[0]}

        metrics["factcc"] = Metric(
            consistency,
            lambda: "FactCC: mean probability over sentences, contexts by ROUGE-2",
            MODEL_METRICS["factcc"],
        )
    return metrics


def _sentences(example: Example) -> list[str]:
    return [sentence.text for sentence in example.document.sentences]
