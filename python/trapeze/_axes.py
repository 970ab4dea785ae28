"""Arrays that get longer, or shorter, with a length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .errors import BadArgument

if TYPE_CHECKING:
    from ._ruleset import Box, RuleSet

Row = tuple[int, ...]


class Axis(NamedTuple):
    """How the array of a dense weight or an input grows with a length."""

    #: The first dimension that runs to it.
    dimension: int
    #: Others do, too, or position 0 comes to hold another index: the whole array is to be given.
    whole: bool


class Placed(NamedTuple):
    """An array, and the index that its position 0 holds."""

    array: np.ndarray
    first: Row

    @property
    def end(self) -> Row:
        return _sum(self.first, self.array.shape)


_FAR = 99  # so long that no bound, such as 2 <= i, leaves a domain empty, in all likelihood
_MOST_KNOWN = 1024


def _sum(one: Sequence[int], other: Sequence[int]) -> Row:
    return tuple([a + b for a, b in zip(one, other)])


def _longer_by(lengths: Row, l: int, count: int) -> Row:
    return (*lengths[:l], lengths[l] + count, *lengths[l + 1 :])


def _grows(one: Box, other: Box) -> tuple[list[int], list[int]]:
    """The dimensions in which another box begins before this one, and those in which it ends behind it."""
    every = range(len(one.origin))
    low = [q for q in every if other.origin[q] < one.origin[q]]
    return low, [q for q in every if other.end[q] > one.end[q]]


# ---- How arrays grow -----------------------------------------------------------------------------


def axes_of(rules: RuleSet, lengths: Row, l: int) -> dict[str, Axis]:
    """Which arrays grow from these lengths with length number l. Sessions come back to the same ones."""
    axes = rules._axes.get((lengths, l))
    if axes is None:
        if len(rules._axes) >= _MOST_KNOWN:
            rules._axes.clear()
        found = {name: _axis(rules, name, lengths, l) for name in (*rules.weights, *rules.inputs)}
        axes = rules._axes[lengths, l] = {name: axis for name, axis in found.items() if axis}
    return axes


def _axis(rules: RuleSet, name: str, lengths: Row, l: int) -> Axis | None:
    dimensions: set[int] = set()
    shifts = False
    for more in {0, max(0, _FAR - lengths[l])}:
        one, other = (rules._box(name, _longer_by(lengths, l, more + i)) for i in (0, 1))
        dimensions.update(*_grows(one, other))
        shifts |= one.origin != other.origin
    return Axis(min(dimensions), shifts or len(dimensions) > 1) if dimensions else None


def lacks(rules: RuleSet, name: str, before: Row, after: Row) -> bool:
    """Are there cells for lengths that are longer that the array has not?"""
    return any(_grows(rules._box(name, before), rules._box(name, after)))


def new_positions(
    rules: RuleSet, given: dict[str, np.ndarray], axes: dict[str, Axis], lengths: Row, l: int
) -> int:
    """By how much a length grows with these arrays: by the least that all of them fit."""
    told = {
        1 if array.ndim < rules._rank(name) else array.shape[axes[name].dimension]
        for name, array in given.items()
        if not axes[name].whole
    }
    if len(told) > 1:
        raise BadArgument(f"arrays of {' and '.join(map(str, sorted(told)))} new positions")
    if 0 in told:
        raise BadArgument("there is no new position")
    wholes = {name: array.shape for name, array in given.items() if axes[name].whole}
    if not wholes:
        return told.pop() if told else 1
    most = max(map(max, wholes.values()))
    for count in told or range(1, most + _FAR):
        after = _longer_by(lengths, l, count)
        if all(front_of(rules, name, shape, lengths, after) is not None for name, shape in wholes.items()):
            return count
    after = _longer_by(lengths, l, min(told, default=1))
    wrong = [
        f"{name} has the shape {shape}; for {rules.lengths[l]} = {after[l]} it is {rules._box(name, after).extent}"
        for name, shape in wholes.items()
        if not told or front_of(rules, name, shape, lengths, after) is None
    ]
    raise BadArgument(f"{', '.join(wrong)}: what grows in several indices is given as a whole")


def front_of(rules: RuleSet, name: str, shape: Row, before: Row, after: Row) -> Row | None:
    """How many positions a whole array lacks in front, as run takes it: none, or all before the smallest
    index. None: it is no array for these lengths."""
    box = rules._box(name, after)
    room = [extent - needed for extent, needed in zip(shape, box.extent)]
    grown = {q for of in _grows(rules._box(name, before), box) for q in of}
    if len(shape) == len(room) and min(room) >= 0 and not any(room[q] for q in grown):
        return (0,) * len(shape)
    return box.front if _sum(shape, box.front) == box.extent else None


# ---- Growing -------------------------------------------------------------------------------------


def longer(
    rules: RuleSet, name: str, held: Placed, given: np.ndarray, axis: Axis, before: Row, after: Row
) -> Placed:
    """The cells for lengths that are longer: those that there were, and the new ones of what is given."""
    had, box = rules._box(name, before), rules._box(name, after)
    low, high = _grows(had, box)
    first, end = list(held.first), list(held.end)
    for q in low:
        first[q] = max(first[q], had.origin[q])
    for q in high:
        end[q] = min(end[q], had.end[q])
    old = _part(held, first, end)
    if axis.whole:
        front = front_of(rules, name, given.shape, before, after)
        assert front is not None  # new_positions has asked
        new = Placed(given, _sum(box.origin, front))
    else:
        new = _at_end(name, given, held, box, axis.dimension, sum(after) - sum(before))
    first, end = list(map(min, old.first, box.origin)), list(map(max, old.end, new.end))
    for q in high:
        end[q] = box.end[q]
    shape = [b - a for a, b in zip(first, end)]
    cells = np.full(shape, -1 if name in rules.inputs else np.nan, np.result_type(old.array, new.array))
    ret = Placed(cells, tuple(first))  # what is not given and is asked for after all is refused
    for one in (old, new) if axis.whole else (new, old):
        _at(one, ret)[...] = one.array
    if axis.whole:
        _keep(rules, name, old, ret, before)
    return ret


def exact(rules: RuleSet, name: str, held: Placed, lengths: Row, alone: bool) -> np.ndarray:
    """The array that lengths ask for; alone: of the domain alone."""
    box = rules._box(name, lengths)
    first, end = list(box.least if alone else box.origin), list(box.end)
    for q, extent in enumerate(box.extent):
        if extent == 0:
            first[q] = end[q] = held.first[q]
        elif first[q] < held.first[q] or end[q] > held.end[q]:
            given, asked = (f"{a} to {b - 1}" for a, b in ((held.first[q], held.end[q]), (first[q], end[q])))
            of = ", ".join(f"{length} = {n}" for length, n in zip(rules.lengths, lengths))
            raise BadArgument(f"{name}'s dimension {q} was given for {given}; {of} asks for {asked}")
    return _part(held, first, end).array


def _at_end(name: str, given: np.ndarray, held: Placed, box: Box, at: int, count: int) -> Placed:
    """What stands at the last positions, with or without their dimension. In the others it is as long as
    the lengths ask for, with or without what is never read, or as what is held."""
    part = np.expand_dims(given, at) if given.ndim < len(box.extent) else given
    first = list(box.origin)
    first[at] += max(0, box.extent[at] - count)
    part = part[(slice(None),) * at + (slice(max(0, count - box.extent[at]), None),)]
    for q, extent in enumerate(part.shape):
        if q == at:
            continue
        if extent == held.array.shape[q]:
            first[q] = held.first[q]
        elif extent == box.extent[q] - box.front[q]:
            first[q] += box.front[q]
        elif extent != box.extent[q]:
            wanted = tuple([count if d == at else e for d, e in enumerate(box.extent)])
            one = wanted[:at] + wanted[at + 1 :]
            raise BadArgument(
                f"{name}: what stands at a new position has the shape {one}, at {count} of them {wanted}, "
                f"not {given.shape}"
            )
    return Placed(part, tuple(first))


def _part(of: Placed, first: Sequence[int], end: Sequence[int]) -> Placed:
    cut = [slice(a - o, max(a, b) - o) for a, b, o in zip(first, end, of.first)]
    return Placed(of.array[tuple(cut)], tuple(first))


def _at(part: Placed, to: Placed) -> np.ndarray:
    """What an array has where a part of it stands."""
    sides = zip(part.first, to.first, part.array.shape)
    return to.array[tuple([slice(a - o, a - o + extent) for a, o, extent in sides])]


def _keep(rules: RuleSet, name: str, old: Placed, to: Placed, lengths: Row) -> None:
    """Copies what was declared for these lengths. What is the same already, as a rule all, is not asked for
    one by one."""
    target = _at(old, to)
    cells, bits = old.array.astype(target.dtype, copy=False), f"i{target.itemsize}"
    for at in np.argwhere(cells.view(bits) != target.view(bits)).tolist():
        if rules._declared(name, lengths, _sum(old.first, at)):
            target[tuple(at)] = cells[tuple(at)]
