"""The gallery: sums over structures written down one by one, and answers that are known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from enumeration import log_sum, scores_of, trees

import trapeze

LENGTHS = {  # and inputs
    "affine-gaps": {"n": 3, "m": 2},
    "arc-eager": {"n": 4},
    "arc-standard": {"n": 3},
    "cky-dense": {"n": 4, "T": 2},
    "composition": {"n": 3, "Q": 2, "V": 2},
    "ctc": {"n": 5, "U": 3, "V": 3, "y": [2, 1, 1]},
    "damerau": {"n": 3, "m": 3, "V": 3, "x": [0, 1, 2], "y": [1, 0, 2]},
    "dtw": {"n": 4, "m": 3},
    "folding": {"n": 10, "L": 3, "V": 4, "x": [2, 3, 0, 2, 1, 1, 0, 3, 2, 1]},
    "grandparents": {"n": 4},
    "itg": {"n": 4, "m": 4},
    "knapsack": {"n": 4, "m": 5, "S": 3},
    "labelled-dependencies": {"n": 3, "R": 2},
    "lexicalised-pcfg": {"n": 3, "T": 2},
    "local-alignment": {"n": 3, "m": 4, "V": 3, "x": [0, 1, 2], "y": [2, 0, 1, 1]},
    "nussinov": {"n": 6},
    "pcfg-preterminals": {"n": 4, "N": 2, "P": 2, "V": 3, "x": [1, 0, 2, 1]},
    "plan7": {"n": 4, "K": 3, "V": 2, "x": [1, 0, 0, 1]},
    "rnn-t": {"n": 3, "U": 2, "V": 3, "y": [2, 1]},
    "segment-limit": {"n": 5, "K": 3, "T": 2},
    "span-crf": {"n": 4, "T": 2},
    "trigram": {"n": 4, "T": 3},
}

SPARSE = {"take": (5, 4), "lattice": (4, 2, 4), "automaton": (2, 2, 2)}  # at these lengths


# ---- Structures, as lists of cells: no rule in them, and no order of evaluation --------------------


def chains(n, m):
    """Pairs of a position of each of two strings, in order."""
    for size in range(min(n, m) + 1):
        for left in itertools.combinations(range(1, n + 1), size):
            for right in itertools.combinations(range(1, m + 1), size):
                yield list(zip(left, right))


def gaps(pairs, n, m):
    """What has no partner between neighbouring pairs: source, target."""
    for (i, j), (k, l) in itertools.pairwise([(0, 0), *pairs, (n + 1, m + 1)]):
        yield range(i + 1, k), range(j + 1, l)


def affine_gaps(n, m):
    for pairs in chains(n, m):
        cells = [("sub", i, j) for i, j in pairs]
        for source, target in gaps(pairs, n, m):
            cells += [("open",)] * ((len(source) > 0) + (len(target) > 0))
            cells += [("del", i) for i in source] + [("ins", j) for j in target]
        yield cells


def local_alignment(n, m, V, x, y):
    for pairs in chains(n, m):
        cells = [("sub", x[i - 1], y[j - 1]) for i, j in pairs]
        for (i, j), (k, l) in itertools.pairwise(pairs):
            cells += [("gap",)] * (k - i - 1 + l - j - 1)
        yield cells


def damerau(n, m, V, x, y):
    def edits(i, j, last):
        if (i, j) == (n, m):
            yield []
        ways = [(1, 1, "sub")] * (i < n and j < m) + [(2, 2, "swap")] * (i + 1 < n and j + 1 < m)
        ways += [(1, 0, "del")] * (i < n and last != "ins") + [(0, 1, "ins")] * (j < m)
        for down, right, what in ways:
            cells = {
                "sub": lambda: [("sub", x[i], y[j])],
                "del": lambda: [("del", x[i])],
                "ins": lambda: [("ins", y[j])],
                "swap": lambda: [("swap",), ("same", x[i], y[j + 1]), ("same", x[i + 1], y[j])],
            }[what]()
            yield from (cells + rest for rest in edits(i + down, j + right, what))

    return edits(0, 0, "")


def dtw(n, m):
    points = list(itertools.product(range(1, n + 1), range(1, m + 1)))
    for size in range(1, len(points) + 1):
        for way in itertools.combinations(points, size):
            steps = {(k - i, l - j) for (i, j), (k, l) in itertools.pairwise(way)}
            if way[0] == (1, 1) and way[-1] == (n, m) and steps <= {(0, 1), (1, 0), (1, 1)}:
                yield [("meet", i, j) for i, j in way]


def ctc(n, U, V, y):
    for path in itertools.product(range(V), repeat=n):
        said = [v for v, _ in itertools.groupby(path)]
        if [v for v in said if v != 0] == y:
            yield [("emit", t + 1, v) for t, v in enumerate(path)]


def rnn_t(n, U, V, y):
    for frames in itertools.combinations_with_replacement(range(1, n + 1), U):
        cells = [("emit", t, u, y[u]) for u, t in enumerate(frames)]
        yield cells + [("emit", t, sum(f <= t for f in frames), 0) for t in range(1, n + 1)]


def plan7(n, K, V, x):
    def hits(before):
        """Pairs of a symbol after `before` and the position that emits it; the last position passed over."""
        for pairs in chains(n, K):
            if pairs and pairs[0][0] > before:
                if not any(len(symbols) and len(passed) for symbols, passed in list(gaps(pairs, n, K))[1:-1]):
                    yield from ((pairs, end) for end in range(pairs[-1][1], K + 1))

    def ways(before):
        yield []
        for pairs, end in hits(before):
            yield from ([(pairs, end), *rest] for rest in ways(pairs[-1][0]))

    def passed(first, last):
        return [("md", first - 1), *(("dd", k) for k in range(first, last))] if first <= last else []

    for way in ways(0):
        if not way:
            continue
        background = n - sum(pairs[-1][0] - pairs[0][0] + 1 for pairs, _ in way)
        cells = [("loop",)] * background + [("move",)] * (len(way) + 1) + [("ej",)] * (len(way) - 1) + [("ec",)]
        for pairs, end in way:
            cells += [("enter", pairs[0][1])] + [("match", k, x[i - 1]) for i, k in pairs]
            for (i, k), (j, l) in itertools.pairwise(pairs):
                if j - i > 1:
                    cells += [("mi", k), *[("ii", k)] * (j - i - 2), ("im", k)]
                else:
                    cells += [*passed(k + 1, l - 1), ("dm" if l - k > 1 else "mm", l - 1)]
            cells += passed(pairs[-1][1] + 1, end)
        yield cells


def itg(n, m):
    def turns(order):
        """Reversed brackets of a permutation, or None where there are none for it."""
        if len(order) == 1:
            return 0
        for k in range(1, len(order)):
            first, second = order[:k], order[k:]
            turned = min(first) > max(second)
            if turned or max(first) < min(second):
                both = turns(first), turns(second)
                return None if None in both else sum(both) + turned
        return None

    for size in range(min(n, m) + 1):
        for left in itertools.combinations(range(1, n + 1), size):
            for right in itertools.permutations(range(1, m + 1), size):
                turned = turns(right) if size else 0
                if turned is not None:
                    cells = [("pair", i, j) for i, j in zip(left, right)] + [("turn",)] * turned
                    cells += [("drop", i) for i in range(1, n + 1) if i not in left]
                    yield cells + [("insert", j) for j in range(1, m + 1) if j not in right]


def nested(n, least):
    """Sets of nested pairs of 1..n with `least` positions or more inside each."""
    possible = [(i, j) for i in range(1, n + 1) for j in range(i + least + 1, n + 1)]

    def grow(pairs, rest):
        yield pairs
        for at, (k, l) in enumerate(rest):
            if all(l < i or k > j or i < k < l < j or k < i < j < l for i, j in pairs):
                yield from grow([*pairs, (k, l)], rest[at + 1 :])

    return grow([], possible)


def nussinov(n):
    for pairs in nested(n, 1):
        paired = {i for pair in pairs for i in pair}
        yield [("pair", *pair) for pair in pairs] + [("single", i) for i in range(1, n + 1) if i not in paired]


def folding(n, L, V, x):
    base = [None, *x]
    for pairs in nested(n, 3):
        cells, good = [], True
        for i, j in [(0, n + 1), *pairs]:
            inside = [(k, l) for k, l in pairs if i < k < l < j]
            branches = [(k, l) for k, l in inside if not any(a < k < l < b for a, b in inside)]
            free = j - i - 1 - sum(l - k + 1 for k, l in branches)
            if i == 0 or len(branches) > 1:
                cells += [("branch", base[k], base[l]) for k, l in branches]
            if i == 0:
                continue
            if len(branches) == 0:
                cells.append(("hairpin", base[i], base[j], free))
            elif len(branches) > 1:
                cells += [("branching",), ("closing", base[i], base[j]), *[("free",)] * free]
            elif free == 0:
                cells.append(("stack", base[i], base[j], base[i + 1], base[j - 1]))
            else:
                (k, l), good = branches[0], good and free <= L
                cells += [("closing", base[i], base[j]), ("closing", base[l], base[k]), ("loop", k - i - 1, j - l - 1)]
        if good:
            yield cells


def labelled_dependencies(n, R):
    for tree in trees(list(range(1, n + 1))):
        for labels in itertools.product(range(R), repeat=n):
            yield [("arc", h, m, r) for (m, h), r in zip(tree.items(), labels)]


def grandparents(n):
    for tree in trees(list(range(1, n + 1))):
        yield [("grand", tree[h], h, m) if h else ("root", m) for m, h in tree.items()]


def arc_eager(n):
    def run(stack, word, heads, cells):
        *below, top = stack
        if not below and word > n:
            yield cells
        if word <= n:
            yield from run([*stack, word], word + 1, heads, cells)
            yield from run([*stack, word], word + 1, heads | {word}, [*cells, ("arc", top, word)])
        if below and top in heads:
            yield from run(below, word, heads, cells)
        if below and top not in heads and word <= n:
            yield from run(below, word, heads | {top}, [*cells, ("arc", word, top)])

    return run([0], 1, frozenset(), [])


def arc_standard(n):
    def run(stack, word, cells):
        if len(stack) == 1 and word > n:
            yield cells
        if word <= n:
            yield from run([*stack, word], word + 1, cells)
        if len(stack) > 1:
            *below, lower, upper = stack
            yield from run([*below, lower], word, [*cells, ("arc", lower, upper)])
            if lower != 0:
                yield from run([*below, upper], word, [*cells, ("arc", upper, lower)])

    return run([0], 1, [])


def binary_trees(i, j):
    """Of the words i..j, nested: a word, or a pair of trees."""
    if i == j:
        yield i
    for k in range(i, j):
        yield from itertools.product(binary_trees(i, k), binary_trees(k + 1, j))


def lexicalised_pcfg(n, T):
    def label(tree):
        """Labels, heads, cells."""
        if isinstance(tree, int):
            return [(a, tree, [("word", a, tree)]) for a in range(T)]
        found = []
        for (b, g, left), (c, h, right), a in itertools.product(label(tree[0]), label(tree[1]), range(T)):
            found.append((a, g, [*left, *right, ("head_left", a, b, c), ("modify", c, g, h)]))
            found.append((a, h, [*left, *right, ("head_right", a, b, c), ("modify", b, h, g)]))
        return found

    for tree in binary_trees(1, n):
        yield from ([*cells, ("root", h)] for a, h, cells in label(tree) if a == 0)


def pcfg_preterminals(n, N, P, V, x):
    def label(tree):
        if isinstance(tree, int):
            return [(N + p, [("emit", p, x[tree - 1])]) for p in range(P)]
        both = itertools.product(range(N), label(tree[0]), label(tree[1]))
        return [(a, [*left, *right, ("rule", a, b, c)]) for a, (b, left), (c, right) in both]

    for tree in binary_trees(1, n):
        yield from ([*cells, ("root", a)] for a, cells in label(tree) if a < N)


def cky_dense(n, T):
    def label(tree):
        if isinstance(tree, int):
            return [(a, (tree, tree), [("span", a, tree, tree)]) for a in range(T)]
        return [
            (a, (i, k), [*left, *right, ("binary", a, b, c), ("span", a, i, k)])
            for a, (b, (i, _), left), (c, (_, k), right) in itertools.product(range(T), label(tree[0]), label(tree[1]))
        ]

    for tree in binary_trees(1, n):
        yield from (cells for a, _, cells in label(tree) if a == 0)


def span_crf(n, T):
    def spans(tree):
        """The span of the whole comes first."""
        if isinstance(tree, int):
            return [(tree, tree)]
        left, right = spans(tree[0]), spans(tree[1])
        return [(left[0][0], right[0][1]), *left, *right]

    for tree in binary_trees(1, n):
        for labels in itertools.product(range(T), repeat=2 * n - 1):
            yield [("label", *span, a) for span, a in zip(spans(tree), labels)]


def segment_limit(n, K, T):
    for cuts in itertools.chain.from_iterable(itertools.combinations(range(1, n), k) for k in range(n)):
        pieces = [(i, j - i) for i, j in itertools.pairwise([0, *cuts, n])]
        for labels in itertools.product(range(T), repeat=len(pieces)):
            if all(d <= K for _, d in pieces):
                cells = [("segment", *piece, a) for piece, a in zip(pieces, labels)]
                yield cells + [("trans", *two) for two in itertools.pairwise(labels)]


def trigram(n, T):
    for tags in itertools.product(range(T), repeat=n):
        cells = [("start", tags[0]), ("second", *tags[:2]), *(("emit", i + 1, a) for i, a in enumerate(tags))]
        yield cells + [("trans", *tags[i : i + 3]) for i in range(n - 2)]


def composition(n, Q, V):
    for cuts in itertools.chain.from_iterable(itertools.combinations(range(1, n), k) for k in range(n)):
        arcs = list(itertools.pairwise([0, *cuts, n]))
        for read in itertools.product(range(V), repeat=len(arcs)):
            for ends in itertools.product(range(Q), repeat=len(arcs)):
                path = itertools.pairwise([0, *ends])
                cells = [("lattice", p, x, r) for (p, r), x in zip(arcs, read)]
                yield cells + [("automaton", q, x, s) for (q, s), x in zip(path, read)] + [("final", ends[-1])]


def knapsack(n, m, S):
    for sizes in itertools.product(range(S + 1), repeat=n):  # 0: left
        if sum(sizes) <= m:
            yield [("take", i + 1, s) for i, s in enumerate(sizes) if s]


@pytest.mark.parametrize("name", LENGTHS)
def test_sums(name):
    """log Z, the marginals and the number of derivations are those of the structures."""
    rules, given = trapeze.rules(f"gallery/{name}"), LENGTHS[name]
    lengths = {length: given[length] for length in rules.lengths}
    inputs = {key: value for key, value in given.items() if key not in lengths}
    rng = np.random.default_rng(1)
    shapes = {w: SPARSE.get(w) or rules.shape(w, **lengths) for w in rules.weights}
    dense = {w: rng.normal(size=shape) for w, shape in shapes.items()}
    for table in {"same", "differ"} & set(dense):
        dense[table] = np.where(np.eye(lengths["V"]) == (table == "same"), 0, -np.inf)
    arrays = dict(dense)
    for weight in SPARSE.keys() & dense.keys():
        cells = [c for c in np.ndindex(dense[weight].shape) if _declared(weight, c)]
        arrays[weight] = np.array(cells), np.array([dense[weight][c] for c in cells])
    structures = list(globals()[name.replace("-", "_")](**given))
    scores = scores_of(structures, dense)
    want = log_sum(scores)
    found = rules.run("log", arrays, lengths=lengths, **inputs, marginals=True)
    assert found.value == pytest.approx(want, abs=1e-12)
    assert rules.run("max", arrays, lengths=lengths, **inputs).value == pytest.approx(scores.max(), abs=1e-12)
    assert rules.run("count", arrays, lengths=lengths, **inputs).value == np.isfinite(scores).sum()
    expected = {w: np.zeros_like(array) for w, array in dense.items()}
    for cells, score in zip(structures, scores):
        for weight, *index in cells:
            expected[weight][tuple(index)] += np.exp(score - want)
    for weight, table in expected.items():
        if weight == "differ":  # a step that is allowed; the paths do not say where
            continue
        if weight in SPARSE:
            table = table[tuple(arrays[weight][0].T)]
        assert found.marginals[weight] == pytest.approx(table, abs=1e-12)


def _declared(weight, cell):
    return {"take": min(cell) >= 1, "lattice": cell[0] < cell[-1]}.get(weight, True)


# ---- Answers that are known -----------------------------------------------------------------------


def numbers(text, alphabet):
    return [alphabet.index(c) for c in text]


@pytest.mark.parametrize(
    ("source", "target", "distance"),
    [("ca", "abc", 3), ("teh", "the", 1), ("smtih", "smith", 1), ("kitten", "sitting", 3), ("", "ab", 2), ("a", "", 1)],
)
def test_damerau(source, target, distance):
    """Of the restricted distance: `ca` becomes `abc` in three steps, since nothing may stand between
    what has changed places."""
    alphabet = sorted(set(source + target))
    V = len(alphabet)
    costs = {"sub": np.eye(V) - 1, "del": -np.ones(V), "ins": -np.ones(V), "swap": -1.0}
    costs["same"] = np.where(np.eye(V), 0, -np.inf)
    strings = {"x": numbers(source, alphabet), "y": numbers(target, alphabet)}
    lengths = {"n": len(source), "m": len(target), "V": V}
    assert trapeze.rules("gallery/damerau").run("max", costs, lengths=lengths, **strings).value == -distance


def test_local_alignment():
    """GTT-AC with GTTGAC: five pairs, 3 each, and a gap, -2."""
    rules = trapeze.rules("gallery/local-alignment")
    strings = {"x": numbers("TGTTACGG", "ACGT"), "y": numbers("GGTTGACTA", "ACGT")}
    found = rules.run("max", sub=6 * np.eye(4) - 3, gap=-2.0, lengths={"n": 8, "m": 9, "V": 4}, **strings, best=True)
    assert found.value == 13
    assert [use.weight for use in found.best.uses].count("sub") == 5


def test_nussinov():
    """GGGAAAUCC has three pairs: two G with C, one A with U."""
    bases = " GGGAAAUCC"
    pair = np.array([[0.0 if {a, b} in ({"G", "C"}, {"A", "U"}) else -np.inf for b in bases] for a in bases]) + 1
    found = trapeze.rules("gallery/nussinov").run("max", pair=pair, single=np.zeros(10), lengths={"n": 9})
    assert found.value == 3


def test_folding():
    """A hairpin GGGAAAACCC: two stacked pairs and a loop of four beat everything else."""
    rules = trapeze.rules("gallery/folding")
    bases, n, L = "GGGAAAACCC", 10, 2
    pairs = np.full((4, 4), -np.inf)
    for a, b in ("AU", "CG", "GU"):
        pairs["ACGU".index(a), "ACGU".index(b)] = pairs["ACGU".index(b), "ACGU".index(a)] = 0
    scores = {
        "hairpin": pairs[:, :, None] + np.full(n + 1, -4.0),
        "stack": pairs[:, :, None, None] + pairs + 3,
        "closing": pairs,
        "loop": np.full((L + 1, L + 1), -2.0),
        "branching": -4.0,
        "branch": pairs,
        "free": 0.0,
    }
    found = rules.run("max", scores, lengths={"n": n, "L": L, "V": 4}, x=bases, best=True)
    assert found.value == 2 * 3 - 4
    assert sorted(use.weight for use in found.best.uses) == ["branch", "hairpin", "stack", "stack"]


def test_plan7():
    """A sequence that is the family's consensus scores its symbols and the way through the model."""
    rules, K, n = trapeze.rules("gallery/plan7"), 4, 6
    consensus, half = [2, 0, 3, 1], np.log(0.5)
    scores = {name: np.full(K, -9.0) for name in ("mm", "mi", "md", "im", "ii", "dm", "dd")}
    scores["mm"] = np.full(K, -0.1)
    scores |= {"enter": np.full(K + 1, -2.0), "loop": -0.5, "move": -1.0, "ej": half, "ec": half}
    scores["match"] = np.full((K + 1, 4), -3.0)
    scores["match"][range(1, K + 1), consensus] = 1.5
    found = rules.run("max", scores, lengths={"n": n, "K": K, "V": 4}, x=[3, *consensus, 1], best=True)
    assert found.value == pytest.approx(2 * -0.5 + 2 * -1 + half - 2 + 3 * -0.1 + 4 * 1.5, abs=1e-12)
    emitted = [use.index for use in found.best.uses if use.weight == "match"]
    assert sorted(emitted) == [(k, v) for k, v in enumerate(consensus, 1)]


