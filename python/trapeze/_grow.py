"""Rules.grow: a chart that goes on, word by word, and back."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref, c_double, c_int32, c_ssize_t
from typing import Any

import numpy as np

from . import _ask
from . import _library as C
from ._arrays import merged
from ._bind import Problems
from ._plan import Plan
from ._ruleset import RuleSet
from .errors import BadArgument, Law
from .results import Derivation


class _Chart:
    """A chart that sessions share. It holds the problem of the session asked last."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.handle = plan, 0
        self.handle = plan.take_chart()
        self.problems: Problems | None = None
        #: Of each length, what stands at its positions; None: nothing is computed.
        self.words: list[list[object]] | None = None
        self.session: Session | None = None
        self.outside = False

    def __del__(self) -> None:
        if self.handle:
            self.plan.give_chart(self.handle)


def _alike(a: list[object], b: list[object]) -> int:
    """How many words at the beginning are the same in both."""
    same = 0
    while same < min(len(a), len(b)) and a[same] is b[same]:
        same += 1
    return same


class Session:
    """A problem that gets longer. Made by :meth:`Rules.grow`.

    Its answers have the same bits as those of ``Rules.run``. ``trapeze rules check`` says under
    *grows* what one more word costs. Nothing is computed before something is asked. Copies share a
    chart: a copy asked after another computes only what the two do not have in common. A session
    and its copies are for one thread. Its questions raise Law under other semirings than those
    named."""

    def __init__(self, rules: RuleSet, plan: Plan, scores: dict[str, Any], lengths: Any) -> None:
        self.rules = rules
        self._chart, self._scores = _Chart(plan), scores
        problems = Problems(rules, scores, lengths)
        if problems.batch is not None:
            raise BadArgument("a session is of one problem, not of a batch")
        self._problems: Problems | None = problems
        self._words: list[list[object]] = [
            [object() for _ in range(n)] for n in problems.lengths[0].tolist()
        ]

    @property
    def lengths(self) -> dict[str, int]:
        """The lengths so far."""
        return {name: len(words) for name, words in zip(self.rules.lengths, self._words)}

    # ---- Growing -------------------------------------------------------------------------------

    def append(self, scores: Mapping[str, Any] | None = None, /, *, length: str | None = None, **weights: Any) -> Session:
        """Goes on by one or several words of the first length, or of `length`; returns the session.

        Takes an array for each weight and input with an index that runs to the length; the others
        stay. With one such index: the numbers at the new position, without that index, or at the
        new positions, with it. With several, as in ``arc[h,m]``: the whole array for the new
        length, of which only the new cells are read. Raises BadArgument if an array is missing or
        does not fit."""
        l = self._length(length)
        given = dict(merged(scores, weights) if scores else weights)
        axes = self._axes(l)
        for name in given:
            if name not in axes:
                raise BadArgument(f"{name} does not grow in {self.rules.lengths[l]}")
        for name in axes:
            if name not in given and self._scores.get(name) is not None:
                raise BadArgument(f"{name} lacks: it grows in {self.rules.lengths[l]}")
        more = {name: self._longer(name, given[name], axes[name]) for name in given}
        counts = {self._added(name, more[name], axes[name]) for name in given}
        if len(counts) > 1:
            raise BadArgument(f"arrays of {' and '.join(map(str, sorted(counts)))} new positions")
        return self._become({**self._scores, **more}, l, len(self._words[l]) + (counts or {1}).pop())

    def truncate(self, n: int, length: str | None = None) -> Session:
        """Shortens the first length, or `length`, to n; returns the session. Raises BadArgument
        unless 0 <= n <= the length."""
        l = self._length(length)
        less = len(self._words[l]) - n
        if not 0 <= less <= len(self._words[l]):
            raise BadArgument(f"{self.rules.lengths[l]} is {len(self._words[l])}: it cannot go back to {n}")
        scores = dict(self._scores)
        for name, dimensions in self._axes(l).items():
            array = scores.get(name)
            for d in dimensions if array is not None else ():
                array = array[(slice(None),) * d + (slice(0, array.shape[d] - less),)]
            scores[name] = array
        return self._become(scores, l, n)

    def copy(self) -> Session:
        """An independent session that goes on from here. Takes no time and no second chart."""
        other = object.__new__(Session)
        other.__dict__.update(self.__dict__)
        other._words = [list(words) for words in self._words]
        return other

    def _become(self, scores: dict[str, Any], l: int, n: int) -> Session:
        words = self._words[l]
        words = words[:n] + [object() for _ in range(n - len(words))]
        lengths = {**self.lengths, self.rules.lengths[l]: n}
        self._problems = Problems(self.rules, scores, lengths)
        self._scores, self._words[l] = scores, words
        self._chart.session = None if self._chart.session is self else self._chart.session
        return self

    def _length(self, name: str | None) -> int:
        if name is None:
            return 0
        if name not in self.rules.lengths:
            raise BadArgument(f"no length is called {name!r}: {', '.join(self.rules.lengths)}")
        return self.rules.lengths.index(name)

    def _axes(self, l: int) -> dict[str, list[int]]:
        """The dimensions of arrays that grow with a length."""
        axes: dict[str, list[int]] = {}
        for name, d, length, _ in self.rules._extents():
            if length == l:
                axes.setdefault(name, []).append(d)
        return axes

    def _longer(self, name: str, given: Any, dimensions: list[int]) -> np.ndarray:
        old = self._scores[name]
        new = np.asarray(given)
        if name not in self.rules.inputs:
            new = new.astype(old.dtype, copy=False)
        if len(dimensions) == 1:
            if new.ndim == old.ndim - 1:
                new = np.expand_dims(new, dimensions[0])
            try:
                return np.concatenate([old, new.astype(old.dtype)], axis=dimensions[0])
            except ValueError as error:
                raise BadArgument(f"{name}: {error}") from None
        if new.ndim != old.ndim or any(a < b for a, b in zip(new.shape, old.shape)):
            raise BadArgument(f"{name} grows in several indices: give the whole array for the new length")
        new = new.copy()
        new[tuple(map(slice, old.shape))] = old
        return new

    def _added(self, name: str, new: np.ndarray, dimensions: list[int]) -> int:
        d = dimensions[0]
        return int(new.shape[d] - self._scores[name].shape[d])

    # ---- Asking --------------------------------------------------------------------------------

    def _computed(self, outside: bool = False) -> int:
        """The chart, made to hold this problem and computed."""
        chart = self._chart
        if chart.session is not self:
            kept = None
            if chart.words is not None:
                kept = (c_int32 * len(self._words))(*map(_alike, self._words, chart.words))
            chart.words, chart.session, chart.outside = None, None, False
            error = C.TzError()
            problems = self._problems
            assert problems is not None
            C.check(C.lib.tz_extend(chart.handle, problems.address(), 1, kept, byref(error)), error)
            chart.words = [list(words) for words in self._words]
            chart.session, chart.problems = self, problems
        if outside and not chart.outside:
            C.check(C.lib.tz_outside(chart.handle))
            chart.outside = True
        return chart.handle

    @property
    def value(self) -> float:
        """The goal's value; the semiring's zero where there is no derivation."""
        value = c_double()
        status = C.lib.tz_goal(self._computed(), 0, byref(value))
        if status == C.NONE:
            return self._chart.plan.semiring.none
        C.check(status)
        return value.value

    @property
    def best(self) -> Derivation | None:
        """The best derivation (max)."""
        self._need(self._chart.plan.semiring.path, "that picks one derivation, such as max")
        return self._ask(_ask.best)

    def kbest(self, most: int) -> list[Derivation]:
        """The best derivations (max)."""
        self._need(self._chart.plan.semiring.path, "that picks one derivation, such as max")
        return self._ask(_ask.kbest, most, False, float("inf")) or []

    def samples(self, number: int, seed: int = 1) -> list[Derivation]:
        """Random derivations (log, count)."""
        self._need(self._chart.plan.semiring.draws, "that sums over derivations, such as log")
        return self._ask(_ask.samples, number, seed, True) or []

    @property
    def marginals(self) -> dict[str, np.ndarray]:
        """The expected number of uses of each cell (log): an outside pass over the whole."""
        self._need(self._chart.plan.semiring.shares, "of probabilities, such as log")
        chart = self._computed(True)
        found = {}
        for name, weight in self.rules.weights.items():
            scores = self._scores.get(name)
            if scores is None:
                continue
            array = np.zeros(scores.shape if not weight.sparse else (len(scores[1]),))
            lacks = [0] * array.ndim
            if not weight.sparse:
                shape = self.rules._shape(weight.number, tuple(self.lengths.values()))
                lacks = [max(0, e - a) for e, a in zip(shape.extent, array.shape)]
            strides = [step // array.itemsize for step in array.strides]
            first = array.ctypes.data - sum(a * b for a, b in zip(lacks, array.strides))
            output = C.TzOutput(first, (c_ssize_t * C.MAX_RANK)(*strides))
            status = C.lib.tz_marginals(chart, 0, weight.number, byref(output))
            if status != C.NONE:
                C.check(status)
            found[name] = array
        return found

    def _need(self, can: bool, what: str) -> None:
        if not can:
            raise Law(f"this takes a semiring {what}; not {self._chart.plan.semiring.text}")

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
    given = dict(merged(scores, weights) if scores else weights)
    for name, one in self.weights.items():
        if name in given and not one.sparse:
            given[name] = np.asarray(given[name])
            if given[name].dtype not in (np.float32, np.float64):
                given[name] = given[name].astype(np.float64)
    for name in self.inputs:
        if name in given:
            given[name] = np.asarray(given[name])
    return Session(self, self._plan(semiring, precision, force), given, lengths)
