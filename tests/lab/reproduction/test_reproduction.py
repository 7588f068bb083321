"""Runs of experiments: tables, orders, stored work, and settings that differ from the paper."""

import csv
import json
import math
import re
import shutil
from dataclasses import asdict, replace
from functools import partial
from types import SimpleNamespace

import pytest
import torch

from longsum.core.summaries import Budget
from longsum.lab.checking import checkers
from longsum.lab.comparison.comparison_results import PRINTED_ROUGE, Results, SystemResult
from longsum.lab.pages.table_forms import FORMS
from longsum.lab.reproduction import experiments as experiments_module
from longsum.lab.reproduction import measures, reproduction, row_runs, written_texts
from longsum.lab.reproduction.experiments import experiments, find_experiment
from longsum.lab.reproduction.needs import cost_lines
from longsum.lab.reproduction.reproduction import Trained, run_experiment
from longsum.lab.reproduction.reproduction_page import (
    learned_table,
    score_table,
    to_text,
    write_outcome,
)
from longsum.lab.reproduction.row_runs import RowRuns
from longsum.lab.reproduction.scales import find_scale
from longsum.models.networks import tiny_checkpoints
from longsum.models.training import estimate, run_seq2seq, training_run
from longsum.models.training.run_seq2seq import run_for
from longsum.tables.datasets import games
from longsum.tables.planning.table_systems import learned_from

KERNELS = ("mls", "mls-shuffled-topics")


@pytest.fixture
def runs(tmp_path):
    return RowRuns(find_experiment("mls/kernels"), find_scale("toy"), tmp_path / "run")


@pytest.mark.slow
def test_rows_without_training_are_scored_and_read_again(runs, monkeypatch):
    experiment, rows = runs.experiment.chosen([",".join(KERNELS), "mine=lead"])
    runs = replace(runs, experiment=experiment)
    outcome = run_experiment(runs, rows)
    assert [row.name for row in outcome.rows] == [*KERNELS, "mine"]
    assert outcome.documents["msr_narrative 50%"] == 4
    first, shuffled, mine = outcome.rows
    cell = first.cells["msr_narrative 50%"][0]
    assert cell.score == "rouge1"
    assert cell.low <= cell.mean <= cell.high
    assert shuffled.less == "mls"
    assert mine.cells["msr_narrative 50%"][0].mean > 0
    monkeypatch.setattr(measures, "compare", None)
    assert run_experiment(runs, KERNELS).rows == outcome.rows[:2]
    # A system of one's own may be another by now.
    with pytest.raises(TypeError):
        run_experiment(runs, ["mine"])
    assert list(mine.commands.values())[-1][0].startswith("longsum evaluate --data planted")


def test_another_scale_or_recipe_is_scored_again(runs, monkeypatch):
    (column, *_) = runs.experiment.columns
    measures.score_row(runs, "mls", column, 0)
    # What nobody is to judge is not kept.
    assert not (runs.folder / "texts").exists()
    monkeypatch.setattr(measures, "compare", None)
    said = []
    runs = replace(runs, say=said.append)
    assert measures.score_row(runs, "mls", column, 0).ids
    with pytest.raises(TypeError):
        measures.score_row(replace(runs, scale=replace(runs.scale, measured=3)), "mls", column, 0)
    assert said == ["scoring mls on msr_narrative 3.125%"]
    load = experiments_module.load_recipe
    monkeypatch.setattr(
        experiments_module, "load_recipe", lambda name: replace(load(name), title="Another title")
    )
    assert measures.score_row(runs, "mls", column, 0).ids
    monkeypatch.setattr(
        experiments_module, "load_recipe", lambda name: load(name).with_settings({"changed": 1})
    )
    with pytest.raises(TypeError):
        measures.score_row(runs, "mls", column, 0)


