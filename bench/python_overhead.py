"""What a call from NumPy takes beyond the C call that it makes: log Z with marginals, float64.

    PYTHONPATH=python python3 bench/python_overhead.py [bursts]

The C call is tz_run with all of its arguments made beforehand, kept charts, and tz_answer as the
visitor; the NumPy call is Rules.run on arrays, into new arrays. Both run in turn, in bursts short
against the scheduler's slices; the figures are of the fastest burst of each, and of the median of
the differences of neighbouring bursts."""

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
    """A function that runs tz_run on these scores, and the arrays that it fills."""
    problems = Problems(rules, scores, None)
    plan = rules._plan("log", "f64", False)
    arrays, outputs = problems.answers("marginals", 0.0)
    value = np.zeros(problems.count)
    answers = C.TzAnswers(value=address_of(value), marginals=outputs)
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

    return call, arrays, value


def measure(name: str, rules: trapeze.Rules, scores: dict[str, np.ndarray], bursts: int) -> None:
    by_c, arrays, value = c_call(rules, scores)
    by_c()
    result = rules.run("log", scores, marginals=True)
    assert np.array_equal(result.value, value if len(value) > 1 else value[0])
    assert all(np.array_equal(result.marginals[w], arrays[w]) for w in arrays)

    def by_numpy() -> None:
        rules.run("log", scores, marginals=True)

    calls = (by_c, by_numpy)
    start = time.perf_counter()
    by_c()
    repeats = max(1, int(5e-4 / (time.perf_counter() - start)))
    taken: tuple[list[float], list[float]] = ([], [])
    for burst in range(bursts):
        for which in (0, 1) if burst % 2 else (1, 0):
            calls[which]()
            start = time.perf_counter()
            for _ in range(repeats):
                calls[which]()
            taken[which].append((time.perf_counter() - start) / repeats * 1e6)
    best = [min(times) for times in taken]
    median = statistics.median(b - a for a, b in zip(*taken))
    middle = statistics.median(taken[0])
    print(
        f"{name:34} C {best[0]:8.1f} us   NumPy {best[1]:8.1f} us   over {best[1] - best[0]:6.1f} us"
        f" {100 * (best[1] / best[0] - 1):6.1f} %   median {median:6.1f} us {100 * median / middle:6.1f} %"
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
