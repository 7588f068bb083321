"""Types of NumPy arrays by content."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int32]
"""Token ids, and positions within a document."""
Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
"""Positions, counts or levels."""
Vectors = NDArray[np.float16]
"""Embeddings stored in files."""
