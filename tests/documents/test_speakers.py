import pytest

from document_views import document_of
from longsum.documents.speakers import (
    find_labels,
    find_speakers,
    split_turns,
    stamped_places,
)
from longsum.documents.speech import addresses_somebody, only_spoken
from tables import rows


def find_spoken(paragraphs):
    return only_spoken(paragraphs, find_labels(paragraphs))


def speakers(*paragraphs):
    return [label and label.speaker for label in find_labels(paragraphs)]


@pytest.mark.parametrize(("one", "other"), rows(__file__, "labels_of_turns"))
def test_labels_of_turns(one, other):
    paragraphs = [f"{one} Yes. I see.", f"{other} Right.", f"{one} Good.", f"{other} So it is."]
    found = find_labels(paragraphs)
    assert [text[label.end :] for text, label in zip(paragraphs, found, strict=True)] == [
        *("Yes. I see.", "Right.", "Good.", "So it is.")
    ]
    names = [label.speaker for label in found]
    assert names[0] == names[2] != names[1] == names[3]
    assert names[1] in other


def test_a_name_used_once_counts_among_turns_and_a_remark_does_not():
    turns = ["ANN: Yes.", "BEN: No.", "ANN: Yes!", "BEN: No!"]
    more = [
        "ANN/CARL: Stop it.",
        "Hon. (Ms.) Muia: No!",
        "Note: they go on.",
        "One thing: it rains.",
    ]
    once = ["ANN/CARL", "Hon. (Ms.) Muia"]
    assert speakers(*turns, *more) == [*("ANN", "BEN") * 2, *once, None, None]


@pytest.mark.parametrize(
    "paragraphs",
    [
        ["Note: it rains.", "Warning: it pours.", "Note: it snows.", "Warning: it hails."],
        ["Results: it works.", "Methods: we tried.", "Results: it failed.", "Methods: again."],
        ["Type: Process", "Status: Final", "Created: May", "Author: Smith"],
        ["Pros: cheap.", "Cons: slow.", "Pros: fast.", "Cons: dear."],
        ["He said: no.", "She said: yes.", "He said: no.", "She said: yes."],
        [f"{name} and Bea and Cal and Dan Dent: I see you." for name in ("Ann", "Abe") * 2],
        [f"{line}. I see." for line in ("Hon. Members rose", "Hon. Speaker left") * 2],
        ["SNOW MAY FALL. IT IS COLD.", "ROADS MAY FREEZE. SLOW DOWN."] * 2,
        ["Smith: a maker of things.", *["A plain paragraph of text."] * 40, "Smith: another."],
    ],
)
def test_texts_without_speakers(paragraphs):
    assert set(speakers(*paragraphs)) == {None}


TURNS = ["ANN: Yes.", "BEN: No."]
PLAIN = ["A plain text."]


@pytest.mark.parametrize(
    ("paragraphs", "found"),
    [
        ([f"{name}: I see." for name in ("Ann van der de la von Bo", "BEN") * 2], 4),
        ([f"{name}: I see." for name in ("Ann van der de la von Bo Cy", "BEN") * 2], 0),
        ([f"{name}: I see." for name in (f"A{79 * 'b'}", "BEN") * 2], 4),
        ([f"{name}: I see." for name in (f"A{80 * 'b'}", "BEN") * 2], 0),
        *((TURNS * 2 + PLAIN * n, 4 * (n < 37)) for n in (36, 37)),
        *((["Oak 4x: Yes.", "Elm 5x: No."] * 2 + PLAIN * n, 4 * (n < 10)) for n in (9, 10)),
        ([*TURNS, "ANN: So.", *PLAIN], 0),
        ([TURNS[0]] * 2 + [TURNS[1]] * 2 + [TURNS[0]] * 2, 6),
        ([TURNS[0]] * 2 + [TURNS[1]] * 3 + [TURNS[0]] * 2, 0),
    ],
)  # fmt: skip
def test_how_many_labels_name_speakers(paragraphs, found):
    assert sum(bool(speaker) for speaker in speakers(*paragraphs)) == found


def test_times_are_stamps_if_three_in_ten_paragraphs_open_with_one():
    for others, found in ((7, {0, 1, 2}), (8, set())):
        assert stamped_places(["9:12 It rains."] * 3 + PLAIN * others) == found
    assert stamped_places(["9:12 It rains."] * 2) == set()


