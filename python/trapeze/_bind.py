"""From NumPy arrays to tz_problems, and arrays for the answers: pointers and strides, no copies.

A batch is the rows of one table of records (tz_scores, tz_output): the first problem's record is
written once, and repeated with the data pointer moved on by the array's stride.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from ctypes import addressof, c_char
from typing import Any

import numpy as np

from . import _library as C
from .errors import BadArgument

_SCORES = struct.Struct("=Qi4i4x4qQQ")  # tz_scores: data, type, extent, stride, index, entries
_OUTPUT = struct.Struct("=Q4q")  # tz_output: data, stride
# tz_problem as 5 words: lengths, scores, inputs, facts, fact_count
_LENGTHS, _SCORES_AT, _INPUTS, _FACTS, _FACT_COUNT, _WORDS = range(6)

_TYPES = {np.dtype(np.float64): 0, np.dtype(np.float32): 1}
_NOTHING = _SCORES.pack(0, 0, *[0] * 8, 0, 0)
_NOT_WANTED = _OUTPUT.pack(0, *[0] * 4)


def _to_scores(given: Any, what: str) -> np.ndarray:
    """An array that the library can read where it stands; else a copy as float64."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise BadArgument(f"{what}: no array ({error}); give a list of arrays for a batch") from None
    if array.dtype in _TYPES and array.flags.aligned:
        if all(step % array.itemsize == 0 for step in array.strides):
            return array
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise BadArgument(
            f"{what}: scores are float32 or float64 (integers, booleans and float16 are converted), "
            f"not {array.dtype}"
        )
    return array.astype(np.float64)


