/* Candidates of a batch of series: what they have in common, their fits, and the best of these. */
#pragma once

#include "block.h"

/* What the candidates of a batch have in common: see `Batch`. */
typedef struct {
    int64_t series, points, beyond, parameters, profiles, levels, top, outlier, complete;
    const double *const *tables, *const *far;
    const double *y, *magnitude;     /* (K, P) */
    const double *deviation, *volume; /* (K, V, P), infinite where a point does not count; (K, V) */
    const double *counts, *least;    /* (K): points that count */
    const double *constants; /* (K, V, S): all of a level's evidence but base and rss */
    const double *slopes;    /* (S): -1 / (2 s**2) */
    const uint8_t *nonnegative;
    double largest, rounding;
} Shared;

/* Fits of hypotheses of one size: codes (K, n, k, m), prior (K, n); base, rss, log_weight (K, n,
 * V), coefficients (.., k), root (.., k, k), beyond (.., F); constants (K, V, S) of the levels. */
typedef struct {
    int64_t n, k;
    const int64_t *codes;
    const double *prior, *base, *rss, *log_weight, *coefficients, *root, *beyond, *constants;
} Fits;

typedef struct {
    int64_t series, profiles, levels, parameters, beyond, groups, kept, most;
    const Fits *fits;
    const double *const *far;                    /* (T, F) of each parameter */
    const double *slopes, *log_sigmas;           /* (S) */
    const int64_t *numbers;                      /* (V) of the profiles */
    double equal, rounding; /* difference of equal log weights, and of a value and its parts */
} Gathering;

/* As many numbers as are found are written where these point. */
typedef struct {
    int64_t *codes;
    double *coefficients, *root, *beyond;
    int64_t *lead;
    double *prior, *sigma;
    int64_t *profile;
    double *evidence;
} Gathered;

int fit_candidates(int64_t n, int64_t k, const int64_t *codes, const double *prior,
                   const double *least, const double *straight, const Shared *shared,
                   const Rules *rules, double *base, double *rss, double *log_weight,
                   double *coefficients, double *root, double *beyond);
int gather(const Gathering *gathering, const Gathered *found);
