"""Studies: annotators get their tasks, and do not learn which system made what."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.core.pages.page import asset
from longsum.documents.readers import read_bytes
from longsum.lab.studies.answers import parse_key
from longsum.lab.studies.best_worst import BestWorst
from longsum.lab.studies.candidates import REFERENCE, Candidate, Original, Originals
from longsum.lab.studies.fact_checks import (
    FULL_CONTENT,
    NO_CONTENT,
    FactChecks,
    FactQuestion,
    parse_questions,
)
from longsum.lab.studies.faithfulness import Faithfulness
from longsum.lab.studies.study import make_study
from longsum.lab.studies.study_files import read_key, read_saved, render_study, write_study
from longsum.lab.studies.tree_studies import QuestionWriting, TreeCorrections

from .conftest import SYSTEMS

ASKED = FactChecks(
    {
        "boats": [FactQuestion("boats", "Do they float?", "yes")],
        "mills": [FactQuestion("mills", f"Do they {verb}?", "no") for verb in ("fly", "swim")],
    }
)


@pytest.fixture(params=["faithfulness", "trees", "best-worst", "fact-checks", "questions"])
def study(request, summaries, trees, originals):
    kinds = [Faithfulness(), TreeCorrections(), BestWorst(), ASKED, QuestionWriting()]
    kind = next(each for each in kinds if each.name == request.param)
    made = trees if request.param == "trees" else summaries
    return make_study(kind, made, originals, people=4, seed=5)


def test_pages_name_no_system_and_the_key_names_all(study, tmp_path):
    systems = {system for task in study.tasks for system in task.systems}
    *pages, key = write_study(study, tmp_path / "study")
    for page in pages:
        shown = re.sub(r"<style>.*?</style>", "", page.read_text(), flags=re.DOTALL)
        assert not [system for system in systems if system in shown]
    assert all(f'"{system}"' in key.read_text() for system in systems)
    with pytest.raises(LongsumError, match="exists and is not empty"):
        write_study(study, tmp_path / "study")
    assert read_key(key) == parse_key(key.read_bytes(), "key.json")
    named = {"study": "s", "kind": study.kind.name, "annotator": 2}
    task = {"done": True, "seconds": 3.5, "answer": {"a": 1}}
    saved = {"schema": "longsum/annotations/1", **named, "tasks": {"t": task}}
    (tmp_path / "saved.json").write_text(json.dumps(saved))
    assert asdict(read_saved(tmp_path / "saved.json")) == saved


def test_everybody_gets_their_tasks_and_those_of_a_document_together(study):
    for person in range(1, 5):
        page = study.page(person)
        wanted = {task.id for task in study.tasks if person in task.people}
        assert Counter(task["id"] for task in page["tasks"]) == Counter(wanted)
        documents = [task["document"] for task in page["tasks"]]
        assert len(list(dict.fromkeys(documents))) == sum(
            one != other for one, other in zip(documents, [None, *documents], strict=False)
        )


TITLES = {
    "best-worst": "Best and worst summaries",
    "fact-checks": "Checking facts",
    "faithfulness": "What summaries say, and whether it is true",
    "questions": "Questions about texts",
    "trees": "Trees of questions and answers",
}


def test_a_page_runs_only_its_own_script(study, as_before):
    page = render_study(study.page(1))
    assert "default-src 'none'; script-src 'sha256-" in page
    assert page.count("<script") == 2
    assert "http" not in re.sub(r"http-equiv", "", page)
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(data) == study.page(1)
    kind = study.kind.name
    guide = asset(f"study_{kind.replace('-', '_')}.html")
    facts = f"Annotator 1 · {len(study.page(1)['tasks'])} tasks"
    # Pages of all kinds are the same but for these.
    for own, times in ((data, 1), (guide, 1), (facts, 1), (TITLES[kind], 2)):
        assert page.count(own) == times
        page = page.replace(own, "")
    as_before("study-page", page)


def test_the_page_and_the_key_are_the_same_as_before(study, as_before):
    parts = (study.page(1), study.key(), [asdict(each) for each in study.spreads()])
    lines = (json.dumps(part, ensure_ascii=False) for part in parts)
    as_before(f"study-{study.kind.name}", "\n".join(lines))


def test_one_system_is_beside_no_other(originals):
    made = [Candidate("boats", "s", "", ("A.",))]
    spreads = make_study(Faithfulness(), made, originals, people=1).spreads()
    assert [(each.what, each.least, each.most) for each in spreads] == [
        ("tasks of each annotator", 1, 1),
        ("judgements of each system", 1, 1),
    ]


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 5), st.integers(2, 7), st.integers(0, 5))
def test_documents_are_spread_evenly_over_annotators(people, documents, seed):
    made = [Candidate(f"d{n}", system, "", ("A.",)) for n in range(documents) for system in SYSTEMS]
    study = make_study(Faithfulness("none"), made, Originals({}), people=people, seed=seed)
    raters = min(2, people)
    judged = defaultdict(set)
    for task in study.tasks:
        judged[task.document].add(task.people)
    assert all(len(each) == 1 and len(next(iter(each))) == raters for each in judged.values())
    spreads = {spread.what: (spread.least, spread.most) for spread in study.spreads()}
    least, most = spreads["tasks of each annotator"]
    assert most - least <= len(SYSTEMS)
    assert len(set(spreads["judgements of each system"])) == 1
    if people > 1:
        least, most = spreads["documents that two annotators share (λ)"]
        assert most - least <= 1


def test_larger_tuples_are_as_few_as_let_every_two_systems_meet(originals):
    made = [Candidate("boats", f"s{n}", "", (f"{n}.",)) for n in range(7)]
    study = make_study(BestWorst(size=3), made, originals, people=1)
    assert len(study.tasks) == 7
    assert study.spreads()[-1].least == study.spreads()[-1].most == 1


def test_a_person_checks_a_document_once_with_controls_among_the_settings(summaries, originals):
    study = make_study(ASKED, summaries, originals, people=10, seed=1)
    seen = Counter((task.document, person) for task in study.tasks for person in task.people)
    assert set(seen.values()) == {1}
    assert len(seen) == 20
    by_setting = Counter(task.systems[0] for task in study.tasks for _ in task.people)
    assert by_setting == dict.fromkeys((*SYSTEMS, NO_CONTENT, FULL_CONTENT), 4)
    shown = {
        task.systems[0]: task.shown["texts"] for task in study.tasks if "mills" in task.document
    }
    assert shown[NO_CONTENT] == [[]]
    assert shown[FULL_CONTENT][0][-1] == {"text": "Mills grind. Some of them stand still."}
    asked = {task.shown["question"] for task in study.tasks if task.document == "mills"}
    assert asked == {"Do they fly?", "Do they swim?"}


def test_texts_to_check_grow(originals):
    made = [Candidate("boats", "s", "", ("Boats float.",) * times) for times in (4, 1, 2)]
    study = make_study(ASKED, made, originals, people=3)
    tasks = [task for task in study.tasks if task.systems == ("s",)]
    assert {tuple(task.key["words"]) for task in tasks} == {(2, 4, 8)}
    assert [rung[0]["text"] for rung in tasks[0].shown["texts"]][:2] == [
        "Boats float.",
        "Boats float. Boats float.",
    ]


def test_questions_may_name_documents_by_their_titles(summaries, originals):
    questions = {
        f"On {name}": [FactQuestion("", f"Do {name}?", "no")] for name in ("boats", "mills")
    }
    study = make_study(FactChecks(questions), summaries, originals, people=2)
    assert {(task.document, task.shown["question"]) for task in study.tasks} == {
        *(("boats", "Do boats?"), ("mills", "Do mills?"))
    }


def test_references_are_one_more_system_and_do_not_stand_beside_it(summaries, originals):
    made = originals.with_references(summaries)
    found = {each.document: each.sentences for each in made if each.system == REFERENCE}
    assert (list(found), found["mills"]) == (["boats", "mills"], ("Mills grind.",))
    study = make_study(Faithfulness(), made, originals, people=2)
    assert {len(each["references"]) for each in study.originals.values()} == {0}
    assert all(each["text"] for each in study.originals.values())


def test_documents_are_found_by_their_ids_and_by_their_texts(originals):
    boats = originals.by_id["boats"]
    found = Originals.of_documents([boats.document]).with_examples([("b-1", boats)])
    assert found.of(Candidate("b-1", "s")) is boats
    known = found.of(Candidate("x", "s", sha256=boats.document.sha256))
    assert (known.document, known.references) == (boats.document, ())
    assert found.of(Candidate("x", "s", sha256="0")) == Original(None)
    page = b"# Boats\n\n## Rafts\n\nThey float on water. Some sink.\n"
    rafts = Original(read_bytes(page, "rafts.md"), ("They float.",))
    text = [{"level": 1, "text": "Rafts"}, {"text": "They float on water. Some sink."}]
    shown = {"title": "Boats", "text": text, "references": ["They float."]}
    assert rafts.shown("b", "document") == shown
    bare = {"text": [], "references": []}
    assert rafts.shown("b", "title") == {"title": "Boats", **bare}
    assert Original(None).shown("b", "title") == {"title": "b", **bare}
    assert rafts.shown("b", "nothing") == {"title": "", **bare}
    with pytest.raises(LongsumError, match=r"The reference of the document .* is not known"):
        originals.with_references([Candidate("x", "s", "", ("A.",))])


@pytest.mark.parametrize(
    ("kind", "people", "raters", "problem"),
    [
        (Faithfulness(), 0, None, "cannot have 0 annotators"),
        (Faithfulness(), 2, 3, "3 annotators cannot judge"),
        (BestWorst(size=4), 2, None, "4 summaries cannot be compared"),
        (BestWorst(size=1), 2, None, "1 summaries cannot be compared"),
        (TreeCorrections(), 2, None, "is not a question tree"),
        (FactChecks({"boats": ASKED.questions["boats"]}), 5, None, "no question about"),
    ],
)
def test_texts_that_cannot_be_judged_are_refused(
    summaries, originals, kind, people, raters, problem
):
    with pytest.raises(LongsumError, match=problem):
        make_study(kind, summaries, originals, people=people, raters=raters)


def test_systems_are_compared_on_the_same_documents(summaries, originals):
    with pytest.raises(LongsumError, match="nothing by sextant"):
        make_study(Faithfulness(), summaries[:-1], originals, people=2)
    many = [Candidate("boats", f"s{n}", "", ("A.",)) for n in range(5)]
    with pytest.raises(LongsumError, match="nothing by s1, s2, s3 on the document"):
        make_study(
            Faithfulness(), [*many, Candidate("mills", "s0", "", ("A.",))], originals, people=2
        )
    with pytest.raises(LongsumError, match="has 2 summaries or trees"):
        make_study(Faithfulness(), [*summaries, summaries[0]], originals, people=2)
    with pytest.raises(LongsumError, match="is not known, and some"):
        make_study(ASKED, summaries, Originals({}), people=5)


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "a"}',
        "[]",
        "{",
        '{"id": "a", "question": "b", "answer": "maybe"}',
        "[" * 9999,
        '{"id": ["a"], "question": "b", "answer": "yes"}',
    ],
)
def test_questions_of_another_form_are_refused(line):
    with pytest.raises(LongsumError, match=r"Line 1 of q\.jsonl is not a question"):
        parse_questions(line, "q.jsonl")


def test_questions_are_read_by_document():
    line = '{{"id": "{}", "question": "{}", "answer": "no"}}'
    read = parse_questions("\n".join(line.format(*each) for each in ("ap", "bq", "ar")), "q.jsonl")
    assert {name: [each.question for each in own] for name, own in read.items()} == {
        "a": ["p", "r"],
        "b": ["q"],
    }
