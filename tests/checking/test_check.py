"""A text is checked against its documents by their words alone."""

import json
from dataclasses import replace

import numpy as np
import pytest

import longsum
from longsum import read_bytes
from longsum.checking import checker, support
from longsum.checking.checker import checked_against
from longsum.checking.citations import citations_in, misquoted, without
from longsum.checking.cited_works import cited_works
from longsum.checking.formats import to_json, to_text
from longsum.checking.page import render_check
from longsum.core.grounding.evidence import Evidence
from longsum.core.pages.page import asset, viewer_script
from longsum.evaluation.datasets import Example
from longsum.lab.comparison.comparison_metrics import DOUBTS
from schemas import schema

DAM = """# The dam

## History

The dam was built by Alpha Corporation in 1931. It cost 984 thousand dollars and took three years.
Output rose by 12 percent after the repair. The board did not approve a second dam.

## People

The Department of Inland Waters (DIW) employs 40 engineers. Beta Limited sued Alpha Corporation.
The report says that “water levels were never measured in winter”.
"""


def verdict(claim: str) -> tuple[str, list[str]]:
    (found,) = longsum.check(claim, DAM).sentences
    return found.verdict, [finding.kind for finding in found.findings]


@pytest.mark.parametrize(
    ("claim", "kind", "text", "said", "sources"),
    [
        (
            *("Alpha Corporation built the dam in 1913.", "date", "1913"),
            *("where it has the date 1913, sentence 1 of the document has 1931", [0, 5]),
        ),
        (
            *("It cost 894 thousand dollars and took three years.", "money"),
            *(
                "894 thousand dollars",
                "the sum 894 thousand dollars is nowhere in the document",
                [1],
            ),
        ),
        (
            *("It cost 984 thousand dollars and took three months.", "unit", "months"),
            *("sentence 2 of the document has years in place of months", [1]),
        ),
        (
            *("It cost 984 thousand dollars and took five years.", "unit", "five"),
            *("sentence 2 of the document has three in place of five", [1]),
        ),
        (
            *("Output rose by 10 percent after the repair.", "quantity", "10 percent"),
            *("the quantity 10 percent is nowhere in the document", [2]),
        ),
        (
            *("Output fell by 12 percent after the repair.", "direction", "fell"),
            *("it says “fell” where sentence 3 of the document says “rose”", [2]),
        ),
        (
            *("Output rose by 12 percent before the repair.", "direction", "before"),
            *("it says “before” where sentence 3 of the document says “after”", [2]),
        ),
        (
            *(
                "Alpha Corporation sued Beta Limited.",
                "role",
                "Alpha Corporation sued Beta Limited",
            ),
            "it says “Alpha Corporation sued Beta Limited” where sentence 6 of the document says "
            "“Beta Limited sued Alpha Corporation”",
            [5, 0],
        ),
        (
            *("The dam was built by Gamma Corporation in 1931.", "name", "Gamma Corporation"),
            *("the name Gamma Corporation is nowhere in the document", [0]),
        ),
        (
            "It says that “water levels were never measured in spring”.",
            *("quotation", "water levels were never measured in spring"),
            "the document does not have the words “water levels were never measured in spring”",
            [6],
        ),
    ],
)
def test_a_single_change_is_found_and_named(claim, kind, text, said, sources) -> None:
    (found,) = longsum.check(claim, DAM).sentences
    (finding,) = found.findings
    assert (finding.kind, finding.text, str(finding)) == (kind, text, said)
    assert claim[finding.start : finding.end] == text
    assert found.verdict == finding.finding.replace("missing", "not_found")
    assert [each.sentence for each in found.sources] == sources


def test_findings_are_in_the_order_of_the_sentence() -> None:
    (found,) = longsum.check("He said “levels were low” at Oslo [2] in 1913.", DAM, RIVER).sentences
    assert [each.text for each in found.findings] == ["", "levels were low", "Oslo", "1913"]
    (found,) = longsum.check("The board approved a second dam.", DAM).sentences
    assert [(each.kind, each.text) for each in found.findings] == [
        ("negation", "The board approved a second dam"),
        ("direction", "approved"),
    ]


