#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trains a parser's neural scores of arcs and their labels by the likelihood of the right trees
under the rules eisner-single-root and of their labels, and writes the section `neural-parser` of a
pack. The scores look at the tree that was found without them.

    train_parser.py -o FILE --dev TREES TREES...      TREES: what `scripts/jackknife --trees` wrote"""

from __future__ import annotations

import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import torch
from torch import Tensor, nn

import trapeze.torch
from encoder import Batch, Encoder, Sizes, batch_of
from learn import add_options, begin, groups, learn
from section import Mix, section
from sentences import MOST, Sentence, read, vocabularies

RULES = "eisner-single-root"
LABELS = 0.5  # the weight of their likelihood beside the trees'


def derivable(sentence: Sentence) -> bool:
    """Do the rules derive the right tree: is it projective, with one root word?"""
    arcs = [(min(h, m), max(h, m)) for m, h in enumerate(sentence.right.tolist(), 1)]
    crossing = any(a < c < b < d for a, b in arcs for c, d in arcs)
    return not crossing and int((sentence.right == 0).sum()) == 1


def loss_of(model: Encoder, batch: Batch) -> Tensor:
    """-log p of the right trees and their labels, per word."""
    z = model.states(batch)
    b, n = batch.right.shape
    trees = trapeze.torch.Distribution(RULES, arc=model.arcs(z, batch.relation))
    right = trapeze.torch.arcs_of_heads(batch.right, torch.full((b,), n))
    label = torch.searchsorted(model.labels, batch.label)
    labels = nn.functional.cross_entropy(model.label(z, batch.right).flatten(0, 1), label.flatten())
    return LABELS * labels - trees.log_prob(arc=right).sum() / (b * n)


def evaluate(model: Encoder, dev: list[Batch]) -> tuple[float, float]:
    """The shares of words with the right head in the best tree, and with the right label as
    well."""
    model.eval()
    right = both = words = 0
    with torch.no_grad():
        for batch in dev:
            z = model.states(batch)
            best = trapeze.torch.argmax(RULES, arc=model.arcs(z, batch.relation))["arc"]
            heads = trapeze.torch.heads_of_arcs(best)
            labels = model.labels[model.label(z, heads).argmax(-1)]
            right += int((heads == batch.right).sum())
            both += int(((heads == batch.right) & (labels == batch.label)).sum())
            words += batch.right.numel()
    model.train()
    return right / words, both / words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("trees", nargs="+", type=pathlib.Path)
    parser.add_argument("--dev", type=pathlib.Path, help="trees to report on")
    add_options(parser, words=600, rate=2.5e-3, drop=0.33, unknown=1.0, least=2)
    given = parser.parse_args()
    begin(given)
    train = [s for path in given.trees for s in read(path) if len(s.forms) <= MOST and derivable(s)]
    words = vocabularies(train, given.least)
    sizes = Sizes(mixed=160, scan=128, arc=128, bigram=0, label=64)
    labels = sorted({int(label) for sentence in train for label in sentence.label})
    held = list(read(given.dev)) if given.dev else []
    dev = [batch_of(g, words, sizes) for g in groups(held, given.words)]
    model = Encoder([v.size for v in words], sizes, given.drop, tuple(labels))
    known, numbers = [v.size for v in words], sum(p.numel() for p in model.parameters())
    print(f"{len(train)} trees, {known} words, {numbers} numbers", flush=True)

    def told() -> str:
        return "UAS {:.2%}, LAS {:.2%}".format(*evaluate(model, dev)) if dev else "not measured"

    learn(model, train, words, given, random.Random(given.seed), loss_of, told)
    print(told())
    given.output.write_bytes(section(model, words, Mix()))


if __name__ == "__main__":
    main()
