"""C99: a function of doubles or floats, with its header; no memory of its own, no globals.

double NAME(double x, double y);                     the value of the one output
void NAME(double x, double y, double out[2]);        of several outputs
double NAME(double x, double y, double grad[2]);     with the derivatives, in the order of --wrt
void NAME(double x, double y, double out[3], double grad[3][2]);         a row for each output
"""

from __future__ import annotations

import re
import struct
from functools import cache
from math import copysign, inf, isinf
from typing import TYPE_CHECKING

from ...autodiff.errors import UsageError, did_you_mean
from ...autodiff.ops.forms.shared import STIRLING
from .forms import Form, Piece, Target
from .identifiers import plain
from .reserved import C_FUNCTIONS, C, words
from .walk import Code, code

if TYPE_CHECKING:
    from ...autodiff.ops import Op
    from ..options import Options
    from ..scene import Scene

REALS = {"double": "", "float": "f"}
"""The types that `--real` may name, with what the names of their functions and numbers end in."""

LIBRARY = words(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor "
    "hypot lgamma log log10 log1p log2 nearbyint pow sin sinh sqrt tan tanh tgamma trunc"
)
"""The functions of <math.h> that do what formulas mean by their names."""

CALLED = words("fmod isnan isinf copysign round gamma j0 j1 jn y0 y1 yn")
"""Names of <math.h> besides that no parameter has: the code calls them, or readers take them so."""

SIGNS = {
    **{sign: sign for sign in ("+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=")},
    "and": "{0:?41} && {1:?41}",
    "or": "{0:?41} || {1:?41}",
    "not": "!{0:?100}",
}

SERIES = ",\n        ".join(map(repr, STIRLING))

HELPERS = {
    "digamma": """\
/* The derivative of lgamma: DLMF 5.11.2 from 10 on, lower x by recurrence and reflection. */
static inline double digamma(double x)
{
    double sum = 0.0;
    if (!(x > 0.0)) {
        const double r = x - nearbyint(x);
        if (r == 0.0) {
            return NAN;
        }
        sum = -3.141592653589793 / tan(3.141592653589793 * r);
        x = 1.0 - x;
    }
    while (x < 10.0) {
        sum -= 1.0 / x;
        x += 1.0;
    }
    const double f = 1.0 / (x * x);
    const double far = 1.0 / 240.0 - f * (1.0 / 132.0 - f * (691.0 / 32760.0 - f / 12.0));
    const double near = 1.0 / 12.0 - f * (1.0 / 120.0 - f * (1.0 / 252.0 - f * far));
    return sum + log(x) - 0.5 / x - f * near;
}
""",
    "mod": """\
/* The remainder of floored division: it has the sign of y. */
static inline double mod(double x, double y)
{
    const double r = fmod(x, y);
    if (r == 0.0) {
        return copysign(r, y);
    }
    return (r < 0.0) != (y < 0.0) ? r + y : r;
}
""",
    "direction": """\
/* x/hypot(x, y), the derivative of hypot by x, with its limits at infinity. */
static inline double direction(double x, double y)
{
    if (isnan(x) || isnan(y) || (isinf(x) && isinf(y))) {
        return NAN;
    }
    if (isinf(x)) {
        return copysign(1.0, x);
    }
    if (isinf(y)) {
        return x / fabs(y);
    }
    const double length = hypot(x, y);
    if (isnormal(length)) {
        return x / length;
    }
    const double size = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return x / size / hypot(x / size, y / size);
}
""",
    "dpow": """\
/* x^y*log(x), the derivative of x^y by y: 0 where x^y is, and at x = 0 for y >= 0. */
static inline double dpow(double x, double y)
{
    const double power = pow(x, y);
    if (x == 0.0 ? y >= 0.0 : x > 0.0 && power == 0.0) {
        return 0.0;
    }
    return power * log(x);
}
""",
    "polygamma_size": f"""\
/* n! zeta(n + 1, x) for n > 0 and x > 0, by Euler and Maclaurin: DLMF 25.11.5. */
static inline double polygamma_size(double n, double x)
{{
    static const double stirling[] = {{
        {SERIES},
    }};
    const double a = x + 10.0;
    double tail = 1.0 / n + 0.5 / a;
    double factor = (n + 1.0) / a / a;
    double m = 2.0;
    for (int k = 0; k < 8; k++) {{
        tail += stirling[k] * factor;
        factor *= (n + m) / a * ((n + m + 1.0) / a) / (m * (m + 1.0));
        m += 2.0;
    }}
    double sum = pow(x / a, n) * tail;
    for (m = 9.0; m >= 0.0; m -= 1.0) {{
        sum += pow(x / (x + m), n) / (x + m);
    }}
    if (isinf(x)) {{
        return 0.0;
    }}
    if (n > 170.0) {{
        return exp(lgamma(n + 1.0) - n * log(x)) * sum;
    }}
    const double half = pow(x, -0.5 * n);
    return tgamma(n + 1.0) * half * half * sum;
}}
""",
    "polygamma": """\
/* The n-th derivative of digamma, by reflection where x is not positive. */
static inline double polygamma(double n, double x)
{
    if (n == 0.0) {
        return digamma(x);
    }
    if (!(n > 0.0) || isinf(n) || n != floor(n) || isnan(x) || (isinf(x) && x < 0.0)) {
        return NAN;
    }
    const int odd = fmod(n, 2.0) != 0.0;
    const double sign = odd ? 1.0 : -1.0;
    if (x > 0.0) {
        return sign * polygamma_size(n, x);
    }
    const double r = x - nearbyint(x);
    if (r == 0.0) {
        return odd ? INFINITY : NAN;
    }
    const double u = r > 0.0 ? r : 1.0 + r;
    const double v = r > 0.0 ? 1.0 - r : -r;
    const double mirror = polygamma_size(n, v) - polygamma_size(n, 1.0 - x);
    return sign * polygamma_size(n, u) + mirror;
}
""",
    "dsinc": """\
/* The n-th derivative of sin(pi x)/(pi x), by the recurrence that each is from the one before:
   upwards from the first for n below pi |x|, else downwards. */
static inline double dsinc(double n, double x)
{
    if (!(n >= 0.0 && n <= 600.0) || n != floor(n) || isnan(x)) {
        return NAN;
    }
    if (isinf(x)) {
        return 0.0;
    }
    const double z = 3.141592653589793 * x;
    const double turned = fmod(nearbyint(x), 2.0) != 0.0 ? -1.0 : 1.0;
    const double sine = turned * sin(3.141592653589793 * (x - nearbyint(x)));
    const double cosine = turned * cos(3.141592653589793 * (x - nearbyint(x)));
    const double waves[] = {sine, cosine, -sine, -cosine};
    double c = 0.0;
    if (n < fabs(z)) {
        c = sine / 3.141592653589793 / x;
        for (double k = 1.0; k <= n; k += 1.0) {
            c = (waves[(int)k % 4] - k * c) / 3.141592653589793 / x;
        }
    } else {
        for (double k = 2.0 * n + 40.0; k > n; k -= 1.0) {
            c = (waves[(int)k % 4] - z * c) / k;
        }
    }
    return c * pow(3.141592653589793, n) + 0.0;
}
""",
}


