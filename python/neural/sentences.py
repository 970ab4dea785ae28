# SPDX-License-Identifier: MIT
"""Analysed sentences with right answers, as `trapeze pairs` and scripts/jackknife write them: what
the encoder sees of a sentence, as numbers, and the right answer.

Words, tags and relations are the hashes of sentences/features/tables/hash.h and sentence/words.h,
cut to 32 bits. So a vocabulary is a list of numbers and holds no text."""

from __future__ import annotations

import collections
import functools
import pathlib
from typing import Iterator, NamedTuple

import numpy as np

MASK = (1 << 64) - 1
NUMBER = 1  # all words with a digit, or # for one
PARTS = (3, 4)  # how long the parts of a word are, in letters
DEPTHS = (1, 2, 3, 4, 5, 6, 8)  # the greatest of each bin
SIZES = (1, 2, 3, 5, 8, 12, 20)
DISTANCES = (1, 2, 3, 4, 6, 9, 14, 22)
GAPS = (0, 1, 2, 3, 5, 8, 12, 20)
MOST = 100  # words of a sentence that is learnt from


def mix(value: int, more: int) -> int:
    value = ((value ^ more) * 0x9E3779B97F4A7C15) & MASK
    return value ^ value >> 32


@functools.lru_cache(maxsize=None)
def hash_name(name: str) -> int:
    """The hash of a tag or relation."""
    data = name.encode()
    return functools.reduce(mix, data, len(data)) & 0xFFFFFFFF


@functools.lru_cache(maxsize=None)
def hash_word(form: str) -> int:
    if any(c in "0123456789#" for c in form):
        return NUMBER
    return functools.reduce(mix, map(ord, form.lower()), 0) & 0xFFFFFFFF


@functools.lru_cache(maxsize=None)
def parts(form: str, buckets: int) -> tuple[int, ...]:
    """Where the vectors of a word's parts stand: <for, form, orm>, ... A digit is #. The mark that
    the data writes for any rare word has no parts."""
    if form == "<unk>":
        return ()
    codes = [ord("#") if c in "0123456789" else ord(c) for c in f"<{form.lower()}>"]
    return tuple(
        functools.reduce(mix, codes[at : at + size], size) % buckets
        for size in PARTS
        for at in range(len(codes) - size + 1)
    )


def in_bin(value: int, bounds: tuple[int, ...]) -> int:
    return sum(value > bound for bound in bounds)


class Sentence(NamedTuple):
    forms: list[str]
    word: np.ndarray  # [4, n] hashes: word, XPOS, UPOS, relation
    tree: np.ndarray  # [4, n + 2] of positions 0..n + 1: head, depth, and the subtree's first and last
    right: np.ndarray  # [n] the head of each word in the compression, -1: dropped; or in the right tree
    label: np.ndarray  # [n] the hash of its relation there; of a compression's, of none


def tree_of(heads: list[int]) -> np.ndarray:
    """Heads, depths and subtrees. Outside the words heads are -1 and depths 0; the root's subtree
    is the sentence."""
    n = len(heads)
    head = [-1, *heads, -1]
    first, last, depth = list(range(n + 2)), list(range(n + 2)), [0] * (n + 2)
    for m in range(1, n + 1):
        a = m
        while a > 0:
            depth[m] += 1
            first[a], last[a] = min(first[a], m), max(last[a], m)
            a = head[a]
    first[0], last[0] = 0, n
    return np.array([head, depth, first, last], np.int16)


def read(path: pathlib.Path) -> Iterator[Sentence]:
    rows: list[list[str]] = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line[0] == "#":
                continue
            if line != "\n":
                rows.append(line[:-1].split("\t"))
                continue
            heads = [int(row[6]) for row in rows]
            told = [row[9][5:] if row[9][:5] in ("Kept=", "Gold=") else "-1" for row in rows]
            right, _, label = zip(*(answer.partition(":") for answer in told))
            word = [
                (hash_word(row[1]), hash_name(row[4]), hash_name(row[3]), hash_name(row[7]))
                for row in rows
            ]
            yield Sentence(
                [row[1] for row in rows],
                np.array(word, np.uint32).T,
                tree_of(heads),
                np.array(right, np.int16),
                np.array([hash_name(name) for name in label], np.int64),
            )
            rows = []


class Vocabulary:
    """The rows of a table of vectors: row 0 for names that are too rare, 1 and 2 for positions 0
    and n + 1, then frequent names by hash."""

    def __init__(self, count: collections.Counter[int], least: int) -> None:
        self.hashes = sorted(key for key, c in count.items() if c >= least)
        self.row = {key: i for i, key in enumerate(self.hashes, 3)}
        self.count = np.array([0, 0, 0, *(count[key] for key in self.hashes)], np.int64)
        self.size = len(self.hashes) + 3

    def __call__(self, hashes: np.ndarray) -> list[int]:
        """The rows of a sentence's positions 0..n + 1."""
        return [1, *(self.row.get(int(key), 0) for key in hashes), 2]


def vocabularies(sentences: list[Sentence], least: int) -> list[Vocabulary]:
    """The vocabularies of words, XPOS, UPOS and relations."""
    every = np.concatenate([s.word for s in sentences], 1)
    counts = [dict(zip(*map(np.ndarray.tolist, np.unique(row, return_counts=True)))) for row in every]
    return [Vocabulary(collections.Counter(c), least if i == 0 else 2) for i, c in enumerate(counts)]
