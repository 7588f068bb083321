"""Fact checks: does a text say this? People see longer texts until they can tell (MLS, §3.1.3)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import quote
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.blocks import balanced_blocks
from longsum.lab.studies.candidates import Candidate, Originals, ShownSource, by_document
from longsum.lab.studies.study import Kind, Setup, Task
from longsum.language.characters import clean
from longsum.language.words import count_words

NO_CONTENT = "no content"
FULL_CONTENT = "full content"
"""The controls: does the question give its answer away, and does the document contain it?"""

ShownText = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class FactQuestion(Checked):
    """A question about a document, and its answer.

    Attributes:
        id: Identifier of the document, or its title.
        question: The question, such as "Does the story tell us why the narrator was fired?".
        answer: The answer, for the document.
    """

    id: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    answer: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class FactChecks(Kind):
    """A study in which each person sees a document once, by one system or in a control setting.

    Attributes:
        questions: The questions by document; if a document has several, they take turns.
    """

    questions: Mapping[str, Sequence[FactQuestion]]

    name: ClassVar[str] = "fact-checks"
    raters: ClassVar[int] = 1
    shown_source: ClassVar[ShownSource] = "nothing"

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return the tasks of all people, each of whom sees every document once (`rotated`).

        Raises:
            LongsumError: A document has no question, or its text is not known.
        """
        documents = by_document(made)
        questions = {
            document: self._questions_on(next(iter(by_system.values()))[0])
            for document, by_system in documents.items()
        }
        settings = [*sorted(next(iter(documents.values()))), NO_CONTENT, FULL_CONTENT]
        rows = rotated(setup.people, len(documents), len(settings), setup.rng)
        turns: dict[tuple[str, str], int] = defaultdict(int)
        people: dict[tuple[str, str, int], list[int]] = defaultdict(list)
        for person, row in enumerate(rows, start=1):
            for document, place in zip(documents, row, strict=True):
                setting = settings[place]
                turn = turns[document, setting] % len(questions[document])
                turns[document, setting] += 1
                people[document, setting, turn].append(person)
        tasks = []
        for (document, setting, turn), persons in people.items():
            question = questions[document][turn]
            texts = _texts(setting, documents[document], setup.originals)
            words = [sum(count_words(part["text"]) for part in text) for text in texts]
            shown = {"question": clean(question.question), "texts": texts}
            key = {"answer": [question.answer], "words": words}
            tasks.append(Task(document, (setting,), shown, key, tuple(persons)))
        return tasks

    def _questions_on(self, made: Candidate) -> Sequence[FactQuestion]:
        questions = self.questions.get(made.document) or self.questions.get(made.title)
        if not questions:
            raise LongsumError(
                f"There is no question about the document {quote(made.title or made.document)}; "
                "add one to the questions, or leave the document out."
            )
        return questions


def _texts(
    setting: str, systems: Mapping[str, Sequence[Candidate]], originals: Originals
) -> list[ShownText]:
    """Return the texts that are shown in a setting, from the shortest to the longest."""
    if setting == NO_CONTENT:
        return [[]]
    if setting != FULL_CONTENT:
        by_length = sorted(systems[setting], key=lambda made: made.words)
        return [[{"text": " ".join(made.sentences)}] for made in by_length]
    first = next(iter(systems.values()))[0]
    text = originals.of(first).text()
    if not text:
        raise LongsumError(
            f"The text of the document {quote(first.document)} is not known, and some annotators "
            "are shown it; give it with --source or --data."
        )
    return [text]


