"""Arrays for answers, on memory that has served before.

Fresh memory of a batch's size costs the system more than the batch costs the engine. An array is
given out as a view of one that is kept here, and given out again once nothing else refers to that."""

from __future__ import annotations

import collections
import math
import sys

import numpy as np

from ._arrays import address_of

_LEAST, _MOST = 1 << 13, 1 << 21  # doubles; less is cheap, more is not worth keeping
_KEPT = 4

# Arrays and where they begin. One is taken out while it is looked at: no two threads look at the
# same.
_bases: collections.deque[tuple[np.ndarray, int]] = collections.deque()


def _unused(size: int) -> tuple[np.ndarray, int]:
    """An array of this size that nothing refers to, taken out, the last one used if it can be, which
    caches know; new if there is none."""
    for _ in range(len(_bases)):
        try:
            kept = _bases.pop()
        except IndexError:
            break
        # Referred to by the pair, and as the argument.
        if kept[0].size == size and sys.getrefcount(kept[0]) == 2:
            return kept
        _bases.appendleft(kept)
    array = np.empty(size)
    return array, address_of(array)


def empty(shape: tuple[int, ...]) -> tuple[np.ndarray, int]:
    """A float64 array that holds anything, and where it begins."""
    size = math.prod(shape)
    if not _LEAST <= size <= _MOST or not hasattr(sys, "getrefcount"):
        array = np.empty(shape)
        return array, address_of(array)
    base, address = kept = _unused(size)
    _bases.append(kept)
    if len(_bases) > _KEPT:
        _bases.popleft()
    return base.reshape(shape), address
