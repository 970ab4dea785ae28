"""Questions asked of each problem while its chart stands: derivations, which are Python objects.

First tz_answer fills the arrays, without Python; a Visitor is called only where more is asked."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from ctypes import POINTER, byref, c_double, c_int32
from typing import Any

from . import _library as C
from . import _facts
from ._bind import Problems
from ._plan import Plan
from ._ruleset import RuleSet
from .results import Derivation

_GOLDEN = 0x9E3779B97F4A7C15

Question = Callable[[int, int, int], Any]
"""(problem, chart, lane) -> the answer"""


def _derivations(
    rules: RuleSet, lengths: Any, function: Any, handle: int
) -> Iterator[Derivation]:
    """The derivations that function(handle, &derivation) gives until TZ_NONE."""
    found = POINTER(C.TzDerivation)()
    while (status := function(handle, byref(found))) == C.OK:
        yield Derivation(rules, found, lengths)
    if status != C.NONE:
        C.check(status)


def best(rules: RuleSet, problems: Problems) -> Question:
    def ask(problem: int, chart: int, lane: int) -> Derivation | None:
        found = POINTER(C.TzDerivation)()
        status = C.lib.tz_best(chart, lane, C.GOAL, None, byref(found))
        if status == C.NONE:
            return None
        C.check(status)
        return Derivation(rules, found, problems.lengths[problem])

    return ask


def kbest(rules: RuleSet, problems: Problems, most: int, distinct: bool, within: float) -> Question:
    def ask(problem: int, chart: int, lane: int) -> list[Derivation]:
        handle = C.new(C.lib.tz_kbest_new, chart, lane, distinct)
        try:
            C.check(C.lib.tz_kbest_within(handle, within))
            found = _derivations(rules, problems.lengths[problem], C.lib.tz_kbest_next, handle)
            return [derivation for _, derivation in zip(range(most), found)]
        finally:
            C.lib.tz_kbest_free(handle)

    return ask


def samples(rules: RuleSet, problems: Problems, number: int, seed: int, replacement: bool) -> Question:
    """The function that draws samples. A problem of a batch has the seed of its line in `trapeze
    run`; a single problem, that of line 1."""

    def ask(problem: int, chart: int, lane: int) -> list[Derivation]:
        own = (seed + (problem + 1) * _GOLDEN) % 2**64
        handle = C.new_plain(C.lib.tz_sampler_new, chart, lane, own, not replacement)
        try:
            found = _derivations(rules, problems.lengths[problem], C.lib.tz_sampler_next, handle)
            return [derivation for _, derivation in zip(range(number), found)]
        finally:
            C.lib.tz_sampler_free(handle)

    return ask


def min_risk(rules: RuleSet, problems: Problems, decoder: Plan, gain: bool | Mapping[str, float]) -> Question:
    gains = None
    if isinstance(gain, Mapping):
        for name in gain:
            rules.weight(name)
        gains = (c_double * len(rules.weights))(*[gain.get(name, 0.0) for name in rules.weights])
    best_of = best(rules, problems)

    def ask(problem: int, chart: int, lane: int) -> Derivation | None:
        other, error = decoder.take_chart(), C.TzError()
        try:
            status = C.lib.tz_bind_risk(other, chart, lane, gains, byref(error))
            if status == C.NONE:
                return None
            C.check(status, error)
            return best_of(problem, other, 0)
        finally:
            decoder.give_chart(other)

    return ask


def structure(problems: Problems, given: Any) -> Question:
    """The log probability of each problem's structure; None where no structure is given."""
    uses = _facts.structures(problems, given)

    def ask(problem: int, chart: int, lane: int) -> float | None:
        own = uses[problem]
        if own is None:
            return None
        buffer, count = own
        score, log_probability, error = c_double(), c_double(), C.TzError()
        status = C.lib.tz_structure(
            chart, lane, buffer, count, byref(score), byref(log_probability), byref(error)
        )
        if status == C.NONE:
            return float("-inf")
        C.check(status, error)
        return log_probability.value

    return ask


def amounts(rules: RuleSet, problems: Problems) -> Question:
    """The goal's value for each amount 0..the last length."""

    def ask(problem: int, chart: int, lane: int) -> list[float]:
        item, index = rules._goal(problems.lengths[problem])
        found = []
        for amount in range(int(problems.lengths[problem, -1]) + 1):
            place = (c_int32 * C.MAX_RANK)(*index[:-1], amount)
            value = c_double()
            C.check(C.lib.tz_item_value(chart, lane, item, place, False, byref(value)))
            found.append(value.value)
        return found

    return ask


#: What is answered about a problem without a derivation, if not None.
NOTHING: dict[str, Any] = {"kbest": [], "samples": [], "log_probability": float("-inf")}


class Visitor:
    """A tz_visit that lets tz_answer fill arrays and then asks questions. It is a context around
    the run, which raises the questions' exceptions afterwards: none may pass through C."""

    def __init__(self, questions: Mapping[str, Question], count: int) -> None:
        self.answers: dict[str, list[Any]] = {name: [None] * count for name in questions}
        self._questions = questions
        self._problem: BaseException | None = None
        self._left = count
        self.visit: Any = C.Visit(self._visit)

    def _visit(self, user: int, problem: int, chart: int, lane: int) -> int:
        try:
            status = C.lib.tz_answer(user, problem, chart, lane)
            if status != C.OK:
                return status
            for name, question in self._questions.items():
                self.answers[name][problem] = question(problem, chart, lane)
            self._left -= 1
            return C.OK
        except C.Stopped:
            return C.STOPPED
        except BaseException as error:
            self._problem = error
            return C.LAW

    def __enter__(self) -> None:
        pass

    def __exit__(self, *raised: Any) -> None:
        problem, self._problem = self._problem, None
        # The visitor refers to itself, by its visit: not for longer than need be.
        self.visit = None
        if problem is not None:
            raise problem from None
        # A handler of signals may raise between a look, which is right before a visit, and that.
        if self._left > 0 and raised == (None, None, None):
            raise KeyboardInterrupt
