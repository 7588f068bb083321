import json
from pathlib import Path

import pytest

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.tagger import LongsumTagger


@pytest.fixture(scope="module")
def tagger(folder, tokenizer, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("taggers") / "words"
    LongsumTagger.of(LongsumForConditionalGeneration.from_pretrained(folder)).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def test_the_result_names_the_model_and_what_was_read(run, example_path, folder):
    status, out, err = run(
        *("summarize", example_path, "--model", folder, "-l", "12w", "-f", "json"),
        *("--beams", "2", "--at-once", "--as-written"),
    )
    assert status == 0
    found = json.loads(out)
    assert found["system"] == "tiny"
    assert found["settings"]["generation"]["num_beams"] == 2
    assert found["budget"]["reached"] <= 12
    assert found["coverage"]["sentences_read"] < found["coverage"]["sentences_total"]
    assert all(line.startswith("longsum: warning: ") for line in err.splitlines())
    assert "the rest was not read" in err


@pytest.mark.parametrize(("name", "taken"), [("bf16", "bfloat16"), ("fp32", "float32")])
def test_the_result_records_the_number_type_used(run, opening_path, folder, name, taken) -> None:
    given = ("summarize", opening_path, "-m", folder, "-l", "8w", "-f", "json", "--at-once")
    status, out, _ = run(*given, "--as-written", "--dtype", name)
    assert status == 0
    assert json.loads(out)["settings"]["dtype"] == taken


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--system", "hepos"], "longsum train hepos -o FOLDER"),
        (["--model", "pointer", "--prototype", "lead"], "--prototype alone"),
        (["--model", "tagger"], "--importance"),
        (["--system", "lead", "--importance", "folder"], "not a tagger"),
        (["--levels", "-f", "html"], "does not show levels"),
    ],
)
def test_errors_that_users_can_correct(refused, opening_path, request, arguments, says):
    models = ("folder", "pointer", "tagger")
    given = [request.getfixturevalue(word) if word in models else word for word in arguments]
    refused(says, "summarize", opening_path, *given)


def test_a_pointer_generator_network(run, opening_path, pointer, tmp_path):
    given = ("summarize", opening_path, "--model", pointer, "-f", "json")
    status, out, _ = run(*given, "-l", "12w", "--beams", "2", "--at-once")
    found = json.loads(out)
    assert status == 0
    assert found["system"] == "tiny"
    assert found["settings"]["prototype"]["generation"]["beams"] == 2
    assert 0 < found["budget"]["reached"] <= 12
    assert any("can read at most 120 tokens" in warning for warning in found["warnings"])
    # Part by part all is read.
    status, out, _ = run(*given, "-l", "30w", "--work", tmp_path / "parts")
    assert (status, json.loads(out)["coverage"]["unread_sections"]) == (0, [])
    assert any((tmp_path / "parts").iterdir())


@pytest.mark.slow
def test_a_tagger_gives_the_importance_of_words(run, example_path, tagger):
    asked = ("summarize", example_path, "-l", "40w", "--system", "graph", "--importance", tagger)
    status, out, _ = run(*asked, "--explain", "-f", "json")
    found = json.loads(out)["importance"]
    assert status == 0
    assert found["made_by"] == "the tagger 'words'"
    assert found["words"]
    assert "by the tagger 'words', of " in run(*asked, "--explain")[1]
    assert "importance" not in json.loads(run(*asked, "-f", "json")[1])
    page = run(*asked, "--explain", "-f", "html")[1]
    assert '<span class="heat-5">' in page
    assert 'id="heat" autocomplete="off" checked' in page
