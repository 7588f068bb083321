"""Rewords English sentences, and changes their meaning, for the judge of `longsum check`.

Each function returns the new sentence, or None if it does not apply. Rewordings keep the meaning as
far as rules can tell; changes never do.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from longsum.lab.checking.corruptions import NAMED, NUMERIC, Swaps, exchange, negate

Rule = Callable[[str, Random], str | None]

_WORD = re.compile(r"(?<![\w-])[a-z]{3,}(?![\w-])")
_DETERMINER = r"(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hese|[Tt]hose|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Oo]ur)"
_NO_NAME = "According|To|With|As|When|Where|While|For|In|On|At|By|From|If|It|And|But|Then|So"
_NAME = rf"(?!(?:{_NO_NAME})\b)[A-Z][\w-]+(?: [A-Z][\w-]+)*"
_PHRASE = rf"(?:{_DETERMINER} (?:[\w-]+ ){{0,2}}[\w-]+|{_NAME})"
_BE = "(?:was|were|is|are|has been|have been)"
_PASSIVE = re.compile(rf"^({_PHRASE}) {_BE} (\w+ed) by ({_PHRASE})(?=[,.;]| in | on )")
_COUNTS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_OPPOSITES = """
increase decrease; increased decreased; increases decreases; increasing decreasing; rise fall;
rises falls; rose fell; risen fallen; grew shrank; growing shrinking; growth decline; gain loss;
gained lost; gains losses; higher lower; highest lowest; high low; larger smaller;
largest smallest; large small; greater lesser; more fewer; more less; most least; above below;
over under; before after; earlier later; early late; first last; start end; began ended;
begins ends; better worse; best worst; improved worsened; improves worsens;
improvement deterioration; stronger weaker; strong weak; faster slower; fast slow;
longer shorter; long short; older younger; old new; rich poor; accept reject; accepted rejected;
accepts rejects; agreed disagreed; agrees disagrees; agree disagree; approved rejected;
supported opposed; supports opposes; support oppose; allow forbid; allowed forbade;
allows forbids; permitted prohibited; include exclude; includes excludes; included excluded;
including excluding; won lost; wins loses; succeeded failed; success failure;
successful unsuccessful; always never; often rarely; usually seldom; frequently rarely; all none;
all some; every no; both neither; many few; much little; maximum minimum; majority minority;
common rare; easy difficult; easier harder; simple complex; possible impossible; likely unlikely;
able unable; necessary unnecessary; required optional; mandatory optional; safe dangerous;
positive negative; positively negatively; add remove; added removed; adding removing;
open closed; opened closed; enter leave; entered left; arrive depart; arrived departed;
push pull; send receive; sent received; buy sell; bought sold; import export; imports exports;
lend borrow; lent borrowed; teach learn; taught learned; cause prevent; caused prevented;
causes prevents; encourage discourage; encouraged discouraged; helped hindered; helps hinders;
exceeded missed; exceed miss; exceeded / fell short of; praised criticized; love hate;
loved hated; loves hates; likes dislikes; liked disliked; true false; correct incorrect;
accurate inaccurate; present absent; presence absence; with without; inside outside;
internal external; north south; northern southern; east west; eastern western; left right;
up down; upper lower; top bottom; front back; public private; local global; male female;
men women; man woman; boy girl; father mother; son daughter; husband wife; brother sister;
king queen; day night; morning evening; summer winter; hot cold; warm cool; war peace;
life death; alive dead; born died; friend enemy; ally enemy; attack defend; attacked defended;
victory defeat; defeated / lost to; advance retreat; advanced retreated; remember forget;
remembered forgot; known unknown; same different; similar different; similarly differently;
together apart; near far; nearly exactly; approximately exactly; continue stop;
continued stopped; continues stops; remain leave; remained left; keep discard; kept discarded;
create destroy; created destroyed; build demolish; built demolished; expand contract;
expanded contracted; expansion contraction; raise lower; raised lowered; raises lowers;
strengthen weaken; strengthened weakened; win lose; directly indirectly; voluntary compulsory;
permanent temporary; single multiple; explicit implicit; active inactive; at least / at most;
more than / less than; no longer / still; until after; because although
"""
_STRONGER = """
may will; might will; could will; can must; should must; may does; suggests proves;
suggest prove; suggested proved; appears to / is certain to; seems to / is sure to;
likely certain; probably certainly; possibly definitely; perhaps certainly;
plans to / has begun to; planned to / did; hopes to / will; hoped to / managed to;
hoping certain; intends to / will; proposed adopted; proposes requires; recommended required;
recommends requires; recommend require; expected guaranteed; expects knows; believed knew;
believe know; believes knows; thinks knows; thought knew; tried to / managed to;
try to / manage to; almost always / always; usually always; often always; generally always;
sometimes always; typically always; most all; mostly entirely; many all; some all; several all;
nearly all / all; about exactly; roughly exactly; almost fully; partly fully;
considering / committed to; considered / decided on; can be / is always; allegedly / in fact;
encouraged forced; asked ordered; offered gave; could cause / causes;
associated with / caused by
"""
_SAME = """
show demonstrate; shows demonstrates; showed demonstrated; shown demonstrated; use employ;
used employed; uses employs; using employing; begin start; began started; begins starts;
help assist; helped assisted; buy purchase; bought purchased; get obtain; got obtained;
need require; needs requires; needed required; large big; large sizeable; many numerous;
important significant; about approximately; about around; roughly about; almost nearly;
however but; therefore thus; also additionally; while whereas; because since; although though;
such as / like; including / such as; more than / over; less than / under;
increased rose; increased / went up; decreased fell; decreased / went down; decline drop;
declined dropped; grew expanded; growth expansion; fewer / a smaller number of;
exceeded / went beyond; children kids; people persons; method approach; methods approaches;
study investigation; studies investigations; authors researchers; results findings;
result outcome; problem issue; problems issues; goal aim; goals aims;
due to / because of; according to / as stated by; prior to / before; following after;
subsequently later; previously earlier; currently now; primarily mainly; often frequently;
usually normally; rarely seldom; always / at all times; never / at no time; did not / failed to;
was not able to / could not; cannot / is unable to; is able to / can; unable to / not able to;
agreed concurred; said stated; says states; noted remarked; explained clarified; told informed;
asked inquired; made created; build construct; built constructed; found discovered;
find discover; kept retained; keep retain; end conclude; ended concluded; chose selected;
choose select; gave provided; give provide; gives provides; looked at / examined; house home;
work labor; fast quick; quickly rapidly; slow sluggish; hard difficult; easy simple;
rich wealthy; poor needy; sick ill; happy glad; angry mad; smart clever; whole entire;
main principal; enough sufficient; lack absence; amount quantity; part portion; kind type;
area region; city town; country nation; government state; law statute; war conflict; father dad;
mother mom; two decades / twenty years; a decade / ten years; half / 50 percent;
a quarter / 25 percent; a dozen / twelve; annually / every year; each year / annually;
per year / a year; improve enhance; improved enhanced; improves enhances; reject / turn down;
rejected / turned down; accept / agree to; continue / go on; continued / went on; stop cease;
stopped ceased; allows lets; allowed permitted; allow permit; permits allows; prevent stop;
prevented / kept from; not allowed / forbidden; must / has to; must / have to; should / ought to
"""
_UNITS = """
years months; year month; days weeks; day week; hours minutes; hour minute; minutes seconds;
weeks months; week month; decades centuries; decade century; miles kilometers; mile kilometer;
feet meters; foot meter; inches feet; kilometers meters; km m; mm cm; cm m; mg g; kg g;
pounds kilograms; tons pounds; million billion; billion million; thousand million;
percent / percentage points; % / percentage points; dollars euros; acres / square miles;
gallons liters; degrees percent; hundred thousand; yards miles; cents dollars; ms s; MB GB;
bytes bits
"""
_HEDGES = (
    "According to the {what}, ",
    "The {what} says that ",
    "The {what} notes that ",
    "As the {what} points out, ",
    "It is stated that ",
)
_WHAT = ("report", "text", "document", "author", "paper", "article", "study")
_LEADING = re.compile(
    r"^(?:However|Moreover|Furthermore|In addition|Additionally|Thus|Therefore|Further|Also|Finally"
    r"|First|Second|Indeed|In fact|For example|As a result|Consequently|Meanwhile|Instead|Overall)"
    r", "
)
_UNITS_AFTER = re.compile(r"(?<=\d )(?:[a-z]+|%)|(?<=\d)%|(?<=[a-z] )(?:years?|miles|days|hours)")


def _pairs(lexicon: str, *, both: bool) -> dict[str, list[str]]:
    """Return the replacement of each phrase: two words, or two phrases separated by a stroke."""
    found: dict[str, list[str]] = defaultdict(list)
    for entry in " ".join(lexicon.split()).split(";"):
        one, other = entry.split(" / ") if " / " in entry else entry.split()
        found[one.strip()].append(other.strip())
        if both:
            found[other.strip()].append(one.strip())
    return dict(found)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Synonyms and antonyms of words, in their inflected forms."""

    same: Mapping[str, Sequence[str]]
    opposite: Mapping[str, Sequence[str]]

    @classmethod
    def read(cls, folder: Path, paraphrases: Path) -> "Lexicon":
        """Read WordNet and pairs of words of PPDB.

        Args:
            folder: The folder of WordNet's `data.*` and `index.*`. Of words with few senses only
                the first counts.
            paraphrases: Pairs of words, one per line; only these count as synonyms.
        """
        lines = paraphrases.read_text(encoding="utf-8", errors="replace").splitlines()
        known = {frozenset(line.split("\t")) for line in lines}
        synonyms, antonyms = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        words, pointers, first = {}, [], _first_senses(folder)
        for part in ("noun", "verb", "adj", "adv"):
            for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
                if line.startswith("  "):
                    continue
                fields = line.split(" | ")[0].split()
                count = int(fields[3], 16)
                own = [fields[4 + 2 * at].split("(")[0] for at in range(count)]
                words[part, fields[0]] = own
                usual = [each for each in own if (part, each.lower(), fields[0]) in first]
                for each in usual:
                    synonyms[each].update(other for other in usual if other != each)
                rest = fields[5 + 2 * count :]
                for at in range(0, int(fields[4 + 2 * count]) * 4, 4):
                    if rest[at] == "!":
                        pointers.append((part, own, rest[at + 1], rest[at + 3]))
        for part, own, target, places in pointers:
            other = words.get((part, target))
            if other is not None:
                antonyms[own[int(places[:2], 16) - 1]].add(other[int(places[2:], 16) - 1])
        same = {
            word: {other for other in others if frozenset((word, other)) in known}
            for word, others in synonyms.items()
        }
        return cls(_usable(same), _usable(antonyms))


