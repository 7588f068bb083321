"""Interpretable attention: timestep-independent semantic kernels (MLS, §2.2)."""

from longsum.kernels.kernel import Kernel
from longsum.kernels.kernel_attention import Attention, combine, normalize
from longsum.kernels.keyword_kernel import KeywordKernel
from longsum.kernels.multiplex import Head, Multiplex
from longsum.kernels.redundancy_kernel import RedundancyKernel
from longsum.kernels.topic_kernel import TopicKernel

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
