from recorded_defaults import check_defaults


def test_defaults_are_those_recorded() -> None:
    check_defaults("cli")
