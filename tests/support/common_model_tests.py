"""The encoder–decoder under the common model tests of `transformers`, which are not part of it.

`tests.test_modeling_common` comes from the source distribution of the release that is installed;
`tests/models/networks/seq2seq/test_common.py` lays it out and runs this file beside it.
"""

import unittest
from typing import Any

import torch
from tests.test_modeling_common import ModelTesterMixin  # type: ignore[import-not-found]
from transformers.models.auto import modeling_auto

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumSeq2SeqModel
from tiny_sizes import tiny_sizes


class Tester:
    """The settings and inputs that the common tests require of a model."""

    batch_size, seq_length, encoder_seq_length, decoder_seq_length = 3, 7, 7, 7
    hidden_size, num_hidden_layers, num_attention_heads = 16, 2, 4
    key_length = encoder_seq_length
    is_training = True
    way: str | None = None

    def get_config(self) -> LongsumSeq2SeqConfig:
        sizes = tiny_sizes(16, 4, 24, positions=40)
        made = LongsumSeq2SeqConfig(vocab_size=61, dropout=0.0, **sizes)
        made._attn_implementation = self.way
        return made

    def prepare_config_and_inputs_for_common(self) -> tuple[LongsumSeq2SeqConfig, dict[str, Any]]:
        ids = torch.randint(3, 61, (self.batch_size, self.seq_length))
        target = torch.randint(3, 61, (self.batch_size, self.decoder_seq_length))
        return self.get_config(), {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "decoder_input_ids": target,
            "decoder_attention_mask": torch.ones_like(target),
        }


# A test puts every weight into a message, which takes longer than all else it does.
torch.set_printoptions(threshold=0, edgeitems=1)
# The tests ask these which classes have a loss.
modeling_auto.MODEL_MAPPING_NAMES["longsum_seq2seq"] = "LongsumSeq2SeqModel"
modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES["longsum_seq2seq"] = (
    "LongsumForConditionalGeneration"
)


class TestLongsum(ModelTesterMixin, unittest.TestCase):  # type: ignore[misc]
    """The common tests."""

    all_model_classes = (LongsumSeq2SeqModel, LongsumForConditionalGeneration)
    # The tests of generation are in no source distribution.
    all_generative_model_classes = ()
    is_encoder_decoder = True

    def setUp(self) -> None:
        self.model_tester = Tester()

    def test_model_outputs_equivalence(self) -> None:
        """Compare tuples and outputs, with weights of attention, which are there under `eager`."""
        self.model_tester.way = "eager"
        super().test_model_outputs_equivalence()
