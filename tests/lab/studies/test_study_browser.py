"""Pages of studies in a browser: clicked answers are read back; keys, files, storage."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.lab.studies.answers import Saved, checked, parse_key
from longsum.lab.studies.best_worst import BestWorst
from longsum.lab.studies.candidates import Candidate
from longsum.lab.studies.fact_checks import FactChecks, FactQuestion
from longsum.lab.studies.faithfulness import Faithfulness
from longsum.lab.studies.results import StudyResults, read_study
from longsum.lab.studies.study import Study, make_study
from longsum.lab.studies.study_files import render_study
from longsum.lab.studies.tree_studies import QuestionWriting, TreeCorrections
from schemas import schema

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def opened(browser, tmp_path: Path) -> Iterator[Callable]:
    """Open the page of a study's first annotator, without errors and without overflow."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    complaints: list[str] = []

    def open_(study: Study):
        path = tmp_path / "annotator-1.html"
        path.write_text(render_study(study.page(1)), encoding="utf-8")
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        return page

    yield open_
    context.close()
    assert complaints == []


def saved(page, path: Path) -> dict:
    with page.expect_download() as download:
        page.locator("#save").click()
    download.value.save_as(path)
    value = json.loads(path.read_text(encoding="utf-8"))
    schema("annotations-1").validate(value)
    return value


def read(study: Study, path: Path) -> StudyResults:
    key = parse_key(json.dumps(study.key()), "key.json")
    return read_study(key, [(path.name, checked(Saved, path.read_bytes(), path.name))])


def test_labels_by_keys_are_kept_saved_and_gone_on_from(
    opened, summaries, originals, tmp_path
) -> None:
    boats = [each for each in summaries if each.document == "boats"][:1]
    study = make_study(Faithfulness(), boats, originals, people=1)
    page = opened(study)
    page.locator(".item").first.focus()
    for key in ("2", "h", "c", "c", "j", "3"):
        page.keyboard.press(key)
    # The focus stands in the second sentence: its error is one key away.
    page.keyboard.press("d")
    assert "4 ratings" in page.locator("#missing").inner_text()
    for row in page.locator(".ratings fieldset").all():
        row.get_by_role("radio", name="4").check(force=True)
    assert page.locator("#progress").inner_text() == "1 of 1 done"
    path = tmp_path / "mine.json"
    (task,) = saved(page, path)["tasks"].values()
    assert task["answer"]["sentences"] == [
        {"aspect": "methods", "errors": ["hallucination"]},
        {"aspect": "results", "errors": ["deletion"]},
    ]
    found = {(each.of, each.name): each.interval.mean for each in read(study, path).measures}
    assert (found["", "informativeness"], found["", "any error"]) == (4, 1)
    assert found["", "concatenation"] == 0
    page.reload()
    assert page.locator("#progress").inner_text() == "1 of 1 done"
    page.locator(".item").first.get_by_label("Hallucination").uncheck(force=True)
    page.locator("#file").set_input_files(
        {"name": "bad.json", "mimeType": "application/json", "buffer": b'{"schema": 1}'}
    )
    page.get_by_text("not a file saved by such a page").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#file").set_input_files(path)
    page.get_by_text("Read mine.json.").wait_for()
    assert page.locator("input:checked").count() == 2 + 2 + 4


def test_trees_are_moved_step_by_step(opened, trees, originals, tmp_path) -> None:
    study = make_study(TreeCorrections(), trees[:1], originals, people=1)
    page = opened(study)
    page.get_by_role("group", name="Move Q1.1", exact=True).get_by_role("button").click()
    assert page.locator(".tree").first.locator(".number").all_text_contents() == [
        *("Q1 ", "Q2 ", "Q2.1 ", "Q3 ")
    ]
    page.get_by_label("Attach Q2 to one beside it").select_option(label="Q3")
    assert page.locator(".number").last.text_content() == "Q2.1.1 "
    page.get_by_role("button", name="Undo the last step").click()
    for each in page.locator(".pair").all():
        each.get_by_role("radio", name="Yes").check(force=True)
    path = tmp_path / "mine.json"
    (task,) = saved(page, path)["tasks"].values()
    assert task["answer"] == {"moves": [[1, -1]], "answerable": [True] * 4}
    found = {each.name: each.interval.mean for each in read(study, path).measures}
    assert (found["edits"], found["answerable"]) == (1, 1)


