"""Data sets as tasks of Inspect (https://inspect.aisi.org.uk), and metrics as a scorer.

Inspect finds both by the name of this package: `inspect eval longsum/summaries -T data=planted
--model …`, and `inspect score LOG --scorer longsum/summary_scores` for logged output.
"""

from collections.abc import Mapping
from functools import cache
from math import nan

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from longsum.core.grounding.given_text import summary_of
from longsum.evaluation.datasets import Example, load, usual_split
from longsum.evaluation.datasets.exported_records import prompt_for
from longsum.lab.comparison.comparison import known_metrics
from longsum.lab.comparison.comparison_metrics import summary_metrics

METRICS = "rouge,doubts,copying"


@task
def summaries(
    data: str = "planted",
    split: str | None = None,
    limit: int | None = None,
    metrics: str = METRICS,
) -> Task:
    """Let a model summarize the documents of a data set.

    Args:
        data: A data set, or a file of your own.
        split: Its split; by default the usual one for measurements.
        limit: Most documents.
        metrics: Names that `longsum metrics` lists, separated by commas.

    Raises:
        LongsumError: There is no such data set or metric.
    """
    origin = {"data": data, "split": split or usual_split(data), "limit": limit}
    samples = [
        Sample(prompt_for(example), list(example.references), id=example.id, metadata=origin)
        for example in _examples(**origin).values()
    ]
    return Task(
        MemoryDataset(samples, name=data), solver=generate(), scorer=summary_scores(metrics)
    )


@scorer(metrics={"*": [mean(), stderr()]})
def summary_scores(metrics: str = METRICS) -> Scorer:
    """Score a model's summary of a document of `summaries`, as it is, by longsum's metrics.

    Args:
        metrics: Names that `longsum metrics` lists, separated by commas. Their scores are in the
            units stated there; one that cannot be computed for a text is nan. `words` is the
            length of the summary.

    Raises:
        LongsumError: There is no such metric.
    """
    known = summary_metrics()
    chosen = [known[name] for name in known_metrics(metrics.split(","))]

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        origin = {name: state.metadata[name] for name in ("data", "split", "limit")}
        example = _examples(**origin)[str(state.sample_id)]
        text = state.output.completion
        summary = summary_of(example.document, text, system=str(state.model))
        values: dict[str, float] = {"words": float(summary.words)}
        for metric in chosen:
            scores = metric.score(summary, example)
            values |= {info.name: scores.get(info.name, nan) for info in metric.info.scores}
        return Score(value=values, answer=text)

    return score


@cache
def _examples(data: str, split: str, limit: int | None) -> Mapping[str, Example]:
    return {example.id: example for example in load(data, split, limit=limit)}
