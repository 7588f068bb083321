"""What is judged: summaries and question trees that systems made, with their documents.

A file is the output of `longsum summarize` or `longsum questions` with `--format json`, or has a
line of JSON for each summary, as `longsum evaluate --summaries` writes it:

    {"id": "gao-1", "system": "stepwise", "summary": "A text, or what longsum writes as JSON."}
    {"id": "gao-1", "system": "ours", "tree": [{"question": …, "answer": …, "children": […]}]}
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import quote, shorten
from longsum.core.questions.question_tree import Question, QuestionTree, tree_from_json
from longsum.documents.model import Document
from longsum.language.characters import clean
from longsum.language.sentences import sentence_texts
from longsum.language.words import count_words

_FORM = '{"id": …, "system": …, "summary": … or "tree": …}'
_SUMMARY, _QUESTIONS = "longsum/summary/1", "longsum/questions/1"
_LISTED = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A summary or a question tree.

    Attributes:
        document: Identifier of its document.
        system: Name of the system that made it.
        title: Title of its document, if it is known.
        sentences: The sentences of a summary, in order; none of a tree.
        tree: The tree; None for a summary.
        sha256: Identity of the document's text; empty if it is not known.
    """

    document: str
    system: str
    title: str = ""
    sentences: tuple[str, ...] = ()
    tree: QuestionTree | None = None
    sha256: str = ""

    @property
    def words(self) -> int:
        """Words of a summary, counted as in budgets."""
        return sum(count_words(sentence) for sentence in self.sentences)


def parse_made(text: str, name: str) -> list[Candidate]:
    """Read summaries and trees.

    Messages call the file by its name.

    Raises:
        LongsumError: It is not of the form above.
    """
    try:
        values = list(_values(text))
    except ValueError as error:
        raise LongsumError(f"{name} is not valid JSON ({error}); check the file.") from None
    try:
        found = [_one(value) for value in values]
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        found = []
    if not found:
        raise LongsumError(
            f"{name} has no summaries that can be judged; give what longsum writes with --format "
            f"json, or lines of JSON such as {_FORM}."
        )
    return found


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text; a line break ends a sentence too."""
    return tuple(sentence for line in text.splitlines() for sentence in sentence_texts(clean(line)))


def by_document(made: Iterable[Candidate]) -> dict[str, dict[str, list[Candidate]]]:
    """Return what was made by document and system, in the order given.

    Raises:
        LongsumError: There is nothing, or a system lacks a document that another has.
    """
    found: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for each in made:
        found[each.document][each.system].append(each)
    systems = {system for of in found.values() for system in of}
    if not systems:
        raise LongsumError("There are no summaries to judge; give files that have some.")
    for document, of in found.items():
        if lacking := sorted(systems - of.keys()):
            raise LongsumError(
                f"Of the document {quote(document)} there is nothing by "
                f"{', '.join(lacking[:_LISTED])}; systems are compared on the same documents, so "
                "add it, or leave the document out."
            )
    return {document: dict(of) for document, of in found.items()}


def one_of_each(made: Iterable[Candidate], *, tree: bool) -> dict[str, dict[str, Candidate]]:
    """Return what was made by document and system, one of each.

    Args:
        made: Summaries and trees.
        tree: Whether it has to be a tree with questions; otherwise it has to be a summary with
            sentences.

    Raises:
        LongsumError: As for `by_document`; or there are two of one document and system, or one is
            of the other kind or empty.
    """
    wanted = "question tree" if tree else "summary"
    found: dict[str, dict[str, Candidate]] = {}
    for document, systems in by_document(made).items():
        found[document] = {}
        for system, all_of_it in systems.items():
            each, *more = all_of_it
            if more:
                raise LongsumError(
                    f"There are {len(all_of_it)} of the document {quote(document)} by {system}; "
                    f"give one {wanted} of each system and document."
                )
            if not (each.tree and each.tree.questions if tree else each.sentences):
                raise LongsumError(
                    f"What {system} made of {quote(document)} is no {wanted}, or an empty one; "
                    f"leave it out, or choose a study of {'summaries' if tree else 'trees'}."
                )
            found[document][system] = each
    return found


def _values(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        yield parse_json(text)
    except json.JSONDecodeError:
        for line in text.splitlines():
            if line.strip():
                yield parse_json(line)


def _one(value: Mapping[str, Any]) -> Candidate:
    if value.get("schema") in (_SUMMARY, _QUESTIONS):
        return _result(value, value["document"]["sha256"], value["system"])
    document, system = _name(value["id"]), value["system"]
    if "tree" in value:
        return Candidate(document, _name(system), tree=tree_from_json(value["tree"]))
    if isinstance(value["summary"], str):
        return Candidate(document, _name(system), sentences=sentences_of(value["summary"]))
    return _result(value["summary"], document, system)


def _result(value: Mapping[str, Any], document: Any, system: Any) -> Candidate:
    of = value["document"]
    title, sha256 = clean(of["title"]), _name(of["sha256"])
    if value["schema"] == _QUESTIONS:
        tree = _tree(value["nodes"])
        return Candidate(_name(document), _name(system), title, tree=tree, sha256=sha256)
    sentences = tuple(clean(each["text"]) for each in value["summary"]["sentences"])
    return Candidate(_name(document), _name(system), title, sentences, sha256=sha256)


def _tree(nodes: list[Mapping[str, Any]]) -> QuestionTree:
    """Return the tree of nodes, each with its parent's position before it."""
    below: dict[int | None, list[Question]] = defaultdict(list)
    for place, node in reversed(list(enumerate(nodes))):
        parent = node["parent"]
        if parent is not None and not 0 <= parent < place:
            raise ValueError("a node before its parent")
        asked = f"{node['title']} [{node['asks']}]" if node["asks"] else node["title"]
        children = tuple(reversed(below.pop(place, [])))
        below[parent].append(Question(clean(asked), clean(node["text"]), children))
    return QuestionTree(tuple(reversed(below[None])))


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError("not a name")
    return shorten(clean(value), 200)


