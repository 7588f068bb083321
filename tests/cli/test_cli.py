"""The program from the user's side: exit status, streams, files."""

import atexit
import gc
import json
import os
import subprocess
import sys

import pytest

from longsum import __version__
from longsum.documents.readers import read


def test_version(run):
    assert run("--version") == (0, f"longsum {__version__}\n", "")
    # What a terminal cannot show ends nothing.
    assert (sys.stdout.errors, sys.stderr.errors) == ("replace", "replace")


@pytest.mark.parametrize(
    ("name", "given", "opens"),
    [
        *(("a.HTML", (), "<!d"), ("a.json", (), "{"), ("a.md", (), "# S"), ("a.csv", (), "Crypto")),
        ("a.json", ("-f", "text"), "Crypto"),
    ],
)
def test_the_suffix_determines_the_format_if_none_is_given(
    run, opening_path, tmp_path, name, given, opens
):
    target = tmp_path / name
    assert run("summarize", opening_path, "-l", "50w", *given, "-o", target)[:2] == (0, "")
    written = target.read_text(encoding="utf-8")
    assert written.startswith(opens)
    assert len(written.split()) >= 40
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_the_document_file_reads_back_and_gives_the_same_summary(run, opening_path, tmp_path):
    target = tmp_path / "doc.json"
    assert run("read", opening_path, "-o", target)[0] == 0
    assert read(target) == read(opening_path)
    first, second = (
        json.loads(run("summarize", source, "-l", "auto", "--fill", "strict", "-f", "json")[1])
        for source in (opening_path, target)
    )
    first.pop("timings"), second.pop("timings")
    assert first == second
    assert (first["settings"]["fill"], first["budget"]["automatic"]) == ("strict", True)


def test_standard_input(run):
    text = b"# A\n\nThe river feeds the fields of the valley. It is long.\n\n# B\n\nMore on dams."
    summary = "The river feeds the fields of the valley.\n"
    assert run("summarize", "-", "-l", "9w", stdin=text) == (0, summary, "")


def test_systems_lists_every_recipe(run):
    rows = json.loads(run("systems", "--format", "json")[1])
    assert {"kernels", "mls", "graph", "systematic", "lead", "oracle"} <= {r["name"] for r in rows}
    fields = {"name", "title", "paper", "recipe", "state", "needs", "tasks"}
    assert all(set(row) == fields for row in rows)
    ready, trained, compared, _, *tables = run("systems")[1].split("\n\n")[1::2]
    by_state = {"ready": ready, "train first": trained, "evaluation only": compared}
    assert all(f"  {row['name']} " in "".join(tables) for row in rows if row["recipe"] is None)
    for row in (row for row in rows if row["recipe"] is not None):
        named = f"  {row['name']} "
        assert [state for state, text in by_state.items() if named in text] == [row["state"]]
    assert "stepwise (default)" in ready
    tasks = {row["name"]: row["tasks"] for row in rows}
    assert (list(tasks["hibrids-enc"]), tasks["hepos"]) == (["QSGen-Hier", "QSGen-ChildQ"], {})
    told = run("systems")[1].rpartition("Other tasks")[2]
    assert "QSGen-Hier    data=govreport_qs\n" in told
    assert "QSGen-ChildQ  data=govreport_qs task.kind=child_questions" in told


def test_systems_lists_what_to_install_for_each(run):
    needed = {row["name"]: row["needs"] for row in json.loads(run("systems", "-f", "json")[1])}
    assert needed["stepwise"] == {"to_train": None, "to_run": None}
    assert needed["hepos"] == {"to_train": "longsum[train]", "to_run": "longsum[models]"}
    heads = [part.splitlines()[-1] for part in run("systems")[1].split("\n\n")[::2]]
    assert heads == [
        "(nothing else to install)",
        "(pip install 'longsum[train]' to train, 'longsum[models]' to run)",
        "(nothing else to install)",
        "Other tasks: longsum train NAME -o FOLDER, and",
        "(nothing else to install)",
        "(pip install 'longsum[models]' to run)",
        "(nothing else to install)",
        "(nothing else to install)",
        "(pip install 'longsum[models]' to run)",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["systems"], ["name", "title", "paper"]),
        (["systems", "--published"], ["data", "system", "source"]),
        (["data"], ["name", "description", "license"]),
    ],
)
def test_lists_fit_a_terminal_and_leave_no_word_out(run, arguments, told):
    listed = run(*arguments)[1]
    assert max(map(len, listed.splitlines())) <= 100
    shown = set(listed.replace(";", " ").split())
    for row in json.loads(run(*arguments, "--format", "json")[1]):
        words = " ".join(row[field] for field in told).replace(";", " ").split()
        assert set(words) <= shown


