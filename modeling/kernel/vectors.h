/* Eight doubles at a time: GCC's vector extensions, which gcc, clang and zig lower to whatever the
 * processor has, and the functions that the kernels need of them. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8 };
typedef double vec __attribute__((vector_size(LANES * 8)));
typedef int64_t ivec __attribute__((vector_size(LANES * 8)));

#define INLINE static inline __attribute__((always_inline, unused))

INLINE vec all(double x) { return x - (vec){0}; }
INLINE vec load(const double *from) {
    vec x;
    memcpy(&x, from, sizeof x);
    return x;
}
INLINE void store(double *to, vec x) { memcpy(to, &x, sizeof x); }
INLINE vec choose(ivec mask, vec yes, vec no) {
    return (vec)((mask & (ivec)yes) | (~mask & (ivec)no));
}
INLINE vec larger(vec a, vec b) { return choose(a > b, a, b); }
INLINE vec smaller(vec a, vec b) { return choose(a < b, a, b); }
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

/* exp, zero below -708: 2**k times the Taylor series of the rest. */
INLINE vec exp_of(vec x) {
    ivec none = x < -708.0;
    x = smaller(larger(x, all(-708.0)), all(709.0));
    vec shift = x * 1.44269504088896338700 + 6755399441055744.0; /* 1.5 * 2**52 rounds */
    ivec k = (ivec)shift - (ivec)all(6755399441055744.0);
    vec n = shift - 6755399441055744.0;
    vec r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    vec p = all(1.0 / 6227020800.0);
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    return (vec)(~none & ((ivec)p + (k << 52)));
}

/* 1 - exp(-x) for x >= 0, also where x is small. */
INLINE vec rest_of(vec x) {
    vec series = x * (1.0 - x * (0.5 - x * (1.0 / 6 - x * (1.0 / 24 - x * (1.0 / 120)))));
    return choose(x < 1e-3, series, 1.0 - exp_of(-x));
}

/* The standard normal distribution function; beyond 38 deviations it is 0 or 1 in doubles. */
INLINE double normal(double x) {
    return x > 8.5 ? 1.0 : x < -38.5 ? 0.0 : 0.5 * erfc(-x * 0.70710678118654752440);
}
