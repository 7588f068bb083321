"""Foreign tokenizers: their patterns and replacements."""

import json
from contextlib import nullcontext

import pytest

from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import load_tokenizer, shipped_folder
from longsum.core.model_files.folders import check_tokenizer
from longsum.core.model_files.settings_file import _GPT2

_PLAIN = json.loads((shipped_folder() / "tokenizer.json").read_text(encoding="utf-8"))


def _replaced(pattern: str, content: str, times: int = 1, key: str = "Regex") -> dict:
    one = {"type": "Replace", "pattern": {key: pattern}, "content": content}
    # Patterns that remove characters do not lengthen others.
    none = one | {"content": ""}
    return {"normalizer": {"type": "Sequence", "normalizers": [none, *[one] * times]}}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_replaced(r"((\w+\s?)+)+\d$", ""), "can take without end"),
        (_replaced("[a|]*[a|]*[a|]*x", ""), "can take without end"),
        (_replaced(".", "aaaaaaaaaa ", 9), "much longer texts"),
        (_replaced("e", "e" * 65, key="String"), "much longer texts"),
        (_replaced(_GPT2, ""), ""),
        (_replaced(" {2,}", "▁", 9), ""),
        (_replaced(r"\s{2,}|[\n\r\t]", " "), ""),
        ({}, ""),
    ],
)
def test_tokenizers_that_could_exhaust_time_or_memory_are_refused(change, told, tmp_path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(_PLAIN | change), encoding="utf-8")
    for read in (load_tokenizer, check_tokenizer):
        with pytest.raises(LongsumError, match=told) if told else nullcontext():
            read(tmp_path)
