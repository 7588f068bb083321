import pytest

from longsum.systems.grounding.verification import doubts

SOURCES = [
    "The agency spent $4.5 million on 1,200 bridges in May 2019.",
    "The National Aeronautics and Space Administration hired Alice Smith and two others.",
]


@pytest.mark.parametrize(
    "sentence",
    [
        *SOURCES,
        "The agency spent 4,500,000 dollars on 1200 bridges.",
        "NASA hired Alice Smith and 2 others.",
        "In May 2019 the agency was spending on a bridge.",
    ],
)
def test_what_the_sources_say_is_verified(sentence):
    assert doubts(sentence, SOURCES) == ()


@pytest.mark.parametrize(
    ("sentence", "doubt"),
    [
        ("The agency spent money on 42 bridges in May 2019.", "the number 42 is not"),
        ("The agency spent $4.5 billion on bridges.", "the sum $4.5 billion is not"),
        ("The agency spent 12% on bridges in May 2019.", "the quantity 12% is not"),
        ("The agency spent $4.5 million in June 2019.", "the date June 2019 is not"),
        ("The agency spent $4.5 million in May 2018.", "the date May 2018 is not"),
        ("The agency hired Bob Smith and two others.", "the name Bob Smith is not"),
        ("The FBI hired Alice Smith and two others.", "the name FBI is not"),
        ("Fish swim through cold seas.", "more than half of its words"),
    ],
)
def test_what_they_do_not_say_is_named(sentence, doubt):
    assert any(found.startswith(doubt) for found in doubts(sentence, SOURCES))


def test_a_month_is_not_found_inside_another_word():
    cited = ["The market of 2019 was decent, the marchers said."]
    assert doubts("The market was decent in March 2019.", cited) != ()


def test_without_a_source_there_is_always_a_doubt():
    assert doubts("It is so.", []) == ("no sentence of the document was found that says it",)


@pytest.mark.parametrize("found", range(11))
def test_at_least_half_of_the_words_are_found(found):
    words = ["river", "bridge", "farmer", "market", "valley"]
    words += ["engine", "harbour", "forest", "railway", "mountain"]
    said = doubts(f"{' '.join(words)}.", [f"{' '.join(words[:found])} cloud stone."])
    assert bool(said) == (found < 5)


def test_every_figure_of_a_date_is_found():
    (doubt,) = doubts("It opened on 12 March 2019.", ["It opened on 12 March 2020."])
    assert "the date 12 March 2019" in doubt
    assert not doubts("It opened on 12 March 2019.", ["It opened at noon on 12 March 2019."])
