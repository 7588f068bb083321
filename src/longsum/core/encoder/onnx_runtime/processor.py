"""What the processor computes with."""

import platform
import re
from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
# Both multiply bytes and add four products to 32 bits at once.
_EXACT = re.compile(r"\b(?:avx512_vnni|avx_vnni)\b")
_ARM = {"arm64", "aarch64"}


@cache
def multiplies_bytes() -> bool:
    """Return whether the processor adds products of bytes in 32 bits.

    Older ones for x86 add them in 16 bits, where they are cut off. Where the system does not tell
    which it is, the answer is no.
    """
    if platform.machine().lower() in _ARM:
        return True
    try:
        return _EXACT.search(_CPUINFO.read_text(encoding="ascii", errors="replace")) is not None
    except OSError:
        return False
