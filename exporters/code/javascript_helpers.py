"""Functions that JavaScript's Math lacks, by the ops that they are: put before code that uses them.

They keep 13 digits. erf is its series of positive terms (DLMF 7.6.2), erfc beyond 2 the continued
fraction 7.9.1; gamma and lgamma are Stirling's series 5.11.1 from 10 on, lower ones by recurrence
and reflection, lgamma near its zeros by its Taylor series 5.7.3; digamma is 5.11.2, likewise.
"""

from __future__ import annotations

from ...autodiff.ops.forms.shared import STIRLING, lgamma_series

BERNOULLI = ",\n    ".join(map(repr, STIRLING))
SERIES = ",\n  ".join(map(repr, lgamma_series()))

HELPERS = {
    "digamma": """\
// The derivative of lgamma.
function digamma(x) {
  let sum = 0;
  if (!(x > 0)) {
    const r = x - Math.round(x);
    if (r === 0) {
      return NaN;
    }
    sum = -Math.PI / Math.tan(Math.PI * r);
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
  if (r === 0) {
    return y < 0 ? -0 : 0;
  }
  return r < 0 !== y < 0 ? r + y : r;
}
""",
    "pow": """\
// x to the power y, also 1 to an infinite power or to none.
function pow(x, y) {
  return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : Math.pow(x, y);
}
""",
    "direction": """\
// x/hypot(x, y), the derivative of hypot by x, with its limits at infinity.
function direction(x, y) {
  if (Math.abs(x) === Infinity) {
    return Math.abs(y) < Infinity ? Math.sign(x) : NaN;
  }
  if (Math.abs(y) === Infinity) {
    return x / Math.abs(y);
  }
  const length = Math.hypot(x, y);
  if (length > 1e-290 && length < Infinity) {
    return x / length;
  }
  const size = Math.max(Math.abs(x), Math.abs(y));
  return x / size / Math.hypot(x / size, y / size);
}
""",
    "dpow": """\
// x^y*log(x), the derivative of x^y by y: 0 where x^y is, and at x = 0 for y >= 0.
function dpow(x, y) {
  const power = pow(x, y);
  if (x === 0 ? y >= 0 : x > 0 && power === 0) {
    return 0;
  }
  return power * Math.log(x);
}
""",
    "dsinc": """\
// The n-th derivative of sin(pi x)/(pi x), by the recurrence that each is from the one before:
// upwards from the first for n below pi |x|, else downwards.
function dsinc(n, x) {
  if (!(n >= 0 && n <= 600) || n !== Math.floor(n) || Number.isNaN(x)) {
    return NaN;
  }
  if (Math.abs(x) === Infinity) {
    return 0;
  }
  const z = Math.PI * x;
  const whole = Math.round(x);
  const turned = whole % 2 === 0 ? 1 : -1;
  const sine = turned * Math.sin(Math.PI * (x - whole));
  const cosine = turned * Math.cos(Math.PI * (x - whole));
  const waves = [sine, cosine, -sine, -cosine];
  let c = 0;
  if (n < Math.abs(z)) {
    c = sine / Math.PI / x;
    for (let k = 1; k <= n; k += 1) {
      c = (waves[k % 4] - k * c) / Math.PI / x;
    }
  } else {
    for (let k = 2 * n + 40; k > n; k -= 1) {
      c = (waves[k % 4] - z * c) / k;
    }
  }
  return c * Math.PI ** n + 0;
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
    const r = x - Math.round(x);
    if (r === 0) {
      return x === 0 ? 1 / x : NaN;
    }
    const sine = Math.sin(Math.PI * r) * (Math.round(x) % 2 === 0 ? 1 : -1);
    if (x < -170) {
      return Math.sign(sine) * Math.exp(Math.log(Math.PI / Math.abs(sine)) - stirling(1 - x));
    }
    return Math.PI / sine / gamma(1 - x);
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
    "polygamma_size": f"""\
// n! zeta(n + 1, x) for n > 0 and x > 0, by Euler and Maclaurin: DLMF 25.11.5.
function polygamma_size(n, x) {{
  const coefficients = [
    {BERNOULLI},
  ];
  const a = x + 10;
  let tail = 1 / n + 0.5 / a;
  let factor = (n + 1) / a / a;
  coefficients.forEach((c, k) => {{
    const m = 2 * k + 2;
    tail += c * factor;
    factor *= (((n + m) / a) * ((n + m + 1) / a)) / (m * (m + 1));
  }});
  let sum = (x / a) ** n * tail;
  for (let k = 9; k >= 0; k -= 1) {{
    sum += (x / (x + k)) ** n / (x + k);
  }}
  if (x === Infinity) {{
    return 0;
  }}
  if (n > 170) {{
    return Math.exp(lgamma(n + 1) - n * Math.log(x)) * sum;
  }}
  const half = x ** (-0.5 * n);
  return gamma(n + 1) * half * half * sum;
}}
""",
    "polygamma": """\
// The n-th derivative of digamma, by reflection where x is not positive.
function polygamma(n, x) {
  if (n === 0) {
    return digamma(x);
  }
  if (!(n > 0 && n < Infinity) || n !== Math.floor(n) || !(x > -Infinity)) {
    return NaN;
  }
  const odd = n % 2 !== 0;
  const sign = odd ? 1 : -1;
  if (x > 0) {
    return sign * polygamma_size(n, x);
  }
  const r = x - Math.round(x);
  if (r === 0) {
    return odd ? Infinity : NaN;
  }
  const [u, v] = r > 0 ? [r, 1 - r] : [1 + r, -r];
  return sign * polygamma_size(n, u) + polygamma_size(n, v) - polygamma_size(n, 1 - x);
}
""",
    "lgamma": """\
// The logarithm of the absolute value of gamma.
function lgamma(x) {
  if (Math.abs(x) < 1e-300) {
    return -Math.log(Math.abs(x));
  }
  if (x < 0.5) {
    const r = x - Math.round(x);
    if (r === 0 || x === -Infinity) {
      return Infinity;
    }
    return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * r))) - lgamma(1 - x);
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
