"""From arrays to the library's tables of problems: pointers and strides, no copies.

Everything that does not depend on where the arrays stand is a Layout, made once for arrays of the
same shapes, strides and types. Its tables are unsigned words, a row for each problem. A column of
pointers holds how far each problem is behind the first; binding adds where the arrays begin. (Sums
of unsigned words wrap, so strides may be negative.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _library as C
from ._arrays import NUMBERS, OUTPUT, SCORES, Dense, Numbers, address_of, give, give_numbers, whole_numbers
from ._lengths import check_length, completed, fronts, infer_lengths, read_lengths
from .errors import BadArgument

# tz_problem as words
_LENGTHS, _SCORES, _INPUTS, _FACTS, _FACT_COUNT, _DIRECTION, _NUMBERS, _PROBLEM_WORDS = range(8)

_MOST_LAYOUTS, _MOST_FRAMES = 1024, 8


def _table(columns: Sequence[tuple[list[bytes], int]], count: int, words: int) -> np.ndarray:
    """uint64 [count, columns, words] from pairs: records, one for all problems or one each; and how
    many bytes the data moves on from problem to problem."""
    table = np.empty((count, len(columns), words), "u8")
    for c, (records, step) in enumerate(columns):
        table[:, c] = np.frombuffer(b"".join(records), "u8").reshape(-1, words)
        table[:, c, 0] += (np.arange(count) * step).view("u8")
    return table


def _rows(table: np.ndarray) -> Any:
    """The address of each row."""
    return address_of(table) + np.arange(len(table), dtype="u8") * table.strides[0]


def length_form(rules: Any, lengths: Any, scores: Mapping[str, Any]) -> tuple[Any, np.ndarray | None]:
    """The key of a layout for the lengths that were given or that the scores tell, and the lengths
    that change from call to call: int32 [1 or B, lengths]."""
    if lengths is None or type(lengths) is int:
        return lengths, None
    known = rules.lengths
    lengths = completed(rules, lengths, scores)
    if type(lengths) is dict and len(lengths) == len(known) and all(n in lengths for n in known):
        values = [lengths[name] for name in known]
        if all(type(value) is int for value in values):
            for value in values:
                check_length(value)
            return (None, *values), None
        if len(values) == 1:
            lengths = values[0]
    if type(lengths) is list:
        lengths = whole_numbers(lengths, "lengths")
    if type(lengths) is np.ndarray and lengths.dtype.kind in "iu" and lengths.size:
        if lengths.ndim > 0 and lengths.shape[1:] == ((len(known),) if len(known) > 1 else ()):
            return _batch_form(lengths, len(known))
    table, batch = read_lengths(rules, lengths)
    if len(table) and (table == table[0]).all():
        return (batch, *table[0].tolist()), None
    return (batch,), table


def _batch_form(lengths: np.ndarray, known: int) -> tuple[Any, np.ndarray | None]:
    """The same for an array [B] or [B, known]."""
    least, most = int(np.minimum.reduce(lengths, None)), int(np.maximum.reduce(lengths, None))
    check_length(least)
    check_length(most)
    if least == most:
        return (len(lengths), *[most] * known), None
    if known == 1 or not (lengths == lengths[0]).all():
        return (len(lengths),), lengths.astype(np.int32).reshape(-1, known)
    return (len(lengths), *lengths[0].tolist()), None


class Layout:
    """The shapes of a problem or a batch. form, table: from length_form."""

    def __init__(
        self,
        rules: Any,
        given: Mapping[str, Any],
        numbers: Mapping[str, Numbers],
        form: Any,
        table: np.ndarray | None,
    ) -> None:
        every = {**given, **numbers}
        counts = {name: one.count for name, one in every.items() if one.count is not None}
        #: May the lengths be others in the next call?
        self.moves = table is not None
        if isinstance(form, tuple) and form[0] is not None:
            counts["lengths"] = form[0]
        if len(set(counts.values())) > 1:
            of_each = ", ".join(f"{name} {count}" for name, count in counts.items())
            raise BadArgument(f"the batch has different sizes: {of_each} problems")
        #: The number of problems; None of a single one, without a batch axis.
        self.batch: int | None = next(iter(counts.values()), None)
        self.count = 1 if self.batch is None else self.batch
        self.lists = any(one.list is not None for one in given.values())
        if form is None:
            table = infer_lengths(rules, every, self.count)
        elif table is None:
            of_all = isinstance(form, tuple)
            table = np.array([form[1:]], np.int32) if of_all else read_lengths(rules, form)[0]
        #: int32 [count, lengths]
        self.lengths = np.repeat(table, self.count, axis=0) if len(table) == 1 else table.copy()
        of_arrays = self.lengths if self.lists or not self.moves else self.lengths[:0]
        #: Of each weight: how many positions its array, or each of a list, lacks in front.
        self.fronts = {name: fronts(rules, one, of_arrays) for name, one in given.items()}
        #: The names of all weights; those that no rule uses need not be given.
        self.weights = tuple(rules.weights)
        self.scores = _table(
            [
                (given[name].records(self.fronts[name]), given[name].step())
                if name in given
                else ([bytes(SCORES.size)], 0)
                for name in self.weights
            ],
            self.count,
            SCORES.size // 8,
        )
        known = None if self.moves else table
        apart = self.lists or (self.moves and len(numbers) > 0)
        self._full = None if apart else _full(rules, given, known)
        #: Of each weight's answer: the shape, or one for each problem of a list, with what it lacks in
        #: front, where the library writes, too; and its tz_outputs.
        self.shapes = {
            name: _whole(one.shapes(self.batch), self.fronts[name]) for name, one in given.items()
        }
        self.outputs = _table(
            [
                self._output(self.shapes[name]) if name in given else ([bytes(OUTPUT.size)], 0)
                for name in self.weights
            ],
            self.count,
            OUTPUT.size // 8,
        )
        self._frames: list[Frame] = []

    def _output(self, shape: Any) -> tuple[list[bytes], int]:
        if isinstance(shape, list):
            return [_output_record(one) for one in shape], 0
        if self.batch is None:
            return [_output_record(shape)], 0
        return [_output_record(shape[1:])], 8 * int(np.prod(shape[1:]))

    def exact(self, lengths: np.ndarray) -> bool:
        """Does every answer fill its array? Not if arrays are larger than the rules need."""
        if self._full is None or not self.moves:
            return self._full is not None
        return bool((lengths == self._full).all())

    def take_frame(self) -> Frame:
        """A frame that no other call uses."""
        try:
            return self._frames.pop()
        except IndexError:
            return Frame(self)

    def give_frame(self, frame: Frame) -> None:
        if len(self._frames) < _MOST_FRAMES:
            self._frames.append(frame)


def _full(
    rules: Any, given: Mapping[str, Any], table: np.ndarray | None
) -> np.ndarray | None:
    """The lengths, int32 [1, lengths], that need arrays exactly as large as these: those of the
    table, if it is given; None if there are none."""
    try:
        full = infer_lengths(rules, given, 1) if table is None else table[:1]
    except BadArgument:
        return None
    for name, one in given.items():
        whole = rules._dense_shape(name, full[0])
        lacks = [fronts(rules, one, full)[0], one.extents(0)]
        if tuple(map(sum, zip(*lacks))) != whole:
            return None
    return full


class Frame:
    """A layout's tables, used by one call after the other. Where the scores begin changes, and
    perhaps the lengths; all else stays."""

    def __init__(self, layout: Layout) -> None:
        self._scores = layout.scores.copy()
        self._offsets, self._data = layout.scores[:, :, 0], self._scores[:, :, 0]
        self._lists = layout.lists
        self.pointers: list[Any] = []
        #: int32 [count, lengths]
        self.lengths = layout.lengths.copy() if layout.moves else layout.lengths
        self.problems = np.zeros((layout.count, _PROBLEM_WORDS), "u8")
        self.problems[:, _LENGTHS] = _rows(self.lengths)
        self.problems[:, _SCORES] = _rows(self._scores)
        self.address = address_of(self.problems)

    def point(self, pointers: list[Any]) -> None:
        """Sets where each array begins, or each array of a list."""
        np.add(self._offsets, _begins(pointers, self._lists, len(self._data)), self._data)
        self.pointers = pointers

    def bytes(self) -> int:
        return self._scores.nbytes + self.problems.nbytes


def _whole(shape: Any, fronts: list[tuple[int, ...]]) -> Any:
    """A shape, or one for each problem of a list, with the positions that it lacks in front."""
    if isinstance(shape, list):
        return [_whole(one, [front]) for one, front in zip(shape, fronts)]
    own = len(shape) - len(fronts[0])
    return (*shape[:own], *[extent + lacks for extent, lacks in zip(shape[own:], fronts[0])])


def _output_record(shape: tuple[int, ...]) -> bytes:
    strides = [1] * C.MAX_RANK
    for d in range(len(shape) - 1, 0, -1):
        strides[d - 1] = strides[d] * max(shape[d], 1)
    return OUTPUT.pack(0, *strides)


def _begins(pointers: list[Any], lists: bool, count: int) -> np.ndarray:
    """uint64 [weights], or [count, weights] of lists: where arrays begin."""
    if not lists:
        return np.array(pointers, "u8")
    table = np.empty((count, len(pointers)), "u8")
    for w, pointer in enumerate(pointers):
        table[:, w] = np.array(pointer, "u8")
    return table


def pointed(table: np.ndarray, pointers: list[Any], lists: bool) -> np.ndarray:
    """A copy of a layout's table for arrays that begin there."""
    table = table.copy()
    table[:, :, 0] += _begins(pointers, lists, len(table))
    return table


