"""What can go wrong, by the library's statuses, with the library's messages."""

from __future__ import annotations

__all__ = [
    "Error",
    "BadArgument",
    "BadRules",
    "BadScore",
    "Ambiguous",
    "RulesWarning",
    "Law",
    "TooLarge",
    "NoMemory",
    "CannotRead",
    "Diverges",
    "UnknownWord",
]


class Error(Exception):
    """Whatever the library refuses."""


class BadArgument(Error, ValueError):
    """The call is wrong: a length below 0, an array too small, an unknown name, ..."""


class UnknownWord(BadArgument):
    """A word that a grammar lacks; ``word`` is it."""

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


class BadRules(Error, ValueError):
    """The rule file is wrong; the message begins with NAME:LINE:COLUMN."""


class BadScore(Error, ValueError):
    """A score is NaN, +infinity, or beyond the limit."""


class Ambiguous(Error, ValueError):
    """The rules derive a structure twice and the semiring would count it twice."""


class RulesWarning(UserWarning):
    """Of a rule file: what is allowed, and may not be meant; it begins with NAME:LINE:COLUMN."""


class Law(Error, ValueError):
    """The semiring lacks a law or an operation that the question needs."""


class TooLarge(Error, OverflowError):
    """A size does not fit."""


class NoMemory(Error, MemoryError):
    """An allocation failed; nothing has changed."""


class Diverges(Error, ValueError):
    """Derivations that go round in a circle add up without limit, or get better each time."""


class CannotRead(Error, OSError):
    """A file cannot be read."""
