"""Run a function when a module has been imported, now or later; undone at the end. Standard library only."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    Undo = Callable[[], None]
    Patch = Callable[[ModuleType], Undo]


class _Loader:
    """The real loader, followed by the patch."""

    def __init__(self, loader: Loader, finder: _Finder) -> None:
        self._loader = loader
        self._finder = finder

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._finder.apply(module)


class _Finder:
    """First on `sys.meta_path`: finds the named modules as the others would and patches them once they are loaded."""

    def __init__(self, patches: Mapping[str, Patch]) -> None:
        self.patches = patches
        self.undo: list[Undo] = []
        self._busy = threading.local()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self.patches or getattr(self._busy, "on", False):
            return None
        import importlib.util  # 1 ms that only a patch needs

        self._busy.on = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy.on = False
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = cast(
                "Loader", _Loader(spec.loader, self)
            )  # not its subclass: importlib.abc takes time to import
        return spec

    def apply(self, module: ModuleType) -> None:
        self.undo.append(self.patches[module.__name__](module))


def patch_modules(patches: Mapping[str, Patch]) -> Undo:
    """Apply each patch to its module: at once where it is loaded, else right after its import. Returns what undoes all."""
    finder = _Finder(patches)
    for name in patches:
        module = sys.modules.get(name)
        if module is not None:
            finder.apply(module)
    sys.meta_path.insert(0, finder)

    def undo() -> None:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        while finder.undo:
            finder.undo.pop()()

    return undo


def undo_all(steps: Sequence[Undo]) -> Undo:
    """One function that undoes all steps, the last one first."""

    def undo() -> None:
        for step in reversed(steps):
            step()

    return undo


def replace_attribute(owner: object, name: str, value: object) -> Undo:
    """Set `owner.name`; returns what puts the old value back (or removes the name where there was none)."""
    mine = vars(owner)
    had, old = name in mine, mine.get(name)
    setattr(owner, name, value)

    def undo() -> None:
        if had:
            setattr(owner, name, old)
        else:
            delattr(owner, name)

    return undo
