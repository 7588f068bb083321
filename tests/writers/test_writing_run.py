"""What a run stores and records about answers, call by call."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from document_views import document_of
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.writers.calls import Call, CallError, PromptTooLongError, Reply
from longsum.writers.estimates import RATES, Estimate, keep_rate, seconds_for
from longsum.writers.plan import Node, Piece, Plan, Sizes
from longsum.writers.prompt import Prompter
from longsum.writers.reply import Written
from longsum.writers.store import ReplyStore
from longsum.writers.summarizer import _extractor
from longsum.writers.tokens import TokenCount, Window
from longsum.writers.writing_run import Record, WritingRun

TEXTS = [f"The river {name} carries cold water to the sea." for name in ("Nile", "Volga", "Loire")]
TEXTS += [f"The mine of {name} was closed in the dry season." for name in ("Ohio", "Utah", "Iowa")]
SIZES = Sizes(room=900, answer=300, per_word=2.0, usable=9_999)
NOTHING = asdict(Record())


@dataclass
class Model:
    """Answers by the numbers of the sentences that it is shown, or raises the given error."""

    replies: dict[str, list[object]]
    calls: list[Call] = field(default_factory=list)
    counts: bool = False
    name: str = "m"
    identity: ClassVar = {"model": "m"}

    def window(self) -> Window:
        return Window(4_096)

    def tokens_of(self, text: str) -> int | None:
        return len(text.split()) if self.counts else None

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        data = call.messages[-1][1].splitlines()[1:-1]
        shown = "".join(line[1] if line[0] == "[" else line[-2] for line in data)
        replies = self.replies[shown]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply) if isinstance(reply, str) else reply  # type: ignore[return-value]


def extracted(units: Sequence[int], words: int) -> list[Written]:
    return [Written(f"Extracted in {words}.", tuple(units))]


def run_of(
    replies: dict[str, list[object]], groups: Sequence[Sequence[int]], folder: Path | None = None
) -> tuple[WritingRun, Model, list[tuple[int, int, int]]]:
    leaves = [
        Node((), tuple(Piece(unit, TEXTS[unit]) for unit in units), target=30) for units in groups
    ]
    root = Node(inputs=tuple(leaves), target=20) if len(leaves) > 1 else leaves[0]
    levels = (tuple(leaves), (root,)) if len(leaves) > 1 else (tuple(leaves),)
    model, steps = Model(replies), list[tuple[int, int, int]]()
    document = document_of(*TEXTS)
    run = WritingRun(
        document,
        model,
        Plan((root,), SIZES, levels),
        prompter=Prompter(b"secret"),
        store=ReplyStore.open(folder, "m"),
        count=TokenCount(),
        extract=extracted,
        seed=5,
        progress=lambda *step: steps.append(step),
    )
    return run, model, steps


FINE = "The Nile carries water. [1]"
CITED = [("cited", (0,), FINE[:-4])]
UNUSABLE = [("extracted", (0, 1, 2), "Extracted in 30.")]
ONCE = {"calls": 1, "unchecked": 1}
VOLGA = "The Volga carries cold water to the sea."


@pytest.mark.parametrize(
    ("replies", "written", "recorded"),
    [
        ({"123": [FINE]}, CITED, ONCE),
        ({"123": [Reply(FINE, True, 400, 9)]}, CITED, {"calls": 1, "tokens": 409}),
        ({"123": [f"{FINE[:-1]}, 9, 77]"]}, CITED, {**ONCE, "invalid": 2}),
        # Of one that cites nothing the source is found by its words.
        ({"123": [VOLGA]}, [("found", (1, 0, 2), VOLGA)], ONCE),
        ({"123": [f"{FINE}\nSee https://evil.example/x now. [1]"]}, CITED, {**ONCE, "foreign": 1}),
        # The last sentence of an answer that was broken off is none.
        ({"123": [Reply(f"{FINE}\nThe mine is", False)]}, CITED, ONCE),
        ({"123": ["", FINE]}, CITED, ONCE),
        ({"123": [""]}, UNUSABLE, {"failed": ["the model wrote no sentence"]}),
        ({"123": [CallError("gone")]}, UNUSABLE, {"failed": ["gone"]}),
        # What is too long is asked for in halves, each of which may fail.
        (
            {key: [PromptTooLongError("long")] for key in ("123", "23")}
            | {"1": [FINE], "2": [CallError("gone")], "3": [PromptTooLongError("longer")]},
            [*CITED, *(("extracted", (place,), "Extracted in 8.") for place in (1, 2))],
            {**ONCE, "failed": ["gone", "longer"]},
        ),
    ],
)
def test_an_answer_is_kept_and_recorded_for_what_it_is(replies, written, recorded) -> None:
    run, model, steps = run_of(replies, [(0, 1, 2)])
    made = [
        (
            "extracted" if "Extracted" in each.text else "found" if each.found else "cited",
            each.units,
            each.text,
        )
        for each in run.write()
    ]
    assert made == written
    found = run.record
    if recorded.get("calls"):
        assert found.seconds > 0 < found.wrote < found.read
    assert found.read + found.wrote == recorded.get("tokens", found.read + found.wrote)
    wanted = {name: value for name, value in recorded.items() if name != "tokens"}
    used = {"read": found.read, "wrote": found.wrote, "seconds": found.seconds}
    assert asdict(found) == NOTHING | wanted | used
    assert steps == [(1, 0, 1), (1, 1, 1)]
    assert [call.seed for call in model.calls] in ([5], [5, 6], [5] * 5)
    assert all(call.max_tokens <= 30 * 2 + 32 for call in model.calls)


def test_sentences_keep_their_places_whatever_order_they_are_given_in(small) -> None:
    run, *_ = run_of({}, [(0, 1, 2)])
    (found,) = run._grounded(Reply(VOLGA), (2, 1, 0))
    assert found.units == (1, 0, 2)
    extracted = _extractor(Request(small, Budget(60)))((8, 1), 60)
    assert [(each.text, each.units) for each in extracted] == [
        (small.sentences[place].text, (place,)) for place in (1, 8)
    ]


@pytest.mark.parametrize(
    ("merged", "texts", "failed"),
    [
        ("All is cold. [1,6]", ["All is cold."], []),
        # The first sentences of each part, by turns, within so many words: in their order.
        (CallError("gone"), ["Nile 1", "Nile 2", "Iowa 1"], ["gone"]),
    ],
)
def test_a_merge_that_fails_is_made_of_openings(merged, texts, failed) -> None:
    said = "{} {} is cold and dry. [{}]"
    replies: dict[str, list[object]] = {
        "123": ["\n".join(said.format("Nile", number, 1) for number in (1, 2))],
        "456": ["\n".join(said.format("Iowa", number, 6) for number in (1, 2, 3))],
        "11666": [merged],
    }
    run, model, steps = run_of(replies, [(0, 1, 2), (3, 4, 5)])
    made = run.write()
    assert len(made) == len(texts)
    assert all(map(str.startswith, [each.text for each in made], texts))
    assert run.record.failed == failed
    assert steps[-1] == (1, 3, 3)
    assert len(model.calls) == 3


def test_a_merge_that_is_too_long_is_made_in_halves() -> None:
    said = "The {} is cold and dry. [{}]"
    replies: dict[str, list[object]] = {
        str(n): [said.format(name, n)] for n, name in enumerate(("Nile", "Ohio", "Utah"), 1)
    }
    replies |= {
        "123": [PromptTooLongError("long")],
        # Of twelve words that it reads, it has four fifths, and a fourth of those more.
        "23": ["Both of the mines are dry. [2,3]\nNo one of them is cold. [2]"],
    }
    replies["1"] = [said.format("Nile", 1), "The Nile is cold. [1]"]
    run, model, steps = run_of(replies, [(0,), (1,), (2,)])
    assert [each.text for each in run.write()] == [
        *("The Nile is cold.", "Both of the mines are dry.")
    ]
    assert run.record.failed == []
    assert [step[1] for step in steps] == [0, 1, 2, 3, 4]
    assert len(model.calls) == 6


@pytest.mark.parametrize(
    ("said", "words", "expected"),
    [
        ("It is cold. [1]", 6, ["It is cold."]),
        # Less than half of what is asked for loses more than a cut would.
        ("It is cold. [1]", 7, None),
        ("It is not shorter than what stood there before it was written. [1]", 9, None),
        (CallError("gone"), 9, None),
        ("", 9, None),
        # No answer has so many words.
        ("It is cold. [1]", 135, None),
    ],
)
def test_a_summary_is_shortened_by_one_call_or_not_at_all(said, words, expected) -> None:
    run, model, _ = run_of({"1": [said]}, [(0, 1, 2)])
    whole = Written("The Nile carries cold water to the sea.", (0,))
    made = run.shortened([whole], words)
    assert [each.text for each in made] == (expected or [whole.text])
    assert len(model.calls) == (words < 100)


@pytest.mark.parametrize(
    ("counts", "share", "is_cut"),
    [(True, 1.0, False), (True, 0.89, True), (False, 0.64, False), (False, 0.62, True)],
)
def test_a_prompt_that_was_cut_is_seen_by_what_was_read(counts, share, is_cut) -> None:
    """The model's tokenizer counts its tokens; without one, a byte counts as at least a seventh."""
    run, model, _ = run_of({}, [(0, 1, 2)])
    run.count, model.counts = TokenCount(measured=counts), counts
    call = Call((("system", "Do so. " * 70), ("user", "It is. " * 70)), 40)
    tokens = 280 if counts else 981 / 7
    reply = Reply(FINE, True, round(share * tokens))
    with pytest.raises(PromptTooLongError) if is_cut else nullcontext():
        run._check_read(call, reply)
    if not is_cut:  # What a byte was seen to have holds from then on.
        with pytest.raises(PromptTooLongError):
            run._check_read(call, Reply(FINE, True, round(0.6 * share * tokens)))


