"""The style sheet has readable contrast everywhere; there is one small script."""

import re
from importlib.resources import files

import pytest

from longsum.core.pages.page import viewer_script

PAIRS = [
    *(
        (ink, paper)
        for ink in ("ink", "quiet", "accent", "caution")
        for paper in ("paper", "panel")
    ),
    ("ink", "marked"),
    ("ink", "current"),
    ("accent", "marked"),
    ("paper", "accent"),
    *(("ink", f"heat-{shade}") for shade in range(1, 6)),
]
REASONS = [f"reason-{place}" for place in range(8)]


def asset(name: str) -> str:
    return files("longsum.core.pages").joinpath("assets", name).read_text(encoding="utf-8")


def themes() -> dict[str, dict[str, tuple[float, ...]]]:
    style = asset("base.css")
    light, dark = (
        {
            name: tuple(int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
            for name, code in re.findall(r"--([\w-]+): #([0-9a-f]{6});", block)
        }
        for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    )
    return {"light": light, "dark": dark}


def luminance(colour: tuple[float, ...]) -> float:
    """Relative luminance (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), PAIRS)
def test_text_is_readable(theme: str, ink: str, paper: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[ink], colours[paper]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_of_reasons_are_distinct_and_labels_are_readable(theme: str) -> None:
    colours = themes()[theme]
    assert len({colours[reason] for reason in REASONS}) == len(REASONS)
    for reason in REASONS:
        assert min(contrast(colours[reason], colours[paper]) for paper in ("paper", "panel")) >= 3
    # Labels stay readable on the darkest shade of the map.
    shade = float(re.search(r"DARKEST_SHADE = ([\d.]+);", asset("viewer/sections.js"))[1])
    both = zip(colours["accent"], colours["paper"], strict=True)
    mixed = tuple(shade * accent + (1 - shade) * paper for accent, paper in both)
    assert contrast(colours["ink"], mixed) >= 4.5


def test_the_script_is_one_small_module() -> None:
    script = viewer_script("questions.js", "check.js")
    assert len(script.encode()) < 60_000
    assert "import " not in script
