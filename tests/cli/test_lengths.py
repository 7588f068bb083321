"""`--length auto` and `--fill`, from the pipeline and the commands."""

import json

from longsum.core.summaries import Budget
from longsum.documents import Document


def test_auto_is_parsed_and_shown():
    budget = Budget.parse(" AUTO ")
    assert (budget.automatic, budget.is_open, str(budget)) == (True, True, "auto")
    assert not Budget.parse("250w").automatic


def test_the_command_takes_both(run, tmp_path, small: Document):
    path = tmp_path / "valley.txt"
    path.write_text("\n".join(sentence.text for sentence in small.sentences), encoding="utf-8")
    given = ["summarize", path, "--length", "auto", "--fill", "strict", "-f", "json"]
    status, out, _ = run(*given)
    assert status == 0
    written = json.loads(out)
    assert written["settings"]["fill"] == "strict"
    assert written["budget"]["automatic"] is True
