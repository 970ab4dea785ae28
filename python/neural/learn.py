# SPDX-License-Identifier: MIT
"""The training of an encoder: Adam, batches of sentences of the same length, a rate that falls to 0."""

from __future__ import annotations

import argparse
import collections
import pathlib
import random
import time
from typing import Callable

import numpy as np
import torch
from torch import Tensor, nn

from encoder import Batch, Encoder, batch_of
from sentences import Sentence, Vocabulary

WARM = 200  # steps until the rate is what it is to be


def groups(
    sentences: list[Sentence], words: int, order: random.Random | None = None
) -> list[list[Sentence]]:
    """Batches of sentences of the same length, each of about so many words."""
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


def add_options(
    parser: argparse.ArgumentParser, words: int, rate: float, drop: float, unknown: float, least: int
) -> None:
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--words", type=int, default=words, help="words of a batch, about")
    parser.add_argument("--rate", type=float, default=rate, help="rate of Adam at first; it falls to 0")
    parser.add_argument("--drop", type=float, default=drop, help="share of numbers dropped out")
    parser.add_argument("--unknown", type=float, default=unknown, help="how readily words are unknown")
    parser.add_argument("--least", type=int, default=least, help="occurrences that a word needs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--report", type=int, default=1500, help="steps between reports")


def begin(given: argparse.Namespace) -> None:
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    torch.set_flush_denormal(True)


def learn(
    model: Encoder,
    train: list[Sentence],
    words: list[Vocabulary],
    given: argparse.Namespace,
    order: random.Random,
    loss_of: Callable[[Encoder, Batch], Tensor],
    told: Callable[[], str],
) -> None:
    """told: called for reports of how good the model is."""
    sparse = [model.word.weight, model.part.weight]
    dense = [p for p in model.parameters() if all(p is not s for s in sparse)]
    optimisers = [
        torch.optim.Adam(dense, lr=given.rate, betas=(0.9, 0.98)),
        torch.optim.SparseAdam(sparse, lr=given.rate, betas=(0.9, 0.98)),
    ]
    generator = np.random.default_rng(given.seed)
    steps = int(given.epochs * len(groups(train, given.words)))
    step, total, start = 0, 0.0, time.process_time()
    while step < steps:
        for group in groups(train, given.words, order)[: steps - step]:
            batch = batch_of(group, words, model.sizes, given.unknown, generator)
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
                mean, total = total / given.report, 0.0
                seconds = time.process_time() - start
                print(f"{step} of {steps}: loss {mean:.3f}; {told()}; {seconds:.0f} s", flush=True)
