"""How sure is a parse? Marginals of arcs as a heat map and as arcs above the sentence.

    PYTHONPATH=python python3 python/examples/plot_marginals.py [DIRECTORY]

Writes marginals.svg and arcs.png to the directory. The scores are those of a tree with doubts put
in by hand: "with a telescope" may belong to "saw" or to "man"."""

from __future__ import annotations

import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Arc

import trapeze

WORDS = ["ROOT", "I", "saw", "a", "man", "with", "a", "telescope"]
HEADS = [None, 2, 0, 4, 2, 7, 7, 2]


def scores() -> np.ndarray:
    """arc[h,m]: better where h is the head of m in the tree, worse the further apart."""
    n = len(WORDS) - 1
    arc = np.empty((n + 1, n + 1))
    for h in range(n + 1):
        for m in range(n + 1):
            arc[h, m] = 3.0 * (h == HEADS[m]) - 0.4 * abs(h - m)
    arc[4, 7] += 2.5
    return arc


def heat_map(marginals: np.ndarray, best: np.ndarray, path: pathlib.Path) -> None:
    """Rows are heads, columns are modifiers; the best tree's cells are framed."""
    figure, axes = plt.subplots(figsize=(6, 5.5), layout="constrained")
    image = axes.imshow(marginals[:, 1:], cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(len(WORDS) - 1), WORDS[1:], rotation=45, ha="right")
    axes.set_yticks(range(len(WORDS)), WORDS)
    axes.set_xlabel("modifier")
    axes.set_ylabel("head")
    for h, m in best:
        axes.add_patch(plt.Rectangle((m - 1.5, h - 0.5), 1, 1, fill=False, edgecolor="black"))
    for h, m in np.argwhere(marginals >= 0.005):
        colour = "white" if marginals[h, m] > 0.5 else "black"
        text = f"{marginals[h, m]:.2f}"
        axes.text(m - 1, h, text, ha="center", va="center", color=colour, fontsize=8)
    figure.colorbar(image, label="probability of the arc")
    figure.savefig(path)
    plt.close(figure)


def arcs(marginals: np.ndarray, best: np.ndarray, path: pathlib.Path) -> None:
    """Every arc as dark as it is probable; those of the best tree in colour."""
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    chosen = {(h, m) for h, m in best.tolist()}
    for h, m in np.argwhere(marginals >= 0.01).tolist():
        width, colour = abs(h - m), "tab:blue" if (h, m) in chosen else "black"
        axes.add_patch(
            Arc(
                ((h + m) / 2, 0), width, width, theta1=0, theta2=180, color=colour,
                alpha=float(marginals[h, m]), linewidth=2,
            )
        )  # fmt: skip
        if marginals[h, m] >= 0.2:
            axes.text((h + m) / 2, width / 2 + 0.05, f"{marginals[h, m]:.2f}", ha="center")
    for position, word in enumerate(WORDS):
        axes.text(position, -0.25, word, ha="center", va="top")
    axes.set_xlim(-0.7, len(WORDS) - 0.3)
    axes.set_ylim(-0.8, len(WORDS) / 2)
    axes.set_axis_off()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(directory: pathlib.Path) -> None:
    rules = trapeze.rules("eisner-single-root")
    arc = scores()
    marginals = rules.run("log", arc=arc, marginals=True).marginals["arc"]
    best = rules.run("max", arc=arc, best=True).best.index("arc")
    for h, m in best:
        print(f"{WORDS[h]:>9} -> {WORDS[m]:<9} {marginals[h, m]:.3f}")
    heat_map(marginals, best, directory / "marginals.svg")
    arcs(marginals, best, directory / "arcs.png")
    print(f"wrote {directory / 'marginals.svg'} and {directory / 'arcs.png'}")


main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