def test_a_training_is_done_once_and_resumed_if_interrupted(runs, monkeypatch):
    said, trained, claimed, prepared = [], [], [], []

    class Run:
        def settings_of(self, recipe, overrides):
            return recipe.name, overrides["training"]["seed"]

        def train(self, recipe, settings, folder, **_):
            folder.mkdir(parents=True, exist_ok=True)
            trained.append((recipe.name, settings))
            return {"eval_loss": 0.5}

    monkeypatch.setattr(run_seq2seq, "run_for", lambda _: Run())
    monkeypatch.setattr(training_run, "claim", lambda *given: claimed.append(given))
    monkeypatch.setattr(RowRuns, "prepare", lambda _, training: prepared.append(training))
    runs = replace(
        runs,
        experiment=find_experiment("top-down/table-14"),
        scale=replace(runs.scale, threads=1, checkpoints={}),
        say=said.append,
    )
    training = runs.training("top-down", "pubmed", 3)
    for times in (1, 2, 2):
        assert runs.train(training) == {"eval_loss": 0.5}
        assert trained == [("top-down", ("top-down", 3))] * times
        if times == 2:
            (training.folder / "model.safetensors").touch()
    assert said == ["training top-down-pubmed-seed3"] * 2
    assert claimed == [(training.folder, training.recipe, ("top-down", 3))]
    assert prepared == [training] * 3
    assert torch.get_num_threads() == 1


def test_systems_are_loaded_with_the_models_that_they_need(runs, monkeypatch):
    asked = []
    monkeypatch.setattr(row_runs, "load_system", lambda name, **given: asked.append((name, given)))
    for table, row in (("mls/table-2", "mls"), ("mls/table-2", "graph"), ("hepos/table-7", "bart")):
        runs = replace(runs, experiment=find_experiment(table))
        runs.system(row, runs.columns[0], 0)
    models = runs.folder / "models"
    prototype = str(models / "pointer-generator-finetuned-msr_narrative-seed0")
    assert asked == [
        ("mls", {"prototype": prototype}),
        ("graph", {}),
        (str(models / "bart-govreport-seed0"), {}),
    ]
    own = SimpleNamespace(name="lead", of=[])
    monkeypatch.setattr(row_runs, "load_any_system", lambda name: own.of.append(name) or own)
    experiment, _ = find_experiment("mls/kernels").chosen(["mls", "mine=lead"])
    assert replace(runs, experiment=experiment).system("mine", runs.columns[0], 0) is own
    assert (own.name, own.of) == ("mine", ["lead"])


def test_a_tiny_checkpoint_is_written_once_at_its_expected_place(runs, monkeypatch):
    wrote = []

    def write(name, folder, texts):
        folder.mkdir(parents=True)
        wrote.append((name, folder, len(list(texts))))

    monkeypatch.setattr(tiny_checkpoints, "write_tiny_checkpoint", write)
    training = replace(runs, experiment=find_experiment("hepos/table-7")).training(
        "bart", "govreport", 0
    )
    start = runs.folder / "checkpoints" / "tiny"
    for given in (None, str(runs.folder / "elsewhere" / "tiny"), str(start), str(start)):
        runs.prepare(replace(training, overrides={**training.overrides, "checkpoint": given}))
    assert wrote == [("tiny", start, 60)]


@pytest.mark.parametrize("seed", [0, 3])
def test_trees_of_a_row_are_compared_at_the_length_of_the_answers(tmp_path, monkeypatch, seed):
    table = next(each for each in experiments().values() if each.measure == "trees" and each.study)
    runs = RowRuns(table, find_scale("toy"), tmp_path)
    row, column = next(iter(table.rows)), runs.columns[0]
    ids = [each.id for each in runs.examples(column)]
    tree = SimpleNamespace(to_dict=lambda: {"q": 1})
    monkeypatch.setattr(RowRuns, "train", lambda *_: {})
    monkeypatch.setattr(measures, "load_tree_maker", lambda path: ("maker", path))
    monkeypatch.setattr(measures, "mean_answer_length", lambda given: [each.id for each in given])

    def compared(given, makers, budget, keep):
        assert budget == ids
        folder = runs.folder / "models" / f"{row}-{column.data}-seed{seed}"
        assert makers == {row: ("maker", str(folder))}
        for each in given:
            keep(each, "other", tree)
        return results([7.0])

    monkeypatch.setattr(measures, "compare_trees", compared)
    assert measures.score_row(runs, row, column, seed) == results([7.0])
    kept = (tmp_path / "texts" / f"{row}-{column.data}.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in kept] == [
        {"id": id, "system": row, "summary": {"q": 1}} for id in ids
    ]


