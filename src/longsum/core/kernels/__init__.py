"""Interpretable attention: timestep-independent semantic kernels (MLS, §2.2)."""

from longsum.core.kernels.fitted import Head, Multiplex
from longsum.core.kernels.kernel import Kernel, KeywordKernel, RedundancyKernel, TopicKernel
from longsum.core.kernels.kernel_attention import Attention, combine, normalize

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
