"""Finds English sentences that cannot be understood without the sentence before them.

Rules on the opening of a sentence, in the manner of the exclusion rules of Paice (1981, *The
automatic generation of literature abstracts*) and of the patterns for pleonastic "it" of Lappin &
Leass (1994). Only the first characters of a sentence are looked at, each by patterns of bounded
length, so the time is linear in the number of sentences.
"""

import re
from importlib.resources import files
from typing import Literal

from longsum.language.words import stop_words, terms

Dependence = Literal["reference", "connective", "ellipsis"]
"""Why a sentence is not self-contained: its opening refers to something that it does not name
("These …", "In that case …"), a connective or parentheses tie it to the preceding text
("However, …"), or it is an answer or a fragment ("Yes.", "As what?")."""

Dependences = frozenset[Dependence]

_LOOKED_AT = 240
_SHORT_REPLY = 4
_LEADING = re.compile(r"\A[^\w$£€]+")
"""The opening marks of a text: quotes, bullets, brackets."""
_QUOTES = tuple("\"'“‘«„")


def _any(alternatives: str, separator: str = ",") -> str:
    """Return a pattern of the alternatives listed in a text."""
    return "(?:" + "|".join(each.strip() for each in alternatives.split(separator)) + ")"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_ANSWER = _pattern(
    r"(?:(?:uh|um|oh|ah|well|so|but|and)\s*,\s*)*(?:"
    r"(?:yes|yeah|yep|no|nope|okay|ok|right|sure|exactly)(?=\s*(?:[,.!;—–]|$))"
    r"|(?:yes|yeah),? (?:sir|ma'am|your honor)\b|(?:uh|mm|m)\s*-\s*h(?:mm?|uh)|h?mm+\b)"
)

# Words that connect only if followed by a comma.
_BEFORE_COMMA = _any(
    "still, further, again, rather, next, last, first of all, in turn, in fact, indeed, in short,"
    "in brief, in particular, well, more importantly, more specifically, specifically,"
    "more generally, what is more, at the same time, on balance, by comparison, in comparison,"
    "in conclusion, even then, even now, alternatively, above all, after all, for one thing,"
    "for another, in reality, to illustrate, either way, in either case, in any case, in any event,"
    "that way, this way, until then, on top of that, apart from that, aside from that, all in all,"
    "other than that"
)
_CONNECTIVE = _pattern(
    r"(?:"
    r"(?:however|therefore|moreover|furthermore|nevertheless|nonetheless|consequently|accordingly"
    r"|hence|thus(?!\s+far\b)|besides|likewise|conversely|meanwhile|otherwise|thereby|thereafter|thereupon"
    r"|additionally|secondly|thirdly|lastly|finally|similarly|instead|also(?!\s+\w+ed\b|\s+known\b))(?![\w\-]|\s+(?:of|to)\b)"
    r"|on the (?:other hand|contrary)|in addition(?!\s+to)|(?:in|by) contrast(?!\s+(?:to|with))"
    r"|as a (?:result|consequence)(?!\s+of)|as such\b|for (?:example|instance)\b"
    r"|in other words|even so\b|that (?:said|being said)\b"
    rf"|{_BEFORE_COMMA}\s*,"
    r"|(?:and|but|or|nor|yet)(?![\w\-]|\s*/)(?!\s+for\s+(?:the|a|an)\b)"
    r"|then(?![\w\-])"
    r"|so(?![\w\-])(?!\s+(?:far|that|long|much|many|few|called|as)\b)"
    r")"
)
_LATE_CONNECTIVE = _pattern(
    r"[^,;:.?!]{1,60},\s*(?:however|therefore|though|moreover|nevertheless|nonetheless|meanwhile"
    r"|consequently|instead|likewise|similarly|in turn|by contrast|in contrast|for example"
    r"|for instance|on the other hand|as a result)\s*,"
)
_LAST_CONNECTIVE = _pattern(r",\s*(?:however|though|too|either|instead|as well)\s*[.!?]\W*$")

