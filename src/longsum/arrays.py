"""Types of NumPy arrays, by what they hold."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
"""Positions, counts or levels."""
