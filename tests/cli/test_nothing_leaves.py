"""No command asks anybody for anything, or leaves a file but what it is asked for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from longsum.common.beginning import OFF


@pytest.mark.slow
@pytest.mark.parametrize("command", [("summarize", "EXAMPLE"), ("biases", "MODEL", "-f", "png")])
def test_no_connection_and_no_file_elsewhere(command, example_path, tmp_path):
    if "MODEL" in command:
        from longsum.models.networks.seq2seq import (
            LongsumForConditionalGeneration,
            LongsumSeq2SeqConfig,
        )

        config = LongsumSeq2SeqConfig(
            vocab_size=9, d_model=16, decoder_layers=1, encoder_bias={"path_reach": 2}
        )
        LongsumForConditionalGeneration(config).save_pretrained(tmp_path / "model")
        command = ("biases", tmp_path / "model", "-f", "png", "-o", tmp_path / "pictures")
    words = [example_path if word == "EXAMPLE" else word for word in command]
    homes = {"HOME": tmp_path / "home", "TMPDIR": tmp_path / "temporary", "USER": "somebody"}
    for name in ("HOME", "TMPDIR"):
        homes[name].mkdir()
    told = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    trace = tmp_path / "trace"
    traced = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,bind", "-o", trace]
    subprocess.run(
        [*(traced if shutil.which("strace") else ()), sys.executable, "-m", "longsum", *words],
        env={**told, **homes},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    assert [path for name in ("HOME", "TMPDIR") for path in homes[name].rglob("*")] == []
    assert not trace.exists() or "sa_family" not in trace.read_text()


def test_reports_are_off_unless_a_user_turned_them_on():
    code = "import longsum, os; print(*map(os.environ.get, ['{}']))".format("', '".join(OFF))
    for set_by_user in ({}, dict.fromkeys(OFF, "mine")):
        others = {name: value for name, value in os.environ.items() if name not in OFF}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env={**others, **set_by_user}, capture_output=True)
        assert done.stdout.decode().split() == list((set_by_user or OFF).values())


@pytest.mark.parametrize("arguments", [["/usr/bin/longsum"], ["notebook"]])
def test_an_interrupt_while_the_program_loads_shows_no_traceback(arguments):
    """A library leaves the interrupts of other programs alone."""
    code = (
        f"import os, signal, sys; sys.argv = {arguments}\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.endswith('networks.announce'): os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt()); import longsum"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    alone = Path(arguments[0]).name == "longsum"
    assert (done.returncode == 130, b"Traceback" in done.stderr) == (alone, not alone)
