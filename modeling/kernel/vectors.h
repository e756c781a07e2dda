/* Eight doubles at a time: clang's vectors, which are lowered to whatever the processor has, and the
 * functions that the kernels need of them. Nothing here or there calls a mathematical library, whose
 * last bits differ between systems: square roots are rounded as IEEE 754 says, all else is computed
 * below in an order that no compiler may change. */
#pragma once

#include "freestanding.h"

enum { LANES = 8, GROUPS = 4 }; /* and so many of these where sums are made side by side */
typedef double vec __attribute__((ext_vector_type(LANES)));
typedef int64_t ivec __attribute__((ext_vector_type(LANES)));

#define INLINE static inline __attribute__((always_inline, unused))

INLINE vec all(double x) { return (vec)(x); }
INLINE vec load(const double *from) {
    vec x;
    memcpy(&x, from, sizeof x);
    return x;
}
/* One number from each of eight places. */
INLINE vec lanes_of(const double *const *from, int64_t at) {
    return (vec){from[0][at], from[1][at], from[2][at], from[3][at],
                 from[4][at], from[5][at], from[6][at], from[7][at]};
}
INLINE void store(double *to, vec x) { memcpy(to, &x, sizeof x); }
INLINE vec choose(ivec mask, vec yes, vec no) { return mask ? yes : no; }
/* A byte for each lane, 1 where the mask is set: the first one set is lane ctz / 8. */
INLINE uint64_t flags_of(ivec mask) {
    typedef int8_t small __attribute__((ext_vector_type(LANES)));
    small narrow = __builtin_convertvector(mask, small) & (small)(1);
    uint64_t found;
    memcpy(&found, &narrow, sizeof found);
    return found;
}
/* b where either is no number: one instruction. */
INLINE vec larger(vec a, vec b) { return a > b ? a : b; }
INLINE vec smaller(vec a, vec b) { return a < b ? a : b; }
INLINE double sum_of(vec x) {
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}
INLINE double most_of(vec x) {
    double found = x[0];
    for (int l = 1; l < LANES; l++) found = x[l] > found ? x[l] : found;
    return found;
}
INLINE vec root_of(vec x) {
    for (int l = 0; l < LANES; l++) x[l] = sqrt(x[l]);
    return x;
}

/* log of normal positive numbers, within an ulp: x = 2**e (1 + f), log(1 + f) = 2 atanh(f / (2 + f))
 * with the polynomial of fdlibm (Sun Microsystems, 1993). */
INLINE vec log_of(vec x) {
    const int64_t half = 0x3fe6a09e667f3bcdLL; /* sqrt(1/2) */
    ivec bits = (ivec)x, shifted = bits - half;
    ivec e = shifted >> 52;
    vec m = (vec)(bits - (e << 52));
    vec k = __builtin_convertvector(e, vec);
    vec f = m - 1.0, s = f / (2.0 + f), z = s * s, halved = 0.5 * f * f;
    vec r = z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 +
            z * (2.857142874366239149e-01 + z * (2.222219843214978396e-01 +
            z * (1.818357216161805012e-01 + z * (1.531383769920937332e-01 +
            z * 1.479819860511658591e-01))))));
    return k * 6.93147180369123816490e-01 -
           ((halved - (s * (halved + r) + k * 1.90821492927058770002e-10)) - f);
}

/* A product of normal positive numbers, which no double may hold: mantissa times 2**exponent. */
typedef struct {
    vec mantissa;
    ivec exponent;
} Product;
#define ONE ((Product){all(1.0), 0})

INLINE void times(Product *product, vec x) {
    ivec e = ((ivec)x - 0x3fe6a09e667f3bcdLL) >> 52;
    product->mantissa *= (vec)((ivec)x - (e << 52));
    product->exponent += e;
}
/* Of few factors, each of which is between sqrt(1/2) and sqrt(2) but for the exponent. */
INLINE vec log_of_product(Product product) {
    return log_of(product.mantissa) +
           __builtin_convertvector(product.exponent, vec) * 0.69314718055994530942;
}

/* Neighbours of so many numbers joined, the second ones times x. The number is known when this is
 * compiled, so that no loop is left. */
