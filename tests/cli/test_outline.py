"""`longsum outline`, to the letter."""

import json

import pytest

from pdf_writer import raw_pdf

PAGE = """<title>On dams</title>
<h2>Abstract</h2><p>Dams of the town hold back the floods of its long river.</p>
<h2>Rivers</h2><p>The river feeds fields.
Fishermen of the valley sell river trout at the market.</p>
<h3>Floods</h3><p>Floods of the river damaged the bridges and the roads of the town twice.</p>
<figure><img src="x.png" alt="dam"><figcaption>Figure 1: A dam on the river.</figcaption></figure>
<h2></h2><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<h2>References</h2><p>Smith, J. Dams of old. 2001.</p>
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "dams.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


TREE = """On dams

section                                  sentences    words  not text
1 Abstract (the document’s own summary)          1       12         0
2 Rivers                                         3       28         1
  2.1 Floods                                     1       14         0
3 References                                     2        6         2
(all)                                            6       46         3
"""
LEFT_OUT = """
section  page  left out  text
2.1            figure    Figure 1: A dam on the river.
2.1            table     a | b / 1 | 2
"""
BEST = {
    "1": "Dams of the town hold back the floods of its long river.",
    "2": "Floods of the river damaged the bridges and the roads of the town twice.",
    "2.1": "Floods of the river damaged the bridges and the roads of the town twice.",
}
MADE_BY = "Built from the document's sections by stepwise."


def test_sections_are_counted_with_those_below_and_what_was_left_out_is_listed(run, page):
    status, out, err = run("outline", page)
    assert (status, out) == (0, TREE)
    assert err.count("\n") == 1
    assert "1 figure (7 words), 1 table (4 words)" in err
    assert run("outline", page, "--left-out")[1] == f"{TREE}{LEFT_OUT}\n"
    plain = run("outline", "-", "--left-out", stdin=b"The river feeds the fields.")
    assert plain[1].endswith("\nNothing else was kept of the source.\n")
    assert "not text" not in plain[1]


def test_the_best_sentences_stand_below_their_sections(run, page):
    lines = TREE.splitlines()
    lines[1:2] = ["", BEST["1"], ""]
    for label, text in BEST.items():
        place = next(at for at, line in enumerate(lines) if line.strip().startswith(f"{label} "))
        lines.insert(place + 1, "  " * (label.count(".") + 1) + text)
    assert run("outline", page, "--summaries")[1].splitlines() == [*lines, "", MADE_BY]


def test_json_has_the_same_and_where_it_stands(run, page):
    found = json.loads(run("outline", page, "--summaries", "--left-out", "-f", "json")[1])
    assert found["made_by"] == MADE_BY
    assert [part["kind"] for part in found["omitted"]] == ["figure", "table"]
    assert found["omitted"][1] == {
        "kind": "table",
        "section": 2,
        "page": None,
        "text": "a\tb\n1\t2",
    }
    rows = {row["label"]: row for row in found["sections"]}
    assert {label: rows[label]["summary"]["text"] for label in BEST} == BEST
    assert found["summary"] == rows["1"]["summary"]
    assert rows["3"]["summary"] is None
    text = json.loads(run("read", page)[1])["text"]
    for label, said in BEST.items():
        place = rows[label]["summary"]
        assert text[place["start"] : place["end"]] == said
    assert [row["number"] for row in rows.values()] == [0, 1, 2, 3]
    assert [row["level"] for row in rows.values()] == [1, 1, 2, 1]
    assert [row["abstract"] for row in rows.values()] == [True, False, False, False]
    assert rows["2"]["kinds"] == {"fragment": 1}
    assert rows["3"]["kinds"] == {"reference": 2}
    plain = json.loads(run("outline", page, "-f", "json")[1])
    assert plain.keys() == {"title", "sections"}
    assert "confidence" not in plain["sections"][0]


def test_what_speaks_for_a_heading_is_shown_where_a_format_does_not_mark_it(run, page, tmp_path):
    rows = [(18, 720, "1 Rivers"), (18, 600, "2 Dams")]
    for head in (706, 586):
        rows += [
            (11, head - 14 * n, f"The river feeds the {n} fields of the valley.") for n in range(5)
        ]
    content = "".join(f"BT /F1 {size} Tf 72 {y} Td ({text}) Tj ET\n" for size, y, text in rows)
    path = tmp_path / "dams.pdf"
    path.write_bytes(raw_pdf(content.encode()))
    lines = run("outline", path, "--evidence")[1].splitlines()
    found = json.loads(run("outline", path, "--evidence", "-f", "json")[1])["sections"]
    assert [row["title"] for row in found] == ["1 Rivers", "2 Dams"]
    for at, row in zip((1, 3), found, strict=True):
        assert lines[at].startswith(f"{row['label']} {row['title']}")
        assert lines[at + 1] == f"  {row['confidence']:.2f}: {', '.join(row['evidence'])}"
        assert "18 pt" in row["evidence"][0]
    marked = json.loads(run("outline", page, "--evidence", "-f", "json")[1])["sections"]
    assert {(row["confidence"], row["evidence"]) for row in marked} == {(None, None)}