def export(scene: Scene, options: Options) -> str:
    """Return the function's source. Raises as `walk.code` does, and `UsageError` for a type."""
    real = options.real or "double"
    found = code(target_of(real), scene, options)
    if real == "float":
        warn_of_lost(scene, options)
    include = [included(options.header)] if options.header else []
    function = f"{described(found)}{signature(found, real)}\n{{\n{body(found)}}}\n"
    return "\n".join([*include, "#include <math.h>\n", *found.helpers, function])


def included(name: str) -> str:
    """Return the line that includes a header. Raises `UsageError` where no line can name it."""
    if not name.isprintable() or set(name) & set('"\\\\'):
        raise UsageError(
            f"no #include can name the header {name!r}", hint="give the file a plain name"
        )
    return f'#include "{name}"'


def header(scene: Scene, options: Options) -> str:
    """Return the header that declares the function. Raises as `export` does.

    That is for its own name too, before anything is written.
    """
    real = options.real or "double"
    found = code(target_of(real), scene, options)
    if options.header:
        included(options.header)
    guard = f"{found.name.upper()}_H"
    return (
        f"#ifndef {guard}\n#define {guard}\n\n"
        '#ifdef __cplusplus\nextern "C" {\n#endif\n\n'
        f"{described(found)}{signature(found, real)};\n\n"
        "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
    )


def described(found: Code) -> str:
    """Return the comment that says what the function gives."""
    by = [found.parameters.get(name) or plain(name) for one in found.gradients[:1] for name in one]
    if len(found.values) != 1:
        rows = f"; write a row of derivatives by {', '.join(by)} to grad for each" if by else ""
        return f"/* Write the values to out{rows}. */\n"
    if len(by) > 1:
        return f"/* Return the value; write its derivatives by {', '.join(by)} to grad. */\n"
    return f"/* Return the value{f'; write its derivative by {by[0]} to grad' if by else ''}. */\n"


