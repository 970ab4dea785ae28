"""What a call from NumPy takes beyond the C call that it makes: log Z with marginals, float64.

    PYTHONPATH=python python3 bench/python_overhead.py [bursts]

The C call is tz_run with all of its arguments made beforehand, kept charts, and tz_answer as the
visitor; the NumPy call is Rules.run on arrays, into new arrays. Both run in turn, in bursts short
against the scheduler's slices; the figures are of the fastest burst of each, and of the median of
the differences of neighbouring bursts. "new charts" is the C call without kept ones, which Rules.run
always has."""

from __future__ import annotations

import ctypes
import statistics
import sys
import time

import numpy as np

import trapeze
from trapeze import _library as C
from trapeze._arrays import address_of
from trapeze._bind import Problems


def c_call(rules: trapeze.Rules, scores: dict[str, np.ndarray]):
    """Functions that run tz_run on these scores, with kept charts and without, and the arrays that
    they fill."""
    problems = Problems(rules, scores, None)
    plan = rules._plan("log", "f64", False)
    outputs = problems.frame.answers(problems.layout, "marginals")
    arrays = outputs.arrays(problems.layout, 0.0)
    value = np.zeros(problems.count)
    answers = C.TzAnswers(value=address_of(value), marginals=outputs.address)
    rules.run("log", scores)  # leaves charts, which both sides then use
    options = C.TzRunOptions(outside=True, charts=plan._workers[-1].charts)
    kept = (problems, arrays, value, answers, options)
    arguments = (
        ctypes.c_void_p(plan.handle),
        ctypes.c_void_p(problems.address()),
        ctypes.c_size_t(problems.count),
        ctypes.byref(options),
        ctypes.c_void_p(C.ANSWER),
        ctypes.byref(answers),
        None,
    )
    function = C.lib.tz_run

    def call(kept=kept) -> None:
        function(*arguments)

    plain = C.TzRunOptions(outside=True)
    others = (*arguments[:3], ctypes.byref(plain), *arguments[4:])

    def call_with_new_charts(kept=(kept, plain)) -> None:
        function(*others)

    return call, call_with_new_charts, arrays, value


def measure(name: str, rules: trapeze.Rules, scores: dict[str, np.ndarray], bursts: int) -> None:
    by_c, by_plain_c, arrays, value = c_call(rules, scores)
    by_c()
    result = rules.run("log", scores, marginals=True)
    assert np.array_equal(result.value, value if len(value) > 1 else value[0])
    assert all(np.array_equal(result.marginals[w], arrays[w]) for w in arrays)

    def by_numpy() -> None:
        rules.run("log", scores, marginals=True)

    calls = (by_c, by_numpy, by_plain_c)
    start = time.perf_counter()
    by_c()
    repeats = max(1, int(5e-4 / (time.perf_counter() - start)))
    taken: tuple[list[float], ...] = ([], [], [])
    for burst in range(bursts):
        for which in (0, 1, 2) if burst % 2 else (1, 0, 2):
            calls[which]()
            start = time.perf_counter()
            for _ in range(repeats):
                calls[which]()
            taken[which].append((time.perf_counter() - start) / repeats * 1e6)
    best = [min(times) for times in taken]
    median = statistics.median(b - a for a, b in zip(*taken[:2]))
    middle = statistics.median(taken[0])
    print(
        f"{name:30} C {best[0]:7.1f} us  NumPy {best[1]:7.1f}  over {best[1] - best[0]:5.1f} us"
        f" {100 * (best[1] / best[0] - 1):5.1f} %  median {median:5.1f} us"
        f" {100 * median / middle:5.1f} %  new charts {best[2]:7.1f} us"
    )


def main() -> None:
    bursts = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    rng = np.random.default_rng(1)
    eisner, compress = trapeze.rules("eisner"), trapeze.rules("compress")
    print(f"Trapeze {trapeze.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}")
    for n in (5, 10, 20):
        arc = rng.normal(size=(n + 1, n + 1))
        measure(f"eisner, one sentence, n = {n}", eisner, {"arc": arc}, bursts)
    arc, bigram = rng.normal(size=(6, 6)), rng.normal(size=(6, 7))
    measure("compress, one sentence, n = 5", compress, {"arc": arc, "bigram": bigram}, bursts)
    for n in (20, 40, 80):
        arc = rng.normal(size=(32, n + 1, n + 1))
        measure(f"eisner, batch of 32, n = {n}", eisner, {"arc": arc}, bursts // 4)
    arc, bigram = rng.normal(size=(32, 41, 41)), rng.normal(size=(32, 41, 42))
    measure("compress, batch of 32, n = 40", compress, {"arc": arc, "bigram": bigram}, bursts // 4)


main()
