"""Settings: of the command line, else the environment, else the file; refused in a sentence."""

import shutil
import subprocess
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.service.service_settings import KEYS, Settings, described, read_settings

EXAMPLES = Path(__file__).parents[2] / "examples" / "service"


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        ({"quee": 1}, "Did you mean 'queue'"),
        ({"read_limit": ("pages=x",)}, "'pages=x' is not a limit"),
    ],
)
def test_what_cannot_be_is_named(given: dict[str, object], said: str) -> None:
    with pytest.raises(LongsumError, match=said):
        read_settings(given)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "service.example"])
def test_other_machines_need_a_key(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LongsumError, match="needs a key"):
        Settings(host=host).keys()
    monkeypatch.setenv(KEYS, "short")
    with pytest.raises(LongsumError, match="at least 16"):
        Settings(host=host).keys()
    monkeypatch.setenv(KEYS, "a-key-that-is-long-enough another-that-is-long-enough")
    assert len(Settings(host=host).keys()) == 2


def test_a_file_of_keys_that_is_missing_is_no_reason_to_go_without(tmp_path: Path) -> None:
    with pytest.raises(LongsumError, match="file of keys"):
        Settings(key_file=tmp_path / "none").keys()


def test_every_setting_is_an_option_and_stands_in_the_docs() -> None:
    from longsum.cli.serve import COMMAND

    known = {
        option for each in COMMAND.build("serve").params for option in getattr(each, "opts", ())
    }
    page = (EXAMPLES.parents[1] / "docs" / "service.md").read_text()
    for name in described():
        flag = f"--{name.replace('_', '-')}"
        assert flag in known
        assert f"`{flag}`" in page


def test_the_example_settings_are_settings() -> None:
    assert read_settings({}, EXAMPLES / "longsum.yaml").limits.pages == 10_000


def test_the_unit_of_systemd_is_one(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "longsum.service"
    text = (EXAMPLES / "longsum.service").read_text()
    unit.write_text(text.replace("/opt/longsum/bin/longsum", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert "longsum.service" not in done.stderr
