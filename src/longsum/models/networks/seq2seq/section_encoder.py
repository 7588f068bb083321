"""An encoder of sections above that of tokens (HierEnc of HIBRIDS, §5.2; Rohde et al. 2021).

The state of each section's first token goes through layers of full attention among sections; every
layer of the decoder reads what comes out, after it has read the tokens.

For LED-large, a layer of 12.60 M weights and an attention of 4.20 M, each twelve times, are 201.6 M
on top of 459.8 M: 661.4 M, 44 % more. The paper has 662 M (43 %); embeddings of the sections'
positions would fill the gap, but it names none, and the states of tokens know where they stand.
"""

import torch
from torch import Tensor, nn

from longsum.models.attention.attention_settings import EncoderAttentionConfig
from longsum.models.attention.biases.section_tree import SectionTree
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.encoder_layer import EncoderLayer
from longsum.models.networks.seq2seq.part_settings import SectionEncoderConfig
from longsum.models.networks.seq2seq.sections import SectionMarks
from longsum.models.networks.seq2seq.seq2seq_layers import optional_norm


class SectionEncoder(nn.Module):
    """States of tokens to states of sections.

    All sections take part that the model is told of, those outside the document's own among them
    (the start, a question, the end): the decoder may read a question there.

    Args:
        config: The model's settings.
        settings: Those of this part.
    """

    def __init__(self, config: LongsumSeq2SeqConfig, settings: SectionEncoderConfig) -> None:
        super().__init__()
        self.biases = settings.bias
        # Sections are few: a number for each pair of them is less than what would spare it.
        attention = EncoderAttentionConfig(execution="reference" if self.biases else "fast")
        self.layers = nn.ModuleList(
            EncoderLayer(config, attention, self.biases) for _ in range(settings.layers)
        )
        self.layer_norm = optional_norm(config, config.final_layer_norms)

    def forward(self, hidden: Tensor, tree: SectionTree, marks: SectionMarks) -> Tensor:
        """Encode the sections.

        Args:
            hidden: The encoder's last states, `[b, n, D]`.
            tree: The sections.
            marks: Where each begins.

        Returns:
            `[b, S, D]`; of sections that have no token, nothing that means anything.
        """
        labels = None
        if self.biases is not None:
            # Each section is a token in a section of its own.
            order = torch.arange(tree.parents.shape[1], device=tree.parents.device)
            labels = self.biases.labels(SectionTree(order.expand_as(tree.parents), tree.parents))
        states = marks.states(hidden)
        for layer in self.layers:
            states = layer(states, marks.there, labels)
        found: Tensor = self.layer_norm(states)
        return found