def test_dtw():
    """A series that is only slower is no further away."""
    first, second = np.array([1.0, 2, 3, 4]), np.array([1.0, 1, 2, 3, 3, 4])
    cost = np.zeros((5, 7))
    cost[1:, 1:] = -abs(first[:, None] - second)
    assert trapeze.rules("gallery/dtw").run("max", meet=cost, lengths={"n": 4, "m": 6}).value == 0


def test_knapsack():
    """Values 60, 100, 120 of sizes 1, 2, 3 in room for 5: the last two."""
    things = np.array([[1, 1], [2, 2], [3, 3]]), np.array([60.0, 100, 120])
    found = trapeze.rules("gallery/knapsack").run("max", take=things, lengths={"n": 3, "m": 5, "S": 3}, best=True)
    assert found.value == 220 and sorted(use.index[0] for use in found.best.uses) == [2, 3]


# ---- Closures: sums without end -------------------------------------------------------------------


def test_paths():
    """Distances by Floyd & Warshall; sums over all paths by linear equations."""
    rules, V = trapeze.rules("gallery/paths"), 5
    length = np.random.default_rng(1).integers(1, 9, (V, V)).astype(float)
    entries = np.array(list(np.ndindex(V, V)))
    one = np.where(np.arange(V) == 0, 0.0, -np.inf)
    distance = np.where(np.eye(V), 0, length)
    for k in range(V):
        distance = np.minimum(distance, distance[:, k, None] + distance[k])
    for target in range(V):
        scores = {"begin": one, "arc": (entries, -length.ravel()), "end": np.roll(one, target)}
        best = rules.run("max", scores, lengths={"V": V}, best=True)
        assert best.value == -distance[0, target] == best.best.score
        found = rules.run("log", scores, lengths={"V": V}, marginals=True)
        ways = np.linalg.inv(np.eye(V) - np.exp(-length))
        assert found.value == pytest.approx(np.log(ways[0, target]), abs=1e-12)
        uses = ways[0, :, None] * np.exp(-length) * ways[:, target] / ways[0, target]
        assert found.marginals["arc"] == pytest.approx(uses.ravel(), abs=1e-12)


