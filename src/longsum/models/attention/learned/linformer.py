"""Linformer: keys and values projected along the sequence (Wang et al. 2020; HEPOS, §2.2)."""

from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from longsum.models.attention.biases.section_cross_bias import section_biased_attention
from longsum.models.attention.biases.section_pairs import by_sections
from longsum.models.attention.encoder_attention import EncoderAttention, Inputs
from longsum.models.attention.linear_layers import SequenceProjection


class LinformerAttention(SequenceProjection, EncoderAttention):
    """Attention over `projected` learned mixtures of the tokens: O(nk), O(n) new parameters.

    One projection serves keys and values and all heads, as in the released code of HEPOS. Padding
    is not part of the mixtures, so it changes nothing.

    Args:
        tokens: The longest source, whose positions the projection knows.
        projected: Number of mixtures, the paper's k.
    """

    def attend(self, given: Inputs) -> Tensor:
        """Attend; see `EncoderAttention.attend`. Queries may be of another sequence.

        A mixture of tokens has the mixture of their biases: it is not in a single section, but has
        a share of each, by which the biases of sections are weighted.

        Raises:
            LongsumError: The sequence is longer than the projection knows, or the bias is not one
                of sections.
        """
        query, key, value, real, bias, dropout = given
        projection = self.columns(key.shape[2]).to(key.dtype)
        if real is not None:
            shown = real[:, None, :, None]
            key, value = key.masked_fill(~shown, 0.0), value.masked_fill(~shown, 0.0)
        keys, values = projection @ key, projection @ value
        if bias is None:
            mixed = scaled_dot_product_attention(query, keys, values, dropout_p=dropout)
        else:
            pairs = by_sections(bias)
            shares = pairs.shares().to(key.dtype)
            shares = shares if real is None else shares.masked_fill(~shown, 0.0)
            shares = projection @ shares
            rows = pairs.rows()
            mixed = section_biased_attention(query, keys, values, None, rows, shares, dropout)
        return mixed if real is None else mixed * real.any(dim=1)[:, None, None, None]
