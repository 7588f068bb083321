"""Recognises sentences that only say where something is: later, earlier, in another part or place.

Outside their document they lead nowhere. As in `longsum.documents.fitness.forms`, words
are English.
"""

import re

from longsum.language.characters import LOST
from longsum.language.words import count_words

_SHOW = (
    r"(?:show|list|present|give|illustrate|summari[sz]e|display|depict|contain|report|compare"
    r"|provide|describe|detail|outline|plot|include)"
)
_DISPLAY = (
    r"(?:(?:(?:table|figure|chart|exhibit|panel)s?|figs?\.|box|boxes|appendix)"
    r" [\dA-Z][\w.-]*|(?:columns?|rows?) (?-i:\d+|[A-Z])\b)"
)
_TELL = (
    r"(?:describ|explain|discuss|cover|list|show|present|provid|introduc|contain|summari[sz]|outlin"
    r"|giv|document|detail|illustrat|explor|examin|consider|review|address|demonstrat|defin|specif"
    r"|answer|offer|help|tell|treat)(?:e|es|s|ies|y)?"
    r"|(?:deal|focus|concentrat|look|turn|list)(?:es|e|s)? (?:with|on|at|to)|(?:is|are) (?:about"
    r"|devoted|dedicated|concerned|intended|meant|aimed|organi[sz]ed|divided|structured)"
)
_PART = r"(?:(?:sub)?sections?|chapters?|appendi(?:x|ces)|annex(?:es)?|parts?|paragraphs?|pages?)"
_WHICH = (
    r"(?:this|these|the (?:following|next|previous|preceding|current|present|above|last|other|first"
    r"|second|third|fourth|fifth|final|remaining))"
)
_NUMBERED = (
    r"(?:sections?|chapters?|appendix|annex|parts?)"
    r" (?:(?:\d[\d.]*|[A-Z](?:\.\d+)*|[IVX]+)\b|“[^”]{1,80}”)"
)
_CLAIM = r"(?! (?:\w+ ){0,2}that\b)"
"""Not before a claim that follows at once: `In Section 3 we show that costs rose.`."""

