"""The sentence encoder of an extractor as a checkpoint of BERT, from which other models begin.

The reverse of `convert_extractors.py`.
"""

import re
from pathlib import Path

from tokenizers import Tokenizer
from torch import Tensor
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from longsum.common.errors import LongsumError
from longsum.common.files import new_folder
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.settings_file import TOKENIZER, read_tokenizer_file
from longsum.models.networks.extractive.convert_extractors import COPIED
from longsum.models.networks.extractive.extractor_files import load_extractor
from longsum.models.networks.extractive.hibert import Hibert

_RENAMED = (
    (re.compile(r"^embedding\.tokens\."), "embeddings.word_embeddings."),
    (re.compile(r"^embedding\.positions\."), "embeddings.position_embeddings."),
    (re.compile(r"^embedding\.types\."), "embeddings.token_type_embeddings."),
    (re.compile(r"^embedding\.norm\."), "embeddings.LayerNorm."),
    (re.compile(r"^layers\."), "encoder.layer."),
    (re.compile(r"\.attention\.(query|key|value)\."), r".attention.self.\1."),
    (re.compile(r"\.attention\.output\."), ".attention.output.dense."),
    (re.compile(r"\.attention\.norm\."), ".attention.output.LayerNorm."),
    (re.compile(r"\.feed_forward\.expand\."), ".intermediate.dense."),
    (re.compile(r"\.feed_forward\.shrink\."), ".output.dense."),
    (re.compile(r"\.feed_forward\.norm\."), ".output.LayerNorm."),
)
_SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def write_bert(folder: ModelFolder, to: Path) -> int:
    """Write the sentence encoder of a HiBERT, with its tokenizer, as a checkpoint of BERT.

    Args:
        folder: The extractor's folder.
        to: A new or empty folder.

    Returns:
        The number of parameters.

    Raises:
        LongsumError: The folder holds no HiBERT, its encoder is no BERT, or `to` is not empty.
    """
    if to.is_file() or (to.is_dir() and any(to.iterdir())):
        raise LongsumError(f"'{to}' is not an empty folder; name a new one.")
    extractor = load_extractor(folder)
    if not isinstance(extractor, Hibert):
        raise LongsumError(
            f"'{folder}' has no sentence encoder; give the folder of a HiBERT, such as "
            "'longsum train stepwise' writes."
        )
    encoder = extractor.sentence_encoder
    tokenizer = Tokenizer.from_str(read_tokenizer_file(folder.path / TOKENIZER))
    padding, *others = (tokenizer.token_to_id(each) for each in _SPECIAL.values())
    if encoder.config.position_offset or padding is None or None in others:
        raise LongsumError(
            f"The sentence encoder in '{folder}' began as another model than BERT; give that of an "
            "extractor that began as a BERT."
        )
    config = bert_config(encoder.config, padding)
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(bert_state_dict(encoder.state_dict()))
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=config.max_position_embeddings,
        # Otherwise both texts of a pair would be read as one.
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **_SPECIAL,
    )
    with new_folder(to) as unfinished:
        model.save_pretrained(unfinished)
        wrapped.save_pretrained(unfinished)
    return int(model.num_parameters())


def bert_config(config: SentenceEncoderConfig, padding: int) -> BertConfig:
    """Return the settings of a BERT of the same sizes, with the id of its padding token."""
    sizes = {theirs: getattr(config, ours) for ours, theirs in COPIED.items()}
    return BertConfig(
        max_position_embeddings=config.positions,
        attention_probs_dropout_prob=config.dropout,
        pad_token_id=padding,
        **sizes,
    )


def bert_state_dict(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of a `SentenceEncoder` under the names of `transformers`."""
    found = {}
    for name, tensor in state.items():
        theirs = name
        for pattern, replacement in _RENAMED:
            theirs = pattern.sub(replacement, theirs)
        found[theirs] = tensor
    return found
