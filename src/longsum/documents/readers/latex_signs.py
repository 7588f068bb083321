"""What LaTeX commands without structure mean as text: accents, letters, dashes, simple formulas."""

import re
import unicodedata

_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
ACCENTS = frozenset(_ACCENTS)
"""Commands that put an accent on the letter after them."""
SIGNS = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
    "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ", "S": "§", "P": "¶", "dag": "†",
    "ddag": "‡", "copyright": "©", "pounds": "£", "euro": "€", "ldots": "…", "dots": "…",
    "textellipsis": "…", "textendash": "–", "textemdash": "—", "textquoteleft": "‘",
    "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<",
    "textgreater": ">", "textbullet": "•", "textdegree": "°", "degree": "°", "textregistered": "®",
    "texttrademark": "™", "textunderscore": "_", "textdollar": "$", "slash": "/", "lq": "‘",
    "rq": "’", "LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX",
    "quad": " ", "qquad": " ", " ": " ", "\n": " ", "\t": " ", ",": " ", ";": " ", ":": " ",
    "!": "", "/": "", "-": "", "@": "", "\\": " ", "newline": " ", "linebreak": " ", "hfill": " ",
    "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", "space": " ",
    "xspace": "", "today": "", "ie": "i.e.", "eg": "e.g.", "textperiodcentered": "·",
}  # fmt: skip
"""Commands that stand for characters."""
_MATH = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ",
    "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "sim": "∼",
    "equiv": "≡", "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "div": "÷", "to": "→",
    "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "infty": "∞", "in": "∈", "notin": "∉",
    "subset": "⊂", "cup": "∪", "cap": "∩", "forall": "∀", "exists": "∃", "sum": "∑", "prod": "∏",
    "int": "∫", "partial": "∂", "nabla": "∇", "ldots": "…", "cdots": "⋯", "dots": "…", "ll": "≪",
    "gg": "≫", "propto": "∝", "circ": "∘", "prime": "′", "ell": "ℓ", "emptyset": "∅", "mid": "|",
    "langle": "⟨", "rangle": "⟩", "log": "log", "ln": "ln", "exp": "exp", "sin": "sin",
    "cos": "cos", "tan": "tan", "max": "max", "min": "min", "lim": "lim", "Pr": "Pr", "%": "%",
    "{": "{", "}": "}", "_": "_", "#": "#", "&": "&", "$": "$",
}  # fmt: skip
# Commands in formulas that only change how something looks.
_LOOKS = re.compile(
    r"math\w*|text\w*|mbox|hbox|rm|bf|it|cal|frak|operatorname|left|right|[bB]igg?[lrm]?|hat|bar|tilde"
    r"|vec|dot|ddot|widehat|widetilde|overline|underline|overrightarrow|boldsymbol|bm|displaystyle"
    r"|scriptstyle|limits|nolimits|frac|dfrac|tfrac|sqrt|quad|qquad"
    r"|label|ensuremath|protect|negthinspace|[,;:! /-]"
)
_MATH_COMMAND = re.compile(r"\\([A-Za-z]+|.)\s*", re.DOTALL)
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
    plain = _MATH_COMMAND.sub(lambda found: f" {_math(found[1])} ", text)
    plain = re.sub(r"\{\s*+([^{}\s]*+)\s*+\}", r"\1", plain)
    plain = re.sub(r"[{}]|~", " ", plain)
    return re.sub(r" ?([_^]) ?", r"\1", " ".join(plain.split()))
