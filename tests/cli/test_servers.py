"""How `longsum serve`, `mcp` and `checkpoint` call the library."""

from pathlib import Path

from longsum.agents import server as agents_server
from longsum.models.networks import tiny_checkpoints
from longsum.service.api import app


def test_the_service_is_started_with_the_given_settings(run, tmp_path, monkeypatch) -> None:
    begun = []
    monkeypatch.setattr(app, "run", lambda *given: (given[1]("here"), begun.append(given)))
    file = tmp_path / "settings.yaml"
    file.write_text("port: 9001\nworkers: 3\n")
    writers = ("--writers", "a=models/a", "--writers", "b=http://b.example/v1#m=1")
    status, _, err = run("serve", "--settings", file, "--port", 9002, *writers)
    assert (status, "longsum serves at here" in err) == (0, True)
    settings, _, routers = begun.pop()
    assert (settings.port, settings.workers, len(routers)) == (9002, 3, 1)
    assert settings.writers == {"a": "models/a", "b": "http://b.example/v1#m=1"}
    run("serve", "--settings", file)
    assert begun.pop()[0].port == 9001
    for wrong in ("a", "=a", "a="):
        assert "takes NAME=FOLDER" in " ".join(run("serve", "--writers", wrong)[2].split())
    assert begun == []


def test_agents_are_served_the_folders_named(run, monkeypatch) -> None:
    begun = []
    monkeypatch.setattr(agents_server, "serve", lambda *given: begun.append(given))
    assert run("mcp", "a", "b", "--page", 900, "--read-limit", "seconds=7")[0] == 0
    ((folders, limits, page),) = begun
    assert (folders, limits.seconds, page) == ([Path("a"), Path("b")], 7, 900)


def test_a_tiny_checkpoint_has_the_requested_kind_and_seed(run, tmp_path, monkeypatch) -> None:
    asked = []

    def write(kind: str, folder: Path, texts, *, seed: int) -> int:
        asked.append((kind, folder, len(list(texts)), seed))
        return 1234

    monkeypatch.setattr(tiny_checkpoints, "write_tiny_checkpoint", write)
    found = run("checkpoint", "tiny", "led", "-o", tmp_path / "led", "--seed", 5)
    assert asked == [("led", tmp_path / "led", 200, 5)]
    assert found[:2] == (0, f"{tmp_path / 'led'}: tiny led, 1,234 random weights\n")
