"""The costs of every two of a field at once, as matrices of whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tournaments.pairing.costs import Field


class Pairwise:
    """The first three criteria of :mod:`tournaments.pairing.costs` for every two numbers."""

    def __init__(self, field: Field) -> None:
        """Count them."""
        self.groups = np.array(field.groups, dtype=np.int64)
        count = len(field)
        self.repeats = np.zeros((count, count), dtype=np.int64)
        for number, others in enumerate(field.met):
            for other, times in others.items():
                self.repeats[number, other] = times
        gaps = self.groups[None, :] - self.groups[:, None]
        """How many score groups the second is below the first."""
        self.floats = gaps * gaps
        down, up = np.array(field.down), np.array(field.up)
        again = np.where(gaps > 0, down[:, None] + up[None, :], 0)
        self.again = again + again.T
        self._held = [field.excess(number, 2) for number in range(count)]

    def levels(self) -> tuple[Any, Any, Any]:
        """Return the matrices, the most important first."""
        return self.repeats, self.floats, self.again

    def seats_of_two(self) -> Any:
        """Return what the seats cost every two who have a table for themselves."""
        held = np.array(self._held, dtype=np.int64)
        one = held[:, 0][:, None] + held[:, 1][None, :]
        return np.minimum(one, one.T)
