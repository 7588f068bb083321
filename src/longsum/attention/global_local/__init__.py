"""Global–local attention, as a definition and as a fast execution."""

from longsum.attention.global_local.global_local_reference import global_local_reference
from longsum.attention.global_local.global_local_tiles import BLOCK, global_local_attention
from longsum.attention.global_local.inputs import GlobalLocal, Side, Structure

__all__ = [
    "BLOCK",
    "GlobalLocal",
    "Side",
    "Structure",
    "global_local_attention",
    "global_local_reference",
]
