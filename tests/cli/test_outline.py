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


def test_sections_their_best_sentences_and_what_was_left_out(run, page, as_before):
    asked = [(), ("--summaries",), ("--left-out",)]
    asked += [(*asked[1], *asked[2], "-f", "json"), ("-f", "json")]
    as_before("outlines", "\n".join(run("outline", page, *options)[1] for options in asked))
    err = run("outline", page)[2]
    assert err.count("\n") == 1
    assert "1 figure (7 words), 1 table (4 words)" in err
    plain = run("outline", "-", "--left-out", stdin=b"The river feeds the fields.")
    assert plain[1].endswith("\nNothing else was kept of the source.\n")
    assert "not text" not in plain[1]


def test_a_sentence_is_at_the_place_given_in_json(run, page):
    found = json.loads(run("outline", page, "--summaries", "-f", "json")[1])
    text = json.loads(run("read", page)[1])["text"]
    for said in (found["summary"], *(row["summary"] for row in found["sections"])):
        assert said is None or text[said["start"] : said["end"]] == said["text"]


def test_evidence_for_a_heading_is_shown_if_the_format_does_not_mark_headings(run, page, tmp_path):
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


def test_a_section_counts_the_content_of_its_subsections(run, tmp_path):
    path = tmp_path / "notes.md"
    path.write_text(
        "# Notes\n\n## Rivers\n\nThe river feeds the fields.\n\n### More\n\n#### Sources\n\n"
        "- Smith, J. (2001). Dams of old. Journal of Dams, 12(3), 4-9.\n"
        "- Jones, A. (2004). Trout of the valley. Fish, 7(1), 11-19.\n\n"
        "## Roads\n\nThe road leads to the town.\n",
        encoding="utf-8",
    )
    rows = json.loads(run("outline", path, "-f", "json")[1])["sections"]
    by_title = {row["title"]: row for row in rows}
    inner, outer = by_title["Sources"], by_title["Rivers"]
    assert inner["kinds"]
    assert outer["kinds"] == inner["kinds"]
    assert outer["sentences"] == inner["sentences"] + 1
    assert by_title["Roads"]["kinds"] == {}
