"""The candidates that people judge: systems' summaries and question trees, with their documents.

A file is the output of `longsum summarize` or `longsum questions` with `--format json`, or has a
line of JSON for each summary, as `longsum evaluate --summaries` writes it:

    {"id": "gao-1", "system": "stepwise", "summary": "A text, or what longsum writes as JSON."}
    {"id": "gao-1", "system": "ours", "tree": [{"question": …, "answer": …, "children": […]}]}
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
        sentences: The sentences of a summary, in order; empty for a tree.
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


def parse_candidates(text: str, name: str) -> list[Candidate]:
    """Read summaries and trees from the text of a file; `name` is the file's in messages.

    Raises:
        LongsumError: The text does not have the form above.
    """
    try:
        values = list(_values(text))
    except ValueError as error:
        raise LongsumError(f"{name} is not valid JSON ({error}); check the file.") from None
    try:
        candidates = [_candidate(value) for value in values]
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        candidates = []
    if not candidates:
        raise LongsumError(
            f"{name} has no summaries that can be judged; give what longsum writes with --format "
            f"json, or lines of JSON such as {_FORM}."
        )
    return candidates


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text; a line break ends a sentence too."""
    return tuple(sentence for line in text.splitlines() for sentence in sentence_texts(clean(line)))


def by_document(made: Iterable[Candidate]) -> dict[str, dict[str, list[Candidate]]]:
    """Group candidates by document and system, in the order given.

    Raises:
        LongsumError: There are none, or a system lacks a document that another has.
    """
    grouped: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for candidate in made:
        grouped[candidate.document][candidate.system].append(candidate)
    systems = {system for by_system in grouped.values() for system in by_system}
    if not systems:
        raise LongsumError("There are no summaries to judge; give files that have some.")
    for document, by_system in grouped.items():
        if missing := sorted(systems - by_system.keys()):
            raise LongsumError(
                f"There is nothing by {', '.join(missing[:_LISTED])} on the document "
                f"{quote(document)}; systems are compared on the same documents, so add it, or "
                "leave the document out."
            )
    return {document: dict(by_system) for document, by_system in grouped.items()}


def one_of_each(made: Iterable[Candidate], *, tree: bool) -> dict[str, dict[str, Candidate]]:
    """Return the candidates by document and system, of which there must be one each.

    Args:
        made: Summaries and trees.
        tree: Whether a candidate has to be a tree with questions rather than a summary with
            sentences.

    Raises:
        LongsumError: As for `by_document`; or a system has two candidates for a document, or one
            is of the other kind or empty.
    """
    wanted = "question tree" if tree else "summary"
    chosen: dict[str, dict[str, Candidate]] = {}
    for document, systems in by_document(made).items():
        chosen[document] = {}
        for system, candidates in systems.items():
            candidate, *more = candidates
            if more:
                raise LongsumError(
                    f"{system} has {len(candidates)} summaries or trees of the document "
                    f"{quote(document)}; give one {wanted} of each system and document."
                )
            if not (candidate.tree and candidate.tree.questions if tree else candidate.sentences):
                raise LongsumError(
                    f"What {system} made of {quote(document)} is not a {wanted}, or an empty one; "
                    f"leave it out, or choose a study of {'summaries' if tree else 'trees'}."
                )
            chosen[document][system] = candidate
    return chosen


