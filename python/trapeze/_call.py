"""Calls of tz_run that fill arrays. A call that asks for nothing else is kept with everything that
it was made from, and repeated for the next problems of the same shapes. Little Python is left to
run then, for it is expensive: the engine has filled the caches, and each step of the interpreter is
fetched anew."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from ctypes import byref
from typing import Any, NamedTuple

import numpy as np

from . import _library as C
from ._arrays import address_of
from ._bind import Frame, Layout, Problems, pointed
from ._plan import Plan, Run, Semiring
from ._watch import Progress
from .results import Result

# Of the calls that wait to be made again; of the objects of one, without tables and arrays.
_MOST_BYTES, _OBJECTS = 1 << 27, 1 << 13

# Without counts of references no array is known to be unused: NaN equals nothing.
_references: Callable[[Any], float] = getattr(sys, "getrefcount", lambda array: float("nan"))


class Wanted(NamedTuple):
    """An answer about every cell."""

    #: What Result calls it, and tz_answers.
    name: str
    member: str
    #: What stands where there is no derivation.
    none: float


class Arrays:
    """Arrays for all answers about every cell, and the tz_outputs that point to them. They are
    given out as views, and used again once nothing else refers to them: fresh memory of a batch's
    size can cost the system more than the batch costs the engine."""

    def __init__(self, layout: Layout, wanted: Sequence[Wanted]) -> None:
        self._answers = [
            (one.name, one.none, [(w, _new(shape, one.none)) for w, shape in layout.shapes.items()])
            for one in wanted
        ]
        self._fronts = layout.fronts
        self._all = [array for _, _, arrays in self._answers for _, array in arrays]
        self._tables = [
            pointed(layout.outputs, [_begin(of.get(name)) for name in layout.weights], layout.lists)
            for of in [dict(arrays) for _, _, arrays in self._answers]
        ]
        #: The members of tz_answers.
        self.members = [
            (one.member, address_of(table)) for one, table in zip(wanted, self._tables)
        ]
        self._own_references = sum(map(_references, self._all))

    def give(self, result: Result, exact: bool, new: bool = False) -> bool:
        """Makes them a result's, about to be filled (every cell, if exact). Refuses if something
        refers to them already."""
        if not new and sum(map(_references, self._all)) != self._own_references:
            return False
        for name, none, arrays in self._answers:
            given = {}
            for weight, array in arrays:
                whole = array.view() if exact else _cleared(array, none)
                given[weight] = _without(whole, self._fronts[weight])
            setattr(result, name, given)
        return True

    def bytes(self) -> int:
        return sum(array.nbytes for array in (*self._all, *self._tables))


def of_problem(arrays: Any, b: int | None) -> np.ndarray:
    """Problem b's part of a batch's array or list of arrays; b None: the array itself."""
    if b is None:
        return arrays
    return arrays[b] if isinstance(arrays, list) else arrays[b, ...]


def _new(shape: Any, none: float) -> Any:
    if isinstance(shape, list):
        return [np.full(one, none) for one in shape]
    return np.empty(shape)


def _begin(array: Any) -> Any:
    """Where an array, or each array of a list, begins; 0 for None."""
    if array is None:
        return 0
    return [address_of(one) for one in array] if isinstance(array, list) else address_of(array)


def _cleared(array: Any, none: float) -> Any:
    """Fills an array of which the library does not write every cell. A list's are new anyway."""
    if isinstance(array, list):
        return array
    array.fill(none)
    return array.view()


def _without(array: Any, fronts: list[tuple[int, ...]]) -> Any:
    """An array, or each of a list, without the positions in front that were not asked for."""
    if isinstance(array, list):
        return [_without(one, [front]) for one, front in zip(array, fronts)]
    if not any(fronts[0]):
        return array
    return array[(..., *[slice(lacks, None) for lacks in fronts[0]])]