def parse_questions(text: str, name: str) -> dict[str, list[FactQuestion]]:
    """Read questions by document from lines such as `{"id": …, "question": …, "answer": "yes"}`.

    Raises:
        LongsumError: A line has another form, or there are no questions.
    """
    questions: dict[str, list[FactQuestion]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            question = _question(line, f"Line {number} of {name}")
            questions.setdefault(question.id, []).append(question)
    if not questions:
        raise LongsumError(f"{name} has no questions; write one on each line.")
    return questions


def _question(line: str, place: str) -> FactQuestion:
    try:
        value = parse_json(line)
        question = FactQuestion(value["id"], value["question"], value["answer"])
        valid = (
            question.answer in ("yes", "no") and question.id.strip() and question.question.strip()
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        valid = False
    if not valid:
        raise LongsumError(
            f'{place} is not a question; write {{"id": …, "question": …, "answer": "yes" or "no"}}.'
        )
    return question


@dataclass(frozen=True, slots=True)
class FactAnswer(Checked):
    """One annotator's answer.

    Attributes:
        answer: The answer; `more` if the longest text was not enough; None if none was given yet.
        shown: How many texts were shown, each longer than the one before.
        seconds: Seconds from the question's appearance to the answer in which the page was
            visible.
    """

    answer: Literal["yes", "no", "more"] | None
    shown: Annotated[int, Field(ge=0)]
    seconds: Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]

    def problem(self, task: KeyTask) -> str | None:
        """Return what is wrong or missing, or None."""
        texts = len(task.numbers("words"))
        if self.answer is None or not 1 <= self.shown <= texts:
            return "has no answer, or one after more texts than there are"
        if self.answer == "more" and self.shown < texts:
            return "asks for a longer text before seeing the longest"
        return None


def tally(task: KeyTask, answers: Sequence[FactAnswer], results: Tally) -> None:
    """Score a setting by the answers to a question.

    The words counted are those of the longest text that was shown.
    """
    setting = task.system
    words = task.numbers("words")
    for answer in answers:
        right = [answer.answer] == task.texts("answer")
        results.score(setting, task.document, "accuracy", right)
        results.score(setting, task.document, "seconds", answer.seconds)
        results.score(setting, task.document, "words", words[answer.shown - 1])
        results.rate("answer", "nominal", task.id, answer.answer)


_FREE = -1


def rotated(people: int, documents: int, settings: int, rng: Random) -> list[list[int]]:
    """Return the setting in which each person sees each document, `[people, documents]`.

    Each person sees each document once, as "each participant was shown a summary generated from
    the same document only once" (MLS, §3.1.3), and all combinations occur equally often.

    The settings that a person sees differ in number by one at most; which of them are seen once
    more than others, or seen at all if there are fewer documents than settings, is balanced
    (`balanced_blocks`). So do the settings in which a document is seen: in a bipartite graph of
    people and settings, with an edge for each time that a person sees a setting, documents are an
    edge colouring that is equitable at every person and every setting (de Werra 1971).
    """
    complete, rest = divmod(documents, settings)
    extra = balanced_blocks(settings, rest, people, rng) if rest else [()] * people
    edges = [
        (person, setting)
        for person in range(people)
        for setting in (*list(range(settings)) * complete, *extra[person])
    ]
    rng.shuffle(edges)
    rows = [[_FREE] * documents for _ in range(people)]
    document_of = rng.sample(range(documents), documents)
    for (person, setting), colour in zip(edges, _coloured(edges, people, documents), strict=True):
        rows[person][document_of[colour]] = setting
    return rows


def _coloured(edges: list[tuple[int, int]], people: int, colours: int) -> list[int]:
    """Return a colour for each edge: all different at a person, evenly distributed at a setting.

    A setting is split into nodes with at most as many edges as there are colours, so that colours
    differ at these nodes, too (König 1916): if no colour is free at both ends of an edge, a colour
    free at one end and one free at the other are swapped along the path that alternates them.
    """
    degrees: dict[int, int] = {}
    ends: list[tuple[int, int]] = []
    nodes: dict[tuple[int, int], int] = {}
    for person, setting in edges:
        degree = degrees[setting] = degrees.get(setting, -1) + 1
        node = nodes.setdefault((setting, degree // colours), people + len(nodes))
        ends.append((person, node))
    at = [[_FREE] * colours for _ in range(people + len(nodes))]
    for edge, (person, node) in enumerate(ends):
        ours, theirs = at[person].index(_FREE), at[node].index(_FREE)
        if ours != theirs:
            _swap(node, ours, theirs, at, ends)
        at[person][ours] = at[node][ours] = edge
    colour_of = [_FREE] * len(edges)
    for person in range(people):
        for colour, edge in enumerate(at[person]):
            if edge != _FREE:
                colour_of[edge] = colour
    return colour_of


def _swap(
    node: int, first: int, second: int, at: list[list[int]], ends: list[tuple[int, int]]
) -> None:
    """Swap two colours along the path that starts at a node with an edge of the first colour."""
    path = []
    colour, other = first, second
    while (edge := at[node][colour]) != _FREE:
        path.append((edge, colour, other))
        one, two = ends[edge]
        node = two if node == one else one
        colour, other = other, colour
    for edge, colour, _ in path:
        for end in ends[edge]:
            at[end][colour] = _FREE
    for edge, _, other in path:
        for end in ends[edge]:
            at[end][other] = edge
