"""Weighted context-free grammars as text: parses, samples, prefixes, next words (trapeze/grammar.h)."""

from __future__ import annotations

import ctypes
import difflib
import math
import os
from collections.abc import Sequence
from ctypes import byref, c_size_t, c_void_p
from functools import cached_property
from typing import Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library as C
from ._given import text_bytes, whole_number
from ._own import Owner
from ._rules import rules
from .errors import BadArgument, CannotRead, UnknownWord
from .results import Derivation
from .session import GrammarSession
from .tree import Tree

__all__ = ["Grammar", "GrammarRule"]

NOTATIONS = ("arrows", "gbnf")
WEIGHTS = ("probabilities", "weights", "logs", "counts", "uniform")
LISTS = ("word", "nothing", "unary", "binary", "before", "after", "root")
_RULE = np.dtype(
    [("left", "i4"), ("line", "u4"), ("first", np.uintp), ("size", np.uintp), ("score", "f8")],
    align=True,
)

Sentence = Union[str, tuple[str, ...]]
"""A text, or a tuple of words; where one is asked about, a list is several."""


class GrammarRule(NamedTuple):
    """A rule of a grammar as it is written; words in ``right`` are in quotes."""

    left: str
    right: tuple[str, ...]
    score: float
    line: int

    def __str__(self) -> str:
        return " ".join([self.left, "->", *self.right])


