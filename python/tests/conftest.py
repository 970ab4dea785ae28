"""Random scores for tests. The seed is printed with a failure, and taken from TZ_SEED."""

from __future__ import annotations

import os

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


@pytest.fixture
def no_sanitizer() -> None:
    """For forks and for resident memory. The address sanitizer of gcc 12 does not unlock its
    allocator in the child, where a thread of the parent had it, as one that ends may; and it keeps
    freed memory."""
    if "ASAN_OPTIONS" in os.environ:
        pytest.skip("the sanitizer's allocator neither survives forks nor frees at once")