_ADVERB = _pattern(
    r"(?:of course|in effect|perhaps|maybe|only|even|just|now|today|currently"
    r"|clearly|obviously|sometimes|often"
    r"|usually|generally|typically|at least|at most|certainly|surely|apparently|again|all|almost"
    r"|nearly|unfortunately|fortunately|importantly|notably|eventually|initially|ultimately"
    r"|presumably|frankly|\w{3,}ally|\w{3,}tely|\w{3,}ntly)(?:\s*+,)?\s++(?=\w)"
)

# A document's references to itself.
_SELF = _any(
    r"papers?, reports?, articles?, stud(?:y|ies), sections?, subsections?, chapters?, documents?,"
    r"works?, books?, booklets?, reviews?, append(?:ix|ices), proposals?, testimony, thesis,"
    r"briefs?, briefing, manuscripts?, guides?, specification, posts?, essays?, tables?, figures?,"
    r"survey, modules?, RFC, memorandum, statement, notes?, summary, letter, page,"
    r"edition, volume, part, tutorial, lecture, dissertation, investigation, research, website,"
    r"cheat sheet, spec, draft, manual, handbook, playbook, charter, enhancement, foreword,"
    r"preface, code of conduct, privacy policy, project, repo, repository, appeal"
)
# Of these, only with a capital: "this KEP" is an enhancement proposal, "this BIP" an improvement
# proposal, and "this Act" the document itself rather than another one.
_SELF_NAMED = (
    r"(?-i:[A-Z]{1,3}(?:EP|IP|PE)|Act|Addendum|Agreement|Constitution|Convention|Directive"
    r"|Licen[cs]e|Notice|Order|Policy|Regulations?|Standard)"
)
_NOW = _any(
    "year, month, week, morning, afternoon, evening, day, summer, winter, spring, autumn, fall,"
    "decade, century, country, nation, time of year, Court, Committee, House, Congress, term"
)
_BETWEEN = r"(?:(?!\b(?:is|was|are|were|in|of|to|and|or|an?|the)\b)[\w\-]+\s+){0,2}"
_DEIXIS = (
    rf"this\s+{_BETWEEN}(?:{_SELF}|{_SELF_NAMED}|{_NOW})(?!\w)|these\s+{_BETWEEN}(?-i:Terms)(?!\w)"
    r"|this\s+is\s+(?:not\s+)?(?:legal|financial|medical|investment|tax)\s+advice"
    rf"|this\s+is\s+(?:(?:a|an|the)\s+)(?:[\w\-]+\s+){{0,3}}{_SELF}(?!\w)"
)
_DEICTIC = _pattern(_DEIXIS)
_CATAPHORIC = _pattern(
    r"(?:those|these|he|they|that)\s+(?:who|whom|whose|which|with|without|of|in|from|on|interested"
    r"|wishing|seeking|\w{3,}ing)\b|(?:this|these|here)\b[^.:]{0,30}:\s*[^\s:]"
    r"|(?:his|her|your)\s+(?:majesty|highness|excellency|honou?r|holiness)\b"
    r"|that\s+(?:the|a|an|there|one|so|such|many|most|we|you|i|people|all)\b"
)

