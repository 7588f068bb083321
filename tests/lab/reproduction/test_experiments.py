"""The registry of experiments, checked against the recipes and the papers' figures."""

import re
import shlex
from collections import defaultdict
from dataclasses import asdict
from functools import cache
from math import prod
from pathlib import Path
from types import SimpleNamespace

import pytest

from every_recipe import RECIPES
from longsum.common.errors import LongsumError
from longsum.common.registry import find
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import Recipe, merged
from longsum.evaluation.datasets import dataset_info
from longsum.lab.reproduction.experiments import Column, experiments, find_experiment
from longsum.lab.reproduction.measures import commands
from longsum.lab.reproduction.needs import check_data, needed
from longsum.lab.reproduction.reproduction_page import score_table
from longsum.lab.reproduction.row_runs import RowRuns, flat
from longsum.lab.reproduction.scales import Scale, find_scale

EXPERIMENTS = experiments()
TOYS = [(name, "toy") for name in ("hepos/table-5", "mls/table-2", "stepwise/table-2")]
PAPERS = {
    "HEPOS": "hepos",
    "HIBRIDS": "hibrids",
    "MLS": "mls",
    "Stepwise": "stepwise",
    "Top-down": "top-down",
}
NAMED = re.compile(r"(HEPOS|HIBRIDS|MLS|Stepwise|Top-down) \([^)]*\)([^;]*)")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_rows_are_systems_and_columns_data_sets(name):
    experiment = EXPERIMENTS[name]
    for data in experiment.data:
        assert dataset_info(data).name == data
    for row in experiment.rows:
        if experiment.measure != "positions":
            assert experiment.recipe(row).title
        assert experiment.row(row).less in (None, *experiment.rows)
        assert row not in experiment.helpers
        for column in experiment.columns:
            assert set(experiment.printed(row, column)) <= set(experiment.scores)


def test_the_length_of_summaries_is_described():
    names = ("hepos/table-5", "mls/table-2", "stepwise/table-1", "hibrids/table-1")
    assert [EXPERIMENTS[name].length_phrase for name in names] == [
        *("the mean length of the references", "the length of the column"),
        *("what `--length 3s` allows", None),
    ]


@pytest.mark.parametrize(
    ("name", "column", "row"),
    [
        ("stepwise/table-3", "rotowire", ["Gold", "", "-0.09", "", "-0.03"]),
        ("stepwise/table-1", "cnn_dailymail", ["Latent", "", "41.05", "", "18.77", "", "37.54"]),
        ("top-down/table-4", "summscreen_fd", ["Longformer", "", "25.90", "", "4.20", "", "23.80"]),
    ],
)
def test_systems_without_a_recipe_have_their_printed_scores(name, column, row):
    outcome = SimpleNamespace(experiment=EXPERIMENTS[name], rows=[])
    assert [cell or "–" for cell in row] in score_table(outcome, column)[1]
    here = {EXPERIMENTS[name].row(each).quoted for each in EXPERIMENTS[name].rows}
    assert here.isdisjoint(EXPERIMENTS[name].quotations())


def test_data_that_are_missing_are_named_with_their_source(monkeypatch):
    monkeypatch.delenv("LONGSUM_DATA", raising=False)
    runs = RowRuns(EXPERIMENTS["top-down/table-14"], find_scale("paper"), Path("room"))
    with pytest.raises(LongsumError, match=r"are missing\. pubmed \(from .+, licence: .+\): "):
        check_data(runs, ["top-down"])


def test_substitutes_of_data_sets_can_be_trained_on_and_measured():
    small = find_scale("small")
    for instead in small.data.values():
        assert {"train", small.split} <= set(dataset_info(instead).splits), instead


def tables_of(paper: str) -> dict[str, list[int]]:
    """Return the tables that a recipe says it is in, by paper."""
    found = defaultdict(list)
    for name, rest in NAMED.findall(paper):
        for numbers in re.findall(r"Tables? (\d+(?:(?:, | and | to )\d+)*)", rest):
            parts = [int(each) for each in re.findall(r"\d+", numbers)]
            found[PAPERS[name]] += range(parts[0], parts[1] + 1) if " to " in numbers else parts
    return found


