"""No command asks anybody for anything, or leaves a file but what it is asked for."""

import os
import shutil
import subprocess
import sys

import pytest


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