_BESIDE_BE = (
    r"(?:(?:'d|’d|\s+(?:has|had|have|will|would|may|might|can|could|should|must|also|not|n't"
    r"|therefore|thus|however|often|then|now|never|always|still|only|very|quite|so|too|more|most"
    r"|less|increasingly|even|just|long|well|rather|particularly|especially|generally|widely"
    r"|probably|certainly|hardly|clearly|usually|sometimes|perhaps|to|\w+ly))\b)"
)
_ONE_BE = (
    r"(?:(?:'s|’s|\s+(?:is|was|be|been|being|seems?|seemed|appears?|appeared|remains?|remained"
    r"|becomes?|became|considered|made|found|thought|deemed))\b)"
)
_BE = rf"(?:{_BESIDE_BE}{{0,3}}{_ONE_BE}(?:{_ONE_BE}|{_BESIDE_BE}){{0,5}})"
_JUDGED = _any(
    files("longsum.documents.fitness")
    .joinpath("pleonastic.txt")
    .read_text(encoding="utf-8")
    .strip(),
    "\n",
)
"""What may follow an "it" that refers to nothing: "it is clear that …" (`pleonastic.txt`)."""
_PLEONASTIC = _pattern(
    rf"it{_BE}\s+(?:an?\s+|the\s+)?(?:\w+\s+)?{_JUDGED}(?!\w)"
    rf"|it{_BE}\s+(?!these\b|those\b)(?:(?!\w+ing\b)\S+\s+){{1,8}}(?:that|who|whom)\s+\w"
    r"|it(?:'s|’s|\s+(?:is|was))\s+(?:not\s+)?(?:an?|the|no)\s+(?:\w+\s+){1,3}(?:to|that|when|if)\b"
    r"|it\s+(?:\w+\s+){0,2}(?:seems?|seemed|appears?|appeared|turns?\s+out|turned\s+out|happens?"
    r"|happened|remains?|remained|makes?|made|takes?|took|matters?|mattered|costs?|behooves?|helps?"
    r"|suffices?|occurs?|occurred|feels?|looks?\s+(?:like|as)|sounds?\s+(?:like|as))\b[^.;]{0,80}?"
    r"\b(?:that|to|whether|how|why|if|as)\b"
)
_VERB = (
    r"(?:(?:do|does|did|is|are|was|were|has|have|had|could|would|should|wo|ca)n['’]t"
    r"|is|are|was|were|be|has|have|had|do|does|did|can|could|may|might|must|shall|should|will"
    r"|would|also|then|just|often|usually|never|simply|only|\w{3,}ed|makes?|means?|says?|said|gives?"
    r"|takes?|took|came|comes?|went|goes|saw|cite|include|contain|remain|remains|require|requires"
    r"|look|looks|seem|seems|appear|appears|show|shows|use|uses)\b"
)
_COUNTED = (
    r"(?:factor|reason|step|option|group|approach|type|kind|category|example|problem|issue|case|one"
    r"|point|question|method|phase|stage|alternative|form|possibility|idea|aspect|difference|thing"
    r"|criterion|condition|challenge|objection|argument|set|class)\b"
)
_OF_IT = (
    rf"(?:of|for|to|with|about|by|behind|in|between|among|from|on)\s+(?!{_DEIXIS})"
    r"(?:these|those|this|that\s+(?!the\b)|them|it\b|doing\s+(?:so|this|that)|such\b)"
)
_BEFORE_VERB = (
    r"(?:(?!(?:is|are|was|were|has|have|had|can|may|will|would|that|which|who|and)\b)[\w'’\-]+\s+)"
)
_FINITE = (
    r"(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|should|will|would"
    r"|means?|refers?|makes?|shows?|gives?|takes?|uses?|requires?|allows?|applies)\b"
)
_REFERENCE = _pattern(
    r"(?:"
    r"(?:they|he|she|him|them|theirs|hers|these|those|this|his|her|their|its|itself|it)(?![\w\-])"
    rf"|that(?:'s|’s|(?:\s+[^\s,;:]+){{0,3}}?\s+{_VERB}|\s*,)"
    r"|such(?![\w\-]|\s+as\b)|doing\s+(?:so|this|that|these)\b"
    rf"|the\s+latter(?!\w)|the\s+(?:former|\w+\s+above)\s+{_FINITE}"
    r"|[^,;:.]{0,60}?\bthe\s+(?:above|foregoing|aforementioned)(?![\w\-])"
    r"|the\s+same(?=\s+(?:is|was|goes|holds|applies|true|thing|can|could|may|would|happens)\b)"
    rf"|the\s+(?:second|third|fourth|fifth|next|last|final|other)\s+(?:\w+\s+)?{_COUNTED}"
    # "My latest is …", "The first was …", "The only difference is that …"
    r"|(?:the|my|our)\s+(?:first|second|third|other|last|latest|newest|next)(?:\s+ones?)?"
    r"\s+(?:is|was|are|were)\b"
    r"|(?:the|an?)\s+(?:(?:only|main|key|big|real|short|simple|obvious)\s+)?(?:answer|benefit"
    r"|consequence|difference|downside|drawback|exception|idea|problem|question|reason|result)s?"
    r"\s+(?:here\s+)?(?:is|are|was|were)\b"
    r"|both(?![\w\-])(?![^.;]{0,80}\band\b)"
    rf"|(?:some|many|most|all|few|several|each|either|neither|none|others?|another|one|any|much|two"
    rf"|three)\s+(?:{_VERB}|of\s+(?:these|those|this|them|it|which)\b|such\b)"
    r"|(?:another|others?)(?!\s+than\b|\s+(?:day|hand)\b)(?![\w\-])"
    rf"|(?:the|a|an|one|each|some|most|many|any|all|no|any)\s+{_BEFORE_VERB}{{0,5}}?{_OF_IT}"
    r"|(?:the|an?)\s[^.:;]{1,80}?\b(?:of|in|to|with|by)\s+claims?\s+\d"
    # "The issue has been fixed.", "Client: Suggestion was implemented."
    r"|(?:[\w\-]{1,30}:\s+)?(?:the\s+(?:issue|finding|recommendation|suggestion)s?"
    r"|issue|finding|recommendation|suggestion)\s+(?:has|have|was|were)\s+(?:\w+\s+){0,3}?"
    r"(?:acknowledged|addressed|confirmed|fixed|implemented|mitigated|resolved)\b"
    r")"
)
_LATER = _pattern(
    r"(?:(?:[\w'’\-]+\s+){1,6}?|(?:(?!(?:and|or) this\b|(?:after|although|because|before|but|if"
    r"|since|so|than|unless|until|when|whether|while)\b)[^\s,;:()—–]+\s+){1,30}?)"
    rf"(?!{_DEIXIS}|this\s+(?:time|moment|world|opportunity|feature|design|instrument|meeting"
    r"|writing)\b|these\s+days\b)"
    r"(?:this|these)(?![\w\-]|[^.:]{0,40}:\s*[^\s:])"
    r"(?:\s+(?P<noun>\w{4,})(?:\s+(?P<other>\w{4,}))?)?"
)
"""A demonstrative among the first words, "Users of this library …", or in the first clause."""
_PREPOSITION = _any(
    "in, on, at, by, for, from, with, without, under, over, after, before, since, during, through,"
    "because of, due to, given, despite, to, of, among, between, within, against, like, unlike,"
    "along with, instead of, in addition to, as a result of, based on, following, beyond,"
    "besides, in light of, in spite of, contrary to, according to, compared to, compared with,"
    "in contrast to"
)
_INTRODUCED = _pattern(
    rf"(?!given\s+that\b){_PREPOSITION}\s+(?:all\s+(?:of\s+)?|both\s+(?:of\s+)?|each\s+of\s+|some\s+of\s+|most\s+of\s+"
    r"|the\s+\w+\s+of\s+|do(?:ing)?\s+)?"
    r"(?:this|these|those|that|such|them|him|it|so|then|both|his|her|its|their)(?![\w\-])"
)
_POSSESSIVE_LATER = _pattern(r"(?:\S+\s+){1,3}?(?:his|her|its|their)\b[^,]{1,60},\s*(?P<next>\w+)")
_AFTER_PHRASE = _pattern(
    rf"(?:{_PREPOSITION}(?:\s+[\w\-]+){{1,6}}|\w+ly)(?:\s*+,)?\s++(?P<one>he|she|they|it|this|these)\s+\w"
)
_CLAUSE = _pattern(
    r"(?:when|while|if|as|after|before|because|since|although|though|once|until|unless|whenever"
    r"|where)\s+(?:both\s+|all\s+)?(?P<one>he|she|they|it|this|these|that|those)(?![\w\-])"
    r"(?P<rest>[^,]{1,80},\s*(?P<next>\w+))?"
)
_SUBJECTS = frozenset(
    ["i", "you", "we", "he", "she", "it", "they", "this", "that", "these", "those", "there", "one"]
)
_NO_NAMES = _SUBJECTS.union(
    ["his", "her", "its", "their", "my", "your", "our", "who", "which", "and"]
)


