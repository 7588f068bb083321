"""What a parser adds to a check, if one is installed."""

import sys
from collections.abc import Iterable, Iterator
from types import ModuleType, SimpleNamespace

import pytest

import longsum
from longsum.checking import syntax
from longsum.common.errors import LongsumError
from longsum.core.summaries import Doubt

SOURCE = "Carthage defeated Rome on the plain in spring."
TURNED = "In spring, Carthage was defeated by Rome on the plain."
REWORDED = "In spring, Rome was defeated by Carthage on the plain."
ACTIVE = "nsubj ROOT dobj prep det pobj prep pobj punct"
PASSIVE = "prep pobj punct nsubjpass auxpass ROOT agent pobj prep det pobj punct"
HEADS = {
    SOURCE: (ACTIVE, (1, 1, 1, 1, 5, 3, 1, 6, 1)),
    **dict.fromkeys((TURNED, REWORDED), (PASSIVE, (5, 0, 5, 5, 5, 5, 5, 6, 5, 10, 8, 5))),
}


class Pipeline:
    """Parses the sentences in `HEADS`.

    Attributes:
        asked: The texts that it has parsed.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []

    def pipe(self, texts: Iterable[str]) -> Iterator[list]:
        for text in texts:
            self.asked.append(text)
            yield self._parsed(text)

    def _parsed(self, text: str) -> list:
        relations, heads = HEADS[text]
        words, start = [], 0
        for word in text.replace(",", " ,").replace(".", " .").split():
            start = text.index(word, start)
            kind = "VERB" if word == "defeated" else "AUX" if word == "was" else "NOUN"
            words.append(SimpleNamespace(text=word, idx=start, lemma_=word, pos_=kind, tag_=""))
            start += len(word)
        for place, (token, relation) in enumerate(zip(words, relations.split(), strict=True)):
            token.dep_, token.head, token.i = relation, words[heads[place]], place
        return words


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    found = Pipeline()
    monkeypatch.setattr(syntax, "_pipeline", lambda: found)
    return found


@pytest.mark.usefixtures("pipeline")
def test_roles_that_change_with_the_voice_are_found_by_parses() -> None:
    (found,) = longsum.check(TURNED, SOURCE).sentences
    (finding,) = found.findings
    assert (found.verdict, finding.kind, finding.sentence) == ("differs", "role", 0)
    assert TURNED[finding.start : finding.end] == finding.text == "Carthage was defeated"
    assert finding.instead == "Carthage defeated"


@pytest.mark.usefixtures("pipeline")
def test_a_claim_in_the_passive_voice_is_confirmed() -> None:
    (found,) = longsum.check(REWORDED, SOURCE).sentences
    assert (found.verdict, found.findings) == ("confirmed", ())


def test_a_claim_unlike_its_source_is_not_parsed(pipeline: Pipeline) -> None:
    longsum.check("Quite other things were said by Rome and its friends elsewhere.", SOURCE)
    assert pipeline.asked == []


@pytest.mark.parametrize(
    ("alike", "others", "asked"),
    [
        ((0.39, 0.2), {}, []),
        ((0.4,), {}, ["company of 0"]),
        ((0.49, 0.5), {}, ["company of 0", "side of 1", "company of 1"]),
        ((0.5, 0.39, 0.4), {}, ["side of 0", "company of 0", "company of 2"]),
        ((0.5, 0.5), {"side of 0"}, ["side of 0"]),
        ((0.4, 0.5), {"company of 0"}, ["company of 0"]),
        ((), {}, []),
    ],
)
def test_sources_are_compared_that_are_alike_enough_until_one_is_turned(
    alike, others, asked, monkeypatch
) -> None:
    heard: list[str] = []
    sources = [(10 + place, f"{place} sees all") for place in range(len(alike))]

    def compared(what: str):
        def compare(claim: str, source: str, *rest: list[str]):
            assert claim == "All see it"
            assert rest in ((), ([text for _, text in sources],))
            heard.append(f"{what} of {source[0]}")
            return ((4, 7), (2, 6)) if heard[-1] in others else None

        return compare

    class Alike(str):
        of = classmethod(lambda cls, text: cls(text))

        def likeness(self, other: str) -> float:
            return alike[int(other[0])]

    monkeypatch.setattr(syntax, "StemmedText", Alike)
    monkeypatch.setattr(syntax, "_pipeline", lambda: SimpleNamespace(pipe=list))
    monkeypatch.setattr(syntax, "_parsed", lambda text: text)
    monkeypatch.setattr(syntax, "on_other_side", compared("side"))
    monkeypatch.setattr(syntax, "in_other_company", compared("company"))
    found = [*syntax.turned_roles("All see it", sources)]
    assert heard == asked
    assert found == [
        Doubt("role", "differs", "cited", "see", 4, 7, "sees", sentence=10) for _ in others
    ]


def test_without_a_parser_nothing_is_compared_by_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "find_spec", lambda _: None)
    assert syntax._pipeline.__wrapped__() is None
    monkeypatch.setattr(syntax, "_pipeline", lambda: None)
    assert [*syntax.turned_roles(TURNED, [(0, SOURCE)])] == []


def test_a_pipeline_that_cannot_be_loaded_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, **_: list[str]) -> None:
        raise OSError(f"{name} is of another version")

    spacy = ModuleType("spacy")
    monkeypatch.setattr(spacy, "load", load, raising=False)
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    monkeypatch.setattr(syntax, "find_spec", lambda name: name)
    with pytest.raises(LongsumError, match="python -m spacy download en_core_web_sm"):
        syntax._pipeline.__wrapped__()