def test_a_recipe_that_names_a_table_is_a_row_of_it():
    listed = defaultdict(set)
    for name, experiment in EXPERIMENTS.items():
        table = re.match(r"([\w-]+)/table-(\d+)", name)
        if table:
            listed[table[1], int(table[2])] |= {
                experiment.row(row).recipe or row for row in experiment.rows
            }
    for recipe in RECIPES:
        for paper, tables in tables_of(recipe.paper).items():
            for table in tables:
                assert recipe.name in listed[paper, table], (paper, table)


def test_printed_scores_are_the_recipes_and_the_tables():
    table = find_experiment("hibrids/table-1")
    assert table.printed("longformer", Column("govreport_qs")) == {
        **{"rouge1": 42.34, "rouge2": 16.18, "rougeLsum": 37.6},
        **{"hierarchy_f1_released": 12.67, "question_bleu4": 10.0},
    }
    lengths = find_experiment("mls/table-2")
    assert lengths.printed("mls", Column("msr_narrative", "50%"))["rouge2"] == 36.7
    news = find_experiment("stepwise/table-1")
    assert news.printed("lead", news.columns[0])["rouge1"] == 40.42
    assert "Lead, 3 sentences" not in news.quotations()
    assert news.quotations()["HSG"]["cnn_dailymail"]["rouge2"] == 19.51


def test_an_unknown_experiment_is_refused():
    with pytest.raises(LongsumError, match="'longsum reproduce' lists them"):
        find_experiment("hibrids/table-11")
    with pytest.raises(LongsumError, match="choose from toy, small, paper"):
        find_scale("huge")


@cache
def subcommand(name: str):
    return find("commands", name).build(name)


@cache
def read_command(command: str) -> None:
    """Parse the arguments of a command; many rows have the same."""
    _, name, *arguments = shlex.split(command)
    subcommand(name).make_context(name, arguments)


@pytest.mark.parametrize("scale", ["toy", "small", "paper"])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_settings_of_every_row_fit_at_every_scale(name, scale):
    from longsum.models.training.run_seq2seq import run_for

    experiment, size = EXPERIMENTS[name], find_scale(scale)
    runs = RowRuns(experiment, size, Path("room"))
    for row in experiment.rows:
        for column in {experiment.columns[0], experiment.columns[-1]}:
            made = [*commands(runs, row, column, 1)]
            # Trained and then scored; a model that only measures itself is asked to do both.
            assert not made[-1].startswith("longsum train")
            for command in made:
                read_command(command)
            for training in runs.trainings(row, column, 1):
                settings = run_for(training.recipe.kind).settings_of(
                    training.recipe, training.overrides
                )
                assert settings.training.seed == 1
                if scale == "toy":
                    assert settings.training.steps <= 12
                    assert settings.data.names in ("planted", "planted_games")


def test_the_commands_of_rows_are_the_same_as_before(as_before):
    lines = {}
    for name, scale in [*((each, "paper") for each in EXPERIMENTS), *TOYS]:
        runs = RowRuns(EXPERIMENTS[name], find_scale(scale), Path("room"))
        for row in EXPERIMENTS[name].rows:
            lines |= dict.fromkeys(commands(runs, row, runs.columns[-1], 1))
    as_before("reproduction-commands", "\n".join([*lines, ""]))


def test_rows_of_ones_own_are_added_to_tables_of_summaries():
    experiment, rows = find_experiment("top-down/table-14").chosen(["top-down", "mine=lead"])
    assert rows == ["top-down", "mine"]
    assert (experiment.title_of("mine"), experiment.printed("mine", Column("pubmed"))) == (
        "lead",
        {},
    )
    with pytest.raises(LongsumError, match="'mine' cannot be added: this experiment measures no"):
        find_experiment("hibrids/table-1").chosen(["mine=lead"])
    with pytest.raises(LongsumError, match="has a row 'top-down'; give yours another name"):
        find_experiment("top-down/table-14").chosen(["top-down=lead"])
    with pytest.raises(LongsumError, match="no row 'topdown'; choose from top-down,"):
        find_experiment("top-down/table-14").chosen(["topdown"])


