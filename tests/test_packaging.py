"""One distribution, one import package, and nothing else at the top."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import cgraph
from cgraph.autodiff.errors import DISTRIBUTION, pip_line

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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return an sdist, and the wheel that is made from it."""
    if find_spec("setuptools") is None:
        pytest.skip("needs setuptools to build a wheel without the network")
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    copy_sources(source)
    make = f"from setuptools.build_meta import build_sdist; build_sdist({str(folder)!r})"
    run([sys.executable, "-c", make], source)
    (sdist,) = folder.glob("*.tar.gz")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    run([*command, "-w", str(folder), str(sdist)], folder)
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def run(command: Sequence[str], where: Path, seconds: float = 300) -> str:
    """Run a command in a folder and return what it prints; fail with what it says."""
    done = subprocess.run(
        command, cwd=where, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_installs_cgraph_alone(built: tuple[Path, Path]) -> None:
    names = zipfile.ZipFile(built[1]).namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"cgraph"}
    assert {"cgraph/parser/grammar.lark", "cgraph/py.typed", "cgraph/__main__.py"} <= set(names)
    assert not any(name.startswith(("cgraph/tests", "cgraph/benchmarks")) for name in names)


def test_the_distribution_says_what_it_is(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    assert sdist.name == f"cgraph_cli-{cgraph.__version__}.tar.gz"
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        told = archive.read(name).decode()
        assert any(one.endswith("licenses/LICENSE") for one in archive.namelist())
    for line in ("Name: cgraph-cli", "License-Expression: MIT", "Provides-Extra: pdf"):
        assert f"{line}\n" in told
    for key in ("Author: ", "Project-URL: ", "Classifier: "):
        assert f"\n{key}" in told


def test_the_wheel_does_the_main_job_in_an_empty_environment(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    run([sys.executable, "-m", "venv", str(tmp_path / "env")], tmp_path)
    scripts = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "--retries", "0"]
    done = subprocess.run(
        [*pip, str(built[1])], capture_output=True, text=True, timeout=300, check=False
    )
    if any(sign in done.stderr for sign in UNREACHABLE):
        pytest.skip("needs the network, for the packages that cgraph needs")
    assert done.returncode == 0, done.stderr
    command, at = str(scripts / "cgraph"), ["--x", "1", "--y", "3", "--z", "-3"]
    assert run([command, "eval", "(x+y)*z", *at], tmp_path) == "-12\n"
    assert run([command, "grad", "(x+y)*z", *at], tmp_path) == "d/dx = -3\nd/dy = -3\nd/dz = 4\n"
    run([command, "render", "(x+y)*z", *at, "--grad", "-o", "graph.png"], tmp_path)
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


UNREACHABLE = ("No matching distribution", "Connection", "timed out", "Name or service")
"""What pip says where it reaches no index."""


def copy_sources(target: Path) -> None:
    """Copy what a wheel is made from, so that the build leaves nothing in the repository."""
    from shutil import copytree, ignore_patterns

    ignored = ignore_patterns(
        ".*", "build", "*.egg-info", "__pycache__", "tests", "docs", "samples"
    )
    copytree(ROOT, target, ignore=ignored)


def test_a_package_is_asked_for_by_the_python_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PATH", str(python.parent))
    rest = "install mpmath; the extra cgraph-cli[precision] has it"
    assert pip_line("mpmath", "precision") == f"{python} -m pip {rest}"
    assert pip_line("mpmath") == f"{python} -m pip install mpmath"
    monkeypatch.setattr(sys, "executable", "/my env/python")
    assert pip_line("mpmath") == '"/my env/python" -m pip install mpmath'
    monkeypatch.setattr(sys, "executable", str(python))
    (python.parent / "pip").write_text("")
    (python.parent / "pip").chmod(0o755)
    assert pip_line("mpmath", "precision") == f"pip {rest}"


def test_the_extras_that_messages_name_exist() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert PROJECT["project"]["name"] == DISTRIBUTION
    assert {"pdf", "data", "precision", "tensorboard"} <= extras.keys()


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
