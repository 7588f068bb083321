"""Types of NumPy arrays, by what they hold."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int32]
"""Token ids, and positions in what holds no more than a document."""
Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
"""Positions, counts or levels."""
Vectors = NDArray[np.float16]
"""Embeddings that are kept in files."""
