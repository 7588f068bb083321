"""The meanings of LaTeX's commands, environments and signs."""

import re
import unicodedata
from importlib.resources import files

RANKS = {
    "part": 0, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5,
    "subparagraph": 6, "frametitle": 7, "addpart": 0, "addchap": 1, "addsec": 2, "minisec": 5,
}  # fmt: skip
"""Sectioning commands with their ranks; a lower rank is higher in the tree."""
_DROPPED = (
    """
glsresetall begingroup hyperref printindex tableofcontents listoffigures listoftables
maketitle ensuremath
""",
    """
label cite citep citealp parencite autocite nocite footcite supercite vspace hspace includegraphics
bibliography bibliographystyle addbibresource usepackage documentclass index indexdef indexfoot
pagestyle thispagestyle color pagenumbering author date affiliation email institute address
hypersetup phantom markright
graphicspath hyphenation input include subfile lstinputlisting verbatiminput todo thanks
footnotetext footnote endnote caption subtitle keywords hypertarget title bibitem textcolor href
raisebox parbox selectlanguage foreignlanguage RequirePackage geometry captionsetup theoremstyle
bibliographyunit colorbox scalebox rotatebox urlstyle acro authorrunning titlerunning shorttitle
shortauthors orcid corref ead received accepted pacs subjclass altaffiliation preprint
tikzset usetikzlibrary pgfplotsset includepdf newlength newcounter stepcounter refstepcounter
lstset setbeameroption usetheme usecolortheme usefonttheme newgeometry tcbset
tcbuselibrary chaptermark sectionmark citealt citealp setlist pagecolor externaldocument typeout
column sidenote marginnote marginpar ding hyperlink declaretheorem aliascntresetthe
setsecnumdepth maxsecnumdepth deleted
""",
    """
setcounter addtocounter setlength addtolength markboth fontsize newtheorem rule import multicolumn
PassOptionsToPackage
fcolorbox resizebox acrodef indexsee setbeamertemplate setbeamercolor setbeamerfont settowidth
newglossaryentry addtocontents newcolumntype numberwithin multirow lstdefinestyle captionof
tcolorboxenvironment newaliascnt counterwithin counterwithout @addtoreset
""",
    """
definecolor addcontentsline newacronym crefname Crefname
""",
    "titleformat spnewtheorem",
)
"""Commands without arguments, with one, two, three and four."""
DROPPED = {name: number for number, names in enumerate(_DROPPED) for name in names.split()}
"""Commands that are dropped with their arguments in braces, with the number of these."""
KEPT = {
    "footnote": "footnote", "footnotetext": "footnote", "endnote": "endnote", "thanks": "footnote",
    "sidenote": "footnote", "marginnote": "footnote", "marginpar": "footnote",
    "caption": "caption", "captionof": "caption", "input": "included file",
    "include": "included file", "subfile": "included file", "todo": "note to the editor",
    "includegraphics": "picture", "deleted": "deleted passage",
}  # fmt: skip
"""The kind of a dropped command's argument, if it is kept as an omission."""
ENVIRONMENTS = {
    "figure": "figure", "wrapfigure": "figure", "subfigure": "figure", "SCfigure": "figure",
    "tikzpicture": "figure", "picture": "figure", "table": "table", "wraptable": "table",
    "longtable": "table", "tabular": "table", "tabularx": "table", "tabbing": "table",
    "sidewaystable": "table", "supertabular": "table", "sidewaysfigure": "figure",
    "equation": "formula", "align": "formula", "gather": "formula", "multline": "formula",
    "eqnarray": "formula", "displaymath": "formula", "flalign": "formula", "alignat": "formula",
    "math": "formula", "dmath": "formula", "algorithm": "algorithm", "algorithmic": "algorithm",
    "algorithm2e": "algorithm", "CCSXML": "keyword list", "keywords": "keyword list",
    "IEEEkeywords": "keyword list", "tikzcd": "figure", "forest": "figure", "asy": "figure",
    "marginfigure": "figure", "margintable": "table", "tabulary": "table", "xltabular": "table",
    "longtabu": "table", "tabu": "table", "tblr": "table", "longtblr": "table",
    "mathpar": "formula", "prooftree": "formula", "IEEEeqnarray": "formula",
}  # fmt: skip
"""Environments that are left out, and their kinds."""
NOUNS = frozenset({"citet", "textcite", "citeauthor", "Citet"})
"""Commands that cite within a sentence."""
CITING = frozenset({"cite", "autocite", "parencite", "citealt", "citealp"})
"""Commands that print a citation, in brackets or not."""
REFERRING = frozenset(
    {"ref", "pageref", "eqref", "autoref", "cref", "Cref", "nameref", "vref", "subref", "labelcref",
     "crefrange", "Crefrange"}
)  # fmt: skip
"""Commands that refer to a label."""
LISTS = frozenset(
    {"itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum",
     "asparaenum"}
)  # fmt: skip
"""Environments whose paragraphs are items."""
NO_TEXT = frozenset({"comment", "filecontents"})
"""Verbatim environments that do not appear in print."""
BIBLIOGRAPHIES = frozenset({"thebibliography", "references"})
"""Environments of references."""


