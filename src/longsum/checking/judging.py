"""A second opinion on a checked text by an inference model; it never changes a verdict."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from longsum.checking.text_check import CheckedSentence, Opinion, TextCheck
from longsum.common.extras import missing_extras_explained
from longsum.common.registry import find
from longsum.core.loading import is_chat
from longsum.documents.model import Sentence


class Judge(Protocol):
    """A model that compares a claim with a text."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    def opinion(self, source: str, claim: str) -> Opinion | None:
        """Return whether a text entails a claim; None if the model gave no valid answer."""
        ...


@missing_extras_explained()
def load_judge(name: str, *, allow_net: bool = False) -> Judge:
    """Load a model that gives second opinions.

    Args:
        name: The folder of a classifier with the labels entailment, neutral and contradiction; or a
            language model, its folder or the address of its endpoint.
        allow_net: Whether an endpoint on another machine may be called.

    Raises:
        LongsumError: There is no such model, it has other labels, or an endpoint may not be called.
    """
    if is_chat(name):
        chat: Judge = find("judges", "chat")(name, allow_net=allow_net)
        return chat
    judge: Judge = find("judges", "any")(name)
    return judge


def judged(check: TextCheck, judge: Judge) -> TextCheck:
    """Return a check with an opinion on each sentence that has sources; verdicts are unchanged."""
    sentences = tuple(
        replace(each, opinion=_opinion(each, check.document.sentences, judge))
        for each in check.sentences
    )
    return replace(check, sentences=sentences, judge=judge.name)


def _opinion(
    sentence: CheckedSentence, document: Sequence[Sentence], judge: Judge
) -> Opinion | None:
    """Return the opinion on a sentence and its sources in document order."""
    places = sorted({source.sentence for source in sentence.sources})
    if not places:
        return None
    return judge.opinion(" ".join(document[place].text for place in places), sentence.text)