def test_of_fifty_words_of_speech_one_addresses_somebody():
    words = ["river", "rain", "of", "the"] * 20
    for count, asked, speech in ((29, 0, True), (30, 0, False), (50, 1, True), (51, 1, False)):
        said = " ".join([*["you"] * asked, *words][:count])
        assert addresses_somebody(said, said) is speech


def test_every_sentence_of_a_turn_has_its_speaker_and_no_label():
    document = document_of(
        "Welcome to the meeting of the board.",
        *("ANN: Yeah. I think so.", "BEN: Why?", "ANN: It is late.", "BEN: True. I go."),
        *("I really do.", "# Later", "The meeting ended at noon."),
        title="Board",
    )
    assert [(s.speaker, s.text) for s in document.sentences] == [
        *(("", "Welcome to the meeting of the board."), ("ANN", "Yeah."), ("ANN", "I think so.")),
        *(("BEN", "Why?"), ("ANN", "It is late."), ("BEN", "True."), ("BEN", "I go.")),
        *(("BEN", "I really do."), ("", "The meeting ended at noon.")),
    ]
    for sentence in document.sentences:
        assert document.text[sentence.start : sentence.end] == sentence.text
    assert "\n\nANN: Yeah. I think so.\n\nBEN: Why?" in document.text


def speakers_of(*paragraphs: str) -> list[str]:
    return find_speakers(paragraphs, find_labels(paragraphs))


def test_stage_directions_are_not_speech() -> None:
    turns = ["ANN: I see you.", "BEN: Do you?", "ANN: My eyes are good.", "BEN: I know."]
    noted = [*turns[:2], "(She turns on the machine.)", "I said so.", "[]", *turns[2:]]
    assert speakers_of(*noted) == ["ANN", "BEN", "", "BEN", "", "ANN", "BEN"]
    narration = ["She turns on the machine.", "The lamp burns while he looks for the key."]
    assert speakers_of(*turns, *narration) == ["ANN", "BEN", "ANN", "BEN", "", ""]


def test_a_paragraph_number_is_not_part_of_the_paragraph():
    (sentence,) = document_of("[0029] The valve opens when the pressure rises.").sentences
    assert (sentence.text[:9], sentence.speaker) == ("The valve", "")


def test_lines_are_split_where_a_turn_begins():
    lines = ["ANN: Yes.", "I do.", "BEN: No.", "ANN: Why?", "BEN: Well."]
    assert list(split_turns(lines)) == [lines[:2], lines[2:3], lines[3:4], lines[4:]]
    assert list(split_turns(["One.", "Two."])) == [["One.", "Two."]]


def test_a_turn_without_words_stays_a_paragraph() -> None:
    document = document_of(
        "ANNA: We met the builders of the bridge twice.",
        "BEN:",
        "ANNA: The builders agreed to lower the price.",
        "BEN: Then the council can sign the contract in May.",
        title="Minutes",
    )
    assert len(list(document.paragraphs)) == 4
    (silent,) = list(document.paragraphs)[1]
    assert (silent.text, silent.speaker, silent.is_material) == ("BEN:", "BEN", False)


def test_labels_are_speakers_only_if_somebody_is_addressed() -> None:
    fields = [
        f"{name}: the {thing} of the gate is made of steel and is set in the wall of the lock"
        for thing in ("door", "arm", "ring")
        for name in ("Upper", "Lower", "Middle")
    ]
    assert not any(find_spoken(fields))
    asked = [f"{text}, as I told you" for text in fields]
    assert {label.speaker for label in find_spoken(asked) if label} == {"Upper", "Lower", "Middle"}
    told = [f"{text} and he said “I told you, and you told me”" for text in fields]
    assert not any(find_spoken(told)), "who is quoted is not who speaks"
    german = [f"{text[:5]}: das Tor ist aus Stahl und liegt in der Wand" for text in fields]
    assert all(find_spoken(german)), "of other languages nothing is known"
    marked = find_spoken([f"[{n:04}] {text}" for n, text in enumerate(fields)])
    assert all(label and not label.speaker for label in marked), "numbers of paragraphs stay"


def test_labels_that_rarely_recur_and_are_words_of_the_text_name_fields() -> None:
    said = "you told me that the gate is shut, did you not?"
    fields = [f"{label}: {said}" for label in ("Key", "Arm", "Ring") * 2]
    assert not any(find_spoken([*fields, "We have an arm, a ring and a key, as you know."]))
    for speech in (fields, [*fields, *fields, "We have an arm, a ring and a key."]):
        assert {label.speaker for label in find_spoken(speech) if label} == {
            *("Key", "Arm", "Ring")
        }