_DISPLAYED = re.compile(
    rf"(?:the )?{_DISPLAY}(?:(?:,| and| to|–)+ [\dA-Z][\w.-]*)? (?:below |above )?{_SHOW}s? "
    r"(?!that\b|how\b|no\b|[^.]*\d(?:%| percent))",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"(?!.*\b(?:because|so that|which|while|but)\b).*\b(?:is|are)"
    rf" (?:{_SHOW}e?d|shown|given|highlighted|specified|defined) (?:(?:here )?below|above"
    rf"|in (?:\([^()]{{1,6}}\)|{_DISPLAY}))\W*\Z"
    # "Cells were fixed as described previously."
    r"|.*\b(?:was|were) [^,;]{0,160}\bas (?:(?:previously|earlier) (?:described|reported)"
    r"|(?:described|reported) (?:previously|earlier|before|above|below|elsewhere))\W*\Z",
    re.IGNORECASE,
)
# Whatever matches contains one of these.
_SHOWN_SIGNS = ("d in ", "n in ", " below", " above", "described", "reported")
_LONGEST_POINTER = 40
_ELSEWHERE = (
    r"(?:articles?|blog|docs?|documentation|documents?|guides?|guidance|guidelines|lectures?|pages?"
    r"|posts?|primer|repository|sites?|specifications?|talks?|tutorials?|videos?|websites?)"
)
_SEE = re.compile(
    r"\(?(?:please |also |but |(?:for|if|to) \w[^,]{0,160}, )?"
    r"(?:(?:please )?(?:see|refer to|consult)\b(?! to\b| that\b)"
    # "You can find more details in the RFC."
    r"|(?:please |you (?:can|may|will) (?:also )?)?(?:find|get) (?:more|further|additional)"
    r" (?:details?|information|examples?)\b"
    # "Read the guidance on dams.", "You can learn more about dams on the website."
    r"|(?:please |you can (?:also )?)?(?:(?:find out|learn|read) more\b|read on\b"
    r"|(?:have|take) a look at\b|(?:browse|check out|read|visit|watch)"
    rf" (?:the|an?|our|their|this|these)\b[^.;:]{{0,80}}\b{_ELSEWHERE}\b))"
    r"(?!.*;)(?!.*\b(?:because|so that|but)\b)"
    # "To learn more about dams, click here."
    r"|(?:to (?:learn|read|find out|see|know) more|for (?:more|further|additional|full)"
    r" (?:details?|information|examples?|guidance|help|reading|background))\b"
    # "The manual has more details."
    r"|(?:(?!(?:to|that|which|who|you|we|i|it|he|she|they|this|these)\b)[\w'’&.-]+ ){1,9}?"
    r"(?:also )?(?:has|have|contains?|gives?|offers?|provides?) (?:(?:some|much|a lot) )?"
    r"(?:more|further|additional) (?:details?|information|examples)\b"
    r"(?= (?:on|about|of|for|in|here)\b|\W*\Z)"
    r"|(?:more|further|additional|detailed) (?:information|details?|examples?|documentation)\b.*"
    r"\b(?:available|found|given|provided|obtained) (?:\w+ )?(?:at|in|on|from|under|here|below)\b"
    # "The page can be found here."
    r"|(?!.*;).*\b(?:can|may) be (?:\w+ )?(?:accessed|downloaded|found|read|seen|viewed) here\W*\Z"
    r"|(?!.*;).*\b(?:is|are) available (?:below|here)\W*\Z",
    re.IGNORECASE,
)
_LONGEST_SEE = 32
_SIGNPOSTS = (
    # "This section describes …"
    rf"{_WHICH} (?:\w+ )?{_PART} (?:\([^()]{{1,40}}\) )?(?:(?:will|shall|can|also|only|briefly|then"
    rf"|now|simply|further|therefore|just) ){{0,3}}(?:{_TELL})\b{_CLAIM}",
    # "This section is non-normative."
    rf"{_WHICH} (?:entire )?{_PART} (?:is|are) (?:\w+ly )?"
    r"(?:(?:non-?|not )?normative|informative)\b",
    # "This proposal was discussed at this pull request."
    r"this (?:\w+ )?(?:proposal|rfc|kep|pep|change|draft|design|document|feature|specification)"
    r" (?:is|was|has been) (?:\w+ )?discussed\b",
    # "Let's start with latency.", "Next up is packet loss."
    r"(?:(?:so|now|first|next|then),? )?let['’]?s (?:now |first )?(?:add|begin|build|create|get|go"
    r"|jump|look|make|move|return|run|see|start|take a|talk|try|turn|walk|write)\b|next up is\b",
    # "The appendix provides …"
    rf"(?:the|an) (?:appendi(?:x|ces)|annex(?:es)?) (?:(?:will|shall|can|also|only) ){{0,2}}"
    rf"(?:{_TELL})\b{_CLAIM}",
    # "In this section we …"
    rf"(?:in|throughout) (?:the (?:remainder|rest) of )?{_WHICH} (?:\w+ )?{_PART},?"
    r" (?:we|i|you|it|there)\b(?! (?:have|had) )"
    r"(?! (?:\w+ ){0,2}(?:show|prove|demonstrate|argue|find|found) that)",
    # "Section 2 describes …", "In Section 2 we discuss …"
    rf"(?:(?:finally|first|lastly|next|then), )?(?:in )?{_NUMBERED}(?:,? (?:we|i|you))?"
    rf"(?: will| shall| also| briefly| then| first){{0,2}} (?:{_TELL})\b{_CLAIM}",
    # "We discuss this below."
    r"(?:we|i)(?:['’]ll| will| shall| now| next| then| first| also| briefly){0,3} (?:\w+ly )?"
    rf"(?:{_TELL}|return|come back|get)\b[^.]*\b(?:below|later|later on|next|shortly"
    rf"|(?:in|to) (?:{_NUMBERED}|(?:the )?(?:next|following|later) {_PART})[^.]{{0,60}})\W*\Z",
    # "Dams are discussed in Section 4."
    r".*\b(?:is|are|will be) (?:\w+ )?(?:described|discussed|explained|covered|documented"
    r"|detailed|outlined|listed|introduced|treated|presented|shown|given)(?: \w+){0,3}? "
    rf"(?:below|later|in the next {_PART}|in {_NUMBERED}[^.]{{0,80}})\W*\Z",
)
_SIGNPOST = re.compile("|".join(_SIGNPOSTS), re.IGNORECASE)
_LONGEST_SIGNPOST = 45
_TIMES = (
    r"(?:days?|weeks?|months?|years?|mornings?|evenings?|nights?|seasons?|decades?|centur(?:y|ies)"
    r"|spring|summer|autumn|winter|afternoon|events? of)"
)
_AHEAD = re.compile(
    rf"the following (?!{_TIMES}\b)(?![^.:]*:\s+\S)(?=\w+s\b|.*\b(?:is|are|can|may|will|were|was"
    r"|must|should|has|have|shows?|lists?|gives?|describes?|explains?|illustrates?|summari[sz]es?"
    r"|contains?|provides?|demonstrates?)\b)(?!the\b|a\b|an\b)"
    r"|(?:below|here|following)(?:['’]s| is| are| follows?)\b(?![^.:]*:\s+\S)"
    r"|.*\b(?:(?:the|as) follow(?:ing|s)|(?:listed|shown|given) below"
    rf"|the following(?! {_TIMES}\b)(?: [\w'’-]+){{1,3}})\W*\Z",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:\W|\d|(?:so|but|and|or|then|now|also|if so|q\d*)\b)*(?:why|what|how|when|where|who|whom"
    r"|whose|which|(?:in|to|for|on|at|by|of|with|from) (?:what|which|whom)|is|are|was|were|do|does"
    r"|did|has|have|had|can|could|shall|should|will|would|may|might|must|(?:is|are|do|does|did|was"
    r"|were|has|have|ca|could|should|wo|would)n['’]t)\b.*\?[\"'”’)\]]*\Z",
    re.IGNORECASE | re.DOTALL,
)
_MARGINAL = re.compile(
    r"(?:FIXME|TODO|XXX)\b|(?:the )?defaults? (?:value )?(?:is|are|to) \S{1,40}\W*\Z", re.IGNORECASE
)

