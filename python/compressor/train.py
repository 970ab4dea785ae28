#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trains the compressor's neural scores by the likelihood of compressions and their trees under the
rules compress-single-root, and writes the section `neural` of a pack.

    train.py -o FILE --dev PAIRS PAIRS...        PAIRS: what `trapeze pairs` wrote"""

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
from torch import Tensor, nn

import trapeze.torch
from encoder import Batch, Encoder, Sizes, batch_of
from pairs import MOST, Sentence, read, vocabularies
from section import Mix, section

RULES = "compress-single-root"
WARM = 200  # steps until the rate is what it is to be


def groups(
    sentences: list[Sentence], words: int, order: random.Random | None = None
) -> list[list[Sentence]]:
    """Sentences of the same length together, about so many words at a time."""
    by_length: dict[int, list[Sentence]] = collections.defaultdict(list)
    for sentence in sentences:
        by_length[len(sentence.forms)].append(sentence)
    found = []
    for n, same in sorted(by_length.items()):
        if order:
            order.shuffle(same)
        size = max(1, words // n)
        found += [same[at : at + size] for at in range(0, len(same), size)]
    if order:
        order.shuffle(found)
    return found


def gold(kept: Tensor) -> tuple[Tensor, Tensor]:
    """The cells of arcs [B, n + 1, n + 1] and bigrams [B, n + 1, n + 2] of compressions."""
    b, n = kept.shape
    arc, bigram = torch.zeros(b, n + 1, n + 1), torch.zeros(b, n + 1, n + 2)
    there = kept >= 0
    which, word = there.nonzero(as_tuple=True)
    arc[which, kept[which, word], word + 1] = 1
    number = torch.arange(1, n + 1) * there
    before = torch.cat([number.new_zeros(b, 1), number.cummax(1).values], 1)  # the last kept up to w
    bigram[which, before[which, word], word + 1] = 1
    bigram[torch.arange(b), before[:, -1], n + 1] = 1
    return arc, bigram


def loss_of(model: Encoder, batch: Batch) -> Tensor:
    """-log p of the right compressions, a sentence."""
    arc, bigram = model(batch)
    structures = trapeze.torch.Distribution(RULES, arc=arc, bigram=bigram)
    right_arc, right_bigram = gold(batch.kept)
    return -structures.log_prob(arc=right_arc, bigram=right_bigram).mean()


class Found:
    """For each dev sentence how likely its words are kept, and what the best compression keeps."""

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
            right_arc, right_bigram = gold(batch.kept)
            found.loss -= float(structures.log_prob(arc=right_arc, bigram=right_bigram).sum())
            chance = structures.marginals["bigram"].sum(1)[:, 1:-1]
            found.kept += list((batch.kept >= 0).numpy())
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
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--words", type=int, default=1200, help="in a batch, about")
    parser.add_argument("--rate", type=float, default=3e-3, help="of Adam at first; it falls to 0")
    parser.add_argument("--drop", type=float, default=0.25, help="share of numbers dropped out")
    parser.add_argument("--unknown", type=float, default=0.5, help="how readily words are unknown")
    parser.add_argument("--least", type=int, default=4, help="times that a known word occurs")
    parser.add_argument("--sentences", type=int, help="learn from so many alone")
    parser.add_argument("--mix", type=float, nargs=4, default=Mix(), help=" ".join(Mix._fields))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--report", type=int, default=1500, help="steps between reports")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    torch.set_flush_denormal(True)
    start = time.process_time()

    train = [s for path in given.pairs for s in read(path) if len(s.forms) <= MOST]
    order = random.Random(given.seed)
    if given.sentences:
        order.shuffle(train)
        train = train[: given.sentences]
    dev_sentences = list(read(given.dev))
    words = vocabularies(train, given.least)
    sizes = Sizes()
    dev = [batch_of(g, words, sizes.buckets) for g in groups(dev_sentences, given.words)]
    model = Encoder([v.size for v in words], sizes, given.drop)
    sparse = [model.word.weight, model.part.weight]
    dense = [p for p in model.parameters() if all(p is not s for s in sparse)]
    known, numbers = [v.size for v in words], sum(p.numel() for p in dense)
    seconds = time.process_time() - start
    print(f"{len(train)} pairs, {known} words, {numbers} numbers, {seconds:.0f} s", flush=True)
    optimisers = [
        torch.optim.Adam(dense, lr=given.rate, betas=(0.9, 0.98)),
        torch.optim.SparseAdam(sparse, lr=given.rate, betas=(0.9, 0.98)),
    ]
    generator = np.random.default_rng(given.seed)
    steps = int(given.epochs * len(groups(train, given.words)))
    step, total, begin = 0, 0.0, time.process_time()

    def tell(bonuses: tuple[float, ...]) -> None:
        found = report(evaluate(model, dev, bonuses))
        print(f"{step} of {steps}: {found}; {time.process_time() - begin:.0f} s", flush=True)

    while step < steps:
        for group in groups(train, given.words, order)[: steps - step]:
            batch = batch_of(group, words, sizes.buckets, given.unknown, generator)
            for optimiser in optimisers:
                for parameters in optimiser.param_groups:
                    parameters["lr"] = given.rate * min(1 - step / steps, (step + 1) / WARM)
                optimiser.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(dense, 5.0)
            for optimiser in optimisers:
                optimiser.step()
            total += loss.item()
            step += 1
            if step % given.report == 0:
                print(f"loss {total / given.report:.3f}", end=" ")
                tell((0.0,))
                total = 0.0
    tell((0.0, 0.1, 0.2, 0.3, 0.4))
    given.output.write_bytes(section(model, words, Mix(*given.mix)))


if __name__ == "__main__":
    main()