def place(rules: Any, scores: Mapping[str, Any]) -> tuple[Any, list[int]]:
    """The key of a layout, with the lengths that were given, and where the arrays begin; None if it
    is not to be kept."""
    names = rules._dense
    if names is None or len(scores) != len(names):
        return None, []
    key: tuple[Any, ...] = ()
    pointers: list[int] = []
    for name in names:
        array = scores.get(name)
        if type(array) is not np.ndarray:
            return None, []
        pointer = address_of(array)
        pointers.append(pointer)
        key += (array.shape, array.strides, array.dtype, pointer % 8)
    return key, pointers


class Problems:
    """A problem or a batch, bound: what the library reads, and the objects that own it."""

    def __init__(self, rules: Any, scores: Mapping[str, Any], lengths: Any) -> None:
        self.rules = rules
        self._kept: list[Any] = [scores]
        pointers: list[Any]
        key, pointers = place(rules, scores)
        form, table = length_form(rules, lengths, scores)
        key = None if key is None else (form, key)
        layout = rules._layouts.get(key)
        if layout is None:
            given, numbers = give(rules, scores), give_numbers(rules, scores)
            layout = Layout(rules, given, numbers, form, table)
            pointers = [given[name].pointers() if name in given else 0 for name in rules.weights]
            self._kept.append(given)
            # Not where an array was converted. (No key is made for lists and sparse weights.)
            if key is not None and all(
                isinstance(one, Dense) and one.array is scores[name] for name, one in given.items()
            ):
                if len(rules._layouts) >= _MOST_LAYOUTS:
                    rules._layouts.clear()
                rules._layouts[key] = layout
            else:
                key = None
        #: What the layout is kept under; None if it is not.
        self.key = key
        self.layout: Layout = layout
        self.batch, self.count = layout.batch, layout.count
        self.frame = layout.take_frame()
        self.frame.point(pointers)
        if table is not None:
            self.frame.lengths[...] = table
        self.lengths = self.frame.lengths
        #: The problems, where they are others than the frame's.
        self._own: np.ndarray | None = None
        if rules.inputs:
            self._set_numbers(numbers)

    def set_inputs(self, inputs: Sequence[Mapping[str, Any] | None]) -> np.ndarray:
        """The semiring's inputs, a mapping from weights to arrays each (None: not given). Returns
        the table of their tz_scores."""
        table = self._beside(inputs)
        self._records()[:, _INPUTS] = _rows(table)
        return table

    def set_direction(self, direction: Mapping[str, Any]) -> None:
        """Sets the direction in which the scores move: arrays of some or all weights."""
        self._records()[:, _DIRECTION] = _rows(self._beside([direction]))

    def _beside(self, mappings: Sequence[Mapping[str, Any] | None]) -> np.ndarray:
        """The tz_scores of arrays beside the scores, kept alive."""
        columns: list[tuple[list[bytes], int]] = []
        pointers: list[Any] = []
        for mapping in mappings:
            given = give(self.rules, mapping or {}, partly=True)
            self._kept.append(given)
            for name in self.rules.weights:
                if name not in given:
                    columns.append(([bytes(SCORES.size)], 0))
                    pointers.append(0)
                    continue
                if given[name].count not in (None, self.batch):
                    raise BadArgument(
                        f"{name}: a batch of {given[name].count} beside one of {self.batch}"
                    )
                rows = self.lengths if given[name].list is not None else self._same_lengths()
                columns.append((given[name].records(fronts(self.rules, given[name], rows)), given[name].step()))
                pointers.append(given[name].pointers())
        table = _table(columns, self.count, SCORES.size // 8)
        table[:, :, 0] += _begins(pointers, True, self.count)
        self._kept.append(table)
        return table

    def _same_lengths(self) -> np.ndarray:
        """The lengths of all problems, int32 [1, lengths]; [0, lengths] where they differ."""
        same = self.count > 0 and bool((self.lengths == self.lengths[0]).all())
        return self.lengths[: 1 if same else 0]

    def _set_numbers(self, given: Mapping[str, Numbers]) -> None:
        columns: list[tuple[list[bytes], int]] = []
        pointers: list[Any] = []
        for name in self.rules.inputs:
            there = name in given
            columns.append((given[name].records(), given[name].step()) if there else ([bytes(NUMBERS.size)], 0))
            pointers.append(given[name].pointers() if there else 0)
        table = _table(columns, self.count, NUMBERS.size // 8)
        table[:, :, 0] += _begins(pointers, True, self.count)
        self._records()[:, _NUMBERS] = _rows(table)
        self._kept.append((given, table))

    def set_facts(self, b: int, facts: int, count: int) -> None:
        records = self._records()
        records[b, _FACTS], records[b, _FACT_COUNT] = facts, count

    def _records(self) -> np.ndarray:
        if self._own is None:
            self._own = self.frame.problems.copy()
        return self._own

    def address(self, b: int = 0) -> int:
        """The address of the tz_problem b."""
        first = self.frame.address if self._own is None else address_of(self._own)
        return first + b * _PROBLEM_WORDS * 8

    def with_scores(self, first: int, step: int) -> np.ndarray:
        """The tz_problems with other scores, those of problem b at first + b * step, and without
        the semiring's inputs."""
        records = self._records().copy()
        records[:, _SCORES] = first + np.arange(self.count, dtype="u8") * step
        records[:, _INPUTS] = 0
        return records

    def done(self) -> None:
        """Gives the tables back: no call reads the problems any more."""
        self.layout.give_frame(self.frame)
