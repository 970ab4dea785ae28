"""Do models give what the command gives with them?"""

from __future__ import annotations

import concurrent.futures
import copy
import json
import os
import pickle
import subprocess

import numpy as np
import pytest

import trapeze
from forks import in_a_child

COMMAND = os.environ.get("TRAPEZE_COMMAND")
pytestmark = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")
if os.environ.get("TRAPEZE_SENTENCES") == "disabled":
    pytest.skip("this build leaves the sentence toolkit out", allow_module_level=True)

LINES = [
    "The old, wet dog sees a cat",
    "",
    "a bark likes the “red” tree",
    "the née dog sees the old old tree .",
    "dog",
    "\u3000a  wet 👍 cat 's dog",
]


def trapeze_command(folder, *arguments, text=None):
    done = subprocess.run(
        [COMMAND, *map(str, arguments)], input=text, capture_output=True, encoding="utf-8", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def toy_sentence(rng):
    """Rows (form, tag, head, label): a dog sees the red tree; adjectives are dropped."""
    words, nouns = [], []
    for noun in range(2):
        adjectives = int(rng.integers(0, 3))
        at = len(words) + adjectives + 2
        words.append((rng.choice(["a", "the"]), "DET", at, "det"))
        words += [(rng.choice(["old", "wet", "red"]), "ADJ", at, "amod")] * adjectives
        words.append((rng.choice(["dog", "cat", "tree"]), "NOUN", 0, ("nsubj", "obj")[noun]))
        nouns.append(at)
        if noun == 0:
            words.append((rng.choice(["sees", "likes"]), "VERB", 0, "root"))
    verb = nouns[0] + 1
    return [
        (form, tag, verb if label in ("nsubj", "obj") else head, label)
        for form, tag, head, label in words
    ]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("model"), np.random.default_rng(1)
    with open(folder / "train.conllu", "w") as file:
        for _ in range(200):
            for w, (form, tag, head, label) in enumerate(toy_sentence(rng), 1):
                kept = f"Kept={head}" if tag != "ADJ" else "_"
                print(w, form, "_", tag, tag, "_", head, label, "_", kept, sep="\t", file=file)
            print(file=file)
    train = lambda *a: trapeze_command(folder, "train", *a)  # noqa: E731
    for task, part in (("tagger", "tag"), ("parser", "parse"), ("labeller", "label")):
        train(task, "-o", part, "--quiet", "--table", 14, "train.conllu")
    train("grammar", "-o", "grammar", "train.conllu")
    train("compressor", "-o", "compress", "--quiet", "--table", 14, "--grammar", "grammar",
          "train.conllu")
    train("deletions", "-o", "deletions", "--quiet", "train.conllu")
    parts = ("tag", "parse", "label", "compress", "grammar", "deletions")
    trapeze_command(folder, "model", "pack", "-o", "toy.model", *parts)
    train("deletions", "-o", "tags", "--quiet", "--levels", "tags", "train.conllu")
    parts = ("tag", "parse", "label", "tags")
    trapeze_command(folder, "model", "pack", "-o", "tags.model", *parts)
    (folder / "short.txt").write_text("the dog sees a cat\na dog sees the tree\n")
    train("lm", "--quiet", "-n", "3", "-o", "short.arpa", "short.txt")
    return folder / "toy.model"


def by_command(model, what, *options):
    text = "".join(line + "\n" for line in LINES)
    out = trapeze_command(model.parent, what, "-m", model, "--format=json", *options, text=text)
    return [json.loads(line) for line in out.splitlines()]


def assert_same(found, line):
    assert (found.text, found.tokens) == (line["text"], line["tokens"])
    assert found.tokens == [found.text[begin:end] for begin, end in found.spans]
    for ours, theirs in ((found.upos, "upos"), (found.labels, "labels")):
        if theirs in line:
            assert ours == line[theirs]
    assert found.heads == line.get("tree")
    if "keep" in line:
        assert found.compression == line["compression"]
        assert found.keep == [kept == "1" for kept in line["keep"]]
        heads = [head if head >= 0 else None for head in line["heads"]]
        assert found.compressed_heads == heads


def test_sentences(model):
    toy = trapeze.Model(model)
    text = "Dr. Ann Holt left. “Why?” The née cat　sees 5 p.m. trains. 👍 Ok. "
    one = toy.sentences(text)
    assert one[0] == "Dr. Ann Holt left." and len(one) == 4
    found = trapeze_command(None, "tag", "-m", model, "-f", "json", text=text + "\n")
    assert one == [json.loads(line)["text"] for line in found.splitlines()]
    assert toy.sentences(" ") == []
    lines = "A dog. A cat.\r\n \nThe tree.\n"
    assert toy.sentences(lines) == ["A dog.", "A cat.", "The tree."]
    assert toy.sentences(lines, one_per_line=True) == ["A dog. A cat.", "The tree."]
    with pytest.raises(trapeze.BadArgument, match="no UTF-8"):
        toy.sentences("a\udc80")
    with pytest.raises(trapeze.BadArgument, match="zero"):
        toy.sentences("a\0b")


def test_law(model, monkeypatch):
    """As the command: kept whole by the model that is used as a matter of course, unless told."""
    law = "the wet dog or the red cat shall bark or see any tree"
    news = "the wet dog sees a cat"
    monkeypatch.setenv("TRAPEZE_MODEL", str(model))
    usual, named = trapeze.Model(), trapeze.Model(model)

    def kept_whole(loaded, *options, **how):
        found, other = loaded.compress([law, news], **how)
        text = f"{law}\n{news}\n"
        lines = trapeze_command(None, "compress", *options, text=text).splitlines()
        assert [found.compression, other.compression] == lines
        assert other.like_law == (other.compression == news) == found.like_law  # a note
        assert found.like_law == (found.compression == law)
        return found.like_law

    assert kept_whole(usual)
    assert kept_whole(pickle.loads(pickle.dumps(usual)))
    assert kept_whole(named, any_text=False)
    assert not kept_whole(usual, "--any-text", any_text=True)
    assert not kept_whole(named, "-m", model)
    for length in ({"keep": 4}, {"rate": 0.5}):
        (name, value), = length.items()
        assert not kept_whole(usual, f"--{name}={value}", **length)
    assert not kept_whole(named, "--rate=0.5", rate=0.5, any_text=False)


@pytest.mark.parametrize("threads", [1, 3])
def test_as_the_command(model, threads):
    loaded = trapeze.Model(model, threads=threads)
    for what, method in (("tag", loaded.tag), ("parse", loaded.parse), ("compress", loaded.compress)):
        for found, line in zip(method(LINES), by_command(model, what), strict=True):
            assert_same(found, line)
        assert method(LINES[0]) == method(LINES)[0]
        assert method([]) == []


def as_options(how):
    """The command's options of arguments of Model.compress."""
    for name, value in how.items():
        pair = isinstance(value, tuple)
        yield f"--{name.replace('_', '-')}={':'.join(map(str, value)) if pair else value}"


@pytest.mark.parametrize(
    "how",
    [
        {"keep": 2}, {"keep": 99}, {"keep": 1 << 70}, {"drop": 0}, {"drop": 2}, {"drop": 99},
        {"rate": 0.0}, {"rate": 0.4}, {"rate": 1.0}, {"rate": (0.3, 0.6)}, {"rate": (0, 0.5)},
        {"rate": (0.55, 0.55)}, {"decode": "best"}, {"decode": "marginal"}, {"bonus": -0.3},
        {"decode": "marginal", "bonus": 0.4}, {"unguarded": "all"}, {"unguarded": "phrase,object"},
        {"only": "linear"}, {"drop": 3, "unguarded": "all"},
        {"rate": (0.2, 0.7), "bonus": -0.2, "decode": "best", "unguarded": "subject"},
    ],
)  # fmt: skip
def test_chosen(model, how):
    """Every way to choose words, and afterwards as if nothing had been chosen."""
    loaded = trapeze.Model(model)
    usual = loaded.compress(LINES)
    given = {"keep": 1000000} if how.get("keep") == 1 << 70 else how
    lines = by_command(model, "compress", *as_options(given))
    for found, line in zip(loaded.compress(LINES, **how), lines, strict=True):
        assert_same(found, line)
    assert loaded.compress(LINES) == usual


def test_chosen_matters(model):
    """What is told is not only the same as the command has, but does something."""
    loaded = trapeze.Model(model)

    def kept(**how):
        return [sum(found.keep) for found in loaded.compress(LINES, **how)]

    words = [len(found) for found in loaded.tag(LINES)]
    assert kept(bonus=50) == kept(decode="marginal", bonus=0.9) == kept(drop=0) == words
    assert sum(kept(bonus=-50)) == 0 and sum(kept(decode="marginal", bonus=-0.9)) < 3
    assert kept(drop=2) == [max(n - 2, min(n, 1)) for n in words]
    assert 0 < sum(kept()) < sum(words)
    assert loaded.compress(LINES, keep=4) != loaded.compress(LINES, keep=4, unguarded="all")
    assert kept(rate=(0.2, 0.3)) != kept(rate=(0.2, 0.9))


def test_numbers_of_numpy(model):
    loaded = trapeze.Model(model)
    for given, same in (
        ({"keep": np.int32(2)}, {"keep": 2}),
        ({"rate": np.float32(0.5)}, {"rate": 0.5}),
        ({"rate": [0.25, np.float64(0.5)]}, {"rate": (0.25, 0.5)}),
        ({"unguarded": ["phrase", "object"]}, {"unguarded": "phrase,object"}),
    ):
        assert loaded.compress(LINES, **given) == loaded.compress(LINES, **same)


def test_chosen_refused(model):
    loaded = trapeze.Model(model)
    for how, kind, message in (
        ({"foo": 1}, TypeError, "unexpected keyword argument 'foo'"),
        ({"keep": 2.5}, TypeError, "keep is a whole number, not 2.5"),
        ({"drop": "2"}, TypeError, "drop is a whole number, not '2'"),
        ({"rate": "0.5"}, TypeError, "rate is a number, not '0.5'"),
        ({"rate": (0.5, None)}, TypeError, "rate is a number, not None"),
        ({"bonus": "x"}, TypeError, "bonus is a number, not 'x'"),
        ({"unguarded": 3}, TypeError, "unguarded is the name of a guard, or several, not 3"),
        ({"keep": 0}, ValueError, "keep=0, where 1 is the least"),
        ({"drop": -1}, ValueError, "drop=-1, where 0 is the least"),
        ({"rate": 1.5}, ValueError, "rate is from 0 to 1"),
        ({"rate": float("nan")}, ValueError, "rate is from 0 to 1"),
        ({"rate": (0.6, 0.3)}, ValueError, "low <= high"),
        ({"rate": (0, 0)}, ValueError, "the higher rate is above 0"),
        ({"rate": (0.1, 0.2, 0.3)}, ValueError, "or a pair of them"),
        ({"keep": 2, "drop": 2}, ValueError, "one of keep, drop and rate"),
        ({"decode": "worst"}, ValueError, "decode is marginal or best"),
        ({"bonus": 101}, ValueError, "the bonus is not a number from -100 to 100"),
        ({"bonus": float("nan")}, ValueError, "the bonus is not a number"),
        ({"unguarded": "name,x"}, ValueError, "there is no guard 'x'"),
        ({"only": "both"}, ValueError, "only is linear or neural"),
        ({"only": "neural"}, ValueError, "there are no neural scores in this model"),
        ({"threshold": 0}, ValueError, "threshold: for with_='deletions' alone"),
        ({"bigrams": 1, "lm": "x"}, ValueError, "bigrams, lm: for with_='deletions' alone"),
    ):
        with pytest.raises(kind, match=message):
            loaded.compress("a dog", **how)


def random_scores(loaded):
    random = np.random.default_rng(7)
    words = [len(found) for found in loaded.tag(LINES)]
    arc = [random.normal(size=(n + 1, n + 1)) for n in words]
    return words, arc, [random.normal(size=(n + 1, n + 2)) for n in words]


def padded(arrays, rows, columns):
    return np.array([np.pad(a, [(0, rows - a.shape[0]), (0, columns - a.shape[1])]) for a in arrays])


def test_scores(model):
    loaded = trapeze.Model(model)
    words, arc, bigram = random_scores(loaded)
    most = max(words)
    arrays = {"arc": padded(arc, most + 1, most + 1), "bigram": padded(bigram, most + 1, most + 2)}
    np.savez(model.parent / "scores.npz", n=words, **arrays)
    for options in ({}, {"rate": 0.5}):
        given = [f"--{name}={value}" for name, value in options.items()]
        found = loaded.compress(LINES, arc=arc, bigram=bigram, **options)
        lines = by_command(model, "compress", "--scores=scores.npz", *given)
        for one, line in zip(found, lines, strict=True):
            assert_same(one, line)
    rules = trapeze.rules("compress")  # those of the model
    lines = by_command(model, "compress", "--scores=scores.npz", "--unguarded=all")
    for line, n, a, b in zip(lines, words, arc, bigram, strict=True):
        if n > 0:
            best = rules.run("max", arc=a, bigram=b, best=True).best
            head = {m: h for h, m in best.index("arc").tolist()}
            assert line["heads"] == [head.get(m, -1) for m in range(1, n + 1)]


def test_scores_refused(model):
    loaded = trapeze.Model(model)
    words, arc, bigram = random_scores(loaded)
    line, n = LINES[0], words[0]
    bad = arc[0].copy()
    bad[0, n] = np.nan
    for message, given in {
        "together": {"arc": arc[0]},
        "of shape": {"arc": arc[0], "bigram": bigram[0][1:]},
        "as many words": {"arc": np.zeros((n + 2, n + 2)), "bigram": np.zeros((n + 2, n + 3))},
        "1e9": {"arc": bad, "bigram": bigram[0]},
        "deletions|compressor": {"arc": arc[0], "bigram": bigram[0], "with_": "deletions"},
    }.items():
        with pytest.raises(trapeze.BadArgument, match=message):
            loaded.compress(line, **given)


@pytest.mark.parametrize("options", [{}, {"keep": 2}, {"rate": 0.4}])
@pytest.mark.parametrize("asked", ["compressions", "deletions"])
def test_deletions(model, options, asked):
    lines = by_command(model, "compress", "--with=deletions", *(f"--{k}={v}" for k, v in options.items()))
    found = trapeze.Model(model, asked=asked).compress(LINES, with_="deletions", **options)
    for ours, theirs in zip(found, lines, strict=True):
        assert_same(ours, theirs)


@pytest.mark.parametrize("options", [
    {}, {"threshold": 0.9}, {"decode": "best"}, {"decode": "best", "bonus": 3.0}, {"rate": 0.6},
    {"decode": "best", "bonus": 2.0, "lm": "short.arpa", "lm_weight": 0.4, "candidates": 7},
])  # fmt: skip
@pytest.mark.parametrize("trees", ["best", "all"])
def test_deletions_chosen(model, options, trees):
    options = dict(options)
    if "lm" in options:
        if trees == "all":
            return
        options["lm"] = str(model.parent / options["lm"])
    given = (f"--{name.replace('_', '-')}={value}" for name, value in options.items())
    pack = model.parent / "tags.model"
    lines = by_command(pack, "compress", "--with=deletions", f"--trees={trees}", *given)
    loaded = trapeze.Model(pack, asked="deletions")
    usual = loaded.compress(LINES, with_="deletions")
    found = loaded.compress(LINES, with_="deletions", trees=trees, **options)
    for ours, theirs in zip(found, lines, strict=True):
        assert_same(ours, theirs)
    assert loaded.compress(LINES, with_="deletions") == usual


def test_deletions_refused(model):
    loaded, both = trapeze.Model(model.parent / "tags.model", asked="deletions"), trapeze.Model(model)
    for options, message in (
        ({"trees": "some"}, "trees is best or all, not 'some'"),
        ({"decode": "worst"}, "decode is marginal or best, not 'worst'"),
        ({"threshold": 2}, "threshold is from 0 to 1"),
        ({"threshold": 0.5, "decode": "best"}, "threshold is from 0 to 1, of decode='marginal'"),
        ({"bonus": 1}, "bonus, bigrams and lm are for decode='best' without a length"),
        ({"lm": "x", "decode": "best", "keep": 2}, "bonus, bigrams and lm are for decode='best'"),
        ({"keep": 2, "decode": "marginal"}, "of a given length"),
        ({"candidates": 0}, "candidates=0, where 1 is the least"),
        ({"decode": "best", "candidates": 7}, "lm_weight and candidates are for lm"),
        ({"unguarded": "all"}, "unguarded: for with_='compressor' alone"),
        ({"rate": (0.3, 0.6)}, "a range of rates, which is for the compressor"),
        ({"decode": "best", "bonus": float("inf")}, "bonus, bigrams and lm_weight are finite"),
        ({"decode": "best", "bigrams": 1}, "there are no bigrams in this model"),
        ({"decode": "best", "bigrams": 1, "trees": "all"}, "look at one tree, not at all trees"),
    ):
        with pytest.raises(trapeze.BadArgument, match=message):
            loaded.compress("a dog", with_="deletions", **options)
    with pytest.raises(trapeze.CannotRead, match="absent.arpa"):
        loaded.compress("a dog", with_="deletions", decode="best", lm="absent.arpa")
    with pytest.raises(trapeze.BadArgument, match="learned with --levels=tags"):
        both.compress("a dog", with_="deletions", trees="all")
    with pytest.raises(trapeze.BadArgument, match="trees: for with_='deletions' alone"):
        both.compress("a dog", trees="all")
    with pytest.raises(TypeError, match="forest"):
        both.compress("a dog", with_="deletions", forest="all")


def test_drops_adjectives(model):
    found = trapeze.Model(model).compress("the old dog sees a red red tree")
    assert found.compression == "the dog sees a tree" and len(found) == 8
    assert found.upos[1] == "ADJ" and found.keep[1] is False and found.labels[1] == "amod"


def test_threads(model):
    loaded = trapeze.Model(model)
    expected = loaded.parse(LINES)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(loaded.parse, [LINES] * 40))


