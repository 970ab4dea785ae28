"""Facts about derivations: forbidden and required cells, and whole structures."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Sequence
from ctypes import byref, c_void_p
from typing import Any

from . import _library as C
from ._bind import Problems
from ._given import INT, whole_number
from ._own import Owner
from .errors import BadArgument

_CELLS = struct.Struct(f"@Q{C.MAX_RANK}i0Q")  # tz_cells: weight, index
_FACT = struct.Struct("=?7xQQ")  # tz_fact: required, cells, count
_USE = struct.Struct(f"@I{C.MAX_RANK}id")  # tz_use: weight, index, score

Cell = Sequence[Any]
"""("arc", 0, 2): a weight's name and index values, or an item's; None stands for every value."""


def _numbers(rules, cell: Cell, what: str, fact: bool) -> tuple[int, list[int]]:
    """The number of a cell's weight or, in facts, item; and its index values."""
    if isinstance(cell, str) or not isinstance(cell, Sequence) or not cell:
        raise BadArgument(f"{what}: a cell is such as ('{next(iter(rules.weights))}', 0, 1), not {cell!r}")
    item = fact and cell[0] in rules.items
    if item:
        number = rules.item(cell[0])
        rank, part = rules._item_ranks()[number], C.ITEMS
    else:
        weight = rules.weight(cell[0])
        number, rank, part = weight.number, weight.rank, C.WEIGHTS
    if len(cell) != rank + 1:
        raise BadArgument(f"{what}: {cell[0]} has {rank} indices, not {len(cell) - 1}")
    index = []
    for q, value in enumerate(cell[1:]):
        if isinstance(value, str):
            names = rules._labels(part, number, q)
            if value not in names:
                known = " ".join(names) or "none"
                raise BadArgument(f"{what}: {value!r} is no name; there are: {known}")
            value = names[value]
        if value is None and fact:
            index.append(C.ANY)
        else:
            index.append(whole_number(value, f"{what}: an index value", -INT, INT))
    # Charged rules have one more index of items: every amount.
    rest = [C.ANY if item else 0] * (C.MAX_RANK - rank)
    return number + C.ITEM * item, index + rest


def per_problem(given: Any, problems: Problems, what: str) -> list[Any]:
    """One list (or None) for each problem; for a batch they are given so."""
    if given is None:
        return [None] * problems.count
    if not isinstance(given, Iterable):
        raise BadArgument(f"{what}: a list of cells, not {given!r}")
    if problems.batch is None:
        return [given]
    rows = list(given)
    if len(rows) != problems.count or any(
        row is not None and (isinstance(row, str) or any(isinstance(x, str) for x in row))
        for row in rows
    ):
        raise BadArgument(f"{what}: a list for each of the {problems.count} problems (or None)")
    return rows


def _pack_cells(rules, cells: Iterable[Cell], what: str) -> tuple[ctypes.Array, int]:
    packed = [_CELLS.pack(number, *index)
              for number, index in (_numbers(rules, cell, what, True) for cell in cells)]
    return ctypes.create_string_buffer(b"".join(packed) or b"\0"), len(packed)


class Facts(Owner):
    """The facts of all problems, as tz_facts; keeps what their records point to."""

    def __init__(self, problems: Problems, forbid: Any, require: Any) -> None:
        self._kept: list[Any] = []
        self._handles: list[int] = []
        self.required = [False] * problems.count
        rules = problems.rules
        forbidden = per_problem(forbid, problems, "forbid")
        required = per_problem(require, problems, "require")
        for b in range(problems.count):
            facts = []
            if forbidden[b]:
                facts.append((False, forbidden[b]))
            for one in required[b] or ():
                if isinstance(one, str) or not isinstance(one, Sequence):
                    raise BadArgument(f"require: a list of cells, or of lists of cells, not {one!r} in it")
                alike = [one] if one and isinstance(one[0], str) else list(one)
                facts.append((True, alike))
                self.required[b] = True
            records = []
            for is_required, cells in facts:
                buffer, count = _pack_cells(rules, cells, "require" if is_required else "forbid")
                self._kept.append(buffer)
                records.append(_FACT.pack(is_required, ctypes.addressof(buffer), count))
            if records:
                buffer = ctypes.create_string_buffer(b"".join(records))
                self._kept.append(buffer)
                problems.set_facts(b, ctypes.addressof(buffer), len(records))

    def forbid_instead(self, problems: Problems, rules: int) -> tuple[list[int], bool]:
        """Turns required facts into forbidden cells (tz_facts_new). Returns the problems where no
        derivation agrees with them, and whether it was possible for all others; if not, nothing has
        changed."""
        impossible: list[int] = []
        found: dict[int, int] = {}
        for b in range(problems.count):
            if not self.required[b]:
                continue
            handle, error = c_void_p(), C.TzError()
            status = C.lib.tz_facts_new(rules, problems.address(b), byref(handle), byref(error))
            if status == C.NONE:
                impossible.append(b)
            elif status == C.LAW:
                return [], False
            elif status != C.OK:
                of = "" if problems.batch is None else f"problem {b}: "
                raise C.fail(status, of + error.message.decode(errors="replace"))
            else:
                found[b] = handle.value or 0
                self._handles.append(found[b])
        for b in impossible:
            problems.set_facts(b, 0, 0)
        for b, own in found.items():
            problems.set_facts(b, own, 1)
        return impossible, True

    def __del__(self) -> None:
        for handle in getattr(self, "_handles", ()):
            C.lib.tz_facts_free(handle)


def structures(problems: Problems, given: Any) -> list[tuple[ctypes.Array, int] | None]:
    """The uses of a structure for each problem: buffer and count."""
    found: list[tuple[ctypes.Array, int] | None] = []
    for b, cells in enumerate(per_problem(given, problems, "structure")):
        if cells is None:
            found.append(None)
            continue
        packed = []
        for cell in cells:
            number, index = _numbers(problems.rules, cell, "structure", False)
            if not problems.rules._declared(cell[0], tuple(problems.lengths[b].tolist()), tuple(index)):
                at = ",".join(map(str, cell[1:]))
                raise BadArgument(f"structure: {cell[0]}[{at}] is outside the declared domain")
            packed.append(_USE.pack(number, *index, 0.0))
        found.append((ctypes.create_string_buffer(b"".join(packed) or b"\0"), len(packed)))
    return found
