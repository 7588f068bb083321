"""Aspects, unfaithful errors and informativeness of summaries (HEPOS, §6.4 and D)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from longsum.evaluation.aspects import PAPER, REPORT, Scheme, labelled
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.candidates import Candidate, ShownSource, one_of_each
from longsum.lab.studies.study import Kind, Setup, Task, judges_of

Error = Literal["hallucination", "deletion", "concatenation"]
AspectChoice = Literal["auto", "report", "paper", "none"]

WHOLE = "summary"
"""What is rated if there are no aspects."""
_LABELS = {
    "why": "Why the study was done",
    "found": "What was found",
    "recommends": "What is recommended",
    "introduction": "Introduction and literature",
    "methods": "Methods",
    "results": "Results",
    "conclusion": "Discussion and conclusion",
    WHOLE: "The whole summary",
}
_SCHEMES: Mapping[str, Scheme] = {"report": REPORT, "paper": PAPER}


@dataclass(frozen=True, slots=True)
class Faithfulness(Kind):
    """A study that labels each sentence with an aspect and its errors, and rates the summary.

    Attributes:
        aspects: Which aspects: those of reports, of papers, none, or those that the document's
            reference is labelled with, if it is.
    """

    aspects: AspectChoice = "auto"

    name: ClassVar[str] = "faithfulness"
    raters: ClassVar[int] = 2
    shown_source: ClassVar[ShownSource] = "document"

    @property
    def shown(self) -> Mapping[str, Any]:
        """The errors, which all pages show."""
        return {"errors": list(get_args(Error))}

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each summary; those of a document are judged by the same people."""
        documents = one_of_each(made, tree=False)
        judges = judges_of(documents, setup)
        tasks = []
        for document, systems in documents.items():
            for system, candidate in systems.items():
                aspects = self._aspects(setup.originals.of(candidate).references)
                rated = aspects or [WHOLE]
                shown = {
                    "sentences": list(candidate.sentences),
                    "aspects": [[aspect, _LABELS[aspect]] for aspect in aspects],
                    "rated": [[aspect, _LABELS[aspect]] for aspect in rated],
                }
                key = {"sentences": list(candidate.sentences), "aspects": aspects}
                tasks.append(Task(document, (system,), shown, key, judges[document]))
        return tasks

    def _aspects(self, references: Sequence[str]) -> list[str]:
        if self.aspects == "auto":
            labels = (labelled(reference) for reference in references)
            return next((list(found.scheme.keywords) for found in labels if found), [])
        scheme = _SCHEMES.get(self.aspects)
        return list(scheme.keywords) if scheme else []


@dataclass(frozen=True, slots=True)
class SentenceLabels(Checked):
    """Labels of a sentence: its aspect, if any, and its errors."""

    aspect: str | None
    errors: Annotated[tuple[Error, ...], Field(max_length=3)]


@dataclass(frozen=True, slots=True)
class FaithfulnessAnswer(Checked):
    """One annotator's labels of a summary's sentences, and ratings from 1 to 5 by aspect."""

    sentences: tuple[SentenceLabels, ...]
    informativeness: dict[str, Annotated[int, Field(ge=1, le=5)] | None]

    def problem(self, task: KeyTask) -> str | None:
        """Return what is wrong or missing, or None."""
        aspects = task.texts("aspects")
        allowed: set[str | None] = {*aspects} if aspects else {None}
        if not self.sentences or len(self.sentences) != len(task.texts("sentences")):
            return "has labels for more or fewer sentences than the summary has"
        if any(labels.aspect not in allowed for labels in self.sentences):
            return "lacks the aspect of a sentence, or has an unknown one"
        rated = {name for name, rating in self.informativeness.items() if rating is not None}
        if rated != set(aspects or [WHOLE]):
            return "lacks a rating, or has one of an unknown aspect"
        return None


def tally(task: KeyTask, answers: Sequence[FaithfulnessAnswer], results: Tally) -> None:
    """Score a system by the answers on a summary.

    An error's score is the share of sentences in which any annotator sees it, as in Table 6;
    `error for all` is the share in which all annotators see an error, as in Figures 5 and 6, if
    there are several.
    """
    system = task.system
    rows = list(zip(*(answer.sentences for answer in answers), strict=True))
    for error in get_args(Error):
        seen = [any(error in labels.errors for labels in row) for row in rows]
        results.score(system, task.document, error, _share(seen))
    erroneous = [[bool(labels.errors) for labels in row] for row in rows]
    results.score(system, task.document, "any error", _share([any(row) for row in erroneous]))
    if len(answers) > 1:
        results.score(
            system, task.document, "error for all", _share([all(row) for row in erroneous])
        )
    for answer in answers:
        _add_ratings(task, answer, results)
    for place, row in enumerate(rows):
        for labels in row:
            unit = (task.id, place)
            if task.texts("aspects"):
                results.rate("aspects", "nominal", unit, labels.aspect)
            for error in get_args(Error):
                results.rate(error, "nominal", unit, float(error in labels.errors))


def _add_ratings(task: KeyTask, answer: FaithfulnessAnswer, results: Tally) -> None:
    system = task.system
    ratings = [(name, rating) for name, rating in answer.informativeness.items() if rating]
    mean = sum(rating for _, rating in ratings) / len(ratings)
    results.score(system, task.document, "informativeness", mean)
    for aspect, rating in ratings:
        results.rate("informativeness", "ordinal", (task.id, aspect), float(rating))
        if aspect == WHOLE:
            continue
        results.score(system, task.document, "informativeness", rating, of=aspect)
        erroneous = [bool(labels.errors) for labels in answer.sentences if labels.aspect == aspect]
        if erroneous:
            results.score(system, task.document, "any error", _share(erroneous), of=aspect)


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags)
