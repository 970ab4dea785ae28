"""Do completion and the manual's pages agree with the command's tables of options?"""

from __future__ import annotations

import functools
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import trapeze

COMMAND = os.environ.get("TRAPEZE_COMMAND", "")
pytestmark = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHELLS = ROOT / "src" / "cli" / "shells"
ENVIRONMENT = {**os.environ, "PATH": f"{pathlib.Path(COMMAND).parent}:{os.environ['PATH']}"}


@functools.cache
def complete(*words):
    """The candidates for the last word, in order."""
    done = subprocess.run([COMMAND, "--complete", *words], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


SUBCOMMANDS = [name for name in complete("") if name != "help"] if COMMAND else []
WITH_ACTIONS = ("rules", "grammar", "automaton", "semirings", "train", "model", "eval")


def commands(subcommand):
    """It, or each of its actions."""
    if subcommand not in WITH_ACTIONS:
        return [(subcommand,)]
    return [(subcommand, action) for action in complete(subcommand, "")]


def options(*command):
    return {option for option in complete(*command, "-") if option.startswith("-")}


# ---- Completion ---------------------------------------------------------------------------------


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_completion_offers_the_options_of_help(subcommand):
    for command in commands(subcommand):
        text = subprocess.run(
            [COMMAND, "help", *command], capture_output=True, encoding="utf-8", check=True
        ).stdout
        rows = re.findall(r"^  (?:(-\w), |    )(--[a-z0-9-]+)", text, re.MULTILINE)
        assert {name for row in rows for name in row if name} == options(*command)


def test_words():
    assert complete("ru") == ["run", "rules"]
    assert complete("help", "ru") == ["run", "rules"]
    assert complete("rules", "sh") == ["show"]
    assert complete("rules", "show", "eisner-") == ["eisner-single-root", ":files"]
    assert complete("rules", "show", "-f", "") == ["text", "latex", "dot"]
    assert complete("rules", "list", "") == []
    assert complete("semirings", "show", "kb") == ["kbest(K)", ":files"]
    assert complete("run", "-r", "edi") == ["edit", ":files"]
    assert complete("run", "--max-marginals", "-r", "eisner", "-s", "en") == ["entropy", ":files"]
    assert complete("run", "--precision=f3") == ["--precision=f32"]
    assert complete("run", "--precision", "f3") == ["f32"]
    assert complete("run", "--prec") == ["--precision"]
    assert complete("run", "--", "-") == [":files"]
    assert complete("run", "-o", "-") == [":files"]
    assert complete("run", "problem") == [":files"]
    assert complete("bench", "-r", "edit,chai") == ["edit,chain", ":files"]
    assert complete("bench", "--rules=edit,chai") == ["--rules=edit,chain", ":files"]
    assert complete("draw", "-vr", "chai") == ["chain", ":files"]
    assert complete("run", "-r", "gallery/nus") == ["gallery/nussinov", ":files"]
    assert complete("rules", "show", "gal") == [*trapeze.gallery(), ":files"]
    for nothing in (["no-such"], ["no-such", ""], ["run", "--no-such=x"], ["rules", "no", "-"]):
        assert complete(*nothing) == []


# What is typed, and what the shell makes of it.
TYPED = [
    ("trapeze rules sh", ["show"]),
    ("trapeze run -r eisner-", ["eisner-single-root"]),
    ("trapeze run --precision=f3", ["--precision=f32"]),
    ("trapeze run --output=LICE", ["--output=LICENSE"]),
    ("trapeze run LICE", ["LICENSE"]),
]


def shell(*command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("typed, becomes", TYPED)
def test_bash(typed, becomes):
    words = typed.replace("=", " = ").split()  # as bash cuts it
    script = (
        '. src/cli/shells/trapeze.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        '_trapeze trapeze; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert shell("bash", "-c", script, "bash", *words) == [b.split("=")[-1] for b in becomes]


@pytest.mark.parametrize("typed, becomes", TYPED)
def test_fish(typed, becomes):
    script = f"source src/cli/shells/trapeze.fish; complete -C '{typed}'"
    assert [line.split("\t")[0] for line in shell("fish", "-c", script)] == becomes


@pytest.mark.parametrize("typed, becomes", TYPED)
def test_zsh(typed, becomes):
    """The function by itself, with what zsh's completion gives it, and takes from it."""
    cut, part = re.match(r".*(?= )( --[^=]*=|\s)(.*)", typed).groups()
    script = f"""
        compset() {{ PREFIX=${{PREFIX#*=}} }}
        _describe() {{ local c; for c in $candidates; do print -r -- ${{c%%:*}}; done }}
        _files() {{ local f=($PREFIX*(N)); (( ! $#f )) || print -rl -- $f }}
        words=({typed}) CURRENT=$#words PREFIX=$words[-1]
        source {SHELLS / "_trapeze"}
    """
    assert shell("zsh", "-fc", script) == [b[len(cut.strip()) :] for b in becomes]


# ---- The manual ---------------------------------------------------------------------------------


def page(subcommand):
    for folder in ("src/cli/manual", "sentences/cli/manual"):
        path = ROOT / folder / f"trapeze-{subcommand}.1"
        if path.exists():
            text = path.read_text(encoding="utf-8")
            if text.startswith(".so man1/"):
                return (path.parent / text.split("/")[1].strip()).read_text(encoding="utf-8")
            return text
    raise AssertionError(f"{subcommand} has no page")


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_page_has_the_options_and_no_others(subcommand):
    text = re.sub(r"\\f[A-Z]|\\(?=-)", "", page(subcommand))
    told = set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z0-9-]*", text))
    for command in commands(subcommand):
        assert command[-1] in text
        assert options(*command) - told - {"--help", "-h", "--version"} == set()
    everywhere = [options(*command) for name in SUBCOMMANDS for command in commands(name)]
    assert {option for option in told if option.startswith("--")} <= set().union(*everywhere)


def test_first_page_lists_the_subcommands():
    text = (ROOT / "src/cli/manual/trapeze.1").read_text(encoding="utf-8")
    listed = re.findall(r"^\.BR trapeze\\-(\w+) \(1\)$", text, re.MULTILINE)
    toolkit = os.environ.get("TRAPEZE_SENTENCES") == "enabled"
    assert listed[: len(SUBCOMMANDS)] == SUBCOMMANDS
    assert (len(listed) == len(SUBCOMMANDS)) == toolkit
