"""The results of a study, from annotators' files and the key that says which system made what."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.questions.question_tree import tree_to_json
from longsum.lab.studies import best_worst, fact_checks, faithfulness, tree_studies
from longsum.lab.studies.answers import (
    Agreed,
    Answer,
    Key,
    KeyTask,
    Measure,
    Saved,
    Tally,
    checked,
    measure_to_json,
)

_FORMULAS = frozenset("=+-@")
_TallyAnswers = Callable[[KeyTask, Sequence[Any], Tally], None]
_KINDS: Mapping[str, tuple[type[Any], _TallyAnswers]] = {
    faithfulness.Faithfulness.name: (faithfulness.FaithfulnessAnswer, faithfulness.tally),
    tree_studies.TreeCorrections.name: (
        tree_studies.TreeAnswer,
        tree_studies.tally_corrections,
    ),
    best_worst.BestWorst.name: (best_worst.BestWorstAnswer, best_worst.tally),
    fact_checks.FactChecks.name: (fact_checks.FactAnswer, fact_checks.tally),
    tree_studies.QuestionWriting.name: (tree_studies.WritingAnswer, tree_studies.tally_written),
}


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The results of a study.

    Attributes:
        kind: Its kind.
        design: How evenly the work was spread, in words.
        done: How many tasks each annotator did, and how many they had, by annotator.
        measures: The figures of each system.
        agreements: How far annotators agree.
        trees: The trees that were written, each with its document and its writer.
    """

    kind: str
    design: tuple[str, ...]
    done: Mapping[int, tuple[int, int]]
    measures: tuple[Measure, ...]
    agreements: tuple[Agreed, ...]
    trees: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        return {
            "kind": self.kind,
            "design": list(self.design),
            "annotators": [
                {"annotator": person, "done": done, "tasks": tasks}
                for person, (done, tasks) in self.done.items()
            ],
            "measures": [measure_to_json(measure) for measure in self.measures],
            "agreement": [
                {"of": agreed.what, "level": agreed.level, **asdict(agreed.agreement)}
                for agreed in self.agreements
            ],
        }

    def trees_as_lines(self) -> str:
        """Return the trees that were written as lines of JSON, which a study of trees reads.

        Raises:
            LongsumError: There are none.
        """
        if not self.trees:
            raise LongsumError(
                "No trees were written in this study; leave out --trees, or read a study of the "
                "kind 'questions'."
            )
        return "".join(json.dumps(tree, ensure_ascii=False) + "\n" for tree in self.trees)

    def to_csv(self) -> str:
        """Return the measures as CSV, one per line.

        Names that a spreadsheet would take for formulas get an apostrophe before them.
        """
        rows = [measure_to_json(measure) for measure in self.measures]
        for row in rows:
            row |= {key: f"'{row[key]}" for key in ("system", "of") if row[key][:1] in _FORMULAS}
        text = io.StringIO()
        table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        return text.getvalue()


def read_study(key: Key, files: Sequence[tuple[str, Saved]], seed: int = 0) -> StudyResults:
    """Return the results of a study.

    Args:
        key: Its key.
        files: The annotators' files with their names. Unfinished tasks do not count.
        seed: Random seed of the intervals.

    Raises:
        LongsumError: A file is of another study, two are of the same annotator, an answer is wrong,
            or no task is done.
    """
    if key.kind not in _KINDS:
        raise LongsumError(
            f"The key is of a study {quote(key.kind)}, which this version of longsum does not "
            "know; read it with the version that made it."
        )
    answers: dict[str, dict[int, Answer]] = defaultdict(dict)
    done: dict[int, tuple[int, int]] = {}
    for name, saved in sorted(files, key=lambda file: file[1].annotator):
        _check(saved, key, name, done)
        assigned = {
            task for task, keyed in key.tasks.items() if saved.annotator in keyed.annotators
        }
        finished = _answers(saved, key, assigned, name)
        for task, answer in finished.items():
            answers[task][saved.annotator] = answer
        done[saved.annotator] = (len(finished), len(assigned))
    if not answers:
        raise LongsumError("No task is done; give files in which some are.")
    tally = Tally()
    add_answers = _KINDS[key.kind][1]
    for task, by_annotator in sorted(answers.items()):
        add_answers(key.tasks[task], list(by_annotator.values()), tally)
    return StudyResults(
        key.kind,
        key.design,
        done,
        tuple(tally.measures(seed)),
        tuple(tally.agreements(seed)),
        tuple(_trees(key, answers)),
    )


def _check(saved: Saved, key: Key, name: str, done: Mapping[int, Any]) -> None:
    if (saved.study, saved.kind) != (key.study, key.kind):
        raise LongsumError(
            f"{name} is of another study than the key ({quote(saved.study)}, not "
            f"{quote(key.study)}); give the key that was written with its page."
        )
    if saved.annotator > key.annotators:
        raise LongsumError(
            f"{name} is by annotator {saved.annotator}, but the study has {key.annotators}; give "
            "the files of its annotators."
        )
    if saved.annotator in done:
        raise LongsumError(
            f"{name} is a second file by annotator {saved.annotator}; give the latest one alone."
        )


def _answers(saved: Saved, key: Key, assigned: set[str], name: str) -> dict[str, Answer]:
    """Return the answers to the finished tasks."""
    answers: dict[str, Answer] = {}
    kind = _KINDS[key.kind][0]
    for task, saved_task in saved.tasks.items():
        if task not in assigned:
            raise LongsumError(
                f"{name} answers the task {quote(task)}, which annotator {saved.annotator} does "
                "not have; give the file as it was saved."
            )
        if not saved_task.done:
            continue
        answer = cast(Answer, checked(kind, saved_task.answer, f"The task {task} in {name}"))
        if problem := answer.problem(key.tasks[task]):
            raise LongsumError(
                f"The task {task} in {name} {problem}; open the file in its page and save it again."
            )
        answers[task] = answer
    return answers


def _trees(key: Key, answers: Mapping[str, Mapping[int, Answer]]) -> list[dict[str, Any]]:
    """Return the trees that were written, in the form of `longsum.lab.studies.candidates`."""
    several = len({task.systems for task in key.tasks.values()}) > 1
    trees = []
    for task, by_annotator in sorted(answers.items()):
        document, systems = key.tasks[task].document, key.tasks[task].systems
        for person, answer in by_annotator.items():
            if isinstance(answer, tree_studies.WritingAnswer):
                tree = answer.tree(key.tasks[task].texts("sentences"))
                trees.append(
                    {
                        "id": f"{document} {systems[0]}" if several else document,
                        "system": f"annotator {person}",
                        "tree": tree_to_json(tree),
                    }
                )
    return trees
