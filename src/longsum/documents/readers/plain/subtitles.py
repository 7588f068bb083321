"""Reads subtitles (SubRip and WebVTT) as the text that they show."""

import re

from longsum.language.prose import ends_as_sentence

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
"""Fewest timings by which a text is known to be subtitles."""
_PAUSE = 4.0
"""Seconds without a caption after which a new paragraph begins."""


def as_captions(text: str) -> str | None:
    """Return what subtitles show, as paragraphs between blank lines; None for any other text.

    A paragraph ends with a pause, or where another voice or a sound begins. A line that is shown
    again with the next one, as in captions that roll, is said once.
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
