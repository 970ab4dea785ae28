# SPDX-License-Identifier: MIT
"""The Python interface as Markdown, from docstrings; modules are read, not imported."""

import ast
import inspect
import re

# What docstrings have of reStructuredText.
MARKUP = [
    (re.compile(r":\w+:`~?\.?([^`]*)`"), r"`\1`"),
    (re.compile(r"``([^`]*)``"), r"`\1`"),
]


def prose(docstring: str) -> str:
    """A docstring as Markdown: `::` begins code that is set in, `>>>` stands for itself."""
    ret, code = [], False
    text = inspect.cleandoc(docstring)
    for pattern, by in MARKUP:
        text = pattern.sub(by, text)
    for line in text.split("\n"):
        if code and line and not line.startswith(" "):
            ret += ["```", ""]
            code = False
        if code:
            ret.append(line[4:])
            continue
        if line.startswith("- ") and ret and ret[-1] and not ret[-1].startswith(("- ", " ")):
            ret.append("")
        if line.endswith("::"):
            code, line = True, line[:-1]
        ret.append(line)
        if code:
            ret += ["", "```python"]
    if code:
        ret.append("```")
    return re.sub(r"```python\n\n", "```python\n", "\n".join(ret))


class Package:
    """The modules of a package, by name, and what each defines or imports."""

    def __init__(self, folder):
        self.modules = {path.stem: ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")}

    def find(self, module: str, name: str):
        """(module, definition) of a name as a module knows it, wherever it is defined; None: it is no own one."""
        for node in self.modules[module].body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                return module, node
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                for alias in node.names:
                    if (alias.asname or alias.name) == name and node.module in self.modules:
                        return self.find(node.module, alias.name)
        return None

    def members(self, module: str, node: ast.ClassDef):
        """The methods and attributes of a class and of those that it is made from, as (module, name, definition or docstring)."""
        ret = {}
        for base in node.bases:
            found = self.find(module, base.id) if isinstance(base, ast.Name) else None
            if found:
                ret |= {name: (where, what) for where, name, what in self.members(*found)}
        for i, part in enumerate(node.body):
            if isinstance(part, ast.FunctionDef):
                if not any(isinstance(one, ast.Name) and one.id == "overload" for one in part.decorator_list):
                    ret[part.name] = module, part
                if part.name == "__init__":
                    ret |= {name: (module, what) for name, what in described(part.body)}
            elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Attribute):
                found = self.find(part.value.value.id, part.value.attr) if isinstance(part.value.value, ast.Name) else None
                if found:
                    ret[part.targets[0].id] = found
        ret |= {name: (module, what) for name, what in described(node.body)}
        return [(where, name, what) for name, (where, what) in ret.items()]


def described(body):
    """Attributes with a docstring below them."""
    for one, below in zip(body, body[1:]):
        if isinstance(one, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield ast.unparse(one.target).removeprefix("self."), below.value.value


def signature(name: str, node: ast.FunctionDef, method: bool) -> str:
    """As it is called, at most so wide."""
    arguments = ast.parse(f"def f({ast.unparse(node.args)}): pass").body[0].args
    if method:
        del (arguments.posonlyargs or arguments.args)[:1]
    text = ast.unparse(arguments)
    # A decorator may make it return something else.
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and not node.decorator_list else ""
    line = f"{name}({text}){returns}"
    if len(line) <= 90:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in split(text)) + f"){returns}"


def split(text: str) -> list[str]:
    """Arguments, at the commas outside brackets."""
    ret, depth = [""], 0
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == "," and depth == 0:
            ret.append("")
        else:
            ret[-1] += letter
    return [part.strip() for part in ret]


def is_property(node) -> bool:
    return any(isinstance(one, ast.Name) and one.id in ("property", "cached_property") for one in node.decorator_list)


def entry(package: Package, prefix: str, module: str, name: str, node) -> list[str]:
    """A function, or a class with its members."""
    documented = ast.get_docstring(node)
    ret = [f"## `{prefix}{name}`", ""]
    if isinstance(node, ast.FunctionDef):
        return ret + ["```python", signature(name, node, False), "```", "", prose(documented or ""), ""]
    ret += [prose(documented or ""), ""]
    for _, member, what in package.members(module, node):
        if member.startswith("_"):
            continue
        if isinstance(what, str):
            ret += [f"### `{name}.{member}`", "", prose(what), ""]
        elif text := ast.get_docstring(what):
            ret += [f"### `{name}.{member}`", ""]
            if not is_property(what):
                ret += ["```python", signature(member, what, True), "```", ""]
            ret += [prose(text), ""]
    return ret


def interface(package: Package, module: str, title: str, prefix: str) -> str:
    """The page of a module: what it lists in `__all__`."""
    tree = package.modules[module]
    listed = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"  # type: ignore[attr-defined]
    )
    ret = [f"# {title}", "", prose(ast.get_docstring(tree)), ""]
    found = [(name, package.find(module, name)) for name in listed]
    # Exceptions, which have little to say, come last.
    errors = [name for name, what in found if what and what[0] == "errors"]
    for name, what in sorted(found, key=lambda one: (one[0] in errors, one[0].lower())):
        if what:
            ret += entry(package, prefix, what[0], name, what[1])
    return "\n".join(ret)
