"""Arrays for answers, on memory that has served before.

Fresh memory of a batch's size costs the system more than the batch costs the engine. An array is
given out as a view of one that is kept here, and given out again once nothing else refers to that."""

from __future__ import annotations

import collections
import math
import sys

import numpy as np

_LEAST, _MOST = 1 << 13, 1 << 21  # doubles; less is cheap, more is not worth keeping
_KEPT = 4

# A base is taken out while it is looked at: no two threads look at the same.
_bases: collections.deque[np.ndarray] = collections.deque()


def _unused(size: int) -> np.ndarray:
    """A base of this size that nothing refers to, taken out; new if there is none."""
    for _ in range(len(_bases)):
        try:
            base = _bases.popleft()
        except IndexError:
            break
        if base.size == size and sys.getrefcount(base) == 2:  # `base`, and the argument
            return base
        _bases.append(base)
    return np.empty(size)


def empty(shape: tuple[int, ...]) -> np.ndarray:
    """A float64 array that holds anything."""
    size = math.prod(shape)
    if not _LEAST <= size <= _MOST or not hasattr(sys, "getrefcount"):
        return np.empty(shape)
    base = _unused(size)
    array = base.reshape(shape)
    _bases.append(base)
    if len(_bases) > _KEPT:
        _bases.popleft()
    return array
