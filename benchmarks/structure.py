"""Does a model use the section tree? Documents in which only the tree determines the answer.

Run: python benchmarks/structure.py [--relations R …] [--systems S …] [--seeds N …] [--json FILE]

A document is a random tree of sections in reading order. Each section holds one random word between
fillers; one section also holds a question mark, whose label is the word of the section in a certain
relation to it: its parent, its grandparent, or the sibling before it. Section marks are all alike
and levels are not shown, so that two documents with the same text and different trees have
different answers: without the tree one can only guess, and the answer is equally often two, three,
four, five or six sections back. The encoder is `LongsumEncoder`, two layers of full attention;
every system gets the same documents, updates and learning rate. The table has the accuracy on
documents from other seeds. `best guess` knows how many sections there are and which has the
question, and always takes the section that is then most often right.

Besides the systems of HIBRIDS (§5.2) there are its ablations (§7.2). Marks that show levels
(LvlSecTok) make the tree readable without biases, if not easily; `lvlsectok` shows how well.
About 25 minutes on two cores.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT
from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.encoder import LongsumEncoder
from puzzles import accuracy, learn, options, padded, show
from workers import finish

PAD, MARK, QUESTION, FIRST_LEVEL = 0, 1, 2, 3
DEEPEST = 4
FILLERS = range(FIRST_LEVEL + DEEPEST, FIRST_LEVEL + DEEPEST + 8)
WORDS = range(FILLERS.stop, FILLERS.stop + 16)
SECTIONS, FILLED = (6, 12), (0, 4)
BACK = range(2, 7)
SYSTEMS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "sectok": None,
    "lvlsectok": None,
    "tokbias": {"kind": "token_distance", "token_reach": 64},
    "secbias": {"kind": "section_distance", "section_reach": 12},
    "hibrids-enc": {"kind": "hibrids"},
    "hibrids-s-enc": {"kind": "hibrids_selected"},
    "w/o level difference": {"kind": "hibrids", "without": "level_difference"},
    "w/o path length": {"kind": "hibrids", "without": "path_length"},
    "w/o asymmetry": {"kind": "hibrids", "without": "asymmetry"},
}
RELATIONS = ("parent", "grandparent", "sibling before")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A document, a question and its answer.

    Attributes:
        tokens: Its tokens.
        section_of: The section of each.
        parents: The section above each section.
        asked: Position of the question mark.
        answer: The word that is the answer, from 0.
    """

    tokens: list[int]
    section_of: list[int]
    parents: list[int]
    asked: int
    answer: int


def main() -> None:
    """Train and test every system on every relation, and print a table."""
    parser = options(__doc__, SYSTEMS, steps=600, batch=64)
    parser.add_argument("--relations", nargs="+", default=RELATIONS, choices=RELATIONS)
    given = parser.parse_args()
    rows = []
    for relation in given.relations:
        rows.append(show("best guess", {relation: [guess(relation)]}))
        for name in given.systems:
            found = [answered(name, relation, seed, given) for seed in given.seeds]
            rows.append(show(name, {relation: found}))
    finish({"structure": rows}, given.json)


def guess(relation: str, count: int = 20_000) -> float:
    """Return the accuracy of the best guess, measured on a number of documents."""
    counted: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for parents, section, target in islice(questions(relation, random.Random(0)), count):
        counted[section, len(parents)][target] += 1
    return sum(max(targets.values()) for targets in counted.values()) / count


def puzzles(relation: str, levels: bool, marked: bool, seed: int) -> Iterator[Puzzle]:
    """Yield an endless stream of documents, the same for the same seed.

    Args:
        relation: The relation of the answer's section to the question's.
        levels: Whether marks show the level of their section.
        marked: Whether sections have marks.
        seed: Random seed.
    """
    generator = random.Random(seed)
    for parents, section, target in questions(relation, generator):
        yield lay_out(parents, section, target, levels, marked, generator)


