"""Finds the labels of speakers that open the turns of transcripts, interviews and plays."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from longsum.language.words import word_list

_FEWEST_TURNS = 4
_MOST_WORDS = 7
_LONGEST = 80
_NAMED_SHARE = 0.1
"""Minimum share of paragraphs that open with labels, if the labels look like names."""
_MEMBERS_SHARE = 0.05
"""The same if they name members of a parliament, whose speeches have many paragraphs."""
_PLAIN_SHARE = 0.3
"""The same for labels of any other form."""

_DAY = r"(?:\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?\s+)?"
_HALF = r"(?:\s?[AaPp](?:[Mm]|\.\s?[Mm]\.))?"
_CLOCK = rf"[\[(]?{_DAY}\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:[.,]\d{{1,3}})?{_HALF}[\])]?"
_TIME = rf"(?:{_CLOCK}\s*(?:[-–]\s*)?)?"
_ASIDE = r"(?:(?<!\s)\s*+[\[(](?:[^\[\]()]|\([^\[\]()]{1,20}\)){1,120}[\])])?"
# A title may be in brackets: `Hon. (Ms.) Odhiambo:`.
_COLON = re.compile(
    rf"{_TIME}(?P<speaker>[^\s:;.?!\[(](?:[^:;?!\[\]()]|\([A-Z][a-z]{{1,4}}\.\))*?)"
    rf"{_ASIDE}\s?:(?=\s|\Z)\s*"
)
# As transcription services write: `[Speaker 1] [00:31] Right.`, `[00:31] [Speaker 1] Right.`.
_BRACKETED = re.compile(
    rf"(?=(?:\[[^\[\]]{{1,{_LONGEST}}}\] ?)?{_CLOCK}){_TIME}\[(?P<speaker>[^\W\d_][^:;\[\]]*)\]:?"
    rf"(?:\s?{_CLOCK}:?)?\s+(?=\S)"
)
_CAPITALS = re.compile(
    r"(?P<speaker>[A-Z][A-Z'’. -]*[A-Z])(?<!\bM[RS])(?<!\bMRS)"
    rf"(?:{_ASIDE}\.|\s\[[^\[\]]{{3,120}}\])(?=\s|\Z)\s*"
)
# Members in the records of parliaments: `Mr. FRIST. Mr. President, …`, `HON. A.A. MAHARAJ.- I …`,
# `Mr PATRICK BASA - Good morning`, `The PRESIDING OFFICER (Mr. Graham). Without …`.
_MEMBER = (
    r"(?:(?:The|THE|Hon(?:ou?rable)?|HON(?:OU?RABLE)?|M(?:rs?|RS?|s|S|iss|ISS|adam|ADAM)|Dr|DR"
    r"|Prof|PROF|Senator|SENATOR|Sir|SIR)\.? ){1,3}"
    r"(?:[A-Z]\. ?|[A-Z'’]{2,}\.? ){0,6}(?:Ma?c|De)?[A-Z'’]{2,}(?:-[A-Z'’]{2,})?"
    r"(?: of [A-Z][a-z]+(?: [A-Z][a-z]+)?| pro tempore)?"
)
_MEMBER_NAME = re.compile(_MEMBER)
_TITLED = re.compile(rf"(?P<speaker>{_MEMBER}){_ASIDE}(?:\.? ?[-–—]+|\.)(?=\s|\Z)\s*")
_POINT = re.compile(
    r"_?(?P<speaker>(?:(?:Mr|Mrs|Dr|Rev|St)\. )?(?!(?:Mr|Mrs|Ms|Dr|Rev|St|Hon)\.)[A-Z][a-z'’]{2,}"
    rf"(?: (?:and |the )?[A-Z][a-z'’]+){{0,3}}){_ASIDE}\._?(?=\s|\Z)\s*"
)
_CALLED = re.compile(r"(?<=[a-z,] )[A-Z][a-z'’]{2,}")
_NICK = re.compile(r"[\[\d:.\s\]-]*+(?:[AP]M\s+)?<\W?(?P<speaker>[A-Za-z][\w-]+)>\s+")
_PARAGRAPH_MARK = re.compile(r"\[\d{3,5}\]\s+(?=\S)")
_STAMP = re.compile(rf"{_CLOCK}\s+(?:[-–]\s+)?(?=\S)")
_UNSAID = re.compile(r"(?:[\[(][^\[\]()]*[\])]\W*)?")
PERSONS = re.compile(r"\b(?:I|me|my|we|us|our|you|your|yeah|okay)\b", re.IGNORECASE)
_LEAST_PERSONS = 0.2
"""Minimum frequency of `I` and `you` in continuing speech, relative to labelled speech."""
_FEWEST_STAMPS = 3
_LEAST_STAMPED = 0.3
"""Minimum number and share of paragraphs that open with a time for times to be stamps."""
_NAME = re.compile(
    r"(?:[^\W\d_]\.?|[^\W\d_a-z]\w*+(?:['’./-][^\W\d_a-z]\w*+)*(?:['’./-]\w*+)?\.?,?"
    r"|and|&|of|the|de|la|van|von|der|\d{1,2}|\#\w+\#|\([A-Z][a-z]{1,4}\.\))"
)
_OPENING_NAME = re.compile(r"[^\W\d_a-z]|\#\w+\#\Z|[a-z][\w-]+\Z")
_REMARKS = word_list(__package__, "no_speakers.txt")
"""Words that introduce remarks, steps, fields and parts of abstracts, not speech."""
_FUNCTION_WORDS = """
a an these those this that there it i he she we they you in on for to if as at by from
"""
_NO_NAMES = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class Label:
    """The opening of a paragraph that is not part of its sentences.

    Attributes:
        end: Where the text after it starts.
        speaker: The speaker it names; empty for a paragraph number.
    """

    end: int
    speaker: str = ""


def find_labels(paragraphs: Sequence[str | None]) -> list[Label | None]:
    """Find the labels that open the paragraphs of a document: `PROFESSOR A:`, `HAMLET.`, `[0029]`.

    A label is short and opens like a name; lower-case ones before a full stop must recur. The
    paragraphs of a document have speakers only if labels recur over alternating turns and enough
    paragraphs have one; a name used once counts only in such a document. Words such as `Note`,
    `Warning` and `Results` never name a speaker.

    Args:
        paragraphs: The texts in reading order; None for a heading.
    """
    opened = [text or "" for text in paragraphs]
    # If most text is in capitals, labels in capitals name nobody.
    loud = 2 * sum(map(str.isupper, opened)) > sum(map(bool, opened))
    forms = (_NICK, _COLON, _BRACKETED, _TITLED, *([] if loud else [_CAPITALS]))
    candidates = [
        next(filter(None, (_named(form, text) for form in forms)), None) for text in opened
    ]
    pointed = [_named(_POINT, text) for text in opened]
    # A word with a full stop may be a whole turn: `Good.`; a name recurs, or is used by others.
    often = Counter(label.speaker for label in pointed if label)
    known = {name for name, count in often.items() if count >= _FEWEST_TURNS}
    if len(known) > 1:
        called = {name for text in opened for name in _CALLED.findall(text)}
        known |= {name for name in often if name.split()[-1] in called or ". " in name}
    candidates = [
        label or (other if other and other.speaker in known else None)
        for label, other in zip(candidates, pointed, strict=True)
    ]
    turns = [label.speaker for label in candidates if label is not None]
    names = _speakers(turns, sum(text is not None for text in paragraphs))
    stamped = stamped_places(opened)
    labels: list[Label | None] = []
    for text, label in zip(paragraphs, candidates, strict=True):
        if label is not None and label.speaker in names:
            labels.append(label)
            continue
        mark = text and (_PARAGRAPH_MARK.match(text) or (stamped and _STAMP.match(text)))
        labels.append(Label(mark.end()) if mark else None)
    return labels


def stamped_places(texts: Sequence[str]) -> set[int]:
    """Return which texts open with a time stamp, if enough do for times not to be content."""
    stamped = {place for place, text in enumerate(texts) if _STAMP.match(text)}
    return stamped if len(stamped) >= max(_FEWEST_STAMPS, _LEAST_STAMPED * len(texts)) else set()


def find_speakers(paragraphs: Sequence[str | None], labels: Sequence[Label | None]) -> list[str]:
    """Return the speaker of each paragraph, from its label or an earlier one; empty for none.

    A speaker continues until the next label or heading, but not in brackets, which are for stage
    directions, nor if paragraphs without a label are about the speakers: unlike those with one,
    these hardly ever say `I` or `you`.

    Args:
        paragraphs: The texts in reading order; None for a heading, "" for a stage direction.
        labels: Their labels, see `find_labels`.
    """
    speaker, speakers = "", list[str]()
    persons, words = [0, 0], [0, 0]
    firsts = said_in(paragraphs, labels)
    for text, label, said in zip(paragraphs, labels, firsts, strict=True):
        named = label is not None and bool(label.speaker)
        speaker = label.speaker if label and named else speaker if text is not None else ""
        aside = text is not None and not named and _UNSAID.fullmatch(text)
        speakers.append("" if aside else speaker)
        if text and speakers[-1]:
            first = named or bool(said)
            words[first] += text.count(" ") + 1
            persons[first] += len(PERSONS.findall(text))
    if persons[False] * words[True] < _LEAST_PERSONS * persons[True] * words[False]:
        return [who if said else "" for who, said in zip(speakers, firsts, strict=True)]
    return speakers


def split_turns(lines: Sequence[str]) -> Iterator[list[str]]:
    """Divide lines before each speaker's label, if they are turns."""
    turn: list[str] = []
    for line, label in zip(lines, find_labels(lines), strict=True):
        if label is not None and turn:
            yield turn
            turn = []
        turn.append(line)
    if turn:
        yield turn


