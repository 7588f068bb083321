"""Texts on which a pattern takes more than linear time: found in its parsed form, then timed.

What backtracks takes polynomial or exponential time where it can read a text in two ways again and
again: where the automaton of the pattern leads from p to p, from p to q and from q to q by one word
(Weber and Seidl 1991). To repeat that word is the attack. A search may begin anywhere, so that its
p may be before the pattern. What the automaton leaves out (look-arounds, what groups matched, how
often things repeat) makes too many attacks, never too few: the clock decides.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import chain, product
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from time import thread_time
from typing import Any, NamedTuple

_COMMON = "aZ5_ \n\t.,:;-'\"()[]#=*é中¶\x00"
_MOST_COPIES = 6
_MANY = 10
"""What repeats less often is no loop."""
_SIZE = 2000
_NOTICED, _LONG = 0.0001, 0.1
"""Seconds."""
_START = -1


@dataclass(frozen=True, slots=True)
class Attack:
    """A text on which a method takes more than linear time: the repeated part, and its ends."""

    method: str
    prefix: str
    pump: str
    suffix: str

    def text(self, size: int) -> str:
        """Return the attack in about the given number of characters."""
        return self.prefix + self.pump * (size // len(self.pump)) + self.suffix


class _Part(NamedTuple):
    first: list[int]
    last: list[int]
    empty: bool


_NOTHING = _Part([], [], True)


class _Automaton:
    """Positions of a pattern, what each matches, and in how many ways each follows another."""

    def __init__(self, pattern: re.Pattern[str], *, rare: bool) -> None:
        parsed = _parser.parse(pattern.pattern, pattern.flags)
        self._alphabet = "".join(dict.fromkeys([*_COMMON, *_literals(parsed)]))
        self._sets: list[str] = []
        self._known: dict[str, str] = {}
        self._of_any_case = bool(pattern.flags & re.IGNORECASE) or "(?i" in pattern.pattern
        self.edges: Counter[tuple[int, int]] = Counter()
        self.loops: list[range] = []
        self.heads: set[int] = set()
        self._join([_START], self._sequence(parsed).first)
        # One character stands for all that no position tells apart, and a bit for each. First comes
        # what the fewest match, so that the attack does not end in a match, or what the most match.
        kinds = {tuple(c in s for s in dict.fromkeys(self._sets)): c for c in self._alphabet[::-1]}
        self._characters = [kinds[kind] for kind in sorted(kinds, key=sum, reverse=not rare)]
        masks = [sum(1 << n for n, c in enumerate(self._characters) if c in s) for s in self._sets]
        self.after: dict[int, list[tuple[int, int]]] = {n: [] for n in range(_START, len(masks))}
        for source, target in self.edges:
            if masks[target]:
                self.after[source].append((target, masks[target]))

    def _cases(self, character: str) -> set[str]:
        return {character, *(character.upper() + character.lower()) * self._of_any_case}

    def first_of(self, mask: int) -> str:
        """Return the character of the first bit."""
        return self._characters[(mask & -mask).bit_length() - 1]

    def prefixes(self) -> dict[int, str]:
        """Return a shortest text that leads to each position."""
        texts = {_START: ""}
        for position in (waiting := [_START]):
            for following, mask in self.after[position]:
                if following not in texts:
                    texts[following] = texts[position] + self.first_of(mask)
                    waiting.append(following)
        return texts

    def _join(self, sources: list[int], targets: list[int]) -> None:
        self.edges.update(product(sources, targets))

    def _sequence(self, items: Any) -> _Part:
        whole = _NOTHING
        for operation, value in items:
            whole = self._joined(whole, self._part(operation, value))
        return whole

    def _joined(self, one: _Part, other: _Part) -> _Part:
        self._join(one.last, other.first)
        first = one.first + other.first * one.empty
        return _Part(first, other.last + one.last * other.empty, one.empty and other.empty)

    def _part(self, operation: Any, value: Any) -> _Part:
        if operation in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            return self._repeated(*value)
        if operation in (ops.ASSERT, ops.ASSERT_NOT):
            # What is ahead is read, and then again.
            return _Part(self._sequence(value[1]).first if value[0] > 0 else [], [], True)
        if operation in (ops.BRANCH, ops.GROUPREF_EXISTS):
            branches = value[1] if operation is ops.BRANCH else [value[1], value[2] or []]
            firsts, lasts, empty = zip(*map(self._sequence, branches), strict=True)
            return _Part([*chain(*firsts)], [*chain(*lasts)], any(empty))
        if operation in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
            return self._sequence(value[-1] if operation is ops.SUBPATTERN else value)
        if operation in (ops.AT, ops.GROUPREF):
            return _NOTHING
        items = value if operation is ops.IN else [(operation, value)]
        if (key := str(items)) not in self._known:
            self._known[key] = "".join(c for c in self._alphabet if _matches(items, self._cases(c)))
        self._sets.append(self._known[key])
        return _Part([len(self._sets) - 1], [len(self._sets) - 1], False)

    def _repeated(self, least: int, most: int, body: Any) -> _Part:
        whole = _NOTHING
        for _ in range(min(least, _MOST_COPIES) - 1):
            whole = self._joined(whole, self._sequence(body))
        start = len(self._sets)
        part = self._sequence(body)
        if most > max(1, least):
            self._join(part.last, part.first)
            self.heads.update(part.first)
        if most >= _MANY:
            self.loops = [loop for loop in self.loops if loop.start < start]
            self.loops.append(range(start, len(self._sets)))
        return self._joined(whole, part._replace(empty=part.empty or not least))


def _literals(node: Any) -> Iterator[str]:
    if not isinstance(node, (tuple, list, _parser.SubPattern)):
        return
    if len(node) == 2 and node[0] in (ops.LITERAL, ops.NOT_LITERAL):
        yield chr(node[1])
    elif len(node) == 2 and node[0] is ops.RANGE:
        yield from map(chr, node[1])
    else:
        for inner in node:
            yield from _literals(inner)


_CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


def _matches(items: Any, cases: Collection[str]) -> bool:
    """Return whether a class matches a character, which is given in one case or in all."""
    found = False
    for operation, value in items:
        if operation in (ops.LITERAL, ops.NOT_LITERAL):
            found |= (chr(value) in cases) is (operation is ops.LITERAL)
        elif operation is ops.RANGE:
            found |= any(chr(value[0]) <= case <= chr(value[1]) for case in cases)
        elif operation is ops.CATEGORY:
            *_, negated, name = str(value).split("_")
            found |= bool(re.match(_CATEGORIES[name], min(cases))) is (negated != "NOT")
        else:
            found |= operation is ops.ANY
    return found is not (items[0][0] is ops.NEGATE)


def _pumps(automaton: _Automaton, *, searches: bool, effort: int) -> Iterator[tuple[str, str, str]]:
    """Yield prefix, repeated part and possible suffix."""
    prefixes = automaton.prefixes()
    before = range(_START, 0)
    pairs = []
    for place, loop in enumerate(automaton.loops):
        heads = [q for q in loop if q in automaton.heads]
        pairs += [(_START, q, before, loop) for q in heads] * searches
        for later in automaton.loops[place:]:
            pairs += [(p, q, loop, later) for p in heads for q in later]
    # Most words are short.
    for most, (p, q, loop, later) in product((100, 3000), pairs):
        twice = p == q and any(automaton.edges[p, n] > 1 for n, _ in automaton.after[p])
        if effort > 0 and p in prefixes and (p != q or twice):
            word, tried = _word(automaton, (p, q), (loop, later), min(effort, most))
            effort -= tried
            if word:
                after = {automaton.first_of(mask) for _, mask in automaton.after[q]}
                for suffix in sorted({"", "\x00", "a", "5", " ", "\n", *after}):
                    yield prefixes[p], word, suffix


def _word(
    automaton: _Automaton, pair: tuple[int, int], loops: tuple[range, range], effort: int
) -> tuple[str, int]:
    """Return a word that leads from p to p, p to q and q to q, and the number of states tried."""
    (p, q), (around_p, around_q) = pair, loops
    words = {(p, p, q): ""}
    left = effort
    for places in (waiting := [(p, p, q)]):
        # Before the pattern, any character leads to where it was.
        one, two, three = (automaton.after[n] + [(n, -1)] * (n == _START) for n in places)
        left -= len(one) + len(two) + len(three)
        for a, c in product(one, three):
            mask = a[1] & c[1]
            if mask and a[0] in around_p and c[0] in around_q:
                left -= len(two)
                for b, shared in two:
                    following = (a[0], b, c[0])
                    if shared & mask and b < around_q.stop:
                        word = words[places] + automaton.first_of(shared & mask)
                        if following == (p, q, q):
                            return word, effort - left
                        if following not in words:
                            words[following] = word
                            waiting.append(following)
        if left <= 0:
            break
    return "", effort - left


METHODS: dict[str, Callable[[re.Pattern[str], str], object]] = {
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "search": lambda pattern, text: pattern.search(text),
    "finditer": lambda pattern, text: deque(pattern.finditer(text), 0),
}


def find_attack(
    pattern: re.Pattern[Any], methods: Collection[str], effort: int = 200_000
) -> Attack | None:
    """Return a text on which one of the methods takes more than linear time, or None.

    Args:
        pattern: The pattern.
        methods: Some of `METHODS`.
        effort: How many edges of the automaton are tried.
    """
    if isinstance(pattern.pattern, bytes):
        pattern = re.compile(pattern.pattern.decode("latin-1"), pattern.flags | re.ASCII)
    searches = not {"search", "finditer"}.isdisjoint(methods)
    for rare in (True, False):
        automaton = _Automaton(pattern, rare=rare)
        for parts in dict.fromkeys(_pumps(automaton, searches=searches, effort=effort)):
            for method in sorted(methods):
                attack = Attack(method, *parts)
                if _takes_more(pattern, attack):
                    return attack
    return None


def seconds(pattern: re.Pattern[str], attack: Attack, size: int) -> float:
    """Return how long an attack with a given number of characters takes."""
    text = attack.text(size)
    start = thread_time()
    METHODS[attack.method](pattern, text)
    return thread_time() - start


def _takes_more(pattern: re.Pattern[str], attack: Attack) -> bool:
    size, taken = 12, 0.0
    while size < _SIZE and (size < 100 or taken > _NOTICED):
        taken = seconds(pattern, attack, size)
        if taken > _LONG:
            return True
        # Whatever the attack, the next size does not take many seconds.
        size = size + size // 8 + 1 if taken > _NOTICED else 2 * size
    small, large = (seconds(pattern, attack, size) for size in (_SIZE // 20, _SIZE))
    if large < max(_NOTICED, 35 * small):
        return False
    return all(
        seconds(pattern, attack, 4 * _SIZE) > 8 * seconds(pattern, attack, _SIZE) for _ in range(3)
    )
