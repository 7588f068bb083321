"""The tiny language models of `chat_models` as GGUF files for llama.cpp."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFWriter, TokenType
from transformers import PreTrainedTokenizerFast

_PRE = "qwen2"
_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def write_gguf(model: Any, said: PreTrainedTokenizerFast, path: Path, *, trained: int) -> None:
    """Write a Llama and its tokenizer of bytes into one file.

    Args:
        model: The model.
        said: Its tokenizer, with a chat template.
        path: The file.
        trained: Tokens that its settings say it was trained on.
    """
    config = model.config
    writer = GGUFWriter(path, "llama")
    writer.add_name(path.stem)
    writer.add_context_length(trained)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_key_length(config.head_dim)
    writer.add_value_length(config.head_dim)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    _add_tokens(writer, said, config.vocab_size)
    for name, weights in model.state_dict().items():
        writer.add_tensor(*_tensor(name, weights, config))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_tokens(writer: GGUFWriter, said: PreTrainedTokenizerFast, size: int) -> None:
    special = {*said.all_special_ids, *said.added_tokens_decoder}
    known = {number: sign for sign, number in said.get_vocab().items()}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(_PRE)
    writer.add_token_list([known.get(number, f"<unused{number}>") for number in range(size)])
    writer.add_token_types(
        [
            TokenType.CONTROL
            if number in special
            else TokenType.NORMAL
            if number in known
            else TokenType.UNUSED
            for number in range(size)
        ]
    )
    # llama.cpp reads no vocabulary of this kind without one; this one joins what no text has.
    writer.add_token_merges(["\u0100 \u0100"])
    writer.add_bos_token_id(said.convert_tokens_to_ids("<s>"))
    writer.add_eos_token_id(said.convert_tokens_to_ids("<|im_end|>"))
    writer.add_add_bos_token(False)
    assert isinstance(said.chat_template, str)
    writer.add_chat_template(said.chat_template)


def _tensor(name: str, weights: torch.Tensor, config: Any) -> tuple[str, np.ndarray[Any, Any]]:
    stem = name.removesuffix(".weight")
    if stem in _WHOLE:
        return f"{_WHOLE[stem]}.weight", weights.float().numpy()
    number, _, part = stem.removeprefix("model.layers.").partition(".")
    heads = {
        "self_attn.q_proj": config.num_attention_heads,
        "self_attn.k_proj": config.num_key_value_heads,
    }
    if part in heads:
        # Pairs of a rotation stand side by side there, and half a head apart here.
        halves = weights.view(heads[part], 2, config.head_dim // 2, -1)
        weights = halves.transpose(1, 2).reshape(weights.shape)
    return f"blk.{number}.{_LAYER[part]}.weight", weights.float().contiguous().numpy()
