"""Do the kernels find planted topics? MLS on documents that are mostly about one topic.

Run: python benchmarks/planted_topics.py [--documents N] [--json FILE]

A document is 48 sentences in twelve paragraphs. Half of its paragraphs are of one topic, a quarter
each of two others; a topic is 12 words, of which every sentence of its paragraphs has three, and
all other words are common to all. The sentence nearest to all others by topic (MLS, §2.2, Eq. 1 and
2) is one of the topic that most are of. Shown: the share of that topic's sentences in extracts of 6
of the 48 (12.5 %), with the published weights of `mls` and with one of its kernels shuffled, rows
and columns (§3.1.2); and the difference with its 95 % interval, by bootstrap over documents.
"""

import argparse
import random
import statistics
from pathlib import Path

import longsum
from workers import finish

KINDS = ("topics", "keywords", "redundancy")
SENTENCES, PARAGRAPHS, EXTRACTED = 48, 12, "12.5%"
STEMS = [
    "bal",
    "dor",
    "fen",
    "gil",
    "har",
    "jol",
    "kem",
    "lup",
    "mor",
    "nav",
    "pir",
    "ros",
    "sel",
    "tum",
    "vol",
    "wex",
]
ENDS = ("ber", "dock", "field", "gate", "ham", "ling", "mere", "ton")
FRAMES = (
    "The {} of the {} was shown to the {} in the morning.",
    "Every {} that the {} had was sent to the {} by road.",
    "People who saw the {} spoke of the {} and of the {}.",
    "Nothing was said of the {} before the {} came to the {}.",
)


def main() -> None:
    """Summarize all documents with and without each kernel, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--json", type=Path, help="output file for the results")
    given = parser.parse_args()
    documents = [document(random.Random(number)) for number in range(given.documents)]
    shares = {
        name: [share(text, topic, name) for text, topic in documents]
        for name in ("mls", *(f"mls-shuffled-{kind}" for kind in KINDS))
    }
    rows = []
    for name, found in shares.items():
        less = [one - whole for one, whole in zip(found, shares["mls"], strict=True)]
        low, high = interval(less)
        mean, difference = 100 * statistics.fmean(found), 100 * statistics.fmean(less)
        print(f"{name:<26}{mean:5.1f}   {difference:+5.1f} [{low:+.1f}, {high:+.1f}]", flush=True)
        rows.append({"system": name, "shares": found})
    finish({"planted_topics": rows}, given.json)


def document(generator: random.Random) -> tuple[str, set[str]]:
    """Return a text, and the words of the topic of half of it."""
    words = [stem + end for stem in STEMS for end in ENDS]
    generator.shuffle(words)
    topics = [words[12 * number :][:12] for number in range(3)]
    order = [0] * (PARAGRAPHS // 2) + [1, 2] * (PARAGRAPHS // 4)
    generator.shuffle(order)
    paragraphs = []
    for topic in order:
        sentences = (
            generator.choice(FRAMES).format(*generator.sample(topics[topic], 3))
            for _ in range(SENTENCES // PARAGRAPHS)
        )
        paragraphs.append(" ".join(sentences))
    return "\n\n".join(paragraphs), set(topics[0])


def share(text: str, topic: set[str], system: str) -> float:
    """Return the share of a summary's sentences about a topic."""
    summary = longsum.summarize(text, system=system, length=EXTRACTED)
    sentences = [sentence.text for sentence in summary.sentences]
    return sum(any(word in text for word in topic) for text in sentences) / len(sentences)


def interval(values: list[float], draws: int = 2000) -> tuple[float, float]:
    """Return the 95 % interval of a mean, per cent."""
    generator = random.Random(0)
    means = sorted(statistics.fmean(generator.choices(values, k=len(values))) for _ in range(draws))
    return 100 * means[draws // 40], 100 * means[-draws // 40]


if __name__ == "__main__":
    main()