def dependence(sentence: str) -> Dependences:
    """Return why an English sentence is not self-contained; empty if it is."""
    opening = _LEADING.sub("", sentence[:_LOOKED_AT])
    reasons: set[Dependence] = set()
    if _is_reply(opening):
        reasons.add("ellipsis")
    rest, connected = _without_connectives(opening)
    if _is_aside(sentence):
        reasons.add("connective")
    if connected or _LATE_CONNECTIVE.match(opening) or _LAST_CONNECTIVE.search(sentence[-40:]):
        reasons.add("connective")
    if _refers(rest, said=sentence[:1] in _QUOTES):
        reasons.add("reference")
    return frozenset(reasons)


def _is_aside(sentence: str) -> bool:
    """Return whether a whole sentence is in parentheses: `(It is rare.)`."""
    if not sentence.startswith("(") or not sentence.endswith(")"):
        return False
    depth = 0
    for place, character in enumerate(sentence):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(sentence) - 1
    return False


def _is_reply(opening: str) -> bool:
    """Return whether a sentence is an answer, or so short that it lacks its verb."""
    if _ANSWER.match(opening):
        return True
    words = terms(opening)
    if not 0 < len(words) <= _SHORT_REPLY:
        return False
    function = stop_words() | {"sir", "ma'am", "please", "okay", "yes", "uh", "um"}
    has_subject = len(words) > 1 and any(word in _SUBJECTS for word in words)
    return all(word in function for word in words) and not has_subject