def _first_senses(folder: Path) -> set[tuple[str, str, str]]:
    found = set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"index.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):
                fields = line.split()
                senses = fields[-int(fields[2]) :]
                # A word with many senses is seldom used in its first.
                if len(senses) <= 4:
                    found.add((part, fields[0], senses[0]))
    return found


def _usable(groups: Mapping[str, set[str]]) -> dict[str, list[str]]:
    plain = {
        word: sorted(each for each in others if re.fullmatch("[a-z]{3,}", each))
        for word, others in groups.items()
        if re.fullmatch("[a-z]{3,}", word)
    }
    return {word: others for word, others in plain.items() if others}


_OPPOSITE, _SAID = _pairs(_OPPOSITES, both=True), _pairs(_SAME, both=True)
_CERTAIN, _UNIT = _pairs(_STRONGER, both=False), _pairs(_UNITS, both=True)


def _put(text: str, options: Mapping[str, Sequence[str]], rng: Random) -> str | None:
    """Replace one phrase of a lexicon in a text."""
    words = [(each.start(), each.end()) for each in re.finditer(r"[\w%-]+", text)]
    found = []
    for first in range(len(words)):
        for size in (4, 3, 2, 1):
            if first + size <= len(words):
                start, end = words[first][0], words[first + size - 1][1]
                held = text[start:end]
                if held.lower() in options:
                    found.append((start, end, held))
                    break
    if not found:
        return None
    start, end, held = rng.choice(found)
    other = rng.choice(options[held.lower()])
    other = other[0].upper() + other[1:] if held[0].isupper() else other
    return text[:start] + other + text[end:]


