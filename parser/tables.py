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
line 1 branched
line 3 branched
line 2 whiled
line 7 looped
branches 2 first_branch
branches 4 next_branch
test 2 recorded
if_word 1 record
loop_test 2 recorded
while_word 1 record
block 3 recorded
brace 1 record
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
primary 3 call_each
primary 2 array_each
primary 4 index
primary 2 transposed
arguments 2 nothing
arguments 3 inside
list 1 first
list 3 more
series 6 comprehension
series_item 3 recorded
series_start 1 record
row 6 comprehension
row_item 3 recorded
row_start 1 record
details 1 first
details 3 more
details 3 more
details 3 more
detail 3 keyword
detail 3 keyword
detail 3 keyword
detail 1 -
detail 1 -
detail 1 -
no_entries 2 empty
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
-3 $END SEPARATOR; 1 COEF; 2 for; 3 HEAD; 4 if; 5 input; 6 (; 7 [; 8 -; 9 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 14 while; 15 √; 16 atom; 17 branches; 18 chain; 19 choice; 20 coefficient; 21 comparison; 22 conjunction; 23 declaration; 24 disjunction; 25 factor; 26 header; 27 if_word; 28 line; 29 loop_test; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 38 start; 39 sum; 40 test; 41 unary; 42 while_word
-54 ( [ NAME NUMBER ROW √
43 NAME
44 (
-16 COEF ( [ - NAME not NUMBER + ROW √
45 NAME
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 47 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 48 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 49 list; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 50 coefficient; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 51 unary
-67 $END and @ ^ if [ - or % + } RELATION SEPARATOR / * SUPERSCRIPT .T; 52 EACH; 53 =; 54 (; 55 arguments; 56 series; 57 series_item; 58 series_start
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 20 coefficient; 21 comparison; 25 factor; 59 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-65 $END and @ ^ : , else for if { - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 60 coefficient; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 61 unary
-85 COEF ( [ - NAME not NUMBER + ROW √
-18 COEF ( [ - NAME not NUMBER + ROW √
6 (; 7 [; 46 NAME; 11 NUMBER; 13 ROW; 15 √; 62 atom; 32 primary; 35 row; 36 row_item; 37 row_start
-62 $END and @ ^ : , else for if { - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to
-9 $END } SEPARATOR; 63 else
-41 $END and : , else for if { or } ) ] SEPARATOR to; 64 RELATION
-8 $END } SEPARATOR
6 (; 7 [; 46 NAME; 11 NUMBER; 13 ROW; 15 √; 16 atom; 65 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start
-38 $END and : , else for if { or } ) ] SEPARATOR to
-34 $END : , else for if { or } ) ] SEPARATOR to; 66 and
-6 $END } SEPARATOR; 67 =
-32 $END : , for { } ) ] SEPARATOR to; 68 if; 69 or
-47 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 70 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 71 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-1 $END } SEPARATOR
72 {; 73 block; 74 brace
-36 $END and : , else for if { or } ) ] SEPARATOR to
-57 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
-64 $END and @ ^ : , else for if { - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to; 75 [; 76 .T
-44 $END and : , else for if { - or + } RELATION ) ] SEPARATOR to; 77 @; 78 %; 79 /; 80 *
-60 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to; 81 ^; 82 SUPERSCRIPT
83 ]
84 NAME
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 85 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
86 SEPARATOR; 38 $END
-40 $END and : , else for if { or } ) ] SEPARATOR to; 87 -; 88 +; 89 RELATION
72 {; 90 block; 74 brace
-52 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 91 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
92 in
93 NAME; 94 ); 95 parameters
-25 $END = } SEPARATOR; 96 :
-67 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T; 52 EACH; 54 (; 55 arguments; 56 series; 57 series_item; 58 series_start
97 )
-78 , ]
98 ,; 99 ]
-55 ( [ NAME NUMBER ROW √
-58 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
-82 COEF ( [ - NAME not NUMBER + ROW √
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 100 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 101 :; 6 (; 102 [; 8 -; 103 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 104 ); 105 STRING; 15 √; 106 ...; 16 atom; 107 bounds; 18 chain; 108 choice; 20 coefficient; 21 comparison; 22 conjunction; 109 detail; 110 details; 24 disjunction; 25 factor; 111 list; 30 negation; 112 no_entries; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 113 slice; 39 sum; 41 unary
-68 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
114 )
115 NAME
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 116 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-39 $END and : , else for if { or } ) ] SEPARATOR to
-56 ( [ NAME NUMBER ROW √
-59 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
-66 $END and @ ^ : , else for if { - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to
4 if; 72 {; 117 block; 74 brace; 27 if_word; 118 test
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 20 coefficient; 25 factor; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 119 sum; 41 unary
-53 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 20 coefficient; 21 comparison; 25 factor; 120 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 121 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 20 coefficient; 21 comparison; 22 conjunction; 122 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 20 coefficient; 21 comparison; 123 conjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-5 $END } SEPARATOR
-15 {
-20 COEF for HEAD if input ( [ - NAME not NUMBER + } ROW SEPARATOR while √
-11 $END } SEPARATOR
1 COEF; 2 for; 3 HEAD; 4 if; 5 input; 6 (; 7 [; 8 -; 9 NAME; 10 not; 11 NUMBER; 12 +; -3 } SEPARATOR; 13 ROW; 14 while; 15 √; 16 atom; 17 branches; 18 chain; 19 choice; 20 coefficient; 21 comparison; 22 conjunction; 23 declaration; 24 disjunction; 25 factor; 26 header; 27 if_word; 28 line; 29 loop_test; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 124 start; 39 sum; 40 test; 41 unary; 42 while_word
1 COEF; 101 :; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 106 ...; 16 atom; 107 bounds; 18 chain; 125 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 126 index; 30 negation; 127 part; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 128 slice; 39 sum; 41 unary
-75 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 20 coefficient; 129 factor; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 41 unary
6 (; 7 [; 130 -; 46 NAME; 11 NUMBER; 131 +; 13 ROW; 15 √; 16 atom; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 132 unary
6 (; 7 [; 130 -; 46 NAME; 11 NUMBER; 131 +; 13 ROW; 15 √; 16 atom; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 133 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 20 coefficient; 134 factor; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 41 unary
6 (; 7 [; 130 -; 46 NAME; 11 NUMBER; 131 +; 13 ROW; 15 √; 16 atom; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 135 unary
-63 $END and @ ^ : , else for if { - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to
-73 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
136 in
137 for
-3 $END } SEPARATOR; 1 COEF; 2 for; 3 HEAD; 4 if; 5 input; 6 (; 7 [; 8 -; 9 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 14 while; 15 √; 16 atom; 17 branches; 18 chain; 19 choice; 20 coefficient; 21 comparison; 22 conjunction; 23 declaration; 24 disjunction; 25 factor; 26 header; 27 if_word; 138 line; 29 loop_test; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 40 test; 41 unary; 42 while_word
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 20 coefficient; 25 factor; 31 power; 32 primary; 139 product; 34 raised; 35 row; 36 row_item; 37 row_start; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 20 coefficient; 25 factor; 31 power; 32 primary; 140 product; 34 raised; 35 row; 36 row_item; 37 row_start; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 20 coefficient; 25 factor; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 141 sum; 41 unary
-13 $END else } SEPARATOR
-17 {
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 142 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-23 , )
143 =
144 ,; 145 )
146 (; 147 shape
-70 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 148 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-71 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
-4 $END } SEPARATOR
1 COEF; -105 : , ) ]; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 149 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 150 ]; 15 √; 16 atom; 18 chain; 48 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 49 list; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-67 and @ ^ : , if [ - or % + RELATION ) / * SUPERSCRIPT .T; 52 EACH; 151 =; 54 (; 55 arguments; 56 series; 57 series_item; 58 series_start
-76 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
-93 , )
-101 , ) ]
152 :; -102 , ) ]
153 :; -78 , )
-86 , )
154 ,; 155 )
156 ,; 157 )
-94 , )
-95 , )
-72 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
158 in
159 for
-10 $END } SEPARATOR
72 {; 160 block; 74 brace
-43 $END and : , else for if { or } RELATION ) ] SEPARATOR to; 87 -; 88 +
-37 $END and : , else for if { or } ) ] SEPARATOR to
-7 $END } SEPARATOR
161 else; 69 or
-35 $END : , else for if { or } ) ] SEPARATOR to; 66 and
162 }; 86 SEPARATOR
153 :; -99 , ]
163 ,; 164 ]
-97 , ]
-100 , ]
-51 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
6 (; 7 [; 130 -; 46 NAME; 11 NUMBER; 131 +; 13 ROW; 15 √; 16 atom; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 51 unary
6 (; 7 [; 130 -; 46 NAME; 11 NUMBER; 131 +; 13 ROW; 15 √; 16 atom; 31 power; 32 primary; 34 raised; 35 row; 36 row_item; 37 row_start; 61 unary
-50 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
-49 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
-48 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
-61 $END and @ : , else for if { - or % + } RELATION ) ] SEPARATOR / * to
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 165 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-84 NAME
-2 $END } SEPARATOR
-46 $END and : , else for if { - or + } RELATION ) ] SEPARATOR to; 77 @; 78 %; 79 /; 80 *
-45 $END and : , else for if { - or + } RELATION ) ] SEPARATOR to; 77 @; 78 %; 79 /; 80 *
-42 $END and : , else for if { or } RELATION ) ] SEPARATOR to; 87 -; 88 +
166 to
-21 COEF ( [ - NAME not NUMBER + ROW √
167 NAME
168 =
169 NUMBER; 170 ); 171 sizes
-26 $END = } SEPARATOR
-79 , ]
-107 : , ) ]
-96 , )
1 COEF; 6 (; 102 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 172 STRING; 15 √; 16 atom; 18 chain; 173 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 174 no_entries; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; -103 , ) ]; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 175 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; -106 : , ) ]; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 176 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
1 COEF; 101 :; 6 (; 102 [; 8 -; 103 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 105 STRING; 15 √; 106 ...; 16 atom; 107 bounds; 18 chain; 177 choice; 20 coefficient; 21 comparison; 22 conjunction; 178 detail; 24 disjunction; 25 factor; 30 negation; 112 no_entries; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 113 slice; 39 sum; 41 unary
-69 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
1 COEF; 101 :; 6 (; 102 [; 8 -; 103 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 105 STRING; 15 √; 106 ...; 16 atom; 107 bounds; 18 chain; 179 choice; 20 coefficient; 21 comparison; 22 conjunction; 180 detail; 24 disjunction; 25 factor; 30 negation; 112 no_entries; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 113 slice; 39 sum; 41 unary
-77 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 181 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-81 NAME
-14 $END else } SEPARATOR
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 182 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-19 $END else } SEPARATOR
1 COEF; 101 :; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 106 ...; 16 atom; 107 bounds; 18 chain; 125 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 183 part; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 128 slice; 39 sum; 41 unary
-74 $END and @ ^ : , else for if { [ - or % + } RELATION ) ] SEPARATOR / * SUPERSCRIPT to .T
184 to
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 185 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-24 , )
-22 COEF ( [ - NAME not NUMBER + ROW √
-30 , )
-27 $END = } SEPARATOR
186 ,; 187 )
-91 , )
-90 , )
-92 , )
-104 , ) ]
-108 : , ) ]
153 :; -89 , )
-88 , )
153 :; -79 , )
-87 , )
188 to
-33 $END : , for { } ) ] SEPARATOR to
-98 , ]
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 189 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
72 {; 190 block; 74 brace
191 NUMBER; 192 )
-28 $END = } SEPARATOR
1 COEF; 6 (; 7 [; 8 -; 46 NAME; 10 not; 11 NUMBER; 12 +; 13 ROW; 15 √; 16 atom; 18 chain; 193 choice; 20 coefficient; 21 comparison; 22 conjunction; 24 disjunction; 25 factor; 30 negation; 31 power; 32 primary; 33 product; 34 raised; 35 row; 36 row_item; 37 row_start; 39 sum; 41 unary
-83 ]
-12 $END } SEPARATOR
-31 , )
-29 $END = } SEPARATOR
-80 )
"""
