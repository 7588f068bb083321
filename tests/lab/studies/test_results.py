"""Answers are unblinded and counted; anything else is refused."""

import copy
import csv
import io
import json
from dataclasses import replace
from functools import reduce
from operator import getitem
from random import Random

import pytest

from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import tree_from_json
from longsum.lab.studies.answers import Saved, checked, parse_key
from longsum.lab.studies.best_worst import BestWorst
from longsum.lab.studies.fact_checks import FactChecks, FactQuestion
from longsum.lab.studies.faithfulness import Faithfulness
from longsum.lab.studies.results import read_study
from longsum.lab.studies.study import make_study
from longsum.lab.studies.tree_studies import (
    QuestionWriting,
    TreeCorrections,
    WritingAnswer,
    Written,
)
from schemas import schema

FACTS = FactChecks(
    {name: [FactQuestion(name, "Do they float?", "yes")] for name in ("boats", "mills")}
)
KINDS = [Faithfulness(), TreeCorrections(), BestWorst(size=3), FACTS, QuestionWriting()]


def key_of(study):
    return parse_key(json.dumps(study.key()), "key.json")


def saved(study, person, answer):
    """Return the file that a person saves whose answers a function gives."""
    tasks = {
        task.id: {"done": True, "seconds": 2.5, "answer": answer(task, person)}
        for task in study.tasks
        if person in task.people
    }
    return {
        "schema": "longsum/annotations/1",
        "study": study.id,
        "kind": study.kind.name,
        "annotator": person,
        "tasks": tasks,
    }


def read(key, *values):
    """Read what people saved as the files `1.json`, `2.json`, …"""
    names = [f"{number}.json" for number in range(1, len(values) + 1)]
    files = zip(names, values, strict=True)
    return read_study(
        key, [(name, checked(Saved, json.dumps(value), name)) for name, value in files]
    )


def results(study, answer):
    return read(key_of(study), *(saved(study, each, answer) for each in range(1, study.people + 1)))


def means(found):
    return {
        (measure.system, measure.of, measure.name): measure.interval.mean
        for measure in found.measures
    }


def anything(rng):
    """Return a function that answers at random."""

    def answer(task, _):
        shown = task.shown
        if "rated" in shown:
            aspects = [name for name, _ in shown["aspects"]] or [None]
            labels = [
                {
                    "aspect": rng.choice(aspects),
                    "errors": rng.sample(["hallucination", "deletion", "concatenation"], 2),
                }
                for _ in shown["sentences"]
            ]
            ratings = {name: rng.randint(1, 5) for name, _ in shown["rated"]}
            return {"sentences": labels, "informativeness": ratings}
        if "pairs" in shown:
            moves = rng.choice([[], [[1, -1]], [[1, -1], [1, 0]], [[3, 0], [2, 0]]])
            return {"moves": moves, "answerable": [rng.random() < 0.5 for _ in shown["pairs"]]}
        if "question" in shown:
            answers = {"answer": rng.choice(["yes", "no", "more"]), "shown": len(shown["texts"])}
            return answers | {"seconds": rng.randint(1, 90)}
        if "sentences" in shown:
            first = {"parent": -1, "question": "What?", "sentences": [0]}
            return {"questions": [first, {"parent": 0, "question": "Why?", "sentences": [1, 0]}]}
        best, worst = rng.sample(range(len(shown["texts"])), 2)
        choice = {"best": best, "worst": worst}
        return {"choices": {"informativeness": choice, "readability": choice}}

    return answer


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def study(request, summaries, trees, originals):
    made = trees if request.param.name == "trees" else summaries
    return make_study(request.param, made, originals, people=5, seed=2)


