"""Forked processes for tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

MOST_SECONDS = 120


def in_a_child(function: Callable[[], None]) -> None:
    """Runs function in a forked process; fails if it raises, crashes or hangs."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(MOST_SECONDS)
            function()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