def test_paths_diverge():
    """A circle that gains has no best path, and no sum."""
    rules, arcs = trapeze.rules("gallery/paths"), np.array([[0, 1], [1, 0]])
    scores = {"begin": np.zeros(2), "arc": (arcs, np.array([1.0, -0.5])), "end": np.zeros(2)}
    for semiring in "max", "log", "count":
        with pytest.raises(trapeze.Diverges, match=r"^at\[[01]\] needs itself"):
            rules.run(semiring, scores, lengths={"V": 2})


def test_cky_unary():
    """A span of one word: a -> b and b -> a any number of times."""
    rules, p, q = trapeze.rules("gallery/cky-unary"), 0.5, 0.25
    emit = np.full((2, 2), -np.inf)
    emit[1, 1] = 0
    scores = {
        "emit": emit,
        "unary": (np.array([[0, 1], [1, 0]]), np.log([p, q])),
        "binary": (np.zeros((0, 3), int), np.zeros(0)),
        "root": np.array([0, -np.inf]),
    }
    found = rules.run("log", scores, lengths={"n": 1, "T": 2}, marginals=True)
    assert found.value == pytest.approx(np.log(p / (1 - p * q)), abs=1e-14)
    assert found.marginals["unary"] == pytest.approx([1 / (1 - p * q), p * q / (1 - p * q)], abs=1e-14)
    assert rules.run("max", scores, lengths={"n": 1, "T": 2}).value == pytest.approx(np.log(p))


