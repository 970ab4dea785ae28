"""Dependency trees in other forms, and in that of `arc`: [head, modifier], 0 the root."""

from __future__ import annotations

import torch
from torch import Tensor

from .errors import BadArgument


def arcs_of_heads(heads: Tensor, lengths: Tensor | None = None) -> Tensor:
    """Trees as uses of arcs ``[B, n + 1, n + 1]``, from heads ``[B, n]``: heads[b, m - 1] is the
    head of word m, 0 the root. Entries past a sentence's length may hold anything."""
    if heads.dim() != 2 or (lengths is not None and lengths.shape != heads.shape[:1]):
        sizes = f"{list(heads.shape)} and {None if lengths is None else list(lengths.shape)}"
        raise BadArgument(f"heads are [B, n] and lengths [B], not {sizes}")
    batch, n = heads.shape
    inside = torch.ones_like(heads, dtype=torch.bool)
    if lengths is not None:
        inside = torch.arange(n, device=heads.device) < lengths.to(heads.device).unsqueeze(1)
    heads = heads.masked_fill(~inside, 0).long()
    wrong = (heads < 0) | (heads > n)
    if wrong.any():
        b, m = wrong.nonzero()[0].tolist()
        raise BadArgument(
            f"problem {b}: the head of word {m + 1} is {int(heads[b, m])}, not from 0 to {n}; give lengths= where "
            "sentences are shorter"
        )
    arcs = torch.zeros(batch, n + 1, n + 1, device=heads.device)
    arcs[:, :, 1:].scatter_(1, heads.unsqueeze(1), inside.to(arcs).unsqueeze(1))
    return arcs


def heads_of_arcs(arcs: Tensor) -> Tensor:
    """Heads ``[..., n]`` from uses of arcs ``[..., n + 1, n + 1]``; 0 past a sentence's length."""
    return arcs[..., 1:].argmax(-2)


def root_off_diagonal(potentials: Tensor) -> Tensor:
    """Scores of arcs ``[B, n + 1, n + 1]`` from ``[B, n, n]``, [head, modifier] of the words alone,
    whose diagonal has the root's arcs to each word."""
    batch, n, _ = potentials.shape
    arcs = potentials.new_zeros(batch, n + 1, n + 1)
    arcs[:, 1:, 1:] = potentials
    arcs[:, 0, 1:] = potentials.diagonal(dim1=1, dim2=2)
    return arcs


def root_on_diagonal(arcs: Tensor) -> Tensor:
    """The inverse of root_off_diagonal: scores, marginals or uses of arcs ``[..., n, n]`` of the
    words alone, with the root's arcs on the diagonal, from ``[..., n + 1, n + 1]``."""
    words = arcs[..., 1:, 1:]
    diagonal = torch.eye(words.shape[-1], dtype=torch.bool, device=arcs.device)
    return torch.where(diagonal, arcs[..., :1, 1:], words)
