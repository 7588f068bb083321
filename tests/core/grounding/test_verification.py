import pytest

from longsum.core.grounding.verification import Verifier
from longsum.core.summaries.sentence import Doubt

SOURCES = [
    "The agency spent $4.5 million on 1,200 bridges in May 2019.",
    "The National Aeronautics and Space Administration hired Alice Smith and two others.",
]
REST = [
    "The senate did not renew the law on ferries.",
    "Each train carries 5 kg of coal through the valley.",
    "The council hired Bob Jones in 2020, and he repaired forty-one ferries.",
]


def doubts(sentence: str, cited: tuple[int, ...] = (0, 1)) -> tuple[Doubt, ...]:
    return Verifier([*SOURCES, *REST]).doubts(sentence, cited)


@pytest.mark.parametrize(
    "sentence",
    [
        *SOURCES,
        "The agency spent 4,500,000 dollars on 1200 bridges.",
        "NASA hired Alice Smith and 2 others.",
        "In May 2019 the agency was spending on a bridge.",
    ],
)
def test_a_sentence_that_its_sources_support_has_no_doubts(sentence):
    assert doubts(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "kind", "text", "instead"),
    [
        ("The agency spent money on 42 bridges in May 2019.", "number", "42", "1,200"),
        ("The agency spent $4.5 billion on bridges.", "money", "$4.5 billion", ""),
        ("The agency spent 12% on bridges in May 2019.", "quantity", "12%", ""),
        ("The agency spent $4.5 million in June 2019.", "date", "June 2019", ""),
        ("The agency spent $4.5 million in May 2018.", "date", "May 2018", "May 2019"),
        ("The agency hired Carl Smith and two others.", "name", "Carl Smith", ""),
        ("The FBI hired Alice Smith and two others.", "name", "FBI",
         "National Aeronautics and Space Administration"),
    ],
)  # fmt: skip
def test_an_entity_that_the_document_lacks_is_reported(sentence, kind, text, instead):
    (found,) = doubts(sentence)
    assert (found.kind, found.text, found.instead) == (kind, text, instead)
    assert (found.finding, found.looked) == (
        ("differs", "cited") if instead else ("missing", "document")
    )
    assert sentence[found.start : found.end] == text
    assert instead or str(found).endswith(f"{text} is nowhere in the document")


def test_an_entity_of_another_sentence_is_found_there():
    found, _ = doubts("The council hired Bob Jones.", (1,))
    assert (found.kind, found.text, found.sentence) == ("name", "Bob Jones", 4)
    assert found.finding == "missing"
    assert "is not in the cited sentences, but in sentence 5" in str(found)


def test_a_replaced_name_is_reported_with_the_one_in_its_place():
    people = ["Alice Smith", "Bob Jones", "Carla Diaz", "Dan Brown", "Eve Adams", "Fay Green"]
    works = [
        "wrote the first history of the northern ferries",
        "repaired the broken locks of the upper canal",
        "painted the portraits in the old town hall",
        "planted orchards along the southern railway",
        "counted the herons that nest below the dam",
        "taught geometry at the school for pilots",
    ]
    document = Verifier(
        [f"In those years {who} {did}." for who, did in zip(people, works, strict=True)]
    )
    assert document.doubts(f"In those years {people[2]} {works[2]}.", (2,)) == ()
    (found,) = document.doubts(f"In those years {people[4]} {works[2]}.", (2,))
    assert (found.kind, found.finding, found.looked) == ("name", "differs", "cited")
    assert (found.text, found.instead, found.sentence) == ("Eve Adams", "Carla Diaz", 2)
    assert str(found) == (
        "where it has the name Eve Adams, sentence 3 of the document has Carla Diaz"
    )


@pytest.mark.parametrize(
    ("sentence", "cited", "told"),
    [
        ("The senate did renew the law on ferries.", (2,),
         ("negation", "The senate did renew the law on ferries", "not renew", 2)),
        ("Yesterday, the senate renewed the law on ferries.", (2,),
         ("negation", "the senate renewed the law on ferries", "not renew", 2)),
        ("The senate did not renew the law on ferries.", (2,), None),
        ("The senate never renewed the law on ferries.", (2,), None),
        ("The senate refused to renew the law on ferries.", (2,), None),
        ("The agency didn't spend $4.5 million on 1,200 bridges in May 2019.", (0, 1),
         ("negation", "didn't spend $4.5 million", "million", 0)),
        ("The agency spent €4.5 million on 1,200 bridges in May 2019.", (0, 1),
         ("unit", "€4.5 million", "$4.5 million", 0)),
        ("Each train carries 5 mg of coal.", (3,), ("unit", "5 mg", "5 kg", 3)),
        ("Each train carries 5 kilograms of coal.", (3,), None),
        ("Each train carries 5 of the valley's coal.", (3,), None),
    ],
)  # fmt: skip
def test_differing_negations_and_units_are_reported(sentence, cited, told):
    found = [
        (each.kind, each.text, each.instead, each.sentence) for each in doubts(sentence, cited)
    ]
    assert found == ([] if told is None else [told])


@pytest.mark.parametrize(
    ("source", "sentence", "found"),
    [
        ("Of all weights in kg the heaviest are 5 and 7.", "The heaviest weights are 5 kg.", False),
        ("The council hired Bob Jones in 2020, and he repaired forty-one ferries.",
         "Bob Jones repaired 41 ferries.", False),
        ("The market of 2019 was decent, the marchers said.",
         "The market was decent in March 2019.", True),
    ],
    ids=["a unit that stands elsewhere", "numbers in words", "a month inside another word"],
)  # fmt: skip
def test_figures_may_be_written_in_other_ways(source, sentence, found):
    assert bool(Verifier([source]).doubts(sentence, (0,))) is found


def test_without_a_source_names_and_figures_are_looked_up_in_the_document():
    found = doubts("Eve Adams spent $4.5 million on bridges.", ())
    assert [(each.kind, each.looked, each.text) for each in found] == [
        ("source", "document", ""),
        ("name", "document", "Eve Adams"),
    ]
    (alone,) = doubts("It is so.", ())
    assert str(alone) == "no sentence of the document was found that says it"


@pytest.mark.parametrize("found", [0, 4, 5, 10])
def test_at_least_half_of_the_words_must_be_found(found):
    words = ["river", "bridge", "farmer", "market", "valley"]
    words += ["engine", "harbour", "forest", "railway", "mountain"]
    document = Verifier([f"{' '.join(words[:found])} cloud stone."])
    said = [doubt.kind for doubt in document.doubts(f"{' '.join(words)}.", (0,))]
    assert said == (["wording"] if found < 5 else [])


def test_every_figure_of_a_date_must_be_found():
    document = Verifier(["It opened on 12 March 2020.", "It opened at noon on 12 March 2019."])
    (doubt,) = document.doubts("It opened on 12 March 2019.", (0,))
    assert doubt.text == "12 March 2019"
    assert not document.doubts("It opened on 12 March 2019.", (1,))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("The port handled well over 200 ships.", []),
        ("The port handled nearly 230 ships.", []),
        ("The port handled more than 100 ships.", ["100"]),
        ("The port handled nearly 200 ships.", ["200"]),
        ("The port handled 200 ships.", ["200"]),
    ],
)
def test_a_bound_covers_figures_on_its_side_and_near_it(said, found):
    doubts = Verifier(["The port handled 226 ships."]).doubts(said, [0])
    assert [doubt.text for doubt in doubts] == found
