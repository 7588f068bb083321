import json
from functools import partial

import pytest
import torch

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes

SIZES = {
    "vocab_size": 61,
    **tiny_sizes(16, (2, 4), 8, positions=16),
}
PARTS = ("sections", "average", "heads")


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    def save(**settings):
        torch.manual_seed(0)
        folder = tmp_path_factory.mktemp("model")
        made = LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**SIZES, **settings))
        made.save_pretrained(folder)
        return folder

    return save


@pytest.fixture(scope="module")
def model(make):
    return make(encoder_bias={"path_reach": 8}, decoder_bias={"kind": "hibrids_selected"})


@pytest.fixture(scope="module")
def plain(make):
    """A model without biases."""
    return make()


@pytest.fixture
def run(run):
    return partial(run, "biases")


def table(model, name):
    from safetensors.torch import load_file

    return load_file(model / "model.safetensors")[name].double()


def test_numbers_are_those_of_the_tables(run, model):
    found = json.loads(run(model, "--format", "json")[1])
    encoder, decoder = found["biases"]
    assert found["model"] == model.name
    assert (encoder["layers"], decoder["layers"]) == ([1, 2], [2])
    weights = table(model, "model.encoder.layers.1.self_attn.bias.table")
    same = encoder["labels"].index({"path_length": 0, "level_difference": 0})
    assert encoder["values"][1][0][same] == pytest.approx(weights[0, 0].item(), abs=1e-8)
    # The longest paths are in the numbers, though no chart shows them.
    assert {"path_length": 8, "level_difference": 8} in encoder["labels"]
    of_children = table(model, "model.decoder.section_bias.table")[1].mean().item()
    labels = [section["label"] for section in decoder["sections"]]
    assert labels == ["1", "1.1", "1.1.1", "1.2", "2", "2.1"]
    assert decoder["section_average"][0][1] == pytest.approx(of_children, abs=1e-8)
    assert decoder["section_average"][0][5] is None


def test_one_layer_and_head(run, model):
    found = json.loads(run(model, "-f", "json", "--layer", 1, "--head", 2)[1])
    (encoder,) = found["biases"]
    assert (encoder["side"], encoder["layers"], encoder["heads"]) == ("encoder", [1], ["head 2"])
    weights = table(model, "model.encoder.layers.0.self_attn.bias.table")
    assert encoder["section_average"][3][3] == pytest.approx(weights[0, 1].item(), abs=1e-8)
    assert "heads" not in run(model, "--layer", 1, "--head", 2)[1].partition("</style>")[2]


def test_the_sections_of_a_document(run, model, example_path, example, tmp_path):
    found = json.loads(run(model, example_path, "-f", "json")[1])
    assert [section["title"] for section in found["biases"][0]["sections"]] == [
        section.title for section in example.walk()
    ]
    assert example.title in run(model, example_path)[1]
    # Of one section too.
    path = tmp_path / "one.txt"
    path.write_text("Rivers run to the sea. They carry water.")
    found = json.loads(run(model, path, "-f", "json")[1])
    assert len(found["biases"][0]["section_average"]) == 1
    assert run(model, path)[0] == 0


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("html", ["biases.html"]),
        ("png", [f"{side}-{part}.png" for side in ("encoder", "decoder") for part in PARTS]),
    ],
)
def test_figures_are_written_into_a_folder_and_overwrite_nothing(run, model, tmp_path, form, names):
    pytest.importorskip("matplotlib")
    (tmp_path / names[0]).write_text("precious")
    status, out, err = run(model, "-f", form, "-o", tmp_path)
    assert (status, out) == (2, "")
    assert "add --force" in err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]
    assert run(model, "-f", form, "-o", tmp_path, "--force") == (0, "", "")
    assert {path.name for path in tmp_path.iterdir()} == {*names}
    opening = b"\x89PNG" if form == "png" else b"<!"
    assert all(path.read_bytes().startswith(opening) for path in tmp_path.iterdir())


def test_errors_that_users_can_correct(refused, model, plain, tmp_path):
    (tmp_path / "file").write_text("mine")
    for words, says in (
        ([plain, "-o", tmp_path / "new"], "learned no biases"),
        ([tmp_path / "file" / "no"], "no folder"),
        ([tmp_path], "no readable config.json"),
        ([model, "--layer", 3], "encoder, layers 1–2, heads 1–2; decoder, layer 2, heads 1–4"),
        ([model, "--head", 5], "no biases for this layer and head"),
        ([model, tmp_path / "none.txt"], "none.txt"),
        ([model, "-f", "png"], "give a folder for them"),
        ([model, "--read-limit", "size=1GB"], "--read-limit needs a DOCUMENT"),
        ([model, "-o", tmp_path / "file"], "is a file"),
        ([model, "-o", tmp_path / "no" / "where"], "does not exist; make it"),
    ):
        refused(says, *words)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
