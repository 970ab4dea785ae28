#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parser of neural_parser.py, trained by several processes under PyTorch's own engine,
DistributedDataParallel (gloo): each takes every so manieth sentence of a batch, gradients are averaged.

The loss of a batch is -log p of its right trees, over all of its words; a process that has some of the
sentences divides by those words too, and multiplies by the number of processes, since that is what
gradients are divided by. So the weights are those of one process with the same batches, but for the
rounding of sums. Dropout is off: it would be drawn in every process anew.

    two_processes.py TRAIN.conllu [--processes 2] [--steps 20]

prints the loss of every step, and at last the sum of the weights' squares."""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch
import torch.distributed
import torch.multiprocessing
from torch import Tensor, nn

import neural_parser
import trapeze.torch
from neural_parser import Batch, Parser, Vocabulary


def part(batch: Batch, rank: int, processes: int) -> Batch:
    """This process's sentences of a batch; where there is none for it, the first, which does not count."""
    mine = slice(rank, None, processes) if rank < len(batch.lengths) else slice(1)
    return Batch(batch.views[:, mine], batch.lengths[mine], batch.heads[mine])


class Loss(nn.Module):
    """What DistributedDataParallel calls: the parser, and -log p of the right trees in one."""

    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser

    def forward(self, batch: Batch, words: Tensor) -> Tensor:
        arc = self.parser(batch)
        lengths, heads = batch.lengths, batch.heads[:, : arc.shape[-1] - 1]
        trees = trapeze.torch.Distribution(neural_parser.RULES, arc=arc, lengths=lengths)
        gold = trapeze.torch.arcs_of_heads(heads, lengths)
        return -trees.log_prob(arc=gold).sum() / words


def work(rank: int, given: argparse.Namespace, meeting: str) -> None:
    if given.processes > 1:
        torch.distributed.init_process_group(
            "gloo", init_method=f"file://{meeting}", rank=rank, world_size=given.processes
        )
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)  # the same weights everywhere
    train = [s for s in neural_parser.read(given.train) if neural_parser.projective(s.heads)]
    views = [neural_parser.views(sentence, False) for sentence in train]
    vocabularies = [
        Vocabulary(neural_parser.collections.Counter(key for keys in column for key in keys))
        for column in zip(*views)
    ]
    data = neural_parser.batches(train, vocabularies, False, given.words)
    model = Loss(Parser([v.size for v in vocabularies], given.width)).double().eval()
    shared = nn.parallel.DistributedDataParallel(model) if given.processes > 1 else model
    optimiser = torch.optim.SGD(model.parameters(), lr=given.rate)

    for step in range(given.steps):
        batch = data[step % len(data)]
        optimiser.zero_grad()
        counts = rank < len(batch.lengths)
        loss = shared(part(batch, rank, given.processes), batch.lengths.sum()) * counts
        (loss * given.processes).backward()
        optimiser.step()
        total = loss.detach()
        if given.processes > 1:
            torch.distributed.all_reduce(total)
        if rank == 0:
            print(f"step {step + 1}: loss {total.item():.12f}", flush=True)
    if rank == 0:
        squares = sum((weight.detach() ** 2).sum() for weight in model.parameters())
        print(f"weights: {squares.item():.12f}", flush=True)
    if given.processes > 1:
        torch.distributed.destroy_process_group()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("train", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--width", type=int, default=128, help="of the hidden layers")
    parser.add_argument("--words", type=int, default=800, help="words of a batch, about")
    parser.add_argument("--rate", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        meeting = str(pathlib.Path(folder) / "meeting")  # where the processes find each other
        if given.processes == 1:
            work(0, given, meeting)
        else:
            # Forked before PyTorch has begun to work: nothing is imported again.
            torch.multiprocessing.start_processes(
                work, (given, meeting), given.processes, start_method="fork"
            )


if __name__ == "__main__":
    main()
