#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small neural dependency parser, trained by log-likelihood: embeddings, a BiLSTM, a biaffine layer
that scores every arc (Dozat & Manning 2017), and Trapeze for log Z and the best tree.

Reads en_ewt-ud-train.conllu and en_ewt-ud-dev.conllu from a folder, or any two CoNLL-U files, and
prints the unlabelled attachment score on the second after each epoch: all words count, punctuation
too. Sees forms only, unless --tags gives it the files' UPOS tags as well. Sentences whose tree is not
projective are left out of training, not of the score.

    neural_parser.py [FOLDER | TRAIN DEV] [--epochs 3] [--tags] [--share]"""

from __future__ import annotations

import argparse
import collections
import pathlib
import random
import sys
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

import torch
from torch import Tensor, nn

import trapeze.torch

RULES = "eisner-single-root"
FOLDER = HERE.parents[3] / "shared" / "data" / "ud-english-ewt"


class Sentence(NamedTuple):
    forms: list[str]
    tags: list[str]
    heads: list[int]  # of each word; 0 is the root


def read(path: pathlib.Path) -> list[Sentence]:
    sentences = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line[:1].isdigit()]
        rows = [row for row in rows if row[0].isdigit()]  # neither 3-4 nor 8.1
        if rows:
            heads = [int(row[6]) for row in rows]
            sentences.append(Sentence([row[1] for row in rows], [row[3] for row in rows], heads))
    return sentences


def projective(heads: list[int]) -> bool:
    """Does no arc cross another?"""
    arcs = [(min(h, m), max(h, m)) for m, h in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


class Vocabulary:
    """Numbers for what occurs at least twice; 0 is padding, 1 unknown, 2 the root."""

    def __init__(self, of: collections.Counter[str]) -> None:
        self.number = {key: i for i, key in enumerate((k for k, c in of.items() if c > 1), 3)}
        self.size = len(self.number) + 3

    def __call__(self, keys: list[str]) -> list[int]:
        return [2] + [self.number.get(key, 1) for key in keys]


def views(sentence: Sentence, tags: bool) -> list[list[str]]:
    """What the parser sees of each word."""
    words = [form.lower() for form in sentence.forms]
    shapes = [
        "".join("A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in f[:4])
        for f in sentence.forms
    ]
    seen = [words, [w[-3:] for w in words], [w[-2:] for w in words], [w[:3] for w in words], shapes]
    return [*seen, sentence.tags] if tags else seen


class Batch(NamedTuple):
    views: Tensor  # [views, B, 1 + n] numbers; position 0 is the root
    lengths: Tensor
    heads: Tensor  # [B, n]


def batches(sentences: list[Sentence], vocabularies: list[Vocabulary], tags: bool, words: int) -> list[Batch]:
    """Sentences of about the same length together, about so many words at a time."""
    groups: list[list[Sentence]] = []
    for sentence in sorted(sentences, key=lambda s: len(s.forms)):
        if not groups or (len(groups[-1]) + 1) * len(sentence.forms) > words:
            groups.append([])
        groups[-1].append(sentence)
    found = []
    for group in groups:
        longest = len(group[-1].forms)
        table = torch.zeros(len(vocabularies), len(group), 1 + longest, dtype=torch.long)
        heads = torch.zeros(len(group), longest, dtype=torch.long)
        for b, sentence in enumerate(group):
            for v, (vocabulary, keys) in enumerate(zip(vocabularies, views(sentence, tags))):
                table[v, b, : 1 + len(keys)] = torch.tensor(vocabulary(keys))
            heads[b, : len(sentence.heads)] = torch.tensor(sentence.heads)
        found.append(Batch(table, torch.tensor([len(s.forms) for s in group]), heads))
    return found


class Parser(nn.Module):
    def __init__(self, sizes: list[int], width: int) -> None:
        super().__init__()
        dims = [width // 2] + [width // 4] * (len(sizes) - 1)
        self.embed = nn.ModuleList(nn.Embedding(s, d, padding_idx=0) for s, d in zip(sizes, dims))
        self.lstm = nn.LSTM(sum(dims), width, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(nn.Linear(2 * width, width), nn.LeakyReLU(0.1), nn.Dropout(0.2))
        self.word = nn.Sequential(nn.Linear(2 * width, width), nn.LeakyReLU(0.1), nn.Dropout(0.2))
        self.drop = nn.Dropout(0.2)
        self.bilinear = nn.Parameter(torch.zeros(width + 1, width))

    def forward(self, batch: Batch) -> Tensor:
        """Scores of arcs [B, head, modifier]."""
        x = self.drop(torch.cat([e(v) for e, v in zip(self.embed, batch.views)], -1))
        packed = nn.utils.rnn.pack_padded_sequence(
            x, batch.lengths + 1, batch_first=True, enforce_sorted=False
        )
        x, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        x = self.drop(x)
        word = torch.cat([self.word(x), x.new_ones(*x.shape[:2], 1)], -1)  # and a bias of heads
        return self.head(x) @ (word @ self.bilinear).transpose(1, 2)


def loss_of(model: Parser, batch: Batch) -> Tensor:
    """-log p of the right trees, a word."""
    arc = model(batch)
    trees = trapeze.torch.Distribution(RULES, arc=arc, lengths=batch.lengths)
    gold = trapeze.torch.arcs_of_heads(batch.heads, batch.lengths)
    return -trees.log_prob(arc=gold).sum() / batch.lengths.sum()


def attachment(model: Parser, data: list[Batch]) -> float:
    """Share of words that have the right head in the best tree."""
    model.eval()
    right = words = 0
    with torch.no_grad():
        for batch in data:
            best = trapeze.torch.argmax(RULES, arc=model(batch), lengths=batch.lengths)
            heads = trapeze.torch.heads_of_arcs(best["arc"])
            inside = torch.arange(heads.shape[1]) < batch.lengths.unsqueeze(1)
            right += int(((heads == batch.heads) & inside).sum())
            words += int(batch.lengths.sum())
    model.train()
    return right / words


def step(model: Parser, optimiser: torch.optim.Optimizer, batch: Batch) -> float:
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimiser.step()
    return loss.item()


def share(model: Parser, optimiser: torch.optim.Optimizer, data: list[Batch]) -> tuple[float, float]:
    """The share of a training step's time inside Trapeze, and the milliseconds of a step. The
    profiler tells the time inside, but makes the rest slower: steps are timed without it."""
    start = time.perf_counter()
    for batch in data:
        step(model, optimiser, batch)
    seconds = time.perf_counter() - start
    with torch.autograd.profiler.profile() as profile:
        for batch in data:
            step(model, optimiser, batch)
    inside = sum(e.cpu_time_total for e in profile.key_averages() if e.key == "trapeze") / 1e6
    return inside / seconds, seconds / len(data) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", nargs="*", type=pathlib.Path, default=[FOLDER])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--width", type=int, default=128, help="of the hidden layers")
    parser.add_argument("--words", type=int, default=800, help="words of a batch, about")
    parser.add_argument("--rate", type=float, default=4e-3, help="of Adam")
    parser.add_argument("--sentences", type=int, help="train on the first so many only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tags", action="store_true", help="see the files' UPOS tags")
    parser.add_argument("--share", action="store_true", help="print Trapeze's share of the time, too")
    given = parser.parse_args()
    if len(given.data) == 1:
        given.data = [given.data[0] / f"en_ewt-ud-{part}.conllu" for part in ("train", "dev")]
    if len(given.data) != 2 or not all(path.exists() for path in given.data):
        print(f"{given.data[0]} is absent: skipped")
        return
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)

    train, dev = (read(path) for path in given.data)
    every = train[: given.sentences]
    train = [s for s in every if projective(s.heads)]
    counts: list[collections.Counter[str]] = [collections.Counter() for _ in views(train[0], given.tags)]
    for sentence in train:
        for count, keys in zip(counts, views(sentence, given.tags)):
            count.update(keys)
    vocabularies = [Vocabulary(count) for count in counts]
    train_data = batches(train, vocabularies, given.tags, given.words)
    dev_data = batches(dev, vocabularies, given.tags, 4 * given.words)
    print(f"{len(train)} of {len(every)} sentences are projective, in {len(train_data)} batches")

    model = Parser([v.size for v in vocabularies], given.width)
    optimiser = torch.optim.Adam(model.parameters(), lr=given.rate, betas=(0.9, 0.9))
    steps = given.epochs * len(train_data)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: max(1 - s / steps, 0.05))
    order = random.Random(given.seed)
    start = time.perf_counter()
    for epoch in range(1, given.epochs + 1):
        order.shuffle(train_data)
        total = 0.0
        for batch in train_data:
            total += step(model, optimiser, batch)
            schedule.step()
        print(
            f"epoch {epoch}: loss {total / len(train_data):.3f} a word, "
            f"UAS {100 * attachment(model, dev_data):.2f} %, {time.perf_counter() - start:.0f} s",
            flush=True,
        )
    if given.share:
        part, milliseconds = share(model, optimiser, train_data[:50])
        print(f"inside Trapeze: {100 * part:.2f} % of a step of {milliseconds:.0f} ms")


if __name__ == "__main__":
    main()