CLAIMS = {
    "confirmed": (
        "The dam was built by Alpha Corporation in 1931.",
        "It cost about 980 thousand dollars and took 3 years.",
        "Output increased by 12 percent after the repair.",
        "The Department of Inland Waters employs forty engineers.",
        "DIW employs 40 engineers.",
        "Alpha Corporation was sued by Beta Limited.",
        "The report says that “water levels were never measured … in winter”.",
        "The report says that “[w]ater levels were never measure[d] in winter”.",
    ),
    "not_checkable": ("What did the dam cost?", "She asked “what did it cost?”", "Yes, it did."),
    # Words of the document that it does not say together, and others.
    "not_found": (
        "The engineers of the dam disliked the repair.",
        "Output of the department was measured by the board.",
        "The repair of the dam took the engineers of Alpha Corporation a long winter.",
        "Penguins breed on the frozen coasts of the south.",
    ),
}


@pytest.mark.parametrize(
    ("claim", "expected"), [(claim, each) for each, claims in CLAIMS.items() for claim in claims]
)
def test_without_a_change_nothing_differs(claim: str, expected: str) -> None:
    assert verdict(claim) == (expected, ["source"] * (expected == "not_found"))


def test_text_between_two_quotations_is_not_quoted() -> None:
    document = longsum.read_bytes(DAM.encode())
    text = 'The "dam was built" one day, he told us there, "in 1931" and "by Beta Limited of".'
    assert [found.text for found in misquoted(text, document)] == ["by Beta Limited of"]


@pytest.mark.parametrize(
    ("cited", "pages", "numbers"),
    [
        *(("(p. 3)", [3], []), ("[pp. 3–5]", [3, 4, 5], []), ("(Smith 2020, p. 7)", [], [])),
        *(("p. 3", [], []), ("[12]", [], [12]), ("[1, 3–5]", [], [1, 3, 4, 5])),
        *(("[9-2]", [], [9]), ("[t]he", [], []), ("[2019]", [], []), ("[3-3]", [], [3])),
        *(("[2-51]", [], [*range(2, 52)]), ("[2-52]", [], [2]), ("(p. 7-9)", [7, 8, 9], [])),
    ],
)
def test_pages_and_numbers_are_read_only_in_citations(cited, pages, numbers) -> None:
    text = f"The dam {cited} leaks."
    found = citations_in(text)
    assert [page for each in found for page in each.pages] == pages
    assert [number for each in found for number in each.numbers] == numbers
    blank = " " * len(cited)
    assert without(text, found) == (text.replace(cited, blank) if pages or numbers else text)


RIVER = (
    "# Floods of the river\n\n## Today\n\n"
    "The river floods in June. Output rose by 15 percent in Ohio.\n"
)
LIST = (
    "## References\n\n[4] Roe, J. (2019). *Floods of the river*. Press.\n\n[5] A lost work, 2001.\n"
)


@pytest.mark.parametrize(
    ("claim", "kinds"),
    [
        ("The dam was built by Alpha Corporation in 1931 [1].", []),
        ("The dam was built by Alpha Corporation in 1931 [1, 2].", []),
        ("The dam was built by Alpha Corporation in 1931 [2].", ["citation"]),
        ("Output rose by 15 percent in Ohio [1].", ["citation"]),
        ("Output increased by 12 percent after the repair [1].", []),
        ("The dam was built by Alpha Corporation in 1913 [2].", ["date"]),
        (f"The river floods in June [4].\n\n{LIST}", []),
        (f"Beta Limited sued Alpha Corporation [4].\n\n{LIST}", ["citation"]),
        (f"Beta Limited sued Alpha Corporation [5] [4].\n\n{LIST}", ["citation"]),
        (f"Beta Limited sued Alpha Corporation [5].\n\n{LIST}", []),
    ],
)
def test_a_number_cites_a_document_in_order_or_by_the_list(claim: str, kinds: list[str]) -> None:
    first = longsum.check(claim, DAM, RIVER).sentences[0]
    assert [finding.kind for finding in first.findings] == kinds
    assert all(claim[each.start : each.end] == each.text for each in first.findings)
    if kinds == ["citation"]:
        work = "Floods of the river" if "Ohio" in claim else "The dam"
        assert f"of “{work}”, says so" in str(first.findings[0])


