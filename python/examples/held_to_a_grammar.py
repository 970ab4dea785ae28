"""A small language model of characters, held to a grammar: all that it writes is in the language.

    PYTHONPATH=python python3 python/examples/held_to_a_grammar.py [STEPS]

A GRU learns from sums that the program makes up, such as `(12+3)*4-7;`. Alone, it writes many that
are none. A session of the grammar says after each character which ones may come; the model chooses
among them. Beside it, rejection: to draw from the model alone until something is right. STEPS is how
long it learns (600, half a minute or so)."""

from __future__ import annotations

import random
import sys
import time

import numpy as np
import torch

import trapeze

SUM = r"""
root   ::= sum ";"
sum    ::= term ([-+] term)*
term   ::= factor ([*/] factor)*
factor ::= number | "(" sum ")"
number ::= [1-9] [0-9]*
"""
LONGEST, SAMPLES, TRIES = 60, 100, 50


def make_sum(rng: random.Random, depth: int = 0) -> str:
    """A sum of the text to learn from."""
    if depth > 3 or (depth > 0 and rng.random() < 0.35):
        return str(rng.randint(1, 99))
    made = make_sum(rng, depth + 1) + rng.choice("+-*/") + make_sum(rng, depth + 1)
    made = f"({made})" if rng.random() < 0.5 else made
    return made if depth > 0 or len(made) < LONGEST else make_sum(rng)


class Model(torch.nn.Module):
    """Characters to the scores of what comes next."""

    def __init__(self, characters: int, size: int = 64) -> None:
        super().__init__()
        self.embed = torch.nn.Embedding(characters + 1, size)  # the last one is the beginning
        self.gru = torch.nn.GRU(size, size, batch_first=True)
        self.score = torch.nn.Linear(size, characters)

    def forward(self, x, state=None):
        y, state = self.gru(self.embed(x), state)
        return self.score(y), state


def learn(model: Model, number: dict[str, int], steps: int) -> float:
    """The loss at the end, in nats a character."""
    rng, begin, batch = random.Random(1), len(number), 32
    optimiser = torch.optim.Adam(model.parameters(), 0.005)
    for _ in range(steps):
        text = [[begin, *(number[c] for c in make_sum(rng) + ";")] for _ in range(batch)]
        x = torch.nn.utils.rnn.pad_sequence([torch.tensor(t) for t in text], True, -1)
        scores, _ = model(x[:, :-1].clamp(min=0))
        loss = torch.nn.functional.cross_entropy(scores.flatten(0, 1), x[:, 1:].flatten(), ignore_index=-1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return float(loss)


def write(model: Model, names: list[str], rng: np.random.Generator, session=None, spent=None) -> str:
    """A text of the model, to its `;`. session: of the grammar that it is held to; spent[0] and
    spent[1] are the seconds of the model and of the grammar."""
    x, state, text = len(names), None, ""
    while not text.endswith(";") and len(text) < LONGEST:
        began = time.perf_counter()
        scores, state = model(torch.tensor([[x]]), state)
        chances = torch.softmax(scores[0, 0].double(), 0).numpy()
        behind = time.perf_counter()
        if session is not None:
            chances = np.where(session.allowed()[:-1], chances, 0)
            chances /= chances.sum()
        x = int(rng.choice(len(names), p=chances))
        text += names[x]
        if session is not None:
            session.append(names[x])
            spent[0] += behind - began
            spent[1] += time.perf_counter() - behind
    return text


def main(steps: int) -> None:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    grammar = trapeze.Grammar(SUM, notation="gbnf")
    names = grammar.words
    model, rng = Model(len(names)), np.random.default_rng(1)
    loss = learn(model, {name: x for x, name in enumerate(names)}, steps)
    print(f"{steps} steps, {loss:.2f} nats a character")
    with torch.no_grad():
        alone = [write(model, names, rng) for _ in range(SAMPLES)]
        spent = [0.0, 0.0]
        held = [write(model, names, rng, grammar.session(truth=True), spent) for _ in range(SAMPLES)]
    whole = [text for text in held if text.endswith(";")]
    right = grammar.log_prob(whole) > -np.inf
    print(f"alone: {np.mean(grammar.log_prob(alone) > -np.inf):.0%} are sums; the first: {alone[0]}")
    print(f"held: {right.mean():.0%} of {len(whole)} are sums; the first: {whole[0] if whole else held[0]}")
    steps_made = sum(map(len, held))
    print(f"a character takes the model {1e6 * spent[0] / steps_made:.0f} us, the grammar {1e6 * spent[1] / steps_made:.0f} us")
    drawn = []
    with torch.no_grad():
        while len(drawn) < TRIES and not (drawn and grammar.log_prob(drawn[-1]) > -np.inf):
            drawn.append(write(model, names, rng))
    print(f"rejection: {len(drawn)} texts until one is right" if len(drawn) < TRIES else "rejection: none was right")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
