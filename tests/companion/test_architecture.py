"""Data goes one way through the house: a test walks the imports and keeps it so (STYLE: the rooms of this house)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("vision", "companion", "calibration", "web")
RECORDS = {f"companion.{name}" for name in ("pieces", "tiles", "readings", "taps", "problems", "errors")}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            assert node.module is not None
            yield node.module


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def allowed(path: Path, imported: str) -> bool:
    """Whether the module at path may import this one of ours."""
    here = path.relative_to(ROOT).parts
    if here[0] == "web" or here[:2] == ("companion", "cli"):
        return True
    top = imported.split(".", maxsplit=1)[0]
    if top == here[0]:
        return imported.split(".")[:2] != ["companion", "cli"]
    return here[0] == "vision" and (top == "calibration" or imported in RECORDS)


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(package)
        for name in imports(path)
        if name.split(".")[0] in PACKAGES and not allowed(path, name)
    ]
    assert wrong == []


def test_the_core_does_no_input_or_output() -> None:
    shells = {"cv2", "flask", "sqlalchemy", "cheroot", "socket", "requests"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("companion")
        if path.relative_to(ROOT).parts[:2] != ("companion", "cli")
        for name in imports(path)
        if name.split(".")[0] in shells
    ]
    assert wrong == []


def test_no_other_package_stands_at_the_top() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {*PACKAGES, "tests"}
