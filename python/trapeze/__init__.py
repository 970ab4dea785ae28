"""Trapeze: weighted deduction on NumPy arrays.

Write a dynamic program down as inference rules, or take a built-in one; pick a semiring; give it
scores::

    import numpy as np, trapeze

    eisner = trapeze.rules("eisner")
    arc = np.random.default_rng(1).normal(size=(6, 6))      # [head, modifier]; 0 is the root
    eisner.run("max", arc=arc, best=True).best              # the best tree
    eisner.run("log", arc=arc, marginals=True).marginals    # {"arc": probabilities [6, 6]}

``Rules.run`` says what else can be asked. The shared library does all of the work. It reads the
arrays where they stand and runs without the interpreter's lock.
"""

from . import errors
from ._library import lib as _lib
from ._rules import Rules, Weight, builtin, gallery, rules
from .automaton import Automaton, AutomatonArc, AutomatonPath
from .errors import (
    Ambiguous,
    BadArgument,
    BadRules,
    BadScore,
    CannotRead,
    Diverges,
    Error,
    Law,
    NoMemory,
    RulesWarning,
    TooLarge,
    UnknownWord,
)
from .grammar import Grammar, GrammarRule
from .model import Model, Sentence
from .results import Derivation, Limited, Node, Result, Step, Use
from .semirings import semiring
from .session import GrammarSession
from .tree import Tree

__version__: str = _lib.tz_version().decode()

__all__ = [
    "Ambiguous",
    "Automaton",
    "AutomatonArc",
    "AutomatonPath",
    "BadArgument",
    "BadRules",
    "BadScore",
    "CannotRead",
    "Diverges",
    "Derivation",
    "Error",
    "Grammar",
    "GrammarRule",
    "GrammarSession",
    "Law",
    "Limited",
    "Model",
    "NoMemory",
    "Node",
    "Result",
    "Rules",
    "RulesWarning",
    "Sentence",
    "Step",
    "TooLarge",
    "Tree",
    "UnknownWord",
    "Use",
    "Weight",
    "builtin",
    "errors",
    "gallery",
    "rules",
    "semiring",
    "__version__",
]