_WE = r"(?:we|gao|our (?:team|staff|analysts?|auditors?)|the (?:authors?|researchers))"
_WORKED = (
    r"(?:review|interview|analy[sz]|collect|select|conduct|survey|visit|examin|assess|compil|compar"
    r"|ask|sampl|evaluat|request|measur|gather|search|us|test|consult|focus|perform)ed(?! to\b)"
    r"|(?:met|spoke) with|carried out"
)
_ADDRESS = (
    r"(?:examin|describ|address|assess|discuss|evaluat|review|explor|focus|provid|is based)"
    r"(?:e?s|ed)?"
)
_REPORT = r"(?:report|review|testimony|statement|audit|evaluation)"
_PROCEDURE = re.compile(
    # "We interviewed officials.", "To address our objectives, we reviewed documents."
    r"(?:(?:in order )?to [^.;]{3,160}?, |(?:also|in addition|additionally|specifically), )?"
    rf"{_WE} (?:(?:also|then|first|further|both|\w+ly) ){{0,2}}(?:{_WORKED})"
    # "This report examines …", "In this report, we assess …"
    rf"|(?:this|our) {_REPORT} (?:also )?(?:\(\d\) )?{_ADDRESS}"
    rf"|in this {_REPORT},? we (?:will )?{_ADDRESS}"
    # "You asked us to review …", "The act includes a provision for GAO to …"
    r"|(?:you|congress|the [^.]{2,80}?) (?:also )?(?:asked|requested|directed|required"
    r"|include[sd]? a provision for) (?:us|gao)\b|(?:we|gao) (?:was|were) (?:also )?asked to",
    re.IGNORECASE,
)