def test_a_text_with_few_function_words_is_english() -> None:
    fields = [f"{name}: gate 7 made steel set wall lock" for name in ("Upper", "Lower") * 3]
    assert all(find_spoken(fields)), "nothing is known"
    assert not any(find_spoken([f"{text} of the" for text in fields]))


def test_a_speakers_name_may_be_above_the_speech():
    said = ["Will you come to the mill with me today?", "I shall not, you know."]
    turns = ["ANN.", said[0], "BEN.", said[1], "[He sits.]", "ANN.", said[0], "BEN.", said[1]]
    labels = find_spoken(turns)
    assert [label and label.end for label in labels] == [4, None, 4, None, None, 4, None, 4, None]
    who = ["ANN", "ANN", "BEN", "BEN", "", "ANN", "ANN", "BEN", "BEN"]
    assert find_speakers(turns, labels) == who
    told = [turn.replace("Will you", "They will").replace("I shall", "They do") for turn in turns]
    told = [turn.replace("you know", "at all").replace("with me today?", "today.") for turn in told]
    assert find_spoken([*told, *told]) == [None] * 2 * len(told), "nobody is addressed"


def test_a_direction_extends_to_its_bracket_which_may_be_missing():
    turns = ["ANN: Will you come to the mill with me?", "BEN: I will not come to the mill."] * 4
    document = document_of(
        *turns,
        "[Enter Lord Darlington. He bows to Ann. Cecil laughs.",
        "[He sits down. She leaves by the door.]",
        "The clock of the old tower strikes eleven, and the lamp goes out.",
    )
    *directions, last = document.sentences[len(turns) :]
    assert len(directions) > 3
    assert {each.kind for each in directions} == {"stage_direction"}
    assert last.kind == "prose"


def test_names_in_small_letters_before_a_point_are_those_of_a_play() -> None:
    turns = ["Ann. Will you come to me?", "Mrs. Bell (aside). I shall not.", "_Ann._", "Did you?"]
    labels = find_labels([*turns, "Good.", *turns, *turns, *turns])
    assert [label and label.speaker for label in labels[:5]] == [
        *("Ann", "Mrs. Bell", "Ann", None, None)
    ]
    assert [label.end for label in labels[:3] if label] == [5, 19, 6]
    assert not any(find_labels([*turns, *turns])), "each name recurs four times"
    seldom = ["Jem. I was told of it.", "Well. I ask you, dear Jem, what you have seen."]
    found = [label and label.speaker for label in find_labels([*4 * turns, *seldom])]
    assert found[-2:] == ["Jem", None], "or others call it so"
    assert not any(find_labels(["Mr. Bell came home.", "Yes. So he did.", "No. I was."] * 5)[::3])


def test_nicks_name_speakers_in_small_letters_and_in_angles_after_a_time() -> None:
    said = ["Do you hear me?", "I do, and you?", "We all do.", "Then let us begin."]
    for forms in (["brson: ", "nrc: "], ["9:00 AM <•brson> ", "[2016-07-06 09:03:22] <nrc> "]):
        labels = find_labels([f"{forms[at % 2]}{text}" for at, text in enumerate(said)])
        assert [label and label.speaker for label in labels] == ["brson", "nrc"] * 2
        assert [label.end for label in labels if label] == [len(form) for form in forms] * 2
    tags = ["<b> is bold.", "<i> is italic."]
    assert not any(find_spoken([*tags, *tags, *tags])), "nobody is spoken to"


def test_an_action_before_the_speech_is_a_direction() -> None:
    said = "It is late, and I must go home now."
    for opening in ("ANN. [Rising, to her]", "ANN: (Rises)", "ANN [rising]"):
        turns = (f"{opening} {said}", "BEN: I know.", "ANN: [inaudible] is what I said to you.")
        document = document_of(*((turn, "BEN. I know that you do.") for turn in turns))
        found = [each for each in document.sentences if each.text.endswith("home now.")]
        assert [(each.speaker, each.text) for each in found] == [("ANN", said)]


@pytest.mark.parametrize(
    ("one", "other", "named"), [("Mr. SMITH.", "Ms. JONES.", 6), ("Smith:", "Jones:", 0)]
)
def test_speeches_of_members_may_have_many_paragraphs(one: str, other: str, named: int) -> None:
    plain = ["I have more to say of it."] * 100
    assert sum(map(bool, speakers(*[f"{one} I rise.", f"{other} So do I."] * 3, *plain))) == named
