# SPDX-License-Identifier: MIT
"""What the benchmarks beside PyTorch measure with."""

from __future__ import annotations

import time
from collections.abc import Callable


def least(call: Callable[[], object], repeats: int) -> float:
    """Seconds of the processor, after a first call."""
    call()
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)
