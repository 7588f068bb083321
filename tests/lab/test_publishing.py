"""Models are sent to a local Hub, and read back from there."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from types import SimpleNamespace

import pytest
import yaml

from hub_server import running_hub
from longsum import LongsumError
from longsum.cli import main
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.core.model_files.folders import ModelFolder
from longsum.core.summaries import Budget
from longsum.evaluation.datasets import load
from longsum.lab import publishing
from longsum.lab.comparison.comparison_results import Results, SystemResult
from longsum.lab.publishing import listing, publication

RECORD = {"name": "news", "split": "train", "documents": 5, "lessons": 5, "licenses": {}}


@pytest.fixture
def run(tmp_path):
    """Make the folder of a run, as far as it is read."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("model.safetensors", "config.json", "code.py", "optimizer.bin"):
        (folder / name).write_text("{}")
    data = {"names": ["news", "/secret/own"], "prepared": "/secret/kept", "limit": 5}
    settings = {"checkpoint": str(tmp_path), "data": data, "tokenizer": "owner/name"}
    (folder / "training.yaml").write_text(yaml.safe_dump({"recipe": "led", "settings": settings}))
    (folder / "documents.json").write_text(json.dumps([{**RECORD, "shippable": 5}]))
    (folder / "README.md").write_text("---\nlicense: other\n---\n# led\n\nLearned from: 5.\n")
    return ModelFolder.of(folder)


def results(tmp_path, *systems):
    """A file as `longsum evaluate -o` writes it: two documents, the last system the best."""
    path = tmp_path / "scores.json"
    rows = [
        SystemResult(name, {"rouge2": [40.0 + place, 42.5 + place]}, [9, 9], 1.0)
        for place, name in enumerate(systems)
    ]
    held = Results(["a", "b"], Budget(9), [], rows).to_json()
    path.write_text(json.dumps({"data": "news", "split": "test", **held}))
    return path


def test_weights_settings_and_record_are_sent_without_code_or_paths(run, tmp_path):
    made = publication(run, "me/mine", license="apache-2.0")
    sent = {name for name, held in made.items() if held == run.path / name}
    assert sent == {"model.safetensors", "config.json", "documents.json"}
    assert set(made) == {*sent, "README.md", "training.yaml"}
    settings = yaml.safe_load(made["training.yaml"])["settings"]
    data = {"names": ["news", "own"], "prepared": "kept", "limit": 5}
    assert settings == {"checkpoint": tmp_path.name, "data": data, "tokenizer": "owner/name"}
    assert str(tmp_path) not in listing(made)


def test_the_card_has_the_runs_record_and_scores_with_intervals(run, tmp_path):
    scores = results(tmp_path, "lead", "mine")
    made = publication(run, "me/mine", license="cc0-1.0", results=[scores])
    front, rest = made["README.md"].decode().removeprefix("---\n").split("\n---\n", 1)
    head = yaml.safe_load(front)
    assert rest == "# led\n\nLearned from: 5.\n"
    assert (head["license"], head["tags"]) == ("cc0-1.0", ["longsum", "led"])
    (index,) = head["model-index"]
    (result,) = index["results"]
    assert result["dataset"] == {"name": "news", "type": "news", "split": "test"}
    (metric,) = result["metrics"]
    assert (metric["type"], metric["value"]) == ("rouge2", 42.25)
    assert metric["name"] == "rouge2 (95 % interval 41.00 to 43.50, 2 documents)"


def test_scores_of_another_system_are_refused(run, tmp_path):
    with pytest.raises(LongsumError, match="no scores of 'mine', only of lead"):
        publication(run, "me/mine", results=[results(tmp_path, "lead")])
    with pytest.raises(LongsumError, match=r"is not a result of .* No such file or directory"):
        publication(run, "me/mine", results=[tmp_path / "none.json"])
    # Whatever is not as it was written.
    whole = results(tmp_path, "mine").read_text()
    for part in (
        '"mine"',
        '{"rouge2": [40.0, 42.5]}',
        "[40.0, 42.5]",
        '"test"',
        '["a", "b"]',
        "40.0",
    ):
        for other in ('"x"', "7", "[null]", '"\\ud800"', "{}"):
            (tmp_path / "scores.json").write_text(whole.replace(part, other))
            with suppress(LongsumError):
                publication(run, "me/mine", results=[tmp_path / "scores.json"])


