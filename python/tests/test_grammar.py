"""Grammars as text: answers beside those of plain Python on the rules as they are written."""

from __future__ import annotations

import collections
import itertools
import json
import math
import os
import pickle
import re
import subprocess

import numpy as np
import pytest

import trapeze

ENGLISH = """
S  -> NP VP [1]
NP -> DT N [0.5] | NP PP [0.2] | 'they' [0.3]
VP -> V NP [0.5] | VP PP [0.2] | V NP 'to' NP [0.3]
PP -> P NP [1]
DT -> 'the' [0.8] | 'a' [0.2]
N  -> 'dog' [0.5] | 'telescope' [0.5]
V  -> 'saw' [1]
P  -> 'with' [1]
"""


@pytest.fixture
def english():
    return trapeze.Grammar(ENGLISH, weights="probabilities")


# ---- By plain Python -------------------------------------------------------------------------------


def random_text(rng, recursive):
    """A grammar of weights with rules of up to four parts; 0 parts are nothing."""
    symbols, words, lines = ["S", "A", "B", "C"], ["'x'", "'y'"], []
    for i, left in enumerate(symbols):
        rules = set()
        below = symbols if recursive else symbols[i + 1 :]
        for _ in range(rng.integers(2, 5)):
            size = rng.choice([0, 1, 2, 3, 4], p=[0.15, 0.25, 0.3, 0.2, 0.1])
            rules.add(tuple(rng.choice(below + words * (2 - recursive), size)))
        rules.add((str(rng.choice(words)),))
        small = 0.35 if recursive else 1
        lines += [f"{left} -> {' '.join(r)} [{small * rng.uniform(0.1, 0.5):.3f}]" for r in sorted(rules)]
    return "\n".join(lines)


def all_trees(grammar, symbol, known):
    """(words, log weight, rules used, tree) of each tree: of grammars without recursion."""
    if symbol not in known:
        found = []
        for number, rule in enumerate(grammar.rules):
            if rule.left != symbol:
                continue
            parts = [
                [((part[1:-1],), 0.0, (), part[1:-1])] if part[0] in "'\"" else all_trees(grammar, part, known)
                for part in rule.right
            ]
            for chosen in itertools.product(*parts):
                words = sum((c[0] for c in chosen), ())
                used = sum((c[2] for c in chosen), (number,))
                tree = trapeze.Tree(symbol, tuple(c[3] for c in chosen))
                found.append((words, rule.score + sum(c[1] for c in chosen), used, tree))
        known[symbol] = found
    return known[symbol]


def log_sum(scores):
    return float(np.logaddexp.reduce(scores)) if len(scores) else -np.inf


@pytest.mark.parametrize("number", range(12))
def test_enumeration(rng, number):
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    for _ in range(50):
        grammar = trapeze.Grammar(random_text(rng, False), weights="weights")
        known = {}
        trees = all_trees(grammar, "S", known)
        if len(trees) < 20000:
            break
    assert grammar.totals["S"] == pytest.approx(log_sum([t[1] for t in trees]), abs=1e-12)
    strings = sorted({t[0] for t in trees}, key=lambda s: (len(s), s))
    for x in [(), *(strings[i] for i in rng.integers(0, len(strings), 8))]:
        own = [t for t in trees if t[0] == x]
        value = log_sum([t[1] for t in own])
        assert grammar.log_prob(x) == pytest.approx(value, abs=1e-12)
        ranked = sorted(own, key=lambda t: -t[1])
        best = grammar.kbest(x, 3)
        assert [t.score for t in best] == pytest.approx([t[1] for t in ranked[:3]], abs=1e-12)
        shapes = {str(t[3]): t[1] for t in own}
        for tree in best:
            assert tuple(tree.words) == x and shapes[str(tree)] == pytest.approx(tree.score, abs=1e-12)
        assert grammar.best(x) == (best[0] if best else None)
        counts = np.zeros(len(grammar.rules))
        for _, score, used, _ in own:
            np.add.at(counts, list(used), np.exp(score - value))
        assert grammar.expected_counts(x) == pytest.approx(counts, abs=1e-12)
        begin = [t for t in trees if t[0][: len(x)] == x]
        whole = log_sum([t[1] for t in begin])
        assert grammar.prefix_log_prob(x) == pytest.approx(whole, abs=1e-12)
        upto = [log_sum([t[1] for t in trees if t[0][:i] == x[:i]]) for i in range(len(x) + 1)]
        assert grammar.prefix_log_probs(x) == pytest.approx(upto, abs=1e-12)
        following = collections.defaultdict(list)
        for words, score, *_ in begin:
            following[words[len(x)] if len(words) > len(x) else None].append(score)
        want = {word: np.exp(log_sum(scores) - whole) for word, scores in following.items()}
        assert grammar.next(x) == pytest.approx(want, abs=1e-12)
        assert set(np.flatnonzero(grammar.allowed(x))) == {
            grammar.words.index(word) if word is not None else len(grammar.words) for word in want
        }


