"""What of a text points to other parts of it, and what only seems to."""

import pytest

from longsum.documents.fitness.signposts import (
    is_marginal,
    is_pointer,
    is_question,
    is_signpost,
    points_ahead,
    tells_procedure,
)

YES = {
    is_signpost: [
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
        f"This section describes{42 * ' rain'}",
    ],
    points_ahead: [
        "The options are as follows.",
        "The notable packages are the following.",
        "The following events can be used to monitor migration.",
        "The following reads a page into a file.",
        "Here are a few notable commands.",
        "Below is a description of all fields.",
        "Run these commands:",
    ],
    is_pointer: [
        "See the manual.",
        "Table 2 provides data on the owners of bridges by country.",
        "Column D includes the estimates after netting.",
        "Cells were fixed in ethanol as described previously.",
        "The steps of the protocol are outlined in Figure 3.",
        "If you need to run functions, see Evaluating Lisp.",
        "More information about the status is available at https://example.org/.",
        *(f"See{31 * ' rain'}", f"Table 2 lists{37 * ' rain'}"),
    ],
    tells_procedure: [
        "We also interviewed officials of the county.",
        "To address our objectives, we reviewed documents and visited two sites.",
        "This report (1) describes the costs of the flood.",
        "In this statement, we discuss what was spent.",
        "The act includes a provision for GAO to review the costs.",
        "We were asked to review the costs.",
    ],
    is_marginal: ["FIXME: Ask somebody.", "The default is 20."],
    is_question: [
        "Why did the river rise?",
        "But what about the dams?",
        "(2) How much does it help?",
        "“Isn’t it late?”",
    ],
}
NO = {
    is_signpost: [
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
        f"This section describes{43 * ' rain'}",
    ],
    points_ahead: [
        "The following were present: Ann and Bob.",
        "The following year was dry.",
        "The following months have been worse than these.",
        "Following the river, they were lost.",
        "Here the enemy occupied two positions.",
    ],
    is_pointer: [
        "See to it that the bridge holds.",
        "Figure 3 plots costs, which rose by 20 percent.",
        "The columns of the hall were restored as they stood.",
        "As described previously, costs rose.",
        "More information is needed before anything can be said.",
        *(f"See{32 * ' rain'}", f"Table 2 lists{38 * ' rain'}"),
    ],
    tells_procedure: [
        "We found that costs rose by half.",
        "We used to live by the river.",
        "This study examined the costs of the flood.",
        "To reduce costs, the county reviewed its contracts.",
        "The county asked its staff to review the costs.",
    ],
    is_marginal: ["The default is what most people use."],
    is_question: ["The set ? is mapped to a tree ?", "What it costs is not known."],
}


@pytest.mark.parametrize(("told", "text"), [(told, text) for told in YES for text in YES[told]])
def test_it_is_told(told, text):
    assert told(text)


@pytest.mark.parametrize(("told", "text"), [(told, text) for told in NO for text in NO[told]])
def test_it_is_not(told, text):
    assert not told(text)
