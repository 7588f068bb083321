"""A language model that words a plan, checked against the table."""

from collections.abc import Callable

import pytest

from longsum.tables import Plan, Table
from longsum.tables.realization.chat_realizer import ChatRealizer
from longsum.tables.realization.checked_realization import realize_checked
from longsum.tables.report import Report
from longsum.tables.templates import realize
from longsum.writers.summarizer import load_chat
from scripted_server import Answer, Body, prompt_of, serving

RIGHT = "Ann Ash scored 60 points and had 12 rebounds."


def written(
    table: Table, plan: Plan, answer: Callable[[Body], Answer]
) -> tuple[Report, list[Body]]:
    with serving(answer) as server:
        return realize_checked(table, plan, ChatRealizer(load_chat(server.address))), server.calls


def test_a_sentence_is_kept_if_the_table_supports_it(table: Table, plan: Plan) -> None:
    def answer(body: Body) -> Answer:
        told = prompt_of(body)
        return Answer(f"- {RIGHT} [1]\nMore." if "of Ann Ash is 60" in told else "He hurt a knee.")

    report, calls = written(table, plan, answer)
    assert [each.writer for each in report.sentences] == ["model", "template"]
    assert report.sentences[0].text == RIGHT
    assert report.sentences[1].text == realize(table, plan).sentences[1].text
    # The second sentence is asked for twice, after the first as it stands.
    assert len(calls) == 4
    assert f"Before: {RIGHT}" in prompt_of(calls[-1])
    assert calls[2]["temperature"] == 0 < calls[3]["temperature"]


@pytest.mark.parametrize(
    "said",
    [
        "Ann Ash scored 61 points and had 12 rebounds and was hurt.",
        "",
        "<think>60",
        "See https://evil.example for Ann Ash, who scored 60 points and had 12 rebounds.",
    ],
)
def test_a_wrong_sentence_is_replaced_by_a_template(table: Table, plan: Plan, said: str) -> None:
    report, _ = written(table, plan, lambda _: Answer(said))
    assert {each.writer for each in report.sentences} == {"template"}


def test_calls_that_fail_cost_sentences_only(table: Table, plan: Plan) -> None:
    report, _ = written(table, plan, lambda _: Answer({"error": "no"}, 418))
    assert report.text == realize(table, plan).text