@pytest.mark.parametrize("number", range(8))
def test_as_shown(rng, number):
    """What is shown, also with at most two parts, says the same; recursion and nothing included."""
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    while True:
        try:
            grammar = trapeze.Grammar(random_text(rng, True), weights="weights")
            grammar.totals
            break
        except trapeze.Diverges:
            continue
    again = trapeze.Grammar(grammar.show(), weights="weights")
    binary = trapeze.Grammar(grammar.show(binarised=True), weights="weights")
    assert again.show() == grammar.show()
    assert all(len(rule.right) <= 2 for rule in binary.rules)
    for n in range(5):
        x = tuple(rng.choice(grammar.words, n))
        value = grammar.log_prob(x)
        assert again.log_prob(x) == value and again.best(x) == grammar.best(x)
        assert binary.log_prob(x) == pytest.approx(value, abs=1e-12)
        before = grammar.prefix_log_prob(x)
        assert binary.prefix_log_prob(x) == pytest.approx(before, abs=1e-12)
        for word, chance in grammar.next(x).items():
            longer = value if word is None else grammar.prefix_log_prob((*x, word))
            assert chance == pytest.approx(math.exp(longer - before), abs=1e-12)


# ---- Laws ---------------------------------------------------------------------------------------------


def test_batch(english):
    """A list of sentences is answered as each by itself, in every bit."""
    texts = ["they saw the dog", "", "they saw they with a dog with a telescope", "saw", "the dog saw a dog to they"]
    for ask in (
        english.log_prob, english.prefix_log_prob, english.best, english.next, lambda x: english.kbest(x, 4),
        lambda x: english.next_log_probs(x).tolist(), lambda x: [list(r) for r in english.prefix_log_probs(x)] if isinstance(x, list) else list(english.prefix_log_probs(x)), lambda x: english.allowed(x).tolist(),
    ):  # fmt: skip
        assert list(ask(texts)) == [ask(text) for text in texts]
    several = english.expected_counts(texts)
    assert several == pytest.approx(sum(english.expected_counts(text) for text in texts), abs=1e-12)
    assert english.expected_counts(texts * 40) == pytest.approx(40 * several)
    assert english.best("they saw they") == english.best(("they", "saw", "they"))
    assert english.log_prob([]).shape == (0,) and english.best([]) == []


def test_samples(english):
    """Free trees come as often as they are likely; those of a sentence as often as among its own."""
    trees = english.sample(4000, seed=3)
    assert english.sample(5, seed=3) == trees[:5] and english.sample(1, seed=4) != trees[:1]
    for tree in trees[:50]:
        known = [t for t in english.kbest(tuple(tree.words), 2000) if str(t) == str(tree)]
        assert len(known) == 1 and known[0].score == pytest.approx(tree.score, abs=1e-12)
    starts = collections.Counter(tree.words[0] for tree in trees)
    for word, chance in english.next("").items():
        assert abs(starts[word] / 4000 - chance) < 5 * math.sqrt(chance * (1 - chance) / 4000)
    drawn = english.sample_trees("they saw the dog with a dog", 500, seed=1)
    assert abs(collections.Counter(map(str, drawn)).most_common()[0][1] / 500 - 0.5) < 0.1


