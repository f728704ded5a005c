"""Functions that JavaScript's Math lacks, by the ops that they are: put before code that uses them.

They keep 13 digits. erf is its series of positive terms (DLMF 7.6.2), erfc beyond 2 the continued
fraction 7.9.1; gamma and lgamma are Stirling's series 5.11.1 from 10 on, lower ones by recurrence
and reflection, lgamma near its zeros by its Taylor series 5.7.3; digamma is 5.11.2, likewise.
"""

from __future__ import annotations

from ...autodiff.ops.forms.shared import lgamma_series

SERIES = ",\n  ".join(map(repr, lgamma_series()))

HELPERS = {
    "digamma": """\
// The derivative of lgamma.
function digamma(x) {
  let sum = 0;
  if (!(x > 0)) {
    if (x === Math.floor(x)) {
      return NaN;
    }
    sum = -Math.PI / Math.tan(Math.PI * (x - Math.floor(x)));
    x = 1 - x;
  }
  for (; x < 10; x += 1) {
    sum -= 1 / x;
  }
  const f = 1 / (x * x);
  const far = 1 / 240 - f * (1 / 132 - f * (691 / 32760 - f / 12));
  const near = 1 / 12 - f * (1 / 120 - f * (1 / 252 - f * far));
  return sum + Math.log(x) - 0.5 / x - f * near;
}
""",
    "mod": """\
// The remainder of floored division: it has the sign of y.
function mod(x, y) {
  const r = x % y;
  return r !== 0 && r < 0 !== y < 0 ? r + y : r;
}
""",
    "erf": """\
// The error function.
function erf(x) {
  if (Math.abs(x) > 6) {
    return Math.sign(x);
  }
  let term = x;
  let sum = x;
  for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum); k += 1) {
    term *= (2 * x * x) / (2 * k + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
""",
    "erfc": """\
// 1 less the error function, with its digits in the tail.
function erfc(x) {
  if (!(x > 2)) {
    return 1 - erf(x);
  }
  let rest = 0;
  for (let k = 120; k > 0; k -= 1) {
    rest = k / 2 / (x + rest);
  }
  return x > 40 ? 0 : Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + rest);
}
""",
    "stirling": """\
// The logarithm of gamma at x >= 10.
function stirling(x) {
  const coefficients = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
  let sum = 0;
  for (let k = coefficients.length - 1; k >= 0; k -= 1) {
    sum = sum / x / x + coefficients[k];
  }
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + sum / x;
}
""",
    "gamma": """\
// The gamma function.
function gamma(x) {
  if (x < 0.5) {
    const r = x - Math.floor(x);
    const sine = Math.sin(Math.PI * Math.min(r, 1 - r)) * (Math.floor(x) % 2 === 0 ? 1 : -1);
    return x === 0 ? 1 / x : r === 0 ? NaN : Math.PI / sine / gamma(1 - x);
  }
  let product = 1;
  let y = x;
  while (y < 10) {
    product *= y;
    y += 1;
  }
  return x > 171.7 ? Infinity : Math.exp(stirling(y)) / product;
}
""",
    "lgamma_at_2": f"""\
// The Taylor coefficients of lgamma at 2, the last first.
const LGAMMA_SERIES = [
  {SERIES},
];

// lgamma at 2 + d, where d is at most 1/2 in size.
function lgamma_at_2(d) {{
  return LGAMMA_SERIES.reduce((sum, c) => d * (c + sum), 0);
}}
""",
    "lgamma": """\
// The logarithm of the absolute value of gamma.
function lgamma(x) {
  if (x < 0.5) {
    const r = x - Math.floor(x);
    const sine = Math.sin(Math.PI * Math.min(r, 1 - r));
    return x === -Infinity ? Infinity : Math.log(Math.PI / Math.abs(sine)) - lgamma(1 - x);
  }
  if (x < 2.5) {
    return x < 1.5 ? lgamma_at_2(x - 1) - Math.log1p(x - 1) : lgamma_at_2(x - 2);
  }
  let product = 1;
  let y = x;
  while (y < 10) {
    product *= y;
    y += 1;
  }
  return x === Infinity ? x : stirling(y) - Math.log(product);
}
""",
}