def test_metrics_are_given_the_models_that_they_need(runs, monkeypatch):
    loaded = {}
    for kind in (checkers.SpanAnswerer, checkers.ClaimScorer):
        monkeypatch.setattr(kind, "load", staticmethod(partial(loaded.__setitem__, kind.__name__)))
    monkeypatch.setattr(RowRuns, "train", lambda *_: {})
    monkeypatch.setattr(RowRuns, "system", lambda *_: None)
    monkeypatch.setattr(measures, "compare", lambda *_, **__: results([1.0]))
    runs = replace(runs, experiment=find_experiment("hepos/table-7"))
    measures.score_row(runs, "bart", runs.columns[0], 0)
    names = {kind: path.name for kind, path in loaded.items()}
    assert names == {
        "SpanAnswerer": "apes-qa-govreport-seed0",
        "ClaimScorer": "factcc-govreport-seed0",
    }


def test_training_metrics_and_positions_of_salient_content_are_scores(tmp_path, monkeypatch):
    monkeypatch.setattr(RowRuns, "train", lambda *_: {"eval_loss": 0.5})
    found = {}
    for experiment in experiments().values():
        if experiment.measure in ("training", "positions"):
            runs = RowRuns(experiment, find_scale("toy"), tmp_path)
            scored = measures.score_row(runs, next(iter(experiment.rows)), runs.columns[0], 0)
            assert scored.ids == measures.OF_ALL
            found[experiment.measure] = scored.systems[0].scores
    assert found["training"] == {"eval_loss": [50.0]}
    shares = [share for (share,) in found["positions"].values()]
    assert list(found["positions"]) == [str(tenth) for tenth in range(1, 11)]
    assert 0 < shares[0] < shares[-1] == pytest.approx(100)
    assert shares == sorted(shares)


def test_texts_that_a_model_writes_are_scored_against_their_targets(tmp_path, monkeypatch):
    (experiment,) = (each for each in experiments().values() if each.measure == "texts")
    runs = RowRuns(experiment, find_scale("toy"), tmp_path)
    row = next(iter(experiment.rows))
    training = runs.training(row, runs.columns[0].data, 0)
    model = SimpleNamespace(config=SimpleNamespace(decoder_start_token_id=7))
    read = []

    def written(*given, batch):
        read.extend([*given, batch])
        return [("The cat sat on the mat.", "The cat sat on the mat."), ("A dog.", "Owls hunt.")]

    patched = {
        "load_tokenizer": lambda folder: ("tokenizer", folder),
        "load_model": lambda _, folder: model if folder == training.folder else None,
        "reads_sections": lambda config: config is model.config,
        "tokenized_split": lambda _, tokenizer, split, cache: (tokenizer[0], split, cache.data),
        "TrainingDataset": lambda *given, **settings: (*given, settings),
        "outputs_with_targets": written,
    }
    for name, stand_in in patched.items():
        monkeypatch.setattr(written_texts, name, stand_in)
    monkeypatch.setattr(RowRuns, "train", lambda *_: {})
    scored = measures.score_row(runs, row, runs.columns[0], 0)
    (found,) = scored.systems
    assert (found.system, scored.ids, found.words) == (training.name, ["0", "1"], [6, 2])
    assert {*PRINTED_ROUGE, "bleu4"} <= found.scores.keys()
    for same, other in found.scores.values():
        assert other < same == pytest.approx(100)
    settings = run_for("seq2seq").settings_of(training.recipe, training.overrides)
    task = settings.task
    how = {"start": 7, "structure": True, "overflow": task.overflow}
    split = ("tokenizer", runs.split, settings.data)
    assert read == [
        *(model, ("tokenizer", training.folder)),
        *((split, task.source_tokens, how), settings.training.batch),
    ]


