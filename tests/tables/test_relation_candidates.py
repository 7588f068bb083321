"""The pairs of names and numbers that an extractor decides on."""

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


def test_numbers_in_words_count_and_names_of_shots_do_not(table):
    pairs = found(table, "Bo Birch had four assists, two three-pointers and three rebounds.")
    assert [(number, each.value) for _, number, each in pairs] == [
        ("four", 4),
        ("two", 2),
        ("three", 3),
    ]


def test_pronouns_are_left_out(table):
    _, read = matcher_for(table).read(["Bo Birch played.", "He had 38 points."])
    assert [named.entity for named in read.named] == ["Bo Birch"]
    assert candidates(read, table) == []


def test_fractions_are_left_out(table):
    assert [number for _, number, _ in found(table, "Bo Birch averages 4.5 but had 38.")] == ["38"]


def test_a_spelled_number_of_two_words_is_one(table):
    ((_, number, pair),) = found(table, "Bo Birch scored thirty-eight.")
    assert (number, pair.value, pair.types) == ("thirty - eight", 38, ("PLAYER-PTS",))
