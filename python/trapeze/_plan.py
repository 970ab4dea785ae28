"""Semirings, plans and charts: made once, kept, and freed with the rules they belong to.

Nothing here takes a lock, so that a fork cannot leave one locked. Lists and dictionaries are
changed by single operations of the interpreter; where two threads make the same thing at once, it
is made twice.
"""

from __future__ import annotations

import os
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import Any

import numpy as np

from . import _library as C
from ._own import Owner
from ._watch import Progress, Watch
from .errors import BadArgument, BadRules, CannotRead

PRECISIONS = {"f64": 0, "f32": 1}

#: Charts that a plan or a limiter keeps for the next who takes one.
CHARTS = 4


class Plugin(str):
    """The path of a compiled semiring. Only this type is loaded, since loading runs code."""


#: Bytes of a semiring's text, of which more is refused.
_LONGEST = 1 << 16


class Source(str):
    """The text of a semiring that stood in a file, whose name is before messages."""

    name = "semiring"


def as_read(semiring: str) -> str:
    """What stands for a semiring: in place of a file NAME.semiring its text, since it may change."""
    if not isinstance(semiring, str) or isinstance(semiring, Source):
        return semiring
    if "\n" in semiring or not semiring.endswith(".semiring"):
        return semiring
    try:
        with open(semiring, encoding="utf-8", errors="surrogateescape", newline="") as file:
            found = Source(file.read(_LONGEST + 1))
    except OSError as error:
        raise CannotRead(f"{semiring}: {error.strerror}") from None
    found.name = semiring
    return found


class Semiring(Owner):
    """A semiring in one precision: by name, as the text of one, or compiled."""

    def __init__(self, text: str, precision: str) -> None:
        self.handle = 0
        if not isinstance(text, str):
            raise BadArgument(f"a semiring is given by its name, such as 'max', or its text, not {text!r}")
        if precision not in PRECISIONS:
            raise BadArgument(f"precision is 'f64' or 'f32', not {precision!r}")
        self.text, self.precision = text, precision
        is_text = isinstance(text, Source) or "\n" in text
        #: In messages.
        self.name = text.name if isinstance(text, Source) else "this text" if is_text else text
        #: Its numbers are called as it likes.
        self.written = is_text or text.endswith(".so")
        if isinstance(text, Plugin):
            self.handle = C.new(C.lib.tz_semiring_load, os.fsencode(text))
        elif text.endswith(".so"):
            raise BadArgument(f"{text} is a plug-in, which is code: trapeze.semiring({text!r}) loads it")
        elif is_text:
            name = getattr(text, "name", Source.name)
            if "\0" in text:
                raise BadRules(f"{name}: a zero byte: this is no text")
            self.handle = C.new(C.lib.tz_semiring_parse, os.fsencode(name), text.encode(errors="surrogateescape"))
        elif text.partition("(")[0].strip() == "resource":
            raise BadArgument(
                f"{text} is not a semiring here: rules.charge(NAME) makes rules that count the resource; run the "
                "semiring over those, with amounts=True for its value at each amount"
            )
        else:
            self.handle = C.new(C.lib.tz_semiring_new, text.encode(), PRECISIONS[precision])
        described = C.TzSemiring.from_address(self.handle)
        self.path = bool(described.laws & C.PATH)
        self.idempotent = bool(described.laws & C.IDEMPOTENT)
        self.gives: int = described.gives
        #: Its values are whole numbers, as of count; a text's may be any.
        self.whole = self.gives == C.GIVES_NUMBER and not self.written
        self.shares = bool(described.share)
        self.draws = self.shares and not described.laws & (C.PATH | C.IDEMPOTENT)
        #: Names of the arrays that it takes beside the scores.
        self.inputs: list[str] = []
        if described.inputs:
            inputs = (C.TzInput * described.inputs).from_address(described.input)
            self.inputs = [one.name.decode() for one in inputs]
        self.marks = bool(described.mark)
        self.turns = bool(described.multiples)
        self.numbers: int = C.lib.tz_semiring_numbers(self.handle)
        #: An element stands for several numbers: a list of like ones, or named ones.
        self.lists = bool(described.values) and not described.number_name
        #: Of a list: how many numbers stand together.
        self.each: int = max(1, described.each)
        self.named_numbers: list[str] = []
        if described.number_name:
            first = (c_char_p * self.numbers).from_address(described.number_name)
            self.named_numbers = [(name or b"").decode() for name in first]

        #: What they are where there is no derivation: as they are of zero; of a list, there are none.
        self.of_zero = np.full(self.numbers, self.none)
        if self.named_numbers:
            C.NumbersOf(described.values)(self.handle, described.zero, self.of_zero.ctypes.data)

    @property
    def none(self) -> float:
        """The value where there is no derivation."""
        return float("-inf") if self.gives == C.GIVES_SCORE else 0.0

    def __del__(self) -> None:
        if self.handle:
            C.lib.tz_semiring_free(self.handle)