def test_what_was_paid_for_is_found_again(tmp_path: Path) -> None:
    answers: dict[str, list[object]] = {"123": ["", FINE]}
    first, model, _ = run_of(answers, [(0, 1, 2)], tmp_path)
    made = first.write()
    assert len(model.calls) == 2
    run, model, _ = run_of({"123": [""]}, [(0, 1, 2)], tmp_path)
    assert run.write() == made
    # The answer that was no use was not kept.
    assert [call.seed for call in model.calls] == [5]
    assert run.record.calls == 1
    assert (tmp_path / "replies" / "marks.key").stat().st_size == 32


def test_a_rate_is_half_of_what_was_measured_before(tmp_path, monkeypatch) -> None:
    """Fifteen tokens are read in the time of writing one."""
    monkeypatch.setenv(RATES, str(tmp_path / "made" / "rates.json"))
    assert seconds_for("m", 1, 1) is None
    for read, written, seconds, rate in (
        (150, 10, 40, 2),
        (0, 10, 40, 3),
        (0, 0, 1, 2),
        (9, 9, 0, 2),
    ):
        keep_rate("m", read, written, seconds)
        assert seconds_for("m", 30, 1) == rate * 3
    assert seconds_for("n", 30, 1) is None


@pytest.mark.parametrize(
    ("seconds", "measured", "window", "said"),
    [
        (90, True, Window(4_096), "by the model's tokenizer); window of 4,096 tokens (not known)"),
        (91, False, Window(9, "n_ctx"), "estimated, rather too many); window of 9 tokens (n_ctx)"),
    ],
)
def test_an_estimate_is_a_sentence(seconds, measured, window, said) -> None:
    made = str(Estimate(2, 1_200, 30, window, measured, seconds))
    long = "90 s" if seconds == 90 else "2 min"
    costs = "2 calls with about 1,200 tokens to read and 30 to write"
    assert made == f"{costs} ({said}; about {long} at the rate of earlier runs."
