from dataclasses import replace

from markdown_it import MarkdownIt

from document_views import document_of
from longsum import read_bytes, summarize
from longsum.core.summaries import Doubt
from longsum.core.summaries.formats import (
    footnote,
    levels_to_markdown,
    levels_to_text,
    section_place,
    to_markdown,
    to_text,
)
from longsum.core.summaries.sentence import Deletion, Rival
from longsum.core.summaries.summary import Explanation, Importance, Level, PartSummary
from longsum.documents import DocumentTree
from longsum.documents.dossier import joined
from summary_views import sentences_of, summary_of

TOLD = """\
The river carries water from the mountains to the sea every single year.

Engineers built dams so that floods of the river do less damage. New bridges let the railway cross \
the river safely.

Where each sentence came from, and why

  1. The river carries water from the mountains to the sea every single year.
     §1 Rivers, characters 20–92
     check: the number two_3 is nowhere in the document
     copied, choice 1, score 0.0123 = wording 0.0137 - place 0.0014
     chosen over: Fishermen of the valley sell river trout at the market.
     left out: The river; every single year
     of topic 1: river
     keywords: the river
  2. Engineers built dams so that floods of the river do less damage.
     §1.1 Floods, characters 365–429 (by the model's citation)
     §2 Railways, characters 558–609
     expanded, choice 2, score 0.500 = x 0.500
     expands: Dams do less damage.
     instead of: The railway company runs trains through the valley to the coast. Trains carry \
passenger… (score 0.123, repeats 2)
     of topic 1: river, floods
     keywords: the river
  3. New bridges let the railway cross the river safely.
     generated
     of topic 1: river
     keywords: the river

wording: what the sentence itself says, and at what length
place: where it stands in document, section and paragraph

Topic 1: river, floods
Topic 2: coal
Keywords: the river, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
Weights: topics 0.9, place -0.25

Importance of each sentence, by a test, of 4 of 9 sentences, from · (low) over ▁▂▄▆ to █ (high)
§1 Rivers
  ·· ▂
§1.1 Floods
   █
"""
TOLD_IN_MARKDOWN = r"""
[^1]: §1 Rivers, characters 20–92. Check: the number two\_3 is nowhere in the document. copied, \
choice 1, score 0.0123 = wording 0.0137 - place 0.0014. chosen over: Fishermen of the valley sell \
river trout at the market.. left out: The river; every single year. of topic 1: river. keywords: \
the river
[^2]: §1.1 Floods, characters 365–429 (by the model's citation); §2 Railways, characters 558–609. \
expanded, choice 2, score 0.500 = x 0.500. expands: Dams do less damage.. instead of: The railway \
company runs trains through the valley to the coast. Trains carry passenger… (score 0.123, \
repeats 2). of topic 1: river, floods. keywords: the river
[^3]: generated. of topic 1: river. keywords: the river

- wording: what the sentence itself says, and at what length
- place: where it stands in document, section and paragraph

- Topic 1: river, floods
- Topic 2: coal
- Keywords: the river, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
- Weights: topics 0.9, place -0.25

    Importance of each sentence, by a test, of 4 of 9 sentences, from · (low) over ▁▂▄▆ to █ (high)
    §1 Rivers
      ·· ▂
    §1.1 Floods
       █
""".replace("\\\n", "")


def test_markdown_syntax_in_a_document_is_escaped():
    text = "The *value* of a_b is <b>5</b> | `x` # [link](to) in this long sentence."
    markdown = to_markdown(summarize(document_of(text, title="A *title*"), "1s"))
    html = MarkdownIt().render(markdown.split("\n\n")[1])
    assert "<em>" not in html
    assert "<b>" not in html
    assert "<a " not in html
    assert "<code>" not in html