class Grammar(Owner):
    """A weighted context-free grammar from a text or a file.

        grammar = trapeze.Grammar("S -> 'a' S [0.5] | 'b' [0.5]", weights="probabilities")
        grammar.best("a a b").draw()

    ``notation`` is "arrows", NLTK's for CFG and PCFG, or "gbnf", that of llama.cpp; by default the
    ending of a file tells. ``weights`` says what the numbers are: "probabilities", "weights",
    "logs", "counts" or "uniform". GBNF has no numbers and is uniform (docs/grammars.md).

    Questions take a sentence, which is a text or a tuple of words, or a list of sentences; for a
    list they give a list or an array. In a text, blanks separate words; in GBNF a word is a
    character. Raises BadRules for a wrong grammar, with NAME:LINE:COLUMN; UnknownWord for a word
    that the grammar lacks; Diverges where its weights have no sum."""

    def __init__(
        self,
        text: str | None = None,
        *,
        file: str | os.PathLike[str] | None = None,
        weights: str | None = None,
        notation: str | None = None,
        name: str = "grammar",
        scores: ArrayLike | None = None,
    ) -> None:
        """scores: log weights of all rules in the place of the text's, as ``scores`` below gives
        them."""
        if (text is None) == (file is None):
            raise BadArgument("give a text, or file=")
        if file is not None:
            name = os.fspath(file)
            try:
                with open(file, "rb") as opened:
                    content = opened.read()
            except OSError as error:
                raise CannotRead(f"{name}: {error.strerror}") from None
            notation = notation or ("gbnf" if name.endswith(".gbnf") else None)
        else:
            content = text_bytes(text)
        notation = notation or "arrows"
        weights = weights or ("uniform" if notation == "gbnf" else None)
        if notation not in NOTATIONS or weights not in WEIGHTS:
            raise BadArgument(
                f"notation is one of {', '.join(NOTATIONS)}, and weights, which say what the "
                f"numbers of the rules are, one of {', '.join(WEIGHTS)}"
            )
        self._made = (content, name, notation, weights)
        self._read(None if scores is None else np.ascontiguousarray(scores, np.float64))

    _handle = 0

    def _read(self, scores: NDArray[Any] | None) -> None:
        content, name, notation, weights = self._made
        self._given = scores
        self._handle = C.new(
            C.lib.tz_grammar_parse,
            name.encode(errors="replace"),
            content,
            len(content),
            NOTATIONS.index(notation),
            WEIGHTS.index(weights),
            None if scores is None else scores.ctypes.data,
            0 if scores is None else scores.size,
        )
        parts = C.TzGrammarParts.from_address(C.lib.tz_grammar_parts_of(self._handle))
        self._symbols = [parts.symbol[i].decode() for i in range(parts.symbols)]
        self._is_made = [parts.made[i] for i in range(parts.symbols)]
        #: The words, in the order in which the text names them.
        self.words: list[str] = [parts.word[i].decode() for i in range(parts.words)]
        #: The symbols of the text.
        self.symbols: list[str] = [s for s, made in zip(self._symbols, self._is_made) if not made]
        self.start: str = self._symbols[parts.root]
        self._rule = _array(parts.rule, parts.rules, _RULE)
        of_rights = int(self._rule["size"].sum())
        self._right = _array(parts.right, of_rights, np.dtype("i4"))
        self._lists: dict[str, Any] = {}
        self._rule_of: dict[str, NDArray[np.int32]] = {}
        for name, of in zip(LISTS, parts.list):
            index = _array(of.index, of.entries * of.rank, np.dtype("i4")).reshape(-1, of.rank)
            self._lists[name] = index, _array(of.score, of.entries, np.dtype("f8"))
            self._rule_of[name] = _array(of.rule, of.entries, np.dtype("i4"))
        self._lengths = {"T": parts.symbols, "V": parts.words, "D": parts.height}
        self._root = parts.root

    def __del__(self) -> None:
        if self._handle:
            C.lib.tz_grammar_free(self._handle)

    def __repr__(self) -> str:
        return (
            f"Grammar({self._made[1]}: {len(self.symbols)} symbols, {len(self.words)} words, "
            f"{len(self._rule)} rules)"
        )

    def __reduce__(self) -> Any:
        return _again, (self._made, self._given)

    # ---- What it is --------------------------------------------------------------------------------

    @property
    def scores(self) -> NDArray[np.float64]:
        """The log weights of the rules."""
        return self._rule["score"].copy()

    @cached_property
    def rules(self) -> list[GrammarRule]:
        """The rules, in the text's order. Parts of rules in GBNF are rules of their own."""
        found = []
        for left, line, first, size, score in self._rule.tolist():
            right = [
                self._symbols[part] if part >= 0 else _quoted(self.words[-1 - part])
                for part in self._right[first : first + size].tolist()
            ]
            found.append(GrammarRule(self._symbols[left], tuple(right), score, line))
        return found

    def show(self, binarised: bool = False) -> str:
        """The grammar as text; with binarised, in rules of at most two symbols on the right."""
        return C.text(C.lib.tz_grammar_show, self._handle, binarised)

    def with_scores(self, scores: ArrayLike) -> Grammar:
        """The same rules with other log weights."""
        return _again(self._made, np.ascontiguousarray(scores, np.float64))

    def reestimated(self, counts: ArrayLike) -> Grammar:
        """The same rules, each with its share of the counts of its left side: with counts from
        expected_counts, a step of EM. A symbol without counts keeps its weights. Raises BadArgument
        unless counts are numbers from 0 on, one for each rule."""
        counts = np.asarray(counts, np.float64)
        if counts.shape != self._rule.shape or not (counts >= 0).all():
            raise BadArgument(f"counts are {len(self._rule)} numbers from 0 on, one a rule")
        left = self._rule["left"]
        total = np.bincount(left, counts, minlength=len(self._symbols))[left]
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.with_scores(np.where(total > 0, np.log(counts / total), self._rule["score"]))

    @cached_property
    def totals(self) -> dict[str, float]:
        """For each symbol the log of the sum over all its trees: 0 in a consistent grammar of
        probabilities."""
        return {name: total for name, total in zip(self._symbols, self._totals.tolist())}

    # ---- Questions ---------------------------------------------------------------------------------

    def log_prob(self, words: Any) -> Any:
        """The log of the sum over all trees of a sentence; -inf where there is none."""
        return self._ask("grammar", "log", words).value

    def best(self, words: Any) -> Any:
        """The best tree of a sentence; None where there is none."""
        return self._trees("max", words, "best", best=True)

    def kbest(self, words: Any, k: int) -> Any:
        """The k best trees, best first; fewer if there are fewer."""
        return self._trees("max", words, "kbest", kbest=k)

    def sample_trees(self, words: Any, number: int = 1, seed: int = 1) -> Any:
        """Random trees of a sentence, each with its probability given the sentence."""
        return self._trees("log", words, "samples", samples=number, seed=seed)

    def expected_counts(self, words: Any) -> NDArray[np.float64]:
        """The expected number of uses of each rule, ``[rules]``, over the trees of a sentence; for
        a list of sentences the sum. A sentence without a tree adds nothing."""
        sentences = words if isinstance(words, list) else [words]
        counts = np.zeros(len(self._rule))
        for begin in range(0, len(sentences), 64):
            found = self._ask("grammar", "log", sentences[begin : begin + 64], marginals=True)
            for name, rule in self._rule_of.items():
                uses = sum(found.marginals[name]) if name != "root" and len(rule) else np.zeros(0)
                if len(uses):
                    own = rule >= 0
                    counts += np.bincount(rule[own], uses[own], minlength=len(counts))
        return counts

    def prefix_log_prob(self, words: Any) -> Any:
        """The log of the sum over the trees of all sentences that begin with these words."""
        return self._ask("prefix", "log", words, total=self._totals).value

    def prefix_log_probs(self, words: Any) -> Any:
        """The same for the first 0, 1, ..., n words: [n + 1]; for a list of sentences, a list of
        arrays. Their differences are the log probabilities of each word given those before it."""
        found = self._ask("prefix", "log", words, total=self._totals, items=["begun"])
        begun = found.items["begun"]
        if isinstance(words, list):
            return [row[: len(x) + 1].copy() for row, x in zip(begun, found.numbers)]
        return begun

    def next(self, words: Any) -> Any:
        """The words that may follow: {word: probability}, most probable first; None stands for the
        end of the sentence. Empty where no sentence begins with these words."""
        found = self.next_log_probs(words)
        names = [*self.words, None]

        def named(row: NDArray[np.float64]) -> dict[str | None, float]:
            order = np.argsort(-row, kind="stable").tolist()
            return {names[v]: math.exp(row[v]) for v in order if row[v] > -np.inf}

        return [named(row) for row in found] if isinstance(words, list) else named(found)

    def next_log_probs(self, words: Any) -> NDArray[np.float64]:
        """The same as an array of logs [V + 1], for each of ``words`` and for the end; all are -inf
        where no sentence begins so. For a list of sentences [B, V + 1]."""
        value, after = self._after("log", words, self._totals)
        return np.subtract(after, value, out=np.full_like(after, -np.inf), where=value > -np.inf)

    def allowed(self, words: Any) -> Any:
        """Which words may follow, whatever their weights: truth values, laid out as
        next_log_probs."""
        return self._after("bool", words, np.zeros(len(self._symbols)))[1] > 0

    def session(self, words: Any = "", *, truth: bool = False) -> GrammarSession:
        """A sentence that is written word by word: a next word costs far less than asking about the
        whole each time. truth=True: it tells only which words are allowed, whatever their weights,
        also where weights have no sum."""
        return GrammarSession(self, words, truth)

    def sample(self, number: int = 1, seed: int = 1) -> list[Tree]:
        """Random trees of any sentences. Raises TooLarge where one has more than 2^20 rules."""
        whole_number(number, "number")
        sampler = c_void_p()
        status = C.lib.tz_grammar_sampler_new(
            self._handle, self._totals.ctypes.data, whole_number(seed, "seed"), byref(sampler)
        )
        if status == C.NONE:
            return []
        C.check(status)
        found, rule, count = [], c_void_p(), c_size_t()
        try:
            for _ in range(number):
                status = C.lib.tz_grammar_sampler_next(sampler, byref(rule), byref(count))
                if status == C.TOO_LARGE:
                    raise C.fail(status, "a tree of more than 2^20 rules: the grammar's trees hardly end")
                C.check(status)
                found.append(self._tree(_array(rule.value, count.value, np.dtype("u4")), None))
        finally:
            C.lib.tz_grammar_sampler_free(sampler)
        return found

    # ---- How ---------------------------------------------------------------------------------------

    @cached_property
    def _totals(self) -> NDArray[np.float64]:
        total, error = np.empty(len(self._symbols)), C.TzError()
        C.check(C.lib.tz_grammar_totals(self._handle, total.ctypes.data, byref(error)), error)
        return total

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def _split(self, sentence: Any) -> Sequence[str]:
        if isinstance(sentence, str):
            return list(sentence) if self._made[2] == "gbnf" else sentence.split()
        if isinstance(sentence, (tuple, list)) and all(isinstance(word, str) for word in sentence):
            return sentence
        raise BadArgument(f"a sentence is a text or a tuple of words, not {sentence!r}")

    def _encode(self, sentence: Any, which: int | None) -> NDArray[np.int32]:
        words, numbers = self._split(sentence), self._numbers
        try:
            return np.array([numbers[word] for word in words], np.int32)
        except KeyError:
            at, word = next((i, w) for i, w in enumerate(words, 1) if w not in numbers)
            near = difflib.get_close_matches(word, self.words[:10000], 1)
            where = f"word {at}" if which is None else f"sentence {which}, word {at}"
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UnknownWord(f"{where}: {word!r} is no word of the grammar{hint}", word) from None

    def _ask(self, question: str, semiring: str, words: Any, /, **asked: Any) -> Any:
        scores: dict[str, Any] = dict(self._lists)
        if "total" in asked:
            scores["total"] = asked.pop("total")
        if isinstance(words, list):
            x: Any = [self._encode(one, b) for b, one in enumerate(words)]
            n: Any = np.array([len(one) for one in x], np.int32)
        else:
            x = self._encode(words, None)
            n = len(x)
        found = rules(f"gallery/{question}").run(
            semiring, scores, x=x, lengths={**self._lengths, "n": n}, **asked
        )
        found.numbers = x
        return found

    def _after(self, semiring: str, words: Any, total: NDArray[np.float64]) -> tuple[Any, Any]:
        """The value of what begins with words, [1], and of what may follow, and of the end, [V + 1]; of a
        list of sentences, one row each."""
        found = self._ask("next", semiring, words, total=total, items=["follow", "ended"])
        value, ended = (np.asarray(of)[..., None] for of in (found.value, found.items["ended"]))
        follow = found.items["follow"].reshape(*ended.shape[:-1], len(self.words))
        return value, np.concatenate([follow, ended], -1)

    def _trees(self, semiring: str, words: Any, answer: str, **asked: Any) -> Any:
        found = self._ask("grammar", semiring, words, **asked)
        given = getattr(found, answer)
        if given is None and answer != "best":  # none were asked for
            given = [[] for _ in words] if isinstance(words, list) else []

        def read(one: Any, x: NDArray[np.int32]) -> Any:
            if isinstance(one, list):
                return [self._of(derivation, x) for derivation in one]
            return None if one is None else self._of(one, x)

        if isinstance(words, list):
            return [read(one, x) for one, x in zip(given, found.numbers)]
        return read(given, found.numbers)

    def _of(self, derivation: Derivation, x: NDArray[np.int32]) -> Tree:
        """The tree of a derivation by gallery/grammar."""
        rule, count = np.empty(len(derivation._nodes) + 1, np.uint32), c_size_t()
        C.check(
            C.lib.tz_grammar_tree(
                self._handle,
                derivation._rules._handle,
                byref(derivation._for_c()),
                x.ctypes.data,
                rule.ctypes.data,
                byref(count),
            )
        )
        return self._tree(rule[: count.value], derivation.score)

    def _tree(self, used: NDArray[np.uint32], score: float | None) -> Tree:
        """The tree of rules in the order of a leftmost derivation, made from the last rule on: the
        parts of a rule are made before it."""
        if score is None:
            score = float(sum(self._rule["score"][used].tolist()))
        done: list[Any] = []
        for left, _, first, size, _ in reversed(self._rule[used].tolist()):
            children: list[Any] = []
            for part in self._right[first : first + size].tolist():
                if part < 0:
                    children.append(self.words[-1 - part])
                else:
                    below = done.pop()
                    children += below if isinstance(below, list) else [below]
            # A symbol that was made is its parts.
            done.append(children if self._is_made[left] else Tree(self._symbols[left], tuple(children)))
        return done[0]._replace(score=score)


def _again(made: tuple[Any, ...], scores: NDArray[Any] | None) -> Grammar:
    grammar = Grammar.__new__(Grammar)
    grammar._made = made
    grammar._read(scores)
    return grammar


def _quoted(word: str) -> str:
    return f"'{word}'" if "'" not in word else f'"{word}"'


def _array(address: int | None, count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """A copy of an array of the library's, as NumPy's."""
    if not count:
        return np.empty(0, kind)
    return np.frombuffer(ctypes.string_at(address, count * kind.itemsize), kind)
