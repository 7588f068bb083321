"""A data set as a task of Inspect, run by Inspect itself."""

import math

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load

inspect_ai = pytest.importorskip("inspect_ai", reason="the package inspect-ai is not installed")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    from longsum.lab.comparison.inspect_tasks import summaries

    told = {each.id: each.references[0] for each in load("planted", "test", limit=3)}
    answers = iter(["", *list(told.values())[1:]])

    class Scripted(ModelAPI):
        """Answers nothing for the first document, and for the others their references."""

        async def generate(self, *_args, **_kwargs):
            return ModelOutput.from_content("scripted", next(answers))

        async def count_text_tokens(self, text):
            return len(text.split())

    modelapi(name="scripted")(lambda: Scripted)
    (found,) = inspect_ai.eval(
        summaries(split="test", limit=3),
        model="scripted/any",
        max_connections=1,
        display="none",
        log_dir=str(tmp_path_factory.mktemp("logs")),
    )
    return found


@pytest.mark.slow
def test_inspect_runs_the_task_and_scores_it(log):
    assert log.status == "success"
    scores = {each.name: each.metrics for each in log.results.scores}
    by_id = {sample.id: sample.scores["summary_scores"].value for sample in log.samples}
    references = {each.id: each.references[0] for each in load("planted", "test", limit=3)}
    assert by_id.keys() == references.keys()
    first, *others = references
    assert by_id[first]["words"] == by_id[first]["rouge1"] == 0
    assert all(by_id[other]["rouge1"] == pytest.approx(100) for other in others)
    assert scores["rouge1"]["mean"].value == pytest.approx(200 / 3)
    assert scores["rouge1"]["stderr"].value > 0
    # Of a text that claims nothing there is no share of doubts, which counts in no mean.
    assert math.isnan(by_id[first]["doubted"])
    assert scores["doubted"]["mean"].value == pytest.approx(
        sum(by_id[other]["doubted"] for other in others) / 2
    )


@pytest.mark.slow
def test_a_log_is_scored_again_by_its_documents(log):
    from inspect_ai import score

    from longsum.lab.comparison.inspect_tasks import summary_scores

    again = score(log, summary_scores("redundancy"), action="append", display="none")
    names = {each.name for each in again.results.scores}
    assert {"repeated_2grams", "rouge1"} <= names


def test_samples_record_their_origin_and_an_unknown_metric_is_refused():
    from longsum.lab.comparison.inspect_tasks import summaries

    (sample,) = summaries(limit=1).dataset
    assert sample.metadata == {"data": "planted", "split": "test", "limit": 1}

    with pytest.raises(LongsumError, match="There is no metric 'bleu'; choose from rouge"):
        summaries(metrics="rouge,bleu")