_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
ACCENTS = frozenset(_ACCENTS)
"""Commands that put an accent on the letter after them."""


def _signs(where: str) -> dict[str, str]:
    """Return the characters of commands, in `text` or in a `formula` (`signs.txt`)."""
    lines = files(__package__).joinpath("signs.txt").read_text(encoding="utf-8").splitlines()
    words = [word for line in lines if line.startswith(f"{where}:") for word in line.split()[1:]]
    return dict(zip(words[::2], words[1::2], strict=True))


_SPACES = ("quad", "qquad", *" \n\t,;:\\", "newline", "linebreak", "hfill", "space")
_NOTHING = (*"!/-@", "xspace", "today")
SIGNS = _signs("text") | dict.fromkeys(_SPACES, " ") | dict.fromkeys(_NOTHING, "")
"""Commands that stand for characters."""
_MATH = _signs("formula")
# Commands in formulas that only change how something looks.
_LOOKS = re.compile(
    r"math\w*|text\w*|mbox|hbox|rm|bf|it|cal|frak|operatorname|left|right|[bB]igg?[lrm]?|hat|bar|tilde"
    r"|vec|dot|ddot|widehat|widetilde|overline|underline|overrightarrow|boldsymbol|bm|displaystyle"
    r"|scriptstyle|limits|nolimits|frac|dfrac|tfrac|sqrt|quad|qquad"
    r"|label|ensuremath|protect|negthinspace|[,;:! /-]"
)
_MATH_COMMAND = re.compile(r"\\([A-Za-z]+|.)\s*", re.DOTALL)
# Where matrices and cases begin and end.
_INNER = re.compile(r"\\(?:begin|end)\s*+\{\s*+[A-Za-z]++\*?\s*+\}")
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("~", " "))


def accented(mark: str, letter: str) -> str:
    """Return a letter with the accent of a command; without a letter, nothing."""
    base = {"ı": "i", "ȷ": "j"}.get(letter[:1], letter[:1])
    return unicodedata.normalize("NFC", base + _ACCENTS[mark]) + letter[1:] if base else ""


def ligatures(text: str) -> str:
    """Return a text with the dashes and quotes that TeX makes of characters."""
    for written, sign in _LIGATURES:
        text = text.replace(written, sign)
    return text


def _math(command: str) -> str:
    sign = _MATH.get(command)
    return sign if sign is not None else "" if _LOOKS.fullmatch(command) else command


def formula(text: str) -> str:
    r"""Return a formula within a sentence as plain text: `x_{i} \leq 2` is `x_i ≤ 2`."""
    plain = _MATH_COMMAND.sub(lambda found: f" {_math(found[1])} ", _INNER.sub(" ", text))
    plain = re.sub(r"\{\s*+([^{}\s]*+)\s*+\}", r"\1", plain)
    plain = re.sub(r"[{}&~]", " ", plain)
    return re.sub(r" ?([_^]) ?", r"\1", " ".join(plain.split()))
