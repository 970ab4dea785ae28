"""What a rule set declares, and the plans kept for it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from ctypes import byref, c_int32, c_int64, c_size_t, c_uint
from typing import Any, NamedTuple

import numpy as np

from . import _library as C
from ._axes import Axis
from ._bind import Layout
from ._call import Calls
from ._given import INT, a_length, whole_number
from ._own import Owner
from ._plan import Limiter, Plan, Semiring, as_read
from .errors import BadArgument


class Weight(NamedTuple):
    """A weight of a rule set, for which scores are given."""

    name: str
    number: int
    rank: int
    sparse: bool


class Input(NamedTuple):
    """An input of a rule set, for which numbers are given."""

    name: str
    number: int
    rank: int
    #: What the numbers are called, if they have names; and whether each name is one character.
    names: dict[str, int]
    letters: bool


class Box(NamedTuple):
    """The array of a dense weight or an input for some lengths."""

    #: The index that position 0 of each dimension holds, how many positions there are, and the index behind.
    origin: tuple[int, ...]
    extent: tuple[int, ...]
    end: tuple[int, ...]
    #: The smallest index; and how many positions stand before it, such as that of index 0 where a domain
    #: begins with 1; they are never read.
    least: tuple[int, ...]
    front: tuple[int, ...]


_MOST_BOXES = 4096


class RuleSet(Owner):
    """Rules as the library has read them; the base of :class:`Rules`, which asks questions.

    Also keeps what is made from them: plans, layouts of arrays, and calls to be repeated."""

    _owned = False

    def __init__(self, handle: int, owned: bool = False) -> None:
        if not isinstance(handle, int):
            raise TypeError(f"rules are made by trapeze.rules({handle!r})")
        self._handle, self._owned = handle, owned
        lib = C.lib
        self.name: str = lib.tz_rules_name(handle).decode()
        #: Does some structure have several derivations?
        self.ambiguous: bool = lib.tz_rules_ambiguous(handle)
        #: Names of the lengths, of the items, of the rules, and of the resources.
        self.lengths: tuple[str, ...] = C.names(lib.tz_rules_name_of, handle, C.LENGTHS)
        self.items: tuple[str, ...] = C.names(lib.tz_rules_name_of, handle, C.ITEMS)
        self.rule_names: tuple[str, ...] = C.names(lib.tz_rules_name_of, handle, C.RULES)
        self.resources: tuple[str, ...] = C.names(lib.tz_rules_name_of, handle, C.RESOURCES)
        self.weights: dict[str, Weight] = {}
        """The weights by name, in order of declaration."""
        for number, name in enumerate(C.names(lib.tz_rules_name_of, handle, C.WEIGHTS)):
            shape = self._shape(number, (1,) * len(self.lengths))
            self.weights[name] = Weight(name, number, shape.rank, shape.sparse)
        self._weight_names = tuple(self.weights)
        self._index_names: dict[str, list[tuple[str, ...]]] = {}
        self.labels: dict[str, tuple[str, ...]] = {}
        """What the values 0, 1, ... of a length are called, where they have names."""
        for number, name in enumerate(self.lengths):
            names = C.names(lib.tz_rules_label, handle, number)
            if names:
                self.labels[name] = names
        self.inputs: dict[str, Input] = {}
        """The inputs by name, in order of declaration."""
        for number, name in enumerate(C.names(lib.tz_rules_name_of, handle, C.INPUTS)):
            rank = self._input_shape(number, (1,) * len(self.lengths)).rank
            names = self._labels(C.INPUTS, number)
            letters = bool(names) and all(len(one) == 1 for one in names)
            self.inputs[name] = Input(name, number, rank, names, letters)
        self._plans: dict[Any, Plan] = {}
        self._ambiguity: tuple[int, C.TzError] | None = None
        self._limiters: dict[tuple[str, str, bool], Limiter] = {}
        self._layouts: dict[Any, Layout] = {}
        self._calls = Calls()
        sparse = any(weight.sparse for weight in self.weights.values())
        #: The weights' names, if all are dense, and there is nothing else to give.
        self._dense = None if sparse or self.inputs else tuple(self.weights)
        self._known_extents: list[tuple[str, int, int, int]] | None = None
        self._axes: dict[Any, dict[str, Axis]] = {}
        self._boxes: dict[tuple[str, tuple[int, ...]], Box] = {}

    def __del__(self) -> None:
        # Plans and limiters refer to the library's rules, not to this object: no cycle.
        self._calls, self._layouts, self._plans, self._limiters = Calls(), {}, {}, {}
        if self._owned:
            C.lib.tz_rules_free(self._handle)

    def __repr__(self) -> str:
        weights = ", ".join(f"{w.name}/{w.rank}" + " sparse" * w.sparse for w in self.weights.values())
        resources = f"; {', '.join(self.resources)}" if self.resources else ""
        return f"Rules({self.name}: {', '.join(self.lengths)}; {weights}{resources})"

    # ---- What the rules declare ----------------------------------------------------------------

    def weight(self, name: str) -> Weight:
        """What the rules declare of a weight. Raises BadArgument for an unknown name."""
        try:
            return self.weights[name]
        except KeyError:
            raise BadArgument(
                f"{self.name} has no weight {name!r}; its weights: {self._known()}"
            ) from None

    def item(self, name: str) -> int:
        """The number of an item, from 0. Raises BadArgument for an unknown name."""
        try:
            return self.items.index(name)
        except ValueError:
            near = difflib.get_close_matches(str(name), self.items, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"its items: {', '.join(self.items)}"
            raise BadArgument(f"{self.name} has no item {name!r}; {hint}") from None

    def shape(self, weight: str, **lengths: int) -> tuple[int, ...]:
        """The shape of a dense weight's scores for these lengths: ``shape("arc", n=4)`` is (5, 5).

        Position 0 of a dimension holds index min(0, smallest index). Raises BadArgument for a
        sparse weight, and unless all lengths are given."""
        declared = self.weight(weight)
        if declared.sparse:
            raise BadArgument(f"{weight} is sparse: a list of entries has no shape")
        shape = self._shape(declared.number, tuple(self._lengths(lengths)))
        return tuple(shape.extent[: shape.rank])

    def products(self, semiring: str = "max", /, **lengths: int) -> float:
        """How many semiring products one inside pass takes for these lengths."""
        products = np.zeros(1)
        plan = self._plan(semiring, "f64", True)
        C.check(
            C.lib.tz_plan_products(plan.handle, self._lengths(lengths), products.ctypes.data)
        )
        return float(products[0])

    def amount(self, resource: str, weight: str, *index: int, **lengths: int) -> int | None:
        """How much of a resource one use of a weight's cell consumes; None if the resource is
        declared as the rest of another, so that nothing is charged to it."""
        if resource not in self.resources:
            raise BadArgument(f"{self.name} declares no resource {resource!r}")
        declared = self.weight(weight)
        if len(index) != declared.rank:
            raise BadArgument(f"{weight} has {declared.rank} indices")
        at = [whole_number(i, f"an index of {weight}", -INT, INT) for i in index]
        amount = c_int64()
        status = C.lib.tz_rules_amount(
            self._handle,
            self.resources.index(resource),
            declared.number,
            self._lengths(lengths),
            (c_int32 * C.MAX_RANK)(*at),
            byref(amount),
        )
        if status == C.NONE:
            return None
        C.check(status)
        return amount.value

    # ---- For the rest of the package -----------------------------------------------------------

    def _known(self) -> str:
        return ", ".join(self.weights)

    def _is_used(self, declared: Weight | Input) -> bool:
        """Does some rule use it? If not, its array may be missing."""
        part = C.WEIGHTS if isinstance(declared, Weight) else C.INPUTS
        used: bool = C.lib.tz_rules_used(self._handle, part, declared.number)
        return used

    def _lengths(self, lengths: Mapping[str, int]) -> Any:
        if set(lengths) != set(self.lengths):
            raise BadArgument(f"give the lengths {', '.join(self.lengths)}")
        return (c_int32 * len(self.lengths))(*[a_length(lengths[name], name) for name in self.lengths])

    def _entries(self, weight: Weight, lengths: tuple[int, ...]) -> np.ndarray:
        """All cells of a sparse weight: int32 [entries, rank]."""
        shape = self._shape(weight.number, lengths)
        extent, origin = shape.extent[: shape.rank], np.array(shape.origin[: shape.rank], np.int32)
        cells = [np.array(at, np.int32) + origin for at in np.ndindex(*extent)]
        cells = [at for at in cells if self._declared(weight.name, lengths, tuple(at.tolist()))]
        return np.array(cells, np.int32).reshape(-1, shape.rank)

    def _shape(self, weight: int, lengths: tuple[int, ...]) -> C.TzShape:
        shape = C.TzShape()
        given = (c_int32 * len(lengths))(*lengths)
        C.check(C.lib.tz_rules_shape(self._handle, weight, given, byref(shape)))
        return shape

    def _item_shape(self, item: int, lengths: np.ndarray) -> tuple[int, ...]:
        """The shape of a number for each item of a name, for a row of lengths."""
        shape = self._shape(C.ITEM + item, tuple(lengths))
        return tuple(shape.extent[: shape.rank])

    def _input_shape(self, number: int, lengths: tuple[int, ...]) -> C.TzShape:
        shape, bound = C.TzShape(), c_int64()
        given = (c_int32 * len(lengths))(*lengths)
        C.check(
            C.lib.tz_rules_input_shape(self._handle, number, given, byref(shape), byref(bound))
        )
        return shape

    def named(self, weight: str, index: tuple[int, ...]) -> tuple[Any, ...]:
        """The index of a cell, with names in the place of values that have one."""
        names = self._index_names.get(weight)
        if names is None:
            number = self.weights[weight].number
            names = [
                tuple(self._labels(C.WEIGHTS, number, q)) for q in range(self.weights[weight].rank)
            ]
            self._index_names[weight] = names
        return tuple(of[i] if 0 <= i < len(of) else i for of, i in zip(names, index))

    def _labels(self, part: int, number: int, index: int = 0) -> dict[str, int]:
        """The names of the values of an index or of an input, with their numbers."""
        length = c_size_t()
        if not C.lib.tz_rules_labelled(self._handle, part, number, index, byref(length)):
            return {}
        names = self.labels[self.lengths[length.value]]
        return {name: number for number, name in enumerate(names)}

    def _box(self, name: str, lengths: Sequence[int]) -> Box:
        """Of a sparse weight, one without dimensions. Kept, as problems come in the same lengths."""
        row = tuple(lengths)
        box = self._boxes.get((name, row))
        if box is None:
            if len(self._boxes) >= _MOST_BOXES:
                self._boxes.clear()
            box = self._boxes[name, row] = self._new_box(name, row)
        return box

    def _new_box(self, name: str, row: tuple[int, ...]) -> Box:
        if name in self.inputs:
            shape = self._input_shape(self.inputs[name].number, row)
        elif self.weights[name].sparse:
            return Box((), (), (), (), ())
        else:
            shape = self._shape(self.weights[name].number, row)
        origin, extent, least = (tuple(of[: shape.rank]) for of in (shape.origin, shape.extent, shape.least))
        front = tuple([a - b for a, b in zip(least, origin)])
        return Box(origin, extent, tuple([a + b for a, b in zip(origin, extent)]), least, front)

    def _dense_shape(self, name: str, lengths: np.ndarray) -> tuple[int, ...]:
        """The shape of a weight or an input for these lengths; () for a sparse weight."""
        return self._box(name, lengths.tolist()).extent

    def _front(self, name: str, lengths: np.ndarray) -> tuple[int, ...]:
        """How many positions of each dimension stand before the smallest index; () for a sparse weight."""
        return self._box(name, lengths.tolist()).front

    def _rank(self, name: str) -> int:
        return (self.inputs if name in self.inputs else self.weights)[name].rank

    def _declared(self, name: str, lengths: tuple[int, ...], index: tuple[int, ...]) -> bool:
        """Is there a cell, or a number of an input, for this index?"""
        number = C.INPUT + self.inputs[name].number if name in self.inputs else self.weights[name].number
        row, at = (c_int32 * len(lengths))(*lengths), (c_int32 * len(index))(*index)
        declared: bool = C.lib.tz_rules_declared(self._handle, number, row, at)
        return declared

    def _goal(self, lengths: np.ndarray) -> tuple[int, list[int]]:
        """The goal's item and index values for a row of lengths."""
        item, rank, index = c_size_t(), c_uint(), (c_int32 * C.MAX_RANK)()
        C.check(
            C.lib.tz_rules_goal(
                self._handle, lengths.ctypes.data, byref(item), byref(rank), byref(index)
            )
        )
        return item.value, list(index[: rank.value])

    def _item_ranks(self) -> list[int]:
        ones = (1,) * len(self.lengths)
        return [self._shape(C.ITEM + i, ones).rank for i in range(len(self.items))]

    def _extents(self) -> list[tuple[str, int, int, int]]:
        """(weight or input, dimension, length, c) wherever the dimension's extent is the length + c.
        """
        if self._known_extents is None:
            base = tuple(17 + 10 * l for l in range(len(self.lengths)))
            more = [base[:l] + (at + 1,) + base[l + 1 :] for l, at in enumerate(base)]
            found = []
            every: list[tuple[str, int, int, Any]] = [
                (name, one.number, one.rank, self._shape)
                for name, one in self.weights.items()
                if not one.sparse
            ]
            every += [
                (name, one.number, one.rank, self._input_shape)
                for name, one in self.inputs.items()
            ]
            for name, number, rank, shape in every:
                plain = shape(number, base).extent
                moved = [shape(number, lengths).extent for lengths in more]
                for d in range(rank):
                    grows: list[int] = [extents[d] - plain[d] for extents in moved]
                    if sorted([abs(grow) for grow in grows]) == [0] * (len(base) - 1) + [1] and 1 in grows:
                        length = grows.index(1)
                        found.append((name, d, length, plain[d] - base[length]))
            self._known_extents = found
        return self._known_extents

    def _plan(self, semiring: str, precision: str, force: bool) -> Plan:
        source = as_read(semiring)
        key = (source, getattr(source, "name", None), precision, force)
        plan = self._plans.get(key)
        if plan is None:
            algebra = Semiring(source, precision)
            if not force and not algebra.idempotent:
                self._check_sum()
            made = Plan(self._handle, algebra, force)
            plan = self._plans.setdefault(key, made)
        return plan

    def _check_sum(self) -> None:
        """Raises Ambiguous where a structure is found that a sum would count several times."""
        if self._ambiguity is None:
            error = C.TzError()
            status = C.lib.tz_rules_ambiguity(self._handle, byref(error))
            if status not in (C.OK, C.AMBIGUOUS):
                C.check(status, error)
            self._ambiguity = (status, error)
        C.check(*self._ambiguity)

    def _limiter(self, resource: str, precision: str, force: bool) -> Limiter:
        key = (resource, precision, force)
        if key not in self._limiters:
            self._limiters.setdefault(key, Limiter(self._handle, resource, precision, force))
        return self._limiters[key]