def _values(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        yield parse_json(text)
    except json.JSONDecodeError:
        for line in text.splitlines():
            if line.strip():
                yield parse_json(line)


def _candidate(value: Mapping[str, Any]) -> Candidate:
    if value.get("schema") in (_SUMMARY, _QUESTIONS):
        return _from_result(value, value["document"]["sha256"], value["system"])
    document, system = _name(value["id"]), value["system"]
    if "tree" in value:
        return Candidate(document, _name(system), tree=tree_from_json(value["tree"]))
    if isinstance(value["summary"], str):
        return Candidate(document, _name(system), sentences=sentences_of(value["summary"]))
    return _from_result(value["summary"], document, system)


def _from_result(value: Mapping[str, Any], document: Any, system: Any) -> Candidate:
    """Return the candidate of a result file of longsum."""
    described = value["document"]
    title, sha256 = clean(described["title"]), _name(described["sha256"])
    if value["schema"] == _QUESTIONS:
        tree = _tree(value["nodes"])
        return Candidate(_name(document), _name(system), title, tree=tree, sha256=sha256)
    sentences = tuple(clean(sentence["text"]) for sentence in value["summary"]["sentences"])
    return Candidate(_name(document), _name(system), title, sentences, sha256=sha256)


def _tree(nodes: list[Mapping[str, Any]]) -> QuestionTree:
    """Return the tree of nodes that state their parents' positions, parents before children."""
    below: dict[int | None, list[Question]] = defaultdict(list)
    for place, node in reversed(list(enumerate(nodes))):
        parent = node["parent"]
        if parent is not None and not 0 <= parent < place:
            raise ValueError("a node before its parent")
        question = f"{node['title']} [{node['asks']}]" if node["asks"] else node["title"]
        children = tuple(reversed(below.pop(place, [])))
        below[parent].append(Question(clean(question), clean(node["text"]), children))
    return QuestionTree(tuple(reversed(below[None])))


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError("not a name")
    return shorten(clean(value), 200)


REFERENCE = "reference"
"""The name of reference summaries among systems."""
ShownSource = Literal["nothing", "title", "document"]
"""How much of a document people see: nothing, its title, or all of it with its references."""


@dataclass(frozen=True, slots=True)
class Original:
    """A document and its references.

    Attributes:
        document: The document; None if it is not known.
        references: Its reference summaries; empty if they are not known.
    """

    document: Document | None
    references: tuple[str, ...] = ()

    def shown(self, title: str, beside: ShownSource) -> dict[str, Any]:
        """Return what a page shows of the document, as JSON values.

        Args:
            title: The title to use if the document has none.
            beside: How much of it is shown.
        """
        title = (self.document.title if self.document else "") or title
        if beside != "document":
            return {"title": title if beside == "title" else "", "text": [], "references": []}
        return {"title": title, "text": self.text(), "references": list(self.references)}

    def text(self) -> list[dict[str, Any]]:
        """Return headings with their levels, and paragraphs, in reading order, as JSON values."""
        blocks: list[dict[str, Any]] = []
        for section in self.document.walk() if self.document else ():
            if section.title:
                blocks.append({"level": section.level, "text": section.title})
            for paragraph in section.paragraphs:
                blocks.append({"text": " ".join(sentence.text for sentence in paragraph)})
        return blocks


@dataclass(frozen=True, slots=True)
class Originals:
    """The documents of a study.

    Attributes:
        by_id: The documents by identifier in a data set, or by the SHA-256 of their text.
    """

    by_id: Mapping[str, Original]

    @classmethod
    def of_documents(cls, documents: Iterable[Document]) -> "Originals":
        """Return the originals for documents without references."""
        return cls({document.sha256: Original(document) for document in documents})

    def with_examples(self, examples: Iterable[tuple[str, Original]]) -> "Originals":
        """Return these documents together with others, which come with their identifiers."""
        return Originals({**self.by_id, **dict(examples)})

    def with_references(self, made: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates, with the first reference of each document as a further system.

        Raises:
            LongsumError: A document has no reference.
        """
        first = {candidate.document: candidate for candidate in reversed(made)}
        candidates = list(made)
        for candidate in reversed(first.values()):
            references = self.of(candidate).references
            if not references:
                raise LongsumError(
                    f"The reference of the document {quote(candidate.document)} is not known; give "
                    "the data set that has it with --data."
                )
            sentences = sentences_of(references[0])
            candidates.append(replace(candidate, system=REFERENCE, sentences=sentences, tree=None))
        return candidates

    def of(self, made: Candidate) -> Original:
        """Return the document of a candidate; an empty one if it is not known."""
        return self.by_id.get(made.document) or self.by_id.get(made.sha256) or Original(None)
