import json
import lzma

import pytest

ASKED = ("evaluate", "--data", "scitldr_a", "--split", "val", "-s", "lead", "-s", "oracle")


def test_scores_and_summaries_are_written_and_a_table_is_printed(run, data, told):
    scores, lines = data / "scores.json", data / "lines.jsonl"
    more = ("--limit", 2, "-l", "6w", "-o", scores, "--summaries", lines, "--seed", 3)
    status, out, _ = run(*ASKED, *more)
    assert status == 0
    assert out.startswith("scitldr_a, val: 2 documents, at most 6w each\n")
    found = json.loads(scores.read_text())
    assert {name: found[name] for name in ("data", "split", "task", "seed")} == {
        **{"data": "scitldr_a", "split": "val", "task": "summaries", "seed": 3},
    }
    assert [row["system"] for row in found["systems"]] == ["lead", "oracle"]
    assert "analyses_of_variance" not in found
    kept = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [(each["id"], each["system"]) for each in kept] == [
        *(("d0", "lead"), ("d0", "oracle"), ("d1", "lead"), ("d1", "oracle")),
    ]
    assert kept[2]["summary"]["summary"]["text"] == told[1]


@pytest.mark.usefixtures("data")
def test_lengths_are_those_of_the_references_and_metrics_as_named(run):
    # 5, 6 and 5 words.
    out = run(*ASKED, "--metrics", "rouge,copying")[1]
    assert out.startswith("scitldr_a, val: 3 documents, at most 5w each\n")
    assert "coverage" in out
    assert "METEOR" not in out
    everything = run(*ASKED, "--metrics", "all")[1]
    assert "METEOR" in everything
    assert "apes: it needs a model; add --qa-model FOLDER" in everything


def test_a_report_describes_its_content(run, data):
    report = data / "report.html"
    assert run(*ASKED, "--limit", 2, "--report", report)[0] == 0
    page = report.read_text(encoding="utf-8")
    command = f"longsum {' '.join(map(str, (*ASKED, '--limit', 2, '--report', report)))}"
    card = page.partition("<h1>")[2]
    for part in ("scitldr_a, val", command, "Task", "summaries", "Licence of the data"):
        assert part in card
    assert page.count('<details class="example"') == 2
    assert "exists; add --force" in run(*ASKED, "--report", report)[2]


def test_a_report_of_trees_has_their_scores(run, data):
    report = data / "report.html"
    (data / "rust_rfcs").mkdir()
    answer = "It is so because all of the other ways are worse."
    section = {"level": 1, "title": "Why is it so?", "paragraphs": [answer, "Dams are old."]}
    record = json.dumps({"id": "p", "title": "P", "summary": "s", "sections": [section]})
    (data / "rust_rfcs" / "test.jsonl.xz").write_bytes(lzma.compress(record.encode()))
    asked = ("evaluate", "--data", "rust_rfcs", "--split", "test", "--task", "trees")
    status, out, _ = run(*asked, "-s", "stepwise", "--report", report)
    assert status == 0
    assert "hierarchy_f1" in out
    assert "words of all summaries" in report.read_text(encoding="utf-8")


def test_figures_are_written_into_a_folder(run, data):
    pytest.importorskip("matplotlib")
    figures = data / "figures"
    assert run(*ASKED, "--metrics", "meteor", "--figures", figures)[0] == 0
    names = {"meteor.pdf", "meteor.svg", "positions.pdf", "positions.svg"}
    assert {file.name for file in figures.iterdir()} == names
    assert "is not empty; add --force" in run(*ASKED, "--figures", figures)[2]


def test_an_analysis_of_variance(run, data):
    pytest.importorskip("scipy")
    scores = data / "scores.json"
    more = ("-s", "graph", "--significance", "anova", "-o", scores)
    out = run(*ASKED, *more)[1]
    assert "F(2, 6) = " in out
    assert "p randomization" not in out
    assert "rouge1" in json.loads(scores.read_text())["analyses_of_variance"]


def test_own_data_own_system_and_texts_of_others(run, tmp_path, told):
    data, texts = tmp_path / "cases.jsonl", tmp_path / "theirs.jsonl"
    records = [
        {"key": f"d{number}", "body": f"{each} Fields need water.", "gist": each}
        for number, each in enumerate(told)
    ]
    data.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    texts.write_text(
        "".join(f'{{"id": "d{n}", "text": "{each}"}}\n' for n, each in enumerate(told))
    )
    (tmp_path / "mine.py").write_text(
        "import longsum\n"
        "class Whole:\n"
        "    def summarize(self, document, budget, *, focus=None, seed=0):\n"
        "        return longsum.summary_of(document, document.text, budget, system='whole')\n"
    )
    scores = tmp_path / "scores.json"
    asked = ("evaluate", "--data", data, "--map", "summary=gist", "-o", scores)
    more = ("-s", f"{tmp_path / 'mine.py'}:Whole", "--predictions", f"theirs={texts}")
    status, out, err = run(*asked, *more)
    assert status == 0
    assert out.startswith(f"{data}?summary=gist, all: 3 documents, at most 5w each\n")
    assert err == ("cases.jsonl: 'body' is the document, 'gist' is the summary, 'key' is the id.\n")
    rows = {row["system"]: row for row in json.loads(scores.read_text())["systems"]}
    assert rows["theirs"]["scores"]["rouge1"] == [100.0] * 3
    assert all(score < 90 for score in rows["Whole"]["scores"]["rouge1"])
    assert "There is nothing to compare" in run(*asked, "--force")[2]
    assert "give the file as data" in run("evaluate", "--data", "qmsum", "--map", "id=x", *more)[2]


def test_a_table_for_a_paper(run, data):
    table = data / "table.tex"
    status, out, _ = run(*ASKED, "--table", table)
    assert status == 0
    assert table.read_text().startswith("\\begin{tabular}{lrrrrrr}\n\\toprule\nsystem & rouge1")
    assert "p corrected" in out
    assert "no known table format" in run(*ASKED, "--table", data / "table.doc")[2]
