"""Aspects, unfaithful errors and informativeness of summaries (HEPOS, §6.4 and D)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from longsum.evaluation.aspects import PAPER, REPORT, Scheme, labelled
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.candidates import Candidate, ShownSource, one_of_each
from longsum.lab.studies.study import Setup, Task, judges_of

Error = Literal["hallucination", "deletion", "concatenation"]
AspectChoice = Literal["auto", "report", "paper", "none"]

WHOLE = "summary"
"""The unit that is rated if there are no aspects."""
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
class Faithfulness:
    """Each sentence gets an aspect and is checked for three errors; then the summary is rated.

    Attributes:
        aspects: The aspects: of reports, of papers, none, or depending on whether the document's
            reference is labelled with them.
    """

    aspects: AspectChoice = "auto"

    name: ClassVar[str] = "faithfulness"
    raters: ClassVar[int] = 2
    beside: ClassVar[ShownSource] = "document"

    @property
    def shown(self) -> Mapping[str, Any]:
        """What all pages say."""
        return {"errors": list(get_args(Error))}

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each summary; those of a document are judged by the same people."""
        documents = one_of_each(made, tree=False)
        judges = judges_of(documents, setup)
        found = []
        for document, systems in documents.items():
            for system, each in systems.items():
                aspects = self._aspects(setup.originals.of(each).references)
                rated = aspects or [WHOLE]
                shown = {
                    "sentences": list(each.sentences),
                    "aspects": [[aspect, _LABELS[aspect]] for aspect in aspects],
                    "rated": [[aspect, _LABELS[aspect]] for aspect in rated],
                }
                key = {"sentences": list(each.sentences), "aspects": aspects}
                found.append(Task(document, (system,), shown, key, judges[document]))
        return found

    def _aspects(self, references: Sequence[str]) -> list[str]:
        if self.aspects == "auto":
            known = (labelled(each) for each in references)
            return next((list(each.scheme.keywords) for each in known if each), [])
        scheme = _SCHEMES.get(self.aspects)
        return list(scheme.keywords) if scheme else []


@dataclass(frozen=True, slots=True)
class SentenceLabels(Checked):
    """Labels of a sentence: its aspect, None if it has none; and the errors that it has."""

    aspect: str | None
    errors: Annotated[tuple[Error, ...], Field(max_length=3)]


@dataclass(frozen=True, slots=True)
class FaithfulnessAnswer(Checked):
    """One annotator's answer on a summary; ratings from 1 to 5, by aspect."""

    sentences: tuple[SentenceLabels, ...]
    informativeness: dict[str, Annotated[int, Field(ge=1, le=5)] | None]

    def problem(self, task: KeyTask) -> str | None:
        """Return what is wrong or missing, or None."""
        aspects = task.texts("aspects")
        allowed: set[str | None] = {*aspects} if aspects else {None}
        if not self.sentences or len(self.sentences) != len(task.texts("sentences")):
            return "has labels of another number of sentences"
        if any(each.aspect not in allowed for each in self.sentences):
            return "lacks the aspect of a sentence, or has an unknown one"
        rated = {name for name, rating in self.informativeness.items() if rating is not None}
        if rated != set(aspects or [WHOLE]):
            return "lacks a rating, or has one of an unknown aspect"
        return None


def tally(task: KeyTask, answers: Sequence[FaithfulnessAnswer], found: Tally) -> None:
    """Add the answers on a summary.

    For each error there is the share of sentences in which any annotator sees it, as in Table 6;
    `error for all` is the share in which all see one, as in Figures 5 and 6, if several judge.
    """
    system = task.system
    rows = list(zip(*(answer.sentences for answer in answers), strict=True))
    for error in get_args(Error):
        seen = [any(error in labels.errors for labels in row) for row in rows]
        found.score(system, task.document, error, _share(seen))
    anything = [[bool(labels.errors) for labels in row] for row in rows]
    found.score(system, task.document, "any error", _share([any(row) for row in anything]))
    if len(answers) > 1:
        found.score(system, task.document, "error for all", _share([all(row) for row in anything]))
    for answer in answers:
        _add_ratings(task, answer, found)
    for place, row in enumerate(rows):
        for labels in row:
            unit = (task.id, place)
            if task.texts("aspects"):
                found.rate("aspects", "nominal", unit, labels.aspect)
            for error in get_args(Error):
                found.rate(error, "nominal", unit, float(error in labels.errors))


def _add_ratings(task: KeyTask, answer: FaithfulnessAnswer, found: Tally) -> None:
    system = task.system
    ratings = [(name, rating) for name, rating in answer.informativeness.items() if rating]
    mean = sum(rating for _, rating in ratings) / len(ratings)
    found.score(system, task.document, "informativeness", mean)
    for aspect, rating in ratings:
        found.rate("informativeness", "ordinal", (task.id, aspect), float(rating))
        if aspect == WHOLE:
            continue
        found.score(system, task.document, "informativeness", rating, of=aspect)
        of_it = [bool(each.errors) for each in answer.sentences if each.aspect == aspect]
        if of_it:
            found.score(system, task.document, "any error", _share(of_it), of=aspect)


def _share(true: Sequence[bool]) -> float:
    return sum(true) / len(true)