def test_numbers_that_cite_no_document_are_reported() -> None:
    notes = longsum.check(f"The river floods in June [5].\n\n{LIST}", DAM, RIVER)
    assert "[5], whose entry names no document" in notes.notices[0]
    # Entries of the list that nothing cites are none.
    assert longsum.check(f"The river floods in June [4].\n\n{LIST}", RIVER).notices == ()
    more = longsum.check("The river floods in June [3].", DAM, RIVER)
    assert "[3], but has no reference list" in more.notices[0]
    assert to_json(more)["warnings"] == list(more.notices)


def test_a_file_is_cited_by_its_name(tmp_path) -> None:
    place = tmp_path / "river.txt"
    place.write_text("The river floods in June. It rains.")
    text = longsum.read_bytes(b"It rains [1].\n\n## References\n\n[1] See river.txt, 2020.\n")
    documents = [longsum.read_bytes(b"It snows."), longsum.read(place)]
    assert cited_works(text, documents) == ({1: 1}, ())
    # A part of a name, or a title of one word, names nothing.
    for entry in ("See ariver.txt, 2020", "See Rain, 2020"):
        text = longsum.read_bytes(f"It rains [1].\n\n## References\n\n[1] {entry}.\n".encode())
        document = replace(documents[1], sections=longsum.read_bytes(b"# Rain\n\nIt.").sections)
        assert cited_works(text, [replace(document, title="Rain")])[0] == {}
    # Entries without a number are counted.
    text = longsum.read_bytes(
        b"# Rain\n\nIt rains [2].\n\n## References\n\nRoe, J. (2019). Snow. Press.\n\n"
        b"See river.txt, 2020.\n"
    )
    assert cited_works(text, documents) == ({2: 1}, ())


@pytest.mark.parametrize(
    ("cited", "known", "unknown"),
    [
        ("[1] and [2]", {1: 0, 2: 1}, ""),
        ("[1]", {1: 0, 2: 1}, ""),
        ("[3] and [1, 0]", {}, "[0], [1], [3], but"),
        ("[0]", {}, "[0], but"),
    ],
)
def test_without_a_list_numbers_are_those_of_documents_unless_one_is_none(
    cited: str, known: dict[int, int], unknown: str
) -> None:
    documents = [longsum.read_bytes(text) for text in (b"It snows.", b"It rains.")]
    found, notices = cited_works(longsum.read_bytes(f"It rains {cited}.".encode()), documents)
    assert found == known
    assert [notice[: len(f"The text cites {unknown}")] for notice in notices] == (
        [f"The text cites {unknown}"] if unknown else []
    )


