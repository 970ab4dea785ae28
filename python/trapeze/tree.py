"""Constituency trees, as grammars give them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, Union

__all__ = ["Tree"]


class Tree(NamedTuple):
    """A symbol and its parts: trees, and words as str. As text it is the tree in brackets."""

    label: str
    children: tuple[Union["Tree", str], ...]
    #: Of the whole: its log weight by the grammar.
    score: float = 0.0

    @property
    def words(self) -> list[str]:
        """The words, from left to right."""
        return [node for node in self._walk() if isinstance(node, str)]

    def trees(self) -> Iterator[Tree]:
        """The tree itself and all trees in it, in preorder."""
        return (node for node in self._walk() if isinstance(node, Tree))

    def _walk(self) -> Iterator[Tree | str]:
        left: list[Tree | str] = [self]
        while left:
            node = left.pop()
            yield node
            if isinstance(node, Tree):
                left += reversed(node.children)

    def __str__(self) -> str:
        done: list[str] = []
        left: list[Tree | str | None] = [self]  # None: a bracket is to be closed
        while left:
            node = left.pop()
            if isinstance(node, Tree):
                done.append(" (" + _name(node.label))
                left.append(None)
                left += reversed(node.children)
            else:
                done.append(")" if node is None else " " + _name(node))
        return "".join(done)[1:]

    def __repr__(self) -> str:
        return f"Tree({self})"

    def draw(self) -> str:
        """The tree as text, the start on top, its words in the last line."""
        return "\n".join(line.rstrip() for line in _draw(self)[0])


def _name(name: str) -> str:
    """A name; one with blanks, brackets or quotes as a JSON string."""
    plain = name and not re.search(r'[ ()"\\\x00-\x1f]', name)
    return name if plain else json.dumps(name, ensure_ascii=False)


def _depth(tree: Tree) -> int:
    """How many symbols stand above one another."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return depth


def _draw(tree: Tree) -> tuple[list[str], int]:
    """Lines of one width, and the column of the label's middle."""
    # From the leaves up: no recursion, since trees may be deep.
    depth = _depth(tree)
    done: list[tuple[list[str], int]] = []
    left: list[tuple[Tree | str, int, bool]] = [(tree, 0, False)]
    while left:
        node, level, ready = left.pop()
        if isinstance(node, str):
            gap = ["│".center(len(node))] * (2 * (depth - level))
            done.append(([*gap, node], (len(node) - 1) // 2 if gap == [] else gap[0].index("│")))
        elif not ready:
            left.append((node, level, True))
            left += [(child, level + 1, False) for child in reversed(node.children)]
        else:
            count = len(node.children)
            below = done[len(done) - count :]
            del done[len(done) - count :]
            done.append(_over(node.label, below, 2 * (depth - level)))
    return done[0]


def _over(label: str, below: list[tuple[list[str], int]], height: int) -> tuple[list[str], int]:
    """A label over drawings, of so many lines below it."""
    if not below:
        below = [([" "] * height, 0)]
    marks, at, rows = [], 0, [""] * height
    for lines, middle in below:
        marks.append(at + middle)
        at += len(lines[0]) + 1
        rows = [f"{row}{line} " for row, line in zip(rows, lines)]
    rows = [row[:-1] for row in rows]
    middle = (marks[0] + marks[-1]) // 2
    before = max(0, (len(label) - 1) // 2 - middle)
    width = max(len(rows[0]) + before, before + middle - (len(label) - 1) // 2 + len(label))
    rows = [(" " * before + row).ljust(width) for row in rows]
    marks, middle = [mark + before for mark in marks], middle + before
    top = (" " * (middle - (len(label) - 1) // 2) + label).ljust(width)
    bar = [" "] * width
    if len(marks) > 1:
        bar[marks[0] : marks[-1] + 1] = "─" * (marks[-1] - marks[0] + 1)
        for mark in marks:
            bar[mark] = "┬"
        bar[marks[0]], bar[marks[-1]] = "┌", "┐"
        bar[middle] = {"─": "┴", "┬": "┼"}.get(bar[middle], bar[middle])
    elif any(row.strip() for row in rows):
        bar[middle] = "│"
    return [top, "".join(bar), *rows[:-1], rows[-1]], middle
