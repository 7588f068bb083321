"""How much memory PyTorch's tensors take at most, counted without computing anything.

Tensors without values (`FakeTensorMode`) have the sizes and lifetimes of real ones, so a model of
any size runs on any machine. The count is what a perfect allocator would need: fragmentation,
libraries' workspaces and the context of a GPU (about half a gigabyte) come on top.
"""

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from longsum.models.attention.encoder_attention import EncoderAttention, Inputs, PatternAttention

_ANY = (torch.ops.aten.any.default, torch.ops.aten.any.dim)
_VALUE = torch.ops.aten._local_scalar_dense.default


def peak_without_computing(work: Callable[[], object]) -> int:
    """Return the peak of bytes that tensors hold while something runs on the CPU.

    Args:
        work: The function to run; only tensors that it creates are counted.
    """
    with FakeTensorMode(), Counting() as counting:
        work()
    return counting.peak


class Counting(TorchDispatchMode):
    """Counts the bytes of tensors created in it, while they are alive.

    A mask without values cannot say whether all of it is True, or any: nothing is padded here and
    nothing is global, so the answers are yes and no.

    Attributes:
        alive: Bytes currently held.
        peak: The most bytes held at once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.alive = self.peak = 0
        self._held: set[int] = set()
        self._denied: set[int] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run an operation, and count its outputs."""
        if func is _VALUE and isinstance(args[0], FakeTensor) and args[0].dtype == torch.bool:
            return args[0].untyped_storage()._cdata not in self._denied
        made = func(*args, **(kwargs or {}))
        for each in tree_leaves(made):
            if isinstance(each, Tensor):
                self._count(each.untyped_storage())
        if func in _ANY:
            self._denied.add(made.untyped_storage()._cdata)
        return made

    def _count(self, storage: torch.UntypedStorage) -> None:
        key = storage._cdata
        if key in self._held:
            return
        self._held.add(key)
        weakref.finalize(storage, self._release, key, storage.nbytes())
        self.alive += storage.nbytes()
        self.peak = max(self.peak, self.alive)

    def _release(self, key: int, size: int) -> None:
        self._held.discard(key)
        self._denied.discard(key)
        self.alive -= size


class KernelShaped(EncoderAttention):
    """Holds the tensors of a window in a GPU's kernel: queries, keys, values, results and log-sums.

    FlexAttention's kernels run only on a GPU; its code for a CPU goes through each tile. PyTorch's
    fused full attention for a CPU holds the same tensors, whatever each token sees.
    """

    def attend(self, given: Inputs) -> Tensor:
        """Attend to all, `[b, h, n, d]`."""
        kernel = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
        read: Tensor = kernel(*given[:3])[0]
        return read


def shape_as_kernels(model: nn.Module) -> nn.Module:
    """Replace fixed patterns in a model by `KernelShaped`."""
    for module in model.modules():
        for name, child in module.named_children():
            if isinstance(child, PatternAttention):
                setattr(module, name, KernelShaped())
    return model
