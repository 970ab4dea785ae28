#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trains the compressor's neural scores by the likelihood of compressions and their trees under the
rules compress-single-root, and writes the section `neural` of a pack.

    train_compressor.py -o FILE --dev PAIRS PAIRS...      PAIRS: what `trapeze pairs` wrote"""

from __future__ import annotations

import argparse
import collections
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import numpy as np
import torch
from torch import Tensor

import trapeze.torch
from encoder import Batch, Encoder, Sizes, batch_of
from learn import add_options, begin, groups, learn
from section import Mix, section
from sentences import MOST, read, vocabularies

RULES = "compress-single-root"


def gold(right: Tensor) -> tuple[Tensor, Tensor]:
    """The cells of arcs [B, n + 1, n + 1] and bigrams [B, n + 1, n + 2] of compressions."""
    b, n = right.shape
    arc, bigram = torch.zeros(b, n + 1, n + 1), torch.zeros(b, n + 1, n + 2)
    there = right >= 0
    which, word = there.nonzero(as_tuple=True)
    arc[which, right[which, word], word + 1] = 1
    number = torch.arange(1, n + 1) * there
    before = torch.cat([number.new_zeros(b, 1), number.cummax(1).values], 1)  # the last kept up to w
    bigram[which, before[which, word], word + 1] = 1
    bigram[torch.arange(b), before[:, -1], n + 1] = 1
    return arc, bigram


def loss_of(model: Encoder, batch: Batch) -> Tensor:
    """-log p of the right compressions, per sentence."""
    arc, bigram = model(batch)
    structures = trapeze.torch.Distribution(RULES, arc=arc, bigram=bigram)
    right_arc, right_bigram = gold(batch.right)
    return -structures.log_prob(arc=right_arc, bigram=right_bigram).mean()


class Found:
    """For each dev sentence the probability that each word is kept, and the words that the best
    compression keeps."""

    def __init__(self) -> None:
        self.kept: list[np.ndarray] = []
        self.chance: list[np.ndarray] = []
        self.best: dict[float, list[np.ndarray]] = collections.defaultdict(list)
        self.loss = 0.0


def f1(kept: list[np.ndarray], found: list[np.ndarray]) -> tuple[float, float]:
    scores = [2 * (k & f).sum() / max(1, k.sum() + f.sum()) for k, f in zip(kept, found)]
    return float(np.mean(scores)), float(np.mean([(k == f).all() for k, f in zip(kept, found)]))


def evaluate(model: Encoder, dev: list[Batch], bonuses: tuple[float, ...]) -> Found:
    model.eval()
    found = Found()
    with torch.no_grad():
        for batch in dev:
            arc, bigram = model(batch)
            structures = trapeze.torch.Distribution(RULES, arc=arc, bigram=bigram)
            right_arc, right_bigram = gold(batch.right)
            found.loss -= float(structures.log_prob(arc=right_arc, bigram=right_bigram).sum())
            chance = structures.marginals["bigram"].sum(1)[:, 1:-1]
            found.kept += list((batch.right >= 0).numpy())
            found.chance += list(chance.numpy())
            for bonus in bonuses:
                more = bigram.clone()
                more[:, :, 1:-1] += bonus
                best = trapeze.torch.argmax(RULES, arc=arc, bigram=more)
                found.best[bonus] += list((best["bigram"].sum(1)[:, 1:-1] > 0).numpy())
    found.loss /= len(found.kept)
    model.train()
    return found


def report(found: Found) -> str:
    thresholds = np.arange(0.3, 0.6, 0.02)
    risk = max((f1(found.kept, [c > t for c in found.chance])[0], t) for t in thresholds)
    told = f"loss {found.loss:.3f}; minimum risk F1 {100 * risk[0]:.2f} ({risk[1]:.2f})"
    for bonus, kept in found.best.items():
        mean, exact = f1(found.kept, kept)
        told += f"; bonus {bonus}: F1 {100 * mean:.2f} exact {100 * exact:.2f}"
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pairs", nargs="+", type=pathlib.Path)
    parser.add_argument("--dev", type=pathlib.Path, required=True, help="pairs to report on")
    add_options(parser, words=1200, rate=3e-3, drop=0.15, unknown=0.5, least=4)
    parser.add_argument("--sentences", type=int, help="learn only from so many")
    parser.add_argument("--mix", type=float, nargs=4, default=Mix(), help=" ".join(Mix._fields))
    given = parser.parse_args()
    begin(given)
    start = time.process_time()

    train = [s for path in given.pairs for s in read(path) if len(s.forms) <= MOST]
    order = random.Random(given.seed)
    if given.sentences:
        order.shuffle(train)
        train = train[: given.sentences]
    dev_sentences = list(read(given.dev))
    words = vocabularies(train, given.least)
    sizes = Sizes()
    dev = [batch_of(g, words, sizes) for g in groups(dev_sentences, given.words)]
    model = Encoder([v.size for v in words], sizes, given.drop)
    known, numbers = [v.size for v in words], sum(p.numel() for p in model.parameters())
    seconds = time.process_time() - start
    print(f"{len(train)} pairs, {known} words, {numbers} numbers, {seconds:.0f} s", flush=True)

    def told(bonuses: tuple[float, ...] = (0.0,)) -> str:
        return report(evaluate(model, dev, bonuses))

    learn(model, train, words, given, order, loss_of, told)
    print(told((0.0, 0.1, 0.2, 0.3, 0.4)))
    given.output.write_bytes(section(model, words, Mix(*given.mix)))


if __name__ == "__main__":
    main()