def test_the_best_is_not_the_worst(opened, summaries, originals, tmp_path) -> None:
    boats = [each for each in summaries if each.document == "boats"]
    study = make_study(BestWorst(size=3, criteria={"x": "Which?"}), boats, originals, people=1)
    page = opened(study)
    best, worst = (page.get_by_role("group", name=name) for name in ("Best", "Worst"))
    best.get_by_label("B").check(force=True)
    worst.get_by_label("B").check(force=True)
    assert page.locator("#missing").inner_text() == "Still missing: x."
    best.get_by_label("C").check(force=True)
    path = tmp_path / "mine.json"
    (task,) = saved(page, path)["tasks"].values()
    assert task["answer"]["choices"] == {"x": {"best": 2, "worst": 1}}
    (shown,) = (each.systems for each in study.tasks)
    found = {each.system: each.interval.mean for each in read(study, path).measures}
    assert (found[shown[0]], found[shown[1]], found[shown[2]]) == (0, -1, 1)


def test_a_fact_is_checked_against_growing_texts_against_the_clock(
    opened, originals, tmp_path
) -> None:
    texts = ("Old.", "Old. They float.", "Old. They float. And sink.")
    made = [Candidate("boats", "s", "", (text,)) for text in texts]
    checks = FactChecks({"boats": [FactQuestion("boats", "Do they float?", "yes")]})
    study = next(
        study
        for study in (make_study(checks, made, originals, people=1, seed=n) for n in range(99))
        if study.tasks[0].systems == ("s",)
    )
    page = opened(study)
    assert "Do they float?" not in page.locator("#work").inner_text()
    page.get_by_role("button", name="Show the question").press("Enter")
    assert page.locator(".text-to-check").inner_text() == "Old."
    page.wait_for_timeout(300)
    page.keyboard.press("m")
    assert page.locator(".text-to-check").inner_text() == "Old. They float."
    page.keyboard.press("y")
    assert page.locator(".answers").count() == 0
    path = tmp_path / "mine.json"
    (task,) = saved(page, path)["tasks"].values()
    assert (task["answer"]["answer"], task["answer"]["shown"]) == ("yes", 2)
    assert 0.2 <= task["answer"]["seconds"] <= 30
    found = {each.name: each.interval.mean for each in read(study, path).measures}
    assert (found["accuracy"], found["words"]) == (1, 3)


def test_questions_are_written_changed_and_removed(opened, summaries, originals, tmp_path) -> None:
    study = make_study(QuestionWriting(), summaries[:1], originals, people=1)
    page = opened(study)
    add = page.get_by_role("button", name="Add the question")
    add.click()
    assert page.get_by_role("alert").inner_text() == "Choose the sentences that answer it."
    for number, (question, sentence) in enumerate([("What?", 0), ("How?", 1), ("Why?", 1)]):
        page.locator(".sentence input").nth(sentence).check()
        page.get_by_label("Question", exact=True).fill(question)
        page.get_by_label("It follows from").select_option(str([-1, 0, -1][number]))
        add.click()
    page.get_by_label("Question Q2", exact=True).fill("Why old?")
    page.get_by_label("Question Q2", exact=True).press("Tab")
    page.get_by_role("button", name="Remove Q1.1 and").click()
    path = tmp_path / "mine.json"
    (task,) = saved(page, path)["tasks"].values()
    assert task["answer"]["questions"] == [
        {"parent": -1, "question": "What?", "sentences": [0]},
        {"parent": -1, "question": "Why old?", "sentences": [1]},
    ]
    (written,) = read(study, path).trees
    assert [each["question"] for each in written["tree"]] == ["What?", "Why old?"]


def test_a_page_does_not_take_the_file_of_another(opened, summaries, originals, tmp_path) -> None:
    mine, other = (
        make_study(QuestionWriting(), summaries[:1], originals, people=1, seed=seed)
        for seed in (0, 1)
    )
    path = tmp_path / "other.json"
    page = opened(mine)
    saved(page, path)
    with pytest.raises(LongsumError, match="another study"):
        read(other, path)
    page = opened(other)
    page.locator("#file").set_input_files(path)
    page.get_by_text("This file belongs to another study.").wait_for()
