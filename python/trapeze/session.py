"""Sentences of a grammar, written word by word."""

from __future__ import annotations

import math
from ctypes import byref, c_double, c_int32, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _library as C
from ._arrays import NUMBERS, SCORES
from ._given import whole_number
from ._own import Owner
from ._rules import rules
from ._watch import ChartWatch
from .errors import BadArgument

if TYPE_CHECKING:
    from .grammar import Grammar

__all__ = ["GrammarSession"]


class GrammarSession(Owner):
    """The beginning of a sentence, to which words are added and from which they are taken.

        session = grammar.session("they saw")
        session.append("the")
        session.next()

    Answers have the bits of the grammar's answers about the whole, except prefix_log_prob, which is
    summed from what may follow. A session belongs to one thread at a time. Questions about
    probabilities raise BadArgument if it was made with truth=True."""

    _chart = 0

    def __init__(self, grammar: Grammar, words: Any = "", truth: bool = False) -> None:
        self._grammar, self._truth = grammar, truth
        self._rules = rules("gallery/next")
        self._plan = self._rules._plan("bool" if truth else "log", "f64", False)
        total = np.zeros(len(grammar._symbols)) if truth else grammar._totals
        lists = list(grammar._lists.values())
        self._arrays = [total, *(array for pair in lists for array in pair)]  # to keep them
        zeros, ones = [0] * (C.MAX_RANK - 1), [1] * C.MAX_RANK
        packed = [
            SCORES.pack(scores.ctypes.data, 0, *ones, 1, *zeros, index.ctypes.data, len(scores))
            for index, scores in lists
        ]
        packed.append(SCORES.pack(total.ctypes.data, 0, len(total), *zeros, 1, *zeros, 0, 0))
        self._scores = np.frombuffer(b"".join(packed), "u8")
        lengths = {"n": 0, **grammar._lengths}
        self._lengths = np.array([lengths[name] for name in self._rules.lengths], np.int32)
        self._kept = self._lengths.copy()
        self._follow, self._ended = self._rules.item("follow"), self._rules.item("ended")
        self._output = C.TzOutput(None, (1,))
        self._x = np.zeros(16, np.int32)
        #: Words; those that the chart is of, -1 if there is none; how many of both are the same.
        self._count, self._charted, self._same = 0, -1, 0
        self._error = C.TzError()
        self._chart = C.new_plain(C.lib.tz_chart_new, self._plan.handle)
        self._watch = ChartWatch(self._chart)
        self.extend(words)

    def __del__(self) -> None:
        if self._chart:
            C.lib.tz_chart_free(self._chart)

    def __reduce__(self) -> Any:
        return GrammarSession, (self._grammar, tuple(self.words), self._truth)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"GrammarSession({self.words})"

    @property
    def words(self) -> list[str]:
        """The words so far."""
        return [self._grammar.words[x] for x in self._x[: self._count].tolist()]

    def append(self, word: str) -> None:
        """Adds a word. Raises UnknownWord, and then has not changed."""
        self.extend((word,))

    def extend(self, words: Any) -> None:
        """Adds words, a text or a tuple. Raises UnknownWord, and then has not changed."""
        x = self._grammar._encode(words, None)
        count = self._count + len(x)
        if count > C.MAX_LENGTH:
            raise BadArgument(f"a sentence has at most {C.MAX_LENGTH} words")
        if count > len(self._x):
            self._x = np.concatenate([self._x, np.zeros(count, np.int32)])
        self._x[self._count : count] = x
        self._count = count

    def truncate(self, count: int) -> None:
        """Keeps only the first words. Raises BadArgument unless there are as many."""
        count = whole_number(count, "count")
        if count > self._count:
            raise BadArgument(f"there are {self._count} words, and {count} are to be kept")
        self._count = count
        self._same = min(self._same, count)

    def copy(self) -> GrammarSession:
        """An independent session with these words; its chart is computed when it is first asked."""
        return GrammarSession(self._grammar, tuple(self.words), self._truth)

    # ---- Questions -------------------------------------------------------------------------------

    @property
    def prefix_log_prob(self) -> float:
        """The log of the sum over all sentences that begin so."""
        return self._value(C.GOAL)

    @property
    def log_prob(self) -> float:
        """The log of the sum over all trees of these words as a sentence."""
        return self._value(self._ended)

    def next_log_probs(self) -> NDArray[np.float64]:
        """As Grammar.next_log_probs."""
        all_of_it, after = self.prefix_log_prob, self._after()
        return after - all_of_it if all_of_it > -np.inf else after

    def next(self) -> dict[str | None, float]:
        """As Grammar.next."""
        row = self.next_log_probs()
        names = [*self._grammar.words, None]
        order = np.argsort(-row, kind="stable").tolist()
        return {names[v]: math.exp(row[v]) for v in order if row[v] > -np.inf}

    def allowed(self) -> NDArray[np.bool_]:
        """As Grammar.allowed: which words may follow, and whether the sentence may end."""
        after = self._after()
        return after > 0 if self._truth else after > -np.inf

    # ---- How -------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Computes the items of new words."""
        if self._same == self._count == self._charted:
            return
        self._lengths[0] = self._count
        zeros = [0] * (C.MAX_RANK - 1)
        numbers = np.frombuffer(
            NUMBERS.pack(self._x.ctypes.data, self._count, *zeros, 1, *zeros), "u8"
        )
        problem = (c_void_p * 7)(
            self._lengths.ctypes.data, self._scores.ctypes.data, 0, 0, 0, 0, numbers.ctypes.data
        )
        kept = None
        if self._charted >= 0:
            self._kept[0] = self._same
            kept = self._kept.ctypes.data
        self._bound = numbers
        self._charted, self._same = -1, 0  # after a failure there is no chart
        status = C.lib.tz_extend(self._chart, problem, 1, kept, byref(self._error))
        self._watch.check(status, self._error)
        self._charted = self._same = self._count

    def _value(self, item: int) -> float:
        if self._truth:
            raise BadArgument("a session of truth values has no probabilities")
        self._go_on()
        value = c_double()
        C.check(C.lib.tz_item_value(self._chart, 0, item, (c_int32 * C.MAX_RANK)(), False, byref(value)))
        return value.value

    def _after(self) -> NDArray[np.float64]:
        """The values of each word that may follow, and of the end."""
        self._go_on()
        values, end = np.empty(len(self._grammar.words) + 1), c_double()
        self._output.data = values.ctypes.data
        C.check(C.lib.tz_items(self._chart, 0, self._follow, byref(self._output)))
        index = (c_int32 * C.MAX_RANK)()
        C.check(C.lib.tz_item_value(self._chart, 0, self._ended, index, False, byref(end)))
        values[-1] = end.value
        return values
