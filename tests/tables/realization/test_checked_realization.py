"""Reports whose sentences a model writes: what passes, what is repaired, what is replaced."""

import pytest

from longsum.common.errors import LongsumError
from longsum.tables import Entity, Plan, RecordType, make_table
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.plan_checks import unplanned_numbers
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.realization.checked_realization import TRIES, realize_checked
from longsum.tables.realization.realizer_input import realizer_input
from longsum.tables.report import report_to_json
from longsum.tables.templates import realize
from said_sentences import Said


def report_of(table, plan, *tries):
    return realize_checked(table, plan, Said(*tries))


FIRST, SECOND = "Ann Ash scored 60 points and had 12 rebounds.", "Bo Birch scored 38 points."


def test_right_sentences_stand_with_their_cells(table, plan):
    writer = Said([FIRST], [SECOND])
    report = realize_checked(table, plan, writer)
    assert writer.counts == {TRIES}
    assert report.text == f"{FIRST} {SECOND}"
    assert [sentence.writer for sentence in report.sentences] == ["model", "model"]
    for sentence in report.sentences:
        said = {span.record: sentence.text[span.start : span.end] for span in sentence.spans}
        assert said == {index: table.records[index].value for index in sentence.records}
    assert [each["written_by"] for each in report_to_json(report)["sentences"]] == ["model"] * 2


@pytest.mark.parametrize("said", [FIRST, "Nonsense about 77 things."])
def test_each_sentence_is_written_after_the_final_form_of_the_one_before(table, plan, said):
    writer = Said([said], [SECOND])
    previous = realize_checked(table, plan, writer).sentences[0].text
    assert previous == (FIRST if said == FIRST else realize(table, plan).sentences[0].text)
    assert writer.sources == [
        realizer_input(table, plan.sentences[0], ""),
        realizer_input(table, plan.sentences[1], previous),
    ]


def test_a_wrong_number_is_put_right(table, plan):
    report = report_of(table, plan, [FIRST.replace("60", "61")], [SECOND])
    assert (report.sentences[0].text, report.sentences[0].writer) == (FIRST, "repaired")


def test_the_second_best_is_tried_before_the_template(table, plan):
    worse, better = "Ann Ash scored 60 points.", "Ann Ash had 12 rebounds and 60 points."
    report = report_of(table, plan, [worse, better], ["", "Bo Birch led the league."])
    assert report.sentences[0].text == better
    assert report.sentences[1] == realize(table, plan).sentences[1]
    assert report.sentences[1].writer == "template"


@pytest.mark.parametrize(
    "text",
    [
        "Ann Ash scored 60 points.",  # leaves out an entry
        "Ann Ash scored 60 points, had 12 rebounds and 11 assists.",  # is not in the plan
        "Ann Ash scored 60 points, had 12 rebounds and won her 7th prize, 8 in all.",
        "Ann Ash scored 60 points and had 12 rebounds; they play again on 9 May.",
        "Cy Cedar scored 60 points and had 12 rebounds.",  # is another player
        # Nothing in the table confirms the rest.
        "Ann Ash scored 60 points and had 12 rebounds in their third straight loss.",
        "Ann Ash scored 60 points and had 12 rebounds despite a sore ankle.",
        "Ann Ash scored a season-high 60 points and had 12 rebounds.",
        "Ann Ash scored 60 points and had a game-high 12 rebounds.",
        "Ann Ash scored 60 points and had 12 rebounds for the Wolves.",
        "Ann Ash scored 60 points and had 12 rebounds against the Eagles.",
        "",
    ],
)
def test_a_sentence_beyond_the_plan_is_replaced(table, plan, text):
    report = report_of(table, plan, [text], [SECOND])
    assert report.sentences[0] == realize(table, plan).sentences[0]


def test_common_knowledge_may_be_added(table, plan):
    text = "Ann Ash scored 60 points and had 12 rebounds for the Eagles (1-12), who lost 104-98."
    assert report_of(table, plan, [text], [SECOND]).sentences[0].text == text


def test_the_templates_pass_their_own_check_mostly(table):
    """They state the plan and nothing else, so they must pass unless the check cannot read them."""
    plan = plan_by_rules(table)
    sentences = realize(table, plan).sentences
    report = report_of(table, plan, *([sentence.text] for sentence in sentences))
    assert report.text == " ".join(sentence.text for sentence in sentences)
    by_model = sum(sentence.writer == "model" for sentence in report.sentences)
    assert by_model >= len(sentences) * 0.85


def test_numbers_that_count_nothing_are_not_numbers(table):
    (read,) = matcher_for(table).read(["Ann Ash made three-pointers for a triple-double."])
    assert list(unplanned_numbers(read, (), table)) == []
    (read,) = matcher_for(table).read(["Ann Ash met 5 friends."])
    assert [read.words.source[slice(*span)] for span in unplanned_numbers(read, (), table)] == ["5"]


def test_another_table_is_refused():
    planet = Entity("Mars", "planet")
    table = make_table([(planet, RecordType("moons", "moons"), "2")])
    with pytest.raises(LongsumError, match="leave out --realizer"):
        realize_checked(table, Plan(((0,),)), Said())