_DECIDED = r"(?:dismissed|allowed|granted|refused|denied|affirmed|reversed|rejected|upheld|quashed)"
_DECIDE = r"(?:dismiss|allow|grant|refuse|deny|affirm|reverse|uphold|quash|set aside)"
_IS = r"(?:is|are|must|should) (?:(?:be|therefore|accordingly|thus|hereby|unanimously) ){0,2}"
_ENDS = (
    rf"(?:{_IS}{_DECIDED}|(?:therefore |accordingly )?(?:fails?|succeeds?))\b"
    r"(?! (?:if|unless|when|where|because)\b)"
)
_REASONS = (
    r"(?:(?:for|in the light of|in light of|upon) (?:all )?(?:of )?(?:the|these|this|those|that)\b"
    r"[^,;.]{0,80}?,? |(?:accordingly|therefore|thus|in the result|in the circumstances"
    r"|it follows that|as a result),? )"
)
_OUTCOME = re.compile(
    rf"{_REASONS}?(?:"
    # "For these reasons, I would dismiss the appeal.", "We have concluded that we must allow it."
    r"(?:(?:i|we) have (?:concluded|decided) that )?(?:i|we) (?:(?:would|will|must|shall|do|also"
    rf"|hereby|therefore|accordingly|unanimously) ){{0,3}}{_DECIDE} (?:the|this|these|both|his|her"
    r"|their|its|permission)\b(?=[^.;]{0,80}\b(?:appeals?|applications?|claims?|motions?|petitions?"
    r"|judgments?|orders?|decisions?|convictions?|sentences?|permission)\b)"
    # "Shell's appeal must be dismissed.", "This appeal fails."
    r"|(?:(?!(?:that|if)\b)[\w'’]+ ){0,5}?(?:appeals?|motions?|petitions?)"
    rf" {_ENDS})"
    # "For those reasons the claim is refused."
    r"|" + _REASONS + r"(?:(?!(?:that|if)\b)[\w'’]+ ){0,5}?(?:claims?|applications?|complaints?"
    rf"|convictions?) {_ENDS}",
    re.IGNORECASE,
)


def tells_outcome(text: str) -> bool:
    """Return whether a sentence decides a case: `For these reasons the appeal is dismissed.`."""
    return bool(_OUTCOME.match(text))


def tells_procedure(text: str) -> bool:
    """Return whether a sentence says how its document was made: `We interviewed officials.`."""
    return bool(_PROCEDURE.match(text))


def is_pointer(text: str) -> bool:
    """Return whether a sentence only says where something is: `Table 2 lists costs.`.

    So does `See the manual.`, but not one that says what is there: `Table 2 shows that costs
    rose.`
    """
    words = count_words(text)
    if words <= _LONGEST_SEE and _SEE.match(text):
        return True
    if words > _LONGEST_POINTER:
        return False
    shown = any(map(text.lower().__contains__, _SHOWN_SIGNS)) and _SHOWN.match(text)
    return bool(shown or _DISPLAYED.match(text))


def is_signpost(text: str) -> bool:
    """Return whether a sentence only says what part of its document is about.

    `This section describes the options.`, `In Section 3 we compare them.` Sentences about the whole
    are not signposts, nor are those with findings: `In Section 3 we show that costs rose.`
    """
    return count_words(text) <= _LONGEST_SIGNPOST and bool(_SIGNPOST.match(text))


def points_ahead(text: str) -> bool:
    """Return whether a sentence introduces what follows it: `The options are as follows.`.

    A sentence that ends in a colon, a dash or `e.g.` does; one that contains what it introduces
    does not: `The following were present: Ann and Bob.`
    """
    low = text.lower()
    leads = "follow" in low or "below" in low or low.startswith("here")
    ends = text.endswith((":", "—")) or low.rstrip(".,").endswith(("e.g", "i.e", "such as"))
    return ends or (leads and bool(_AHEAD.match(text)))


def is_marginal(text: str) -> bool:
    """Return whether a sentence is a note to editors, `FIXME: Ask.`, a default, or has a gap."""
    return LOST in text or bool(_MARGINAL.match(text))


def is_question(text: str) -> bool:
    """Return whether a sentence is a question, by its opening: `Why did the river rise?`.

    A question mark alone is not enough, since some texts have it in place of lost characters.
    """
    return text.rstrip("\"'”’)]").endswith("?") and bool(_QUESTION.match(text))
