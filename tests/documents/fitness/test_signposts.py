import pytest

from longsum.documents.fitness.signposts import (
    is_marginal,
    is_pointer,
    is_question,
    is_signpost,
    points_ahead,
    points_beside,
)


@pytest.mark.parametrize(
    "text",
    [
        "This section describes the options of the program.",
        "This chapter will briefly explain how floods are measured.",
        "The following sections deal with rivers and lakes.",
        "In this section, we will look at the bridges.",
        "In the next chapter you will learn how to build one.",
        "Section 2 describes the differences between the versions.",
        "Appendix A lists all bridges.",
        "In Section 3 we discuss the costs.",
        "We describe the interface in Section 4.",
        "We discuss the results below.",
        "Setting up firewalls is discussed more thoroughly in Section 5.14, “Firewalls”.",
    ],
)
def test_a_signpost_only_tells_what_a_part_is_about(text):
    assert is_signpost(text)


@pytest.mark.parametrize(
    "text",
    [
        "This paper describes a new kind of bridge.",
        "This report examines the costs of the flood.",
        "This document describes the language accepted by this processor.",
        "In Section 3 we show that costs rose by half.",
        "In this section of the river there have been floods.",
        "This part of the river floods every spring.",
        "In this chapter of his life he had lost everything.",
        "We describe a new kind of bridge.",
        "The bridge is described by its builder as safe.",
        "He discussed the matter below deck with them.",
    ],
)
def test_what_is_told_at_once_is_no_signpost(text):
    assert not is_signpost(text)


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("The options are as follows.", True),
        ("The notable packages are the following.", True),
        ("The following events can be used to monitor migration.", True),
        ("The following reads a page into a file.", True),
        ("Here are a few notable commands.", True),
        ("Below is a description of all fields.", True),
        ("Run these commands:", True),
        ("The following were present: Ann and Bob.", False),
        ("The following year was dry.", False),
        ("The following months have been worse than these.", False),
        ("Following the river, they were lost.", False),
        ("Here the enemy occupied two positions.", False),
    ],
)
def test_what_leads_into_the_text_after_it(text, ahead):
    assert points_ahead(text) is ahead


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("In the example above, x is a list.", True),
        ("The above code sets it.", True),
        ("As noted above, it fell.", False),
        ("It is clear from the table above.", False),
        ("The bridge above the village.", False),
    ],
)
def test_what_opens_with_code_or_a_table_beside_it(text, beside):
    assert points_beside(text) is beside


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("See the manual.", True),
        ("If you need to run functions, see Evaluating Lisp.", True),
        ("More information about the status is available at https://example.org/.", True),
        ("See to it that the bridge holds.", False),
        ("More information is needed before anything can be said.", False),
    ],
)
def test_what_sends_readers_elsewhere(text, pointer):
    assert is_pointer(text) is pointer


@pytest.mark.parametrize(
    ("text", "marginal"),
    [
        ("FIXME: Ask somebody.", True),
        ("The default is 20.", True),
        ("The default is what most people use.", False),
    ],
)
def test_notes_to_editors_and_bare_defaults(text, marginal):
    assert is_marginal(text) is marginal


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        *(("Why did the river rise?", True), ("But what about the dams?", True)),
        *(("(2) How much does it help?", True), ("“Isn’t it late?”", True)),
        *(("The set ? is mapped to a tree ?", False), ("What it costs is not known.", False)),
    ],
)
def test_a_question_opens_with_what_it_asks_for(text, asks):
    assert is_question(text) is asks
