#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""log Z and its gradient for eisner: trapeze.torch beside Eisner's algorithm in plain PyTorch.

The plain one is written as such programs are: sums of log scores by logsumexp, all sentences of the
batch and all spans of a width at once, gradients by autograd. Both are compared before they are
timed; times are medians. Usage: torch_inside.py [n ...]   (default 20 40 80)."""

import argparse
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import torch
import trapeze.torch


def inside(arc: torch.Tensor) -> torch.Tensor:
    """log Z [B] of scores [B, n + 1, n + 1]. Position 0 is the root, which takes no arc.

    In a table of spans, column w holds those of width w, in the row of their first position or of
    their last: then the parts of all splits of all spans of a width are two rectangles."""
    size = arc.shape[1]
    zero = arc.new_zeros(arc.shape[0], size, 1)
    first = dict.fromkeys(("right", "left"), zero)  # complete spans, by first position
    last = dict.fromkeys(("right", "left"), zero)  # and by last
    open_right = open_left = zero[:, :, :0]  # incomplete ones, widths from 1: by first, by last
    new_right = zero[:, :, 0]
    for w in range(1, size):
        spans = size - w

        def before(column: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.pad(column, (0, w)).unsqueeze(-1)

        def behind(column: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.pad(column, (w, 0)).unsqueeze(-1)

        meet = torch.logsumexp(first["right"][:, :spans] + last["left"][:, w:].flip(-1), -1)
        open_right = torch.cat([open_right, before(meet + arc.diagonal(w, 1, 2))], -1)
        open_left = torch.cat([open_left, behind(meet + arc.diagonal(-w, 1, 2))], -1)
        new_right = torch.logsumexp(open_right[:, :spans] + last["right"][:, w:].flip(-1), -1)
        new_left = torch.logsumexp(first["left"][:, :spans].flip(-1) + open_left[:, w:], -1)
        for name, new in (("right", new_right), ("left", new_left)):
            first[name] = torch.cat([first[name], before(new)], -1)
            last[name] = torch.cat([last[name], behind(new)], -1)
    return new_right[:, 0]


def ours(arc: torch.Tensor) -> torch.Tensor:
    return trapeze.torch.log_partition("eisner", arc=arc)


def with_gradient(function, arc: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    arc = arc.detach().requires_grad_()
    log_z = function(arc)
    (gradient,) = torch.autograd.grad(log_z.sum(), arc)
    return log_z.detach(), gradient


def seconds(functions, arc: torch.Tensor, budget: float, clock) -> list[float]:
    """The median time of each, in turns until one of them has filled the budget, at least three."""
    times: list[list[float]] = [[] for _ in functions]
    for function in functions:
        with_gradient(function, arc)
    while len(times[0]) < 3 or max(map(sum, times)) < budget:
        for function, of_it in zip(functions, times):
            start = clock()
            with_gradient(function, arc)
            of_it.append(clock() - start)
    return [statistics.median(of_it) for of_it in times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("n", nargs="*", type=int, default=[20, 40, 80])
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for each n")
    parser.add_argument("--float", action="store_true", help="float32 instead of float64")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    # Of one thread the processor's time, which other programs do not change much.
    clock = time.process_time if given.threads == 1 else time.perf_counter
    dtype = torch.float32 if given.float else torch.float64
    print(f"# PyTorch {torch.__version__}, {given.threads} thread(s), batch {given.batch}, {dtype}")
    print("# n  plain ms  trapeze ms  ratio  largest differences: log Z (relative), gradient")
    for n in given.n:
        torch.manual_seed(n)
        arc = torch.randn(given.batch, n + 1, n + 1, dtype=dtype)
        a, b = with_gradient(inside, arc), with_gradient(ours, arc)
        off = ((a[0] - b[0]).abs() / b[0].abs()).max().item(), (a[1] - b[1]).abs().max().item()
        bound = 1e-3 if given.float else 1e-11
        if not max(off) <= bound:
            sys.exit(f"n = {n}: they differ by {off[0]:.2g} and {off[1]:.2g}")
        plain, fast = seconds([inside, ours], arc, given.budget, clock)
        print(
            f"{n:3d} {plain * 1e3:9.2f} {fast * 1e3:11.3f} {plain / fast:6.0f}  {off[0]:.1e} {off[1]:.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
