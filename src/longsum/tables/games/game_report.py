"""The sentences of a report on a basketball game."""

from collections.abc import Sequence

from longsum.tables.annotated_text import Worded, as_sentence, joined, listed, said
from longsum.tables.games.game_names import player_phrase, team_phrase
from longsum.tables.games.game_players import played, player_clauses
from longsum.tables.games.game_teams import (
    compared_clause,
    date_phrase,
    met_clause,
    own_clause,
    score_clause,
)
from longsum.tables.narration import Entries, Narration, entries_of


def game_sentence(narration: Narration, sentence: Sequence[int]) -> Worded:
    """Return the sentence that states these records of a game.

    Teams come first, and what is said of both of them is compared; then the players, in the plan's
    order. Names and the date join the clause that they belong to.
    """
    entries = entries_of(narration.table, sentence)
    of_kind = {
        kind: [each for each in entries.values() if each.entity.kind == kind]
        for kind in ("match", "team", "player")
    }
    teams, players = of_kind["team"], of_kind["player"]
    match = next(iter(of_kind["match"]), None)
    clauses: list[Worded | None] = []
    if len(teams) == 2:
        first, second = teams
        if first.has("TEAM-PTS") and second.has("TEAM-PTS"):
            clauses.append(score_clause(narration, first, second, date_phrase(match)))
        clauses.append(compared_clause(narration, first, second))
    clauses.extend(own_clause(narration, each) for each in teams)
    told = [clause for clause in clauses if clause is not None]
    absent = [each for each in players if each.missing and not played(each.table, each.entity)]
    waiting = {each.entity.name: each for each in teams if each.left}
    told.extend(player_clauses(narration, [p for p in players if p not in absent], waiting))
    told = _with_the_rest(narration, told, list(waiting.values()), date_phrase(match))
    unsaid = [_absence(narration, each) for each in (*teams, *players) if each.missing]
    return as_sentence([*told, *unsaid])


def _with_the_rest(
    narration: Narration, told: list[Worded], teams: Sequence[Entries], when: Worded
) -> list[Worded]:
    """Add teams that no clause has named, and the date, to the first clause."""
    if not told and teams:
        return [met_clause(narration, teams, when)]
    against = [team_phrase(narration, each) for each in teams]
    rest = joined(" against ", listed(against)) if against else Worded("")
    if told:
        return [joined(told[0], rest, when), *told[1:]]
    return [joined("the game was played", when)] if when.text else []


def _absence(narration: Narration, entries: Entries) -> Worded:
    """Return that the table has no value where the plan names one.

    A player without any number did not play.
    """
    table = narration.table
    player = entries.entity.kind == "player"
    who = player_phrase(narration, entries) if player else team_phrase(narration, entries)
    missing, entries.missing = entries.missing, []
    if player and not played(table, entries.entity):
        return joined(who, " ", said("did not play", *missing))
    kinds = [table.records[index].type.phrase.split(" ", 1)[1] for index in missing]
    return joined(said("no figure", *missing), " is given for the ", listed(kinds), " of ", who)
