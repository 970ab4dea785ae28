# SPDX-License-Identifier: MIT
"""The C interface as Markdown: a header's declarations, each with the comment above it."""

import re

SECTION = re.compile(r"/\* -{4} (.*?) -+ \*/\n")
COMMENT = re.compile(r"/\*(.*?)\*/\n", re.S)
NAME = re.compile(r"\btz_\w+")
NO_INTERFACE = re.compile(r"^(#|TZ_BEGIN|extern \"C\" \{|\}\s*$)")


def paragraphs(comment: str) -> str:
    """A comment's text; what is set off by blanks, as a table is, stands as it is."""
    lines = [re.sub(r"^ ?\* ?", "", line) for line in comment.strip("\n").split("\n")]
    lines[0] = lines[0].strip()
    ret, quoted = [], False
    for line in (line.rstrip() for line in lines):
        set_off = line.startswith("  ") or (quoted and line.startswith(" "))
        if set_off != quoted:
            ret.append("")
        quoted = set_off
        ret.append(f"    {line}" if set_off else re.sub(r"([*_<|\[\]])", r"\\\1", line))
    return "\n".join(ret).strip("\n")


def declared(code: str) -> list[str]:
    """The names that a stretch of code declares."""
    functions = re.findall(r"^TZ_PUBLIC[^(]*?(\w+)\(", code, re.M)
    types = re.findall(r"^typedef (?:struct )?\w+ (\w+);", code, re.M) + re.findall(r"^\} (tz_\w+);", code, re.M)
    structs = re.findall(r"^struct (tz_\w+) \{", code, re.M)
    return list(dict.fromkeys(functions + types + structs)) or re.findall(r"\b(TZ_[A-Z_0-9]+)\b", code)[:1]


def entries(text: str):
    """(section, comment, code) one after the other: a comment, and what stands below it up to an empty line."""
    text = text[text.index("*/") + 2 :]
    section = comment = ""
    code: list[str] = []
    for block in re.split(r"\n\n+", text):
        block += "\n"
        if found := SECTION.match(block):
            section, block = found[1], block[found.end() :]
        while block.strip():
            if found := COMMENT.match(block):
                comment, block = found[1], block[found.end() :]
            following = re.search(r"^/\*", block, re.M)
            code, block = (block[: following.start()], block[following.start() :]) if following else (block, "")
            kept = "\n".join(line for line in code.splitlines() if not NO_INTERFACE.match(line) or line.startswith("} tz_"))
            kept = kept.replace("TZ_PUBLIC ", "").strip() if kept.strip() else ""
            if kept or comment:
                yield section, comment, kept, declared(code)
            section = comment = ""


def interface(path, title: str) -> str:
    """The page of one header."""
    text = path.read_text("utf-8")
    head = re.sub(r"\s*SPDX-License-Identifier: MIT\s*", "\n", COMMENT.search(text)[1])
    about = [*re.split(r"\n \*\n", head, maxsplit=1), ""]
    ret = [f"# {title}", "", f"`#include <trapeze/{path.name}>`", "", sentence(about[0].split(" - ", 1)[1]), ""]
    ret += [rules_of_all(about[1]), ""]
    for section, comment, code, names in entries(text):
        if section:
            ret += [f"## {section}", ""]
        if names:
            ret += ["### " + ", ".join(f"`{name}`" for name in names) + f" {{: #{names[0]} }}", ""]
        if code:
            ret += ["```c", code, "```", ""]
        if comment:
            ret += [paragraphs(comment), ""]
    return "\n".join(ret)


def sentence(text: str) -> str:
    text = paragraphs(text)
    return text[:1].upper() + text[1:]


def rules_of_all(comment: str) -> str:
    """The head comment: `Word   what it says`, over several lines, as a list."""
    lines = [re.sub(r"^ ?\* ?", "", line) for line in comment.split("\n")]
    text = re.sub(r"^([A-Z]\w+) {2,}", r"\n**\1.** ", "\n".join(line.rstrip() for line in lines), flags=re.M)
    return re.sub(r"^ {2,}", "", re.sub(r"\*(?=ret_)", r"\\*", text), flags=re.M)


def linked(page: str, places: dict[str, str]) -> str:
    """Names outside code lead to where they are explained."""

    def link(found: re.Match) -> str:
        name = found[0].replace("\\", "")
        return f"[`{name}`]({places[name]})" if name in places else f"`{name}`"

    parts = re.split(r"(^```.*?^```$|^#.*?$|^    .*?$|`[^`\n]*`)", page, flags=re.M | re.S)
    return "".join(part if i % 2 else re.sub(r"\btz\\?_[\w\\]*\w", link, part) for i, part in enumerate(parts))
