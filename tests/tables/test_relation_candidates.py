"""The pairs of names and numbers that an extractor decides on."""

import pytest

from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.relation_candidates import candidates


def found(table, text):
    (read,) = matcher_for(table).read([text])
    words = read.words.text.split(" ")
    return [
        (" ".join(words[slice(*each.name)]), " ".join(words[slice(*each.number)]), each)
        for each in candidates(read, table)
    ]


def test_every_name_is_paired_with_every_number(table):
    pairs = found(table, "Ann Ash scored 60 and the Wolves won 104-98.")
    assert [(name, number) for name, number, _ in pairs] == [
        *(("ann ash", number) for number in ("60", "104", "98")),
        *(("wolves", number) for number in ("60", "104", "98")),
    ]
    types = {(each.entity, each.value): each.types for _, _, each in pairs}
    assert types["Ann Ash", 60] == ("PLAYER-PTS",)
    assert types["Weston Wolves", 104] == ("TEAM-PTS",)
    assert types["Weston Wolves", 98] == ()


def test_a_pair_fits_every_type_that_has_the_value(table):
    ((_, _, pair),) = found(table, "Ann Ash had 30.")
    assert pair.types == ("PLAYER-MIN", "PLAYER-FGA")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        # Names of shots do not count.
        (
            "Bo Birch had four assists, two three-pointers and three rebounds.",
            [("four", 4), ("two", 2), ("three", 3)],
        ),
        ("Bo Birch scored thirty-eight.", [("thirty - eight", 38)]),
        ("Bo Birch averages 4.5 but had 38.", [("38", 38)]),
    ],
)
def test_whole_numbers_count_in_words_too(table, text, numbers):
    assert [(number, each.value) for _, number, each in found(table, text)] == numbers


def test_pronouns_are_left_out(table):
    _, read = matcher_for(table).read(["Bo Birch played.", "He had 38 points."])
    assert [named.entity for named in read.named] == ["Bo Birch"]
    assert candidates(read, table) == []
