from longsum.language.repeats import first_alike, plain


def test_what_differs_in_form_alone_is_the_same():
    assert plain(" The  Final ﬁgures\u00a0rose! ") == plain("the final figures rose.")
    assert plain("The figures rose by 1.") != plain("The figures rose by 2.")
    assert plain("It rose; then fell.") != plain("It rose then fell.")


def test_each_names_the_first_like_it():
    assert first_alike(["A b.", "C.", "a  b", "c?", "D."]).tolist() == [0, 1, 0, 1, 4]
    assert first_alike([]).tolist() == []