def said_otherwise(text: str, rng: Random) -> str | None:
    """Replace a phrase with a synonym."""
    return _put(text, _SAID, rng)


def without_lead(text: str, _: Random) -> str | None:
    """Omit the word that links a sentence to the one before."""
    match = _LEADING.match(text)
    return text[match.end()].upper() + text[match.end() + 1 :] if match else None


def shorter(text: str, rng: Random) -> str | None:
    """Omit a parenthesis, an aside, or a final clause."""
    cuts = [each.span() for each in re.finditer(r" \([^()]*\)| \[[^\[\]]*\]", text)]
    cuts += [each.span() for each in re.finditer(r", (?:which|who|where) [^,;]+(?=,)", text)]
    cuts += [
        (each.start(), len(text) - 1)
        for each in re.finditer(r"(?:; |, (?:which|who|where|and|but|while|with|including) )", text)
        if each.start() > len(text) / 3
    ]
    if not cuts or not text.endswith("."):
        return None
    start, end = rng.choice(cuts)
    return text[:start] + text[end:]


def lead_moved(text: str, _: Random) -> str | None:
    """Move "In 1990, …" to the end, or "… in 1990." to the beginning."""
    if match := re.match(r"^((?:In|On|At|During|After|Before|By|From) [^,]{3,40}), (.+)\.$", text):
        place, rest = match.groups()
        return f"{rest[0].upper()}{rest[1:]} {place[0].lower()}{place[1:]}."
    if match := re.match(r"^([^,;]+) ((?:in|during|after|before|since) [^,;]{3,30})\.$", text):
        rest, place = match.groups()
        return f"{place[0].upper()}{place[1:]}, {_lowered(rest)}."
    return None


