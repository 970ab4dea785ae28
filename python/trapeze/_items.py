"""A number for each item of a name: values, marginals, and the values of derivations that use it."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref
from typing import Any

import numpy as np

from . import _library as C
from ._ask import Question
from ._bind import Problems
from ._call import of_problem
from .errors import BadArgument


class Whole:
    """One answer about items, in arrays that the library fills problem by problem. A batch has one
    array with the batch in front, as large as its largest problem, or a list where scores came so.
    The function is asked about first + the number of an item."""

    def __init__(
        self,
        name: str,
        function: Any,
        first: int,
        problems: Problems,
        items: Sequence[str],
        none: float,
    ) -> None:
        #: What Result calls it.
        self.name = name
        self._function, self._first = function, first
        self._none, self._single = none, problems.batch is None
        self._items = [problems.rules.item(item) for item in items]
        self.arrays: dict[str, Any] = {}
        for item, number in zip(items, self._items):
            shapes = _shapes(problems, number)
            if problems.layout.lists:
                self.arrays[item] = [np.full(shape, none) for shape in shapes]
            else:
                largest = tuple(map(max, zip(*shapes)))
                batch = () if self._single else (problems.count,)
                self.arrays[item] = np.full((*batch, *largest), none)

    def fill(self, problem: int, chart: int, lane: int) -> None:
        for number, arrays in zip(self._items, self.arrays.values()):
            array = self._own(arrays, problem)
            strides = [step // array.itemsize for step in array.strides]
            output = C.TzOutput(array.ctypes.data, (C.c_ssize_t * C.MAX_RANK)(*strides))
            status = self._function(chart, lane, self._first + number, byref(output))
            if status != C.NONE:
                C.check(status)

    def clear(self, problems: Sequence[int]) -> None:
        """Clears the problems that have no derivation, of which the engine does not know."""
        for b in problems:
            for arrays in self.arrays.values():
                self._own(arrays, b)[...] = self._none

    def _own(self, arrays: Any, problem: int) -> np.ndarray:
        return of_problem(arrays, None if self._single else problem)


def _shapes(problems: Problems, item: int) -> list[tuple[int, ...]]:
    """The shape for each problem; problems of the same lengths have the same."""
    known: dict[bytes, tuple[int, ...]] = {}
    for row in problems.lengths:
        if row.tobytes() not in known:
            known[row.tobytes()] = problems.rules._item_shape(item, row)
    return [known[row.tobytes()] for row in problems.lengths]


def wholes(
    problems: Problems, items: Sequence[str], none: float, marginals: bool, through: bool
) -> list[Whole]:
    """The answers about items that are asked for. none: the value where there is no derivation."""
    if isinstance(items, str):
        raise BadArgument(f"items is a list of names: items=[{items!r}]")
    found = [Whole("items", C.lib.tz_items, 0, problems, items, none)]
    if marginals:
        found.append(Whole("item_marginals", C.lib.tz_marginals, C.ITEM, problems, items, 0.0))
    if through:
        found.append(Whole("item_through", C.lib.tz_through, C.ITEM, problems, items, none))
    return found


def ask(wholes: Sequence[Whole]) -> Question:
    def fill(problem: int, chart: int, lane: int) -> None:
        for whole in wholes:
            whole.fill(problem, chart, lane)

    return fill
