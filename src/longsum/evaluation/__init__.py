"""Metrics as pure functions of texts, and significance tests.

Every metric with variants names its own (`RougeConfig.variant`, `meteor_variant()`); report it with
the number. Slow packages are imported by the first call, not here.
"""

from longsum.evaluation.agreement import Agreement, agreement
from longsum.evaluation.analysis_of_variance import (
    AnalysisOfVariance,
    PairedTest,
    analysis_of_variance,
)
from longsum.evaluation.aspect_scores import ASPECTS_VARIANT, aspect_recall, aspect_shares
from longsum.evaluation.coherence import coherence, coherence_difference
from longsum.evaluation.divergence import kl_divergence
from longsum.evaluation.fragments import Extractiveness, Fragment, extractiveness, fragments
from longsum.evaluation.meteor import meteor, meteor_variant
from longsum.evaluation.metric_info import MetricInfo, ScoreInfo
from longsum.evaluation.novelty import novel_ngrams, repeated_ngrams
from longsum.evaluation.oracle import OracleStep, greedy_oracle, oracle_steps
from longsum.evaluation.oracle_per_word import recall_steps
from longsum.evaluation.readability import READABILITY_VARIANT, Readability, readability
from longsum.evaluation.rouge import RougeConfig, Score, rouge
from longsum.evaluation.sentiment import sentiment_divergence, sentiment_vector
from longsum.evaluation.significance import (
    Comparison,
    Interval,
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)
from longsum.evaluation.topic_divergence import topic_divergence

__all__ = [
    "ASPECTS_VARIANT",
    "READABILITY_VARIANT",
    "Agreement",
    "AnalysisOfVariance",
    "Comparison",
    "Extractiveness",
    "Fragment",
    "Interval",
    "MetricInfo",
    "OracleStep",
    "PairedTest",
    "Readability",
    "RougeConfig",
    "Score",
    "ScoreInfo",
    "agreement",
    "analysis_of_variance",
    "approximate_randomization",
    "aspect_recall",
    "aspect_shares",
    "bootstrap_interval",
    "coherence",
    "coherence_difference",
    "extractiveness",
    "fragments",
    "greedy_oracle",
    "kl_divergence",
    "meteor",
    "meteor_variant",
    "novel_ngrams",
    "oracle_steps",
    "paired_bootstrap",
    "readability",
    "recall_steps",
    "repeated_ngrams",
    "rouge",
    "sentiment_divergence",
    "sentiment_vector",
    "topic_divergence",
]
