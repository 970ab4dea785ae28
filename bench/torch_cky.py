#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CKY of dense rules: log Z, and marginals, beside torch-struct's on one sentence.

Usage: PYTHONPATH=python python3 bench/torch_cky.py DIR, where DIR holds a copy of torch_struct
(Rush 2020, Torch-Struct: Deep structured prediction library, ACL demos), which is no package of
Debian. Both read the same scores, in double, on one thread; log Z must be the same to 1e-12 of it.
Times are of the processor, the least of several, from arrays to the answer.
"""

from __future__ import annotations

import sys

import numpy as np
import torch

import trapeze
from torch_timing import least

WORDS = 20
SYMBOLS = ((20, 17), (30, 30))  # nonterminals, preterminals
REPEATS = 7


def compare(nonterminals: int, preterminals: int) -> None:
    from torch_struct.cky import CKY
    from torch_struct.semirings import LogSemiring

    torch.manual_seed(1)
    symbols = nonterminals + preterminals
    terms = torch.randn(1, WORDS, preterminals, dtype=torch.float64)
    rules = torch.randn(1, nonterminals, symbols, symbols, dtype=torch.float64)
    roots = torch.randn(1, nonterminals, dtype=torch.float64)
    theirs = CKY(LogSemiring)
    ours = trapeze.rules("gallery/pcfg-preterminals")
    weights = {
        "x": np.arange(WORDS),  # each word another one, so that emit is terms
        "root": roots[0].numpy(),
        "rule": rules[0].numpy().copy(),  # theirs is given a gradient
        "emit": np.ascontiguousarray(terms[0].numpy().T),
    }
    value = float(theirs.sum((terms, rules, roots)))
    if not np.isclose(ours.run("log", weights).value, value, rtol=1e-12, atol=0):
        raise SystemExit("log Z differs")
    for name, one, other in (
        (
            "log Z",
            lambda: theirs.sum((terms, rules, roots)),
            lambda: ours.run("log", weights),
        ),
        (
            "marginals",
            lambda: theirs.marginals((terms, rules, roots)),
            lambda: ours.run("log", weights, marginals=True),
        ),
    ):
        slow, fast = least(one, REPEATS), least(other, REPEATS)
        print(
            f"{nonterminals * symbols**2:7} rules, n = {WORDS}, {name:9}: torch-struct "
            f"{slow * 1e3:6.1f} ms, Trapeze {fast * 1e3:5.1f} ms, {slow / fast:4.1f} times faster"
        )


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("usage: torch_cky.py DIR, a folder that holds torch_struct")
    sys.path.insert(0, sys.argv[1])
    torch.set_num_threads(1)
    for nonterminals, preterminals in SYMBOLS:
        compare(nonterminals, preterminals)


if __name__ == "__main__":
    main()
