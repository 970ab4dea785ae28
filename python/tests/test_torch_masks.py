"""Masks as people have them: with holes, as [CLS] and pieces of words make them; and large negative
numbers in place of -inf."""

from __future__ import annotations

import os

import pytest

torch = pytest.importorskip("torch")

import trapeze
import trapeze.torch as tt
from torch.autograd import grad, gradcheck

SEED = int(os.environ.get("TZ_SEED", "1"))
MASK = torch.tensor(
    [[0, 1, 0, 1, 1, 0, 0], [0, 1, 1, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]]
).bool()
SHARED = {"start": torch.randn(4).double(), "trans": torch.randn(4, 4).double()}


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(SEED)


def chain(emit, mask):
    return tt.Distribution(
        "chain", SHARED, emit=tt.compact(mask, emit, -2, front=1), lengths={"n": mask.sum(-1)}
    )


def test_labels_of_some_positions():
    emit = torch.randn(4, 7, 4).double()
    emit[~MASK] = torch.nan  # nobody reads what the mask leaves out
    emit.requires_grad_()
    labels = chain(emit, MASK)
    (slope,) = grad(labels.log_partition.sum(), emit, retain_graph=True)
    marginals = tt.spread(MASK, labels.marginals["emit"], -2, front=1)
    assert torch.equal(slope, marginals) and (slope[~MASK] == 0).all()
    best = tt.spread(MASK, labels.argmax["emit"], -2, front=1)
    tags = tt.spread(MASK, labels.argmax["emit"].argmax(-1), -1, front=1, fill=-100)
    drawn = tt.spread(MASK, labels.sample((3,), seed=5)["emit"], -2, front=1, batch=1)
    for b, mask in enumerate(MASK):
        own = torch.cat([torch.zeros(1, 4).double(), emit[b][mask]]).detach().requires_grad_()
        alone = tt.Distribution("chain", SHARED, emit=own)
        assert labels.log_partition[b] == alone.log_partition
        assert torch.equal(marginals[b][mask], grad(alone.log_partition, own)[0][1:])
        assert torch.equal(best[b][mask], alone.argmax["emit"][1:])
        assert torch.equal(tags[b][mask], alone.argmax["emit"][1:].argmax(-1))
        assert (tags[b][~mask] == -100).all() and (drawn[:, b][:, ~mask] == 0).all()
        assert (drawn[:, b][:, mask].sum(-1) == 1).all()
        single = chain(emit[b], mask)
        assert single.log_partition == alone.log_partition
        assert torch.equal(tt.spread(mask, single.marginals["emit"], -2, front=1), marginals[b])


def test_arcs_between_words():
    """Two dimensions have positions; [CLS] is the root."""
    mask = MASK[:3].clone()
    mask[:, 0] = True
    arc = torch.randn(3, 7, 7).double().requires_grad_()
    trees = tt.Distribution("eisner", arc=tt.compact(mask, arc, -2, -1), lengths=mask.sum(-1) - 1)
    marginals = tt.spread(mask, trees.marginals["arc"], -2, -1)
    assert torch.equal(grad(trees.log_partition.sum(), arc, retain_graph=True)[0], marginals)
    drawn = tt.spread(mask, trees.sample((5,), seed=2)["arc"], -2, -1, batch=1)
    for b in range(3):
        alone = tt.Distribution("eisner", arc=arc[b][mask[b]][:, mask[b]].contiguous())
        assert trees.log_partition[b] == alone.log_partition
        inside = mask[b][:, None] & mask[b]
        assert torch.equal(marginals[b][inside], alone.marginals["arc"].flatten())
        assert (marginals[b][~inside] == 0).all() and (drawn[:, b, ~inside] == 0).all()
        assert (drawn[:, b].sum((1, 2)) == mask[b].sum() - 1).all()


def test_there_and_back():
    scores = torch.randn(4, 7, 2, 7)
    kept = tt.compact(MASK, scores, 1, 3)
    assert kept.shape == (4, 5, 2, 5)
    both = MASK[:, :, None, None] & MASK[:, None, None, :]
    assert torch.equal(tt.spread(MASK, kept, 1, 3), scores * both)
    assert torch.equal(tt.spread(MASK, kept, 1, 3, fill=-7.0), torch.where(both, scores, -7.0))
    whole = torch.ones_like(MASK)
    assert torch.equal(tt.compact(whole, scores, 1), scores)
    nothing = tt.compact(~whole, scores, 1)
    assert nothing.shape == (4, 0, 2, 7) and (tt.spread(~whole, nothing, 1) == 0).all()
    assert tt.compact(MASK[:0], scores[:0], 1).shape == (0, 0, 2, 7)
    few = scores[:3, :, :1, :1].double().requires_grad_()
    assert gradcheck(lambda x: tt.spread(MASK[:3], tt.compact(MASK[:3], x, 1).sin(), 1), few)


@pytest.mark.parametrize(
    "mask, says",
    [
        (MASK.long(), "booleans"),
        (MASK[:3], "different sizes"),
        (MASK[:, :6], "dimension -2 has 7 positions, the mask 6"),
    ],
)
def test_refused(mask, says):
    with pytest.raises(trapeze.BadArgument, match=says):
        tt.compact(mask, torch.zeros(4, 7, 2), -2)
    if "positions" not in says:
        with pytest.raises(trapeze.BadArgument, match=says):
            tt.spread(mask, torch.zeros(4, 5, 2), -2)


def test_spread_of_too_few():
    with pytest.raises(trapeze.BadArgument, match="dimension 1 has 3 positions, the mask keeps more"):
        tt.spread(MASK, torch.zeros(4, 3), 1)


@pytest.mark.parametrize("large", [-1e9, torch.finfo(torch.float32).min])
def test_large_negative_numbers(large):
    """Beside structures without them they are as -inf; in the padding nobody reads them."""
    arc, lengths = torch.randn(6, 13, 13), torch.tensor([12, 5, 9, 1, 12, 7])
    holes = torch.rand(arc.shape) < 0.2
    holes[:, 0] = False  # each word may hang on the root
    arc = arc.masked_fill(holes, large)
    place = torch.arange(13)
    padding = torch.maximum(place[:, None], place) > lengths[:, None, None]

    def answers(arc):
        arc = arc.clone().requires_grad_()
        value = tt.log_partition("eisner", arc=arc, lengths=lengths)
        return value.detach(), *grad(value.sum(), arc)

    expected = answers(arc.masked_fill(arc <= -1e8, -torch.inf))
    for given in (arc, arc.masked_fill(padding, large)):
        for found, want in zip(answers(given), expected):
            torch.testing.assert_close(found, want, rtol=1e-6, atol=1e-6)
