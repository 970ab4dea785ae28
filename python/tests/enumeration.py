"""Structures written down one by one, in plain Python: what the library's answers are compared with.

A structure is a list of cells (weight, index...), each used once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

Cell = tuple  # (weight, i, j, ...)


def _projective(heads: dict[int, int]) -> bool:
    """Is it a tree under 0 without crossing arcs? heads: of each word."""
    for word in heads:
        seen, at = set(), word
        while at != 0:
            if at in seen:
                return False
            seen.add(at)
            at = heads[at]
    arcs = [(min(h, m), max(h, m)) for m, h in heads.items()]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def trees(words: list[int]) -> Iterator[dict[int, int]]:
    """Projective trees over these words, as heads; any number of words under the root, 0."""
    for heads in itertools.product([0, *words], repeat=len(words)):
        tree = dict(zip(words, heads))
        if all(h != m for m, h in tree.items()) and _projective(tree):
            yield tree


def eisner(n: int) -> list[list[Cell]]:
    return [[("arc", h, m) for m, h in tree.items()] for tree in trees(list(range(1, n + 1)))]


def eisner_single_root(n: int) -> list[list[Cell]]:
    return [tree for tree in eisner(n) if sum(cell[1] == 0 for cell in tree) == 1]


def compress(n: int) -> list[list[Cell]]:
    found = []
    for size in range(n + 1):
        for kept in itertools.combinations(range(1, n + 1), size):
            stops = [0, *kept, n + 1]
            bigrams = [("bigram", a, b) for a, b in zip(stops, stops[1:])]
            for tree in trees(list(kept)):
                found.append([("arc", h, m) for m, h in tree.items()] + bigrams)
    return found


def chain(n: int, labels: int = 2) -> list[list[Cell]]:
    found = []
    for tags in itertools.product(range(labels), repeat=n):
        cells: list[Cell] = [("emit", i + 1, tag) for i, tag in enumerate(tags)]
        cells += [("trans", a, b) for a, b in zip(tags, tags[1:])]
        found.append([("start", tags[0]), *cells] if n else cells)
    return found


STRUCTURES = {
    "eisner": eisner,
    "eisner-single-root": eisner_single_root,
    "compress": compress,
}


def scores_of(structures: list[list[Cell]], arrays: dict[str, np.ndarray]) -> np.ndarray:
    """The score of each structure."""
    return np.array([sum(arrays[c[0]][c[1:]] for c in cells) for cells in structures], float)


def log_sum(scores: np.ndarray) -> float:
    top = scores.max(initial=-np.inf)
    return float(top) if np.isneginf(top) else float(top + np.log(np.exp(scores - top).sum()))


def sums(
    structures: list[list[Cell]], numbers: np.ndarray, arrays: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """For each cell, the sum of the numbers of the structures that use it."""
    found = {name: np.zeros(array.shape) for name, array in arrays.items()}
    for cells, number in zip(structures, numbers):
        for cell in cells:
            found[cell[0]][cell[1:]] += number
    return found


def maxima(
    structures: list[list[Cell]], scores: np.ndarray, arrays: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """For each cell, the largest score of a structure that uses it."""
    found = {name: np.full(array.shape, -np.inf) for name, array in arrays.items()}
    for cells, score in zip(structures, scores):
        for cell in cells:
            found[cell[0]][cell[1:]] = max(found[cell[0]][cell[1:]], score)
    return found
