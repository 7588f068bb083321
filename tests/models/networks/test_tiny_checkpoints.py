import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from longsum.common.errors import LongsumError
from longsum.models.networks.tiny_checkpoints import KINDS, WIDTH, write_tiny_checkpoint

TEXTS = ["Dams hold back the river. Trains carry coal."] * 20


@pytest.mark.parametrize("kind", KINDS)
def test_transformers_loads_the_written_checkpoint(kind, tmp_path):
    folder = tmp_path / kind
    assert write_tiny_checkpoint(kind, folder, TEXTS) > 0
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer.mask_token_id is not None
    ids = tokenizer("Dams carry Ω coal.", return_tensors="pt")
    model = AutoModel.from_pretrained(folder).eval()
    set_so = {name: getattr(model.config, name) for name in KINDS[kind]}
    if kind == "led":  # Its layers have a window each.
        (set_so["attention_window"],) = set(set_so["attention_window"])
    assert set_so == KINDS[kind]
    given = {"input_ids": ids["input_ids"]}
    if model.config.is_encoder_decoder:
        given["decoder_input_ids"] = ids["input_ids"]
    with torch.no_grad():
        states = model(**given).last_hidden_state
    assert states.shape == (1, ids["input_ids"].shape[1], WIDTH)


def test_a_seed_decides_the_weights_and_nothing_is_replaced(tmp_path):
    folders = [tmp_path / name for name in ("a", "b", "c")]
    for folder, seed in zip(folders, (0, 0, 1), strict=True):
        write_tiny_checkpoint("bart", folder, TEXTS, seed=seed)
    same, again, other = ((each / "model.safetensors").read_bytes() for each in folders)
    assert same == again != other
    with pytest.raises(LongsumError):
        write_tiny_checkpoint("bart", folders[0], TEXTS)
