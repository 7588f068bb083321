"""The teams of the league whose games Rotowire has: which other names a report may mention."""

from longsum.tables.matching.mentions import OutsideName

CITIES_AND_NAMES = (
    ("Atlanta", "Hawks"),
    ("Boston", "Celtics"),
    ("Brooklyn", "Nets"),
    ("Charlotte", "Hornets"),
    ("Chicago", "Bulls"),
    ("Cleveland", "Cavaliers"),
    ("Dallas", "Mavericks"),
    ("Denver", "Nuggets"),
    ("Detroit", "Pistons"),
    ("Golden State", "Warriors"),
    ("Houston", "Rockets"),
    ("Indiana", "Pacers"),
    ("Los Angeles", "Clippers"),
    ("Los Angeles", "Lakers"),
    ("Memphis", "Grizzlies"),
    ("Miami", "Heat"),
    ("Milwaukee", "Bucks"),
    ("Minnesota", "Timberwolves"),
    ("New Orleans", "Pelicans"),
    ("New York", "Knicks"),
    ("Oklahoma City", "Thunder"),
    ("Orlando", "Magic"),
    ("Philadelphia", "76ers"),
    ("Phoenix", "Suns"),
    ("Portland", "Trail Blazers"),
    ("Sacramento", "Kings"),
    ("San Antonio", "Spurs"),
    ("Toronto", "Raptors"),
    ("Utah", "Jazz"),
    ("Washington", "Wizards"),
)

NICKNAMES = {
    "76ers": ("Sixers",),
    "Cavaliers": ("Cavs",),
    "Clippers": ("Los Angeles Clippers", "LA Clippers", "L.A. Clippers", "Clips"),
    "Knicks": ("Knickerbockers",),
    "LA": ("Los Angeles",),
    "Lakers": ("Los Angeles Lakers", "LA Lakers", "L.A. Lakers"),
    "Los Angeles": ("LA", "L.A."),
    "Mavericks": ("Mavs",),
    "Oklahoma City": ("OKC",),
    "Philadelphia": ("Philly",),
    "Timberwolves": ("Wolves", "T-Wolves"),
    "Trail Blazers": ("Blazers",),
    "Warriors": ("Dubs",),
}
"""Other names of a team in reports, by its name or its city."""

TEAMS = tuple(
    OutsideName(
        f"{city} {name}",
        "team",
        (name, *NICKNAMES.get(name, ()), city, *NICKNAMES.get(city, ())),
    )
    for city, name in CITIES_AND_NAMES
)
"""All teams, with their cities as Rotowire gives them."""
