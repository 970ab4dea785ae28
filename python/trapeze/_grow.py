"""Rules.grow: a chart that goes on, word by word, and back."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from ctypes import byref, c_double, c_int32
from typing import Any

import numpy as np

from . import _ask
from . import _library as C
from ._arrays import Sparse, give, give_numbers, merged, to_array, to_numbers
from ._axes import Axis, Placed, axes_of, exact, front_of, lacks, longer, new_positions
from ._bind import Problems
from ._call import Arrays, Wanted
from ._given import whole_number
from ._lengths import check_length
from ._own import Owner
from ._plan import Plan
from ._ruleset import RuleSet
from ._watch import ChartWatch
from .errors import BadArgument, Law
from .results import Derivation, Result


class _Chart(Owner):
    """A chart that sessions share. It holds the problem of the session asked last."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.handle = plan, 0
        self.handle = plan.take_chart()
        self.watch = ChartWatch(self.handle)
        self.problems: Problems | None = None
        #: Of each length, what stands at its positions; None: nothing is computed.
        self.words: list[list[object]] | None = None
        #: Whose problem it holds; weak, so that a session that nobody has any more is gone at once.
        self.session: weakref.ref[Session] | None = None
        self.outside = False

    def __del__(self) -> None:
        if self.handle:
            self.watch.end()
            self.plan.give_chart(self.handle)


def _alike(a: list[object], b: list[object]) -> int:
    """How many words at the beginning are the same in both: a word is made once, behind those before it,
    so that all of these are the same where it is."""
    low, high = 0, min(len(a), len(b))
    middle = high - 1  # mostly, one goes on from the other
    while low < high:
        if a[middle] is b[middle]:
            low = middle + 1
        else:
            high = middle
        middle = (low + high) // 2
    return low


