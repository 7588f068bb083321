import json

import pytest

from longsum.core.loading import load_system
from longsum.core.recursive.parts import RecursiveConfig
from longsum.core.recursive.summarizer import RecursiveSummarizer
from longsum.core.summaries import Budget, Summary
from longsum.core.summaries.result_file import dump_json, summary_to_json
from schemas import schema


@pytest.fixture(scope="module")
def summary(small) -> Summary:
    sizes = {"undivided": 20, "least_words": 10, "part_words": 60}
    config = RecursiveConfig("graph", "graph", **sizes, compression=0.5)
    graph = load_system("graph")
    made = RecursiveSummarizer("r", config, graph, graph).summarize(small, Budget(20))
    assert made.levels
    return made


def test_levels_follow_the_published_schema(summary) -> None:
    result = summary_to_json(summary, levels=True)
    schema("summary-1").validate(json.loads(dump_json(result)))
    (level,) = result["levels"]
    assert [part["title"] for part in level["parts"]] == ["Rivers", "Floods", "Railways"]
    assert level["words"] == sum(part["words"] for part in level["parts"])
    for part in level["parts"]:
        for sentence in part["sentences"]:
            (source,) = sentence["sources"]
            assert summary.document.text[source["start"] : source["end"]] == sentence["text"]