def _without_connectives(opening: str) -> tuple[str, bool]:
    """Return an opening without its connectives, and whether there were any."""
    connected = False
    while match := _CONNECTIVE.match(opening):
        connected = True
        opening = _LEADING.sub("", opening[match.end() :])
    return opening, connected


def _refers(opening: str, *, said: bool = False) -> bool:
    """Return whether an opening refers to something that the sentence has not named.

    A speaker (`said`) may point at something visible, which no sentence names.
    """
    if found := _ADVERB.match(opening):
        opening = opening[found.end() :]
    if _DEICTIC.match(opening) or _CATAPHORIC.match(opening):
        return False
    if not said and (later := _LATER.match(opening)) and not _is_named_before(later):
        return True
    if _PLEONASTIC.match(opening):
        return False
    if _REFERENCE.match(opening):
        return True
    if _INTRODUCED.match(opening):
        return _is_unresolved(opening)
    if clause := _CLAUSE.match(opening):
        follows = clause["next"]
        named = follows is not None and follows.lower() not in _NO_NAMES
        pleonastic = _PLEONASTIC.match(opening[clause.start("one") :])
        return not pleonastic and (clause["one"].lower() in {"this", "these", "that"} or not named)
    phrase = _AFTER_PHRASE.match(opening)
    if phrase is None or _names_something(phrase[0]):
        return False
    follows = opening[phrase.start("one") :]
    return not (_DEICTIC.match(follows) or _PLEONASTIC.match(follows))


def _is_named_before(later: re.Match[str]) -> bool:
    """Return whether a sentence has named what a demonstrative in it refers to."""
    before = later[0][: later.start("noun")].lower() if later["noun"] else ""
    stems = (noun[:5].lower() for noun in later.group("noun", "other") if noun)
    return any(stem in before for stem in stems)


def _is_unresolved(opening: str) -> bool:
    """Return whether a phrase before the subject refers to something that does not follow.

    "From their capital, the Toltec ruled" names whose capital it is; "in this report" is the
    document itself.
    """
    _, _, referring = opening.partition(" ")
    while referring and not _REFERENCE.match(referring):
        _, _, referring = referring.partition(" ")
    if _DEICTIC.match(referring) or _CATAPHORIC.match(referring):
        return False
    later = _POSSESSIVE_LATER.match(opening)
    return later is None or later["next"].lower() in _NO_NAMES


def _names_something(phrase: str) -> bool:
    """Return whether a phrase has a name after its first word, as antecedent of a pronoun."""
    return any(word[:1].isupper() for word in phrase.split()[1:-1])
