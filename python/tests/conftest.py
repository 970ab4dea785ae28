"""Random scores for tests. The seed is printed with a failure, and taken from TZ_SEED."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

import numpy as np
import pytest

import trapeze

SEED = int(os.environ.get("TZ_SEED", "1"))


def pytest_report_header() -> str:
    return f"TZ_SEED={SEED}"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


@pytest.fixture
def draw(rng):
    """draw(rules, **lengths): an array of normal scores for each weight."""

    def arrays(rules: trapeze.Rules, **lengths: int) -> dict[str, np.ndarray]:
        return {name: 2 * rng.normal(size=rules.shape(name, **lengths)) for name in rules.weights}

    return arrays


class _Mallinfo(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


@pytest.fixture
def in_use() -> Callable[[], int]:
    """in_use(): how many bytes malloc has given to the process and not had back. (Resident memory
    would also tell what the allocator keeps, and which pages of code were needed so far.)"""
    library = ctypes.CDLL(None)
    if "ASAN_OPTIONS" in os.environ:
        sanitizer = library.__sanitizer_get_current_allocated_bytes
        sanitizer.restype = ctypes.c_size_t
        return sanitizer
    if not hasattr(library, "mallinfo2"):
        pytest.skip("this C library does not tell")
    library.mallinfo2.restype = _Mallinfo

    def used() -> int:
        now = library.mallinfo2()
        return now.uordblks + now.hblkhd  # in arenas, and alone

    return used


@pytest.fixture
def no_sanitizer() -> None:
    """For forks. The address sanitizer of gcc 12 does not unlock its allocator in the child, where a
    thread of the parent had it, as one that ends may."""
    if "ASAN_OPTIONS" in os.environ:
        pytest.skip("the sanitizer's allocator does not survive forks")
