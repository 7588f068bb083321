"""Reads the claims of a report on a CSV file, and recomputes each from the file.

Nothing here is computed by longsum: of its guess is taken what the columns are called in the
report, and numbers are read and computed by csv, re and fractions.
"""

import csv
import io
import re
from fractions import Fraction
from statistics import median

import yaml

from longsum.tables.inputs.read import read_table
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.templates import realize

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_TOTAL = re.compile(r"(?:(?:grand|overall) )?(?:totals?|sum|all|overall|average|mean)", re.I)
_VALUE = r"(?:-?[$€£¥₹]?-?\d(?:[\d,]*\d)?(?:\.\d+)?(?:%| percentage points| (?!and\b)[^\s,;()]+)?)"
_ABSENT = {"", "n/a", "na", "nan", "-", "--", "null", "none", "?", "."}


def number(cell, comma=False):
    """Return a cell as a number, or None."""
    text = cell.strip()
    negative = text.startswith("(") and text.endswith(")")
    text = re.sub(r"[$€£¥₹%()\s]|EUR|USD", "", text).replace("−", "-").replace("–", "-")
    text = text.replace(".", "").replace(",", ".") if comma else text.replace(",", "")
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return -value if negative else value


def spoken(text):
    """Return a number of the report."""
    if text in _WORDS:
        return Fraction(_WORDS.index(text))
    found = re.search(r"-?[$€£¥₹]?-?([\d,]+(?:\.\d+)?)", text)
    value = Fraction(found[1].replace(",", ""))
    return -value if "-" in found[0] else value


def near(said, true):
    """Return whether a number equals another one, rounded as in the text."""
    text = re.search(r"[\d,]+(?:\.(\d+))?", said)
    half = Fraction(1, 2 * 10 ** len(text[1] or "" if text else ""))
    return abs(spoken(said) - true) <= half


class File:
    """The rows of a file under the names of its guessed schema."""

    def __init__(self, text, guess, *, separator=",", comma=False, skip=0):
        rows = [
            row
            for row in csv.reader(io.StringIO(text), delimiter=separator)
            if any(map(str.strip, row))
        ]
        named = [" ".join(name.split()) for name in rows[skip]]
        self.header = [name or f"column {place}" for place, name in enumerate(named, start=1)]
        self.comma = comma
        self.schema = yaml.safe_load(guess)
        body = [row + [""] * (len(self.header) - len(row)) for row in rows[skip + 1 :]]
        entity = self.schema["entity"]
        parts = [entity] if isinstance(entity, str) else entity
        self.rows = {}
        again = [self._name(row, parts, place) for place, row in enumerate(body, start=1)]
        for place, (row, name) in enumerate(zip(body, again, strict=True), start=1):
            own = f"{name} (row {place})" if again.count(name) > 1 else name
            self.rows[own] = dict(
                zip(self.header, (" ".join(cell.split()) for cell in row), strict=False)
            )
        if self.schema.get("panel"):
            self._across_years(*parts)
        self.counted = {name: row for name, row in self.rows.items() if not _TOTAL.fullmatch(name)}
        self.columns = {}
        for name, column in self.schema["columns"].items():
            self.columns[(column or {}).get("phrase", name.replace("_", " "))] = name

    def _across_years(self, entity, year):
        """Merge the rows of each entity into one, as in the report."""
        described = self.schema["columns"]
        (measure,) = (n for n, c in described.items() if "kind" not in (c or {}) and n != year)
        long = [(cells[entity], cells[year], cells[measure]) for cells in self.rows.values()]
        years = sorted({when for _, when, _ in long})
        self.rows = {name: dict.fromkeys(years, "") for name, _, _ in long}
        for name, when, cell in long:
            self.rows[name][when] = cell
        self.header = years
        phrase = (described[measure] or {}).get("phrase", measure.replace("_", " "))
        self.schema["columns"] = {when: {"phrase": f"{phrase} in {when}"} for when in years}

    def _name(self, row, parts, place):
        held = dict(zip(self.header, (" ".join(cell.split()) for cell in row), strict=False))
        if not set(parts) <= set(held):
            return f"row {place}"
        name = " ".join(held[part] for part in parts)
        if found := re.fullmatch(r"(\d{4})-(\d\d?)-(\d\d?)", name):
            return f"{_MONTHS[int(found[2]) - 1]} {int(found[3])}, {found[1]}"
        if found := re.fullmatch(r"([A-Z][a-z]{2})-(\d\d?)-(\d{4})", name):
            month = next(each for each in _MONTHS if each.startswith(found[1]))
            return f"{month} {found[2]}, {found[3]}"
        return name

    def values(self, phrase, rows=None):
        """Return the numbers of a column by row, of one currency if the column is split."""
        name = self.columns[phrase]
        sign = re.search(r" in (\S+)$", name)
        column = name if name in self.header else name[: sign.start()]
        found = {}
        for row, cells in (self.counted if rows is None else rows).items():
            cell = cells[column]
            if column != name and sign[1] not in cell:
                continue
            value = None if cell.casefold() in _ABSENT else number(cell, self.comma)
            if value is not None:
                found[row] = value
        return found

    def text(self, phrase, row):
        return self.rows[row][self.columns[phrase]]

    def groups(self, column):
        name = self.columns.get(column) or next(
            h for h in self.header if h.replace("_", " ").casefold() == column.casefold()
        )
        held = {}
        for row, cells in self.counted.items():
            if cells[name].casefold() not in _ABSENT:
                held.setdefault(cells[name], {})[row] = cells
        return held


