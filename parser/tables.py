"""The LALR tables of grammar.lark, made by `make tables`: not for editing.

RULES: the symbol that a rule makes, from how many values, and its action; `-` hands the value up.
STEPS: a line a state, of steps and the symbols at which they are taken: on to state n >= 0, or back
by rule ~n. They are text because only the states that a formula visits are ever read.
"""

# ruff: noqa: E501

RULES = """\
start 1 -
start 3 lines
line 0 blank
line 3 assign
line 2 define
line 1 declared
line 3 default
line 1 output
header 4 header
header 5 header
parameters 1 first
parameters 3 more
declaration 2 declare
declaration 4 declare
shape 2 nothing
shape 3 inside
shape 4 inside
sizes 1 first
sizes 3 more
choice 1 -
choice 5 choose
disjunction 1 -
disjunction 3 or
conjunction 1 -
conjunction 3 and
negation 1 -
negation 2 not
comparison 1 -
comparison 1 compared
chain 3 compare
chain 3 compare_on
sum 1 -
sum 3 add
sum 3 sub
product 1 -
product 3 mul
product 3 div
product 3 mod
product 3 matmul
factor 1 -
factor 2 scale
coefficient 1 -
coefficient 2 flip
coefficient 2 plus
unary 1 -
unary 2 neg
unary 2 plus
power 1 -
power 3 pow
raised 1 -
raised 2 superscript
atom 1 name
atom 1 number
atom 2 call
atom 3 group
atom 3 array
atom 2 sqrt
arguments 2 nothing
arguments 3 inside
list 1 first
list 3 more
"""

STEPS = """\
-3 $END SEPARATOR; 1 COEF; 2 HEAD; 3 input; 4 (; 5 [; 6 -; 7 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 14 choice; 15 coefficient; 16 comparison; 17 conjunction; 18 declaration; 19 disjunction; 20 factor; 21 header; 22 line; 23 negation; 24 power; 25 product; 26 raised; 27 start; 28 sum; 29 unary
-42 ( [ NAME NUMBER √
30 (
31 NAME
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 33 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 34 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 35 list; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 36 coefficient; 24 power; 26 raised; 37 unary
-52 $END and @ ^ if - or % + RELATION SEPARATOR / * SUPERSCRIPT; 38 =; 39 (; 40 arguments
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 20 factor; 41 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
-53 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 42 coefficient; 24 power; 26 raised; 43 unary
4 (; 5 [; 32 NAME; 9 NUMBER; 11 √; 44 atom
-50 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
-29 $END and , else if or ) ] SEPARATOR; 45 RELATION
-8 $END SEPARATOR
4 (; 5 [; 32 NAME; 9 NUMBER; 11 √; 12 atom; 46 power; 26 raised
-26 $END and , else if or ) ] SEPARATOR
-22 $END , else if or ) ] SEPARATOR; 47 and
-6 $END SEPARATOR; 48 =
-20 $END , ) ] SEPARATOR; 49 if; 50 or
-35 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 51 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
-1 $END SEPARATOR
-24 $END and , else if or ) ] SEPARATOR
-45 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
-32 $END and , else if - or + RELATION ) ] SEPARATOR; 52 @; 53 %; 54 /; 55 *
-48 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *; 56 ^; 57 SUPERSCRIPT
58 SEPARATOR; 27 $END
-28 $END and , else if or ) ] SEPARATOR; 59 -; 60 +; 61 RELATION
-40 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
62 NAME; 63 ); 64 parameters
-13 $END = SEPARATOR; 65 :
-52 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT; 39 (; 40 arguments
66 )
-60 , ) ]
67 ,; 68 ]
-43 ( [ NAME NUMBER √
-46 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 69 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 70 ); 11 √; 12 atom; 13 chain; 34 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 71 list; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
-54 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
-27 $END and , else if or ) ] SEPARATOR
-44 ( [ NAME NUMBER √
-47 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
-57 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 25 product; 26 raised; 72 sum; 29 unary
-41 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 20 factor; 73 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 74 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 17 conjunction; 75 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 76 conjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
-5 $END SEPARATOR
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 77 factor; 24 power; 26 raised; 29 unary
4 (; 5 [; 78 -; 32 NAME; 9 NUMBER; 79 +; 11 √; 12 atom; 24 power; 26 raised; 80 unary
4 (; 5 [; 78 -; 32 NAME; 9 NUMBER; 79 +; 11 √; 12 atom; 24 power; 26 raised; 81 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 82 factor; 24 power; 26 raised; 29 unary
4 (; 5 [; 78 -; 32 NAME; 9 NUMBER; 79 +; 11 √; 12 atom; 24 power; 26 raised; 83 unary
-51 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
-3 $END SEPARATOR; 1 COEF; 2 HEAD; 3 input; 4 (; 5 [; 6 -; 7 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 14 choice; 15 coefficient; 16 comparison; 17 conjunction; 18 declaration; 19 disjunction; 20 factor; 21 header; 84 line; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 85 product; 26 raised; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 86 product; 26 raised; 29 unary
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 25 product; 26 raised; 87 sum; 29 unary
-11 , )
88 =
89 ,; 90 )
91 (; 92 shape
-55 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 93 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
-56 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
-4 $END SEPARATOR
-58 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
67 ,; 94 )
-31 $END and , else if or RELATION ) ] SEPARATOR; 59 -; 60 +
-25 $END and , else if or ) ] SEPARATOR
-7 $END SEPARATOR
95 else; 50 or
-23 $END , else if or ) ] SEPARATOR; 47 and
-39 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
4 (; 5 [; 78 -; 32 NAME; 9 NUMBER; 79 +; 11 √; 12 atom; 24 power; 26 raised; 37 unary
4 (; 5 [; 78 -; 32 NAME; 9 NUMBER; 79 +; 11 √; 12 atom; 24 power; 26 raised; 43 unary
-38 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
-37 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
-36 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
-49 $END and @ , else if - or % + RELATION ) ] SEPARATOR / *
-2 $END SEPARATOR
-34 $END and , else if - or + RELATION ) ] SEPARATOR; 52 @; 53 %; 54 /; 55 *
-33 $END and , else if - or + RELATION ) ] SEPARATOR; 52 @; 53 %; 54 /; 55 *
-30 $END and , else if or RELATION ) ] SEPARATOR; 59 -; 60 +
-9 COEF ( [ - NAME not NUMBER + √
96 NAME
97 =
98 NUMBER; 99 ); 100 sizes
-14 $END = SEPARATOR
-61 , ) ]
-59 $END and @ ^ , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
1 COEF; 4 (; 5 [; 6 -; 32 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 101 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 product; 26 raised; 28 sum; 29 unary
-12 , )
-10 COEF ( [ - NAME not NUMBER + √
-18 , )
-15 $END = SEPARATOR
102 ,; 103 )
-21 $END , ) ] SEPARATOR
104 NUMBER; 105 )
-16 $END = SEPARATOR
-19 , )
-17 $END = SEPARATOR
"""
