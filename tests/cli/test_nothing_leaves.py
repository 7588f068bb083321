"""No command uses the network, or leaves any file but the requested ones."""

import os
import shutil
import signal
import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "summarize EXAMPLE",
        "check short.md --against EXAMPLE",
        "batch texts OUT",
        "data own.jsonl --split test --export OUT.parquet --lm-eval OUT.yaml",
        "evaluate --data own.jsonl --split test -s lead --predictions own.jsonl",
        "biases model -f png -o OUT",
        "push model me/mine --dry-run",
        "mcp texts",
        "serve --port 0 --folder OUT",
    ],
)
def test_no_connection_and_no_file_elsewhere(command, opening_path, tmp_path):
    work = tmp_path / "work"
    (work / "texts").mkdir(parents=True)
    for path in ("short.md", "texts/a.md"):
        (work / path).write_text("The river carries water to the sea. Dams were built in 1931.")
    (work / "own.jsonl").write_text(
        '{"id": "1", "document": "The sea is wide.", "summary": "A sea.", "text": "Seas.", '
        '"split": "test"}\n'
    )
    if "model" in command.split():
        from longsum.models.networks.seq2seq import (
            LongsumForConditionalGeneration,
            LongsumSeq2SeqConfig,
        )

        config = LongsumSeq2SeqConfig(
            vocab_size=9, d_model=16, decoder_layers=1, encoder_bias={"path_reach": 2}
        )
        LongsumForConditionalGeneration(config).save_pretrained(work / "model")
    homes = {"HOME": tmp_path / "home", "TMPDIR": tmp_path / "temporary", "USER": "somebody"}
    for name in ("HOME", "TMPDIR"):
        homes[name].mkdir()
    told = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    trace = tmp_path / "trace"
    kinds = "trace=connect,sendto,bind"
    traced = ["strace", *("-f", "--seccomp-bpf", "-qq", "-e", kinds, "-o"), trace]
    words = command.replace("EXAMPLE", str(opening_path)).replace("OUT", str(tmp_path / "out"))
    before = sorted(work.rglob("*"))
    program = [sys.executable, "-m", "longsum", *words.split()]
    process = subprocess.Popen(
        [*traced, *program] if shutil.which("strace") else program,
        env={**told, **homes},
        cwd=work,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    serves = command.startswith("serve")
    if serves:
        assert b"http://127.0.0.1:" in process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)
    process.communicate()
    assert process.returncode == (130 if serves else 0)
    assert [path for name in ("HOME", "TMPDIR") for path in homes[name].rglob("*")] == []
    assert sorted(work.rglob("*")) == before
    calls = trace.read_text().splitlines() if trace.exists() else []
    reached = [call for call in calls if "sa_family" in call]
    if serves:
        # Its workers are spoken to through a socket in the temporary folder.
        own = ("bind", 'inet_addr("127.0.0.1")')
        reached = [
            call
            for call in reached
            if str(homes["TMPDIR"]) not in call and not all(part in call for part in own)
        ]
    assert reached == []
