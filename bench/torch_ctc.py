#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Connectionist temporal classification beside torch.nn.functional.ctc_loss: value and gradient.

Usage: PYTHONPATH=python python3 bench/torch_ctc.py

A batch of transcripts of equal lengths, in double, on one thread. Both read the same log
probabilities; values and gradients must be the same to 1e-10. (ctc_loss's gradient is one behind
log_softmax: the marginals less the probabilities.) Times are of the processor, the least
of several, from arrays to the answer.
"""

from __future__ import annotations

import numpy as np
import torch

import trapeze
from torch_timing import least

BATCH = 16
SIZES = ((200, 40, 30), (500, 100, 30))  # frames, labels of the transcript, labels with the blank
REPEATS = 5


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


def main() -> None:
    torch.set_num_threads(1)
    rules = trapeze.rules("gallery/ctc")
    random = np.random.default_rng(1)
    for frames, length, symbols in SIZES:
        scores = random.normal(size=(BATCH, frames, symbols))
        scores -= np.logaddexp.reduce(scores, axis=2, keepdims=True)
        labels = random.integers(1, symbols, (BATCH, length))
        padded = np.zeros((BATCH, frames + 1, symbols))  # row 0 is not looked at
        padded[:, 1:] = scores
        weights = {
            "emit": padded,
            "differ": np.where(np.eye(symbols), -np.inf, 0),
            "y": labels,
        }

        def ours() -> trapeze.Result:
            return rules.run("log", weights, marginals=True, threads=1)

        value, gradient = theirs(scores, labels)
        found = ours()
        for name, one, other in (
            ("values", found.value, value),
            ("gradients", found.marginals["emit"][:, 1:] - np.exp(scores), gradient),
        ):
            if not np.allclose(one, other, rtol=1e-10, atol=1e-10):
                raise SystemExit(f"{name} differ by {np.abs(one - other).max():.3g}")
        slow, fast = least(lambda: theirs(scores, labels), REPEATS), least(ours, REPEATS)
        print(
            f"{BATCH} x {frames} frames, {length} labels of {symbols}: ctc_loss {slow * 1e3:6.1f} ms, "
            f"Trapeze {fast * 1e3:5.1f} ms, {slow / fast:4.1f} times faster"
        )


if __name__ == "__main__":
    main()
