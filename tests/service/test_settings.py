"""Settings come from the command line, else the environment, else the file, or are refused."""

import shutil
import subprocess
from pathlib import Path

import pytest
from pydantic import ValidationError

from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.service.errors import wrong_value
from longsum.service.jobs import Wanted
from longsum.service.service_settings import KEYS, Settings, described, read_settings

EXAMPLES = Path(__file__).parents[2] / "examples" / "service"


@pytest.mark.parametrize(
    ("kind", "place", "message", "told"),
    [
        ("missing", ("body", "length"), "Field required", "length is missing."),
        ("missing", ("body",), "Field required", "The body is missing."),
        (
            *("extra_forbidden", ("query", "colour"), "Extra inputs are not permitted"),
            "There is no field 'colour'; /openapi.json lists those there are.",
        ),
        ("value_error", ("body",), "Value error, Give one text.", "Give one text."),
        (
            "int_type",
            ("body", "a", 0),
            "Input should be a number",
            "a.0 is wrong: it should be a number.",
        ),
        ("json", ("body",), "JSON decode error.", "The request is wrong: it jSON decode error."),
    ],
)
def test_an_invalid_value_is_described_in_a_sentence(kind, place, message, told) -> None:
    assert wrong_value({"type": kind, "loc": place, "msg": message}) == told


