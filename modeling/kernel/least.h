/* The least of many errors, in the order of their bits. */
#pragma once

#include "vectors.h"

/* The square of what an orthonormal basis (k, P) leaves of values v. */
static double left_of(const double *basis, int64_t k, int64_t points, const double *v) {
    double left[points], total = 0.0;
    memcpy(left, v, sizeof left);
    for (int64_t i = 0; i < k; i++) {
        const double *q = basis + i * points;
        double dot = 0.0;
        for (int64_t t = 0; t < points; t++) dot += q[t] * left[t];
        for (int64_t t = 0; t < points; t++) left[t] -= dot * q[t];
    }
    for (int64_t t = 0; t < points; t++) total += left[t] * left[t];
    return total;
}

/* Errors are differences of sums: those below `difference` of their scale (H) are computed again, by
 * `error`, from what is left of the values. `slack` of rounding is left to the others. */
typedef struct {
    double (*error)(const void *of, int64_t h);
    const void *of;
    const double *scale;
    double difference, slack;
} Again;

/* Writes the `keep` least keys in ascending order, of errors (H') of H hypotheses: their bits, whose
 * last ones give way to the place (see `least`). No error that is greater than the `keep`-th of the
 * `depth` least ones of each lane is among them but for the slack, and of the others there are few. */
INLINE void least_of_lanes(const double *errors, int64_t count, int64_t keep, int64_t mask,
                           int64_t depth, const Again *again, int64_t *keys, double *kept) {
    vec lanes[depth];
    double some[depth * LANES], limit = INFINITY;
    int64_t found = 0;
    for (int64_t d = 0; d < depth; d++) lanes[d] = all(INFINITY);
    for (int64_t start = 0; start < count; start += LANES) {
        vec x = load(errors + start);
        for (int64_t d = 0; d < depth; d++) {
            vec less = smaller(x, lanes[d]);
            x = larger(x, lanes[d]), lanes[d] = less;
        }
    }
    for (int64_t i = 0; i < depth * LANES; i++) {
        double x = lanes[i / LANES][i % LANES];
        int64_t at = i;
        for (; at > 0 && some[at - 1] > x; at--) some[at] = some[at - 1];
        some[at] = x;
    }
    int64_t bits;
    limit = some[keep - 1] + again->slack;
    memcpy(&bits, &limit, sizeof bits);
    bits |= mask;
    memcpy(&limit, &bits, sizeof limit);
    if (isnan(limit)) limit = INFINITY;
    for (int64_t start = 0; start < count; start += LANES) {
        vec x = load(errors + start);
        uint64_t flags = bytes_of(x <= limit) & 0x0101010101010101;
        for (; flags; flags &= flags - 1) {
            int64_t h = start + __builtin_ctzll(flags) / 8, key, at = found;
            if (h >= count) break;
            double error = errors[h];
            if (error < again->difference * again->scale[h]) error = again->error(again->of, h);
            memcpy(&key, &error, sizeof key);
            key = (key & ~mask) | h;
            if (found == keep && key >= keys[keep - 1]) continue;
            if (found < keep) found++;
            else at--;
            for (; at > 0 && keys[at - 1] > key; at--)
                keys[at] = keys[at - 1], kept[at] = kept[at - 1];
            keys[at] = key, kept[at] = error;
        }
    }
}

static void least_of(const double *errors, int64_t count, int64_t keep, int64_t mask,
                     const Again *again, int64_t *keys, double *kept) {
    const int64_t depth = keep / LANES + 1;
    if (depth == 1) least_of_lanes(errors, count, keep, mask, 1, again, keys, kept);
    else if (depth == 2) least_of_lanes(errors, count, keep, mask, 2, again, keys, kept);
    else least_of_lanes(errors, count, keep, mask, depth, again, keys, kept);
}
