"""Which network runs the extractor in a folder."""

from longsum.models.extractive.network import Network
from longsum.models.folders import ModelFolder
from longsum.models.precision import Precision


def load_network(folder: ModelFolder, precision: Precision) -> Network:
    """Load the extractor in a folder.

    Args:
        folder: The folder.
        precision: How products are computed; see `TorchNetwork`.

    Raises:
        LongsumError: It contains no extractor that can be loaded.
    """
    import torch

    from longsum.models.extractive.extractor_files import load_extractor
    from longsum.models.extractive.torch_network import TorchNetwork

    device = "cuda" if torch.cuda.is_available() else "cpu"
    return TorchNetwork(load_extractor(folder), device, precision)
