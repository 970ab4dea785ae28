"""Scores as users give them. Arrays that the library can read where they stand are not copied."""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping, Sequence
from ctypes import c_size_t
from typing import Any

import numpy as np

from . import _library as C
from .errors import BadArgument

# tz_scores: data, type, extent, stride, index, entries; tz_output: data, stride; tz_input_numbers: data,
# extent, stride
SCORES = struct.Struct(f"@Qi{C.MAX_RANK}i{C.MAX_RANK}qQQ")
OUTPUT = struct.Struct(f"@Q{C.MAX_RANK}q")
NUMBERS = struct.Struct(f"@Q{C.MAX_RANK}i{C.MAX_RANK}q")
INDEX_WORD = 8  # of the ten words of tz_scores

_TYPES = {np.dtype(np.float64): 0, np.dtype(np.float32): 1}


_HEAD = object.__basicsize__  # of every object of CPython
_word_at = c_size_t.from_address


def address_of(array: np.ndarray) -> int:
    """Where an array begins: array.ctypes.data in a sixth of the time, from the first member of
    NumPy's PyArrayObject (ndarraytypes.h), which is the same in all its versions."""
    return _word_at(id(array) + _HEAD).value


def _slow_address_of(array: np.ndarray) -> int:
    return array.ctypes.data


_probe = np.zeros(3)[1:]
if sys.implementation.name != "cpython" or address_of(_probe) != _slow_address_of(_probe):
    address_of = _slow_address_of


def _to_scores(given: Any, what: str) -> np.ndarray:
    """An array that the library can read: this one, or where it could not, a copy as float64."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise BadArgument(f"{what}: no array: {error}; a batch is a list of arrays") from None
    if array.dtype in _TYPES and array.flags.aligned:
        if all([step % array.itemsize == 0 for step in array.strides]):
            return array
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise BadArgument(
            f"{what}: scores are float32 or float64 (integers, booleans and float16 are converted), "
            f"not {array.dtype}"
        )
    return array.astype(np.float64)


def _filled(given: Any, rank: int) -> Any:
    """Nested lists with zeros in the place of each [] at position 0, where no index stands."""
    if rank < 2 or not isinstance(given, (list, tuple)) or len(given) < 2:
        return given
    rows = [_filled(row, rank - 1) for row in given]
    if isinstance(rows[0], (list, tuple)) and not len(rows[0]):
        rows[0] = np.zeros(np.shape(rows[1]))
    return rows


def to_array(given: Any, what: str, rank: int) -> np.ndarray:
    """As _to_scores; of nested lists of this rank, some may be []."""
    try:
        return _to_scores(given, what)
    except BadArgument:
        if not isinstance(given, (list, tuple)):
            raise
        return _to_scores(_filled(given, rank), what)


class Dense:
    """The scores of a dense weight: for one problem, for a batch, or the same for all of a
    batch."""

    def __init__(self, weight: Any, given: Any) -> None:
        self.name: str = weight.name
        rank = weight.rank
        #: The batch, where it is a list of arrays.
        self.list: list[np.ndarray] | None = None
        #: The number of problems, None where there is no batch axis.
        self.count: int | None = None
        listed = isinstance(given, (list, tuple))
        if listed and (any(isinstance(a, np.ndarray) for a in given) or not given and rank > 1):
            arrays = [_to_scores(a, f"{self.name}, problem {b}") for b, a in enumerate(given)]
            if all(a.ndim == rank for a in arrays):
                self.list, self.count = arrays, len(arrays)
                return
        self.array = to_array(given, self.name, rank)
        if self.array.ndim == rank + 1:
            self.count = self.array.shape[0]
        elif self.array.ndim != rank:
            raise BadArgument(
                f"{self.name} is an array of {rank} dimensions, or {rank + 1} for a batch, "
                f"not {self.array.ndim}"
            )

    def extents(self, b: int) -> tuple[int, ...]:
        """The shape of a problem's array, without the batch."""
        if self.list is not None:
            return self.list[b].shape
        return self.array.shape if self.count is None else self.array.shape[1:]

    def pointers(self) -> int | list[int]:
        """Where the array begins, or each array of a list."""
        if self.list is not None:
            return [address_of(array) for array in self.list]
        return address_of(self.array)

    def records(self, fronts: Sequence[tuple[int, ...]]) -> list[bytes]:
        """tz_scores of an array at address 0: one for each array of a list, or one for all
        problems. fronts: likewise, how many positions each dimension lacks in front."""
        if self.list is not None:
            return [_record(a, a.shape, a.strides, front) for a, front in zip(self.list, fronts)]
        skip = 0 if self.count is None else 1
        return [_record(self.array, self.array.shape[skip:], self.array.strides[skip:], fronts[0])]

    def step(self) -> int:
        """How many bytes a problem's scores stand behind those of the problem before."""
        return 0 if self.list is not None or self.count is None else self.array.strides[0]

    def shapes(self, batch: int | None) -> list[tuple[int, ...]] | tuple[int, ...]:
        """The shape of an answer about every cell: with the batch in front, or one for each
        problem."""
        if self.list is not None:
            return [array.shape for array in self.list]
        if batch is not None and self.count is None:
            return (batch, *self.array.shape)
        return self.array.shape