def test_a_wrong_page_in_a_citation_is_reported() -> None:
    pages = longsum.read_bytes(DAM.encode())
    numbered = tuple(
        replace(
            section,
            paragraphs=tuple(
                tuple(replace(each, page=10 + 10 * place) for each in paragraph)
                for paragraph in section.paragraphs
            ),
        )
        for place, section in enumerate(pages.sections)
    )
    paged = replace(pages, sections=numbered)
    for cited, wrong in (
        *(("(p. 18)", ["(p. 18)"]), ("(p. 19)", []), ("(p. 21)", []), ("(p. 22)", ["(p. 22)"])),
        *(("(pp. 8–19)", []), ("(p. 20) (p. 10)", ["(p. 10)"]), ("(p. 10) (p. 20)", ["(p. 10)"])),
    ):
        claim = f"Beta Limited sued Alpha Corporation {cited}."
        (found,) = longsum.check(claim, paged).sentences
        assert [claim[each.start : each.end] for each in found.findings] == wrong
        assert [str(each) for each in found.findings] == [
            f"it cites {each}, but sentence 6 of the document is on p. 20" for each in wrong
        ]
        assert found.sources[0].sentence == 5
    # What stands on more pages than are told stands on each of them.
    document = longsum.read_bytes(b"\n\n".join([*[b"It rains in June at sea."] * 4, b"It snows."]))
    (section,) = document.sections
    paragraphs = tuple(
        (replace(each, page=10 * place),) for place, (each,) in enumerate(section.paragraphs, 1)
    )
    document = replace(document, sections=(replace(section, paragraphs=paragraphs),))
    for page, verdict in ((10, "confirmed"), (40, "confirmed"), (50, "differs")):
        text = f"It rains in June at sea (p. {page})."
        assert longsum.check(text, document).sentences[0].verdict == verdict


def test_a_figure_of_another_unit_is_no_correction() -> None:
    document = "The mines used 91 TWh of power in 2021. Coal had a share of 23% in 1990 elsewhere."
    for figure, elsewhere in (("23%", ", but in sentence 2"), ("57%", "")):
        (found,) = longsum.check(f"The mines used {figure} of power in 2021.", document).sentences
        assert [str(each) for each in found.findings] == [
            f"the quantity {figure} is not in the cited sentences{elsewhere}"
        ]
    # What stands nowhere, and has nothing to be compared with, is sought in all of the document.
    (found,) = longsum.check("The mines used power in 2021 at 57%.", document).sentences
    assert [each.looked for each in found.findings] == ["document"]


def test_headings_are_counted_and_entries_of_references_are_not_checked() -> None:
    found = longsum.check(f"# One\n\n## Two\n\nThe river floods in June [4].\n\n{LIST}", RIVER)
    assert found.headings == to_json(found)["headings"] == 2
    assert "2 headings left out" in to_text(found)
    assert {each.verdict for each in found.sentences[1:]} == {"not_checkable"}


def test_a_sentence_is_looked_for_in_all_documents() -> None:
    found = longsum.check("The lake froze in March.", DAM, "The lake froze in March. It snowed.")
    assert (found.sentences[0].verdict, found.sentences[0].unmatched_note) == ("confirmed", "")
    assert to_text(found).startswith("1 sentence: 1 confirmed\n")
    place = found.sentences[0].sources[0]
    assert found.document.text[place.start : place.end] == "The lake froze in March."


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        *(("Rain fell.", True), ("Rain.", False), ("In summary:", False), ("", False)),
        *(("Did rain fall?", False), ("“Did rain fall?”) ", False), ("Rain fell? It did.", True)),
    ],
)
def test_questions_and_single_words_are_not_claims(text: str, claims: bool) -> None:
    assert checker.is_checkable(text) is claims


def test_a_claims_negation_is_looked_up_in_eight_of_the_two_dozen_nearest(monkeypatch) -> None:
    asked: list[tuple[str, int]] = []

    def asking(own: object, others: list[object]) -> list[object]:
        asked.append((type(own).__name__, len(others)))
        return []

    monkeypatch.setattr(checker, "undenied", asking)
    monkeypatch.setattr(checker, "unscoped", asking)
    sites = " ".join(f"The dam of Rome holds water at site {number}." for number in range(30))
    assert longsum.check("The dam of Rome holds water at a site.", sites).sentences
    assert asked == [("StemmedText", 8), ("StemmedText", 24)]


