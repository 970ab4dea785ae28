"""The lengths of problems, as given or as told by the shapes of the arrays."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _library as C
from ._arrays import Dense, Numbers, Sparse, give, give_numbers, whole_numbers
from .errors import BadArgument


def check_length(length: int) -> None:
    if not 0 <= length <= C.MAX_LENGTH:
        raise BadArgument(f"a length is from 0 to {C.MAX_LENGTH}, not {length}")


def read_lengths(rules: Any, lengths: Any) -> tuple[np.ndarray, int | None]:
    """The given lengths, int32 [1 or B, lengths], and B if they are a batch's."""
    known = rules.lengths
    if isinstance(lengths, Mapping):
        parts = [whole_numbers(lengths[name], f"length {name}") for name in known]
    else:
        array = whole_numbers(lengths, "lengths")
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
    if table.size:
        check_length(table.min())
        check_length(table.max())
    batch = table.shape[0] if table.ndim == 2 else None
    return np.ascontiguousarray(table.reshape(-1, len(known)), np.int32), batch


def completed(rules: Any, lengths: Any, scores: Mapping[str, Any]) -> Any:
    """Lengths in a mapping, with the missing ones as the arrays tell them."""
    known = rules.lengths
    if not isinstance(lengths, Mapping):
        return lengths
    for name in lengths:
        if name not in known:
            raise BadArgument(f"{rules.name} has no length {name!r}; its lengths: {', '.join(known)}")
    if len(lengths) == len(known):
        return lengths
    given = {**give(rules, scores), **give_numbers(rules, scores)}
    counts = [one.count for one in given.values() if one.count is not None]
    told = {name: whole_numbers(lengths[name], f"length {name}") for name in known if name in lengths}
    rows = infer_lengths(rules, given, counts[0] if counts else 1, told)
    columns = dict(zip(known, rows.T if len(rows) > 1 else rows[0].tolist()))
    return {**columns, **lengths}


def infer_lengths(
    rules: Any,
    given: Mapping[str, Dense | Sparse | Numbers],
    count: int,
    told: Mapping[str, np.ndarray] = {},
) -> np.ndarray:
    """The lengths for which the arrays have the shapes that the rules need: int32 [1 or B,
    lengths]. told: lengths already known, for which arrays may be larger than needed; [B] or []."""
    lists = any(one.list is not None for one in given.values())
    rows = []
    for b in range(count if lists else 1):
        own = {
            rules.lengths.index(name): int(of.flat[b] if lists and b < of.size else of.max(initial=0))
            for name, of in told.items()
        }
        rows.append(_infer(rules, given, b, own))
    return np.array(rows, np.int32).reshape(-1, len(rules.lengths))


def fronts(rules: Any, one: Dense | Sparse, rows: np.ndarray) -> list[tuple[int, ...]]:
    """How many positions each dimension lacks in front: all those before the smallest index if the
    array has only the extents of the domain, else none. rows: the lengths of the array, or of each
    of a list; none for an array that may serve several lengths."""
    found = []
    for b in range(1 if one.list is None else len(one.list)):
        extents = one.extents(b)
        front = (0,) * len(extents)
        if b < len(rows):
            lacks = rules._front(one.name, rows[b])
            whole = tuple([extent + more for extent, more in zip(extents, lacks)])
            if any(lacks) and whole == rules._dense_shape(one.name, rows[b]):
                front = lacks
        found.append(front)
    return found


def _infer(
    rules: Any, given: Mapping[str, Dense | Sparse | Numbers], b: int, told: Mapping[int, int]
) -> list[int]:
    """The lengths of problem b. If the shapes do not fit together, some arrays may have only the
    extents of their domains."""
    shapes = {name: one.extents(b) for name, one in given.items()}
    found, wrong = _read(rules, shapes, (), told)
    if found is None:
        begins = [name for name in shapes if any(rules._front(name, _LONG[: len(rules.lengths)]))]
        for count in range(1, len(begins) + 1):
            for alone in itertools.combinations(begins, count):
                found, _ = _read(rules, shapes, alone, told)
                if found is not None:
                    return found
        listed = any(one.list is not None for one in given.values())
        raise BadArgument(f"problem {b}: {wrong}" if listed else wrong)
    return found


_LONG = np.full(8, 9)  # lengths for which no domain is empty, in all likelihood


def _read(
    rules: Any,
    shapes: Mapping[str, tuple[int, ...]],
    alone: Sequence[str],
    told: Mapping[int, int],
) -> tuple[list[int] | None, str]:
    """The lengths that shapes tell, or what is wrong. alone: the arrays with only the extents of
    their domains; told: known lengths, for which shapes may be larger."""
    lengths, wrong = rules.lengths, ""
    fronts = {name: rules._front(name, _LONG[: len(lengths)]) for name in alone}
    found = {length: (value, "what is given") for length, value in told.items()}
    telling = [one for one in rules._extents() if one[0] in shapes and one[2] not in told]
    for name, dimension, length, more in telling:
        lacks = fronts[name][dimension] if name in fronts else 0
        value = shapes[name][dimension] + lacks - more
        of = f"{name}'s dimension {dimension}"
        first = found.setdefault(length, (value, of))
        if first[0] != value:
            wrong = wrong or (
                f"{lengths[length]} is {first[0]} by {first[1]} but {value} by {of}; give "
                "lengths= where arrays are larger than they need be"
            )
        elif value < 0:
            wrong = wrong or f"{of} is too small for any {lengths[length]}"
    for length, name in enumerate(lengths):
        if length not in found and name in rules.labels:
            found[length] = (len(rules.labels[name]), "its names")
        if length not in found:
            return None, f"the arrays do not tell the length {name}: give lengths="
    check_length(max(0, *(value for value, _ in found.values())))
    row = [found[length][0] for length in range(len(lengths))]
    if not wrong and not alone:
        return row, ""

    exact = {(name, dimension) for name, dimension, _, _ in telling}

    def fit(row: np.ndarray) -> bool:
        for name, shape in shapes.items():
            lacks = rules._front(name, row) if name in alone else (0,) * len(shape)
            for d, needed in enumerate(rules._dense_shape(name, row)):
                room = shape[d] + lacks[d] - needed
                if room < 0 or (room > 0 and (not told or (name, d) in exact)):
                    return False
        return True

    if not wrong:
        return (row, "") if fit(np.array(row)) else (None, "")
    # Of small lengths, domains may be empty, and dimensions shorter than they are in line for.
    ways = [[told[length]] if length in told else range(3) for length in range(len(lengths))]
    for small in itertools.product(*ways):
        if fit(np.array(small)):
            return list(small), ""
    return None, wrong
