#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Connectionist temporal classification beside torch.nn.functional.ctc_loss: value and gradient.

Usage: PYTHONPATH=python python3 bench/torch_ctc.py

A batch of transcripts of equal lengths, in double, on one thread. Both read the same log
probabilities; values and gradients must be the same to 1e-10. Times are of the processor, the least
of several, from arrays to the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch

import trapeze

BATCH = 16
SIZES = ((200, 40, 30), (500, 100, 30))  # frames, labels of the transcript, labels with the blank
REPEATS = 5


def least(call: Callable[[], object]) -> float:
    """Seconds of the processor."""
    call()
    times = []
    for _ in range(REPEATS):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def theirs(scores: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Log probabilities, and how they change with the scores."""
    frames = scores.shape[1]
    given = torch.from_numpy(scores).transpose(0, 1).requires_grad_()
    loss = torch.nn.functional.ctc_loss(
        given,
        torch.from_numpy(labels),
        torch.full((BATCH,), frames),
        torch.full((BATCH,), labels.shape[1]),
        reduction="none",
    )
    (gradient,) = torch.autograd.grad(-loss.sum(), given)
    return -loss.detach().numpy(), gradient.transpose(0, 1).numpy()


def ours(
    rules: trapeze.Rules, scores: np.ndarray, labels: np.ndarray, differ: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    problems = [{"emit": s, "differ": differ, "y": y} for s, y in zip(scores, labels)]
    found = rules.run_batch("log", problems, marginals=True, threads=1)
    return (
        np.array([f.value for f in found]),
        np.array([f.marginals["emit"] for f in found]),
    )