def test_epsilon():
    """The same as without arcs that read nothing, when these are worked into the others first."""
    rng, n, Q, V = np.random.default_rng(2), 4, 3, 2
    arc, epsilon, final = rng.uniform(-3, 0, (Q, V, Q)), rng.uniform(-4, -2, (Q, Q)), rng.uniform(-1, 0, Q)
    jumps, x = np.linalg.inv(np.eye(Q) - np.exp(epsilon)), [0, 1, 1, 0]
    state = jumps[0]
    for y in x:
        state = state @ np.exp(arc[:, y]) @ jumps
    scores = {"arc": arc, "epsilon": (np.array(list(np.ndindex(Q, Q))), epsilon.ravel()), "final": final}
    found = trapeze.rules("gallery/epsilon").run("log", scores, lengths={"n": n, "Q": Q, "V": V}, x=x)
    assert found.value == pytest.approx(np.log(state @ np.exp(final)), abs=1e-12)


def earley_items(words, rules):
    """(i, j, a) that Earley's algorithm completes: predictor, scanner and completer until nothing is new."""
    wanted, half, done = {(0, 0)}, set(), set()
    size = 0
    while size < (size := len(wanted) + len(half) + len(done)):
        wanted |= {(i, b) for i, a in wanted for x, b, _ in rules if x == a}
        wanted |= {(k, c) for _, k, _, c in half}
        done |= {(i, i + 1, a) for i, a in wanted if i < len(words) and a in words[i]}
        half |= {(i, k, a, c) for i, k, b in done for a, left, c in rules if left == b and (i, a) in wanted}
        done |= {(i, j, a) for i, k, a, c in half for start, j, b in done if (start, b) == (k, c)}
    return done


