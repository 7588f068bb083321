"""What a realizer reads, in the order of Stepwise, B.4."""

from longsum.tables.realization.realizer_input import realizer_input


def test_the_parts_stand_in_the_order_of_the_paper(table):
    told = (("Flo Ash", "PTS"), ("Ann Ash", "PTS"), ("Flo Ash", "STL"))
    sentence = [table.index(name, f"PLAYER-{column}") for name, column in told]
    text = realizer_input(table, sentence, "The Wolves won.")
    previous, rest = text.split(" <BEG> ")
    entries, context = rest.split(" <CONTEXT> ")
    assert previous == "The Wolves won."
    assert entries == (
        "player points scored of Flo Ash is 4 which is 5th best "
        "player points scored of Ann Ash is 60 which is 1st best "
        "player steals of Flo Ash is 0 which is 4th best"
    )
    assert context == (
        "match date of match is year: 2016 month: 03 day: 05 day_of_week: 5 "
        "team name of Weston Wolves is Wolves team city of Weston Wolves is Weston "
        "team points scored of Weston Wolves is 104 which is 1st best "
        "team wins of Weston Wolves is 10 which is 1st best "
        "team losses of Weston Wolves is 3 which is 2nd best "
        "Weston Wolves is home team of match "
        "team name of Easton Eagles is Eagles team city of Easton Eagles is Easton "
        "team points scored of Easton Eagles is 98 which is 2nd best "
        "team wins of Easton Eagles is 1 which is 2nd best "
        "team losses of Easton Eagles is 12 which is 1st best "
        "Easton Eagles is away team of match "
        # Each player once, and no value that is missing.
        "Flo Ash is player of Weston Wolves "
        "player starting position of Ann Ash is F Ann Ash is player of Easton Eagles"
    )