def test_agreement_of_ratings(run, tmp_path):
    table = tmp_path / "ratings.csv"
    rows = zip("abcdefghij", "0100000010", "1110010000", strict=True)
    table.write_text("\n".join(["unit,ann,ben", *map(",".join, rows)]))
    status, out, _ = run("agreement", table)
    assert status == 0
    assert out.startswith("Krippendorff's alpha (nominal), 20 ratings of 10 units: 0.095 [")
    found = json.loads(run("agreement", table, "--level", "interval", "--format", "json")[1])
    assert found["alpha"] == pytest.approx(0.0952, abs=0.0001)
    table.write_text("unit,ann,ben\na,1,1\n")
    assert "all are the same" in run("agreement", table)[1]
    assert "There is no file" in run("agreement", tmp_path / "none.csv")[2]


def test_without_a_command_it_is_helped(run):
    status, out, err = run()
    assert status == 2
    assert (out + err).startswith("Usage: longsum [OPTIONS] COMMAND")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["summarize"], "Missing argument 'INPUT…'; 'longsum summarize --help' shows"),
        (["summarize", "x", "--seed", "-1"], "--seed"),
        (["summarize", "x", "--seed", str(2**32)], "--seed"),
        (["summarize", "x", "--format", "poem"], "'--format' / '-f': 'poem' is not one of 'text'"),
        (["summarize", "nowhere.txt"], "no file 'nowhere.txt'"),
        (["summarize", "."], "is a folder"),
        (["summarize", "EXAMPLE", "--system", "oracle"], "reads the reference"),
        (["summarize", "EXAMPLE", "-o", "nowhere/x.txt"], "does not exist"),
        (["data", "squalty"], "Did you mean 'squality'?"),
        (["data", "--positions"], "Name the data sets"),
        (["data", "squality", "--positions", "--aspects"], "tables of their own"),
        (
            ["evaluate", "--data", "squality", "-s", "lead", "--significance", "anova"],
            "three systems or more",
        ),
        (["data", "squality", "--plot", "x.png"], "add --positions"),
        (["summarize", ""], "file name is empty"),
        (["summarize", "x" * 10**5], "cannot be read"),
        (["sumarize", "x"], "no command 'sumarize'; 'longsum --help' lists them. Did you mean 'su"),
        (["EXAMPLE"], "is a file, not a command; run 'longsum summarize "),
        (["summarize", "EXAMPLE", "--model", ""], "model's name is empty"),
        (["summarize", "EXAMPLE", "--as-written"], "give --model"),
        (["summarize", "EXAMPLE", "-f", "json", "--headings"], "leave out --headings"),
        (["summarize", "EXAMPLE", "--work", "w", "--at-once"], "leave out one of them"),
        (["evaluate", "--data", "squality", "-s", "lead", "--metrics", "rogue"], "mean 'rouge'?"),
        (["evaluate", "--data", "squality", "-s", "lead", "--metrics", "apes"], "add --qa-model"),
        (
            [
                *("evaluate", "--data", "squality", "-s", "lead"),
                *("--metrics", "apes", "--qa-model", "no/folder"),
            ],
            "There is no folder 'no/folder'",
        ),
        (["evaluate", "--data", "squality", "-s", "x", "--report", "no/x.html"], "make it first"),
        (["evaluate", "--data", "squality", "-s", "lead", "--task", "trees"], "makes no trees"),
        (
            ["evaluate", "--data", "squality", "-s", "x", "--task", "trees", "--at-once"],
            "leave out --metrics",
        ),
    ],
)
def test_errors_that_users_can_correct_are_one_sentence(
    refused, example_path, monkeypatch, arguments, says
):
    # No data are read to tell.
    monkeypatch.delenv("LONGSUM_DATA", raising=False)
    refused(says, *(example_path if part == "EXAMPLE" else part for part in arguments))