def questions(relation: str, generator: random.Random) -> Iterator[tuple[list[int], int, int]]:
    """Yield trees, each with the section that asks and the one that answers."""
    back = generator.choice(BACK)
    while True:
        parents = random_tree(generator)
        pairs = [
            (section, target)
            for section in range(len(parents))
            if (target := related(relation, section, parents)) == section - back
        ]
        if pairs:
            yield (parents, *generator.choice(pairs))
            back = generator.choice(BACK)


def random_tree(generator: random.Random) -> list[int]:
    """Return the parents of sections in reading order, levels at most `DEEPEST`."""
    parents: list[int] = []
    path: list[int] = []
    for section in range(generator.randint(*SECTIONS)):
        level = generator.randint(0, min(len(path), DEEPEST - 1))
        path = path[:level]
        parents.append(path[-1] if path else ROOT)
        path.append(section)
    return parents


def related(relation: str, section: int, parents: list[int]) -> int | None:
    """Return the section in this relation to another, if there is one."""
    if relation == "sibling before":
        before = [other for other in range(section) if parents[other] == parents[section]]
        return before[-1] if before else None
    found = parents[section]
    if relation == "grandparent" and found != ROOT:
        found = parents[found]
    return None if found == ROOT else found


def lay_out(
    parents: list[int],
    asking: int,
    target: int,
    levels: bool,
    marked: bool,
    generator: random.Random,
) -> Puzzle:
    """Write a document: in each section a mark, fillers, its word, fillers; in one the question."""
    tokens, section_of, asked, answer = [], [], -1, -1
    depth: list[int] = []
    for section, parent in enumerate(parents):
        depth.append(0 if parent == ROOT else depth[parent] + 1)
        word = generator.choice(WORDS)
        before, after = (generator.choices(FILLERS, k=generator.randint(*FILLED)) for _ in range(2))
        mark = [FIRST_LEVEL + depth[-1] if levels else MARK] if marked else []
        piece = [*mark, *before, word, *after]
        if section == asking:
            asked = len(tokens) + len(piece)
            piece.append(QUESTION)
        if section == target:
            answer = word - WORDS.start
        tokens += piece
        section_of += [section] * len(piece)
    return Puzzle(tokens, section_of, parents, asked, answer)


def answered(name: str, relation: str, seed: int, given: argparse.Namespace) -> float:
    """Train a system, and return its accuracy on 2,000 unseen documents."""
    torch.manual_seed(seed)
    config = LongsumSeq2SeqConfig(
        vocab_size=WORDS.stop,
        d_model=64,
        encoder_layers=2,
        encoder_attention_heads=4,
        encoder_ffn_dim=128,
        dropout=0.0,
        max_source_positions=256,
        pad_token_id=PAD,
        encoder_bias=SYSTEMS[name],
    )
    encoder, head = LongsumEncoder(config), nn.Linear(64, len(WORDS))
    marks = {"levels": name == "lvlsectok", "marked": name != "none"}
    documents = puzzles(relation, seed=1000 + seed, **marks)
    learn([encoder, head], lambda: judge(encoder, head, documents, given.batch), given.steps)
    encoder.eval()
    unseen = puzzles(relation, seed=2_000_000 + seed, **marks)
    return accuracy(lambda: judge(encoder, head, unseen, 200))


def judge(
    encoder: nn.Module, head: nn.Module, documents: Iterator[Puzzle], count: int
) -> tuple[Tensor, Tensor]:
    """Return the mean loss over the next documents, and the share of correct answers."""
    batch = [next(documents) for _ in range(count)]
    tokens = padded([puzzle.tokens for puzzle in batch], PAD)
    states = encoder(
        tokens,
        attention_mask=(tokens != PAD).long(),
        section_of=padded([puzzle.section_of for puzzle in batch], 0),
        section_parents=padded([puzzle.parents for puzzle in batch], NO_SECTION),
    ).last_hidden_state
    asked = torch.tensor([puzzle.asked for puzzle in batch])
    logits = head(states[torch.arange(count), asked])
    answers = torch.tensor([puzzle.answer for puzzle in batch])
    right = (logits.argmax(dim=-1) == answers).float().mean()
    return nn.functional.cross_entropy(logits, answers), right


if __name__ == "__main__":
    main()
