"""`export --to py-guard`: the guard of one model as a single Python file for boards.

It is the guard's own source, put together: the modules below without their imports of each other, the contract as a
literal, and a small front. Python 3.7 and numpy 1.16 are enough; nothing of prepcheck need be installed there.
"""

from __future__ import annotations

import ast
import pprint
import re
from importlib.resources import files
from math import isfinite

from prepcheck.errors import PlanError
from prepcheck.guarding.compiled import CompiledContract

_ERRORS = ("PrepcheckError", "UsageError", "NotFoundError", "ReadError", "TooLargeError", "PlanError", "CheckFailed")
_COMMON = (
    "finding", "kinds", "compiled", "profiles", "shapes", "content", "checks", "stats", "answers", "policy", "guard", "hooks",
    "standin", "rknn_proxy",
)  # fmt: skip
_MNN = (
    "kinds_mnn", "mnn_state", "mnn_tensor", "mnn_image", "mnn_copy", "mnn_guard", "mnn_faces", "mnn_module", "proxies_mnn",
)  # fmt: skip
_SESSIONS = ("onnx", "tflite", "generic")
_REMARKS = re.compile(r"\s*#\s*(type: ignore|noqa|fmt:)[^\n]*")

_HEAD = '''\
"""Guard for the inputs of {model}: checked before every run. Made by prepcheck; Python >= 3.7 and numpy only.

    from {module} import guard            # guard(rknn_lite), guard(interpreter), guard(any_function)
    guarded = guard(rknn_lite)            # the same methods; inference() is checked first
    check(array)                          # or check by hand, just before the call
    python {module}.py frame.npy          # or check a saved array; exit code 1 where it is wrong

{inputs}
PREPCHECK_GUARD=off in the environment turns it off.
"""

from __future__ import annotations

{imports}

TYPE_CHECKING = False


class _Here:
    """The names of this file under the names of the modules that they were taken from."""

    def __getattr__(self, name):
        return globals()[name]


{modules} = _Here()
'''

_TAIL = '''

# ---- the contract, and the front of this file

CONTRACT = CompiledContract.of(
{contract}
)

_guard_of = guard


def guard(target, on_fail="raise", every=16, *, stateful=False):
    """A stand-in for `target` (RKNN, RKNNLite, MNN object or callable) whose runs are checked against CONTRACT first."""
    return _guard_of(target, CONTRACT, on_fail, every, stateful=stateful)


_default = []


def check(*arrays, **named):
    """Check the inputs of one run against CONTRACT; raises CheckFailed. For other settings make a Guard(CONTRACT, ...)."""
    if not _default:
        _default.append(Guard(CONTRACT))
    return _default[0].check(*arrays, **named)


def main(paths):
    """Check saved arrays (.npy), one for each input. Returns 0 where all is right, 1 where something is wrong, 2 else."""
    if len(paths) != len(CONTRACT.inputs):
        print("usage: one .npy for each input: " + ", ".join(t.name or "input" for t in CONTRACT.inputs))
        return 2
    try:
        arrays = [np.load(p, allow_pickle=False) for p in paths]
    except (OSError, ValueError) as error:
        print(error)
        return 2
    try:
        Guard(CONTRACT, every=1).check(*arrays)
    except CheckFailed as error:
        print(error)
        return 1
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


def py_guard(contract: object, model: str = "this model", module: str = "model_guard") -> str:
    """The source of a guard for one contract, complete in one file.

    contract: as for Guard. model: what the file calls the model. module: the name that the file will be imported by.
    Raises PlanError for a contract without shapes, or with numbers that Python cannot write down.
    """
    compiled = CompiledContract.of(contract)
    document = compiled.document()
    _finite(document, "contract")
    own = _MNN if compiled.runtime == "mnn" else ("session_proxy",) if compiled.runtime in _SESSIONS else ()
    names = [*_COMMON, *own, "proxies"]
    imports: set[str] = {"import sys"}
    parts = [_errors()]
    for name in names:
        parts.append(f"\n\n# ---- {name}\n\n" + _module(name, imports))
    literal = "\n".join("    " + line for line in pprint.pformat(document, width=116, sort_dicts=True).splitlines())
    described = "\n".join(
        f"{t.name or f'input {i}'}: {t.dtype} {t.layout} {list(t.shape)}" for i, t in enumerate(compiled.inputs)
    )
    head = _HEAD.format(
        model=_plain(model),
        module=module,
        inputs="Inputs: " + _plain(described),
        imports="\n".join(sorted(imports, key=lambda line: (line.startswith("import numpy"), line))),
        modules=" = ".join(n for n in names if n.startswith(("kinds", "shapes"))),
    )
    text = head + "".join(parts) + _TAIL.replace("{contract}", literal)
    _check_names(text)
    return text


def _plain(text: str) -> str:
    """Text that may stand in a docstring."""
    return text.replace("\\", "/").replace('"""', "'''")


def _finite(value: object, at: str) -> None:
    if isinstance(value, float) and not isfinite(value):
        raise PlanError(f"{at}: {value} cannot be exported")
    if isinstance(value, dict):
        for key, item in value.items():
            _finite(item, f"{at}.{key}")
    elif isinstance(value, list):
        for item in value:
            _finite(item, at)


def _source(package: str, name: str) -> str:
    return (files(package) / f"{name}.py").read_text(encoding="utf-8")


def _errors() -> str:
    """The classes of `prepcheck.errors` that the guard raises."""
    source = _source("prepcheck", "errors")
    lines = source.splitlines()
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name in _ERRORS:
            found.append("\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return "\n\n# ---- errors\n\n\n" + "\n\n\n".join(found) + "\n"


def _module(name: str, imports: set[str]) -> str:
    """A module's text without its docstring and imports; what it imports from elsewhere goes into `imports`."""
    source = _source("prepcheck.guarding", name)
    tree = ast.parse(source)
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            top = node in tree.body
            if not top and not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("prepcheck")):
                continue
            _blank(lines, node)
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if not top or module == "__future__" or (module or "").startswith("prepcheck"):
                continue
            if module is None:
                imports.add(ast.unparse(node))
            else:
                imports.update(f"from {module} import {a.name}" for a in node.names if a.name != "TYPE_CHECKING")
    for statement in tree.body:
        if (
            isinstance(statement, ast.If)
            and isinstance(statement.test, ast.Name)
            and statement.test.id == "TYPE_CHECKING"
        ):
            _blank(lines, statement)
    if isinstance(tree.body[0], ast.Expr):
        _blank(lines, tree.body[0])
    text = "\n".join(_REMARKS.sub("", line) for line in lines).replace("(frozen=True, slots=True)", "(frozen=True)")
    return re.sub(r"\n{4,}", "\n\n\n", text).strip("\n") + "\n"


def _blank(lines: list[str], node: ast.stmt) -> None:
    for at in range(node.lineno - 1, node.end_lineno or node.lineno):
        lines[at] = ""


def _check_names(text: str) -> None:
    """No two modules may define the same name: the second would replace the first in silence."""
    seen: dict[str, int] = {}
    for node in ast.parse(text, feature_version=(3, 7)).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        for name in names:
            if name in seen and name not in ("guard", "TYPE_CHECKING"):
                raise PlanError(f"py_guard: {name} is defined at lines {seen[name]} and {node.lineno} of the file")
            seen[name] = node.lineno