def test_a_substitute_of_several_sets_replaces_each_of_them():
    runs = RowRuns(EXPERIMENTS["stepwise/table-1"], find_scale("small"), Path("room"))
    (helper, _) = runs.trainings("etcsum", Column("cnn_dailymail"), 0)
    recipe = load_recipe("etc-pretraining").settings["data"]["names"]
    assert helper.papers["data"]["names"] == recipe
    assert helper.overrides["data"]["names"] == "bbc_news_summary+pmc_jats+sumpubmed"
    assert set(needed(runs, ["etcsum"])) == {"bbc_news_summary", "pmc_jats", "sumpubmed"}


def test_own_data_stand_for_all_that_is_learned_from_and_measured(tmp_path):
    own = tmp_path / "own.jsonl"
    own.write_text('{"id": "a", "text": "It rained.", "summary": "Rain."}\n', encoding="utf-8")
    for data, split in ((str(own), "test"), ("planted", "validation")):
        runs = RowRuns(EXPERIMENTS["top-down/table-14"], find_scale("toy"), tmp_path, data)
        assert (runs.split, runs.stands_for("pubmed")) == (split, data)
        assert runs.training("top-down", "pubmed", 0).overrides["data"]["names"] == data


def test_settings_of_an_experiment_are_no_larger_than_the_scale_allows():
    scale = Scale("s", most={"size": 4, "tokens": 9}, layers=1, training={"steps": 2})
    recipe = Recipe("r", "", "", "seq2seq", {"model": {"size": 8, "tokens": 8, "depth": 7}})
    given = {
        "model": {"size": 16, "tokens": 12, "kinds": [{"size": 5, "kind": "full"}, {"size": 5}]}
    }
    found = scale.overrides(recipe, "d", given, Path())
    assert found["model"] == {"size": 4, "tokens": 9, "kinds": [{"size": 4, "kind": "full"}]}
    assert found["training"] == {"steps": 2}


def test_the_page_of_a_paper_opens_with_its_tables():
    for name in EXPERIMENTS:
        stem = name.partition("/")[0].replace("-", "_")
        page = Path(__file__).parents[3] / "docs" / "papers" / f"{stem}.md"
        assert f"`{name}`" in page.read_text(encoding="utf-8").partition("## Where each part")[0]


def told_sizes():
    """Return the rows of the table of planners: a setting, and its value for each planner."""
    page = Path(__file__).parents[3] / "docs" / "papers" / "stepwise.md"
    text = page.read_text(encoding="utf-8").partition("## Planners at the paper's size")[2]
    table = text.partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    weights = re.search(r"weights \| (\d+) \| (\d+)", table)
    cells = [[cell.strip().replace("`", "") for cell in row[:3]] for row in rows]
    return cells, [int(each) for each in weights.groups()]


@pytest.mark.parametrize("place", [0, 1], ids=["hibert", "etcsum"])
def test_planners_are_as_large_as_the_papers(place):
    import torch

    from longsum.core.encoder.extractor_settings import read_settings
    from longsum.models.networks.extractive.extractor_files import build
    from longsum.models.training.run_seq2seq import run_for

    row = ("stepwise-hibert-planner", "stepwise-etcsum-planner")[place]
    rows, weights = told_sizes()
    for table in ("stepwise/table-2", "stepwise/table-3", "stepwise/table-6"):
        runs = RowRuns(EXPERIMENTS[table], find_scale("paper"), Path("room"))
        *helpers, training = runs.trainings(row, Column("rotowire"), 0)
        settings = run_for("planning").settings_of(training.recipe, training.overrides)
        held = dict(flat(asdict(settings)))
        for name, *cells in rows:
            if cells[place]:
                value = (
                    prod(held[each] for each in name.split(" × ")) if "×" in name else held[name]
                )
                assert cells[place] == (
                    f"{value:f}".rstrip("0") if isinstance(value, float) else str(value)
                ), name
        assert settings.data.names == "rotowire"
        assert settings.data.limit is None
        assert "realizer" in [each.folder.name.partition("-")[0] for each in helpers]
    vocabulary = {"vocabulary": (50265, 30522)[place]}
    sizes = vocabulary if place else {"sentence_encoder": vocabulary}
    with torch.device("meta"):
        model = build(
            settings.architecture,
            read_settings(settings.architecture, merged(sizes, settings.model)),
        )
    found = sum(each.numel() for each in model.parameters())
    assert found == pytest.approx(weights[place], rel=0.001)