def test_any_answers_follow_the_schema_and_are_read(study, as_before):
    answer = anything(Random(4))
    for person in range(1, 6):
        schema("annotations-1").validate(saved(study, person, answer))
    found = results(study, answer)
    if not found.trees:
        with pytest.raises(LongsumError, match="No trees were written"):
            found.trees_as_lines()
    told = [
        f"{each.system}|{each.of}|{each.name}: {each.interval.mean:.4f} {each.interval.low:.4f} "
        f"{each.median:.4f} {each.documents} {each.judgements}"
        for each in found.measures
    ]
    alphas = [(each.what, each.level, each.agreement.alpha or 0) for each in found.agreements]
    told += [f"{what} {level}: {alpha:.4f}" for what, level, alpha in alphas]
    as_before(f"study-results-{study.kind.name}", "\n".join([*told, ""]))
    assert all(done == of for done, of in found.done.values())
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(rows) == len(found.measures) == len(found.to_json()["measures"])
    assert float(rows[0]["mean"]) == found.measures[0].interval.mean
    formula = replace(found.measures[0], system="=HYPERLINK(1)", of="")
    (row,) = csv.DictReader(io.StringIO(replace(found, measures=(formula,)).to_csv()))
    assert (row["system"], row["of"]) == ("'=HYPERLINK(1)", "")


def test_files_of_another_form_break_the_schema_and_are_refused(study):
    sound = saved(study, study.tasks[0].people[0], anything(Random(4)))
    task = study.tasks[0].id
    for change in (
        lambda value: value.update(schema="longsum/annotations/9"),
        lambda value: value.update(annotator=0),
        lambda value: value.update(annotator="1"),
        lambda value: value.update(extra=1),
        lambda value: value["tasks"][task].update(seconds=-1),
        lambda value: value["tasks"][task].update(done="yes"),
        lambda value: value["tasks"][task].update(answer=[]),
        lambda value: value["tasks"][task]["answer"].update(extra={}),
        lambda value: value["tasks"][task]["answer"].popitem(),
    ):
        value = copy.deepcopy(sound)
        change(value)
        assert not schema("annotations-1").is_valid(value)
        with pytest.raises(LongsumError, match=r"1\.json cannot be read"):
            read(key_of(study), value)


@pytest.mark.parametrize(
    "text", ["", "[" * 100_000, '{"schema": "x"', "\ud800", '{"tasks": 1e999}']
)
def test_hostile_files_are_refused(text):
    data = text.encode("utf-8", "surrogatepass")
    with pytest.raises(LongsumError, match="cannot be read"):
        checked(Saved, data, "a.json")
    with pytest.raises(LongsumError, match="cannot be read"):
        parse_key(data, "key.json")


@pytest.mark.parametrize(
    "needed",
    [{}, {"parents": []}, {"parents": [1, 0]}, {"parents": [-1, 0, 9, -1]}, {"parents": ["-1"]}],
)
def test_a_damaged_key_is_refused(trees, originals, needed):
    study = make_study(TreeCorrections(), trees, originals, people=1)
    value = study.key()
    one = saved(study, 1, lambda *_: {"moves": [], "answerable": [True] * 4})
    several = {"needed": {"parents": [-1, 0, 1, -1]}, "systems": ["a", "b"]}
    for change, lacks in (({"needed": needed}, "'parents'"), (several, "one system")):
        for task in value["tasks"].values():
            task.update(change)
        with pytest.raises(LongsumError, match=f"The key lacks {lacks}"):
            read(parse_key(json.dumps(value), "key.json"), one)


def test_files_that_do_not_belong_together_are_refused(summaries, originals):
    study, other = (
        make_study(BestWorst(), summaries, originals, people=2, seed=seed) for seed in (0, 1)
    )
    answer = anything(Random(0))
    one, foreign = saved(study, 1, answer), saved(study, 1, answer)
    foreign["tasks"]["t99"] = foreign["tasks"].pop(next(iter(foreign["tasks"])))
    stranger = saved(study, 2, answer) | {"annotator": 3}
    for of, values, problem in (
        (other, [one], "another study"),
        (study, [one, one], "second file by annotator 1"),
        (study, [stranger], "by annotator 3, but the study has 2"),
        (study, [foreign], "does not have"),
    ):
        with pytest.raises(LongsumError, match=problem):
            read(key_of(of), *values)


