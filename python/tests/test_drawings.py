"""Are derivations drawn by the shapes of their weights, whatever these are called?"""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import trapeze

HAIRPINS = """
rules   hairpins
length  n, h
weight  pair[i,j]    1 <= i, i+h < j, j <= n
weight  single[i]    1 <= i <= n
item    fold[i,j]    1 <= i, i <= j+1, j <= n
goal    fold[1,n]

    axiom
    --------------------- none
    fold[i,i-1]

    fold[i+1,j]
    --------------------- single  * single[i]
    fold[i,j]

    fold[i+1,k-1]  fold[k+1,j]
    --------------------- pair    * pair[i,k]
    fold[i,j]
"""
PIECES = """
rules   pieces
length  n
weight  piece[i,j]  0 <= i < j <= n
item    at[i]       0 <= i <= n
goal    at[n]

    axiom
    ----- start
    at[0]

    at[i]
    ----- next * piece[i,j]
    at[j]
"""
PLAIN = """
rules   plain
length  T
weight  one[a]  0 <= a < T
item    done
goal    done

    axiom
    ----- some * one[a]
    done
"""


def best(rules, lengths, **cells):
    """The derivation that uses these cells: they score 1, all others of their weights -10."""
    arrays = {}
    for name in rules.weights:
        arrays[name] = np.full(rules.shape(name, **lengths), -10.0 if name in cells else 0.0)
        for cell in cells.get(name, ()):
            arrays[name][cell] = 1
    found = rules.run("max", arrays, lengths=lengths, best=True)
    for name, index in cells.items():
        assert sorted(map(tuple, found.best.index(name).tolist())) == sorted(index)
    return found.best


def drawn(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n")) + "\n"


CASES = {
    "eisner": (
        trapeze.rules("eisner"), {"n": 3}, {"arc": [(0, 2), (2, 1), (2, 3)]}, "the cat sat".split(),
        """
 ┌────────┐
 │    ┌──┐│┌──┐
 │    ▼  │▼│  ▼
ROOT the cat sat
""",
    ),
    "chain": (
        trapeze.rules("chain"), {"n": 3, "T": 3}, {"emit": [(1, 2), (2, 0), (3, 1)]}, None,
        """
 1   2   3
 2   0   1
""",
    ),
    "semimarkov": (
        trapeze.rules("semimarkov"), {"n": 4, "T": 2}, {"segment": [(1, 2, 1), (3, 3, 0), (4, 4, 1)]},
        list("abcd"),
        """
a b  c   d
└1┘ └0┘ └1┘
""",
    ),
    "hairpins": (
        trapeze.rules(text=HAIRPINS), {"n": 6, "h": 0}, {"pair": [(1, 6), (2, 3)], "single": [(4,), (5,)]},
        list("GCGAAC"),
        """
┌─────────┐
│ ┌─┐     │
│ │ │     │
G C G A A C
""",
    ),
    "pieces": (
        trapeze.rules(text=PIECES), {"n": 5}, {"piece": [(0, 2), (2, 3), (3, 5)]}, list("abcde"),
        """
a b c  d e
└─┘ └┘ └─┘
""",
    ),
    "edit": (
        trapeze.rules("edit"), {"n": 3, "m": 3},
        {"ins": [(0, 1)], "sub": [(1, 2), (3, 3)], "del": [(2, 2)]}, list("abc"),
        """
  1 2 3
  ─ · ·
a · ■ ·
b · │ ·
c · · ■
""",
    ),
    "align": (
        trapeze.rules("align"), {"m": 3, "n": 4, "P": 2, "Q": 2},
        {"rewrite": [(2, 1, 1, 3), (1, 2, 3, 1)]}, None,
        """
  1 2 3 4
1 · · ■ ·
2 · · ■ ·
3 ■ ■ · ·
""",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_shapes(case):
    rules, lengths, cells, words, expected = CASES[case]
    derivation = best(rules, lengths, **cells)
    print(derivation.draw(words))
    assert drawn(derivation.draw(words)) == drawn(expected)
    svg = xml.fromstring(derivation.svg(words))
    texts = [node.text for node in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert set(words or ()) <= set(texts)
    assert xml.fromstring(derivation._repr_svg_()).tag == svg.tag


@pytest.mark.parametrize("case", CASES)
def test_names_do_not_matter(case):
    """Names of weights, items and rules are turned around: the drawing is the same."""
    rules, lengths, cells, words, expected = CASES[case]
    text = rules.show()
    for name in sorted({*rules.weights, *rules.items}, key=len, reverse=True):
        text = re.sub(rf"\b{name}\b(?=\[|\s|$)", f"x{name[::-1]}", text)
    other = trapeze.rules(text=text)
    turned = {f"x{name[::-1]}": index for name, index in cells.items()}
    assert set(other.weights) == {f"x{name[::-1]}" for name in rules.weights}
    assert drawn(best(other, lengths, **turned).draw(words)) == drawn(expected)


def test_nothing_is_drawn():
    rules = trapeze.rules(text=PLAIN)
    derivation = best(rules, {"T": 3}, one=[(1,)])
    assert derivation._repr_svg_() is None
    with pytest.raises(trapeze.BadArgument, match="no weight of plain has a shape that is drawn"):
        derivation.draw()
    eisner = best(trapeze.rules("eisner"), {"n": 1}, arc=[(0, 1)])
    with pytest.raises(trapeze.BadArgument, match="2 words, but there must be 1, as n is"):
        eisner.draw(["a", "b"])


def test_words_are_escaped():
    svg = best(trapeze.rules("eisner"), {"n": 1}, arc=[(0, 1)]).svg(["<b> & \x1b"])
    texts = [node.text for node in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "<b> & \N{REPLACEMENT CHARACTER}" in texts


def test_notebooks(rng):
    """Well-formed, and short for large answers."""
    rules = trapeze.rules("eisner")
    arc = rng.normal(size=(4, 7, 7))
    shown = [
        rules._repr_html_(),
        rules.run("max", arc=arc[0], best=True, kbest=9, uses=True)._repr_html_(),
        rules.run("log", arc=arc[0], marginals=True, samples=2, items=["rtri"])._repr_html_(),
        rules.run("log", arc=arc, marginals=True)._repr_html_(),
        rules.run("log", arc=rng.normal(size=(90, 90)), marginals=True)._repr_html_(),
        rules.run("max", arc=np.full((3, 3), -np.inf), best=True, kbest=2)._repr_html_(),
    ]
    for html in shown:
        xml.fromstring(f"<div>{html}</div>")
    assert "rtrap[i,j]" in shown[0] and shown[1].count("<svg") == 7 and shown[2].count("<svg") == 4
    assert shown[3].count("<details>") == 3 and "<rect" not in shown[4]