class Dense:
    """The scores of a dense weight: of one problem, a batch, or the same for all of a batch."""

    sparse = False

    def __init__(self, weight, given: Any) -> None:
        self.weight = weight
        name, rank = weight.name, weight.rank
        self.list: list[np.ndarray] | None = None
        if isinstance(given, (list, tuple)) and any(isinstance(a, np.ndarray) for a in given):
            arrays = [_to_scores(a, f"{name}, problem {b}") for b, a in enumerate(given)]
            if all(a.ndim == rank for a in arrays):
                self.list = arrays
                self.count: int | None = len(arrays)
                return
        self.array = _to_scores(given, name)
        self.count = self.array.shape[0] if self.array.ndim == rank + 1 else None
        if self.count is None and self.array.ndim != rank:
            raise BadArgument(
                f"{name} is an array of {rank} dimensions, or {rank + 1} for a batch, "
                f"not {self.array.ndim}"
            )

    def extents(self, b: int) -> tuple[int, ...]:
        """The array's shape for a problem, without the batch."""
        if self.list is not None:
            return self.list[b].shape
        return self.array.shape if self.count is None else self.array.shape[1:]

    def records(self, count: int) -> list[bytes] | tuple[bytes, int]:
        """One record for each problem; or the first, and by how many bytes the data moves on."""
        if self.list is not None:
            return [self._record(array, array.shape, array.strides) for array in self.list]
        array = self.array
        if self.count is None:
            return self._record(array, array.shape, array.strides), 0
        return self._record(array, array.shape[1:], array.strides[1:]), array.strides[0]

    @staticmethod
    def _record(array: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...]) -> bytes:
        if max(shape, default=0) > 2**31 - 1:
            raise BadArgument("an array is longer than 2^31 - 1 in some dimension")
        more = (0,) * (C.MAX_RANK - len(shape))
        size = array.itemsize
        steps = tuple([step // size for step in strides])
        return _SCORES.pack(
            array.ctypes.data, _TYPES[array.dtype], *shape, *more, *steps, *more, 0, 0
        )

    def output(self, count: int | None, fill: float) -> Any:
        """An array, or a list of them, for an answer: shaped as the scores, with the batch."""
        if self.list is not None:
            return [np.full(array.shape, fill) for array in self.list]
        shape = self.array.shape
        if count is not None and self.count is None:
            shape = (count, *shape)
        return np.full(shape, fill) if fill else np.zeros(shape)


class Sparse:
    """The scores of a sparse weight: (index [entries, rank], scores [entries]), or for a batch
    scores [B, entries] of the same cells, or a list of such pairs."""

    sparse = True

    def __init__(self, weight, given: Any) -> None:
        self.weight = weight
        self.list: list[tuple[np.ndarray, np.ndarray]] | None = None
        if isinstance(given, list):
            self.list = [self._pair(pair, 1) for pair in given]
            self.count: int | None = len(self.list)
        else:
            self.index, self.scores = self._pair(given, 2)
            self.count = self.scores.shape[0] if self.scores.ndim == 2 else None

    def _pair(self, given: Any, most: int) -> tuple[np.ndarray, np.ndarray]:
        name, rank = self.weight.name, self.weight.rank
        if not isinstance(given, tuple) or len(given) != 2:
            raise BadArgument(
                f"{name} is sparse: give a pair (index, scores), int32 [entries, {rank}] and "
                "[entries]; for a batch, scores [B, entries] or a list of pairs"
            )
        index = np.asarray(given[0])
        if index.size == 0:
            index = np.zeros((0, rank), np.int32)
        if index.dtype.kind not in "iu" or index.ndim != 2 or index.shape[1] != rank:
            raise BadArgument(f"{name}: the index is an integer array [entries, {rank}]")
        if index.size and not -(2**31) < index.min() <= index.max() < 2**31:
            raise BadArgument(f"{name}: an index value does not fit 32 bits")
        scores = _to_scores(given[1], name)
        if not 1 <= scores.ndim <= most or scores.shape[-1] != index.shape[0]:
            raise BadArgument(
                f"{name}: {index.shape[0]} entries have scores of shape {scores.shape}"
            )
        return np.ascontiguousarray(index, np.int32), scores

    def extents(self, b: int) -> tuple[int, ...]:
        return ()

    def records(self, count: int) -> list[bytes] | tuple[bytes, int]:
        if self.list is not None:
            return [self._record(index, scores) for index, scores in self.list]
        step = self.scores.strides[0] if self.count is not None else 0
        return self._record(self.index, self.scores), step

    def _record(self, index: np.ndarray, scores: np.ndarray) -> bytes:
        # A stride of 0 means 1 (tz_scores_sparse), which a broadcast array does not.
        if scores.strides[-1] == 0:
            raise BadArgument(f"{self.weight.name}: broadcast scores of entries are not taken")
        step = scores.strides[-1] // scores.itemsize
        return _SCORES.pack(
            scores.ctypes.data,
            _TYPES[scores.dtype],
            *[0] * C.MAX_RANK,
            *[step, 0, 0, 0],
            index.ctypes.data,
            len(index),
        )

    def output(self, count: int | None, fill: float) -> Any:
        if self.list is not None:
            return [np.full(len(index), fill) for index, _ in self.list]
        entries = (len(self.index),)
        return np.full(entries if count is None else (count, *entries), fill)


def _table(columns: Sequence[list[bytes] | tuple[bytes, int]], count: int, size: int) -> np.ndarray:
    """uint64 [count, columns, size / 8]: the records of all problems, the data pointer first."""
    if count == 1:
        rows = [column[0] for column in columns]
        return np.frombuffer(bytearray().join(rows), "u8").reshape(1, -1, size // 8)
    table = np.empty((count, len(columns), size // 8), "u8")
    for c, column in enumerate(columns):
        if isinstance(column, list):
            table[:, c] = np.frombuffer(b"".join(column), "u8").reshape(count, size // 8)
        else:
            record, step = column
            table[:, c] = np.frombuffer(record, "u8")
            if step:
                # The pointer moves by signed steps; sums of uint64 wrap as they should.
                table[:, c, 0] += (np.arange(count) * step).view("u8")
    return table


class Problems:
    """A problem or a batch, bound: what a call of the library needs, and what it must keep alive."""

    def __init__(self, rules, scores: Mapping[str, Any], lengths: Any) -> None:
        self.rules = rules
        self.given = give(rules, scores)
        counts = {name: g.count for name, g in self.given.items() if g.count is not None}
        if lengths is None:
            self.lengths = infer_lengths(rules, self.given)
            by_lengths = None
        else:
            self.lengths, by_lengths = read_lengths(rules, lengths)
        if by_lengths is not None:
            counts["lengths"] = by_lengths
        if len(set(counts.values())) > 1:
            of_each = ", ".join(f"{name} {count}" for name, count in counts.items())
            raise BadArgument(f"the batch has different sizes: {of_each} problems")
        #: The number of problems, None where there is but one without a batch axis.
        self.batch: int | None = next(iter(counts.values()), None)
        self.count = 1 if self.batch is None else self.batch
        if len(self.lengths) != self.count:
            self.lengths = np.repeat(self.lengths, self.count, axis=0)
        self.scores = self.table(self.given)
        self.records = np.zeros((self.count, _WORDS), "u8")
        self.records[:, _LENGTHS] = _addresses(self.lengths)
        self.records[:, _SCORES_AT] = _addresses(self.scores)
        self._kept: list[Any] = []

    def table(self, given: Mapping[str, Any]) -> np.ndarray:
        columns = [given[name].records(self.count) for name in self.rules.weights]
        return _table(columns, self.count, _SCORES.size)

    def set_inputs(self, inputs: Sequence[Mapping[str, Any] | None]) -> np.ndarray:
        """The semiring's inputs, one mapping from weights to arrays each (None: not given)."""
        columns: list[Any] = []
        for mapping in inputs:
            given = give(self.rules, mapping or {}, partly=True)
            self._kept.append(given)
            for name in self.rules.weights:
                if name not in given:
                    columns.append(([_NOTHING] * self.count) if self.count > 1 else (_NOTHING, 0))
                    continue
                if given[name].count not in (None, self.batch):
                    raise BadArgument(f"{name}: a batch of {given[name].count}, not {self.batch}")
                columns.append(given[name].records(self.count))
        table = _table(columns, self.count, _SCORES.size)
        self._kept.append(table)
        self.records[:, _INPUTS] = _addresses(table)
        return table

    def set_facts(self, b: int, facts: int, count: int) -> None:
        self.records[b, _FACTS], self.records[b, _FACT_COUNT] = facts, count

    def address(self, b: int = 0) -> int:
        return address_of(self.records) + b * _WORDS * 8

    def with_scores(self, first: int, step: int) -> np.ndarray:
        """The records of the same problems with other scores, that of problem b at first + b * step,
        and without inputs."""
        records = self.records.copy()
        records[:, _SCORES_AT] = first + np.arange(self.count, dtype="u8") * step
        records[:, _INPUTS] = 0
        return records

    def outputs(self, fill: float) -> tuple[dict[str, Any], np.ndarray]:
        """Arrays for an answer about every weight, and the tz_outputs for them."""
        answers = {name: given.output(self.batch, fill) for name, given in self.given.items()}
        columns: list[Any] = []
        for array in answers.values():
            if isinstance(array, list):
                columns.append([_output(a, a.strides) for a in array])
            elif self.batch is None:
                columns.append((_output(array, array.strides), 0))
            else:
                columns.append((_output(array, array.strides[1:]), array.strides[0]))
        return answers, _table(columns, self.count, _OUTPUT.size)


def _output(array: np.ndarray, strides: tuple[int, ...]) -> bytes:
    more = (0,) * (C.MAX_RANK - len(strides))
    return _OUTPUT.pack(address_of(array), *[step // 8 for step in strides], *more)


def address_of(table: np.ndarray) -> int:
    """Where an array of one's own begins: the same as table.ctypes.data, in less time."""
    return table.ctypes.data if table.size == 0 else addressof(c_char.from_buffer(table))


def _addresses(table: np.ndarray) -> Any:
    """The address of each row."""
    first = address_of(table)
    return first if len(table) == 1 else first + np.arange(len(table), dtype="u8") * table.strides[0]


def give(rules, arrays: Mapping[str, Any], partly: bool = False) -> dict[str, Dense | Sparse]:
    """The arrays of all weights, in order of declaration; partly: some may lack."""
    for name in arrays:
        if name not in rules.weights:
            raise BadArgument(f"{rules.name} has no weight {name!r}; its weights: {rules._known()}")
    given: dict[str, Dense | Sparse] = {}
    for name, weight in rules.weights.items():
        if name in arrays:
            given[name] = (Sparse if weight.sparse else Dense)(weight, arrays[name])
        elif not partly:
            raise BadArgument(f"{rules.name} needs scores for the weight {name!r}")
    return given


def read_lengths(rules, lengths: Any) -> tuple[np.ndarray, int | None]:
    """int32 [1 or B, lengths], and B where they are a batch's."""
    known = rules.lengths
    if isinstance(lengths, Mapping):
        if set(lengths) != set(known):
            raise BadArgument(f"{rules.name} has the lengths {', '.join(known)}: give these")
        parts = [_whole(lengths[name], f"length {name}") for name in known]
    else:
        array = _whole(lengths, "lengths")
        if len(known) == 1:
            parts = [array]
        elif array.ndim in (1, 2) and array.shape[-1] == len(known):
            parts = [array[..., l] for l in range(len(known))]
        else:
            raise BadArgument(
                f"{rules.name} has {len(known)} lengths: give a mapping from "
                f"{' and '.join(known)} to numbers or arrays [B]"
            )
    try:
        table = np.stack(np.broadcast_arrays(*parts), axis=-1)
    except ValueError:
        raise BadArgument("the arrays of lengths differ in size") from None
    if table.ndim > 2:
        raise BadArgument("lengths are numbers, or arrays of one dimension, the batch")
    if table.size and not 0 <= table.min() <= table.max() <= C.MAX_LENGTH:
        wrong = table.min() if table.min() < 0 else table.max()
        raise BadArgument(f"a length is from 0 to {C.MAX_LENGTH}, not {wrong}")
    batch = table.shape[0] if table.ndim == 2 else None
    return np.ascontiguousarray(table.reshape(-1, len(known)), np.int32), batch


def _whole(given: Any, what: str) -> np.ndarray:
    array = np.asarray(given)
    if array.dtype.kind not in "iu" and array.size:
        raise BadArgument(f"{what}: whole numbers, not {array.dtype}")
    return array


_MOST_SHAPES = 4096


def infer_lengths(rules, given: Mapping[str, Dense | Sparse]) -> np.ndarray:
    """The lengths for which the arrays have exactly the weights' shapes: int32 [1 or B, lengths]."""
    counts = {len(g.list) for g in given.values() if g.list is not None}
    if len(counts) > 1:
        raise BadArgument("the lists of arrays differ in length")
    rows = []
    for b in range(counts.pop() if counts else 1):
        shapes = tuple([g.extents(b) for g in given.values()])
        row = rules._inferred.get(shapes)
        if row is None:
            row = _infer(rules, given, b)
            if len(rules._inferred) < _MOST_SHAPES:
                rules._inferred[shapes] = row
        rows.append(row)
    return rows[0] if len(rows) == 1 else np.concatenate(rows or [np.zeros((0, 1), np.int32)])


def _infer(rules, given: Mapping[str, Dense | Sparse], b: int) -> np.ndarray:
    found: dict[int, tuple[int, str]] = {}
    for name, dimension, length, more in rules._extents():
        value = given[name].extents(b)[dimension] - more
        of = f"{name}'s dimension {dimension}"
        if found.setdefault(length, (value, of))[0] != value:
            raise BadArgument(
                f"{rules.lengths[length]} is {found[length][0]} by {found[length][1]} but {value} "
                f"by {of}; give lengths= where arrays are larger than they need be"
            )
    for length, name in enumerate(rules.lengths):
        if length not in found:
            raise BadArgument(f"the arrays do not tell the length {name}: give lengths=")
        if found[length][0] < 0:
            raise BadArgument(f"{found[length][1]} is too small for any {name}")
    return np.array([[found[length][0] for length in range(len(rules.lengths))]], np.int32)