class Claims:
    """Checks sentences; `checked` counts claims, `unread` has the sentences without any."""

    def __init__(self, file):
        self.file, self.checked, self.unread = file, 0, []
        phrases = sorted(map(re.escape, file.columns), key=len, reverse=True)
        self.phrase = f"(?:{'|'.join(phrases)})"
        names = sorted(map(re.escape, file.rows), key=len, reverse=True)
        groups = {g for c in file.columns for g in self._group_names(c)}
        names += sorted(map(re.escape, groups), key=len, reverse=True)
        self.name = f"(?:{'|'.join(names)})"

    def _group_names(self, column):
        try:
            held = self.file.groups(column)
        except (StopIteration, KeyError):
            return ()
        return held if len(held) <= 10 else ()

    def wrong(self, sentences):
        """Yield the claims of sentences that the file does not support."""
        for sentence in sentences:
            before = self.checked
            yield from self._wrong(sentence)
            if self.checked == before:
                self.unread.append(sentence)

    def claim(self, holds, what):
        self.checked += 1
        if not holds:
            yield what

    def _wrong(self, text):
        f, phrase, value = self.file, self.phrase, _VALUE
        flags = re.I
        if found := re.match(r"(?:Across the|The table has) ([\w,]+) \w+[.,]", text):
            yield from self.claim(spoken(found[1]) == len(self.file.counted), text)
            rest = text[found.end() :]
            for column, said in re.findall(rf"({phrase}) (?:totals? )?({value})", rest, flags):
                true = sum(f.values(self._own(column)).values())
                yield from self.claim(near(said, true), f"{text} total {column}: {float(true)}")
        elif text.startswith(("On average", "The average")):
            for column, said in re.findall(rf"({phrase}) (?:is |are )?({value})", text, flags):
                held = f.values(self._own(column)).values()
                yield from self.claim(near(said, sum(held) / len(held)), f"{text} mean {column}")
        elif found := re.match(
            rf"(.+?) (rose|fell)(?: most,)? from ({value}) (?:in|on) (.+?) to ({value}) (?:in|on) "
            rf"(.+?), (up|down) ({value})\.",
            text,
        ):
            yield from self._change(found, text)
        elif found := re.match(
            rf"(.+?) (?:was|were) the same (?:in|on) ({self.name}) and (?:in|on) ({self.name}), "
            rf"({value})\.",
            text,
        ):
            held = f.values(self._own(found[1]))
            first, *_, last = held
            ends = (found[2], found[3]) == (first, last)
            same = all(near(found[4], held[row]) for row in (found[2], found[3]))
            yield from self.claim(ends and same, text)
        elif found := re.match(
            rf"At ({value}), (.+) stands out: ([\w,]+) times the median of ({value})\.", text
        ):
            columns = [
                p
                for p in f.columns
                if found[2] in f.values(p)
                and near(found[1], f.values(p)[found[2]])
                and near(found[4], median(f.values(p).values()))
            ]
            held = [f.values(each) for each in columns]
            yield from self.claim(
                any(near(found[3], h[found[2]] / median(h.values())) for h in held), text
            )
        elif found := re.match(r"(?:Of the (\w+|[\d,]+) \w+, (.+)|Asked “(.+?)”, (.+))\.$", text):
            yield from self._counts(found, text)
        elif found := re.match(
            rf"({phrase}) (?:is|are) (-?[\d.]+ for [\w,]+ of the ([\w,]+) \w+(?:,| and) .+)\.$",
            text,
            flags,
        ):
            held = list(f.values(self._own(found[1])).values())
            yield from self.claim(spoken(found[3]) == len(held), text)
            for mark, count in re.findall(r"(-?[\d.]+) for ([\w,]*\w)", found[2]):
                yield from self.claim(held.count(spoken(mark)) == spoken(count), f"{text} {mark}")
        elif found := re.match(r"By (?:the answer to “(.+?)”|(.+?)), (.+)", text):
            yield from self._grouped(found[1] or found[2], found[3], text)
        elif found := re.match(
            rf"The ({phrase}) (?:is|are) ({value}) for all (\w+)\.", text, flags
        ):
            held = f.values(self._own(found[1])).values()
            holds = set(held) == {spoken(found[2])} and len(held) == spoken(found[3])
            yield from self.claim(holds, text)
        elif re.search(
            rf" (?:highest|lowest|most|fewest) {phrase}(?: (?:is|are) th|, -?[$€£]?-?\d)",
            text,
            flags,
        ):
            yield from self._ranking(text, text, None)
        else:
            yield from self._cells(text)

    def _own(self, phrase):
        return next(each for each in self.file.columns if each.casefold() == phrase.casefold())

    def _change(self, found, text):
        who, verb, first, begin, last, end, way, by = found.groups()
        if who.casefold() in {each.casefold() for each in self.file.columns}:
            held = self.file.values(self._own(who))
            rows = list(held)
            yield from self.claim((begin, end) == (rows[0], rows[-1]), f"{text} ends")
            a, b = held[begin], held[end]
        else:
            row = next(r for r in self.file.rows if r.casefold() == who.casefold())
            a, b = (number(self.file.rows[row][c], self.file.comma) for c in (begin, end))
        yield from self.claim(near(first, a) and near(last, b), f"{text} values")
        yield from self.claim((verb, way) == (("rose", "up") if b > a else ("fell", "down")), text)
        relative = by.endswith("%")
        change = abs((b / a - 1) * 100 if relative else b - a)
        yield from self.claim(near(by, change), f"{text} change {float(change)}")

    def _counts(self, found, text):
        total, told, asked, answers = found.groups()
        if asked:
            column, parts = asked, re.sub(r"^(\S+) answered ", r"\1 ", answers)
        else:
            column = re.search(r" as (.+?)(?:, | and (?:\w+|[\d,]+) |$)", told)[1]
            parts = told.replace(f" as {column}", "", 1).replace(" have ", " ", 1)
        groups = self.file.groups(
            self._own(column)
            if column.casefold() in map(str.casefold, self.file.columns)
            else column
        )
        if total:
            yield from self.claim(spoken(total) == sum(map(len, groups.values())), text)
        for count, value in re.findall(rf"([\w,]+) ({self.name})(?=, | and |$)", parts):
            yield from self.claim(spoken(count) == len(groups[value]), f"{text} {value}")

    def _grouped(self, column, told, text):
        measure, phrase = re.search(rf"(total|average) ({self.phrase})", told, re.I).groups()
        held = {}
        for group, rows in self.file.groups(column).items():
            values = self.file.values(self._own(phrase), rows).values()
            if values:
                held[group] = sum(values) / (len(values) if measure == "average" else 1)
        yield from self._ranking(told, text, held, rounded=measure == "average")

    def _ranking(self, told, text, held, rounded=False):
        f = self.file
        extreme = re.search(
            rf"(highest|lowest|most|fewest) (?:total |average )?{self.phrase}(?=,| is| are)",
            told,
            re.I,
        )
        phrase = re.search(
            rf"{extreme[1]} (?:total |average )?({self.phrase})(?=,| is| are)", told, re.I
        )[1]
        held = f.values(self._own(phrase)) if held is None else held
        down = extreme[1] in ("highest", "most")
        if others := re.search(r"and ([\w,]+) others? share", told):
            told = told.replace(others[0], "share")
        first = re.search(rf"{re.escape(phrase)}, ({_VALUE})|\(({_VALUE})\)", told, re.I)
        best = (max if down else min)(held.values())
        top = first[1] or first[2]
        yield from self.claim(near(top, best), f"{text} best {float(best)}")
        head = re.split(r" followed by | ahead of ", told)[0]
        leaders = re.findall(
            rf"(?:^|, | and |those of |that of )({self.name})(?= has | share |, | and | \()",
            head,
            re.I,
        )
        tied = {
            row for row, value in held.items() if near(top, value) and (rounded or value == best)
        }
        named = {self._name(each, held) for each in leaders} - {None}
        if rounded:
            yield from self.claim(named <= tied, f"{text} leaders {tied}")
        else:
            count = len(tied) - (int(spoken(others[1])) if others else 0)
            yield from self.claim(named <= tied and len(named) == count, f"{text} leaders {tied}")
        if share := re.search(r"\(([\d.]+%) of the total\)", told):
            whole = sum(f.values(self._own(phrase)).values())
            yield from self.claim(near(share[1], best / whole * 100), f"{text} share")
        tail = re.split(r"followed by |ahead of ", told)
        if len(tail) > 1:
            ranked = sorted(held.values(), reverse=down)
            for place, (row, value) in enumerate(
                re.findall(rf"(?:^|, | and )({self.name}) (?:with |\()({_VALUE})", tail[1]),
                start=len(named),
            ):
                yield from self.claim(
                    near(value, held[self._name(row, held)]) and near(value, ranked[place]),
                    f"{text} {row}",
                )

    def _name(self, said, held):
        return next((row for row in held if row.casefold() == said.strip().casefold()), None)

    def _cells(self, text):
        f = self.file
        if found := re.match(rf"The ({self.phrase}) (?:is|are) (.+)\.$", text):
            for value, row in re.findall(rf"(.+?) for ({self.name})(?:, | and |$)", found[2]):
                yield from self._cell(found[1], row, value, text)
            return
        found = re.match(
            rf"(?:For ({self.name}), the|({self.name})(?:'s|')|The) (.+)\.$", text, re.I
        )
        if not found:
            return
        rest = found[3]
        row = found[1] or found[2]
        if row is None:
            of = re.match(rf"({self.phrase}) of ({self.name}) (?:is|are) ", rest, re.I)
            if not of:
                return
            row = of[2]
            rest = f"{of[1]} is {rest[of.end() :]}"
        row = next(r for r in f.rows if r.casefold() == row.casefold())
        told = re.split(rf"(?:^|, the |, | and the )(?=(?:{self.phrase}) )", rest)
        for part in filter(None, told):
            cell = re.match(rf"({self.phrase}) (?:(?:is|are) )?(.+)$", part)
            if cell:
                yield from self._cell(cell[1], row, cell[2], text)

    def _cell(self, phrase, row, said, text):
        rank = re.search(r" \(((?:joint )?(?:\w+ )?(?:highest|lowest|most|fewest))\)$", said)
        said = said[: rank.start()] if rank else said
        values = self.file.values(self._own(phrase), self.file.rows)
        if row in values and re.fullmatch(_VALUE, said):
            yield from self.claim(near(said, values[row]), f"{text} {phrase}")
        else:
            cell = self.file.text(self._own(phrase), row)
            yield from self.claim(
                said.casefold() == cell.casefold() or _day(said) == _digits(cell),
                f"{text} {phrase}",
            )


def _day(text):
    found = re.fullmatch(r"(\w+) (\d+), (\d{4})", text)
    return (
        sorted((_MONTHS.index(found[1]) + 1, int(found[2]), int(found[3])))
        if found and found[1] in _MONTHS
        else None
    )


def _digits(text):
    return sorted(map(int, re.findall(r"\d+", text)))


def check_file(path):
    """Return the claims of a file's report: how many, the wrong ones, unread sentences."""
    table, notes = read_table(path)
    told = [each.text for each in realize(table, plan_by_rules(table)).sentences]
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    lines = [line for line in re.split(r"\r?\n", text) if line.strip()]
    marks = "\t;,"
    skip = 0
    while len(table.columns) > 1 and not any(mark in lines[skip] for mark in marks):
        skip += 1
    separator = max(marks, key=lines[skip].count)
    guess = next(note for note in notes if "read by this guess" in note).split("replaces: ", 1)[1]
    file = File(text, guess, separator=separator, comma=separator == ";", skip=skip)
    claims = Claims(file)
    wrong = list(claims.wrong(told))
    return claims.checked, wrong, claims.unread
