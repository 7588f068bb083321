"""Interpretable attention: timestep-independent semantic kernels (MLS, §2.2)."""

from longsum.kernels.attention import Attention, combine, normalize
from longsum.kernels.kernel import Kernel
from longsum.kernels.keywords import KeywordKernel
from longsum.kernels.multiplex import Head, Multiplex
from longsum.kernels.redundancy import RedundancyKernel
from longsum.kernels.topics import TopicKernel

__all__ = [
    "Attention",
    "Head",
    "Kernel",
    "KeywordKernel",
    "Multiplex",
    "RedundancyKernel",
    "TopicKernel",
    "combine",
    "normalize",
]