def signature(found: Code, real: str) -> str:
    """Return the function's declaration."""
    parameters = [f"{real} {name}" for name in found.parameters.values()]
    several = len(found.values) != 1
    if several:
        parameters.append(f"{real} out[{len(found.values)}]")
    if found.gradients:
        rows = f"[{len(found.gradients)}]" if several else ""
        parameters.append(f"{real} grad{rows}[{len(found.gradients[0])}]")
    return f"{'void' if several else real} {found.name}({', '.join(parameters) or 'void'})"


def body(found: Code) -> str:
    """Return the statements; where there is no value there is no derivative."""
    lines = list(found.lines)
    if len(found.values) != 1:
        lines += [f"out[{k}] = {value};" for k, value in enumerate(found.values)]
        lines += rows(found)
    elif not found.gradients:
        lines.append(f"return {found.values[0]};")
    else:
        lines += graded(found)
    words = set(re.findall(r"\w+", " ".join(lines)))
    unused = [f"(void){name};" for name in found.parameters.values() if name not in words]
    return "".join(f"    {line}\n" for line in [*unused, *lines])


def graded(found: Code) -> list[str]:
    """Return the statements that write the gradient and return the value."""
    value = found.values[0]
    return [
        f"if (isnan({value})) {{ /* where there is no value there is no derivative */",
        *(f"    grad[{k}] = {value};" for k in range(len(found.gradients[0]))),
        f"    return {value};",
        "}",
        *(f"grad[{k}] = {slope};" for k, slope in enumerate(found.gradients[0].values())),
        f"return {value};",
    ]


def rows(found: Code) -> list[str]:
    """Return the statements that write the gradients of several outputs."""
    return [
        f"grad[{row}][{k}] = isnan({value}) ? {value} : {slope};"
        for row, (value, slopes) in enumerate(zip(found.values, found.gradients, strict=False))
        for k, slope in enumerate(slopes.values())
    ]


def warn_of_lost(scene: Scene, options: Options) -> None:
    """Warn of numbers that are 0 or infinite in 32 bits."""
    for node in scene.graph.needed(scene.outputs):
        value = scene.graph.literal(node)
        if value and not isinf(value) and as_float(value) in (0.0, inf, -inf):
            options.warn(f"{value:g} is {as_float(value):g} as a float")


@cache
def target_of(real: str) -> Target:
    """Return the target for a type of numbers. Raises `UsageError` where C has no such type."""
    if real not in REALS:
        hint = did_you_mean(real, REALS) or "known: double, float"
        raise UsageError(f"'{real}' is no type of real numbers", hint=hint)
    suffix = REALS[real]

    def library(op: Op) -> str | None:
        return f"{op.name}{suffix}" if op.name in LIBRARY else None

    def let(name: str, piece: Piece) -> str:
        return f"const {'int' if piece.truth else real} {name} = {piece.text};"

    def number(value: float) -> str:
        return number_of(value, real)

    return Target(
        name="c",
        title="C",
        signs=SIGNS,
        library=library,
        helpers={name: typed(source, real) for name, source in HELPERS.items()},
        number=number,
        as_number=Form(f"{{0:?11}} ? 1.0{suffix} : 0.0{suffix}", 10),
        as_truth=Form(f"{{0:51}} != 0.0{suffix}", 50, truth=True),
        identifier=plain,
        reserved=C | CALLED | LIBRARY | {f"{name}f" for name in LIBRARY} | {"grad", "out"},
        functions=C_FUNCTIONS,
        let=let,
        suffix=suffix,
    )


def typed(source: str, real: str) -> str:
    """Return C for doubles as C for the type."""
    suffix = REALS[real]
    text = re.sub(rf"\b({'|'.join([*LIBRARY, 'fmod', 'copysign'])})\(", rf"\1{suffix}(", source)
    return re.sub(r"(?<![\w.])(\d+\.\d*)", rf"\1{suffix}", text.replace("double ", f"{real} "))


def number_of(value: float, real: str) -> str:
    """Return a number with all its digits."""
    suffix = REALS[real]
    if real == "float":
        value = as_float(value)
    if value != value:
        return "NAN" if suffix else "(double)NAN"
    if isinf(value):
        return ("-" if value < 0 else "") + ("INFINITY" if suffix else "HUGE_VAL")
    return f"{shortest_float(value) if suffix else repr(value)}{suffix}"


def as_float(value: float) -> float:
    """Return the nearest number of 32 bits."""
    try:
        found: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return copysign(inf, value)
    return found


def shortest_float(value: float) -> str:
    """Return the fewest digits that mean a number of 32 bits."""
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    text = next((text for text in texts if as_float(float(text)) == value), repr(value))
    return repr(float(text))
