"""`longsum train`, `reproduce` and `export` from the user's side."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from longsum.common import extras
from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.evaluation.datasets import catalogue
from longsum.lab import publishing
from longsum.lab.reproduction import needs, reproduction, reproduction_page
from longsum.models.networks.extractive.extractor_files import save_extractor
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.training import estimate, run_seq2seq


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list:
    """Train nothing; record the requests."""
    kept = []

    def train(*given, say, step, measured):
        kept.extend(given)
        say("training")
        step(1, 2)
        measured(1, 3)
        return {"eval_loss": 1.23456}

    made = SimpleNamespace(settings_of=lambda recipe, given: (recipe.name, given), train=train)
    monkeypatch.setattr(catalogue, "check_folders", lambda _: None)
    monkeypatch.setattr(run_seq2seq, "run_for", lambda kind: {"seq2seq": made}[kind])
    cost = SimpleNamespace(lines=["10 hours", "2 GB"])

    def tried(*given):
        given[-1](1, 10)
        return cost

    monkeypatch.setattr(estimate, "estimate", tried)
    return kept


def test_a_run_is_started_with_the_settings_given(run, asked) -> None:
    found = run("train", "hepos", "-o", "out", "data=govreport", "training.steps=9")
    recipe, settings, output = asked
    assert (recipe.name, output) == ("hepos", Path("out"))
    assert settings == ("hepos", {"data": {"names": "govreport"}, "training": {"steps": 9}})
    assert found[:2] == (0, "out: validation loss 1.2346\n")
    assert "training" in found[2]


def test_an_estimate_needs_no_folder_and_trains_nothing(run, asked) -> None:
    assert run("train", "hepos", "--estimate")[:2] == (0, "10 hours\n2 GB\n")
    status, out, err = run("train", "hepos")
    assert (status, out, asked) == (2, "", [])
    assert "with -o" in err


def test_an_extractor_is_exported_or_its_sentence_encoder_is(run, tmp_path) -> None:
    sentences = SentenceEncoderConfig(31, 8, 1, 2, 8, positions=16, representation="mean")
    documents = DocumentEncoderConfig(2, 8, summary_layers=1)
    model, folder = Hibert(HibertConfig(True, sentences, documents)), tmp_path / "model"
    save_extractor(model, folder)
    pieces = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rain")
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    Tokenizer(WordPiece(vocabulary, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    status, out, _ = run("export", folder)
    written = {path.name: path.stat().st_size for path in folder.glob("*.onnx")}
    assert (status, len(written) > 1) == (0, True)
    assert out.splitlines()[0].split() == ["written", "to", str(folder)]
    lines = {line.split()[0]: line for line in out.splitlines()[1:]}
    assert lines.keys() == written.keys()
    assert all(f"{written[name]:,} bytes" in line for name, line in lines.items())
    status, out, _ = run("export", folder, "--compact")
    assert (status, len(out.splitlines())) == (0, 1 + len(written))
    status, out, _ = run("export", folder, "--bert", tmp_path / "bert")
    config = json.loads((tmp_path / "bert" / "config.json").read_text(encoding="utf-8"))
    assert (status, config["hidden_size"], config["num_hidden_layers"]) == (0, 8, 1)
    assert "parameters" in out
    for words, says in (
        ((), "Name the folder"),
        (("--bert", "b", "--skim"), "do not apply to a BERT"),
    ):
        status, out, err = run("export", *words)
        assert (status, out) == (2, "")
        assert says in err


def test_a_model_is_sent_with_the_given_options(run, monkeypatch) -> None:
    kept = []
    monkeypatch.setattr(publishing, "publication", lambda *_, **given: kept.append(given) or "made")
    monkeypatch.setattr(publishing, "listing", lambda made: f"It is {made}.\n")
    monkeypatch.setattr(
        publishing, "push", lambda *given, **named: kept.extend((given, named)) or "there"
    )
    asked = ("push", shipped_folder(), "me/mine", "--private", "--results", "a", "--license", "mit")
    assert run(*asked, "--dry-run")[:2] == (0, "It is made.\n")
    assert run(*asked)[:2] == (0, "there\n")
    told = {"license": "mit", "results": [Path("a")], "private": True}
    assert kept == [told, told, ("me/mine", "made"), {"private": True}]


def test_a_table_of_a_paper_is_run_with_the_given_options(run, tmp_path, monkeypatch) -> None:
    kept = []

    def run_experiment(runs, rows, **given) -> str:
        runs.say("first row")
        runs.step(1, 4, "Training a row")
        told = [runs.experiment.name, runs.scale.name, runs.folder, runs.split]
        kept.extend([*told, list(rows), given])
        return "outcome"

    monkeypatch.setattr(needs, "check_data", lambda runs, _: kept.append(runs.data))
    monkeypatch.setattr(reproduction, "run_experiment", run_experiment)
    monkeypatch.setattr(reproduction_page, "write_outcome", lambda *given: kept.append(given))
    monkeypatch.setattr(reproduction_page, "to_text", lambda _, **__: "| 1 |\n")
    monkeypatch.setattr(needs, "cost_lines", lambda runs, rows, _: [f"{runs.split} of {rows}"])
    table, some = "hepos/table-5", ("--rows", "dancer,planted", "--rows", "mine=runs/a=b")
    known = json.loads(run("reproduce", "--format", "json")[1])
    rows = next(each["rows"] for each in known if each["experiment"] == table)
    assert all(row in run("reproduce")[1] for row in rows)
    assert "no row 'planted'" in run("reproduce", table, *some, "-o", "out")[2]
    assert "Name the folder" in run("reproduce", table)[2]
    with monkeypatch.context() as without:
        without.setattr(extras, "find_spec", lambda _: None)
        assert "longsum[train]" in run("reproduce", table, "-o", "out")[2]
    assert kept == []
    told = run("reproduce", table, "--estimate")
    assert told[:2] == (0, f"test of {rows}\n")
    assert kept == [None]
    some = ("--rows", f"{rows[1]},{rows[0]}", "--rows", "mine=runs/a=b", "--seeds", "2")
    status, out, err = run("reproduce", table, *some, "--data", "planted", "-o", tmp_path)
    assert (status, out) == (0, "| 1 |\n")
    assert "first row" in err
    given = [[rows[1], rows[0], "mine"], {"seeds": range(2)}]
    asked = [table, "toy", tmp_path, "validation", *given]
    assert kept[1:] == ["planted", *asked, ("outcome", tmp_path)]