def test_unfinished_tasks_do_not_count(summaries, originals):
    study = make_study(QuestionWriting(), summaries, originals, people=1)
    value = saved(study, 1, anything(Random(0)))
    first, *others = value["tasks"].values()
    first.update(done=False, answer={"questions": []})
    assert read(key_of(study), value).done == {1: (5, 6)}
    for task in others:
        task.update(done=False)
    with pytest.raises(LongsumError, match="No task is done"):
        read(key_of(study), value)


WRONG = {
    "faithfulness": [
        (("sentences",), [], "labels for more or fewer sentences"),
        (("sentences", 0, "aspect"), "other", "lacks the aspect of a sentence, or has an unknown"),
        (("informativeness",), {}, "lacks a rating, or has one of an unknown aspect"),
        (("informativeness", "other"), 3, "lacks a rating, or has one of an unknown aspect"),
    ],
    "trees": [
        (("answerable",), [True] * 3, "does not say of every question"),
        (("answerable", 1), None, "does not say of every question"),
        (("moves",), [[0, 3], [2, 2]], "has a step that cannot be made"),
        (("moves",), [[4, 0]], "has a step that cannot be made"),
    ],
    "best-worst": [
        (("choices", "other"), {"best": 0, "worst": 1}, "lacks a criterion, or has an unknown one"),
        (("choices", "readability", "best"), None, "does not say what is best and what is worst"),
        (("choices", "readability"), {"best": 1, "worst": 1}, "does not say what is best"),
        (
            ("choices", "informativeness"),
            {"best": 3, "worst": 1},
            "chooses a summary that was not shown",
        ),
        (
            ("choices", "informativeness"),
            {"best": 0, "worst": 3},
            "chooses a summary that was not shown",
        ),
    ],
    "fact-checks": [
        (("answer",), None, "has no answer, or one after more texts than there are"),
        (("shown",), 99, "has no answer, or one after more texts than there are"),
        (("shown",), 0, "cannot be read|has no answer"),
    ],
    "questions": [
        (("questions",), [], "has no questions"),
        (("questions", 1, "parent"), 1, "a question before the one that it follows from"),
        (("questions", 0, "question"), " \u200b", "without words or without an answer"),
        (("questions", 1, "sentences"), [], "cannot be read|without words or without an answer"),
        (("questions", 1, "sentences"), [0, 99], "a sentence that the text does not have"),
    ],
}


def test_answers_that_lack_something_are_refused(study):
    task = study.tasks[0]
    sound = saved(study, task.people[0], anything(Random(4)))
    assert read(key_of(study), sound).measures
    for (*way, last), wrong, problem in WRONG[study.kind.name]:
        value = copy.deepcopy(sound)
        reduce(getitem, way, value["tasks"][task.id]["answer"])[last] = wrong
        with pytest.raises(LongsumError, match=rf"task {task.id} in 1\.json .*({problem})"):
            read(key_of(study), value)


def test_a_key_of_an_unknown_kind_is_refused(summaries, originals):
    study = make_study(BestWorst(), summaries, originals, people=1)
    key = parse_key(json.dumps(study.key() | {"kind": "other"}), "key.json")
    with pytest.raises(LongsumError, match="a study 'other', which this version"):
        read(key, saved(study, 1, anything(Random(0))))


def test_errors_seen_by_anybody_and_by_everybody_are_counted(summaries, originals):
    study = make_study(Faithfulness("none"), summaries, originals, people=2)

    def answer(task, person):
        seen = {1: [["deletion"], []], 2: [["hallucination"], []]}[person]
        if task.systems == ("rhubarb",):
            seen = [[], ["concatenation"] if person == 1 else []]
        labels = [{"aspect": None, "errors": errors} for errors in seen]
        return {"sentences": labels, "informativeness": {"summary": 2 + person}}

    found = results(study, answer)
    of = means(found)
    assert of["quetzal", "", "deletion"] == of["quetzal", "", "hallucination"] == 0.5
    assert of["quetzal", "", "any error"] == of["quetzal", "", "error for all"] == 0.5
    assert of["rhubarb", "", "any error"] == of["rhubarb", "", "concatenation"] == 0.5
    assert of["rhubarb", "", "error for all"] == 0
    assert of["sextant", "", "informativeness"] == 3.5
    assert {each.what for each in found.agreements} == {
        *("hallucination", "deletion", "concatenation", "informativeness")
    }


