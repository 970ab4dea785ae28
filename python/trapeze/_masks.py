"""Masks with holes: moves kept positions together, and answers back to where these were."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .errors import BadArgument


def compact(mask: Tensor, scores: Tensor, *dims: int, front: int = 0) -> Tensor:
    """Moves the positions that a mask keeps together: for labels of the first pieces of words only,
    or words behind a [CLS]. The lengths are then ``mask.sum(-1)``.

    mask: booleans ``[B, N]``; scores: ``[B, ...]`` with N positions in each of the dimensions dims.
    The kept positions come first, in order. Where a problem keeps fewer than another, arbitrary
    numbers follow, past its length. front: so many positions of zeros stand before them, as `chain`
    has no word 0: ``compact(mask, emit, -2, front=1)``. A single problem has ``[N]`` and scores
    without the batch. Gradients go to where the scores came from. Raises BadArgument for shapes
    that do not fit."""
    _check(mask, scores, 0)
    order = torch.sort((~mask).to(torch.int8), dim=-1, stable=True).indices[..., : _most(mask)]
    for dim in dims:
        if scores.shape[dim] != mask.shape[-1]:
            raise BadArgument(
                f"dimension {dim} has {scores.shape[dim]} positions, the mask {mask.shape[-1]}"
            )
        scores = torch.cat([_like(scores, dim, front, 0), _pick(scores, order, dim, 0)], dim)
    return scores


def spread(
    mask: Tensor, found: Tensor, *dims: int, front: int = 0, batch: int = 0, fill: Any = 0
) -> Tensor:
    """The inverse of compact, for answers about compact scores, such as marginals, uses, labels:
    each position of dims returns to where it was, and fill stands where nothing was kept. batch:
    which dimension is the batch; 1 for samples ``[k, B, ...]``."""
    _check(mask, found, batch)
    for dim in dims:
        if found.shape[dim] < front + _most(mask):
            raise BadArgument(f"dimension {dim} has {found.shape[dim]} positions, the mask keeps more")
        place = (front + mask.cumsum(-1) - 1).masked_fill(~mask, found.shape[dim])
        found = _pick(torch.cat([found, _like(found, dim, 1, fill)], dim), place, dim, batch)
    return found


def _check(mask: Tensor, tensor: Tensor, batch: int) -> None:
    if mask.dtype != torch.bool or mask.dim() not in (1, 2):
        raise BadArgument(f"a mask is booleans [B, N], not {mask.dtype} {list(mask.shape)}")
    if mask.dim() == 2 and tensor.shape[batch] != mask.shape[0]:
        raise BadArgument(
            f"the batch has different sizes: the mask {mask.shape[0]}, the rest {tensor.shape[batch]}"
        )


def _most(mask: Tensor) -> int:
    """The most positions that a problem keeps."""
    return int(mask.sum(-1).max()) if mask.numel() else 0


def _like(tensor: Tensor, dim: int, count: int, fill: Any) -> Tensor:
    """A tensor like this, but with so many positions in the dimension, all fill."""
    shape = list(tensor.shape)
    shape[dim] = count
    return tensor.new_full(shape, fill)


def _pick(tensor: Tensor, index: Tensor, dim: int, batch: int) -> Tensor:
    """The positions index ``[K]`` of a dimension, or ``[B, K]``, those of each problem."""
    if index.dim() == 1:
        return tensor.index_select(dim, index)
    shape, whole = [1] * tensor.dim(), list(tensor.shape)
    shape[batch], shape[dim] = index.shape
    whole[dim] = index.shape[1]
    return tensor.gather(dim, index.view(shape).expand(whole))