def results(scores):
    measured = SystemResult("any")
    for value in scores:
        measured.add({"rouge1": value, "rouge2": value, "rougeLsum": value}, 1, 0.0)
    return Results([str(n) for n in range(len(scores))], Budget(1), ["r"], [measured])


def scored(table, tmp_path, monkeypatch, given, seeds=(0,)):
    """Return the outcome of an experiment whose rows have these scores."""
    runs = RowRuns(find_experiment(table), find_scale("toy"), tmp_path)
    monkeypatch.setattr(
        reproduction, "score_row", lambda _, row, __, seed: results(given[row][seed])
    )
    differs = {"top-down": ("size", 1024, None), "top-down-none": ("rate", 0.1, True)}

    def trained(training):
        found = [("training.steps", 9999, 12), differs.get(training.recipe.name)]
        return Trained(training.name, {"planted": 9}, list(filter(None, found)))

    monkeypatch.setattr(reproduction, "_trained", trained)
    return run_experiment(runs, list(given), seeds=seeds)


def test_a_training_records_its_data_and_its_deviations_from_the_paper(tmp_path, monkeypatch):
    runs = RowRuns(find_experiment("top-down/table-14"), find_scale("toy"), tmp_path)

    def score(runs, row, column, seed):
        for each in runs.trainings(row, column, seed):
            each.folder.mkdir(parents=True, exist_ok=True)
            settings = run_for(each.recipe.kind).settings_of(each.recipe, each.overrides)
            record = {"settings": json.loads(json.dumps(asdict(settings)))}
            (each.folder / "training.yaml").write_text(json.dumps(record), encoding="utf-8")
            learned = [{"name": "planted", "split": "train", "documents": 9}]
            (each.folder / "documents.json").write_text(json.dumps(learned), encoding="utf-8")
        return results([1.0, 2.0])

    monkeypatch.setattr(reproduction, "score_row", score)
    (told,) = run_experiment(runs, ["top-down"]).trainings
    assert (told.name, told.learned) == ("top-down-pubmed", {"planted": 9})
    differs = {name: each for name, *each in told.differs}
    assert differs["training.steps"][1] == 12 < differs["training.steps"][0]
    assert all(papers != ours for papers, ours in differs.values())
    assert not differs.keys() & {"data.names", "data.prepared", "training.seed", "save_every"}


def test_costs_are_those_of_all_trainings_and_seeds(tmp_path, monkeypatch):
    cost = SimpleNamespace(updates=12, seconds=1800.0, memory=2e9, parameters=10**8, device="CPU")

    def estimated(_, settings):
        assert settings.data.prepared is None
        return cost

    monkeypatch.setattr(estimate, "estimate", estimated)
    monkeypatch.setattr(RowRuns, "prepare", lambda *_: None)
    runs = RowRuns(find_experiment("mls/table-2"), find_scale("toy"), tmp_path)
    data, *each, last = cost_lines(runs, ["mls"], 2)
    assert data.startswith("Data: planted (licence: ")
    assert len(each) == 2
    assert each[0] == (
        "pointer-generator-cnn_dailymail-seed0: 12 updates, 30 minutes, 2.00 GB of memory, "
        "2.80 GB of disk"
    )
    assert last.startswith(
        "In all, 2 seeds: 2.0 hours on CPU (2.00 processor hours), at most 2.00 GB of memory, "
        "11.20 GB of disk; "
    )


