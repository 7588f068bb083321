"""Charts of biases: their content and layout, all of it readable."""

import json
import re
import struct
from dataclasses import replace
from itertools import combinations

import lxml.html
import numpy as np
import pytest

from longsum.lab.pages import figures as bias_plots
from longsum.lab.pages.bias_charts import Axes, BiasView, SectionPairs, biases_to_json
from longsum.lab.pages.bias_layout import CHARACTER, Cell, Words, lay_out, written
from longsum.lab.pages.bias_page import render_biases
from longsum.lab.pages.bias_sheets import MAX_SECTIONS, sheets
from longsum.lab.pages.figures import render_png

from ...core.pages.test_assets import asset, contrast, themes
from ...core.pages.test_summary_page import element_text, fingerprint

HOSTILE = '<script>alert(1)</script> $x$ "&'


def pairs(count: int, seed: int = 0) -> SectionPairs:
    values = np.random.default_rng(seed).normal(0, 0.02, (count, count))
    labels = tuple(
        f"{1 + number // 5}.{1 + number % 5}.1.10"[: 3 + number % 5] for number in range(count)
    )
    return SectionPairs(labels, tuple(f"{HOSTILE} {number}" for number in range(count)), values)


def view(form: str = "levels", layers: int = 2, heads: int = 3, sections: int = 6) -> BiasView:
    columns, rows, across, down = {
        "levels": (tuple(range(-6, 7)), tuple(range(-6, 7)), "path length", "level difference"),
        "relations": (("itself", "child", "earlier, same top section"), (0,), "relation", ""),
        "distance": (tuple(range(-64, 65)), (0,), "distance in sections", ""),
    }[form]
    generator = np.random.default_rng(1)
    values = generator.normal(0, 0.02, (layers, heads, len(rows), len(columns)))
    if form == "levels":
        odd = (np.add.outer(np.array(rows), np.array(columns)) % 2).astype(bool)
        values[:, :, odd] = np.nan
    return BiasView(
        side="encoder",
        settings={"kind": "hibrids"},
        axes=Axes(form, across, down, columns, rows),
        layers=tuple(range(1, layers + 1)),
        heads=tuple(f"head {head}" for head in range(1, heads + 1)),
        values=values,
        pairs=pairs(sections),
    )


def part(shown: BiasView, name: str):
    return next(sheet for sheet in sheets(shown) if sheet.part == name)


def overlap(one: Words, other: Words) -> bool:
    first, second = one.box(), other.box()
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    return across > 0 and down > 0


SHOWN = {
    "example": view(),
    "one section": view(sections=1),
    "sixty sections": view(sections=60),
    "many": view(sections=MAX_SECTIONS + 20, layers=4, heads=8),
    "relations": view("relations"),
    "distance": view("distance", layers=5),
    "one head": view(layers=1, heads=1),
}
each_view = pytest.mark.parametrize("name", SHOWN)


@each_view
def test_no_label_covers_another_and_all_stand_on_the_sheet(name: str) -> None:
    for sheet in sheets(SHOWN[name]):
        drawing = lay_out(sheet)
        for one, other in combinations(drawing.words, 2):
            assert not overlap(one, other), (sheet.name, one, other)
        for left, top, right, bottom in (words.box() for words in drawing.words):
            assert 0 <= left < right <= drawing.width, sheet.name
            assert 0 <= top < bottom <= drawing.height, sheet.name
        assert all(cell.x + cell.width <= drawing.width for cell in drawing.cells)


