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
atom 1 -
atom 1 number
atom 2 sqrt
primary 1 name
primary 2 call
primary 4 call_with
primary 3 group
primary 3 array
primary 4 index
primary 2 transposed
arguments 2 nothing
arguments 3 inside
list 1 first
list 3 more
details 1 first
details 3 more
details 3 more
details 3 more
detail 3 keyword
detail 3 keyword
detail 1 -
detail 1 -
index 1 first
index 3 more
part 1 -
part 1 -
slice 1 -
slice 1 sliced
slice 2 sliced
slice 3 sliced
bounds 1 bounds
bounds 2 bounds
bounds 2 bounds
bounds 3 bounds
"""

STEPS = """\
-3 $END SEPARATOR; 1 COEF; 2 HEAD; 3 input; 4 (; 5 [; 6 -; 7 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 14 choice; 15 coefficient; 16 comparison; 17 conjunction; 18 declaration; 19 disjunction; 20 factor; 21 header; 22 line; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 28 start; 29 sum; 30 unary
-42 ( [ NAME NUMBER √
31 (
32 NAME
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 34 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 35 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 36 list; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 37 coefficient; 24 power; 25 primary; 27 raised; 38 unary
-55 $END and @ ^ if [ - or % + RELATION SEPARATOR / * SUPERSCRIPT .T; 39 =; 40 (; 41 arguments
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 20 factor; 42 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
-53 $END and @ ^ : , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 43 coefficient; 24 power; 25 primary; 27 raised; 44 unary
4 (; 5 [; 33 NAME; 9 NUMBER; 11 √; 45 atom; 25 primary
-50 $END and @ ^ : , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
-29 $END and : , else if or ) ] SEPARATOR; 46 RELATION
-8 $END SEPARATOR
4 (; 5 [; 33 NAME; 9 NUMBER; 11 √; 12 atom; 47 power; 25 primary; 27 raised
-26 $END and : , else if or ) ] SEPARATOR
-22 $END : , else if or ) ] SEPARATOR; 48 and
-6 $END SEPARATOR; 49 =
-20 $END : , ) ] SEPARATOR; 50 if; 51 or
-35 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 52 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
-1 $END SEPARATOR
-24 $END and : , else if or ) ] SEPARATOR
-45 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
-52 $END and @ ^ : , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT; 53 [; 54 .T
-32 $END and : , else if - or + RELATION ) ] SEPARATOR; 55 @; 56 %; 57 /; 58 *
-48 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *; 59 ^; 60 SUPERSCRIPT
61 SEPARATOR; 28 $END
-28 $END and : , else if or ) ] SEPARATOR; 62 -; 63 +; 64 RELATION
-40 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
65 NAME; 66 ); 67 parameters
-13 $END = SEPARATOR; 68 :
-55 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T; 40 (; 41 arguments
69 )
-64 , ]
70 ,; 71 ]
-43 ( [ NAME NUMBER √
-46 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 72 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 73 :; 4 (; 5 [; 6 -; 74 NAME; 8 not; 9 NUMBER; 10 +; 75 ); 76 STRING; 11 √; 77 ...; 12 atom; 78 bounds; 13 chain; 79 choice; 15 coefficient; 16 comparison; 17 conjunction; 80 detail; 81 details; 19 disjunction; 20 factor; 82 list; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 83 slice; 29 sum; 30 unary
-56 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
-27 $END and : , else if or ) ] SEPARATOR
-44 ( [ NAME NUMBER √
-47 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
-54 $END and @ ^ : , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 25 primary; 26 product; 27 raised; 84 sum; 30 unary
-41 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 20 factor; 85 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 86 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 17 conjunction; 87 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 15 coefficient; 16 comparison; 88 conjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
-5 $END SEPARATOR
1 COEF; 73 :; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 77 ...; 12 atom; 78 bounds; 13 chain; 89 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 90 index; 23 negation; 91 part; 24 power; 25 primary; 26 product; 27 raised; 92 slice; 29 sum; 30 unary
-61 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 93 factor; 24 power; 25 primary; 27 raised; 30 unary
4 (; 5 [; 94 -; 33 NAME; 9 NUMBER; 95 +; 11 √; 12 atom; 24 power; 25 primary; 27 raised; 96 unary
4 (; 5 [; 94 -; 33 NAME; 9 NUMBER; 95 +; 11 √; 12 atom; 24 power; 25 primary; 27 raised; 97 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 98 factor; 24 power; 25 primary; 27 raised; 30 unary
4 (; 5 [; 94 -; 33 NAME; 9 NUMBER; 95 +; 11 √; 12 atom; 24 power; 25 primary; 27 raised; 99 unary
-51 $END and @ ^ : , else if - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT
-3 $END SEPARATOR; 1 COEF; 2 HEAD; 3 input; 4 (; 5 [; 6 -; 7 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 14 choice; 15 coefficient; 16 comparison; 17 conjunction; 18 declaration; 19 disjunction; 20 factor; 21 header; 100 line; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 25 primary; 101 product; 27 raised; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 25 primary; 102 product; 27 raised; 30 unary
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 9 NUMBER; 10 +; 11 √; 12 atom; 15 coefficient; 20 factor; 24 power; 25 primary; 26 product; 27 raised; 103 sum; 30 unary
-11 , )
104 =
105 ,; 106 )
107 (; 108 shape
-58 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 109 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
-59 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
-4 $END SEPARATOR
1 COEF; -82 : , ) ]; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 110 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
-55 and @ ^ : , if [ - or % + RELATION ) / * SUPERSCRIPT .T; 111 =; 40 (; 41 arguments
-62 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
-72 , )
-78 , ) ]
112 :; -79 , ) ]
113 :; -64 , )
-66 , )
114 ,; 115 )
116 ,; 117 )
-73 , )
-31 $END and : , else if or RELATION ) ] SEPARATOR; 62 -; 63 +
-25 $END and : , else if or ) ] SEPARATOR
-7 $END SEPARATOR
118 else; 51 or
-23 $END : , else if or ) ] SEPARATOR; 48 and
113 :; -76 , ]
119 ,; 120 ]
-74 , ]
-77 , ]
-39 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
4 (; 5 [; 94 -; 33 NAME; 9 NUMBER; 95 +; 11 √; 12 atom; 24 power; 25 primary; 27 raised; 38 unary
4 (; 5 [; 94 -; 33 NAME; 9 NUMBER; 95 +; 11 √; 12 atom; 24 power; 25 primary; 27 raised; 44 unary
-38 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
-37 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
-36 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
-49 $END and @ : , else if - or % + RELATION ) ] SEPARATOR / *
-2 $END SEPARATOR
-34 $END and : , else if - or + RELATION ) ] SEPARATOR; 55 @; 56 %; 57 /; 58 *
-33 $END and : , else if - or + RELATION ) ] SEPARATOR; 55 @; 56 %; 57 /; 58 *
-30 $END and : , else if or RELATION ) ] SEPARATOR; 62 -; 63 +
-9 COEF ( [ - NAME not NUMBER + √
121 NAME
122 =
123 NUMBER; 124 ); 125 sizes
-14 $END = SEPARATOR
-65 , ]
-84 : , ) ]
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 126 STRING; 11 √; 12 atom; 13 chain; 127 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; -80 , ) ]; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 128 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; -83 : , ) ]; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 129 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 73 :; 4 (; 5 [; 6 -; 74 NAME; 8 not; 9 NUMBER; 10 +; 76 STRING; 11 √; 77 ...; 12 atom; 78 bounds; 13 chain; 130 choice; 15 coefficient; 16 comparison; 17 conjunction; 131 detail; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 83 slice; 29 sum; 30 unary
-57 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
1 COEF; 73 :; 4 (; 5 [; 6 -; 74 NAME; 8 not; 9 NUMBER; 10 +; 76 STRING; 11 √; 77 ...; 12 atom; 78 bounds; 13 chain; 132 choice; 15 coefficient; 16 comparison; 17 conjunction; 133 detail; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 83 slice; 29 sum; 30 unary
-63 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
1 COEF; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 12 atom; 13 chain; 134 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 24 power; 25 primary; 26 product; 27 raised; 29 sum; 30 unary
1 COEF; 73 :; 4 (; 5 [; 6 -; 33 NAME; 8 not; 9 NUMBER; 10 +; 11 √; 77 ...; 12 atom; 78 bounds; 13 chain; 89 choice; 15 coefficient; 16 comparison; 17 conjunction; 19 disjunction; 20 factor; 23 negation; 135 part; 24 power; 25 primary; 26 product; 27 raised; 92 slice; 29 sum; 30 unary
-60 $END and @ ^ : , else if [ - or % + RELATION ) ] SEPARATOR / * SUPERSCRIPT .T
-12 , )
-10 COEF ( [ - NAME not NUMBER + √
-18 , )
-15 $END = SEPARATOR
136 ,; 137 )
-71 , )
-70 , )
-81 , ) ]
-85 : , ) ]
113 :; -69 , )
-68 , )
113 :; -65 , )
-67 , )
-21 $END : , ) ] SEPARATOR
-75 , ]
138 NUMBER; 139 )
-16 $END = SEPARATOR
-19 , )
-17 $END = SEPARATOR
"""
