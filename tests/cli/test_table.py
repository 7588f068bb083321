import gzip
import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "tables"
PLANETS = EXAMPLES / "planets.csv"
SCHEMA = EXAMPLES / "planets.yaml"


@pytest.fixture
def game_file(tmp_path):
    line = {
        "TEAM-NAME": "Wolves",
        "TEAM-CITY": "Weston",
        "TEAM-PTS": "9",
        "TEAM-WINS": "1",
        "TEAM-LOSSES": "0",
    }
    box = {
        "PLAYER_NAME": {"0": "Ann Ash", "1": "Di Dogwood"},
        "TEAM_CITY": {"0": "Easton", "1": "Weston"},
        "PTS": {"0": "7", "1": "9"},
    }
    away = line | {"TEAM-NAME": "Eagles", "TEAM-CITY": "Easton", "TEAM-PTS": "7"}
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"home_line": line, "vis_line": away, "box_score": box}))
    return path


def test_a_game_becomes_a_report(run, game_file):
    status, out, err = run("table", game_file)
    assert (status, err) == (0, "")
    assert out.startswith("The Weston Wolves (1-0) edged the visiting Easton Eagles (1-0) 9-7.")
    assert run("table", "-", stdin=game_file.read_bytes()) == (0, out, "")
    packed = game_file.with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(game_file.read_bytes()))
    assert run("table", packed) == (0, out, "")


def test_an_edited_plan_is_reported(run, game_file, tmp_path):
    plan = tmp_path / "plan.json"
    assert run("table", game_file, "--plan-only", "-o", plan)[0] == 0
    values = json.loads(plan.read_text())
    del values["sentences"][1:]
    values["sentences"][0] = [{"entity": "Ann Ash", "type": "PLAYER-PTS"}]
    plan.write_text(json.dumps(values))
    report = run("table", game_file, "--plan", plan, "--format", "json")[1]
    (sentence,) = json.loads(report)["sentences"]
    assert sentence["text"] == "Ann Ash led the Easton Eagles with seven points."
    (cell,) = sentence["cells"]
    assert (cell["type"], cell["value"], cell["rank"]) == ("PLAYER-PTS", "7", 2)
    assert cell["spans"] == [{"start": 35, "end": 40, "says": "value"}]


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_any_table_in_any_format(run, form):
    status, out, _ = run("table", PLANETS, "--schema", SCHEMA, "--format", form)
    assert status == 0
    assert "Jupiter has the highest mass" in out or "Jupiter</th>" in out


def test_errors_are_reported_in_one_sentence(run, game_file, tmp_path):
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(b"\x00\x01\x02" * 99)
    empty = tmp_path / "empty.json"
    empty.touch()
    cut = tmp_path / "cut.xz"
    cut.write_bytes(b"\xfd7zXZ\x00\x00")
    checked = ("--check", "report.txt")
    beside = (("--plan-only",), ("--format", "html"), ("--plan", "p.json"))
    for arguments, problem in (
        (["nowhere.json"], "There is no file"),
        ([wrong], "is not a text"),
        ([empty], "empty.json is empty"),
        ([cut], "cannot be unpacked"),
        ([PLANETS, "--game", "1"], "leave out --game"),
        ([PLANETS, "--schema", SCHEMA, "--game", "1"], "leave out --game or --schema"),
        ([PLANETS, "--schema", PLANETS], "planets.csv"),
        ([game_file, "--game", "2"], "has no game '2'"),
        ([game_file, "--plan", "nowhere.json"], "There is no file"),
        ([game_file, "--plan-only", "--plan", game_file], "leave out --plan"),
        ([game_file, "--plan-only", "--format", "html"], "written as JSON"),
        ([game_file, "--read-limit", "size=9"], "has more than 9 bytes"),
        ([game_file, "-o", game_file], "exists; add --force"),
        *(([game_file, *checked, *more], "") for more in beside),
        ([game_file, "--relations", "table-matcher"], "give --scores too"),
        ([game_file, *checked, "--scores", "report.txt"], "give only --game"),
        ([game_file, "--scores", "report.txt", "--format", "html"], "text or JSON"),
        ([game_file, "--scores", "report.txt"], "There is no file"),
        (
            [game_file, "--scores", PLANETS, "--relations", "x"],
            "give table-matcher, table-matcher-digits",
        ),
        ([game_file, "--realizer", tmp_path, "--plan-only"], "leave out --realizer"),
        ([game_file, "--realizer", tmp_path, *checked], "leave out --realizer"),
        # Said before a model is looked for.
        ([PLANETS, "--schema", SCHEMA, "--realizer", "none"], "basketball games"),
        ([game_file, "--realizer", "no/where"], "no/where"),
        ([game_file, "--planner", "oracle"], "oracle"),
        ([game_file, "--planner", "runs/one", "--plan", "plan.json"], "leave out --planner"),
        ([game_file, "--planner", "runs/one", *checked], "leave out --planner"),
    ):
        status, out, err = run("table", *arguments)
        assert (status, out) == (2, ""), arguments
        # Before it, other packages may speak of themselves.
        *others, told = err.splitlines()
        assert told.startswith("longsum: ")
        assert problem in told
        assert not any("longsum" in line or "Traceback" in line for line in others)