def test_the_command_line_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("port: 1\nqueue: 2\nworker-jobs: 3\nwriters: {a: http://127.0.0.1:1/v1}\n")
    monkeypatch.setenv("LONGSUM_SERVE_PORT", "4")
    monkeypatch.setenv("LONGSUM_SERVE_QUEUE", "5")
    monkeypatch.setenv("LONGSUM_SERVE_HOSTS", "[a.example, b.example]")
    chosen = read_settings({"port": 6, "wait": None}, file)
    assert (chosen.port, chosen.queue, chosen.worker_jobs, chosen.wait) == (6, 5, 3, 30)
    assert chosen.hosts == ("a.example", "b.example")
    assert chosen.writers == {"a": "http://127.0.0.1:1/v1"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"port": 99999}, "port cannot be '99999'"),
        ({"workers": 0}, "workers cannot be '0'"),
        ({"wait": float("inf")}, "wait cannot be 'inf'"),
        ({"seconds": float("inf")}, "seconds cannot be 'inf'"),
        ({"keep": 4e9}, "keep cannot be '4000000000.0'"),
        ({"quee": 1}, "Did you mean 'queue'"),
        (dict.fromkeys(("i", "g", "e", "c", "a", "b", "d", "f", "h"), 1), "has no setting 'a'"),
        (
            {"writers": {"a": 3}},
            r"setting writers\.a cannot be '3': it should be a valid string\.$",
        ),
        ({"read_limit": ("pages=x",)}, "'pages=x' is not a limit"),
    ],
)
def test_impossible_settings_are_named(given: dict[str, object], said: str) -> None:
    with pytest.raises(LongsumError, match=said):
        read_settings(given)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- port", r"The settings '.*' are not a table of names and values; write"),
        ("port: [", r"The settings '.*' cannot be read: .*\.$"),
        ("port: x", r"The setting port cannot be 'x': it should be a valid integer"),
    ],
)
def test_errors_in_a_settings_file_are_reported(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(text)
    with pytest.raises(LongsumError, match=said):
        read_settings({}, file)
    with pytest.raises(LongsumError, match=r"settings .* cannot be read: .*No such file"):
        read_settings({}, tmp_path / "none")


def test_the_environment_has_lists_and_tables_as_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGSUM_SERVE_HOSTS", "A.example")
    monkeypatch.setenv("LONGSUM_SERVE_WRITERS", "{a: b}")
    monkeypatch.setenv(KEYS, "no setting")
    chosen = read_settings({"host": "192.0.2.7"})
    assert chosen.names == {"localhost", "127.0.0.1", "::1", "192.0.2.7", "a.example"}
    assert chosen.writers == {"a": "b"}
    for host in ("::", "0.0.0.0", ""):
        assert Settings(host=host).names == {"localhost", "127.0.0.1", "::1"}
    monkeypatch.setenv("LONGSUM_SERVE_HOSTS", "[")
    with pytest.raises(LongsumError, match="LONGSUM_SERVE_HOSTS cannot be read"):
        read_settings({})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1"])
def test_this_machine_needs_no_key(host: str, tmp_path: Path) -> None:
    assert Settings(host=host).keys() == ()
    file = tmp_path / "keys"
    file.write_text(f"{16 * 'a'}\n")
    assert Settings(host=host, key_file=file).keys() == (16 * "a",)
    no_file = "file of keys .* cannot be read"
    wrong = (b"a" * 15, "at least 16"), (b"\n \n", "has no key"), (b"\xff" * 16, no_file)
    for content, said in (*wrong, (None, no_file)):
        file.unlink() if content is None else file.write_bytes(content)
        with pytest.raises(LongsumError, match=said):
            Settings(host=host, key_file=file).keys()


def test_requests_differ_by_what_affects_the_result() -> None:
    settings = Settings(writers={"a": "b"})
    lengths = {
        str(Wanted(**given).budget): given
        for given in ({}, {"kind": "questions"}, {"length": "9w"})
    }
    assert list(lengths) == [str(Budget.parse(each)) for each in ("medium", "50w", "9w")]
    same = Wanted().hash_with("d", settings)
    assert same == Wanted(length="medium", seed=0).hash_with("d", Settings())
    # In whatever order its fields are said.
    usual = Wanted(length="medium", seed=1).hash_with("d", settings)
    assert usual == Wanted(seed=1).hash_with("d", settings)
    others = [
        Wanted().hash_with("e", settings),
        Wanted(seed=1).hash_with("d", settings),
        Wanted(length="9w").hash_with("d", settings),
        Wanted().hash_with("d", Settings(read_limit=("pages=3",))),
        Wanted(writer="a").hash_with("d", settings),
        Wanted(writer="a").hash_with("d", Settings(writers={"a": "c"})),
        Wanted(kind="table").hash_with("d", settings),
    ]
    assert len({same, *others}) == 8
    Wanted(focus=2000 * "a").check(settings)
    Wanted(writer="a", as_written=True).check(settings)
    for wrong in ({"focus": 2001 * "a"}, {"focus": ""}, {"question": "a"}):
        with pytest.raises(ValidationError):
            Wanted(**wrong)
    with pytest.raises(LongsumError, match="Did you mean 'stepwise'"):
        Wanted(system="stepwse").check(settings)
    with pytest.raises(ValidationError, match="frozen"):
        Wanted().length = "9w"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "service.example"])
def test_other_machines_need_a_key(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LongsumError, match="needs a key"):
        Settings(host=host).keys()
    monkeypatch.setenv(KEYS, "short")
    with pytest.raises(LongsumError, match="at least 16"):
        Settings(host=host).keys()
    monkeypatch.setenv(KEYS, "a-key-that-is-long-enough another-that-is-long-enough")
    assert len(Settings(host=host).keys()) == 2


def test_every_setting_is_an_option_in_the_docs_and_the_example_has_some() -> None:
    from longsum.cli.serve import COMMAND

    known = {
        option for each in COMMAND.build("serve").params for option in getattr(each, "opts", ())
    }
    page = (EXAMPLES.parents[1] / "docs" / "service.md").read_text()
    for name, (_, meaning) in described().items():
        assert meaning.endswith(".")
        flag = f"--{name.replace('_', '-')}"
        assert flag in known
        assert f"`{flag}`" in page
    assert read_settings({}, EXAMPLES / "longsum.yaml").limits.pages == 10_000


def test_the_unit_of_systemd_is_one(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "longsum.service"
    text = (EXAMPLES / "longsum.service").read_text()
    unit.write_text(text.replace("/opt/longsum/bin/longsum", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert "longsum.service" not in done.stderr
