"""Interpretable attention: timestep-independent semantic kernels (MLS, §2.2)."""

from longsum.core.kernels.kernel import Kernel
from longsum.core.kernels.kernel_attention import Attention, combine, normalize
from longsum.core.kernels.keyword_kernel import KeywordKernel
from longsum.core.kernels.multiplex import Head, Multiplex
from longsum.core.kernels.redundancy_kernel import RedundancyKernel
from longsum.core.kernels.topic_kernel import TopicKernel

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
