"""Is each row of the tables of docs/torch.md right? What stands there on the left is a sum over
structures: they are written down here one by one, by the definitions of the libraries named, and what
stands on the right is run as it stands."""

from __future__ import annotations

import itertools
import pathlib
import re

import pytest

torch = pytest.importorskip("torch")

import enumeration as plain
import trapeze
import trapeze.torch as tt

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/torch.md").read_text(encoding="utf-8")
SEVERAL = torch.tensor([4, 2])


@pytest.fixture(scope="module")
def page():
    """What the page's programs define."""
    names: dict = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        exec(block, names)
    return names | {"D": tt.Distribution}


def row(there: str) -> str:
    """The code of the row that begins so."""
    found = [line for line in PAGE.splitlines() if line.startswith(f"| `{there}`")]
    assert len(found) == 1, there
    return re.findall(r"`([^`]*)`", found[0].split(" | ", 1)[1])[0]


def numbers(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.double)


def check(page, there: str, structures: list[list], /, **given) -> tt.Distribution:
    """structures: the scores of each problem's."""
    dist = eval(row(there), {**page, **given})
    for b, scores in enumerate(structures):
        every = torch.stack(scores)
        torch.testing.assert_close(dist.log_partition[b], every.logsumexp(0), rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(dist.max[b], every.max(), rtol=1e-12, atol=1e-12)
    return dist


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(1)


def trees(n: int, single: bool):
    """Heads of words 1..n."""
    for tree in plain.trees(list(range(1, n + 1))):
        if not single or list(tree.values()).count(0) == 1:
            yield tree


# ---- torch-struct --------------------------------------------------------------------------------


@pytest.mark.parametrize("single", [False, True])
def test_struct_dependencies(page, single):
    p = numbers(2, 4, 4)

    def arc(b, h, m):
        return p[b, m - 1, m - 1] if h == 0 else p[b, h - 1, m - 1]

    scores = [
        [sum(arc(b, h, m) for m, h in tree.items()) for tree in trees(n, single)]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    there = "DependencyCRF(p, lengths, multiroot=False)" if single else "DependencyCRF(p, lengths)"
    dist = check(page, there, scores, p=p, lengths=SEVERAL)
    back = tt.root_on_diagonal(dist.marginals["arc"])
    torch.testing.assert_close(back[0].sum(), torch.tensor(4.0, dtype=torch.double))
    assert torch.equal(tt.root_on_diagonal(tt.root_off_diagonal(p)), p)


def test_struct_labelled(page):
    labelled = numbers(2, 3, 3, 2).requires_grad_()
    lengths = torch.tensor([3, 2])
    scores = []
    for b, n in enumerate(lengths.tolist()):
        own = []
        for tree in trees(n, False):
            for labels in itertools.product(range(2), repeat=n):
                cells = [(m - 1 if h == 0 else h - 1, m - 1, labels[m - 1]) for m, h in tree.items()]
                own.append(sum(labelled[(b, *cell)] for cell in cells))
        scores.append(own)
    dist = eval(row("DependencyCRF(labelled, lengths)"), {**page, "labelled": labelled, "lengths": lengths})
    sums = torch.stack([torch.stack(own).logsumexp(0) for own in scores])
    torch.testing.assert_close(dist.log_partition, sums, rtol=1e-12, atol=1e-12)
    found = torch.autograd.grad(dist.log_partition.sum(), labelled)
    torch.testing.assert_close(found, torch.autograd.grad(sums.sum(), labelled), rtol=1e-12, atol=1e-12)


def test_struct_chain(page):
    p = numbers(2, 3, 2, 2)  # [problem, position, next label, label]
    scores = [
        [
            sum((p[b, i, z[i + 1], z[i]] for i in range(n - 1)), torch.zeros((), dtype=torch.double))
            for z in itertools.product(range(2), repeat=n)
        ]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    check(page, "LinearChainCRF(p, lengths)", scores, p=p, lengths=SEVERAL, C=2)


def test_struct_hmm(page):
    transition, emission, init = numbers(2, 2), numbers(5, 2), numbers(2)
    observations = torch.randint(5, (3, 4))
    scores = [
        [
            init[z[0]]
            + sum(transition[z[i + 1], z[i]] for i in range(3))
            + sum(emission[observations[b, i], z[i]] for i in range(4))
            for z in itertools.product(range(2), repeat=4)
        ]
        for b in range(3)
    ]
    given = dict(transition=transition, emission=emission, init=init, observations=observations)
    check(page, "HMM(transition, emission, init, observations)", scores, **given, N=4, C=2)


def divisions(n: int, longest: int):
    """Steps from 0 to n of at most `longest`."""
    if n == 0:
        yield ()
    for k in range(1, min(n, longest) + 1):
        for rest in divisions(n - k, longest):
            yield (k, *rest)


def test_struct_semimarkov(page):
    n, K, C = 5, 4, 2
    p, lengths = numbers(2, n - 1, K, C, C), torch.tensor([5, 3])
    scores = []
    for b, own in enumerate(lengths.tolist()):
        found = []
        for steps in divisions(own - 1, K - 1):
            for z in itertools.product(range(C), repeat=len(steps) + 1):
                at = [sum(steps[:s]) for s in range(len(steps))]
                found.append(sum(p[b, i, k, z[s + 1], z[s]] for s, (i, k) in enumerate(zip(at, steps))))
        scores.append(found)
    check(page, "SemiMarkovCRF(p, lengths)", scores, p=p, lengths=lengths, K=K, C=C)


def brackets(i: int, j: int):
    """Binary trees over i..j, as lists of their constituents."""
    if i == j:
        yield [(i, i)]
    for k in range(i, j):
        for left in brackets(i, k):
            for right in brackets(k + 1, j):
                yield [(i, j), *left, *right]


def test_struct_spans(page):
    p = numbers(2, 4, 4, 3)
    reduced = p.logsumexp(-1)
    scores = [
        [sum(reduced[(b, *cell)] for cell in tree) for tree in brackets(0, n - 1)]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    check(page, "TreeCRF(p, lengths)", scores, p=p, lengths=SEVERAL)


def test_struct_grammar(page):
    A, P, n = 2, 2, 3
    terms, rules, roots = numbers(2, n, P), numbers(2, A, A + P, A + P), numbers(2, A)
    lengths = torch.tensor([3, 2])

    def derive(b, i, j):
        """(label, score) of each tree over i..j."""
        if i == j:
            yield from ((A + t, terms[b, i, t]) for t in range(P))
        for k in range(i, j):
            for (left, x), (right, y) in itertools.product(derive(b, i, k), derive(b, k + 1, j)):
                yield from ((a, rules[b, a, left, right] + x + y) for a in range(A))

    scores = [
        [score + roots[b, a] for a, score in derive(b, 0, own - 1) if a < A]
        for b, own in enumerate(lengths.tolist())
    ]
    given = dict(terms=terms, rules=rules, roots=roots, lengths=lengths, A=A, P=P)
    check(page, "SentCFG((terms, rules, roots), lengths)", scores, **given)


def paths(i: int, j: int, n: int, m: int, gap: int, anywhere: bool):
    """Cells with steps into them, from (i, j) on, to the last cell or anywhere."""
    if anywhere or (i, j) == (n - 1, m - 1):
        yield []
    for di, dj, step in ((0, 1, 0), (1, 1, 1), (1, 0, 2)):
        a, b = i + di, j + dj
        if a < n and b < m and abs(a - b) <= gap:
            for rest in paths(a, b, n, m, gap, anywhere):
                yield [(a, b, step), *rest]


@pytest.mark.parametrize(
    "there, gap, anywhere",
    [("AlignmentCRF(p)", 9, False), ("AlignmentCRF(p, max_gap=g)", 1, False),
     ("AlignmentCRF(p, local=True)", 9, True)],
)  # fmt: skip
def test_struct_alignments(page, there, gap, anywhere):
    n, m = 3, 4
    p = numbers(2, n, m, 3)
    starts = itertools.product(range(n), range(m)) if anywhere else [(0, 0)]
    every = [
        [(i, j, 1), *rest] for i, j in starts for rest in paths(i, j, n, m, gap, anywhere)
    ]
    scores = [[sum(p[(b, *cell)] for cell in path) for path in every] for b in range(2)]
    check(page, there, scores, p=p, N=n, M=m, g=gap)


# ---- supar ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("single", [True, False])
def test_supar_dependencies(page, single):
    s = numbers(2, 5, 5)  # [problem, modifier, head]
    scores = [
        [sum(s[b, m, h] for m, h in tree.items()) for tree in trees(n, single)]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    there = "DependencyCRF(s, lens)" if single else "DependencyCRF(s, lens, multiroot=True)"
    check(page, there, scores, s=s, lens=SEVERAL)


def siblings_of(tree: dict[int, int]):
    """(head, the modifier before, modifier), on the same side, from the head on."""
    for m, h in tree.items():
        side = range(h + 1, m) if m > h else range(h - 1, m, -1)
        before = [k for k in side if tree.get(k) == h]
        if before:
            yield h, before[-1], m


@pytest.mark.parametrize("single", [True, False])
def test_supar_siblings(page, single):
    s_arc, s_sib = numbers(2, 5, 5), numbers(2, 5, 5, 5)  # [problem, modifier, head, sibling]
    scores = [
        [
            sum(s_arc[b, m, h] for m, h in tree.items())
            + sum(s_sib[b, m, h, k] for h, k, m in siblings_of(tree))
            for tree in trees(n, single)
        ]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    there = f"Dependency2oCRF((s_arc, s_sib), lens{'' if single else ', multiroot=True'})"
    check(page, there, scores, s_arc=s_arc, s_sib=s_sib, lens=SEVERAL)


def test_supar_chain(page):
    scores_of, trans = numbers(2, 4, 3), numbers(4, 4)
    scores = [
        [
            trans[-1, z[0]]
            + sum(scores_of[b, i, z[i]] for i in range(n))
            + sum(trans[x, y] for x, y in zip(z, z[1:]))
            + trans[z[-1], -1]
            for z in itertools.product(range(3), repeat=n)
        ]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    check(page, "LinearChainCRF(scores, trans, lens)", scores, scores=scores_of, trans=trans, lens=SEVERAL, T=3)


def test_supar_semimarkov(page):
    spans_of, trans = numbers(2, 4, 4, 2), numbers(2, 2)
    scores = []
    for b, n in enumerate(SEVERAL.tolist()):
        found = []
        for steps in divisions(n, n):
            ends = list(itertools.accumulate(steps))
            for z in itertools.product(range(2), repeat=len(steps)):
                pieces = zip([0, *ends], ends, z)
                total = sum(spans_of[b, i, j - 1, t] for i, j, t in pieces)
                found.append(total + sum(trans[x, y] for x, y in zip(z, z[1:])))
        scores.append(found)
    given = dict(spans_of=spans_of, trans=trans, lens=SEVERAL, T=2)
    check(page, "SemiMarkovCRF(spans_of, trans, lens)", scores, **given)


def test_supar_constituents(page):
    s = numbers(2, 5, 5)  # between words: i..j-1 is s[i, j]
    scores = [
        [sum(s[b, i, j + 1] for i, j in tree) for tree in brackets(0, n - 1)]
        for b, n in enumerate(SEVERAL.tolist())
    ]
    check(page, "ConstituencyCRF(s, lens)", scores, s=s, lens=SEVERAL)


# ---- What is asked of them -----------------------------------------------------------------------


def test_supar_answers(page):
    s = numbers(2, 5, 5)
    lens = SEVERAL
    arc = s.transpose(1, 2)
    dist = tt.Distribution("eisner-single-root", arc=arc, lengths=lens)
    every = [list(trees(n, True)) for n in lens.tolist()]
    scores = [torch.stack([sum(s[b, m, h] for m, h in t.items()) for t in every[b]]) for b in range(2)]
    names = {**page, "dist": dist, "arc": arc, "lens": lens}
    heads = torch.zeros(2, 5, dtype=torch.long)
    for b, own in enumerate(every):
        for m, h in own[int(scores[b].argmax())].items():
            heads[b, m] = h
    assert torch.equal(eval(row("dist.argmax"), names), heads[:, 1:])
    best = torch.stack([own.max() - own.logsumexp(0) for own in scores])
    found = eval(row("dist.log_prob(heads)"), {**names, "heads": heads})
    torch.testing.assert_close(found, best, rtol=1e-12, atol=1e-12)
    entropy = torch.stack([torch.distributions.Categorical(logits=own).entropy() for own in scores])
    pattern = r"^\| `dist.entropy` \| `([^`]*)`"
    for code in re.findall(pattern, PAGE, re.M):
        torch.testing.assert_close(eval(code, names), entropy, rtol=1e-12, atol=1e-12)
    risk = tt.min_risk("eisner-single-root", arc=arc, lengths=lens)["arc"]
    gains = [
        [sum(dist.marginals["arc"][b, h, m] for m, h in tree.items()) for tree in every[b]] for b in range(2)
    ]
    for b in range(2):
        assert (risk[b] * dist.marginals["arc"][b]).sum() == pytest.approx(float(max(gains[b])), rel=1e-12)
        assert risk[b].sum() == lens[b]
    partial = tt.log_partition(
        "eisner-single-root", arc=arc, lengths=lens, require=[[("arc", 2, 1)], []]
    )
    with_head = [o for t, o in zip(every[0], scores[0]) if t[1] == 2]
    torch.testing.assert_close(partial[0], torch.stack(with_head).logsumexp(0), rtol=1e-12, atol=1e-12)
