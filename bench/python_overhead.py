"""What a call from NumPy takes beyond the C call that it makes: log Z with marginals, float64.

    PYTHONPATH=python python3 bench/python_overhead.py [bursts]

The C call is tz_run by ctypes (itself a few microseconds, after a batch) with all of its arguments
made beforehand, kept charts, and tz_answer as the visitor; the NumPy call is Rules.run on arrays,
whose result is dropped. "two in turn": scores that stand elsewhere than the last, and results that
are dropped after the next call, as in a loop over batches; the C call then has two sets of
arguments. Both run in turn, in bursts short against the scheduler's slices, each after a call of its
own kind; the figures are of the fastest burst of each, and of the median of the differences of
neighbouring bursts. "new charts" is the C call without kept ones, which Rules.run always has."""

from __future__ import annotations

import ctypes
import itertools
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import trapeze
from trapeze import _library as C
from trapeze._arrays import address_of
from trapeze._bind import Problems, pointed

Scores = dict[str, np.ndarray]


class CCall:
    """tz_run on these scores, with kept charts or with new ones, into the arrays of a result of the
    NumPy call, which waits to use them again: where arrays stand makes a few percent."""

    def __init__(
        self, rules: trapeze.Rules, scores: Scores, result: trapeze.Result, kept: bool = True
    ) -> None:
        self.problems = Problems(rules, scores, None)
        layout = self.problems.layout
        begins = [address_of(array) for array in result.marginals.values()]
        self.table = pointed(layout.outputs, begins, False)
        self.value = np.zeros(self.problems.count)
        plan = rules._plan("log", "f64", False)
        options = C.TzRunOptions(outside=True, charts=plan.kept[-1].handle if kept else None)
        answers = C.TzAnswers(value=address_of(self.value), marginals=address_of(self.table))
        self.function = C.lib["tz_run"]  # the arguments need no conversion
        self.arguments = (
            ctypes.c_void_p(plan.handle),
            ctypes.c_void_p(self.problems.address()),
            ctypes.c_size_t(self.problems.count),
            ctypes.byref(options),
            ctypes.c_void_p(C.ANSWER),
            ctypes.byref(answers),
            None,
        )

    def __call__(self) -> None:
        self.function(*self.arguments)

    def check(self, result: trapeze.Result) -> None:
        """Parity, by the arrays of the result, which both calls fill."""
        expected = {weight: array.copy() for weight, array in result.marginals.items()}
        for array in result.marginals.values():
            array.fill(np.nan)
        self()
        assert np.array_equal(np.atleast_1d(result.value), self.value)
        assert all(np.array_equal(result.marginals[w], expected[w]) for w in expected)


def took(call: Callable[[], None], repeats: int) -> float:
    """Microseconds of one of so many calls, after one that does not count."""
    call()
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats * 1e6


def measure(name: str, rules: trapeze.Rules, batches: list[Scores], bursts: int) -> None:
    results = [rules.run("log", scores, marginals=True) for scores in batches]
    prepared = [CCall(rules, scores, result) for scores, result in zip(batches, results)]
    anew = CCall(rules, batches[0], results[0], False)
    for call, result in zip(prepared, results):
        call.check(result)
    del result
    results.clear()
    calls, turns, held = itertools.cycle(prepared), itertools.cycle(batches), None

    def by_c() -> None:
        next(calls)()

    def by_numpy() -> None:
        rules.run("log", batches[0], marginals=True)

    def by_numpy_in_turn() -> None:
        nonlocal held
        held = rules.run("log", next(turns), marginals=True)

    sides = (prepared[0], by_numpy) if len(batches) == 1 else (by_c, by_numpy_in_turn)
    repeats = max(1, int(2e3 / took(by_c, 1)))
    times: tuple[list[float], ...] = ([], [])
    for burst in range(bursts):
        for side in (0, 1) if burst % 2 else (1, 0):
            times[side].append(took(sides[side], repeats))
    new_charts = min(took(anew, 1) for _ in range(10))
    best = [min(side) for side in times]
    middle, median = statistics.median(times[0]), statistics.median(np.subtract(*times[::-1]))
    print(
        f"{name:42} C {best[0]:7.1f} us  NumPy {best[1]:7.1f}  over {best[1] - best[0]:5.1f} us"
        f" {100 * (best[1] / best[0] - 1):5.1f} %  median {median:5.1f} us"
        f" {100 * median / middle:5.1f} %  new charts {new_charts:7.1f} us",
        flush=True,
    )


def main() -> None:
    bursts = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    rng = np.random.default_rng(1)
    eisner, compress = trapeze.rules("eisner"), trapeze.rules("compress")

    def arcs(*batch: int, n: int) -> Scores:
        return {"arc": rng.normal(size=(*batch, n + 1, n + 1))}

    def with_bigrams(*batch: int, n: int) -> Scores:
        return {**arcs(*batch, n=n), "bigram": rng.normal(size=(*batch, n + 1, n + 2))}

    print(f"Trapeze {trapeze.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}")
    for n in (5, 10, 20):
        measure(f"eisner, one sentence, n = {n}", eisner, [arcs(n=n)], bursts)
    measure("eisner, one sentence, n = 5, two in turn", eisner, [arcs(n=5), arcs(n=5)], bursts)
    measure("compress, one sentence, n = 5", compress, [with_bigrams(n=5)], bursts)
    for n in (20, 40, 80):
        measure(f"eisner, batch of 32, n = {n}", eisner, [arcs(32, n=n)], bursts // 4)
        both = [arcs(32, n=n) for _ in range(2)]
        measure(f"eisner, batch of 32, n = {n}, two in turn", eisner, both, bursts // 4)
    measure("compress, batch of 32, n = 40", compress, [with_bigrams(32, n=40)], bursts // 4)


main()
