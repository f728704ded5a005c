"""The ops as functions on Python floats and on NumPy arrays: what `math` and NumPy do not give.

`basic` serves the rows of arithmetic, rounding, comparison and selection, `elementary` those of
powers, trigonometric and hyperbolic functions, `special` those of activations and special
functions; beside each lies the same for arrays, and `shared` has the formulas common to both.

On floats every function follows IEEE 754 and raises nothing: no value is NaN, too large is infinite
with the right sign, 1/0 is infinite with the sign of the zero, and a NaN argument gives NaN unless
the docstring says otherwise. Every run of the command line imports these modules, so they import
next to nothing.

On arrays the conventions are the same. Arguments are float64 arrays, NumPy scalars or Python
floats; they broadcast, and the result is float64. The evaluator silences NumPy's warnings. SciPy
takes long to import and is imported where it is used.
"""