@pytest.mark.usefixtures("no_sanitizer")
def test_fork(model):
    """After use by threads, which wait for each other, and with threads of its own."""
    loaded = trapeze.Model(model, threads=2)
    options = {"keep": 2}
    expected = loaded.compress(LINES, **options)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: loaded.compress(LINES, **options), range(4)):
            assert found == expected

    def check():
        assert loaded.compress(LINES, **options) == expected

    in_a_child(check)


def test_copies(model):
    loaded = trapeze.Model(model, asked="trees")
    expected = loaded.parse(LINES)
    assert copy.copy(loaded) is loaded and copy.deepcopy([loaded])[0] is loaded
    other = pickle.loads(pickle.dumps(loaded))
    del loaded
    assert other.parse(LINES) == pickle.loads(pickle.dumps(expected)) == expected
    with pytest.raises(trapeze.BadArgument, match="was not loaded for that"):
        other.compress("a dog")


def test_refusals(model, tmp_path):
    loaded = trapeze.Model(model, asked="trees")
    for text, message in (
        (["a", "a\nb"], "line 1 holds"),
        ("\0", "line 0 holds"),
        (["a", "\ud800"], "line 1 is no UTF-8"),
        ("a " * 601, "line 0 has more than 600 words"),
        ([b"a"], "line 0 is no str, but bytes"),
    ):
        with pytest.raises(trapeze.BadArgument, match=message):
            loaded.tag(text)
    with pytest.raises(trapeze.BadArgument, match="was not loaded for that"):
        loaded.compress("a dog")
    with pytest.raises(trapeze.BadArgument, match="with_ is compressor or deletions, not 'all'"):
        loaded.compress("a dog", with_="all")
    for options in ({"keep": 0}, {"rate": 1.5}, {"keep": 1, "rate": 0.5}):
        with pytest.raises(trapeze.BadArgument):
            loaded.compress("a dog", **options)
    with pytest.raises(trapeze.BadArgument, match="asked is one of tags, trees, compressions"):
        trapeze.Model(model, asked="all")
    with pytest.raises(trapeze.CannotRead, match="none.model"):
        trapeze.Model(tmp_path / "none.model")
    with pytest.raises(trapeze.BadArgument, match="there is no parser in this model"):
        trapeze.Model(model.parent / "tag")
    assert trapeze.Model(model.parent / "tag", asked="tags").tag("the dog").upos == ["DET", "NOUN"]
    damaged = bytearray(model.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    with pytest.raises(trapeze.CannotRead):
        trapeze.Model(tmp_path / "damaged")


def test_default(model, monkeypatch):
    monkeypatch.setenv("TRAPEZE_MODEL", str(model))
    assert trapeze.Model().path == str(model)
