"""Semirings from Python functions, which are traced once and become a text, and from files
(docs/semirings.md).

Nothing of Python runs when problems are solved.
"""

from __future__ import annotations

import math
import os
import sys
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ._plan import Plugin, Semiring, as_read
from .errors import BadArgument

Number = Any  # a number, or a symbol of one

_UFUNCS = {
    np.add: "{} + {}",
    np.subtract: "{} - {}",
    np.multiply: "{} * {}",
    np.true_divide: "{} / {}",
    np.negative: "-{}",
    np.less: "{} < {}",
    np.less_equal: "{} <= {}",
    np.greater: "{} > {}",
    np.greater_equal: "{} >= {}",
    np.equal: "{} == {}",
    np.not_equal: "{} != {}",
    np.minimum: "min({}, {})",
    np.maximum: "max({}, {})",
    np.exp: "exp({})",
    np.log: "log({})",
    np.sqrt: "sqrt({})",
    np.floor: "floor({})",
    np.absolute: "abs({})",
}


def _where() -> str:
    """The line of the caller's function that is being traced."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _text(value: Number) -> str:
    if isinstance(value, Symbol):
        return value.text
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise BadArgument(f"{_where()}: {value!r} is no number") from None
    if math.isnan(number):
        raise BadArgument(f"{_where()}: a semiring has no use for NaN")
    return repr(number) if number >= 0 else f"(-{-number!r})"


class Symbol(np.lib.mixins.NDArrayOperatorsMixin):
    """A number not known yet. Operators and NumPy's functions on it give other symbols."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Symbol:
        if ufunc not in _UFUNCS or method != "__call__" or options:
            known = ", ".join(sorted(f.__name__ for f in _UFUNCS))
            raise BadArgument(f"{_where()}: {ufunc.__name__} cannot be traced; there are {known}, where")
        text = _UFUNCS[ufunc].format(*map(_text, inputs))
        return Symbol(text if text.endswith(")") and text[0].isalpha() else f"({text})")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Symbol:
        if function is not np.where or len(args) != 3 or kwargs:
            raise BadArgument(f"{_where()}: {function.__name__} cannot be traced")
        return Symbol("({} ? {} : {})".format(*map(_text, args)))

    def __bool__(self) -> bool:
        raise BadArgument(
            f"{_where()}: whether a number is true is not known while a function is traced: for if, and, or, "
            "min and max write np.where, np.minimum and np.maximum"
        )

    def __float__(self) -> float:
        raise BadArgument(f"{_where()}: a number is not known while a function is traced; NumPy's functions can be")

    def __repr__(self) -> str:
        return f"<{self.text}>"


class _Element:
    """The numbers of an element, by name."""

    def __init__(self, numbers: Mapping[str, Symbol]) -> None:
        self.__dict__.update(numbers)


def _element(prefix: str, names: Sequence[str], single: bool) -> Any:
    if single:
        return Symbol(prefix or names[0])
    return _Element({name: Symbol(f"{prefix}.{name}" if prefix else name) for name in names})


def _statement(what: str, given: Any, names: Sequence[str]) -> str:
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise BadArgument(f"{what} gives {', '.join(given)}, and an element is {', '.join(names)}")
        given = [given[name] for name in names]
    values = given if isinstance(given, (tuple, list)) else [given]
    if len(values) != len(names):
        raise BadArgument(f"{what} gives {len(values)} numbers, and an element has {len(names)}")
    return f"{what} {', '.join(map(_text, values))}\n"


def semiring(
    path: str | os.PathLike[str] | None = None,
    /,
    *,
    zero: Any = None,
    one: Any = None,
    plus: Callable[[Any, Any], Any] | None = None,
    times: Callable[[Any, Any], Any] | None = None,
    lift: Callable[..., Any] | None = None,
    value: Callable[[Any], Number] | None = None,
    also: Mapping[str, Callable[[Any], Number]] | None = None,
    share: Callable[[Any, Any], Number] | None = None,
    inputs: Sequence[str] = (),
    laws: Sequence[str] = ("commutative",),
    gives: str = "score",
) -> str:
    """The text of a semiring, to be given wherever the name of one is: ``rules.run(text, ...)``.

    With a path, it is read from a file: NAME.semiring, a text, or NAME.so, a plug-in that ``trapeze
    semirings compile`` has made. A plug-in is code that runs in this process: load only those that
    you trust.

    Without a path, it is made from functions. An element is a number, or several with names: then
    ``zero`` and ``one`` are dictionaries, and the functions get objects with these attributes and
    return dictionaries or tuples. ``lift`` gets the score and the inputs. ``also`` names further
    numbers to be reported. Each function is called once, on symbols. It may use operators,
    ``np.where``, ``np.minimum``, ``np.maximum``, ``np.exp``, ``np.log``, ``np.sqrt``, ``np.floor``
    and ``abs``.

    Raises ``BadArgument`` where something cannot be traced (with its line) or a file is no
    semiring, and ``Law`` where a law fails.
    """
    if path is not None:
        name = os.fspath(path)
        file = Plugin(os.path.abspath(name)) if name.endswith(".so") else name
        if not name.endswith((".so", ".semiring")):
            raise BadArgument(f"{name}: a semiring's file is NAME.semiring, or compiled NAME.so")
        Semiring(as_read(file), "f64")
        return file
    if zero is None or one is None or plus is None or times is None:
        raise BadArgument("a semiring takes zero, one, plus and times, or the path of its file")
    single = not isinstance(zero, Mapping)
    names = ["x"] if single else list(zero)
    a, b, numbers = (_element(prefix, names, single) for prefix in ("a", "b", ""))
    text = f"element {', '.join(names)}\n"
    if inputs:
        text += f"input {', '.join(inputs)}\n"
    text += _statement("zero", zero, names) + _statement("one", one, names)
    text += _statement("plus", plus(a, b), names) + _statement("times", times(a, b), names)
    if lift is not None:
        text += _statement("lift", lift(Symbol("score"), *map(Symbol, inputs)), names)
    if value is not None:
        text += f"value {_text(value(numbers))}\n"
    for name, number in (also or {}).items():
        text += f"also {name} = {_text(number(numbers))}\n"
    if share is not None:
        text += f"share {_text(share(a, b))}\n"
    text += f"laws {', '.join(laws)}\ngives {gives}\n"
    Semiring(text, "f64")
    return text