INLINE int joined(vec *part, int count, vec x) {
    for (int i = 0; i + 1 < count; i += 2) part[i / 2] = part[i] + part[i + 1] * x;
    if (count % 2) part[count / 2] = part[count - 1];
    return (count + 1) / 2;
}

/* The polynomial with these coefficients, at most 32, lowest first; neighbours are joined first so
 * that few operations wait for each other (Estrin, 1960). */
INLINE vec estrin(vec x, const double *of, int count) {
    vec part[16], square = x * x, fourth = square * square, eighth = fourth * fourth;
    for (int i = 0; i < count / 2; i++) part[i] = of[2 * i] + of[2 * i + 1] * x;
    if (count % 2) part[count / 2] = all(of[count - 1]);
    int left = joined(part, (count + 1) / 2, square);
    left = joined(part, left, fourth);
    left = joined(part, left, eighth);
    joined(part, left, eighth * eighth);
    return part[0];
}

/* exp, zero below -708: 2**k times the Taylor series of the rest. */
INLINE vec exp_of(vec x) {
    static const double of[] = {
        1.0, 1.0, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
        1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};
    ivec none = x < -708.0;
    x = smaller(larger(x, all(-708.0)), all(709.0));
    vec shift = x * 1.44269504088896338700 + 6755399441055744.0; /* 1.5 * 2**52 rounds */
    ivec k = (ivec)shift - (ivec)all(6755399441055744.0);
    vec n = shift - 6755399441055744.0;
    vec r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    vec p = estrin(r, of, 14);
    return (vec)(~none & ((ivec)p + (k << 52)));
}

/* 1 - exp(-x) for x >= 0, also where x is small. */
INLINE vec rest_of(vec x) {
    vec series = x * (1.0 - x * (0.5 - x * (1.0 / 6 - x * (1.0 / 24 - x * (1.0 / 120)))));
    return choose(x < 1e-3, series, 1.0 - exp_of(-x));
}

/* The standard normal distribution function within 2e-15: erfc(z) = t exp(-z**2 + f(u)) with t = 2
 * / (2 + z), u = 2 t - 1 and the Chebyshev expansion of f, computed with 40 digits and written in
 * powers of u (Schonfelder, "Chebyshev expansions for the error and related functions", Mathematics
 * of Computation 32, 1978). */
INLINE vec normals(vec x) {
    static const double of[] = {
        -0.6717940840566906, 0.6726432239776583, 0.04734330684142489, -0.04689561023132892,
        -0.00987268934319109, 0.008824938561312326, 0.0017589331171176884, -0.002345812552995894,
        -0.00014624252395767715, 0.0006736791352568864, -9.376035760297014e-05,
        -0.00017430412986925938, 7.149530982602198e-05, 3.174693542327236e-05,
        -3.0421097531594203e-05, 1.3989370477611051e-07, 8.952692300720023e-06,
        -2.963484230959699e-06, -1.7128780471140371e-06, 1.283394915356199e-06,
        1.5975482569412025e-07, -2.895626567435524e-07, 7.992047577730608e-10,
        2.980513364515168e-08};
    vec z = 0.70710678118654752440 * larger(x, -x), t = 2.0 / (2.0 + z);
    vec half = 0.5 * t * exp_of(estrin(2.0 * t - 1.0, of, 24) - z * z);
    return choose(x > 0.0, 1.0 - half, half);
}

/* The same of one number, whichever it is; those below 1e-300 have no logarithm but that of 0. */
INLINE double exp_one(double x) { return isnan(x) ? x : x > 709.0 ? INFINITY : exp_of(all(x))[0]; }
INLINE double log_one(double x) {
    if (x > 0 && x < INFINITY) return log_of(all(x))[0];
    return x == 0 ? -INFINITY : x > 0 || isnan(x) ? x : __builtin_nan("");
}

/* The nearest whole number, of two the even one. */
INLINE double rounded(double x) {
    const double whole = 4503599627370496.0; /* 2**52 */
    return !(fabs(x) < whole) ? x : x < 0 ? (x - whole) + whole : (x + whole) - whole;
}
