"""Plain texts of speech: subtitles in SubRip or WebVTT, chats, transcripts."""

import re
from collections import Counter

from longsum.language.sentences import ends_as_sentence

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"[ \t]*(?P<start>{_TIME})[ \t]+-->[ \t]+(?P<end>{_TIME})(?:[ \t].*)?")
_VOICE = re.compile(r"<v(?:\.[\w.]{1,80})? (?P<name>[^<>]{1,80})>")
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>|<[\d:.]{5,20}>|\{\\[^{}]{0,80}\}", re.IGNORECASE)
# A dash, the marks of a new speaker, a name in capitals, or a sound: `- No.`, `>> No.`, `ANN: No.`
_TURN = re.compile(
    r"(?:[-–]|>{2,3})\s?(?=[\"'“¿¡]?[^\W\d_a-z])|(?=[A-Z][A-Z.'’ -]{1,40}:\s)"
    r"|(?=[\[(][^()\[\]]*[\])]\Z)"
)
_FEWEST = 3
"""Fewest timings for a text to be recognized as subtitles."""
_PAUSE = 4.0
"""Seconds without a caption after which a new paragraph begins."""


def as_captions(text: str) -> str | None:
    """Return the text of subtitles, as paragraphs between blank lines; None for any other text.

    A paragraph ends at a pause, or where another voice or a sound begins. A line that is shown
    again with the next one, as in roll-up captions, is included once.
    """
    lines = text.split("\n")
    timings = [place for place, line in enumerate(lines) if _TIMING.fullmatch(line)]
    if len(timings) < _FEWEST or 12 * len(timings) < len(lines):
        return None
    paragraphs: list[str] = []
    shown: list[str] = []
    last_end, voice = 0.0, ""
    for place in timings:
        timing = _TIMING.fullmatch(lines[place])
        assert timing is not None
        said = _said(lines, place + 1)
        name = next((found["name"] for line in said if (found := _VOICE.search(line))), "")
        plain = [text for line in said if (text := _TAG.sub("", line).strip())]
        pause = _seconds(timing["start"]) - last_end > _PAUSE
        if not paragraphs or pause or name != voice:
            paragraphs.append(f"{name}: " if name and name != voice else "")
        for line in plain:
            if line in shown:
                continue
            before = paragraphs[-1].strip() or "."
            turn = _TURN.match(line)
            if before.endswith(("]", ")")) or (turn and ends_as_sentence(before)):
                line = line[turn.end() :] if turn else line
                paragraphs.append("")
            # A line is divided at a hyphen that belongs to the word.
            paragraphs[-1] += line if line.endswith("-") else f"{line} "
        shown, last_end, voice = plain, _seconds(timing["end"]), name
    return "\n\n".join(paragraphs)


def _said(lines: list[str], start: int) -> list[str]:
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return lines[start:end]


def _seconds(time: str) -> float:
    whole, _, part = time.replace(",", ".").partition(".")
    seconds = 0
    for unit in whole.split(":"):
        seconds = 60 * seconds + int(unit)
    return seconds + float(f"0.{part}")


_WHEN = (
    r"(?:[\w.,/-]{2,12},? (?:at )?)?\d{1,2}:\d{2}(?::\d{2})?(?>(?:\s?[AaPp](?:[Mm]|\.\s?[Mm]\.))?)"
)
_WORD = r"(?:[^\W_]|[.'’()-]){1,30}"
_NO_ZONE = r"(?![A-Z]{2,5}(?:\W|\Z))(?=[^\W\d_a-z])"
_NAME = rf"(?P<name>{_NO_ZONE}{_WORD}(?: (?!to ){_WORD}){{0,3}})(?:#\d{{4}})?"
_CHAT_HEADS = (
    re.compile(
        rf"[\[(]?{_WHEN}[\])]?\s{{1,4}}From {_NAME}(?: to [^:]{{1,60}})?\s?:\s?(?P<said>.*)"
    ),
    re.compile(rf"[\[(]?{_WHEN}[\])]?\s{{1,4}}{_NAME}:?"),
    re.compile(rf"{_NAME}\s{{1,4}}[\[(—–|-]?\s?{_WHEN}[\])]?:?"),
)
# As in IRC: `[17:03] <@ana> text`, or the text below; and actions: `* ana waves`.
_ISO = r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?\]?"
_AT = rf"(?:[\[(]?{_WHEN}[\])]?|{_ISO})\s{{1,4}}"
_LEVEL = r"(?:debug|info|notice|warn(?:ing)?|error|err|crit(?:ical)?|alert|emerg|fatal|trace)>"
_NICK = re.compile(
    rf"{_AT}<[ @+%&~]?(?!\d|(?i:{_LEVEL}))(?P<name>[^\s<>]{{1,60}})>(?:\s(?P<said>.*))?"
)
_MARK = r"(?:\*{1,3}|-!-|-->|<--|=-=|•)\s"
_NOTE = re.compile(rf"(?:{_AT}{_MARK}|{_ISO}\s{{0,4}})(?P<note>.*)")
# Who takes minutes there writes who speaks: `<li> Ana: text`.
_TOLD = re.compile(r"[^\W\d_][^\s:]{1,60}:\s")
_FEWEST_HEADS = 4


