"""One distribution, one import package, and nothing else at the top."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import cgraph

from .conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETTINGS = PROJECT["tool"]["setuptools"]
NOT_INSTALLED = {"tests", "benchmarks", "samples", "docs", "build"}


def packages() -> set[str]:
    """Return the package folders that are to be installed, by import name."""
    folders = {path.parent.relative_to(ROOT) for path in ROOT.rglob("__init__.py")}
    kept = (
        folder.parts
        for folder in folders
        if not folder.parts
        or not (folder.parts[0].startswith(".") or folder.parts[0] in NOT_INSTALLED)
    )
    return {".".join(("cgraph", *parts)) for parts in kept}


def test_every_package_folder_is_listed() -> None:
    assert set(SETTINGS["packages"]) == packages()


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {
        path.parent
        for name in ("autodiff", "cli", "exporters", "parser")
        for path in (ROOT / name).rglob("*.py")
    }
    assert all((folder / "__init__.py").exists() for folder in folders)


def test_what_is_not_python_is_listed_too() -> None:
    for name, pattern in (("parser/grammar.lark", "*.lark"), ("py.typed", "py.typed")):
        assert (ROOT / name).exists()
        package = ".".join(("cgraph", *Path(name).parts[:-1]))
        assert pattern in SETTINGS["package-data"][package]


def test_the_wheel_installs_cgraph_alone(tmp_path: Path) -> None:
    if find_spec("setuptools") is None:
        pytest.skip("needs setuptools to build a wheel without the network")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    source = tmp_path / "source"
    copy_sources(source)
    subprocess.run([*command, "-w", tmp_path, source], check=True, timeout=60, capture_output=True)
    wheel = next(tmp_path.glob("*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"cgraph"}
    assert {"cgraph/parser/grammar.lark", "cgraph/py.typed", "cgraph/__main__.py"} <= set(names)
    assert not any(name.startswith(("cgraph/tests", "cgraph/benchmarks")) for name in names)


def copy_sources(target: Path) -> None:
    """Copy what a wheel is made from, so that the build leaves nothing in the repository."""
    from shutil import copytree, ignore_patterns

    ignored = ignore_patterns(
        ".*", "build", "*.egg-info", "__pycache__", "tests", "docs", "samples"
    )
    copytree(ROOT, target, ignore=ignored)


@pytest.mark.parametrize("name", cgraph.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(cgraph, name).__doc__
    assert name in dir(cgraph)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="module 'cgraph' has no attribute 'parsee'"):
        _ = cgraph.parsee


def test_the_version_is_told_once() -> None:
    assert PROJECT["project"]["version"] == cgraph.__version__


def test_the_command_is_where_the_project_says() -> None:
    module, _, name = PROJECT["project"]["scripts"]["cgraph"].partition(":")
    assert callable(getattr(import_module(module), name))