def test_a_text_is_checked_against_its_table(run, game_file, tmp_path):
    text = tmp_path / "report.txt"
    text.write_text("Di Dogwood had eight points.\n\nAnn Ash scored 7 points for Easton.\n")
    status, out, err = run("table", game_file, "--check", text)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "In 2 sentences, 1 place that the table does not confirm:"
    assert (
        "Di Dogwood had eight points.\n  eight: The table gives Di Dogwood 9 for points scored"
        in out
    )
    assert "Ann Ash" not in out
    found = json.loads(run("table", game_file, "--check", text, "--format", "json")[1])
    (flag,) = found["flags"]
    assert found["text"][flag["start"] : flag["end"]] == flag["saw"] == "eight"
    assert found["repaired"] == found["text"].replace("eight", "nine")
    report = tmp_path / "own.txt"
    report.write_text(run("table", game_file)[1])
    out = run("table", game_file, "--check", report)[1]
    assert out.startswith("Nothing in ")
    assert out.endswith("differs from the table.\n")


def test_texts_are_scored_against_their_games(run, game_file, tmp_path):
    text = tmp_path / "report.txt"
    text.write_text("Di Dogwood had nine points. Ann Ash scored 8 points.")
    status, out, err = run("table", game_file, "--scores", text)
    assert (status, err) == (0, "")
    assert [line.split() for line in out.splitlines()] == [
        ["reports", "RG", "P", "RG", "#"],
        ["1", "50.0", "1.0"],
    ]
    found = json.loads(run("table", game_file, "--scores", text, "--format", "json")[1])
    assert (found["rg_precision"], found["rg_count"]) == (0.5, 1.0)


def test_a_model_writes_the_plan_of_the_table(run, game_file, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from longsum.core import loading
    from longsum.core.model_files import folders
    from longsum.tables.realization.table_realizer import TableRealizer

    class Writer:
        def sentences(self, _source, count):
            return ["The Wolves beat the Eagles 9-7."] * count

    monkeypatch.setattr(loading, "is_chat", lambda _name: False)
    monkeypatch.setattr(folders, "check_model", lambda _name: tmp_path)
    monkeypatch.setattr(TableRealizer, "load", lambda _folder: Writer())
    status, out, err = run("table", game_file, "--realizer", "runs/one", "--format", "json")
    assert status == 0
    sentences = json.loads(out)["sentences"]
    written = [each for each in sentences if each["written_by"] == "model"]
    assert all(each["text"] == "The Wolves beat the Eagles 9-7." for each in written)
    assert f" of {len(sentences)} sentences are templates" in err