class RefusedError(Exception):
    """An error of the Hub's library, with what the Hub answered."""

    response = SimpleNamespace(status_code=403)


@pytest.mark.parametrize("address", ["https://hub/me/mine", ""])
def test_files_are_sent_in_one_commit(address, monkeypatch):
    asked = []

    def committed(*given, **named):
        asked.append((given, named))
        return SimpleNamespace(repo_url=address, commit_url="https://hub/commit")

    api = SimpleNamespace(
        create_repo=lambda *given, **named: asked.append((given, named)), create_commit=committed
    )
    monkeypatch.setattr(publishing, "HfApi", lambda: api)
    assert publishing.push("me/mine", {"a": b"1", "b": b"2"}, private=True) == (
        address or "https://hub/commit"
    )
    made, (given, named) = asked
    assert made == (("me/mine",), {"private": True, "exist_ok": True})
    assert given[0] == "me/mine"
    assert [(each.path_in_repo, each.path_or_fileobj) for each in given[1]] == [
        ("a", b"1"),
        ("b", b"2"),
    ]
    assert named == {"commit_message": "A model that longsum trained"}


@pytest.mark.parametrize(
    ("error", "why"),
    [(RefusedError(), "it answers with status 403"), (OSError(), "it cannot be reached")],
)
def test_refusals_of_the_hub_are_reported_with_its_answer(error, why, monkeypatch):
    def refuse(*_, **__):
        raise error

    monkeypatch.setattr(publishing, "HfApi", lambda: SimpleNamespace(create_repo=refuse))
    with pytest.raises(LongsumError, match=rf"did not take 'me/mine' \({why}\)"):
        publishing.push("me/mine", {})


def test_a_model_that_may_not_be_shared_stays_private(run):
    (run.path / "documents.json").write_text(json.dumps([{**RECORD, "shippable": 3}]))
    with pytest.raises(LongsumError, match="2 documents of news whose licences do not allow"):
        publication(run, "me/mine")
    assert publication(run, "me/mine", private=True)
    for part in (1, {}, {**RECORD, "shippable": "3"}, {**RECORD, "documents": None}):
        (run.path / "documents.json").write_text(json.dumps([part]))
        with pytest.raises(LongsumError, match="is not a record of a run's documents"):
            publication(run, "me/mine")


@pytest.mark.parametrize("text", ["[]x", "7", "a: [", "a: !!python/none x", "settings: 3"])
def test_damaged_settings_are_reported(run, text):
    (run.path / "training.yaml").write_text(text)
    with pytest.raises(LongsumError, match=r"its training\.yaml is damaged"):
        publication(run, "me/mine")


def test_a_folder_without_a_model_or_a_wrong_name_is_refused(run):
    with pytest.raises(LongsumError, match="'mine' is not a name on the Hub"):
        publication(run, "mine")
    (run.path / "model.safetensors").unlink()
    with pytest.raises(LongsumError, match="has no weights in safetensors"):
        publication(run, "me/mine")


@pytest.mark.slow
def test_a_pushed_planner_is_read_from_the_hub_and_plans_the_same(tmp_path, monkeypatch, capsys):
    game = next(load("planted_games", "test")).extra["game"]
    (tmp_path / "game.json").write_text(json.dumps(game))
    with running_hub() as hub:

        def longsum(*given, token="hf_right"):
            env = {**os.environ, "HF_ENDPOINT": hub.address, "HF_TOKEN": token}
            env |= {"HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "1"}
            command = [sys.executable, "-m", "longsum", *map(str, given)]
            return subprocess.run(
                command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False
            )

        shipped = shipped_folder("table-stepwise")
        refused = longsum("push", shipped, "me/planner", token="hf_wrong")
        assert refused.returncode == 2
        assert "did not take 'me/planner' (it answers with status 401)" in refused.stderr
        sent = longsum("push", shipped, "me/planner", "--private")
        assert sent.stdout.strip() == f"{hub.address}/me/planner"
        assert hub.private == {"me/planner"}
        assert set(hub.files["me/planner"]) == {
            path.name for path in shipped.iterdir() if path.is_file()
        }
        pulled = longsum("table", "game.json", "--plan-only", "--planner", "me/planner").stdout
    words = ["table", str(tmp_path / "game.json"), "--plan-only", "--planner", "table-stepwise"]
    monkeypatch.setattr(sys, "argv", ["longsum", *words])
    with suppress(SystemExit):
        main()
    assert pulled == capsys.readouterr().out != ""
