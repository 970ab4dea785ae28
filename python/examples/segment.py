"""Words written without blanks: a dynamic program written down, then asked everything.

    PYTHONPATH=python python3 python/examples/segment.py [LETTERS]

The rules stand in the program as a paper prints them. Pieces are scored by how frequent they are as
words; everything that is no word is impossible."""

from __future__ import annotations

import sys

import numpy as np

import trapeze

SEGMENT = trapeze.rules(
    text="""
    rules   segment                       # cut positions 0..n into pieces
    length  n
    weight  piece[i,j]  0 <= i < j <= n
    item    at[i]       0 <= i <= n       # a cut at i, everything before it done
    goal    at[n]

        axiom
        ----- start
        at[0]

        at[i]
        ----- next * piece[i,j]
        at[j]
    """
)

# How often these come in a million words, roughly.
FREQUENCY = {
    "a": 23000, "at": 4800, "ate": 30, "cat": 40, "cats": 25, "eat": 60, "he": 8000, "hat": 25,
    "her": 2500, "here": 900, "i": 9000, "in": 18000, "no": 1900, "now": 1300, "on": 6000, "sat": 60,
    "sand": 30, "sit": 70, "the": 55000, "there": 2500, "these": 1200, "thin": 60, "to": 26000,
    "where": 900, "we": 4000, "and": 27000, "is": 10000, "nowhere": 20, "it": 10000, "theca": 0.1,
    "ts": 0.1, "hen": 5, "then": 1500,
}  # fmt: skip


def scores(letters: str) -> np.ndarray:
    """piece[i,j]: the log probability of letters i+1..j as a word."""
    n = len(letters)
    piece = np.full((n, n + 1), -np.inf)
    for i in range(n):
        for j in range(i + 1, n + 1):
            if letters[i:j] in FREQUENCY:
                piece[i, j] = np.log(FREQUENCY[letters[i:j]] / 1e6)
    return piece


def words(letters: str, derivation: trapeze.Derivation) -> str:
    return " ".join(letters[i:j] for i, j in derivation.index("piece"))


def main(letters: str) -> None:
    piece = scores(letters)
    best = SEGMENT.run("max", piece=piece, kbest=3)
    if not best.kbest:
        print(f"{letters}: no words of mine make this up")
        return
    log = SEGMENT.run("log", piece=piece, marginals=True, samples=4)
    count = SEGMENT.run("count", piece=piece).value
    entropy = SEGMENT.run("entropy", piece=piece).entropy
    print(f"{letters}: {count} ways, {entropy:.3f} nats of doubt")
    for derivation in best.kbest:
        print(f"  {np.exp(derivation.score - log.value):.4f}  {words(letters, derivation)}")
    print("words by probability:")
    marginals = log.marginals["piece"]
    for cell in np.argsort(-marginals, axis=None, kind="stable")[:6]:
        i, j = np.unravel_index(cell, marginals.shape)
        if marginals[i, j] > 0:
            print(f"  {marginals[i, j]:.4f}  {letters[i:j]}")
    print("samples: " + "; ".join(words(letters, sample) for sample in log.samples))


main(sys.argv[1] if len(sys.argv) > 1 else "thecatsatnowhere")
