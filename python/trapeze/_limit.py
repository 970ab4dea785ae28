"""Best derivations within limits on a resource."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes import POINTER, byref, c_double, c_size_t
from typing import Any

import numpy as np

from . import _library as C
from ._bind import Problems
from ._given import INT64, a_mapping, whole_number
from ._plan import Limiter
from ._watch import Progress, Watch
from .errors import BadArgument
from .results import Derivation, Limited, Result

_PATHS = ("bisection", "pruned", "charged")


def the_limits(
    keep: int | None,
    drop: int | None,
    rate: tuple[float, float] | None,
    limits: Mapping[str, tuple[int, int]] | None,
) -> tuple[str, Any] | None:
    """The limits given, in any form, as (resource, n -> (low, high)); None if there are none."""
    given: list[tuple[str, Any]] = []
    if keep is not None:
        kept = whole_number(keep, "keep", 0, C.MAX_LENGTH)
        given.append(("kept", lambda n: (kept, kept)))
    if drop is not None:
        dropped = whole_number(drop, "drop", 0, C.MAX_LENGTH)
        given.append(("dropped", lambda n: (dropped, dropped)))
    if rate is not None:
        shares = _pair(rate, "rate", "two shares of the words, 0 <= low <= high <= 1")
        given.append(("kept", lambda n: _words(shares, n)))
    if limits is not None:
        a_mapping(limits, "limits", "from resources to pairs of amounts")
    for resource, pair in (limits or {}).items():
        pair = _pair(pair, f"the limits of {resource}", "two amounts, low <= high", math.inf)
        ends = tuple(whole_number(end, f"a limit of {resource}", 0, INT64) for end in pair)
        given.append((resource, lambda n, ends=ends: ends))
    if len(given) > 1:
        raise BadArgument("one limit at a time: keep, drop, rate, or one resource in limits")
    return given[0] if given else None


def _pair(given: Any, what: str, meaning: str, most: float = 1) -> tuple[Any, Any]:
    """(low, high), two numbers in this order; those of shares are from 0 to `most`."""
    try:
        low, high = given
        fits = bool(low <= high) and (most > 1 or 0 <= low and high <= most)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise BadArgument(f"{what}: {meaning}; not {given!r}")
    return low, high


def _words(rate: tuple[float, float], n: int) -> tuple[int, int]:
    """The least and the most words that are low to high of n words, up to the rounding of the
    products."""
    slack = 1e-9
    low, high = math.ceil(rate[0] * n - slack), math.floor(rate[1] * n + slack)
    if low > high:
        raise BadArgument(
            f"no number of {n} words is from {rate[0]:g} to {rate[1]:g} of them; the nearest "
            f"rates are {high / n:g} ({high}) and {low / n:g} ({low})"
        )
    return low, high


def answer_limits(
    result: Result,
    problems: Problems,
    limit: tuple[str, Any] | None,
    curve: str | None,
    precision: str,
    force: bool,
    impossible: list[int],
    progress: Progress | None = None,
) -> None:
    """Sets value, best and limited of the result; and curve."""
    if curve is not None and not isinstance(curve, str):
        raise BadArgument(f"curve is the name of a resource, not {curve!r}")
    rules, count = problems.rules, problems.count
    watch = Watch(progress)
    if limit is not None:
        resource, range_for = limit
        found: list[Limited | None] = [None] * count
        with _charts(rules._limiter(resource, precision, force), watch) as chart:
            for b in _each(count, impossible, watch):
                low, high = range_for(int(problems.lengths[b, 0]))
                found[b] = _within(problems, b, chart, low, high)
        values = [one.score if one else -math.inf for one in found]
        best = [one.derivation if one else None for one in found]
        if problems.batch is None:
            result.value, result.best, result.limited = values[0], best[0], found[0]
        else:
            result.value, result.best, result.limited = np.array(values), best, found
    if curve is not None:
        curves = [np.zeros(0)] * count
        with _charts(rules._limiter(curve, precision, force), watch) as chart:
            for b in _each(count, impossible, watch):
                curves[b] = _curve(chart, problems.address(b))
        result.curve = curves[0] if problems.batch is None else curves


@contextmanager
def _charts(limiter: Limiter, watch: Watch) -> Iterator[int]:
    """Lends a limiter's chart, watched."""
    chart = limiter.take_chart()
    try:
        C.lib.tz_limit_chart_watch(chart, watch.address)
        yield chart
    except C.Stopped:
        watch.check()
        raise
    finally:
        C.lib.tz_limit_chart_watch(chart, None)
        limiter.give_chart(chart)
    watch.end()


def _each(count: int, impossible: list[int], watch: Watch) -> Iterator[int]:
    """The problems that are not impossible."""
    watch.record.of = count
    for b in range(count):
        watch.record.done = b
        if b not in impossible:
            yield b


def _within(problems: Problems, b: int, chart: int, low: int, high: int) -> Limited | None:
    limited, error = C.TzLimited(), C.TzError()
    address = problems.address(b)
    status = C.lib.tz_limit(chart, address, low, high, 0, byref(limited), byref(error))
    if status == C.NONE:
        return None
    C.check(status, error)
    return Limited(
        Derivation(problems.rules, limited.derivation, problems.lengths[b]),
        limited.score,
        limited.bound,
        limited.amount,
        _PATHS[limited.path],
        limited.steps,
    )


def _curve(chart: int, problem: int) -> np.ndarray:
    values, count, error = POINTER(c_double)(), c_size_t(), C.TzError()
    status = C.lib.tz_limit_curve(chart, problem, byref(values), byref(count), byref(error))
    if status == C.NONE:
        return np.zeros(0)
    C.check(status, error)
    return np.array(values[: count.value])