def test_sections_of_a_dossier_have_the_numbers_of_their_documents():
    given = ("# Dam\n\n## Water\n\nIt is cold.\n\n## Ice\n\nIt is thin.", "Boats came.")
    tree = DocumentTree(joined([read_bytes(text.encode(), "a.md") for text in given]))
    found = [section_place(tree, number) for number in range(len(tree.sections))]
    assert found == ["Dam", "Dam, §1 Water", "Dam, §2 Ice", "a.md"]


def test_a_source_states_its_place_and_how_it_was_found(small):
    (sentence,) = sentences_of(small, 5)
    words = {"aligned": "its words", "attention": "the model's attention"}
    for method, told in {"copied": "", **words, "cited": "the model's citation"}.items():
        found = replace(sentence, sources=(replace(sentence.sources[0], method=method),))
        place = "§1.1 Floods, characters 365–429" + f" (by {told})" * bool(told)
        assert footnote(found, DocumentTree(small), small) == place
    unfounded = replace(sentence, sources=())
    assert footnote(unfounded, DocumentTree(small), small) == "no source found"
    paged = replace(sentence, sources=(replace(sentence.sources[0], page=3),))
    told = footnote(paged, DocumentTree(small), small)
    assert told == "§1.1 Floods, p. 3, characters 365–429"


def test_sections_without_a_title_are_named_if_there_are_others():
    document = document_of("It rains.", "# Dams", "It is.", "#", "It was.", "# 4 Ice", "It was.")
    tree = DocumentTree(document)
    named = [section_place(tree, number) for number in range(len(tree.sections))]
    alone = DocumentTree(document_of("It rains."))
    named_as = ["§1 Opening text", "§2 Dams", "§3 Untitled section", "4 Ice"]
    assert (named, section_place(alone, 0)) == (named_as, "")


def test_an_explained_summary_shows_everything_known_about_it(small):
    copied, other, plain = sentences_of(small, 0, 5, 8)
    cut = small.sentences[0]
    sentences = (
        replace(
            copied,
            score=0.0123,
            reasons={"wording": 0.0137, "place": -0.0014},
            runner_up=3,
            doubts=(Doubt("number", "missing", "document", "two_3"),),
            deletions=(
                Deletion(cut.start, cut.start + 9, "opener"),
                Deletion(cut.end - 18, cut.end - 1, "aside"),
            ),
        ),
        replace(
            other,
            sources=(replace(other.sources[0], method="cited"), *plain.sources),
            expands="Dams do less damage.",
            rivals=(Rival((6, 7), 0.12345, 2),),
        ),
        replace(plain, reasons={}, sources=()),
    )
    explanation = Explanation(
        (("river", "floods"), ("coal",)),
        (("the river", 0.5), *((str(n), 0.1) for n in range(20))),
        {"topics": 0.9, "place": -0.25},
    )
    summary = summary_of(small, sentences=sentences, explanation=explanation)
    weights = (0.1, 0.2, None, 0.3, None, 0.4, None, None, None)
    summary = replace(summary, importance=Importance("a test", weights))
    assert to_text(summary, explain=True, headings=False) == TOLD
    assert to_markdown(summary, explain=True).endswith(TOLD_IN_MARKDOWN)


def test_parts_of_levels_have_a_title_or_number_and_a_text_or_placeholder(small):
    first, second = sentences_of(small, 4, 8)
    parts = (PartSummary("A *part*", 99, 30, (first, second)), PartSummary("", 3, 0, ()))
    levels = (Level(parts), Level(parts[:1]))
    texts = f"{first.text} {second.text}"
    assert levels_to_text(levels) == (
        f"Level 1: 2 parts in 21 words\n\nA *part*\n\n  {texts}\n\nPart 2\n\n  (nothing)\n\n"
        f"Level 2: 1 part in 21 words\n\nA *part*\n\n  {texts}\n"
    )
    assert levels_to_markdown(levels) == (
        f"## Level 1: 2 parts in 21 words\n\n### A \\*part\\*\n\n{texts}\n\n### Part 2\n\n"
        f"(nothing)\n\n## Level 2: 1 part in 21 words\n\n### A \\*part\\*\n\n{texts}\n"
    )