def test_the_order_of_rows_is_held_to_the_papers(tmp_path, monkeypatch, as_before):
    # Printed are 48.34, 46.97 and 46.30.
    given = {
        "top-down": [[50.0 + n % 2 for n in range(20)]],
        "top-down-none": [[30.0 + n % 2 for n in range(20)]],
        "top-down-window-32": [[40.0 + n % 2 for n in range(20)]],
    }
    outcome = scored("top-down/table-14", tmp_path, monkeypatch, given)
    order = outcome.orders[0]
    assert (order.pairs, order.agree, order.told_apart, order.reversed) == (3, 2, 2, 1)
    as_before("reproduction", to_text(outcome).replace(str(tmp_path), "room"))
    write_outcome(outcome, tmp_path / "files")
    files = {each.name: each.read_text(encoding="utf-8") for each in (tmp_path / "files").iterdir()}
    assert {*files} == {"page.html", "table.md", "result.json", "pubmed.tex", "pubmed.csv"}
    told = json.loads(files["result.json"])
    assert told == json.loads(json.dumps(outcome.to_json()))
    assert told["schema"] == "longsum/reproduction/2"
    assert (told["experiment"], told["title"]) == (
        outcome.experiment.name,
        outcome.experiment.title,
    )
    assert files["table.md"] == to_text(outcome)
    head, rows = score_table(outcome, "pubmed")
    for row in csv.DictReader(files["pubmed.csv"].splitlines()):
        assert float(row["R-1 low"]) <= float(row["R-1"]) <= float(row["R-1 high"])
    assert files["pubmed.tex"] == FORMS[".tex"](head, rows)
    page = files["page.html"]
    assert page.count('<div class="scroll"><table>') == page.count("</table></div>") == 3
    assert page.count('<div class="scroll"><pre>') == page.count("</pre></div>") == 3
    assert f"<title>{outcome.experiment.name}: {outcome.experiment.title}</title>" in page
    assert "<script" not in page
    assert "## Commands for single rows" not in to_text(outcome, commands=False)
    assert to_text(outcome).startswith(to_text(outcome, commands=False))


def test_a_model_is_listed_with_all_its_data_and_the_rows_that_use_it():
    rows = [SimpleNamespace(name=name, trainings=of) for name, of in (("a", "m"), ("b", "mn"))]
    learned = SimpleNamespace(name="m", learned={"x": 1200, "y": 3})
    outcome = SimpleNamespace(rows=rows, trainings=[learned])
    assert learned_table(outcome)[1] == [["m", "1,200 of x, 3 of y", "a, b"]]


def test_seeds_are_averaged_with_their_deviation(tmp_path, monkeypatch):
    given = {"top-down": [[10.0, 20.0, math.nan], [20.0, 30.0, math.nan]]}
    outcome = scored("top-down/table-14", tmp_path, monkeypatch, given, seeds=(0, 1))
    cell = outcome.rows[0].cells["pubmed"][0]
    assert cell.mean == 20.0
    # Means of 15 and 25.
    assert cell.deviation == pytest.approx(50**0.5)
    assert (cell.low, cell.high) == (15.0, 25.0)
    assert not any(order.pairs for order in outcome.orders)


def test_differences_are_of_the_row_that_the_paper_subtracts(tmp_path, monkeypatch):
    values = reproduction._values
    monkeypatch.setattr(
        reproduction,
        "_values",
        lambda found, _, base=None: values(found, "rouge1", base),
    )
    # However far documents lie apart, the interval is that of their differences.
    given = {"hibrids-enc": [[30.0, 60.0]], "hibrids-enc-no-level": [[28.0, 59.0]]}
    outcome = scored("hibrids/table-4", tmp_path, monkeypatch, given)
    cell = outcome.rows[1].cells["govreport_qs"][0]
    assert (cell.mean, cell.low, cell.high, cell.printed) == (-1.5, -2.0, -1.0, -0.5)
    _, rows = score_table(outcome, "govreport_qs")
    assert rows[1][0] == "hibrids-enc-no-level less hibrids-enc"
    assert rows[1][1:3] == ["-1.50 [-2.00, -1.00]", "-0.50"]
    # Seeds are paired, so that what they do to both rows is no deviation of the difference.
    given = {
        "hibrids-enc": [[30.0, 60.0], [50.0, 80.0]],
        "hibrids-enc-no-level": [[28.0, 59.0], [46.0, 75.0]],
    }
    outcome = scored("hibrids/table-4", tmp_path, monkeypatch, given, seeds=(0, 1))
    cell = outcome.rows[1].cells["govreport_qs"][0]
    # Means of -1.5 and -4.5.
    assert (cell.mean, cell.deviation) == (-3.0, pytest.approx(4.5**0.5))