@each_view
def test_colours_are_shares_of_one_scale_on_either_side_of_zero(name: str) -> None:
    for sheet in sheets(SHOWN[name]):
        cells = lay_out(sheet).cells
        if not cells:
            continue
        bar = [cell for cell in cells if not cell.tooltip]
        assert [bar[0].share, bar[len(bar) // 2].share, bar[-1].share] == [-1, 0, 1]
        assert max(abs(cell.share) for cell in cells if cell.tooltip) == pytest.approx(1)


def test_the_average_is_over_layers_and_heads() -> None:
    shown = view()
    expected = sum(shown.values[layer, head] for layer in range(2) for head in range(3)) / 6
    np.testing.assert_allclose(part(shown, "average").panels[0][0].values, expected)
    heads = part(shown, "heads")
    assert [len(row) for row in heads.panels] == [3, 3]
    np.testing.assert_array_equal(heads.panels[1][2].values, shown.values[1, 2])
    assert heads.panels[1][2].title == "Layer 2, head 3"
    assert heads.scale == np.nanmax(np.abs(shown.values))


@pytest.mark.parametrize(
    ("across", "columns", "said"),
    [
        ("path length", (0, 1, 2), "path length"),
        ("path length", (-1, 0, 1), "path length (positive: what is read comes later)"),
        (
            *("level difference", (-1, 0, 1)),
            "level difference (positive: the section that is read is deeper)",
        ),
    ],
)
def test_the_axis_title_explains_the_signs_of_columns(across, columns, said) -> None:
    shown = replace(view(), axes=Axes("levels", across, "level difference", columns, (0,)))
    sheet = part(replace(shown, values=np.zeros((2, 3, 1, 3))), "average")
    assert sheet.across == said


def test_sections_that_are_not_shown_are_counted() -> None:
    sheet = part(SHOWN["many"], "sections")
    assert len(sheet.panels[0][0].rows) == MAX_SECTIONS == 100
    assert "Not shown: the last 20 sections of the document." in sheet.note


def test_tables_of_zeros_have_no_colour() -> None:
    shown = view()
    zeros = replace(shown, values=shown.values * 0, pairs=None)
    drawing = lay_out(part(zeros, "average"))
    assert {cell.share for cell in drawing.cells if cell.tooltip} == {0}
    assert {words.text for words in drawing.words} >= {"0"}


@pytest.mark.parametrize(
    ("value", "scale", "said"),
    [
        *((0.0123, 0.02, "1.2"), (-0.0123, 0.02, "−1.2"), (-0.0001, 0.02, "0.0")),
        *((-0.00052, 0.001, "−0.05"), (-1.234, 2.0, "−123")),
    ],
)
def test_numbers_are_a_hundred_times_the_biases(value: float, scale: float, said: str) -> None:
    assert written(value, scale) == said


class TestPng:
    # The second's heading is wider than its drawing.
    @pytest.mark.parametrize(
        ("name", "named"),
        [("one section", "sections"), ("example", "heads"), ("distance", "average")],
    )
    def test_a_picture_has_the_size_of_its_drawing(self, name, named, monkeypatch) -> None:
        pytest.importorskip("matplotlib")
        sheet = part(SHOWN[name], named)
        figures, make = [], bias_plots.written
        monkeypatch.setattr(bias_plots, "written", lambda *of: figures.append(of[0]) or make(*of))
        picture = render_png(sheet)
        turned = {each.text for each in lay_out(sheet).words if each.turned}
        texts = figures[0].axes[0].texts
        assert {each.get_text() for each in texts if each.get_rotation() == 90} == turned
        assert picture.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", picture[16:24])
        drawing = lay_out(sheet)
        # Twice the pixels: the drawing below 44 for its heading, and 16 around them.
        heading = CHARACTER * max(1.3 * len(sheet.title), len(sheet.note))
        assert width == pytest.approx(2 * (max(drawing.width, heading) + 32), abs=1.01)
        assert height == pytest.approx(2 * (drawing.height + 76), abs=1.01)

    def test_blue_is_positive_and_the_same_sheet_gives_the_same_bytes(self) -> None:
        pytest.importorskip("matplotlib")
        from io import BytesIO

        from matplotlib.image import imread

        values = np.array([[0.02, -0.02], [0.0, np.nan]])
        shown = replace(view(), pairs=SectionPairs(("1", "2"), ("", ""), values))
        sheet = part(shown, "sections")
        picture = render_png(sheet)
        assert render_png(sheet) == picture
        pixels = imread(BytesIO(picture))
        colours = [self._corner(pixels, cell) for cell in lay_out(sheet).cells[:3]]
        assert colours[:2] == [bias_plots.MORE, bias_plots.LESS]
        assert colours[2] == "#ffffff"

    def _corner(self, pixels, cell: Cell) -> str:
        x = 2 * (cell.x + 3 + bias_plots._MARGIN)
        y = 2 * (cell.y + 3 + bias_plots._MARGIN + bias_plots._HEADING)
        return "#" + "".join(f"{round(255 * part):02x}" for part in pixels[int(y), int(x), :3])


class TestPage:
    def test_it_can_run_and_load_nothing(self) -> None:
        page = render_biases(HOSTILE, (view(),), HOSTILE)
        tree = lxml.html.document_fromstring(page)
        policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
        assert policy == (
            f"default-src 'none'; style-src {fingerprint(element_text(page, 'style'))}; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        )
        names = {name for element in tree.iter() for name in element.attrib}
        assert not tree.xpath("//script | //img | //iframe | //object | //form")
        assert not names & {"src", "style"}
        assert not [name for name in names if name.startswith("on")]
        assert tree.xpath("//@href") == ["data:,"]
        assert not re.findall(r"https?://|url\(|@import", page)

    def test_encoder_and_decoder_stand_beside_each_other(self) -> None:
        both = (view(), replace(view(), side="decoder"))
        tree = lxml.html.document_fromstring(render_biases("m", both))
        rows = [[figure.get("id") for figure in row] for row in tree.xpath("//div[@class='row']")]
        parts = ("sections", "average", "heads")
        assert rows == [[f"encoder-{part}", f"decoder-{part}"] for part in parts]

    @pytest.mark.parametrize("form", ["levels", "relations", "distance"])
    def test_it_is_the_same_as_before(self, form: str, as_before) -> None:
        as_before(f"biases-{form}", render_biases("m", (view(form, 1, 2, 3),), "a text"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("side", ["more", "less"])
def test_numbers_are_readable_on_the_fullest_colour(theme: str, side: str) -> None:
    style = asset("biases.css")
    codes = re.findall(rf"--{side}: #([0-9a-f]{{6}});", style)
    code = codes[0 if theme == "light" else 1]
    colour = tuple(int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    assert contrast(themes()[theme]["ink"], colour) >= 4.5


def test_pictures_have_the_colours_of_the_page() -> None:
    assert f"--more: {bias_plots.MORE}; --less: {bias_plots.LESS};" in asset("biases.css")


class TestJson:
    def test_numbers_have_names_and_are_not_multiplied(self) -> None:
        shown = view()
        told = biases_to_json("m", (shown,))
        assert json.loads(json.dumps(told)) == told
        (found,) = told["biases"]
        # Half of the chart is blank.
        assert len(found["labels"]) == 85
        place = found["labels"].index({"path_length": -2, "level_difference": 4})
        assert found["values"][1][2][place] == pytest.approx(shown.values[1, 2, 10, 4], abs=1e-9)
        assert found["average"][place] == pytest.approx(shown.mean[10, 4], abs=1e-9)
        assert found["sections"][1] == {"label": "1.2.", "title": f"{HOSTILE} 1"}
        assert found["section_average"][2][5] == pytest.approx(shown.pairs.values[2, 5], abs=1e-9)

    def test_pairs_without_a_bias_are_null(self) -> None:
        values = np.array([[0.5, np.nan], [0.25, 0.0]])
        shown = replace(view("relations"), pairs=SectionPairs(("1", "2"), ("", ""), values))
        (found,) = biases_to_json("m", (shown,))["biases"]
        assert found["section_average"] == [[0.5, None], [0.25, 0.0]]
        assert found["labels"][1] == {"relation": "child"}
        # Distances of tokens have no sections.
        (found,) = biases_to_json("m", (replace(view("distance"), pairs=None),))["biases"]
        assert "sections" not in found
        assert found["labels"][0] == {"distance_in_sections": -64}