REFERENCE = "reference"
"""The name of reference summaries among systems."""
ShownSource = Literal["nothing", "title", "document"]
"""How much people see of a document: nothing, its title, or all of it with its references."""


@dataclass(frozen=True, slots=True)
class Original:
    """A document and its references.

    Attributes:
        document: The document; None if it is not known.
        references: Its reference summaries; none if they are not known.
    """

    document: Document | None
    references: tuple[str, ...] = ()

    def shown(self, title: str, beside: ShownSource) -> dict[str, Any]:
        """Return what a page shows of it, as JSON values.

        Args:
            title: A title to use if it has none.
            beside: How much of it is shown.
        """
        named = (self.document.title if self.document else "") or title
        if beside != "document":
            return {"title": named if beside == "title" else "", "text": [], "references": []}
        return {"title": named, "text": self.text(), "references": list(self.references)}

    def text(self) -> list[dict[str, Any]]:
        """Return headings with their levels, and paragraphs, in reading order, as JSON values."""
        found: list[dict[str, Any]] = []
        for section in self.document.walk() if self.document else ():
            if section.title:
                found.append({"level": section.level, "text": section.title})
            for paragraph in section.paragraphs:
                found.append({"text": " ".join(sentence.text for sentence in paragraph)})
        return found


@dataclass(frozen=True, slots=True)
class Originals:
    """The documents of a study.

    Attributes:
        by_id: Each by its identifier in a data set, or by the SHA-256 of its text.
    """

    by_id: Mapping[str, Original]

    @classmethod
    def of_documents(cls, documents: Iterable[Document]) -> "Originals":
        """Return documents without references."""
        return cls({document.sha256: Original(document) for document in documents})

    def with_examples(self, examples: Iterable[tuple[str, Original]]) -> "Originals":
        """Return these documents and others, each with its identifier."""
        return Originals({**self.by_id, **dict(examples)})

    def with_references(self, made: Sequence[Candidate]) -> list[Candidate]:
        """Return what was made, with the first reference of each document as a further system.

        Raises:
            LongsumError: A document has no reference.
        """
        first = {each.document: each for each in reversed(made)}
        found = list(made)
        for document, each in reversed(first.items()):
            references = self.of(each).references
            if not references:
                raise LongsumError(
                    f"The document {quote(document)} has no reference that is known; give the data "
                    "set that has one with --data."
                )
            sentences = sentences_of(references[0])
            found.append(Candidate(document, REFERENCE, each.title, sentences, sha256=each.sha256))
        return found

    def of(self, made: Candidate) -> Original:
        """Return the document that something was made from; an empty one if it is missing."""
        found = self.by_id.get(made.document) or self.by_id.get(made.sha256)
        return found or Original(None)