ROWS = {
    "hepos/table-5": ["dancer"],
    "hepos/table-3": ["hepos", "sinkhorn-linformer-cross"],
    "hibrids/table-1": ["hibrids-enc"],
    "hibrids/table-2": ["hibrids-dec"],
    "stepwise/table-1": ["oracle", "stepwise-etcsum", "bertsum-triblk"],
    "top-down/table-3": ["top-down-adapool"],
    "top-down/table-4": ["extract-then-abstract"],
    "top-down/table-6": ["top-down"],
}
"""What is run of tables whose first row shows less than others."""
EVERY = [(name, ROWS.get(name, list(each.rows)[:1])) for name, each in experiments().items()]


@pytest.fixture(scope="module")
def games_once():
    """Convert each game to a document once, for whichever table comes first."""
    make, known = games.example_of, {}

    def example_of(info, game, id, split):
        if (info.name, id) not in known:
            known[info.name, id] = make(info, game, id, split)
        return known[info.name, id]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "example_of", example_of)
        yield


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return a folder in which several tables find the models that the first of them trains."""
    return tmp_path_factory.mktemp("trained")


@pytest.mark.slow
@pytest.mark.usefixtures("games_once")
@pytest.mark.parametrize(("name", "rows"), EVERY, ids=lambda each: str(each))
def test_every_table_runs_through_at_toy_size(name, rows, trained):
    for other in trained.glob("*"):
        if other.name not in ("models", "checkpoints", "prepared"):
            other.unlink() if other.is_file() else shutil.rmtree(other)
    experiment, toy = find_experiment(name), find_scale("toy")
    # What the models have learned is not looked at.
    least = replace(toy, train=12, measured=2, training={**toy.training, "steps": 2, "batch": 2})
    runs = RowRuns(experiment, least, trained)
    outcome = run_experiment(runs, rows)
    rows = list(
        dict.fromkeys(each for row in rows for each in (experiment.row(row).less or row, row))
    )
    assert [row.name for row in outcome.rows] == rows
    for row in outcome.rows:
        for column in runs.columns:
            cells = row.cells[column.name]
            assert {cell.score for cell in cells} == set(experiment.scores)
            # What only people say is not scored, but what they are to judge is written.
            judged = experiment.study is not None
            assert all((cell.mean is None) is judged for cell in cells)
            texts = runs.folder / "texts" / f"{row.name}-{column.data}.jsonl"
            assert texts.is_file() is judged
        for training in runs.trainings(row.name, experiment.columns[0], 0):
            assert (training.folder / "README.md").is_file()
    # Every training that leads to a row is told of, as it was recorded.
    told = {each.name: each for each in outcome.trainings}
    assert set(told) == {name for row in outcome.rows for name in row.trainings}
    for row in outcome.rows:
        for column in runs.columns:
            for training in runs.trainings(row.name, column, 0):
                assert training.name in row.trainings
                assert told[training.name].learned == learned_from(training.folder)
    shown = {setting for each in told.values() for setting, _, _ in each.differs}
    assert not shown or "training.steps" in shown
    assert re.search(r"Scale toy: planted(_games)? in place of", to_text(outcome))
    # What was done is read again, the same.
    assert run_experiment(runs, rows) == outcome