def test_json_follows_the_published_schema_and_no_text_becomes_markup() -> None:
    checked = longsum.check("Output <b>fell</b> by 12 percent after the repair. Why?", DAM)
    value = json.loads(json.dumps(to_json(checked)))
    schema("check-1").validate(value)
    assert value["counts"] == {"confirmed": 0, "differs": 1, "not_found": 0, "not_checkable": 1}
    assert sum(value["counts"].values()) == len(value["sentences"])
    page = render_check(checked)
    assert "<mark>fell</mark>" in page
    assert "<b>fell</b>" not in page
    assert viewer_script("check.js") in page
    assert all(asset(f"{name}.css") in page for name in ("base", "viewer", "check"))


def test_reading_and_checking_are_timed_apart(monkeypatch) -> None:
    monkeypatch.setattr(checker, "perf_counter", iter((1.0, 3.0, 7.0)).__next__)
    assert longsum.check("It is warm in June.", DAM).timings == {"reading": 2, "checking": 4}


def test_nothing_to_check_against_is_an_error() -> None:
    with pytest.raises(longsum.LongsumError, match="no document to check against"):
        longsum.check("The dam was built.")


def test_the_metric_counts_sentences_that_the_check_does_not_confirm() -> None:
    document = read_bytes(b"The dam was built in 1931. The river floods in June.")
    example = Example("one", document, ("The dam was built.",), "train", "", {})
    summary = longsum.summarize(document, length="2s")
    assert DOUBTS.score(summary, example) == {"doubted": 0, "differing": 0}
    told = checked_against("The dam was built in 1932. Why?", document)
    assert [each.verdict for each in told] == ["differs", "not_checkable"]
    assert checked_against(" ", document) == ()


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("Mining needs no electricity at all.", "no electricity"),
        ("Mining needs electricity.", None),
        ("Mining never cools the halls.", None),  # "not" stands there, of something else
    ],
)
def test_a_negation_that_no_similar_sentence_has_is_not_confirmed(claim, denied) -> None:
    source = (
        "Mining needs electricity to run the devices that compute, to light the halls in which "
        "they stand in long rows through the year, and to keep all whom it may concern awake."
    )
    (found,) = longsum.check(claim, f"{source} Mining does not cool the halls.").sentences
    missing = [each for each in found.findings if each.finding == "missing"]
    assert [each.text for each in missing if each.kind == "negation"] == [denied] * bool(denied)
    assert (found.verdict == "confirmed") is (denied is None)


def test_words_that_no_source_has_are_listed_even_if_a_claim_is_confirmed() -> None:
    check = longsum.check(
        "The dam cost 984 thousand dollars. Output soared by 12 percent after the repair.", DAM
    )
    assert [each.verdict for each in check.sentences] == ["confirmed", "confirmed"]
    assert [each.unmatched for each in check.sentences] == [("dam",), ("soared",)]
    assert "2 confirmed (2 in other words)" in to_text(check)
    assert "not in its sources: soared" in to_text(check)


def test_a_paraphrase_is_a_source() -> None:
    report = "During the voyage the captain several times saw the gamblers talking earnestly."
    claim = "On the trip, the captain repeatedly saw the gamblers in earnest conversation."
    (checked,) = longsum.check(claim, f"The harbour was dredged in spring. {report}").sentences
    (source,) = checked.sources
    assert (source.sentence, source.method, round(source.score, 3)) == (1, "aligned", 0.351)
    assert checked.verdict == "confirmed"
    assert checked.unmatched == ("trip", "repeatedly", "earnest", "conversation")


def test_a_claim_in_the_words_of_a_sentence_needs_no_vector(monkeypatch) -> None:
    monkeypatch.setattr(support, "_vectors", None)
    assert verdict("The board did not approve a dam.") == ("confirmed", [])


def test_the_probability_of_support_by_hand(monkeypatch) -> None:
    features = np.array([[0.6, 0.1, 0.3], [0.1, 0.7, 0.3], [0.5, 0.6, 0.3]])
    monkeypatch.setattr(support, "support_features", lambda *_: features)
    # −11.42 + 9.74 · 0.5 + 7.76 · 0.6 + 5.90 · 0.3 = −0.124
    found = support.support("It is so.", None, [(4, 0.6), (5, 0.1), (7, 0.5)])  # type: ignore[arg-type]
    assert found == (7, pytest.approx(0.469, abs=5e-4))
    assert support.support("It is so.", None, []) == (-1, 0.0)  # type: ignore[arg-type]


