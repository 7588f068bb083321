"""Words that deletions may not remove, since the sentence would say something else without them."""

import re

# What turns, conditions, weakens, counts or compares a statement.
_NEGATION = (
    r"not|no|never|neither|nor|none|nobody|nothing|nowhere|without|cannot|hardly|scarcely|barely"
    r"|rarely|seldom|little|few|fewer|fail\w*|lack\w*|den(?:y|ies|ied)|refus\w+|prevent\w*|absen\w+"
    r"|except\w*|exclud\w+|unlike|instead|rather|but|although|though|despite|however|while|whereas"
)
_CONDITION = (
    r"if|unless|provided|providing|assum\w+|suppos\w+|whether|until|till|once|when\w*|where\w*"
    r"|otherwise|subject|conditional\w*|only|solely|exclusively|limited|because|since|depend\w*"
    r"|or|so|such|given|required?|requires"
)
_MODALITY = (
    r"may|might|can|could|should|must|shall|would|will|ought|likely|unlikely|possib\w+|probab\w+"
    r"|perhaps|maybe|potential\w*|apparent\w*|alleged\w*|reported\w*|suppos\w+|suggest\w*|seem\w*"
    r"|appear\w*|believ\w*|expect\w*|propos\w+|estimat\w+|predict\w*|claim\w*|hypothe\w+|plan\w*"
    r"|fals\w+|tru(?:e|ly)|wrong\w*"
)
_QUANTITY = (
    r"at least|at most|up to|about|approximately|roughly|around|nearly|almost|over|under|above"
    r"|below|some\w*|most|mostly|many|much|several|all|each|every\w*|any\w*|both|either|half"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|hundreds?|thousands?|millions?|billions?"
    r"|percent|per|average|mean|median|total|often|usually|sometimes|generally|typically|always"
    r"|first|second|third|last|twice|double\w*|least"
)
_COMPARISON = (
    r"than|more|less|versus|vs|compar\w+|relative|equal\w*|same|as|\w{3,}est|i\.e|viz|namely"
)

_GUARDED = re.compile(
    rf"(?<![\w’'])(?:{_NEGATION}|{_CONDITION}|{_MODALITY}|{_QUANTITY}|{_COMPARISON})(?!\w)|n[’']t(?!\w)",
    re.IGNORECASE,
)
# Figures, names, acronyms, formulas, units and code.
_FACTUAL = re.compile(
    r"\d|(?<![\w’'])(?!I(?![\w]))[^\W\d_a-zß-öø-ÿ]|[A-Z]\w|[%°=<>/\\_`~^+*|$€£#@]"
)
# A quotation without an end goes on to that of the text.
_QUOTED = re.compile(
    r"“[^”]*(?:”|\Z)|‘[^’]*(?:’|\Z)|\"[^\"]*\"|«[^»]*(?:»|\Z)|`+[^`]*`+|(?<!\w)'[^']*'(?!\w)"
)

_VERB = (
    r"(?:is|are|was|were|be|been|has|have|had|does|did|do|can|could|will|would|shall|should|may"
    r"|might|must|cannot|(?:is|are|was|were|has|have|had|does|did|do|could|would|should)n[’']t)"
)
STARTS_WITH_AUXILIARY = re.compile(rf"{_VERB}(?!\w)")
_FINITE = re.compile(
    rf"(?<!\w)(?:{_VERB}|\w{{2,}}ed|said|made|found|took|gave|began|became|held|led|kept|got|came"
    r"|went|saw|wrote|built|brought|left|told|thought|knew|grew|set|put|use|uses|show|shows|make"
    r"|makes|propose|proposes|present|presents|describe|describes|provide|provides|include|includes"
    r"|contain|contains|require|requires|remain|remains|allow|allows|give|gives)(?!\w)",
    re.IGNORECASE,
)


def is_safe(text: str) -> bool:
    """Whether a span can go without changing what the sentence claims.

    It cannot if it has a negation, condition, modality, quantity, comparison, figure, name,
    acronym, unit or formula.
    """
    return not _GUARDED.search(text) and not _FACTUAL.search(text)


def has_finite_verb(text: str) -> bool:
    """Whether a text surely has a finite verb; many that have one are not recognized."""
    return _FINITE.search(text) is not None


def quoted(text: str) -> list[bool]:
    """Return for each code point whether it is in quotation marks or in code."""
    marked = [False] * len(text)
    for found in _QUOTED.finditer(text):
        marked[found.start() : found.end()] = [True] * len(found[0])
    return marked


def is_balanced(text: str) -> bool:
    """Whether brackets nest and quotation marks come in pairs."""
    open_: list[str] = []
    for character in text:
        if character in "([{":
            open_.append(character)
        elif character in ")]}" and (
            not open_ or open_.pop() + character not in ("()", "[]", "{}")
        ):
            return False
    paired = text.count('"') % 2 == 0 and text.count("`") % 2 == 0
    return not open_ and paired and text.count("“") == text.count("”")
