"""How sentences are compressed: the arguments of Model.compress as structures of trapeze/text.h."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from ctypes import Structure, c_char_p, c_double, c_int, c_int64, c_size_t
from typing import Any, TypedDict

from .errors import BadArgument

_WARY = -1  # in the place of a number of words to keep
_KEEP, _DROP, _RATE = 0, 1, 2
_ONLY = {None: 0, "linear": 1, "neural": 2}


class Length(Structure):
    _fields_ = [("by", c_int), ("words", c_int64), ("low", c_double), ("high", c_double)]


class Compressor(Structure):
    _fields_ = [("marginal", c_int), ("bonus", c_double), ("opt_unguarded", c_char_p), ("only", c_int)]


class Deletions(Structure):
    _fields_ = [
        ("best", c_int),
        ("threshold", c_double),
        ("bonus", c_double),
        ("bigrams", c_double),
        ("opt_lm", c_char_p),
        ("lm_weight", c_double),
        ("candidates", c_size_t),
        ("all_trees", c_int),
    ]


class Compressing(TypedDict, total=False):
    """The keyword arguments of Model.compress, all of which may be left out."""

    keep: int | None
    drop: int | None
    rate: float | tuple[float, float] | None
    with_: str
    any_text: bool | None
    arc: Any
    bigram: Any
    decode: str | None
    bonus: float
    unguarded: str | Iterable[str] | None
    only: str | None
    trees: str | None
    threshold: float | None
    bigrams: float
    lm: str | os.PathLike[str] | None
    lm_weight: float | None
    candidates: int | None


def _number(name: str, value: Any) -> float:
    try:
        return float(operator.truediv(value, 1))
    except TypeError:
        raise TypeError(f"{name} is a number, not {value!r}") from None


def _count(name: str, value: Any, least: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if number < least:
        raise BadArgument(f"{name}={value}, where {least} is the least")
    return min(number, 1 << 30)


def _rates(rate: Any) -> tuple[float, float]:
    both = rate if isinstance(rate, (tuple, list)) else (rate, rate)
    if len(both) != 2:
        raise BadArgument(f"rate is a number or a pair of them, (low, high), not {rate!r}")
    low, high = (_number("rate", one) for one in both)
    if not 0 <= low <= high <= 1:
        raise BadArgument(f"rate is from 0 to 1, or (low, high) with low <= high, not {rate!r}")
    if both is rate and high == 0:
        raise BadArgument("the higher rate is above 0")
    return low, high


def length(keep: Any, drop: Any, rate: Any, wary: bool) -> Length:
    """wary: where none is given, what is no news is kept whole."""
    if (keep is not None) + (drop is not None) + (rate is not None) > 1:
        raise BadArgument("give one of keep, drop and rate, not more")
    if rate is not None:
        low, high = _rates(rate)
        return Length(by=_RATE, low=low, high=high)
    if drop is not None:
        return Length(by=_DROP, words=_count("drop", drop, 0))
    if keep is not None:
        return Length(by=_KEEP, words=_count("keep", keep, 1))
    return Length(by=_KEEP, words=_WARY if wary else 0)


def _best(decode: str | None) -> bool | None:
    if decode not in (None, "marginal", "best"):
        raise BadArgument(f"decode is marginal or best, not {decode!r}")
    return None if decode is None else decode == "best"


def _only_for(with_: str, **given: Any) -> None:
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise BadArgument(f"{', '.join(names)}: for with_={with_!r} alone")


def compressor(
    *,
    scored: bool,
    decode: Any,
    bonus: Any,
    unguarded: Any,
    only: Any,
    bigrams: Any,
    **deletions: Any,
) -> Compressor:
    """scored: scores are given. bigrams, deletions: what is no argument of it."""
    _only_for("deletions", bigrams=bigrams or None, **deletions)
    if only not in _ONLY:
        raise BadArgument(f"only is linear or neural, not {only!r}")
    if only is not None and scored:
        raise BadArgument("only is about the model's scores, arc and bigram are others")
    names = unguarded
    if unguarded is not None and not isinstance(unguarded, str):
        names = list(unguarded) if isinstance(unguarded, Iterable) else [unguarded]
        if not all(isinstance(name, str) for name in names):
            raise TypeError(f"unguarded is the name of a guard, or several, not {unguarded!r}")
        names = ",".join(names)
    return Compressor(
        marginal=_best(decode) is False,
        bonus=_number("bonus", bonus),
        opt_unguarded=names.encode(errors="replace") if names else None,
        only=_ONLY[only],
    )


def deletions(
    *,
    length: bool,
    trees: Any,
    decode: Any,
    threshold: Any,
    bonus: Any,
    bigrams: Any,
    lm: Any,
    lm_weight: Any,
    candidates: Any,
    **compressor: Any,
) -> Deletions:
    """length: it is told how many words. compressor: what is no argument of it."""
    _only_for("compressor", **compressor)
    if trees not in (None, "best", "all"):
        raise BadArgument(f"trees is best or all, not {trees!r}")
    best = _best(decode)
    likely = -1.0 if threshold is None else _number("threshold", threshold)
    if threshold is not None and (best or length or not 0 <= likely <= 1):
        raise BadArgument(f"threshold is from 0 to 1, of decode='marginal', not {threshold!r}")
    if (bonus or bigrams or lm is not None) and (not best or length):
        raise BadArgument("bonus, bigrams and lm are for decode='best' without a length")
    if length and best is False:
        raise BadArgument("of a given length, the likeliest choice of words is found: decode='best'")
    several = 100 if candidates is None else _count("candidates", candidates, 1)
    if lm is None and (lm_weight is not None or candidates is not None):
        raise BadArgument("lm_weight and candidates are for lm")
    return Deletions(
        best=bool(best),
        threshold=likely,
        bonus=_number("bonus", bonus),
        bigrams=_number("bigrams", bigrams),
        opt_lm=None if lm is None else os.fsencode(lm),
        lm_weight=0.1 if lm_weight is None else _number("lm_weight", lm_weight),
        candidates=several,
        all_trees=trees == "all",
    )