class Call:
    """A call of tz_run that fills arrays; visit: the address of a tz_visit, or a _library.Visit."""

    def __init__(
        self,
        problems: Problems,
        plan: Plan,
        wanted: Sequence[Wanted],
        outside: bool,
        threads: int,
        visit: Any = C.ANSWER,
        progress: Progress | None = None,
    ) -> None:
        self._layout, self.batch, self._semiring = problems.layout, problems.batch, plan.semiring
        self._frame: Frame = problems.frame
        self._other_frame: Frame | None = None
        self._value = np.empty(problems.count)
        self._read = _reader(self._value, plan.semiring, self.batch is None)
        self._answers = C.TzAnswers(value=address_of(self._value))
        user = byref(self._answers)
        self._run = Run(
            plan, problems.address(), problems.count, visit, user, outside, threads, progress
        )
        self._wanted = wanted
        self._arrays = Arrays(self._layout, wanted)
        self._other_arrays: Arrays | None = None
        self._point()

    def fill_numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of each element, [count, numbers], and how many each has."""
        numbers = np.tile(self._semiring.of_zero, (len(self._value), 1))
        of_each = np.zeros(len(self._value), np.uintp)
        self._answers.values, self._answers.number = address_of(numbers), address_of(of_each)
        return numbers, of_each

    def _point(self) -> None:
        for member, address in self._arrays.members:
            setattr(self._answers, member, address)

    def _turn(self, result: Result, exact: bool) -> None:
        """Gives out the other arrays, or new ones if those are in use as well. A caller that drops
        each result before it asks for the next gets the same arrays each time; one that drops it
        afterwards gets two in turn."""
        used, unused = self._arrays, self._other_arrays
        if unused is None or not unused.give(result, exact):
            unused = Arrays(self._layout, self._wanted)
            unused.give(result, exact, True)
        self._arrays, self._other_arrays = unused, used
        self._point()

    def _move(self, pointers: list[int]) -> None:
        """Moves to other scores, which also often stand in two places in turn."""
        self._frame, self._other_frame = self._other_frame or Frame(self._layout), self._frame
        if pointers != self._frame.pointers:
            self._frame.point(pointers)
        self._run.problems.value = self._frame.address

    def __call__(
        self,
        result: Result,
        pointers: list[int] | None = None,
        lengths: np.ndarray | None = None,
        impossible: Sequence[int] = (),
    ) -> None:
        """Sets a result's answers. pointers: where the scores begin, in a repeated call; lengths:
        int32 [1 or B, lengths], if they may differ. impossible: problems without a derivation that
        agrees with the required facts, of which the engine does not know."""
        if pointers is not None and pointers != self._frame.pointers:
            self._move(pointers)
        if lengths is not None:
            self._frame.lengths[...] = lengths
        if self._wanted:
            exact = self._layout.exact(self._frame.lengths)
            if not self._arrays.give(result, exact):
                self._turn(result, exact)
        self._run()
        for b in impossible:
            self._value[b] = self._semiring.none
            for name, _, none in self._wanted:
                for array in getattr(result, name).values():
                    of_problem(array, None if self.batch is None else b)[...] = none
        result.value = self._read()

    def bytes(self) -> int:
        """Its memory with all arrays that it may come to have."""
        return _OBJECTS + 2 * (self._frame.bytes() + self._arrays.bytes())


def _reader(values: np.ndarray, semiring: Semiring, single: bool) -> Callable[[], Any]:
    """A function that reads values as numbers, counts or truths, for a batch or a single problem."""
    if semiring.gives == C.GIVES_TRUTH:
        return lambda: bool(values[0]) if single else values.astype(bool)
    if semiring.whole and single:
        return lambda: int(values[0])
    if single:
        return values.item
    return values.copy


class Calls:
    """Calls kept to be repeated, by what they ask of which problems."""

    def __init__(self) -> None:
        self.waiting: dict[Any, list[Call]] = {}
        self._bytes = 0

    def keep(self, key: Any, call: Call) -> None:
        """Keeps one more; all others go when they hold too much memory."""
        self._bytes += call.bytes()
        if self._bytes > _MOST_BYTES:
            self.waiting, self._bytes = {}, call.bytes()
        self.waiting.setdefault(key, []).append(call)
