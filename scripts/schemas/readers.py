"""Reads the keys of a framework's config out of its sources, without importing or running them.

Each reader returns {dotted name: {"type", "null", "default", "choices", "open"}}; a missing "default" means that the
source computes it. "open" marks a mapping whose keys are free.
"""

import ast
import re
import subprocess

PLAIN = {"int": "int", "float": "float", "bool": "bool", "str": "str", "Path": "str"}
CONTAINERS = {"dict", "Dict", "Mapping", "list", "List", "tuple", "Tuple", "set", "Sequence"}
WRAPPERS = {"Optional", "Annotated", "SerializeAsAny", "NotRequired", "Required", "ClassVar", "Final"}
DEEPEST = 9


def show(clone, revision, path):
    """The text of a file at a revision; None where it does not exist."""
    done = subprocess.run(["git", "-C", clone, "show", f"{revision}:{path}"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def list_files(clone, revision, folders):
    command = ["git", "-C", clone, "ls-tree", "-r", "--name-only", revision, "--", *folders]
    return [name for name in subprocess.run(command, capture_output=True, text=True).stdout.split("\n") if name]


def flatten_yaml(texts):
    """Keys of whole YAML configs; values with ${...} or ??? have no default."""
    import yaml

    keys = {}

    def walk(value, prefix):
        for name, child in value.items():
            path = f"{prefix}{name}"
            if name in ("_target_", "defaults", "hydra", "_self_") or not isinstance(name, str):
                continue
            if isinstance(child, dict) and child:
                keys.setdefault(path, {"type": "dict"})
                walk(child, f"{path}.")
            else:
                keys.setdefault(path, of_value(child))

    for text in texts:
        walk(yaml.safe_load(text) or {}, "")
    return keys


def of_value(value):
    if isinstance(value, str) and ("${" in value or value == "???"):
        return {"type": "any"}
    if value is None:
        return {"type": "any", "null": True, "default": None}
    if isinstance(value, bool):
        return {"type": "bool", "default": value}
    if isinstance(value, int):
        # A whole default does not say that the key takes whole numbers only.
        return {"type": "float", "default": value}
    if isinstance(value, float):
        return {"type": "float", "default": value}
    if isinstance(value, list):
        return {"type": "list"}
    if isinstance(value, dict):
        return {"type": "dict", "open": True}
    try:
        float(value)
        return {"type": "float", "default": float(value)}
    except (TypeError, ValueError):
        return {"type": "str", "default": str(value)}


def parse(text):
    """The syntax tree; type parameters, which Python before 3.12 cannot read, are left out."""
    return ast.parse(re.sub(r"^(\s*(?:async )?(?:def|class) \w+)\[[^\]]*\]", r"\1", text, flags=re.MULTILINE))


class Classes:
    """Config classes (dataclasses, pydantic models, TypedDicts) of many files, by name."""

    def __init__(self, texts):
        self.found = {}
        self.aliases = {}
        self.imports = {}
        self.file = None
        for file, text in enumerate(texts):
            for node in parse(text).body:
                self._add(node, file)

    def _add(self, node, file):
        if isinstance(node, ast.ClassDef):
            self.found.setdefault(node.name, {})[file] = node
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                self.imports[(file, name.asname or name.name)] = name.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.aliases.setdefault(node.targets[0].id, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            self.aliases.setdefault(node.target.id, node.value)
        elif type(node).__name__ == "TypeAlias":
            self.aliases.setdefault(node.name.id, node.value)

    def find(self, name):
        """The class that a name means in the file that is being read: its own, else an imported one."""
        imported = self.imports.get((self.file, name))
        forms = self.found.get(imported or name, {})
        if imported is None and self.file in forms:
            return self.file, forms[self.file]
        others = [(file, node) for file, node in forms.items() if file != self.file]
        return others[0] if others else None

    def keys(self, root, prefix=""):
        found = {}
        self._walk(root, prefix, found, 0)
        return found

    def _walk(self, name, prefix, found, depth):
        found_class = self.find(name)
        if depth > DEEPEST or found_class is None:
            return
        outer, self.file = self.file, found_class[0]
        node = found_class[1]
        for base in node.bases:
            if isinstance(base, ast.Name):
                self._walk(base.id, prefix, found, depth + 1)
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                self._field(statement, prefix, found, depth)
        self.file = outer

    def _field(self, statement, prefix, found, depth):
        field = statement.target.id
        if field.startswith("_") or field == "model_config":
            return
        names, types, null, choices, free = set(), set(), False, [], False
        for part in self._parts(statement.annotation, 0):
            if part == "None":
                null = True
            elif isinstance(part, tuple):
                choices.extend(part)
            elif self.find(part):
                if not self._is_enum(part, choices):
                    names.add(part)
            elif part in PLAIN:
                types.add(PLAIN[part])
            elif part == "items":
                types.add("list")
            elif part == "free":
                free = True
            else:
                free = True
        path = f"{prefix}{field}"
        key = found.setdefault(path, {})
        if names and not types:
            key["type"] = "dict"
        elif choices and not types:
            key["type"] = "str"
        elif types == {"int", "float"}:
            key["type"] = "float"
        elif len(types) == 1 and not names and not free:
            key["type"] = next(iter(types))
        else:
            key["type"] = "any"
        if null:
            key["null"] = True
        if free and not names:
            key["open"] = True
        if choices and types <= {"str"} and not free and all(isinstance(c, (str, type(None))) for c in choices):
            key["choices"] = sorted({*key.get("choices", []), *(c for c in choices if isinstance(c, str))})
        self._default(key, statement.value)
        inside = "[]." if "list" in types else "."
        for each in sorted(names):
            within = {}
            self._walk(each, f"{path}{inside}", within, depth + 1)
            for name, inner in within.items():
                # Of several forms that a section can have, the file decides which; so no default is certain.
                if len(names) > 1:
                    inner.pop("default", None)
                known = found.setdefault(name, inner)
                if known is not inner and "choices" in known and "choices" in inner:
                    known["choices"] = sorted({*known["choices"], *inner["choices"]})

    def _is_enum(self, name, choices):
        node = self.find(name)[1]
        if not any(isinstance(base, ast.Name) and base.id.endswith("Enum") for base in node.bases):
            return False
        for statement in node.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
                choices.append(statement.value.value)
        return True

    def _parts(self, node, depth):
        if depth > DEEPEST:
            return
        if isinstance(node, ast.Constant):
            if node.value is None:
                yield "None"
            elif isinstance(node.value, str):
                yield from self._parts(ast.parse(node.value, mode="eval").body, depth + 1)
        elif isinstance(node, ast.BinOp):
            yield from self._parts(node.left, depth)
            yield from self._parts(node.right, depth)
        elif isinstance(node, ast.Name):
            if node.id in self.aliases and not self.find(node.id):
                yield from self._parts(self.aliases[node.id], depth + 1)
            elif node.id in CONTAINERS:
                yield "free"
            else:
                yield node.id
        elif isinstance(node, ast.Subscript):
            yield from self._subscript(node, depth)
        else:
            yield "free"

    def _subscript(self, node, depth):
        name = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Literal":
            yield tuple(each.value for each in inner if isinstance(each, ast.Constant))
        elif name in WRAPPERS:
            if name == "Optional":
                yield "None"
            yield from self._parts(inner[0], depth + 1)
        elif name == "Union":
            for each in inner:
                yield from self._parts(each, depth + 1)
        elif name in ("list", "List"):
            yield "items"
            for part in self._parts(inner[0], depth + 1):
                if self.find(part):
                    yield part
        else:
            yield "free"

    @staticmethod
    def _default(key, value):
        if isinstance(value, ast.Call):
            named = {each.arg: each.value for each in value.keywords}
            value = named.get("default", value.args[0] if value.args else None)
            choices = constant(named.get("choices"))
            if choices is None and isinstance(named.get("metadata"), ast.Dict):
                pairs = zip(named["metadata"].keys, named["metadata"].values)
                choices = next((constant(v) for k, v in pairs if constant(k) == "choices"), None)
            if isinstance(choices, list):
                key["choices"] = sorted(each for each in choices if isinstance(each, str))
        plain = constant(value)
        if plain is not None or (isinstance(value, ast.Constant) and value.value is None):
            if not isinstance(plain, (list, dict)) and plain is not Ellipsis:
                key["default"] = plain


def constant(node):
    try:
        return ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError):
        return None


def flags(texts, functions=("add_argument", "reset_arg")):
    """Flags of an argparse program: every add_argument call in the texts."""
    found = {}
    for text in texts:
        for node in ast.walk(parse(text)):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in functions:
                continue
            names = [constant(each) for each in node.args]
            names = [each[2:] for each in names if isinstance(each, str) and each.startswith("--")]
            named = {each.arg: each.value for each in node.keywords}
            for name in names:
                found.setdefault(name, of_flag(named))
    return found


def of_flag(named):
    action = constant(named.get("action"))
    is_switch = action in ("store_true", "store_false") or (
        isinstance(named.get("action"), ast.Attribute) and named["action"].attr == "BooleanOptionalAction"
    )
    kind = named.get("type")
    name = kind.id if isinstance(kind, ast.Name) else ""
    key = {"type": "switch" if is_switch else PLAIN.get(name, "str" if kind is None else "any")}
    if constant(named.get("nargs")) is not None:
        key["type"] = "list"
    default = constant(named.get("default"))
    if is_switch and action == "store_true" and "default" not in named:
        default = False
    given = named.get("default")
    if given is None or isinstance(given, ast.Constant) or default is not None:
        if not isinstance(default, (list, dict, tuple)):
            key["default"] = default
            if default is None:
                key["null"] = True
    choices = constant(named.get("choices"))
    if isinstance(choices, (list, tuple)):
        key["choices"] = sorted(each for each in choices if isinstance(each, str))
    return key
