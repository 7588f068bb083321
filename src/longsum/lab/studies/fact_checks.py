"""Fact checks: does a text say this? It grows until people can tell (MLS, §3.1.3)."""

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
from longsum.lab.studies.study import Setup, Task
from longsum.language.characters import clean
from longsum.language.words import count_words

NO_CONTENT = "no content"
FULL_CONTENT = "full content"
"""The two controls: does the question give its answer away, and does the document have it?"""

ShownText = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class FactQuestion(Checked):
    """A question about a document, and its answer.

    Attributes:
        id: Identifier of the document, or its title.
        question: The question, such as "Does the story tell us why the narrator was fired?".
        answer: Whether the document does.
    """

    id: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    answer: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class FactChecks:
    """A document is seen once by each person, in one setting: a system, or one of the controls.

    Attributes:
        questions: The questions by document; if a document has several, they take turns.
    """

    questions: Mapping[str, Sequence[FactQuestion]]

    name: ClassVar[str] = "fact-checks"
    raters: ClassVar[int] = 1
    beside: ClassVar[ShownSource] = "nothing"
    shown: ClassVar[Mapping[str, Any]] = {}

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return everybody's tasks, in which they see every document once (`rotated`).

        Raises:
            LongsumError: A document has no question, or its text is not known.
        """
        documents = by_document(made)
        asked = {name: self._asked(next(iter(of.values()))[0]) for name, of in documents.items()}
        settings = [*sorted(next(iter(documents.values()))), NO_CONTENT, FULL_CONTENT]
        rows = rotated(setup.people, len(documents), len(settings), setup.rng)
        turns: dict[tuple[str, str], int] = defaultdict(int)
        people: dict[tuple[str, str, int], list[int]] = defaultdict(list)
        for person, row in enumerate(rows, start=1):
            for document, place in zip(documents, row, strict=True):
                setting = settings[place]
                turn = turns[document, setting] % len(asked[document])
                turns[document, setting] += 1
                people[document, setting, turn].append(person)
        found = []
        for (document, setting, turn), persons in people.items():
            question = asked[document][turn]
            texts = _texts(setting, documents[document], setup.originals)
            words = [sum(count_words(part["text"]) for part in text) for text in texts]
            shown = {"question": clean(question.question), "texts": texts}
            key = {"answer": [question.answer], "words": words}
            found.append(Task(document, (setting,), shown, key, tuple(persons)))
        return found

    def _asked(self, made: Candidate) -> Sequence[FactQuestion]:
        asked = self.questions.get(made.document) or self.questions.get(made.title)
        if not asked:
            raise LongsumError(
                f"There is no question about the document {quote(made.title or made.document)}; "
                "add one to the questions, or leave the document out."
            )
        return asked


def _texts(
    setting: str, systems: Mapping[str, Sequence[Candidate]], originals: Originals
) -> list[ShownText]:
    """Return what is shown in a setting, from the shortest to the longest."""
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
    """Read questions by document: a line of JSON each, `{"id": …, "question": …, "answer": "yes"}`.

    Raises:
        LongsumError: A line is of another form, or there is none.
    """
    found: dict[str, list[FactQuestion]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            each = _question(line, f"Line {number} of {name}")
            found.setdefault(each.id, []).append(each)
    if not found:
        raise LongsumError(f"{name} has no questions; write one on each line.")
    return found


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
            f'{place} is no question; write {{"id": …, "question": …, "answer": "yes" or "no"}}.'
        )
    return question


@dataclass(frozen=True, slots=True)
class FactAnswer(Checked):
    """One annotator's answer.

    Attributes:
        answer: The answer; `more` if the longest text was not enough; None before it is given.
        shown: How many texts were shown, each longer than the last.
        seconds: Seconds from the question's appearance to the answer, while the page was visible.
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
            return "asks for more where there was more"
        return None


def tally(task: KeyTask, answers: Sequence[FactAnswer], found: Tally) -> None:
    """Add the answers to a question.

    Words are those of the longest text that was shown, which contains the shorter ones.
    """
    setting = task.system
    words = task.numbers("words")
    for answer in answers:
        right = [answer.answer] == task.texts("answer")
        found.score(setting, task.document, "accuracy", right)
        found.score(setting, task.document, "seconds", answer.seconds)
        found.score(setting, task.document, "words", words[answer.shown - 1])
        found.rate("answer", "nominal", task.id, answer.answer)


_FREE = -1


def rotated(people: int, documents: int, settings: int, rng: Random) -> list[list[int]]:
    """Return the setting in which each person sees each document, `[people, documents]`.

    Once each, and every combination equally often: "each participant was shown a summary generated
    from the same document only once" (MLS, §3.1.3).

    A person sees the settings equally often, give or take one; which are seen once more than
    others, or at all where documents are fewer than settings, is balanced (`balanced_blocks`). A
    document is seen in each setting equally often, give or take one: persons and settings are the
    two sides of a graph, what a person sees its edges, and documents colour them, evenly at every
    person and every setting (de Werra 1971).
    """
    whole, rest = divmod(documents, settings)
    extra = balanced_blocks(settings, rest, people, rng) if rest else [()] * people
    edges = [
        (person, setting)
        for person in range(people)
        for setting in (*list(range(settings)) * whole, *extra[person])
    ]
    rng.shuffle(edges)
    found = [[_FREE] * documents for _ in range(people)]
    named = rng.sample(range(documents), documents)
    for (person, setting), colour in zip(edges, _coloured(edges, people, documents), strict=True):
        found[person][named[colour]] = setting
    return found


def _coloured(edges: list[tuple[int, int]], people: int, colours: int) -> list[int]:
    """Return a colour for each edge: all different at a person, evenly spread at a setting.

    A setting is divided into nodes of as many edges as there are colours, at which too all are
    different (König 1916): where the two ends of an edge lack different colours, these are swapped
    along the path of both.
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
    """Swap two colours along the path that begins at a node with the first of them."""
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
