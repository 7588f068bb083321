from longsum.core.grounding.stemmed_text import WINDOW, StemmedText

WORDS = "alder birch cedar dogwood elder fir ginkgo hazel"


def test_company_is_the_content_words_near_a_span() -> None:
    between = "seen, and "
    text = StemmedText.of(f"{WORDS} and the {between}{WORDS.upper()}")
    start = text.text.index(between)
    found = text.company(start, start + len("seen"))
    stems = [StemmedText.of(word).stems[0] for word in WORDS.split()]
    assert found.around == {*stems[-WINDOW:], *stems[:WINDOW]} == {*stems}
    assert found.adjacent == ("the", "and", "e", ",")
    place = text.terms.index("seen")
    assert text.sides(place) == (set(stems[-WINDOW:]), set(stems[:WINDOW]))
    alone = StemmedText.of("Of it")
    assert alone.company(0, 5).adjacent == ("", "", "", "")
    assert alone.sides(0) == (set(), set())


def test_likeness_counts_only_content_words() -> None:
    one, other = StemmedText.of("The dams of a river x"), StemmedText.of("It dammed the two rivers")
    assert one.words() == {"dam", "river"}
    assert one.likeness(other) == 2 * 2 / (2 + len(other.words()))
    assert one.likeness(one) == 1
    assert StemmedText.of("of it").likeness(one) == 0
