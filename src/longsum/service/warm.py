"""Imports for workers, made once: where processes can be forked, workers are forks of one.

Nothing here starts a thread, since none would survive a fork; so ONNX Runtime is not imported yet.
"""

from longsum.common.threads import limit_blas_threads, wait_passively

# Before NumPy is imported, and invisible to the serving process.
wait_passively()
limit_blas_threads()

import tokenizers  # noqa: E402, F401  # and NumPy

import longsum.core.extractive.neural  # noqa: E402
import longsum.documents.readers.isolation.worker  # noqa: E402
import longsum.service.work  # noqa: E402, F401