class Session(Owner):
    """A problem that gets longer. Made by :meth:`Rules.grow`.

    Its answers have the same bits as those of ``Rules.run``. ``trapeze rules check`` says under
    *grows* what one more word costs. Nothing is computed before something is asked. Copies share a
    chart: a copy asked after another computes only what the two do not have in common. A session
    and its copies are for one thread. Its questions raise Law under other semirings than those
    named."""

    _instead = "session.copy() goes on from there by itself, and grow makes one in another process"

    def __init__(self, rules: RuleSet, plan: Plan, scores: dict[str, Any], lengths: Any) -> None:
        self.rules = rules
        self._chart, self._scores = _Chart(plan), scores
        self._problems = problems = Problems(rules, scores, lengths)
        if problems.batch is not None:
            raise BadArgument("a session is of one problem, not of a batch")
        row = problems.lengths[0].tolist()
        #: The weights whose arrays have the extents of their domains alone, as run takes them.
        self._alone = {name for name, (front,) in problems.layout.fronts.items() if any(front)}
        #: What was given of arrays that can grow, perhaps more than the lengths ask for.
        self._held: dict[str, Placed] = {}
        for name, array in scores.items():
            if isinstance(array, np.ndarray):
                box = rules._box(name, row)
                alone = name in self._alone
                self._held[name] = held = Placed(array, box.least if alone else box.origin)
                exact(rules, name, held, row, alone)  # is there as much?
        self._words: list[list[object]] = [[object() for _ in range(n)] for n in row]

    @property
    def lengths(self) -> dict[str, int]:
        """The lengths so far."""
        return {name: len(words) for name, words in zip(self.rules.lengths, self._words)}

    # ---- Growing -------------------------------------------------------------------------------

    def append(self, scores: Mapping[str, Any] | None = None, /, *, length: str | None = None, **weights: Any) -> Session:
        """Goes on by one or several words of the first length, or of `length`; returns the session.

        Takes an array for each weight and input with an index that runs to the length; the others
        stay. With one such index: the numbers at the new position, without that index, or at the
        new positions, with it; cells there that exist only for greater lengths are read later. With
        several, as in ``arc[h,m]``: the whole array for the new length, of which only the new cells
        are read. Raises BadArgument if an array is missing or does not fit.

        An array larger than its length needs is cut to it first. Answers about cells then have the
        shape for the length: that of ``Rules.shape``, or of the domain alone if the first arrays
        had that."""
        rules, l = self.rules, self._length(length)
        before = self._row
        check_length(before[l] + 1)
        axes = self._axes(l)
        given: dict[str, np.ndarray] = {}
        for name, one in (merged(scores, weights) if scores else weights).items():
            if name not in axes:
                raise BadArgument(f"{name} does not grow in {rules.lengths[l]}")
            if name not in self._held:
                raise BadArgument(f"{name} was not given when the session began")
            given[name] = self._read(name, one, axes[name])
        count = new_positions(rules, given, axes, before, l)
        after = (*before[:l], before[l] + count, *before[l + 1 :])
        held, alone = dict(self._held), set(self._alone)
        for name in axes:
            if name in given:
                held[name] = longer(rules, name, held[name], given[name], axes[name], before, after)
                if axes[name].whole and any(rules._box(name, after).front):
                    front = front_of(rules, name, given[name].shape, before, after)
                    (alone.add if any(front) else alone.discard)(name)
            elif name in held and lacks(rules, name, before, after):
                raise BadArgument(f"{name} lacks: it grows in {rules.lengths[l]}")
        return self._become(held, alone, l, after)

    def truncate(self, n: int, length: str | None = None) -> Session:
        """Shortens the first length, or `length`, to n; returns the session. Raises BadArgument
        unless 0 <= n <= the length."""
        l, before = self._length(length), self._row
        n = whole_number(n, "n")
        if n > before[l]:
            raise BadArgument(f"{self.rules.lengths[l]} is {before[l]}: it cannot go back to {n}")
        return self._become(self._held, self._alone, l, (*before[:l], n, *before[l + 1 :]))

    def copy(self) -> Session:
        """An independent session that goes on from here. Takes no time and no second chart."""
        other = object.__new__(Session)
        other.__dict__.update(self.__dict__)
        other._words = [list(words) for words in self._words]
        return other

    __copy__ = copy

    def _become(self, held: dict[str, Placed], alone: set[str], l: int, row: tuple[int, ...]) -> Session:
        """Arrays are cut to what their lengths ask for, once these change; others stay as they were given."""
        scores = dict(self._scores)
        for name, placed in held.items():
            if self.rules._box(name, row) != self.rules._box(name, self._row) or placed is not self._held[name]:
                scores[name] = exact(self.rules, name, placed, row, name in alone)
        problems = Problems(self.rules, scores, dict(zip(self.rules.lengths, row)))
        words = self._words[l][: row[l]]
        self._words[l] = words + [object() for _ in range(row[l] - len(words))]
        self._problems, self._scores, self._held, self._alone = problems, scores, held, alone
        if self._chart_is_own():
            self._chart.session = None
        return self

    @property
    def _row(self) -> tuple[int, ...]:
        return tuple(map(len, self._words))

    def _length(self, name: str | None) -> int:
        if name is None:
            return 0
        if name not in self.rules.lengths:
            raise BadArgument(f"no length is called {name!r}: {', '.join(self.rules.lengths)}")
        return self.rules.lengths.index(name)

    def _axes(self, l: int) -> dict[str, Axis]:
        return axes_of(self.rules, self._row, l)

    def _read(self, name: str, given: Any, axis: Axis) -> np.ndarray:
        """The array of what append is given."""
        rules, rank = self.rules, self.rules._rank(name)
        if name in rules.inputs:
            declared = rules.inputs[name]
            one = isinstance(given, str) and not declared.letters
            array = to_numbers(declared, [given] if one else given, name)
        else:
            array = to_array(given, name, rank)
        if array.ndim not in ([rank] if axis.whole else [rank, rank - 1]):
            raise BadArgument(
                f"{name} is given as a whole: an array of {rank} dimensions for the new length"
                if axis.whole
                else f"{name}: give an array of {rank - 1} dimensions, what stands at the new position, or of "
                f"{rank} for several positions, not of {array.ndim}"
            )
        return array

    # ---- Asking --------------------------------------------------------------------------------

    def _chart_is_own(self) -> bool:
        return self._chart.session is not None and self._chart.session() is self

    def _computed(self, outside: bool = False) -> int:
        """The chart, made to hold this problem and computed."""
        chart = self._chart
        if not self._chart_is_own():
            kept = None
            if chart.words is not None:
                kept = (c_int32 * len(self._words))(*map(_alike, self._words, chart.words))
            chart.words, chart.session, chart.outside = None, None, False
            error = C.TzError()
            problems = self._problems
            status = C.lib.tz_extend(chart.handle, problems.address(), 1, kept, byref(error))
            chart.watch.check(status, error)
            chart.words = [list(words) for words in self._words]
            chart.session, chart.problems = weakref.ref(self), problems
        if outside and not chart.outside:
            chart.watch.check(C.lib.tz_outside(chart.handle))
            chart.outside = True
        return chart.handle

    @property
    def value(self) -> float | int | bool:
        """The goal's value, as ``run`` gives it; the semiring's zero where there is no derivation."""
        semiring = self._chart.plan.semiring
        value = c_double(semiring.none)
        status = C.lib.tz_goal(self._computed(), 0, byref(value))
        if status != C.NONE:
            C.check(status)
        kind = bool if semiring.gives == C.GIVES_TRUTH else int if semiring.whole else float
        return kind(value.value)

    @property
    def best(self) -> Derivation | None:
        """The best derivation (max)."""
        self._need(self._chart.plan.semiring.path, "that picks one derivation, such as max")
        return self._ask(_ask.best)

    def kbest(self, most: int) -> list[Derivation]:
        """The best derivations (max)."""
        self._need(self._chart.plan.semiring.path, "that picks one derivation, such as max")
        return self._ask(_ask.kbest, whole_number(most, "most"), False, float("inf")) or []

    def samples(self, number: int, seed: int = 1) -> list[Derivation]:
        """Random derivations (log, count)."""
        self._need(self._chart.plan.semiring.draws, "that sums over derivations, such as log")
        number, seed = whole_number(number, "number"), whole_number(seed, "seed")
        return self._ask(_ask.samples, number, seed, True) or []

    @property
    def marginals(self) -> dict[str, np.ndarray]:
        """The expected number of uses of each cell (log): an outside pass over the whole."""
        self._need(self._chart.plan.semiring.shares, "of probabilities, such as log")
        chart, layout = self._computed(True), self._problems.layout
        ret = Result(self.rules, self._chart.plan.semiring.text, None)
        arrays = Arrays(layout, [Wanted("marginals", "marginals", 0.0)])
        arrays.give(ret, layout.exact(self._problems.lengths), True)
        ((_, outputs),) = arrays.members
        C.check(C.lib.tz_marginals_all(chart, outputs))
        return ret.marginals

    def _need(self, can: bool, what: str) -> None:
        if not can:
            raise Law(f"this takes a semiring {what}; not {self._chart.plan.semiring.name}")

    def _ask(self, question: Any, *asked: Any) -> Any:
        return question(self.rules, self._problems, *asked)(0, self._computed(), 0)


def grow(
    self: RuleSet,
    semiring: str,
    scores: Mapping[str, Any] | None = None,
    /,
    *,
    lengths: Any = None,
    precision: str = "f64",
    force: bool = False,
    **weights: Any,
) -> Session:
    """A session: a problem, given as to ``run``, that grows word by word (:class:`Session`)."""
    arrays = merged(scores, weights) if scores else weights
    given: dict[str, Any] = {}  # copies, as what is computed later is to be about what was given
    for name, one in {**give(self, arrays), **give_numbers(self, arrays)}.items():
        if one.count is not None:
            raise BadArgument("a session is of one problem, not of a batch")
        given[name] = (one.index.copy(), one.scores.copy()) if isinstance(one, Sparse) else one.array.copy()
    return Session(self, self._plan(semiring, precision, force), given, lengths)
