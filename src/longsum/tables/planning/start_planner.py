"""The planner that training starts from."""

import torch
from torch import nn

from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.training.extraction.prepare_extraction import KeptTokenizer
from longsum.models.training.extraction.run_extraction import build_extractor
from longsum.tables.planning.planning_settings import PlannerSettings


def build_planner(settings: PlannerSettings, tokens: KeptTokenizer) -> LongsumExtractor:
    """Make the model that training starts from, with its loss."""
    model = build_extractor(settings, tokens)
    if settings.checkpoint is None:
        spread_weights(model)
    return model


@torch.no_grad()
def spread_weights(model: nn.Module) -> None:
    """Draw weights anew, as suits networks of few features.

    The paper begins with random weights (B.3) and does not state which. BERT's deviation of 0.02
    suits 768 features; here it is the root of one over the number of inputs. Keys begin as the
    queries do, so that entries which have a name in common look at each other from the start:
    otherwise that takes longer to learn than all else.
    """
    for part in model.modules():
        if isinstance(part, nn.Linear):
            nn.init.normal_(part.weight, std=part.in_features**-0.5)
    for part in model.modules():
        query, key = getattr(part, "query", None), getattr(part, "key", None)
        if isinstance(query, nn.Linear) and isinstance(key, nn.Linear):
            key.weight.copy_(query.weight)
