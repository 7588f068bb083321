"""`--length auto` and `--fill`, from the pipeline and the commands."""

import json

import pytest

from longsum import LongsumError, load_system, summarize
from longsum.core.summaries import Budget
from longsum.core.summaries.budget import lengths_around
from longsum.documents import Document


def test_auto_is_parsed_and_shown():
    budget = Budget.parse(" AUTO ")
    assert (budget.automatic, budget.is_open, str(budget)) == (True, True, "auto")
    assert not Budget.parse("250w").automatic


def test_an_automatic_length_is_what_the_network_takes_to_its_end(small: Document):
    summary = summarize(small, "auto")
    assert summary.budget.automatic
    assert not summary.budget.is_open
    assert summary.words == summary.budget.amount
    same = summarize(small, summary.words)
    assert [each.text for each in same.sentences] == [each.text for each in summary.sentences]
    written = summary.to_dict()["budget"]
    assert (written["asked"], written["automatic"]) == (summary.words, True)


def test_lengths_around_an_automatic_one_nest(small: Document):
    system = load_system("stepwise")
    asked = system.resolved(small, Budget.parse("auto"))
    ladder = system.at_lengths(small, lengths_around(asked, small))
    held: set[int] = set()
    for rung in ladder.summaries:
        own = {each.sources[0].sentence for each in rung.sentences}
        assert held <= own
        held = own


@pytest.mark.parametrize("system", ["lead", "kernels", "stepwise-plain", "books"])
def test_systems_without_an_end_refuse_it(small: Document, system):
    with pytest.raises(LongsumError, match="has no length of its own"):
        summarize(small, "auto", system)


def test_fill_is_a_setting_of_the_default(small: Document):
    assert summarize(small, 40).settings["fill"] == "sensible"
    assert summarize(small, 40, fill="strict").settings["fill"] == "strict"


def test_fill_is_refused_where_it_cannot_be_kept(small: Document):
    assert summarize(small, 40, "kernels", fill="strict") == summarize(small, 40, "kernels")
    for system, fill in (("lead", "strict"), ("kernels", "sensible"), ("books", "strict")):
        with pytest.raises(LongsumError, match="cannot be told how to fill"):
            summarize(small, 40, system, fill=fill)
    with pytest.raises(LongsumError, match="no fill 'full'"):
        summarize(small, 40, fill="full")


def test_the_command_takes_both(run, tmp_path, small: Document):
    path = tmp_path / "valley.txt"
    path.write_text("\n".join(sentence.text for sentence in small.sentences), encoding="utf-8")
    given = ["summarize", path, "--length", "auto", "--fill", "strict", "-f", "json"]
    status, out, _ = run(*given)
    assert status == 0
    written = json.loads(out)
    assert written["settings"]["fill"] == "strict"
    assert written["budget"]["automatic"] is True
