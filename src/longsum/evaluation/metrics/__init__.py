"""Metrics as pure functions of texts, and significance tests.

Every metric with variants names its own (`RougeConfig.variant`, `meteor_variant()`); report it with
the number. Slow packages are imported by the first call, not here.
"""

from longsum.evaluation.metrics.agreement import Agreement, agreement
from longsum.evaluation.metrics.fragments import (
    Extractiveness,
    Fragment,
    extractiveness,
    fragments,
    novel_ngrams,
    repeated_ngrams,
)
from longsum.evaluation.metrics.metric_info import MetricInfo, ScoreInfo
from longsum.evaluation.metrics.oracle import OracleStep, greedy_oracle, oracle_steps, recall_steps
from longsum.evaluation.metrics.readability import READABILITY_VARIANT, Readability, readability
from longsum.evaluation.metrics.reference_scores import (
    ASPECTS_VARIANT,
    RougeConfig,
    Score,
    aspect_recall,
    aspect_shares,
    meteor,
    meteor_variant,
    rouge,
)
from longsum.evaluation.metrics.representativeness import (
    coherence,
    coherence_difference,
    kl_divergence,
    sentiment_divergence,
    sentiment_vector,
    topic_divergence,
)
from longsum.evaluation.metrics.significance import (
    AnalysisOfVariance,
    Comparison,
    Interval,
    PairedTest,
    analysis_of_variance,
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)

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
