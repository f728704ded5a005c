"""`cgraph export --format c`: code in files, its names and types, and what is refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ..exporters.running import STRICT, tool
from .conftest import Run

SENSOR = """\
# A thermistor behind a divider.
input beta = 3950
ratio = adc/4096
R = r0*ratio/(1 - ratio)
T = 1/(1/298.15 + log(R/r0)/beta) - 273.15
"""
MAIN = """\
#include <stdio.h>
#include "model.h"
int main(void) { double grad[1]; double t = model(1000.0, grad);
printf("%.9g %.9g\\n", t, grad[0]); return 0; }
"""


def gcc(*words: str) -> None:
    done = subprocess.run(
        [tool("gcc"), *STRICT, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_function_and_its_header_for_firmware(run: Run) -> None:
    Path("sensor.cg").write_text(SENSOR)
    at = ("--beta", "3950", "--r0", "1e4")
    done = run("export", "-f", "sensor.cg", "--grad", "--format", "c", *at, "-o", "model.c")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    Path("main.c").write_text(MAIN)
    gcc("-O2", "model.c", "main.c", "-o", "main", "-lm")
    found = subprocess.run(["./main"], capture_output=True, text=True, timeout=60, check=True)
    values = ("--adc", "1000", *at, "--digits", "9")
    truth = run("grad", "-f", "sensor.cg", "--wrt", "adc", "--value", *values).stdout
    assert found.stdout.split() == [line.split(" = ")[1] for line in truth.splitlines()]


def test_the_source_of_a_function(run: Run) -> None:
    done = run("export", "(x + y)*z", "--grad", "--z", "-3", "--format", "c", "--name", "product")
    assert (
        done.stdout
        == """\
#include <math.h>

/* Return the value; write its derivatives by x, y to grad. */
double product(double x, double y, double grad[2])
{
    const double z = -3.0;
    const double value = (x + y) * z;
    if (isnan(value)) { /* where there is no value there is no derivative */
        grad[0] = value;
        grad[1] = value;
        return value;
    }
    grad[0] = z;
    grad[1] = z;
    return value;
}
"""
    )


def test_floats_are_never_promoted(run: Run) -> None:
    formula = "where(x > 0.1, sin(x)*1e-60, 1e300) + round(x) + mod(x, 3) + abs(x)^2.5 + gamma(x)"
    done = run("export", formula, "--real", "float", "-o", "one.c")
    told = "warning: 1e-60 is 0 as a float\nwarning: 1e+300 is inf as a float\n"
    assert (done.exit_code, done.stderr) == (0, told)
    source = Path("one.c").read_text()
    gcc("-std=c99", "-pedantic", "-c", "one.c")
    assert "double" not in source
    assert "x > 0.1f ? sinf(x) * 0.0f : INFINITY" in source


def test_names_that_the_language_keeps(run: Run) -> None:
    done = run("export", "int*log(sin) + α.w + grad + f", "--grad", "-o", "f.c")
    assert (done.exit_code, done.stderr) == (0, "")
    gcc("-c", "f.c")
    assert "double f(double int_1, double sin_1, double alpha_w, double grad_1, double f_1," in (
        Path("f.c").read_text()
    )


def test_several_outputs(run: Run) -> None:
    assert "void f(double x, double y, double out[2])" in (
        run("export", "x*y; x + y", "--format", "c").stdout
    )
    assert "  return [x * y, x + y];" in run("export", "x*y; x + y", "--format", "js").stdout
    assert "    return x * y, x + y" in run("export", "x*y; x + y", "--format", "py").stdout


def test_the_endings_of_code(run: Run) -> None:
    for ending, beginning in (
        ("py", "import numpy as np\n"),
        ("js", "export function"),
        ("tex", "\\begin{align*}"),
    ):
        assert run("export", "x^2", "-o", f"square.{ending}").exit_code == 0
        assert Path(f"square.{ending}").read_text().startswith(beginning)


@pytest.mark.parametrize(
    ("words", "code", "stderr"),
    [
        (
            ["[1, 2]*x", "--format", "c"],
            1,
            "<formula>:1:1: error: code in C is for numbers: here is an array "
            "(--format python takes arrays)\n  1 | [1, 2]*x\n    | ^\n",
        ),
        (
            ["x*y", "--x", "[1, 2]", "--format", "js"],
            1,
            "<formula>:1:1: error: code in JavaScript is for numbers: x has shape (2,) "
            "(--format python takes arrays)\n  1 | x*y\n    | ^\n",
        ),
        (
            ["x", "--name", "double", "--format", "c"],
            2,
            "error: 'double' is no name for a function in C (try --name double_)\n",
        ),
        (
            ["x", "--name", "my-f", "--format", "py"],
            2,
            "error: 'my-f' is no name for a function in Python (try --name my_f)\n",
        ),
        (
            ["x", "--real", "flaot", "--format", "c"],
            2,
            "error: 'flaot' is no type of real numbers (did you mean 'float'?)\n",
        ),
        (
            ["x", "--real", "float", "--format", "js"],
            2,
            "error: --real is for --format c, and not for javascript\n",
        ),
        (["x", "--name", "f"], 2, "error: --format dot has no function to be called 'f'\n"),
    ],
)
def test_what_is_refused(run: Run, words: list[str], code: int, stderr: str) -> None:
    done = run("export", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", stderr)


def test_a_header_that_is_replaced_is_told(run: Run) -> None:
    Path("model.h").write_text("int mine;\n")
    words = ("export", "x^2", "-o", "model.c")
    told = "warning: model.h held something else and has been replaced\n"
    assert [run(*words).stderr, run(*words).stderr] == [told, ""]


@pytest.mark.parametrize("blocked", ["model.c", "model.h"])
def test_a_source_and_its_header_are_both_written_or_neither(run: Run, blocked: str) -> None:
    Path(blocked).mkdir()
    other = "model.h" if blocked == "model.c" else "model.c"
    Path(other).write_text("old")
    done = run("export", "x^2", "-o", "model.c")
    told = f"error: cannot write {blocked}: Is a directory\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)
    assert Path(other).read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["model.c", "model.h"]


def test_a_header_goes_beside_files_alone(run: Run) -> None:
    done = run("export", "x", "--format", "c", "-o", "m.h")
    told = "error: m.h is what goes beside the file of --format c (-o m.c)\n"
    assert (done.exit_code, done.stderr) == (2, told)
    assert run("export", "x", "--format", "c", "-o", "/dev/null").exit_code == 0
    assert not Path("/dev/null.h").exists()
    assert run("export", "x", "--format", "c", "-o", "m/").exit_code == 1
    assert list(Path().iterdir()) == []


def test_numbers_that_a_float_lacks_are_told(run: Run) -> None:
    done = run("export", "1e-50*y + 1e300*x", "--format", "c", "--real", "float")
    assert done.stderr == "warning: 1e-50 is 0 as a float\nwarning: 1e+300 is inf as a float\n"


@pytest.mark.parametrize("stem", ["a\nb", 'a"b', "a\\b"])
def test_a_header_that_no_include_can_name_leaves_no_file(run: Run, stem: str) -> None:
    done = run("export", "x^2", "-o", f"{stem}.c")
    told = f"no #include can name the header {f'{stem}.h'!r} (give the file a plain name)"
    assert (done.exit_code, done.stderr) == (2, f"error: {told}\n")
    assert not list(Path().iterdir())
