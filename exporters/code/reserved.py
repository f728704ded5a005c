"""Names that a language, its preprocessor or its library has, and generated code may not.

`C`, `JAVASCRIPT` and `PYTHON` are for no name in the code, `C_FUNCTIONS` for no function, though a
parameter may have them.
"""

from __future__ import annotations

import keyword


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


SUFFIXES = ("", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x")
"""What names end in that are there for more than one type of numbers."""

C_KEYWORDS = words(
    "alignas alignof auto bool break case char const constexpr continue default do double else "
    "enum extern false float for goto if inline int long main nullptr register restrict return "
    "short signed sizeof static static_assert struct switch thread_local true typedef typeof "
    "typeof_unqual union unsigned void volatile while asm"
)
"""Up to C23; those that begin with `_` are no names that code is given."""

CPP_KEYWORDS = words(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue contract_assert decltype default delete do double dynamic_cast else enum "
    "explicit export extern false float for friend goto if inline int long mutable namespace new "
    "noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires return short signed sizeof static static_assert static_cast struct "
    "switch template this thread_local throw true try typedef typeid typename union unsigned using "
    "virtual void volatile wchar_t while xor xor_eq"
)
"""Up to C++26: a header is read by C++ too."""

C_MACROS = words(
    "unix linux i386 sun sparc mips hpux vax "
    "INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL HUGE SNAN SNANF SNANL MAXFLOAT "
    "FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 FP_ILOGBNAN FP_LLOGB0 "
    "FP_LLOGBNAN FP_FAST_FMA FP_FAST_FMAF FP_FAST_FMAL FP_INT_UPWARD FP_INT_DOWNWARD "
    "FP_INT_TOWARDZERO FP_INT_TONEARESTFROMZERO FP_INT_TONEAREST "
    "MATH_ERRNO MATH_ERREXCEPT math_errhandling "
    "DOMAIN SING OVERFLOW UNDERFLOW TLOSS PLOSS X_TLOSS "
    "isgreater isgreaterequal isless islessequal islessgreater isunordered fpclassify isfinite "
    "isinf isnan isnormal signbit issignaling iscanonical issubnormal iszero iseqsig"
) | {
    f"M_{name}{suffix}"
    for name in words(
        "E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2 SQRT3 EGAMMA PHI "
        "1_SQRTPI 1_SQRT2PI SQRTPI 1_SQRT3"
    )
    for suffix in SUFFIXES
}
"""Macros of <math.h>, of C23, POSIX and GNU, and those that compilers define without a `_`."""

C_TYPES = words("float_t double_t")

C_MATH = words(
    "acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi canonicalize cbrt ceil "
    "compoundn copysign cos cosh cospi drem erf erfc exp exp10 exp10m1 exp2 exp2m1 expm1 fabs fdim "
    "finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmin fminimum "
    "fminimum_mag fminimum_mag_num fminimum_num fmod frexp fromfp fromfpx gamma gamma_r getpayload "
    "hypot ilogb isinf isnan j0 j1 jn ldexp lgamma lgamma_r llogb llrint llround log log10 log10p1 "
    "log1p log2 log2p1 logb logp1 lrint lround matherr modf nan nearbyint nextafter nextdown "
    "nexttoward nextup pow pow10 pown powr remainder remquo rint rootn round roundeven rsqrt scalb "
    "scalbln scalbn setpayload setpayloadsig significand sin sincos sinh sinpi sqrt tan tanh tanpi "
    "tgamma totalorder totalordermag trunc ufromfp ufromfpx y0 y1 yn"
)
"""Functions of <math.h>, which are there for `double`."""

C_LIBRARY = words(
    "signgam lgammaf_r lgammal_r gammaf_r gammal_r "
    "fadd faddl daddl fsub fsubl dsubl fmul fmull dmull fdiv fdivl ddivl fsqrt fsqrtl "
    "dsqrtl ffma ffmal dfmal "
    # <stdlib.h>
    "abort abs aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc div exit "
    "free free_sized getenv labs ldiv llabs lldiv malloc mblen mbstowcs mbtowc memalignment qsort "
    "quick_exit rand random realloc setenv srand srandom strfromd strfromf strfroml strtod strtof "
    "strtol strtold strtoll strtoul strtoull system wcstombs wctomb "
    # <string.h>, <strings.h>
    "bcmp bcopy bzero ffs ffsl ffsll index memccpy memchr memcmp memcpy memmove mempcpy memset "
    "memset_explicit rindex stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn "
    "strdup strerror strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr "
    "strspn strstr strtok strxfrm "
    # <stdio.h>
    "clearerr dprintf fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc "
    "fputc_unlocked fputs fputs_unlocked fread freopen fscanf fseek fsetpos ftell fwrite "
    "fwrite_unlocked getc getchar gets perror printf printf_unlocked putc putchar "
    "putchar_unlocked puts puts_unlocked remove rename rewind scanf setbuf setvbuf snprintf "
    "sprintf sscanf tmpfile tmpnam ungetc vfprintf vfscanf vprintf vscanf vsnprintf vsprintf "
    "vsscanf fprintf_unlocked "
    # <ctype.h>, <wctype.h>, <wchar.h>, <inttypes.h>
    "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace "
    "isupper isxdigit toascii tolower toupper iswalnum iswalpha iswblank iswcntrl iswdigit "
    "iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit towlower towupper imaxabs "
    "imaxdiv strtoimax strtoumax "
    # <complex.h>
    "cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow "
    "cproj creal csin csinh csqrt ctan ctanh cexp2 cexpm1 cerf cerfc clog1p clog2 clgamma ctgamma "
    # <time.h>, <signal.h>, <setjmp.h>, <locale.h>, <assert.h>, <fenv.h>
    "asctime clock ctime difftime gmtime localtime mktime strftime strfmon time timegm "
    "timespec_get raise signal longjmp setjmp localeconv setlocale assert feclearexcept "
    "fegetenv fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv fesetexceptflag "
    "fesetround fetestexcept feupdateenv "
    # POSIX, and what compilers know
    "accept access alarm alloca bind brk chdir chmod chown close connect dcgettext dgettext dup "
    "dup2 environ errno execl execle execlp execv execve execvp ffs fork gettext getpid ioctl kill "
    "link listen lseek mkdir mmap munmap nice open pause pipe poll read recv rmdir sbrk select "
    "send sleep socket stat sync truncate umask uname unlink usleep vfork wait waitpid write"
)
"""Functions and variables of the standard library besides."""

C = C_KEYWORDS | CPP_KEYWORDS | C_MACROS | C_TYPES

C_FUNCTIONS = C_LIBRARY | {
    f"{name}{suffix}"
    for name in {*C_MATH, *(name for name in C_LIBRARY if name[0] == "c")}
    for suffix in SUFFIXES
}

JAVASCRIPT = words(
    "arguments await break case catch class const continue debugger default delete do else enum "
    "eval export extends false finally for function if implements import in instanceof interface "
    "let new null package private protected public return static super switch this throw true try "
    "typeof undefined var void while with yield Math Number NaN Infinity"
)
"""Words that a module keeps for itself, and the globals that the code uses."""

PYTHON = frozenset(keyword.kwlist) | {"__debug__"}
"""What Python lets nobody assign."""
