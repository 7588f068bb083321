"""Tokenizers that others wrote: their patterns and replacements."""

import json
from pathlib import Path
from typing import Any

import pytest

from longsum.errors import LongsumError
from longsum.models.folders import check_tokenizer
from longsum.models.tokenizer_file import _GPT2
from longsum.systems.extractive.shipped import load_tokenizer, shipped_folder

_PLAIN = json.loads((shipped_folder() / "tokenizer.json").read_text(encoding="utf-8"))


def _replaced(pattern: dict[str, str], content: str, times: int = 1) -> dict[str, Any]:
    one = {"type": "Replace", "pattern": pattern, "content": content}
    return {"normalizer": {"type": "Sequence", "normalizers": [one] * times}}


def _split(pattern: str) -> dict[str, Any]:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return {"pre_tokenizer": split | {"invert": False}}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_split(r"((\w+\s?)+)+\d$"), "can take without end"),
        (_split("[a|]*[a|]*[a|]*x"), "can take without end"),
        (_replaced({"Regex": "(a|a)*b"}, ""), "can take without end"),
        (_replaced({"Regex": "."}, "aaaaaaaaaa ", 9), "much longer texts"),
        (_replaced({"String": "e"}, "e" * 65), "much longer texts"),
        (_split(_GPT2), ""),
        (_replaced({"Regex": " {2,}"}, "▁", 9), ""),
        (_replaced({"Regex": r"\s{2,}|[\n\r\t]"}, " "), ""),
        ({}, ""),
    ],
)
def test_what_could_exhaust_time_or_memory_is_refused(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(_PLAIN | change), encoding="utf-8")
    for read in (load_tokenizer, check_tokenizer):
        if told:
            with pytest.raises(LongsumError, match=told):
                read(tmp_path)
        else:
            read(tmp_path)
