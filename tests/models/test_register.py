import subprocess
import sys

from transformers import AutoModelForSeq2SeqLM

import longsum.models
from longsum.models.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig


def test_registering_twice_is_harmless() -> None:
    longsum.models.register()
    longsum.models.register()
    assert AutoModelForSeq2SeqLM._model_mapping[LongsumSeq2SeqConfig] is (
        LongsumForConditionalGeneration
    )


def test_the_room_alone_is_light() -> None:
    code = "import sys, longsum.models; sys.exit('transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