def said_in(paragraphs: Sequence[str | None], labels: Sequence[Label | None]) -> list[str]:
    """Return the speech in each paragraph, after a speaker's label, which may be above it."""
    texts, alone = list[str](), False
    for text, label in zip(paragraphs, labels, strict=True):
        named = label is not None and bool(label.speaker)
        aside = bool(text) and not named and _UNSAID.fullmatch(text or "") is not None
        spoken = named or (alone and not aside)
        texts.append((text or "")[label.end if label else 0 :] if spoken else "")
        alone = (named and not texts[-1]) or (alone and aside)
    return texts


def _named(form: re.Pattern[str], text: str) -> Label | None:
    match = form.match(text[: 2 * _LONGEST])
    if match is None or not _may_name(match["speaker"].strip()):
        return None
    return Label(match.end(), match["speaker"].strip(" ,"))


def _may_name(speaker: str) -> bool:
    words = speaker.split()
    if not words or len(words) > _MOST_WORDS or len(speaker) > _LONGEST:
        return False
    bare = [word.strip(".,'’").casefold() for word in words]
    if bare[0] in _REMARKS or (bare[0] in _NO_NAMES and len(speaker) > 1):
        return False
    return _OPENING_NAME.match(speaker) is not None


def _is_name(speaker: str) -> bool:
    return all(_NAME.fullmatch(word) for word in speaker.split())


def _speakers(turns: Sequence[str], paragraphs: int) -> set[str]:
    """Return the candidates that are speakers."""
    counts = Counter(turns)
    again = {speaker for speaker, count in counts.items() if count > 1}
    recurring = [speaker for speaker in turns if speaker in again]
    changes = sum(a != b for a, b in pairwise(recurring))
    whole = len(turns) >= 0.8 * paragraphs and len(counts) > 1 and bool(again)
    if not whole and (len(recurring) < _FEWEST_TURNS or len(again) < 2):
        return set()
    if 3 * changes < len(recurring):
        return set()
    members, named = (
        sum(1 for speaker in recurring if known(speaker)) >= 0.9 * len(recurring)
        for known in (_MEMBER_NAME.fullmatch, _is_name)
    )
    least = _MEMBERS_SHARE if members else _NAMED_SHARE if named else _PLAIN_SHARE
    if len(turns) < least * paragraphs:
        return set()
    return {speaker for speaker in counts if speaker in again or _is_name(speaker)}
