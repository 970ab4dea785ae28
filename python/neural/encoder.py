# SPDX-License-Identifier: MIT
"""The encoder, and the scores of arcs and of bigrams. sentences/neural/README.md defines them, and
sentences/neural/*.c computes the same without PyTorch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from sentences import DEPTHS, DISTANCES, GAPS, SIZES, Sentence, Vocabulary, in_bin, parts

RELATIONS, TOPS = 8, 4  # kinds of relations; 0 to 3 or more subtrees
FAR = len(DISTANCES) + 1  # bins of how far a head is, on either side
KINDS = RELATIONS + 2 * FAR  # what an arc can be, told by the tree and the distance
GAP_OF, DEPTH_OF, SIZE_OF, DISTANCE_OF = (
    torch.tensor([in_bin(value, bounds) for value in range(4096)])
    for bounds in (GAPS, DEPTHS, SIZES, DISTANCES)
)


class Batch(NamedTuple):
    """Sentences of the same length n; positions 0..n + 1."""

    row: Tensor  # [4, B, n + 2] of the vocabularies
    bins: Tensor  # [2, B, n + 2] depth and size
    head: Tensor  # [B, n + 2]
    part: Tensor  # the buckets of the parts of words, one word after the other,
    begin: Tensor  # [B n] and where each begins
    relation: Tensor  # [B, n + 1, n + 1]
    right: Tensor  # [B, n]
    label: Tensor  # [B, n]
    top: Tensor | None  # [B, 2, n + 1, n + 2, n] in (i, j) word k + 1 is a whole subtree's top; another top


def relations(tree: Tensor) -> Tensor:
    """tz_relation_of from h (0..n) to m (0..n; 0 is not used)."""
    head, depth, first, last = (tree[:, i, :-1] for i in range(4))
    h, m = (lambda x: x.unsqueeze(2)), (lambda x: x.unsqueeze(1))
    place = torch.arange(head.shape[1], device=head.device)
    found = torch.where(h(head) == m(head), 5, 0)  # siblings
    up = torch.clamp(m(depth) - h(depth), 1, 4)
    above = (h(first) <= place.view(1, 1, -1)) & (place.view(1, 1, -1) <= h(last))
    found = torch.where(above, up, found)
    below = (m(first) <= place.view(1, -1, 1)) & (place.view(1, -1, 1) <= m(last))
    found = torch.where(below, torch.where(h(head) == place.view(1, 1, -1), 6, 7), found)
    return found.masked_fill(torch.eye(head.shape[1], dtype=torch.bool), 0)


def tops(tree: Tensor) -> Tensor:
    """[B, 2, n + 1, n + 2, n]: which words between i and j have their head outside, first those
    whose whole subtree is between."""
    n = tree.shape[2] - 2
    i, j = torch.arange(n + 1).view(-1, 1, 1), torch.arange(n + 2).view(1, -1, 1)
    k = torch.arange(1, n + 1)
    head, first, last = (tree[:, r, 1:-1].reshape(-1, 1, 1, n) for r in (0, 2, 3))
    top = (i < k) & (k < j) & ((head <= i) | (head >= j))
    whole = (first > i) & (last < j)
    return torch.stack([top & whole, top & ~whole], 1)


class Sizes(NamedTuple):
    word: int = 64
    xpos: int = 32
    upos: int = 8
    relation: int = 32
    bins: int = 8
    buckets: int = 1 << 13
    mixed: int = 192  # of each word and its head together
    scan: int = 160  # of each direction of a recurrence
    state: int = 192  # of each word with its head and children
    arc: int = 64
    bigram: int = 96  # 0: arcs alone are scored
    label: int = 0  # of what labels are told by


def batch_of(
    sentences: list[Sentence],
    words: list[Vocabulary],
    sizes: Sizes,
    drop: float = 0.0,
    random: np.random.Generator | None = None,
) -> Batch:
    """drop: known words of count c are taken as unknown with probability drop / (drop + c)."""
    row = np.array([[v(s.word[i]) for s in sentences] for i, v in enumerate(words)], np.int64)
    if random is not None:
        chance = drop / (drop + words[0].count[row[0]])
        row[0][(random.random(row[0].shape) < chance) & (row[0] > 2)] = 0
    part: list[int] = []
    begin = []
    for sentence in sentences:
        for form in sentence.forms:
            begin.append(len(part))
            part.extend(parts(form, sizes.buckets))
    trees = np.stack([s.tree for s in sentences]).astype(np.int64)
    tree = torch.from_numpy(trees)
    bins = torch.stack([1 + DEPTH_OF[tree[:, 1]], 1 + SIZE_OF[tree[:, 3] - tree[:, 2] + 1]])
    bins[:, :, [0, -1]] = 0
    return Batch(
        torch.from_numpy(row),
        bins,
        tree[:, 0].clamp(min=0),
        torch.tensor(part, dtype=torch.long),
        torch.tensor(begin, dtype=torch.long),
        relations(tree),
        torch.from_numpy(np.stack([s.right for s in sentences]).astype(np.int64)),
        torch.from_numpy(np.stack([s.label for s in sentences])),
        tops(tree) if sizes.bigram else None,
    )


class Drop(nn.Module):
    """Dropout that drops the same numbers at all positions of a sentence."""

    def __init__(self, chance: float) -> None:
        super().__init__()
        self.chance = chance

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        keep = 1 - self.chance
        return x * (torch.rand(len(x), 1, x.shape[-1]) < keep).to(x.dtype).div_(keep)


class Scan(nn.Module):
    """A recurrence in both directions whose gates see only the input (Bradbury et al. 2017,
    Quasi-recurrent neural networks): c_t = f_t c_{t-1} + (1 - f_t) tanh(z_t), h_t = o_t c_t."""

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.gates = nn.Linear(width, 6 * size)  # z, f, o, each of both directions
        with torch.no_grad():
            self.gates.bias[2 * size : 4 * size] += 1

    def forward(self, x: Tensor) -> Tensor:
        z, f, o = self.gates(x).chunk(3, -1)
        f = torch.sigmoid(f)
        z, s = (1 - f) * torch.tanh(z), self.size
        z = torch.cat([z[..., :s], z[..., s:].flip(1)], -1)
        f = torch.cat([f[..., :s], f[..., s:].flip(1)], -1)
        c, found = z[:, 0], [z[:, 0]]
        for gate, new in zip(f.unbind(1)[1:], z.unbind(1)[1:]):
            c = torch.addcmul(new, gate, c)
            found.append(c)
        c = torch.stack(found, 1)
        return torch.sigmoid(o) * torch.cat([c[..., :s], c[..., s:].flip(1)], -1)


class Encoder(nn.Module):
    def __init__(
        self, vocabularies: list[int], sizes: Sizes, drop: float, labels: tuple[int, ...] = ()
    ) -> None:
        """labels: the hashes of the labels that it can give, ascending."""
        super().__init__()
        s = sizes
        self.sizes = s
        dims = [s.word, s.xpos, s.upos, s.relation]
        self.word = nn.Embedding(vocabularies[0], s.word, sparse=True)
        self.part = nn.EmbeddingBag(s.buckets, s.word, mode="mean", sparse=True)
        self.names = nn.ModuleList(nn.Embedding(v, d) for v, d in zip(vocabularies[1:], dims[1:]))
        self.bins = nn.ModuleList(nn.Embedding(9, s.bins) for _ in range(2))
        for table in [self.word, self.part]:
            nn.init.normal_(table.weight, std=0.3)
        for table in [*self.names, *self.bins]:
            nn.init.normal_(table.weight, std=0.5)
        width = sum(dims) + 2 * s.bins
        self.mix = nn.Linear(2 * width, s.mixed)
        self.scan = Scan(s.mixed, s.scan)
        self.join = nn.Linear(6 * s.scan + s.mixed, s.state)
        self.drop = Drop(drop)
        self.arc_head = nn.Linear(s.state, s.arc)
        self.arc_word = nn.Linear(s.state, s.arc)
        self.arc_more = nn.Linear(s.state, 1 + 2 * KINDS)  # of m: alone, by kind of arc; of h by that
        zero(self.arc_more)
        self.register_buffer("labels", torch.tensor(labels, dtype=torch.long))
        if labels:
            self.label_head = nn.Linear(s.state, s.label)
            self.label_word = nn.Linear(s.state, s.label)
            self.label_out = nn.Linear(s.label, len(labels))
        if s.bigram == 0:
            return
        self.left = nn.Linear(s.state, s.bigram)
        self.right = nn.Linear(s.state, s.bigram)
        gaps = len(GAPS) + 1
        self.left_more = nn.Linear(s.state, 1 + gaps + RELATIONS + 2)
        self.right_more = nn.Linear(s.state, 1 + gaps + RELATIONS + 2)
        self.top_more = nn.Linear(s.state, 2)  # of a word that is dropped: whole, in part
        self.count = nn.Parameter(torch.zeros(gaps + 2 * TOPS))
        for layer in [self.left_more, self.right_more, self.top_more]:
            zero(layer)

    def states(self, batch: Batch) -> Tensor:
        row, head = batch.row, batch.head
        parts = self.part(batch.part, batch.begin).view(len(head), -1, self.sizes.word)
        word = self.word(row[0]) + nn.functional.pad(parts, (0, 0, 1, 1))
        x = [word, *(t(row[i]) for i, t in enumerate(self.names, 1))]
        x = self.drop(torch.cat([*x, *(t(b) for t, b in zip(self.bins, batch.bins))], -1))
        x = self.drop(torch.relu(self.mix(torch.cat([x, above(x, head)], -1))))
        h = self.drop(self.scan(x))
        x = torch.cat([x, h, above(h, head), below(h, head)], -1)
        return self.drop(torch.relu(self.join(x)))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor | None]:
        """arc [B, n + 1, n + 1] by head and word, bigram [B, n + 1, n + 2] by the left and the right
        word."""
        z = self.states(batch)
        return self.arcs(z, batch.relation), self.bigrams(z, batch) if self.sizes.bigram else None

    def arcs(self, z: Tensor, relation: Tensor) -> Tensor:
        words = z[:, :-1]
        more = self.arc_more(words)
        arc = self.arc_head(words) @ self.arc_word(words).transpose(1, 2) / self.sizes.arc**0.5
        arc = arc + more[:, :, 0].unsqueeze(1)
        far = RELATIONS + distances(words.shape[1]).expand_as(relation)
        for kind in (relation, far):
            arc = arc + of_right(more[:, :, 1 : 1 + KINDS], kind) + of_left(more[:, :, 1 + KINDS :], kind)
        return arc

    def label(self, z: Tensor, head: Tensor) -> Tensor:
        """[B, n, labels] scores of each word's label, given the words' heads [B, n]."""
        of_head = torch.gather(self.label_head(z), 1, head.unsqueeze(-1).expand(-1, -1, self.sizes.label))
        return self.label_out(torch.relu(of_head + self.label_word(z[:, 1:-1])))

    def bigrams(self, z: Tensor, batch: Batch) -> Tensor:
        words, relation = z[:, :-1], batch.relation
        n, g = z.shape[1] - 2, len(GAPS) + 1
        left, right = self.left_more(words), self.right_more(z)
        bigram = self.left(words) @ self.right(z).transpose(1, 2) / self.sizes.bigram**0.5
        bigram = bigram + left[:, :, :1] + right[:, :, 0].unsqueeze(1)
        gap = gaps(n).expand(len(z), -1, -1)
        bigram = bigram + of_left(left[:, :, 1 : 1 + g], gap) + of_right(right[:, :, 1 : 1 + g], gap)
        related = nn.functional.pad(relation, (0, 1))  # none with the end, nor
        related[:, :, 0] = 0  # with what no bigram has on the right
        by = slice(1 + g, 1 + g + RELATIONS)
        bigram = bigram + of_left(left[:, :, by], related) + of_right(right[:, :, by], related)
        # Subtrees whose tops are dropped: what each says, how many there are, whole and in part, and
        # what either word says of each.
        each = self.top_more(z[:, 1:-1]).transpose(1, 2)  # [B, 2, n]
        top = batch.top.to(z.dtype).flatten(2, 3)
        bigram = bigram + (top @ each.unsqueeze(-1)).sum(1).view_as(bigram)
        whole, part = batch.top.sum(-1).clamp(max=TOPS - 1).unbind(1)
        counts = self.count[:g][gap] + self.count[g : g + TOPS][whole] + self.count[g + TOPS :][part]
        bigram = bigram + counts + whole * left[:, :, -2:-1] + part * left[:, :, -1:]
        bigram = bigram + whole * right[:, :, -2].unsqueeze(1) + part * right[:, :, -1].unsqueeze(1)
        return bigram


def zero(layer: nn.Linear) -> None:
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)


def of_left(scores: Tensor, which: Tensor) -> Tensor:
    """At (i, j) the score of kind which[B, i, j] in scores [B, i, kinds]."""
    return torch.gather(scores, 2, which)


def of_right(scores: Tensor, which: Tensor) -> Tensor:
    """The same for scores [B, j, kinds]."""
    return torch.gather(scores, 2, which.transpose(1, 2)).transpose(1, 2)


def above(x: Tensor, head: Tensor) -> Tensor:
    """For each position the row of its head."""
    return torch.gather(x, 1, head.unsqueeze(-1).expand(-1, -1, x.shape[-1]))


def below(x: Tensor, head: Tensor) -> Tensor:
    """For each position the mean of its children's rows; only words are children."""
    n = x.shape[1] - 2
    child = torch.nn.functional.one_hot(head[:, 1:-1], n + 2).to(x.dtype)  # [B, n, n + 2]
    total = child.sum(1).clamp(min=1).unsqueeze(-1)
    return child.transpose(1, 2) @ x[:, 1:-1] / total


def gaps(n: int) -> Tensor:
    """[n + 1, n + 2]: the bin of the number of words between i and j."""
    i, j = torch.arange(n + 1).view(-1, 1), torch.arange(n + 2)
    return GAP_OF[(j - i - 1).clamp(min=0)]


def distances(n: int) -> Tensor:
    """[n, n] by head h and word m: the bin of their distance, first FAR bins for heads on the
    left."""
    far = torch.arange(n).view(-1, 1) - torch.arange(n)
    return DISTANCE_OF[far.abs()] + FAR * (far > 0)
