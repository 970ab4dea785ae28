"""Long calls: Ctrl-C ends them, and a function of the caller is told how far they are."""

from __future__ import annotations

from collections.abc import Callable, Generator
from ctypes import addressof, c_void_p, cast
from typing import Any

from . import _library as C

Progress = Callable[[int, int], Any]
"""progress(done, of): so many of the problems are done."""

#: Between two looks. Each takes the interpreter's lock.
_SECONDS = 0.1


def _looks(
    record: C.TzWatch, raised: list[BaseException], progress: Progress | None
) -> Generator[None, Any, None]:
    """Goes on at each look, where Python runs signal handlers, if this is its main thread; their
    exceptions are caught here. It is a generator, since a generator goes on inside its `try`: a
    function would have to enter a `try` first, and an exception raised before that is lost in C."""
    try:
        while True:
            yield
            if progress is not None:
                progress(record.done, record.of)
    except GeneratorExit:
        return
    except BaseException as error:
        raised.append(error)
        record.stop = 1
    while True:
        yield


class Watch:
    """A tz_watch; `address` is where it is."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.record = C.TzWatch(seconds=_SECONDS)
        self.address = addressof(self.record)
        self._raised: list[BaseException] = []
        self._progress = progress
        looks = _looks(self.record, self._raised, progress)
        next(looks)
        self._look = C.Look(looks.send)
        self.record.look = cast(self._look, c_void_p)

    def check(self) -> None:
        """Raises the exception of a look, if there was one."""
        if self._raised:
            raise self._raised.pop()

    def end(self) -> None:
        """Ends the watch after a call that was not stopped."""
        self.check()
        if self._progress is not None:
            self._progress(self.record.of, self.record.of)


class ChartWatch:
    """The watch of a chart that is asked again and again: a new one after each call that it stopped."""

    def __init__(self, chart: int) -> None:
        self._chart = chart
        self._begin()

    def _begin(self) -> None:
        self._watch = Watch()
        C.lib.tz_chart_watch(self._chart, self._watch.address)

    def check(self, status: int, error: C.TzError | None = None) -> None:
        """Raises the exception for a call's status; of a call that was stopped, that of the look."""
        if status == C.STOPPED:
            watch = self._watch
            self._begin()
            watch.check()
        C.check(status, error)

    def end(self) -> None:
        C.lib.tz_chart_watch(self._chart, None)
