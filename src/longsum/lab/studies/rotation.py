"""Who sees which document in which setting: once each, and every combination equally often.

MLS, §3.1.3: "each participant was shown a summary generated from the same document only once".
"""

from random import Random

from longsum.lab.studies.blocks import balanced_blocks

_FREE = -1


def rotated(people: int, documents: int, settings: int, rng: Random) -> list[list[int]]:
    """Return the setting in which each person sees each document, `[people, documents]`.

    A person sees the settings equally often, give or take one; which are seen once more than
    others, or at all where documents are fewer than settings, is balanced (`balanced_blocks`). A
    document is seen in each setting equally often, give or take one: persons and settings are the
    two sides of a graph, what a person sees its edges, and documents colour them, evenly at every
    person and every setting (de Werra 1971).
    """
    whole, rest = divmod(documents, settings)
    extra = balanced_blocks(settings, rest, people, rng) if rest else [()] * people
    edges = [
        (person, setting)
        for person in range(people)
        for setting in (*list(range(settings)) * whole, *extra[person])
    ]
    rng.shuffle(edges)
    found = [[_FREE] * documents for _ in range(people)]
    named = rng.sample(range(documents), documents)
    for (person, setting), colour in zip(edges, _coloured(edges, people, documents), strict=True):
        found[person][named[colour]] = setting
    return found


def _coloured(edges: list[tuple[int, int]], people: int, colours: int) -> list[int]:
    """Return a colour for each edge, all different at a person and evenly spread at a setting.

    A setting is divided into nodes of as many edges as there are colours, at which too all are
    different (König 1916): where the two ends of an edge lack different colours, these are swapped
    along the path of both.
    """
    degrees: dict[int, int] = {}
    ends: list[tuple[int, int]] = []
    nodes: dict[tuple[int, int], int] = {}
    for person, setting in edges:
        degree = degrees[setting] = degrees.get(setting, -1) + 1
        node = nodes.setdefault((setting, degree // colours), people + len(nodes))
        ends.append((person, node))
    at = [[_FREE] * colours for _ in range(people + len(nodes))]
    for edge, (person, node) in enumerate(ends):
        ours, theirs = at[person].index(_FREE), at[node].index(_FREE)
        if ours != theirs:
            _swap(node, ours, theirs, at, ends)
        at[person][ours] = at[node][ours] = edge
    colour_of = [_FREE] * len(edges)
    for person in range(people):
        for colour, edge in enumerate(at[person]):
            if edge != _FREE:
                colour_of[edge] = colour
    return colour_of


def _swap(
    node: int, first: int, second: int, at: list[list[int]], ends: list[tuple[int, int]]
) -> None:
    """Swap two colours along the path that begins at a node with the first of them."""
    path = []
    colour, other = first, second
    while (edge := at[node][colour]) != _FREE:
        path.append((edge, colour, other))
        one, two = ends[edge]
        node = two if node == one else one
        colour, other = other, colour
    for edge, colour, _ in path:
        for end in ends[edge]:
            at[end][colour] = _FREE
    for edge, _, other in path:
        for end in ends[edge]:
            at[end][other] = edge
