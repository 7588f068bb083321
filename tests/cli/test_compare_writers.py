"""Comparisons of a language model with itself under longsum, on the command line."""

import json

import pytest

from longsum.core.extractive.extractor_options import shipped_folder


@pytest.fixture
def files(tmp_path):
    found = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}.md"
        parts = (
            f"# Part {n}\n\n"
            + "\n\n".join(f"The water of {name} {n} is {7 * k} degrees cold." for k in range(9))
            for n in range(2)
        )
        file.write_text("\n\n".join(parts))
        found.append(str(file))
    return found


def test_a_comparison_is_a_table_json_or_a_page(run, server, files, tmp_path) -> None:
    given = ["compare-writers", *files, "-m", server.address, "--context", "900", "-l", "60w"]
    status, out, _ = run(*given)
    assert status == 0
    assert "m, 900 tokens at a time: 2 documents, at most 60w each" in out
    for name in ("bare", "hierarchical", "longsum", "read", "recall", "tokens", "95 %"):
        assert name in out
    made = json.loads(run(*given, "--format", "json")[1])
    assert made["documents"] == files
    assert [(each["id"], each["system"]) for each in made["summaries"]] == [
        (file, system) for file in files for system in ("bare", "hierarchical", "longsum")
    ]
    assert {each["summary"]["schema"] for each in made["summaries"]} == {"longsum/summary/1"}
    assert made["systems"][2]["mean"]["read"] == {"mean": 100.0, "low": 100.0, "high": 100.0}
    page = tmp_path / "page.html"
    assert run(*given, "--format", "html", "-o", str(page))[0] == 0
    assert "sentences that their sources support" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["{file}", "-m", str(shipped_folder())], "Only language models can be compared"),
        (["{file}", "{file}", "-m", "{server}"], "is given 2 times"),
        (["{file}", "-m", "http://models.example/v1#m"], "sent to models.example"),
        (["{file}", "-m", "{server}", "--judge", "nowhere"], "nowhere"),
    ],
)
def test_impossible_options_are_reported_in_a_sentence(run, server, files, arguments, says) -> None:
    given = [each.format(file=files[0], server=server.address) for each in arguments]
    status, out, told = run("compare-writers", *given)
    assert (status, out) == (2, "")
    assert says in " ".join(told.split())
    assert server.calls == []