def test_em():
    """Expected counts make the corpus likelier, each time."""
    text = "S -> A S [0.5] | A [0.5]\nA -> 'a' [0.5] | 'b' [0.3] | A A [0.2]"
    grammar, corpus = trapeze.Grammar(text, weights="probabilities"), ["a a b", "a", "b a a a"]
    values = []
    for _ in range(6):
        values.append(grammar.log_prob(corpus).sum())
        counts = grammar.expected_counts(corpus)
        step = 1e-6 * np.eye(len(counts))
        moved = [grammar.with_scores(grammar.scores + s).log_prob(corpus).sum() for s in step]
        assert counts == pytest.approx((np.array(moved) - values[-1]) / 1e-6, abs=1e-4)
        grammar = grammar.reestimated(counts)
        totals = np.bincount([r.left == "A" for r in grammar.rules], np.exp(grammar.scores))
        assert totals == pytest.approx([1, 1])
    assert all(b > a - 1e-12 for a, b in itertools.pairwise(values)) and values[-1] > values[0] + 0.2


def test_pickle(english):
    copy = pickle.loads(pickle.dumps(english.with_scores(english.scores - 1)))
    assert copy.scores == pytest.approx(english.scores - 1) and copy.words == english.words
    with pytest.raises(trapeze.BadArgument, match="2 log weights for 14 rules"):
        english.with_scores([1, 2])


# ---- Sessions -------------------------------------------------------------------------------------------


def test_session(rng):
    """Words are added and taken; what is said is what the grammar says of the whole, in every bit (but a
    prefix, which is summed by its next words)."""
    english = trapeze.Grammar(ENGLISH.replace("PP -> P NP [1]", "PP -> P NP [0.9] | [0.1]"), weights="probabilities")
    session, truth, x = english.session(), english.session(truth=True), []
    for step in range(120):
        if rng.random() < 0.25:
            x = x[: rng.integers(0, len(x) + 1)]
            session.truncate(len(x))
            truth.truncate(len(x))
        else:
            allowed = [word for word, may in zip(english.words, english.allowed(tuple(x))) if may]
            words = rng.choice(allowed or english.words, 1 + (not allowed and step % 2))
            for one in words:
                x.append(str(one))
            session.extend(tuple(map(str, words)))
            for word in words:
                truth.append(str(word))
        assert session.words == x and len(session) == len(x)
        if step % 3:  # else several changes come before a question
            assert session.next() == english.next(tuple(x))
            assert session.next_log_probs().tolist() == english.next_log_probs(tuple(x)).tolist()
            assert session.prefix_log_prob == pytest.approx(english.prefix_log_prob(tuple(x)), abs=1e-12)
            assert session.log_prob == english.log_prob(tuple(x))
            assert truth.allowed().tolist() == session.allowed().tolist() == english.allowed(tuple(x)).tolist()
    copy = session.copy()
    copy.append("they")
    assert session.words == x and copy.words == [*x, "they"] and copy.prefix_log_prob <= session.prefix_log_prob


def test_session_refuses(english):
    session = english.session("they saw")
    with pytest.raises(trapeze.UnknownWord, match="word 1: 'zzz'"):
        session.append("zzz")
    with pytest.raises(trapeze.BadArgument, match="there are 2 words, and 3 are to be kept"):
        session.truncate(3)
    assert session.words == ["they", "saw"] and session.next() == english.next("they saw")
    loud = trapeze.Grammar("S -> S S [2] | 'a' [1]", weights="weights")
    with pytest.raises(trapeze.Diverges, match="the sum over all trees of S is not found"):
        loud.session()
    truth = loud.session("a a", truth=True)
    assert truth.allowed().tolist() == [True, True]
    with pytest.raises(trapeze.BadArgument, match="a session of truth values has no probabilities"):
        truth.log_prob


# ---- GBNF ----------------------------------------------------------------------------------------------

