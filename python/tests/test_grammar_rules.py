"""gallery/grammar, prefix and next: sums over the trees of grammars without recursion, one by one, and
of any grammar by linear equations in plain numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import trapeze

T, V = 4, 2
ZERO = -np.inf


class Grammar:
    """Weights, not logs, as arrays: word[T,V], nothing[T], unary[T,T], binary[T,T,T]; 0 is the root."""

    def __init__(self, rng, recursive, density=0.5, size=1.0):
        a, b, c = np.ogrid[:T, :T, :T]
        self.word = size * rng.uniform(0.05, 0.3, (T, V)) * (rng.random((T, V)) < density + 0.2)
        self.nothing = size * rng.uniform(0.05, 0.2, T) * (rng.random(T) < density)
        self.unary = size * rng.uniform(0.02, 0.15, (T, T)) * (rng.random((T, T)) < density)
        self.binary = size * rng.uniform(0.01, 0.06, (T, T, T)) * (rng.random((T, T, T)) < density)
        if not recursive:
            self.unary *= (b > a)[..., 0]
            self.binary *= (b > a) & (c > a)
        self.depth = 60 if recursive else T - 1

    def lists(self):
        """As the rule sets take them."""
        found = {}
        for name in "word", "nothing", "unary", "binary":
            array = getattr(self, name)
            cells = np.argwhere(array > 0)
            found[name] = cells, np.log(array[tuple(cells.T)])
        null = self.null() > 0
        cells, scores = found["binary"]
        for name, place in ("before", 2), ("after", 1):
            some = null[cells[:, place]]
            found[name] = cells[some], scores[some]
        found["root"] = np.array([[0]]), np.zeros(1)
        return found

    def lengths(self, n):
        return {"n": n, "T": T, "V": V, "D": self.depth}

    def null(self):
        """The sum over trees of each symbol over nothing; what is next of total."""
        return self._least(self.nothing)

    def total(self):
        return self._least(self.nothing + self.word.sum(1))

    def _least(self, leaves):
        x = np.zeros(T)
        for _ in range(400):
            x = leaves + self.unary @ x + np.einsum("abc,b,c->a", self.binary, x, x)
        return x

    def trees(self, a=0):
        """(words, weight, rules) of each tree of a: of grammars without recursion."""
        if a not in (known := self.__dict__.setdefault("known", {})):
            found = [((v,), w, ()) for v, w in enumerate(self.word[a]) if w > 0]
            found += [((), w, ()) for w in self.nothing[a : a + 1] if w > 0]
            for b in np.flatnonzero(self.unary[a]):
                found += [(s, w * self.unary[a, b], (("unary", a, b), *r)) for s, w, r in self.trees(b)]
            for b, c in np.argwhere(self.binary[a] > 0):
                for (s, w, r), (t, x, q) in itertools.product(self.trees(b), self.trees(c)):
                    found.append((s + t, w * x * self.binary[a, b, c], (("binary", a, b, c), *r, *q)))
            known[a] = found
        return known[a]

    # ---- By linear equations -----------------------------------------------------------------------

    def step(self):
        """What a symbol is by another over the same words."""
        null = self.null()
        return self.unary + np.einsum("abc,c->ab", self.binary, null) + np.einsum("abc,b->ac", self.binary, null)

    def spans(self, x):
        n, solve = len(x), np.linalg.inv(np.eye(T) - self.step())
        span = np.zeros((n + 1, n + 1, T))
        for w in range(1, n + 1):
            for i in range(n + 1 - w):
                base = self.word[:, x[i]] if w == 1 else np.zeros(T)
                for k in range(i + 1, i + w):
                    base = base + np.einsum("abc,b,c->a", self.binary, span[i, k], span[k, i + w])
                span[i, i + w] = solve @ base
        return span

    def sentence(self, x):
        return self.spans(x)[0, -1, 0] if len(x) else self.null()[0]

    def begun(self, x, last):
        """The sum of what begins with words x and one more, by the weight `last` of each symbol there."""
        n, span = len(x), self.spans(x)
        corner = self.unary + np.einsum("abc,c->ab", self.binary, self.total())
        corner += np.einsum("abc,b->ac", self.binary, self.null())
        begun = np.zeros((n + 1, T))
        for i in range(n, -1, -1):
            base = last if i == n else np.zeros(T)
            for k in range(i + 1, n + 1):
                base = base + np.einsum("abc,b,c->a", self.binary, span[i, k], begun[k])
            begun[i] = np.linalg.solve(np.eye(T) - corner, base)
        return begun[0, 0]

    def prefix(self, x):
        return self.begun(x[:-1], self.word[:, x[-1]]) if len(x) else self.total()[0]


def log(x):
    return np.log(x) if x > 0 else ZERO


def ask(name, grammar, x, semiring="log", **asked):
    scores = grammar.lists()
    if name != "gallery/grammar":
        with np.errstate(divide="ignore"):
            scores["total"] = np.log(grammar.total())
    if name == "gallery/next":
        asked["items"] = ["follow", "ended"]
    return trapeze.rules(name).run(semiring, scores, x=x, lengths=grammar.lengths(len(x)), **asked)


def strings(most):
    return [x for n in range(most + 1) for x in itertools.product(range(V), repeat=n)]


@pytest.mark.parametrize("number", range(8))
def test_enumeration(rng, number):
    """Sums, best scores, counts and marginals are those of the trees one by one."""
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    grammar = Grammar(rng, recursive=False)
    trees = grammar.trees()
    for x in strings(3):
        own = [(w, r) for s, w, r in trees if s == x]
        total = sum(w for w, _ in own)
        found = ask("gallery/grammar", grammar, x, marginals=True)
        assert found.value == pytest.approx(log(total), abs=1e-12)
        best = max((w for w, _ in own), default=0)
        assert ask("gallery/grammar", grammar, x, "max").value == pytest.approx(log(best), abs=1e-12)
        assert ask("gallery/grammar", grammar, x, "count").value == len(own)
        uses = {name: np.zeros_like(getattr(grammar, name)) for name in ("unary", "binary")}
        for w, rules in own:
            for name, *cell in rules:
                uses[name][tuple(cell)] += w / total
        lists = grammar.lists()
        counts = {name: np.zeros_like(use) for name, use in uses.items()}
        for name, of in ("unary", "unary"), ("binary", "binary"), ("before", "binary"), ("after", "binary"):
            for cell, marginal in zip(lists[name][0], found.marginals[name]):
                counts[of][tuple(cell)] += marginal
        for name, use in uses.items():
            assert counts[name] == pytest.approx(use, abs=1e-12)

        begin = sum(w for s, w, _ in trees if s[: len(x)] == x)
        assert ask("gallery/prefix", grammar, x).value == pytest.approx(log(begin), abs=1e-12)
        following = ask("gallery/next", grammar, x)
        assert following.value == pytest.approx(log(begin), abs=1e-12)
        assert following.items["ended"] == pytest.approx(log(total), abs=1e-12)
        for v in range(V):
            one = sum(w for s, w, _ in trees if s[: len(x) + 1] == (*x, v))
            assert following.items["follow"][v] == pytest.approx(log(one), abs=1e-12)


@pytest.mark.parametrize("number", range(6))
def test_equations(rng, number):
    """Left recursion, circles of unary rules, symbols that may be nothing: as linear equations say."""
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    grammar = Grammar(rng, recursive=True, density=0.8, size=0.55)
    for x in [(), (0,), (1, 0), (0, 1, 1), (1, 0, 0, 1, 1, 0)]:
        assert ask("gallery/grammar", grammar, x).value == pytest.approx(log(grammar.sentence(x)), abs=1e-11)
        want = [log(grammar.prefix(x[:i])) for i in range(len(x) + 1)]
        found = ask("gallery/prefix", grammar, x, items=["begun"])
        assert found.value == found.items["begun"][-1]
        assert found.items["begun"] == pytest.approx(want, abs=1e-11)
        following = ask("gallery/next", grammar, x)
        assert following.value == pytest.approx(want[-1], abs=1e-11)
        longer = [log(grammar.prefix((*x, v))) for v in range(V)]
        assert following.items["follow"] == pytest.approx(longer, abs=1e-11)
        assert following.items["ended"] == pytest.approx(log(grammar.sentence(x)), abs=1e-11)


def test_cut():
    """Prefixes are sums over sentences without end: cut at more and more words, the sums come near."""
    grammar = Grammar(np.random.default_rng(3), recursive=True, density=0.8, size=0.55)
    x, sums = (0, 1), []
    for most in range(2, 9):
        longer = itertools.chain(*(itertools.product(range(V), repeat=r) for r in range(most - 1)))
        sums.append(sum(np.exp(ask("gallery/grammar", grammar, x + rest).value) for rest in longer))
    want = np.exp(ask("gallery/prefix", grammar, x).value)
    left = want - np.array(sums)
    assert (left > 0).all() and (left[1:] < left[:-1] / 2).all() and left[-1] < 1e-3 * want


def test_truth():
    """Under bool, next says which words may come."""
    lists = {
        "word": (np.array([[1, 0], [2, 1]]), np.zeros(2)),
        "nothing": (np.array([[2]]), np.zeros(1)),
        "unary": (np.zeros((0, 2), int), np.zeros(0)),
        "binary": (np.array([[0, 1, 0], [0, 1, 2]]), np.zeros(2)),  # 0 -> 1 0 | 1 2: a+ b?
        "before": (np.array([[0, 1, 2]]), np.zeros(1)),
        "after": (np.zeros((0, 3), int), np.zeros(0)),
        "root": (np.array([[0]]), np.zeros(1)),
        "total": np.zeros(3),
    }
    rules = trapeze.rules("gallery/next")
    for x, want in ((), [1, 0, 0]), ((0, 0), [1, 1, 1]), ((0, 1), [0, 0, 1]), ((1,), [0, 0, 0]):
        lengths = {"n": len(x), "T": 3, "V": 2, "D": 0}
        found = rules.run("bool", lists, x=x, lengths=lengths, items=["follow", "ended"])
        assert [*found.items["follow"], found.items["ended"]] == want
