"""A model's folder and the same options give the same summary through every interface."""

import json
import lzma
from pathlib import Path

import pytest

import longsum
from longsum.core.pipeline import Options, SystemOptions, prepare
from longsum.core.summaries import Budget
from longsum.core.systems.system import System
from longsum.documents.document_json import document_to_json
from longsum.evaluation.datasets import load


@pytest.fixture
def data(brief, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data set of one document with sections."""
    monkeypatch.setenv("LONGSUM_DATA", str(tmp_path / "data"))
    folder = tmp_path / "data" / "pmc_jats"
    folder.mkdir(parents=True)
    texts = [sentence.text for sentence in brief.sentences[:18]]
    sections = [
        {"level": 1, "title": f"Part {number}", "paragraphs": [" ".join(texts[start : start + 6])]}
        for number, start in enumerate(range(0, len(texts), 6))
    ]
    record = {"id": "a/1", "title": "Mining", "sections": sections, "summary": "It takes power."}
    text = json.dumps(record | {"license": "cc-by-4.0"})
    (folder / "val.jsonl.xz").write_bytes(lzma.compress(f"{text}\n".encode()))
    return tmp_path


def without_timings(text: str) -> bytes:
    found = json.loads(text)
    # The language is what the reader of a file finds; a data set leaves it open.
    del found["timings"], found["document"]["language"]
    return json.dumps(found, ensure_ascii=False).encode()


@pytest.mark.slow
@pytest.mark.parametrize("as_written", [False, True])
@pytest.mark.parametrize("kind", ["encoder–decoder", "pointer-generator", "recipe"])
def test_every_door_gives_the_same_bytes(run, data, folder, pointer, kind, as_written) -> None:
    if kind == "recipe" and as_written:
        pytest.skip("nobody writes")
    named = {"encoder–decoder": folder, "pointer-generator": pointer, "recipe": Path("kernels")}
    system, written = str(named[kind]), ["--as-written"] if as_written else []
    (example,) = load("pmc_jats", "validation")
    path = data / "document.json"
    path.write_text(json.dumps(document_to_json(example.document)), encoding="utf-8")

    made = longsum.summarize(longsum.read(path), "25w", system, as_written=as_written)
    option = "--system" if kind == "recipe" else "--model"
    levels = ["--levels"] if made.levels else []
    status, out, _ = run(
        "summarize", path, option, system, "-l", "25w", "-f", "json", *levels, *written
    )
    assert status == 0
    kept = data / "summaries.jsonl"
    status, _, err = run(
        *("evaluate", "--data", "pmc_jats", "-s", system, "-l", "25w"),
        *("--summaries", kept, *written),
    )
    assert status == 0, err
    (line,) = kept.read_text(encoding="utf-8").splitlines()
    found = json.loads(line)
    assert (found["id"], found["system"]) == ("a/1", made.system)
    doors = [json.dumps(made.to_dict()), out, json.dumps(found["summary"])]
    assert len({without_timings(door) for door in doors}) == 1
    assert bool(made.levels) is (kind != "recipe")
    if kind != "recipe" and not as_written:
        assert made.words > 15


def test_systems_are_prepared_as_they_declare(folder: Path, pointer: Path, brief) -> None:
    def prepared(system: System, **options) -> str:
        return type(prepare(system, brief, Options(**options))).__name__

    writer, own = (SystemOptions(model=str(path)).load() for path in (folder, pointer))
    extractor = longsum.load_system("kernels")
    assert (writer.writes, own.writes, extractor.writes) == (True, True, False)
    assert (writer.own_length, own.own_length) == (None, Budget(40))
    assert (extractor.nests, writer.nests) == (True, False)
    assert prepared(extractor) == "Kernels"
    assert prepared(writer) == "Completed"
    assert prepared(own) == "LengthControlled"
    assert prepared(writer, as_written=True) == "RecursiveSummarizer"
    assert prepared(writer, as_written=True, at_once=True) == "AbstractiveSummarizer"