EXPRESSIONS = {
    r'root ::= "a"*': "a*",
    r'root ::= ("ab" | [b-c])+ "x"?': "(ab|[b-c])+x?",
    r'root ::= "a"{2} [ab]{1,3} "c"{2,}': "a{2}[ab]{1,3}c{2,}",
    r'root ::= x{0,2} | "c"' + '\nx ::= [^a] "b"': "([^a]b){0,2}|c",
    r'root ::= ((("a")?)*)+ "" ("b" | ""){2}': "a*b?b?",
    r'root ::= "\x61" "b"* ("c"'
    "\n # a comment\n"
    r' "a")?': "ab*(ca)?",
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_gbnf(text):
    """What a regular expression says, of all strings of some characters; chances sum to 1."""
    grammar = trapeze.Grammar(text, notation="gbnf")
    expression = re.compile(EXPRESSIONS[text])
    alphabet = [c for c in "abcx" if c in grammar.words]
    strings = ["".join(s) for n in range(7) for s in itertools.product(alphabet, repeat=n)]
    found = np.array(grammar.log_prob(strings)) > -np.inf
    assert found.tolist() == [expression.fullmatch(s) is not None for s in strings]
    assert grammar.totals["root"] == pytest.approx(0, abs=1e-12)
    for tree in grammar.sample(20, seed=1):
        assert expression.fullmatch("".join(tree.words))
        x = ""
        for character in tree.words:
            assert grammar.allowed(x)[grammar.words.index(character)]
            x += character
        assert grammar.allowed(x)[-1]


def test_gbnf_trees():
    """Nodes are the text's names; groups and repeats are not seen."""
    text = 'root ::= item ("," item)*\nitem ::= [0-9]+ | "(" root ")"'
    tree = trapeze.Grammar(text, notation="gbnf").best("12,(3)")
    assert str(tree) == '(root (item 1 2) , (item "(" (root (item 3)) ")"))'


# ---- The rest --------------------------------------------------------------------------------------------


def test_trees(english):
    tree = english.best("they saw a dog")
    assert tree.words == "they saw a dog".split() and [t.label for t in tree.trees()][:3] == ["S", "NP", "VP"]
    assert tree.draw().split("\n") == [
        "    S",
        " ┌──┴───┐",
        " NP     VP",
        " │    ┌─┴──┐",
        " │    V    NP",
        " │    │  ┌─┴─┐",
        " │    │  DT  N",
        " │    │  │   │",
        "they saw a  dog",
    ]
    deep = trapeze.Grammar("S -> 'a' S [0.9] | 'a' [0.1]", weights="probabilities").best("a " * 300)
    assert str(deep).count("(S") == 300 and len(deep.draw().split("\n")) == 601


def test_words(english):
    for words, message in (
        ("they saw teh dog", "word 3: 'teh' is no word of the grammar; did you mean 'the'?"),
        (["they", "they zzz"], "sentence 1, word 2: 'zzz' is no word of the grammar"),
    ):
        with pytest.raises(trapeze.UnknownWord) as raised:
            english.log_prob(words)
        assert str(raised.value) == message and raised.value.word in ("teh", "zzz")
    with pytest.raises(trapeze.BadArgument, match="a sentence is a text or a tuple of words"):
        english.log_prob([3])


def test_refused(tmp_path):
    with pytest.raises(trapeze.BadRules, match=r"^grammar:1:6: NP has no rules"):
        trapeze.Grammar("S -> NP", weights="weights")
    with pytest.raises(trapeze.BadArgument, match="notation is one of arrows, gbnf, and weights"):
        trapeze.Grammar("S -> 'a'")
    with pytest.raises(trapeze.BadArgument, match="give a text, or file="):
        trapeze.Grammar()
    with pytest.raises(trapeze.CannotRead, match="missing.pcfg: No such file"):
        trapeze.Grammar(file=tmp_path / "missing.pcfg", weights="counts")
    loud = trapeze.Grammar("S -> S S [2] | 'a' [1]", weights="weights")
    assert loud.log_prob("a a") == pytest.approx(math.log(2))
    with pytest.raises(trapeze.Diverges, match="the sum over all trees of S is not found"):
        loud.next("a")
    circle = trapeze.Grammar("S -> S [1] | 'a' [1]", weights="weights")
    with pytest.raises(trapeze.Diverges):
        circle.log_prob("a")
    (tmp_path / "g.gbnf").write_text('root ::= "é"', encoding="utf-8")
    assert trapeze.Grammar(file=tmp_path / "g.gbnf").log_prob("é") == 0


def test_nothing_is_possible():
    grammar = trapeze.Grammar("S -> S 'a' [1]", weights="probabilities")
    assert grammar.sample(3) == [] and grammar.next("") == {} and grammar.best("a") is None
    assert grammar.log_prob("a") == -np.inf and grammar.expected_counts(["a"]).tolist() == [0]


# ---- The command ------------------------------------------------------------------------------------------

COMMAND = os.environ.get("TRAPEZE_COMMAND", "")
needs_command = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")


def command(action, *arguments, text="", status=0):
    done = subprocess.run(
        [COMMAND, "grammar", action, *arguments], input=text, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def trees_of(answers):
    return [(answer["score"], answer["tree"]) for answer in answers]


def as_told(trees):
    return [(tree.score, str(tree)) for tree in trees]


@needs_command
@pytest.mark.parametrize(
    ("name", "text", "weights", "lines"),
    [
        ("english.pcfg", ENGLISH, "probabilities", ["they saw the dog with a telescope", "", "saw", "they saw they"]),
        ("counts", '3 S -> A S B\n1 S -> A ( B\n2 A -> x\n1 A -> y"\n1 B -> z', "counts", ['x ( z', 'y" x ( z z']),
        ("sums.gbnf", 'root ::= [1-3é] ("+" root)* | " "', "uniform", ["1+é", "1+2+3", " ", ""]),
        ("nothing", "S -> S S | A B A | 'a'\nA -> | 'a'\nB -> A 'b' A | 'b' 'b'", "uniform", ["a b a", "b b a b", "a"]),
    ],
)  # fmt: skip
def test_command(tmp_path, name, text, weights, lines):
    """The same numbers, trees and words, in every bit, as in Python."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    grammar = trapeze.Grammar(file=path, weights=weights)
    asked = ["--best", "--kbest=3", "--sample=4", "--seed=7", "--prefix", "--next"]
    told = command("parse", "-w", weights, *asked, str(path), text="\n".join(lines) + "\n")
    for number, (line, answer) in enumerate(zip(lines, told.splitlines(), strict=True)):
        answer = json.loads(answer)
        zero = -np.inf
        assert (zero if answer["log_prob"] is None else answer["log_prob"]) == grammar.log_prob(line)
        before = answer["prefix_log_prob"]
        assert (zero if before is None else before) == grammar.prefix_log_prob(line)
        best = grammar.best(line)
        assert trees_of([answer["best"]] if answer["best"] else []) == as_told([best] if best else [])
        assert trees_of(answer["kbest"]) == as_told(grammar.kbest(line, 3))
        if number == 0:  # each line draws others; a single problem is line 1
            assert trees_of(answer["samples"]) == as_told(grammar.sample_trees(line, 4, seed=7))
        assert [tuple(pair) for pair in answer["next"]] == [*grammar.next(line).items()]
    assert command("show", "-w", weights, str(path)) == grammar.show()
    assert command("binarise", "-w", weights, str(path)) == grammar.show(binarised=True)
    drawn = grammar.sample(20, seed=5)
    told = command("sample", "-w", weights, "-n20", "--seed=5", str(path))
    assert told.splitlines() == [str(tree) for tree in drawn]
    between = "" if name.endswith(".gbnf") else " "
    told = command("sample", "-w", weights, "-n20", "--seed=5", "--only-words", str(path))
    assert told.split("\n")[:-1] == [between.join(tree.words) for tree in drawn]


@needs_command
def test_command_refuses(tmp_path):
    (tmp_path / "a").write_text("S -> S S [0.6] | 'a' [0.4]\nB -> B 'b' [1]", encoding="utf-8")
    told = command("check", "-w", "probabilities", str(tmp_path / "a")).splitlines()
    assert told[2:] == [
        "symbols    2, from S",
        "words      2",
        "rules      3",
        "binarised  2 of two symbols, 0 unary, 2 words, 0 of nothing",
        "total      0.6666666667",
        "unused     B",
        "no words   B",
    ]
    for arguments, text, status, message in (
        (["parse", str(tmp_path / "a")], "", 2, "say what the numbers of the rules are: --weights"),
        (["parse", "-wlogs"], "", 2, "which grammar? Name a file"),
        (["parse", "-wx", "a"], "", 2, "--weights is probabilities, weights, logs, counts or uniform, not 'x'"),
        (["show", "-wlogs", str(tmp_path / "b")], "", 1, "No such file or directory"),
        (["show", "-wuniform", str(tmp_path / "a")], "", 1, "a:1:10: a weight in a grammar"),
        (["parse", "-wlogs", str(tmp_path / "a")], "a\na c", 1, "standard input:2: word 2: 'c' is no word"),
        (["sample", "-wlogs", str(tmp_path / "a")], "", 1, "the sum over all trees of S is not found"),
    ):
        assert message in command(*arguments, text=text, status=status)
    told = command("parse", "-wlogs", "--keep-going", str(tmp_path / "a"), text="c\na\n").splitlines()
    assert json.loads(told[0]) == {"error": "word 1: 'c' is no word of the grammar"} and json.loads(told[1])["n"] == 1