class _Charts(Owner):
    """A tz_charts, to be freed before its plan."""

    def __init__(self, plan: int) -> None:
        self.handle = 0
        self.handle = C.new_plain(C.lib.tz_charts_new, plan)

    def __del__(self) -> None:
        if self.handle:
            C.lib.tz_charts_free(self.handle)


class _Pool:
    """Charts of a plan or a limiter, kept to be used again; the library's functions for them are given."""

    def __init__(self, new, free) -> None:
        self.handle = 0
        self._charts: list[int] = []
        self._new, self._free = new, free

    def take_chart(self) -> int:
        """A chart, to be given back."""
        try:
            return self._charts.pop()
        except IndexError:
            return C.new_plain(self._new, self.handle)

    def give_chart(self, chart: int) -> None:
        if len(self._charts) < CHARTS:
            self._charts.append(chart)
        else:
            self._free(chart)

    def _free_charts(self) -> None:
        for chart in self._charts:
            self._free(chart)


class Plan(_Pool, Owner):
    """Rules under a semiring, with charts kept to be used again."""

    def __init__(self, rules: int, semiring: Semiring, force: bool) -> None:
        super().__init__(C.lib.tz_chart_new, C.lib.tz_chart_free)
        self.semiring = semiring
        self.handle = C.new(
            C.lib.tz_plan_new, rules, semiring.handle, C.FORCE if force else 0
        )
        #: For tz_run: as many as it was called with at once.
        self.kept: list[_Charts] = []

    def __del__(self) -> None:
        if self.handle:
            self.kept.clear()
            self._free_charts()
            C.lib.tz_plan_free(self.handle)


#: For arguments that ctypes need not convert.
_tz_run = C.lib["tz_run"]


class Run:
    """A call of tz_run with kept charts, which can be repeated: its arguments are made once.

    problems: their address; visit: the address of a tz_visit, or a _library.Visit; user:
    byref(...)."""

    def __init__(
        self,
        plan: Plan,
        problems: int,
        count: int,
        visit: Any,
        user: Any,
        outside: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self._plan = plan
        self._watch = Watch(progress)
        self._options = C.TzRunOptions(
            outside=outside, threads=threads, watch=self._watch.address
        )
        self._charts, self._alone, self._error = 0, count == 1, C.TzError()
        #: Where they are; they may move.
        self.problems = c_void_p(problems)
        self._arguments = (
            c_void_p(plan.handle),
            self.problems,
            c_size_t(count),
            byref(self._options),
            c_void_p(visit) if isinstance(visit, int) else visit,
            user,
            byref(self._error),
        )

    def __call__(self) -> None:
        plan = self._plan
        try:
            charts = plan.kept.pop()
        except IndexError:
            charts = _Charts(plan.handle)
        if charts.handle != self._charts:
            self._charts = self._options.charts = charts.handle
        status = _tz_run(*self._arguments)
        if status != C.OK:
            del charts  # before the plan goes
            self._watch.check()
            message = self._error.message.decode(errors="replace")
            raise C.fail(status, message.removeprefix("problem 0: ") if self._alone else message)
        plan.kept.append(charts)
        self._watch.end()


class Limiter(_Pool, Owner):
    """A tz_limiter with its charts."""

    def __init__(self, rules: int, resource: str, precision: str, force: bool) -> None:
        super().__init__(C.lib.tz_limit_chart_new, C.lib.tz_limit_chart_free)
        self.handle = C.new(
            C.lib.tz_limiter_new,
            rules,
            resource.encode(),
            PRECISIONS[precision],
            C.FORCE if force else 0,
        )

    def __del__(self) -> None:
        if self.handle:
            self._free_charts()
            C.lib.tz_limiter_free(self.handle)