def labelled_trees(words, rules, i, j):
    """The label and the cells of each tree over words i+1..j."""
    if j == i + 1:
        yield from ((a, [("emit", j, a)]) for a in words[i])
    for k in range(i + 1, j):
        for (b, left), (c, right) in itertools.product(
            labelled_trees(words, rules, i, k), labelled_trees(words, rules, k, j)
        ):
            yield from ((x, [*left, *right, ("binary", x, y, z)]) for x, y, z in rules if (y, z) == (b, c))


@pytest.mark.parametrize("seed", range(6))
def test_earley(seed):
    """The sums over all trees, by items that Earley's own algorithm makes, and no others."""
    rng, n, T = np.random.default_rng(seed), 5, 4
    rules = [cell for cell in np.ndindex(T, T, T) if rng.random() < 0.2]
    words = [{a for a in range(T) if rng.random() < 0.6} for _ in range(n)]
    corner = np.eye(T, dtype=bool)
    for a, b, _ in rules:
        corner[a, b] = True
    for _ in range(T):
        corner = corner @ corner
    emit = np.full((n + 1, T), -np.inf)
    for i, labels in enumerate(words):
        emit[i + 1, list(labels)] = rng.normal(size=len(labels))
    scores = {
        "emit": emit,
        "binary": (np.array(rules).reshape(-1, 3), rng.normal(size=len(rules))),
        "corner": np.where(corner, 0, -np.inf),
    }
    score_of = dict(zip(rules, scores["binary"][1]))
    trees = [cells for a, cells in labelled_trees(words, rules, 0, n) if a == 0]
    values = [sum(score_of[tuple(c)] if w == "binary" else emit[tuple(c)] for w, *c in cells) for cells in trees]
    ask = {"lengths": {"n": n, "T": T}}
    found = trapeze.rules("gallery/earley").run("log", scores, items=["span"], marginals=True, **ask)
    assert found.value == pytest.approx(log_sum(np.array(values)) if trees else -np.inf, abs=1e-12)
    assert trapeze.rules("gallery/earley").run("count", scores, **ask).value == len(trees)
    made = {tuple(int(q) for q in cell) for cell in np.argwhere(found.items["span"] > -np.inf)}
    assert made == earley_items(words, rules)
    assert not found.marginals["corner"].any()