def _record(
    array: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...], front: tuple[int, ...]
) -> bytes:
    extents = [extent + lacks for extent, lacks in zip(shape, front)]
    if max(extents, default=0) > 2**31 - 1:
        raise BadArgument("an array is longer than 2^31 - 1 in some dimension")
    more = (0,) * (C.MAX_RANK - len(shape))
    steps = [step // array.itemsize for step in strides]
    begin = _before(front, strides)
    return SCORES.pack(begin, _TYPES[array.dtype], *extents, *more, *steps, *more, 0, 0)


def _before(front: Sequence[int], strides: Sequence[int]) -> int:
    """Where position 0 would stand if an array at address 0 did not lack positions in front; as an
    unsigned word."""
    return -sum([lacks * step for lacks, step in zip(front, strides)]) % 2**64


class Sparse:
    """The scores of a sparse weight: (index [entries, rank], scores [entries]); for a batch, scores
    [B, entries] for the same cells, or a list of such pairs."""

    def __init__(self, weight: Any, given: Any) -> None:
        self.name: str = weight.name
        self.rank: int = weight.rank
        self.list: list[tuple[np.ndarray, np.ndarray]] | None = None
        self.count: int | None = None
        if isinstance(given, list):
            self.list = [self._pair(pair, 1) for pair in given]
            self.count = len(self.list)
        else:
            self.index, self.scores = self._pair(given, 2)
            self.count = self.scores.shape[0] if self.scores.ndim == 2 else None

    def _pair(self, given: Any, most: int) -> tuple[np.ndarray, np.ndarray]:
        name, rank = self.name, self.rank
        if not isinstance(given, tuple) or len(given) != 2:
            raise BadArgument(
                f"{name} is sparse: give a pair (index, scores), int [entries, {rank}] and "
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
                f"{name}: {index.shape[0]} entries cannot have scores of shape {scores.shape}"
            )
        if scores.strides[-1] == 0:  # to the library a stride of 0 is that of neighbours
            scores = scores.copy()
        return np.ascontiguousarray(index, np.int32), scores

    def extents(self, b: int) -> tuple[int, ...]:
        return ()

    def pointers(self) -> int | list[int]:
        if self.list is not None:
            return [address_of(scores) for _, scores in self.list]
        return address_of(self.scores)

    def records(self, fronts: Sequence[tuple[int, ...]]) -> list[bytes]:
        pairs = self.list if self.list is not None else [(self.index, self.scores)]
        return [
            SCORES.pack(
                0,
                _TYPES[scores.dtype],
                *[0] * C.MAX_RANK,
                scores.strides[-1] // scores.itemsize,
                *[0] * (C.MAX_RANK - 1),
                address_of(index),
                len(index),
            )
            for index, scores in pairs
        ]

    def step(self) -> int:
        return 0 if self.list is not None or self.count is None else self.scores.strides[0]

    def shapes(self, batch: int | None) -> list[tuple[int, ...]] | tuple[int, ...]:
        if self.list is not None:
            return [scores.shape for _, scores in self.list]
        if batch is not None and self.count is None:
            return (batch, *self.scores.shape)
        return self.scores.shape


def to_numbers(declared: Any, given: Any, what: str) -> np.ndarray:
    """The numbers of an input, or of a part of it, int32 of any rank; names may stand for them."""
    given = _names_listed(given)
    if isinstance(given, str) and not declared.letters:
        raise BadArgument(
            f"{what}: a string is a sequence of names of one character each, which "
            f"{declared.name} has not"
        )
    if isinstance(given, (str, list, tuple)):
        given = [_number(declared, one, what) for one in given]
    array = whole_numbers(given, what)
    if array.size and not -(2**31) <= array.min() <= array.max() < 2**31:
        raise BadArgument(f"{what}: a number does not fit 32 bits")
    return np.ascontiguousarray(array, np.int32).reshape(array.shape)


def _number(declared: Any, name: Any, what: str) -> Any:
    """The number of a name, or of each name of a list; a number stays as it is."""
    if isinstance(name, (list, tuple)):
        return [_number(declared, one, what) for one in name]
    if not isinstance(name, str):
        return name
    number = declared.names.get(name)
    if number is None:
        known = " ".join(declared.names) or "none"
        raise BadArgument(f"{what}: {name!r} is no name; there are: {known}")
    return number


class Numbers:
    """The numbers of an input: for one problem, for a batch, or the same for all of a batch."""

    def __init__(self, declared: Any, given: Any) -> None:
        self.name: str = declared.name
        self._declared = declared
        rank = declared.rank
        self.list: list[np.ndarray] | None = None
        self.count: int | None = None
        given = _names_listed(given)
        if self._several(given):
            self.list = [self._one(one, f"{self.name}, problem {b}") for b, one in enumerate(given)]
            self.count = len(self.list)
            return
        self.array = self._one(given, self.name, 1)
        if self.array.ndim == rank + 1:
            self.count = self.array.shape[0]

    def _several(self, given: Any) -> bool:
        """Is it a list for each problem? A string counts as one if every name has one character."""
        if not isinstance(given, (list, tuple)) or not given or self._declared.rank == 0:
            return False
        if all(isinstance(one, str) for one in given):
            return self._declared.letters
        return any(_depth(one) >= self._declared.rank for one in given)

    def _one(self, given: Any, what: str, more: int = 0) -> np.ndarray:
        rank = self._declared.rank
        array = to_numbers(self._declared, given, what)
        if not rank <= array.ndim <= rank + more:
            raise BadArgument(
                f"{what} is an array of {rank} dimensions"
                + (f", or {rank + 1} for a batch" if more else "")
                + f", not {array.ndim}"
            )
        return array

    def extents(self, b: int) -> tuple[int, ...]:
        if self.list is not None:
            return self.list[b].shape
        return self.array.shape if self.count is None else self.array.shape[1:]

    def pointers(self) -> int | list[int]:
        if self.list is not None:
            return [address_of(array) for array in self.list]
        return address_of(self.array)

    def records(self) -> list[bytes]:
        """tz_input_numbers with data 0."""
        arrays = self.list if self.list is not None else [self.array]
        skip = self._declared.rank
        found = []
        for array in arrays:
            shape, strides = array.shape[array.ndim - skip :], array.strides[array.ndim - skip :]
            if max(shape, default=0) > 2**31 - 1:
                raise BadArgument("an array is longer than 2^31 - 1 in some dimension")
            more = (0,) * (C.MAX_RANK - skip)
            found.append(NUMBERS.pack(0, *shape, *more, *[s // 4 for s in strides], *more))
        return found

    def step(self) -> int:
        return 0 if self.list is not None or self.count is None else self.array.strides[0]


def _depth(given: Any) -> int:
    """How many dimensions lists or an array have."""
    if isinstance(given, (list, tuple)):
        return 1 + max(map(_depth, given), default=0)
    return np.ndim(given)


def _names_listed(given: Any) -> Any:
    """An array, which may hold names, as a list."""
    if isinstance(given, (str, list, tuple)):
        return given
    array = np.asarray(given)
    if array.dtype.kind == "S":
        array = array.astype("U")
    return array.tolist() if array.dtype.kind in "UO" else array


def whole_numbers(given: Any, what: str) -> np.ndarray:
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise BadArgument(f"{what}: {error}") from None
    if array.size and array.dtype.kind not in "iu":
        raise BadArgument(f"{what}: whole numbers, not {array.dtype}")
    return array


def merged(scores: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Scores given in a mapping and by keywords, in one mapping."""
    for name in named:
        if name in scores:
            raise BadArgument(f"{name} is given twice, in the mapping and as a keyword")
    return {**scores, **named}


def give(rules: Any, arrays: Mapping[str, Any], partly: bool = False) -> dict[str, Dense | Sparse]:
    """The arrays of weights, in order of declaration. Those of weights that no rule uses may be
    missing; if partly, any may."""
    for name in arrays:
        if name not in rules.inputs or partly:
            rules.weight(name)
    given: dict[str, Dense | Sparse] = {}
    for name, weight in rules.weights.items():
        if name in arrays:
            one = arrays[name]
            given[name] = Sparse(weight, one) if weight.sparse else Dense(weight, one)
        elif not partly and rules._is_used(weight):
            raise BadArgument(f"{rules.name} needs scores for the weight {name!r}")
    return given


def give_numbers(rules: Any, arrays: Mapping[str, Any]) -> dict[str, Numbers]:
    """The numbers of inputs, in order of declaration; those that no rule uses may be missing."""
    given = {}
    for name, declared in rules.inputs.items():
        if name in arrays:
            given[name] = Numbers(declared, arrays[name])
        elif rules._is_used(declared):
            raise BadArgument(f"{rules.name} needs the numbers of the input {name!r}")
    return given