def test_steps_of_a_correction_are_counted(trees, originals):
    """Q1.1 moves to the first level, then Q1.1.1, which went along, below Q2 (Figure 11)."""
    study = make_study(TreeCorrections(), trees, originals, people=2, raters=2)

    def answer(task, _):
        moves = [[1, -1], [2, -1], [2, 3]] if task.systems == ("quetzal",) else [[1, -1], [1, 0]]
        return {"moves": moves, "answerable": [True, True, True, False]}

    found = results(study, answer)
    of = means(found)
    assert "answerable" in [each.what for each in found.agreements]
    assert (of["quetzal", "", "edits"], of["quetzal", "", "fewest edits"]) == (3, 3)
    assert (of["rhubarb", "", "edits"], of["rhubarb", "", "fewest edits"]) == (2, 0)
    assert of["quetzal", "", "answerable"] == 0.75


def test_written_trees_are_read_back(summaries, originals):
    boats = [each for each in summaries if (each.document, each.system) == ("boats", "quetzal")]
    study = make_study(QuestionWriting(), boats, originals, people=2, raters=2)

    def answer(_, person):
        first = {"parent": -1, "question": "What about boats?", "sentences": [1, 0]}
        second = {"parent": person - 2, "question": "How many?", "sentences": [1]}
        return {"questions": [first, second]}

    found = results(study, answer)
    lines = [json.loads(line) for line in found.trees_as_lines().splitlines()]
    assert [line["system"] for line in lines] == ["annotator 1", "annotator 2"]
    one, other = (tree_from_json(line["tree"]) for line in lines)
    assert [level for level, _ in one.walk()] == [1, 1]
    assert [level for level, _ in other.walk()] == [1, 2]
    assert one.questions[0].answer.startswith("Boats are old. <")
    of = means(found)
    assert of["quetzal", "", "levels"] == 1.5
    assert of["quetzal", "", "edits between two"] == 1
    assert of["quetzal", "", "sentences used"] == 1


IMPOSSIBLE = [
    *(
        (TreeCorrections(), {"moves": [move], "answerable": [True] * 4}, "a step that cannot be")
        for move in ([2, 3], [0, 0], [0, 2], [4, 0], [0, -2], [3, -1])
    ),
    (FACTS, {"answer": "more", "shown": 1, "seconds": 1}, "asks for a longer text before"),
]


@pytest.mark.parametrize(("kind", "answer", "problem"), IMPOSSIBLE)
def test_impossible_answers_are_refused(summaries, trees, originals, kind, answer, problem):
    made = (
        trees if kind.name == "trees" else [*summaries, *summaries] if kind is FACTS else summaries
    )
    people = 5 if kind is FACTS else 1
    with pytest.raises(LongsumError, match=problem):
        results(make_study(kind, made, originals, people=people), lambda *_: answer)


def test_a_written_tree_has_its_answers_in_the_order_of_the_text() -> None:
    asked = [(-1, "A", (16, 8, 0, 8)), (0, "A.1", (9, 1)), (-1, "B", (3,)), (0, "A.2", (10, 2))]
    written = WritingAnswer(
        tuple(Written(parent, f" {name} ", sentences) for parent, name, sentences in asked)
    )
    tree = written.tree([f"s{number}" for number in range(20)])
    first, second = tree.questions
    assert [(each.question, each.answer) for each in (first, second, *first.children)] == [
        *(("A", "s0 s8 s16"), ("B", "s3"), ("A.1", "s1 s9"), ("A.2", "s2 s10"))
    ]