_HIDDEN = set("\u200b\u200e\u202e\u2066\u2069\u00ad\ufeff\x1b\x07\x9b\U000e0041")


def test_a_file_s_name_is_shown_and_never_obeyed(run, tmp_path):
    name = "photo\u202egnp.exe"
    status, _, err = run("summarize", tmp_path / name)
    assert (status, "photo\\u202egnp.exe" in err) == (2, True)
    assert not set(err) & _HIDDEN
    empty = tmp_path / f"a\x1b]0;title\x07{name}"
    empty.write_text(" ")
    status, _, err = run("outline", empty)
    assert (status, "photognp.exe is empty" in err) == (2, True)
    assert not set(err) & _HIDDEN


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_hidden_characters_of_a_document_reach_no_output(run, tmp_path, form):
    hidden = "".join(sorted(_HIDDEN - {"\x1b", "\x07"}))
    sentence = f"The ship{hidden} sailed to the far harbour with a full load{hidden} of grain."
    page = (
        f"<title>{hidden}T</title><h1>A{hidden}b</h1><p>{sentence}</p><table><td>{hidden}</table>"
    )
    path = tmp_path / f"{hidden}a.html"
    path.write_text(page, encoding="utf-8")
    words = ["--focus", "grain\u202e\u200b\udcff"] if form == "html" else []
    status, out, err = run("summarize", path, "--explain", "-f", form, *words)
    assert (status, "The ship sailed to the far harbour" in out) == (0, True)
    assert not set(out + err) & _HIDDEN


def test_warnings_go_to_standard_error(run, tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# T\n\nA short text stands here.\n\n```\ncode\n```\n")
    status, out, err = run("summarize", path, "--work", tmp_path / "w")
    assert (status, out) == (0, "A short text stands here.\n")
    assert "Nothing is kept in the folder of --work" in err
    assert "1 code block" in err
    assert "given whole" in err


def test_loaded_modules_are_not_searched_for_cycles(run, monkeypatch):
    """Neither while they are loaded nor at the end of the program."""
    at_the_end = []
    monkeypatch.setattr(atexit, "register", lambda function, *_: at_the_end.append(function))
    before = gc.get_threshold()
    gc.set_threshold(700)
    try:
        run("--version")
        assert gc.get_threshold()[0] > 7_000
    finally:
        gc.set_threshold(*before)
    assert gc.freeze in at_the_end


class TestAsAProcess:
    def start(self, *arguments, **options):
        return subprocess.Popen(
            [sys.executable, "-c", "from longsum.cli import main; main()", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def test_help_imports_nothing_heavy(self):
        code = (
            "import sys; sys.argv=['longsum','--help']\n"
            "from longsum.cli import main\n"
            "try: main()\n"
            "except SystemExit: pass\n"
            "heavy = {'torch', 'numpy', 'sklearn', 'pydantic', 'yaml'} & set(sys.modules)\n"
            "sys.exit(str(heavy) if heavy else 0)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    @pytest.mark.slow
    def test_another_process_writes_the_same_bytes(self, opening_path):
        """The order of Python's sets and the number of threads must not matter."""
        written = []
        for seed, threads in (("1", "1"), ("2", "2")):
            settings = {"PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": threads}
            process = self.start(
                *("summarize", opening_path, "-l", "80w", "-f", "html"),
                env={**os.environ, **settings},
            )
            out, err = process.communicate(timeout=60)
            assert process.returncode == 0, err
            written.append(out)
        assert written[0] == written[1]

    def test_interrupting_ends_with_130(self, tmp_path):
        path = tmp_path / "endless"
        os.mkfifo(path)
        process = self.start("summarize", path)
        try:
            # The program waits for a writer; opening the pipe tells that it has got there.
            with path.open("wb"):
                process.send_signal(2)
                assert process.wait(timeout=20) == 130
        finally:
            process.kill()
        assert b"Traceback" not in process.stderr.read()