def attributed(text: str, rng: Random) -> str | None:
    """Attribute a sentence to somebody."""
    return rng.choice(_HEDGES).format(what=rng.choice(_WHAT)) + _lowered(text)


def number_words(text: str, rng: Random) -> str | None:
    """Write a small number in words, or a number in words in digits."""
    found = [*re.finditer(r"(?<![\w.,$-])(\d{1,2})(?![\w%]|[.,-]\d)", text)]
    found = [each for each in found if int(each[1]) < len(_COUNTS)]
    if found:
        match = rng.choice(found)
        return text[: match.start()] + _COUNTS[int(match[1])] + text[match.end() :]
    match = re.search(rf"\b({'|'.join(_COUNTS[2:])})\b", text)
    return match and text[: match.start()] + str(_COUNTS.index(match[1])) + text[match.end() :]


def rounded(text: str, rng: Random) -> str | None:
    """Round a number, and say so."""
    found = [*re.finditer(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{3,}|\d+\.\d+)(?![\w,.]\d)", text)]
    found = [each for each in found if not re.fullmatch(r"(?:1[5-9]|20)\d\d", each[1])]
    if not found:
        return None
    match = rng.choice(found)
    value = float(match[1].replace(",", ""))
    digits = rng.choice((1, 2)) if value < 1000 else 2
    near = float(f"{value:.{digits - 1}e}")
    if near == value or abs(near - value) > 0.05 * value:
        return None
    shown = f"{near:,.0f}" if near >= 10 or near == int(near) else f"{near:g}"
    word = rng.choice(("about", "around", "roughly", "approximately", "almost", "more than"))
    if word in ("almost", "more than"):
        word = (
            rng.choice(("almost", "nearly")) if near > value else rng.choice(("over", "more than"))
        )
    return f"{text[: match.start()]}{word} {shown}{text[match.end() :]}"


def pair_turned(text: str, rng: Random) -> str | None:
    """Turn "A and B" into "B and A", for names and lists of two."""
    named = r"[A-Z][\w-]+(?: [A-Z][\w-]+)*"
    found = [*re.finditer(rf"(?<=[a-z] )(?<!between )({named}) (and|or) ({named})(?=[ ,.;])", text)]
    found += [*re.finditer(r"(?<= of | in )([a-z]+) (and|or) ([a-z]+)(?=[.,;])", text)]
    if not found:
        return None
    match = rng.choice(found)
    one, other = match[3], match[1]
    return f"{text[: match.start()]}{one} {match[2]} {other}{text[match.end() :]}"


def active(text: str, _: Random) -> str | None:
    """Turn "A was followed by B" into "B followed A"."""
    match = _PASSIVE.match(text)
    if match is None:
        return None
    one, verb, other = match.groups()
    return f"{other[0].upper()}{other[1:]} {verb} {_lowered(one)}{text[match.end() :]}"


def wrongly_active(text: str, rng: Random) -> str | None:
    """Turn "A was followed by B" into "A followed B", or "B was followed by A"."""
    match = _PASSIVE.match(text)
    if match is None:
        return None
    one, verb, other = match.groups()
    if rng.random() < 0.5:
        return f"{one} {verb} {other}{text[match.end() :]}"
    between = text[match.end(1) : match.start(3)]
    return f"{other[0].upper()}{other[1:]}{between}{_lowered(one)}{text[match.end() :]}"


_JOINING = (
    *("than", "by", "before", "after", "from", "to", "against", "over", "into", "with", "for"),
    *("led", "caused", "defeated", "followed", "replaced", "supports", "uses", "requires", "told"),
    *("asked", "gave", "sent", "joined", "shows", "causes", "affects", "precedes", "exceeds"),
)
_ROLES = re.compile(
    rf"({_PHRASE})((?: [\w,-]+){{0,4}} (?:{'|'.join(_JOINING)}|\w+ed) (?:[a-z]+ )?)"
    rf"({_PHRASE})(?=[ ,.;])"
)


def roles_turned(text: str, rng: Random) -> str | None:
    """Swap the arguments of a verb or preposition."""
    found = [each for each in _ROLES.finditer(text) if not re.search(r"\b(?:and|or)\b", each[2])]
    if not found:
        return None
    match = rng.choice(found)
    one, between, other = match.groups()
    if one.lower() == other.lower():
        return None
    if match.start() == 0:
        one, other = _lowered(one), other[0].upper() + other[1:]
    return text[: match.start()] + other + between + one + text[match.end() :]


def turned(text: str, rng: Random) -> str | None:
    """Replace a phrase with its opposite."""
    return _put(text, _OPPOSITE, rng)


def surer(text: str, rng: Random) -> str | None:
    """State as certain what is hedged."""
    match = re.search(r"\b(?:almost|nearly|about|probably|possibly|perhaps|reportedly) ", text)
    if match and rng.random() < 0.3:
        return text[: match.start()] + text[match.end() :]
    return _put(text, _CERTAIN, rng)


def other_unit(text: str, rng: Random) -> str | None:
    """Give a figure another unit."""
    counted = re.search(r"\d|hundred|" + "|".join(_COUNTS[2:]), text)
    return _put(text, _UNIT, rng) if counted else None


def other_digits(text: str, rng: Random) -> str | None:
    """Change a number by a digit, by a step, or by a lot."""
    found = [*re.finditer(r"\d+(?:[.,]\d+)*", text)]
    words = [*re.finditer(rf"\b({'|'.join(_COUNTS[1:])})\b", text)]
    if words and (not found or rng.random() < 0.3):
        match = rng.choice(words)
        other = rng.choice([each for each in _COUNTS[2:] if each != match[1]])
        return text[: match.start()] + other + text[match.end() :]
    if not found:
        return None
    match = rng.choice(found)
    digits = [at for at, each in enumerate(match[0]) if each.isdigit()]
    at = rng.choice(digits[:2])
    others = [each for each in "123456789" if each != match[0][at]]
    changed = match[0][:at] + rng.choice(others) + match[0][at + 1 :]
    return text[: match.start()] + changed + text[match.end() :]


def denied(text: str, rng: Random) -> str | None:
    """Negate a sentence, or remove a negation."""
    match = re.search(r"\b(was|were|is|are|has|have|had|will|can|did) (?!not\b)", text)
    if match and rng.random() < 0.35:
        word = rng.choice(("never", "no longer", "hardly", "not"))
        return text[: match.end()] + word + " " + text[match.end() :]
    match = re.search(r"\b(?:never|no longer|not|without|hardly|failed to|no) ", text)
    if match and rng.random() < 0.6:
        word = "with " if match[0] == "without " else ""
        return text[: match.start()] + word + text[match.end() :]
    found = negate(text, rng)
    if found is not None:
        return found.text
    if match := re.search(r"\b(?:[a-z]+s|they|we|I|he|she|it) (\w{3,}ed) ", text):
        return f"{text[: match.start(1)]}did not {_infinitive(match[1])} {text[match.end() :]}"
    return None


def _infinitive(verb: str) -> str:
    stem = verb[:-2]
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "sl":
        return stem[:-1]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    return verb[:-1] if stem[-1] in "vuczg" or stem.endswith(("at", "as", "ir", "ur")) else stem


def _lowered(text: str) -> str:
    """Return a text with its first word in lower case if sentences often begin with it."""
    first = text.split(" ", 1)[0]
    small = re.fullmatch(_DETERMINER + "|We|It|He|She|They|There|In|On|When|If|As|However", first)
    return text[0].lower() + text[1:] if small else text


REWORDINGS: tuple[Rule, ...] = (
    *(said_otherwise, said_otherwise, without_lead, shorter, lead_moved, attributed),
    *(number_words, rounded, pair_turned, active),
)


class Changes:
    """All ways to reword and to change sentences of one document.

    Args:
        sentences: Its sentences.
        lexicon: Synonyms and antonyms.
    """

    def __init__(self, sentences: Sequence[str], lexicon: Lexicon) -> None:
        self._swaps, self._lexicon = Swaps(sentences), lexicon
        defined = re.findall(
            r"((?:[A-Z][\w-]+ )(?:(?:of|and|for|the|[A-Z][\w-]+) ){1,5})\(([A-Z]{2,6})\)",
            " ".join(sentences),
        )
        self._short = {long.strip(): short for long, short in defined}
        self._changes: dict[str, tuple[Rule, ...]] = {
            "role": (roles_turned, wrongly_active, self._exchanged),
            "direction": (turned, self._antonym),
            "negation": (denied,),
            "number": (other_digits, self._number),
            "name": (self._name,),
            "unit": (other_unit,),
            "certainty": (surer,),
            "predicate": (self._predicate,),
        }

    @property
    def kinds(self) -> list[str]:
        """The kinds of change."""
        return list(self._changes)

    def reworded(self, text: str, rng: Random) -> str:
        """Reword a sentence in up to four places."""
        rules = [*REWORDINGS, self._synonym, self._synonym, self._abbreviated]
        for rule in rng.sample(rules, rng.randint(2, 7)):
            found = rule(text, rng)
            if found and 4 <= len(found.split()) <= 60:
                text = found
        return text

    def changed(self, text: str, kind: str, rng: Random) -> str | None:
        """Change the meaning of a sentence in one place."""
        rules = list(self._changes[kind])
        rng.shuffle(rules)
        for rule in rules:
            if (found := rule(text, rng)) and found.lower() != text.lower():
                return found
        return None

    def _synonym(self, text: str, rng: Random) -> str | None:
        return _put(text, _inflected(text, self._lexicon.same), rng)

    def _antonym(self, text: str, rng: Random) -> str | None:
        return _put(text, _inflected(text, self._lexicon.opposite), rng)

    def _abbreviated(self, text: str, _: Random) -> str | None:
        for long, short in self._short.items():
            if long in text:
                return re.sub(rf"{re.escape(long)}(?: \({short}\))?", short, text)
            if re.search(rf"(?<!\()\b{short}\b(?!\))", text):
                return re.sub(rf"\b{short}\b", long.replace("\\", ""), text, count=1)
        return None

    def _exchanged(self, text: str, rng: Random) -> str | None:
        found = exchange(text, rng)
        # Two items of a list may be swapped without a change of meaning.
        if found is None or len(found.text[found.start : found.end].split()) < 6:
            return None
        return found.text

    def _number(self, text: str, rng: Random) -> str | None:
        found = self._swaps.swap(text, NUMERIC, rng)
        return found.text if found else None

    def _name(self, text: str, rng: Random) -> str | None:
        found = self._swaps.swap(text, NAMED, rng)
        return found.text if found else None

    def _predicate(self, text: str, rng: Random) -> str | None:
        found = self._swaps.with_other_predicate(text, rng)
        return found.text if found else None


def _inflected(text: str, lexicon: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return possible replacements for words of a text, in their regular inflections."""
    found: dict[str, list[str]] = {}
    for match in _WORD.finditer(text):
        word = match[0]
        for ending in ("", "s", "ed", "ing"):
            stem = word.removesuffix(ending)
            if not ending or stem != word:
                for base in (stem, stem + "e") if ending in ("ed", "ing") else (stem,):
                    if base in lexicon:
                        found.setdefault(word, []).extend(
                            _with(other, ending) for other in lexicon[base]
                        )
    return found


def _with(word: str, ending: str) -> str:
    if ending in ("ed", "ing") and word.endswith("e"):
        return word[:-1] + ending
    if word.endswith("y") and word[-2] not in "aeiou" and ending in ("s", "ed"):
        return word[:-1] + ("ies" if ending == "s" else "ied")
    return word + ("es" if ending == "s" and word.endswith(("s", "x", "ch", "sh")) else ending)
