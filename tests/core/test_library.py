import subprocess
import sys
from pathlib import Path

import pytest

import longsum
from longsum.documents import Document

TEXT = (
    "The river feeds the fields of the valley.\nDams hold its water back in spring, and engineers "
    "built many of them. Trout live in it.\n"
)


pytestmark = pytest.mark.usefixtures("empty_cache")


def lead(document, length="9w", **options):
    return longsum.summarize(document, length, "lead", **options)


class TestTheModule:
    def test_dir_lists_exactly_the_public_names(self):
        shown = {name for name in dir(longsum) if not name.startswith("_")}
        code = "import longsum; print(*(n for n in dir(longsum) if not n.startswith('_')))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        # Imported with the package: what makes the models known to `transformers`, turns telemetry
        # off, takes note of what shows a result and of Ctrl-C.
        first = set(done.stdout.decode().split()) - {"common", "models"}
        assert first == set(longsum.__all__) - {"__version__"}
        assert shown >= set(longsum.__all__) - {"__version__"}


class TestWhatADocumentMayBe:
    def test_text_is_text(self):
        for length in ("9w", 9, longsum.Budget(9)):
            assert str(lead(TEXT, length)) == "The river feeds the fields of the valley."

    def test_a_text_has_its_format_found_by_content(self):
        found = lead("<html><body><h1>Rivers</h1><p>The river feeds the fields.</p></body></html>")
        assert found.document.title == "Rivers"

    def test_a_path_is_read_as_a_file_but_a_string_is_always_text(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("notes").write_text("A secret that no text may fetch stands here.", encoding="utf-8")
        assert "secret" in str(lead(Path("notes")))
        with pytest.raises(longsum.LongsumError, match=r"'notes' is the name of a file.*Path"):
            lead("notes")
        assert str(lead("notes\n")) == "notes"


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "error", "says"),
        [
            ({"lenght": 250}, TypeError, "no option 'lenght'.*Did you mean 'length'?"),
            ({"model": "x"}, TypeError, "it takes document, length, system, focus, seed"),
            ({"length": 0.1}, longsum.LongsumError, "'10%'"),
            ({"length": None}, TypeError, "not NoneType"),
            ({"focus": " "}, longsum.LongsumError, "focus is empty"),
            ({"focus": ["dams"]}, TypeError, "a focus is a text, not list"),
            ({"seed": -1}, longsum.LongsumError, "seed is '-1'"),
            ({"seed": 2**32}, longsum.LongsumError, "from 0 to 4294967295"),
            ({"seed": "1"}, TypeError, "integer"),
            ({"fill": "all"}, longsum.LongsumError, "no fill 'all'; choose sensible or strict"),
            ({"system": "stepwize"}, longsum.LongsumError, "Did you mean 'stepwise'?"),
            ({"system": "hepos"}, longsum.LongsumError, "trained first.*hepos -o FOLDER'.*--model"),
            ({"system": ""}, longsum.LongsumError, "no system ''"),
            ({"system": "a\0b"}, longsum.LongsumError, "no system"),
            ({"system": Path("nowhere")}, longsum.LongsumError, "no folder 'nowhere'"),
            ({"system": Path("no/where")}, longsum.LongsumError, "no folder 'no/where'"),
            ({"system": None}, TypeError, "not NoneType"),
            ({"system": 3}, TypeError, "not int"),
            ({"system": Document}, TypeError, "the class Document"),
        ],
    )
    def test_mistakes(self, options, error, says):
        with pytest.raises(error, match=says) as found:
            longsum.summarize(TEXT, **{"system": "kernels", **options})
        assert "\n" not in str(found.value)

    def test_options_of_a_users_own_summarizer(self):
        asked = []

        class Own:
            name = "own"

            def summarize(self, document, budget, *, focus=None, seed=0):
                asked.append((budget, focus, seed))
                return longsum.load_system("lead").summarize(document, budget)

        assert longsum.summarize(TEXT, 9, Own(), focus="dams", seed=3).words == 8
        assert asked == [(longsum.Budget(9), "dams", 3)]
        for options, says in (
            ({"fill": "strict"}, "leave out fill"),
            ({"shorten": True}, "shorten"),
        ):
            with pytest.raises(longsum.LongsumError, match=f"'own' .*{says}"):
                longsum.summarize(TEXT, 9, Own(), **options)

    def test_a_value_that_is_neither_a_system_nor_a_model_folder_is_refused(self, tmp_path):
        with pytest.raises(longsum.LongsumError) as found:
            longsum.summarize(TEXT, system="x" * 10**6)
        assert len(str(found.value)) < 200
        for system in (tmp_path, str(tmp_path)):
            with pytest.raises(longsum.LongsumError, match="holds no model"):
                longsum.summarize(TEXT, system=system)

    def test_a_system_object_can_be_passed(self):
        system = longsum.load_system("lead")
        assert longsum.summarize(TEXT, 9, system).words == 8
        with pytest.raises(TypeError, match=r"takes a Budget, not str; Budget\.parse"):
            system.summarize(longsum.read_bytes(TEXT.encode()), "9w")
        with pytest.raises(TypeError, match=r"summarizes what longsum\.read returns, not str"):
            system.summarize(TEXT, longsum.Budget(9))


def test_descriptions_are_a_short_line():
    document = longsum.read_bytes(
        b"# " + b"Heading " * 500 + b"\n\n" + b"A word of a sentence, " * 2000 + b"and an end.\n"
    )
    summary = longsum.summarize(document, "100%", "lead")
    ladder = longsum.load_system("lead").at_lengths(
        document, [longsum.Budget(9), longsum.Budget(99)]
    )
    shown = [
        *(document, document.sections[0], document.sentences[0], summary, summary.sentences[0]),
        *(summary.coverage, summary.importance, ladder),
    ]
    for each in shown:
        assert repr(each).startswith(f"<{type(each).__name__}")
        assert len(repr(each)) < 200
        assert "\n" not in repr(each)
    assert " sentences in 1 section>" in repr(document)
    assert "by lead: " in repr(summary)
    assert " words of at most 100%>" in repr(summary)
    assert "9w, 99w" in repr(ladder)
