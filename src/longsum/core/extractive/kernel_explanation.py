"""The explanation that summaries of kernel systems carry."""

from collections.abc import Mapping

from longsum.core.kernels.fitted import FittedKernels
from longsum.core.summaries import Explanation

_TOPIC_WORDS = 10


def explain(kernels: FittedKernels, weights: Mapping[str, float]) -> Explanation:
    """Return the topics, the keywords with their frequencies, and the weights of the kernels."""
    keywords = kernels.keywords
    return Explanation(
        topics=kernels.topics.model.top_words(_TOPIC_WORDS),
        keywords=tuple(
            (str(keyword), float(frequency))
            for keyword, frequency in zip(keywords.keywords, keywords.frequencies[0], strict=True)
        ),
        weights=dict(weights),
    )