def test_features_of_sentences_are_shares_cosines_and_the_most_pairs() -> None:
    sentences = ["Red dams hold.", "Blue dams hold water.", "Rain."]
    near = [(1, 0.5), (2, 0.25), (0, 0.125)]
    # Of the claim's pairs the second sentence has two of three.
    claim = "Red dams hold water."
    vectors = dict(zip([claim, *sentences], support._vectors([claim, *sentences]), strict=True))
    found = support.support_features(claim, Evidence(sentences), near)
    assert found == pytest.approx(
        np.array([[share, vectors[sentences[at]] @ vectors[claim], 2 / 3] for at, share in near]),
        abs=1e-4,
    )
    assert np.allclose(np.linalg.norm([*vectors.values()], axis=1), 1, atol=1e-4)
    assert support.support_features("Rain", Evidence(sentences), near)[0, 2] == 0


def test_of_a_long_sentence_the_first_tokens_are_compared() -> None:
    # Two of the 128 mark its ends.
    water = ["water"] * 130
    changed = [[*water[:place], "fire", *water[place + 1 :]] for place in (125, 126)]
    same, within, beyond = support._vectors([" ".join(each) for each in (water, *changed)])
    assert np.allclose(same, beyond)
    assert not np.allclose(same, within)


def test_claims_and_their_candidates_are_encoded_once_and_together(monkeypatch) -> None:
    encoded: list[list[str]] = []

    def counting(texts: list[str], given=support._vectors) -> object:
        encoded.append(texts)
        return given(texts)

    monkeypatch.setattr(support, "_vectors", counting)
    claims = [f"The dam of Alpha feeds {place} with water." for place in ("Rome", "Oslo", "Lima")]
    ahead: list[list[str]] = []

    def reading(texts: list[str], evidence: object, given=support.read_ahead) -> None:
        ahead.append(texts)
        given(texts, evidence)

    monkeypatch.setattr(support, "read_ahead", reading)
    cited = "It cost three years {}."
    text = f"{' '.join(claims)} Does it? {cited.format('[1]')}"
    found = longsum.check(text, DAM).sentences
    assert ahead == [[*claims, cited.format("   ")]]
    (together,) = encoded
    assert sorted(together) == sorted({*together})
    assert together[:3] == claims
    assert not {*together[3:]} - {each.text for each in read_bytes(DAM.encode()).sentences}
    # Of many sentences those two dozen that share most are compared.
    sites = [f"Water of {'Alpha and ' * (number > 5)}site {number}." for number in range(30)]
    longsum.check(claims[0], " ".join(sites))
    assert encoded[1] == [claims[0], *sites[6:]]
    alone = [longsum.check(claim, DAM).sentences[0] for claim in claims]
    assert [each.sources for each in found[:3]] == [each.sources for each in alone]


def test_in_a_short_document_a_word_that_it_lacks_does_not_outweigh_the_others() -> None:
    built, cost = "The council rebuilt the old bridge in 1912.", "The work cost £4,000"
    document = read_bytes(f"{built} {cost}, and the engineer was John Carter.".encode())
    checked = checked_against("Carter oversaw the work.", document)
    assert [each.verdict for each in checked] == ["confirmed"]


def test_a_claim_about_all_needs_a_source_about_all() -> None:
    document = read_bytes(b"The dam harms villages. The river floods in June. Boats sail there.")
    one, every = checked_against(
        "The dam harms villages below. The dam harms all villages.", document
    )
    assert (one.verdict, every.verdict) == ("confirmed", "not_found")
    assert [str(each) for each in every.findings] == [
        "no similar sentence of the document says “all” or the like"
    ]
