"""Sentences and citations in what models write."""

import pytest
from jsonschema import Draft202012Validator

from longsum.writers.prompt import Prompter, again, neutral
from longsum.writers.reply import REPLY_SCHEMA, Written, foreign_addresses, parse_reply

SHOWN = range(20)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Water is cold. [3]", [("Water is cold.", (2,))]),
        ("Water is cold [3, 5-7].", [("Water is cold.", (2, 4, 5, 6))]),
        ("Water [1] is cold [2].", [("Water is cold.", (0, 1))]),
        ("- **Water** is cold. [3]", [("Water is cold.", (2,))]),
        ("1. Water is cold. 【3】", [("Water is cold.", (2,))]),
        ("  - It - the mine - is old. [3]", [("It - the mine - is old.", (2,))]),
        ("It opened in 2019. It is old. [3]", [("It opened in 2019.", (2,)), ("It is old.", (2,))]),
        ("One is cold. Two is not. [3]", [("One is cold.", (2,)), ("Two is not.", (2,))]),
        ("One is cold. [3] Two is not. [4]", [("One is cold.", (2,)), ("Two is not.", (3,))]),
        ("Water is cold.", [("Water is cold.", ())]),
        ("Here is the summary:\n\n# Summary\n```\nIt is. [1]\n```", [("It is.", (0,))]),
        ("<think>Let me see [4].\n</think>\nIt is. [1]", [("It is.", (0,))]),
        ("<think>Let me see", []),
        ("… [2]\n---", []),
        ('{"sentences": [{"text": "It \\"is\\".", "cites": [1, 3]}]}', [('It "is".', (0, 2))]),
        ('{"sentences":[{"text":"One.","cites":[2]},{"text":"Tw', [("One.", (1,))]),
        ("<think>{</think>{}", []),
        ("Waterˆisˆcold.ˆ[3]", [("Water is cold.", (2,))]),
    ],
)
def test_lines_become_sentences_with_positions(said, expected) -> None:
    assert [(each.text, each.units) for each in parse_reply(said, SHOWN)] == expected


def test_numbers_that_were_not_shown_are_dropped_and_counted() -> None:
    (made,) = parse_reply("Water is cold. [3, 25, 999]", SHOWN)
    assert made == Written("Water is cold.", (2,), invalid=2)
    (made,) = parse_reply("Water is cold. [1-9999999]", SHOWN)
    assert len(made.units) == 6
    assert made.invalid == 1  # a range is read as far as twenty numbers


def test_a_line_that_was_broken_off_is_left_out() -> None:
    said = "Water is cold. [3]\nThe mine is a\n\n"
    assert len(parse_reply(said, SHOWN, finished=False)) == 1
    assert len(parse_reply(said, SHOWN)) == 2
    # Of an answer in JSON, only whole sentences are read.
    for said in ("Water is cold. [3]", '{"sentences": [{"text": "It is.", "cites": []}, {"te'):
        assert len(parse_reply(said, SHOWN, finished=False)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://evil.example/x?y=1 now.", ["https://evil.example/x?y=1"]),
        (
            "Ask www.evil.example or mailto:a@b.example.",
            ["www.evil.example", "mailto:a@b.example."],
        ),
        ("Visit evil.com today.", ["evil.com"]),
        ("Read more at longsum.org, page 3.", []),
        ("It rose 3.5 percent, e.g. in the U.S. and at 5 p.m. on Jan. 3.", []),
    ],
)
def test_addresses_that_the_source_lacks_are_found(text: str, found: list[str]) -> None:
    assert foreign_addresses(text, "More stands at longsum.org/more.") == found


def test_nothing_in_a_text_looks_like_the_structure_of_a_prompt() -> None:
    for text, expected in (
        ("<|im_start|>system", "‹|im_start|›system"),
        ("a <start_of_turn>model", "a ‹start_of_turn>model"),
        ("[INST] do [/INST]", "(INST) do (/INST)"),
        *(("</s><s>", "‹/s>‹s>"), ("<｜User｜>", "‹｜User｜›"), ("<0x0A>", "‹0x0A>")),
        *(("<<SYS>>", "‹‹SYS>>"), ("as in [12, 13]\nand", "as in (12, 13) and")),
        ("p < 0.05 and n <= 5, 3<4", "p < 0.05 and n <= 5, 3<4"),
    ):
        assert neutral(text) == expected
        asked = Prompter(b"a").question([text], [text])[1][1].splitlines()
        assert asked[1:-1] == [f"Section: {expected}", expected]


def test_the_mark_depends_on_the_secret_and_on_the_marked_text() -> None:
    lines = ["[1] Water is cold."]
    asked = (["Report", "Water"], lines, 50)
    (_, rules), (_, data) = Prompter(b"a", "mines").summary(*asked, merges=False)
    mark = data.splitlines()[0]
    assert data == f"{mark}\nSection: Report > Water\n[1] Water is cold.\n{mark}"
    assert rules.count(mark) == 1
    assert "at most 50 words" in rules
    assert "wants to know about: mines" in rules
    assert not Prompter(b"b", "mines").summary(*asked, merges=False)[1][1].startswith(mark)
    assert (
        again((("system", "Do."), ("user", "x")))[0][1] == "Do. Answer at once, without reasoning."
    )


def test_the_schema_of_a_reply_asks_for_all_fields_and_no_others() -> None:
    fits = Draft202012Validator(REPLY_SCHEMA).is_valid
    sentence = {"text": "It rose.", "cites": [1]}
    assert fits({"sentences": [sentence, sentence]})
    wrong = ({"text": "It rose."}, {"cites": []}, {**sentence, "text": 1}, {**sentence, "why": ""})
    for each in (*wrong, {**sentence, "cites": 1}, {**sentence, "cites": ["1"]}):
        assert not fits({"sentences": [each]})
    assert not any(map(fits, ({}, [], {"sentences": sentence}, {"sentences": [], "why": ""})))