def as_chat(text: str) -> str | None:
    """Return a chat or a transcript with lines for speakers as `Name: text`, else None.

    The forms are those of Slack, Teams, Discord, Zoom and transcription services: a name and a time
    alone in a line (`Ana Ruiz  9:12 AM`), above the words; or IRC's. Names have to recur.
    """
    before: list[str] = []
    turns: list[tuple[str, list[str]]] = []
    nicks = 0
    for line in text.split("\n"):
        bare = line.strip()
        head = next(filter(None, (form.fullmatch(bare) for form in _CHAT_HEADS)), None)
        if head is None and (nick := _NICK.fullmatch(bare)):
            head, nicks = nick, nicks + 1
        if head is None and turns and (note := _NOTE.fullmatch(bare)):
            turns.append(("", [f"[{note['note']}]"] if note["note"] else []))
        elif head is not None:
            turns.append((head["name"], [said] if (said := head.groupdict().get("said")) else []))
        elif turns:
            turns[-1][1].append(bare)
        else:
            before.append(line)
    names = [name for name, _ in turns if name]
    # Nothing else has the form of IRC, in which some speak only once.
    most = len(names) - 1 if nicks == len(names) else len(names) / 2
    if len(names) < _FEWEST_HEADS or not 1 < len(set(names)) <= most:
        return None
    told = Counter(name for name, lines in turns if lines and _TOLD.match(lines[0]))
    often = Counter(names)
    scribes = {name for name, count in told.items() if _FEWEST_HEADS <= often[name] <= 2 * count}
    said = [
        ("" if not name or (name in scribes and _TOLD.match(lines[0])) else f"{name}: ")
        + "\n".join(filter(None, lines))
        for name, lines in turns
        if any(lines)
    ]
    return "\n\n".join(["\n".join(before), *said]).strip("\n")


# `INT. KITCHEN - DAY`, perhaps with the number of the scene on both sides.
_SCENE = re.compile(
    r"(?:\d{1,4}[A-Z]?\.?\s+)?(?:INT|EXT|I/E|INT\.?/EXT|EXT\.?/INT)(?:\.|\s)\s*\S.{0,120}"
)
# Who speaks: `YOUNG ANN (V.O.) (CONT'D)`; a caret says that two speak at once.
_CUE = re.compile(
    r"@?(?P<name>[^\W\d_a-z][^a-z()\[\]:!?^]{0,40})(?P<how>(?:\s*\([^()]{1,30}\)){0,3})\s*\^?"
)
_TRANSITION = re.compile(r"[A-Z][A-Z '’.-]{2,30}(?: (?:TO|WITH):|\b(?:IN|OUT)[.:])")
_STARRED = re.compile(r"\*{1,3}(?=\S)([^*\n]{0,400}[^\s*])\*{1,3}")
_FEWEST_SCENES = 3


def as_screenplay(text: str) -> str | None:
    """Return a screenplay with its turns as `NAME: text`, as in plays; None for any other text.

    Scenes are known by their headings, who speaks by a line in capitals right above what is said.
    What is done while speaking stands in brackets, and so does how a scene ends.
    """
    lines = [line.strip() for line in text.split("\n")]
    scenes = sum(_SCENE.fullmatch(line) is not None for line in lines)
    if scenes < _FEWEST_SCENES or "```" in text:
        return None
    # Acts and sequences, where a script has them, are marked as in Markdown.
    mark = "#### " if any(line.startswith("# ") for line in lines) else ""
    # What happens in a scene, in short, opens with an equals sign.
    lines = [_STARRED.sub(r"\1", line).removeprefix("= ") for line in lines]
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return "\n\n".join(_as_turn(each, mark) for each in paragraphs if each)


def _as_turn(lines: list[str], mark: str) -> str:
    """Return a paragraph of a screenplay in the form of plays, scenes with a mark of headings."""
    if _SCENE.fullmatch(lines[0]):
        return "\n\n".join([mark + lines[0], *["\n".join(lines[1:])] * (len(lines) > 1)])
    if len(lines) == 1:
        centred = lines[0].startswith(">") and lines[0].endswith("<")
        line = lines[0].strip("<> ") if centred else lines[0]
        ends = line.strip("> ")
        return f"[{ends}]" if _TRANSITION.fullmatch(ends) else line
    cue = _CUE.fullmatch(lines[0])
    if cue is None:
        return "\n".join(lines)
    how, said = cue["how"], lines[1:]
    if len(said) > 1 and said[0].startswith("(") and said[0].endswith(")"):
        how, said = said[0], said[1:]
    return " ".join([cue["name"].strip(), how.strip()]).strip() + ": " + "\n".join(said)
