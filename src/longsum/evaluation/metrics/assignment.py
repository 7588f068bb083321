"""The cheapest one-to-one pairing (the assignment problem)."""

import numpy as np

from longsum.common.arrays import Array, Places


def cheapest_pairing(costs: Array) -> Places:
    """Return the column that each row is paired with, so that the sum of costs is smallest.

    Rows are added one by one, each along the cheapest path of exchanges, by prices that keep every
    cost left over at 0 or above (the Hungarian method with Dijkstra's search: Edmonds and Karp
    1972, Tomizawa 1971), in O(n³).

    Args:
        costs: `[n, n]`, finite.
    """
    count = len(costs)
    row_prices, column_prices = np.zeros(count), np.zeros(count)
    row_of = np.full(count, -1)
    column_of = np.full(count, -1)
    for row in range(count):
        distances = np.full(count, np.inf)
        before = np.full(count, -1)
        reached = np.zeros(count, dtype=bool)
        current, distance, column = row, 0.0, -1
        while current >= 0:
            through = distance + costs[current] - row_prices[current] - column_prices
            nearer = ~reached & (through < distances)
            distances[nearer], before[nearer] = through[nearer], current
            column = int(np.where(reached, np.inf, distances).argmin())
            distance = distances[column]
            reached[column] = True
            current = int(row_of[column])
        row_prices[row] += distance
        paired = reached & (row_of >= 0)
        row_prices[row_of[paired]] += distance - distances[paired]
        column_prices[reached] -= distance - distances[reached]
        while column >= 0:
            exchanged = before[column]
            row_of[column] = exchanged
            column_of[exchanged], column = column, int(column_of[exchanged])
    return column_of
