"""Exceptions, one for each status of the library, with the library's messages."""

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
    """The base class of all exceptions of Trapeze."""


class BadArgument(Error, ValueError):
    """The call is wrong: a length below 0, an array too small, an unknown name, ..."""


class UnknownWord(BadArgument):
    """A grammar lacks a word; ``word`` holds it."""

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


class BadRules(Error, ValueError):
    """The rule file is wrong; the message begins with NAME:LINE:COLUMN."""


class BadScore(Error, ValueError):
    """A score is NaN or +infinity, or it or a sum is beyond a limit."""


class Ambiguous(Error, ValueError):
    """The rules derive a structure twice and the semiring would count it twice."""


class RulesWarning(UserWarning):
    """A likely slip in a rule file; the message begins with NAME:LINE:COLUMN."""


class Law(Error, ValueError):
    """The semiring lacks a law or an operation that the question needs."""


class TooLarge(Error, OverflowError):
    """A size does not fit."""


class NoMemory(Error, MemoryError):
    """An allocation failed; nothing has changed."""


class Diverges(Error, ValueError):
    """Derivations that go round in a circle have no sum, or get better each time."""


class CannotRead(Error, OSError):
    """A file cannot be read."""
