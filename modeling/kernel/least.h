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

enum { ROOM = 64 };

/* The first of so many keys in ascending order, as many as are kept, and the errors beside them; no
 * two are alike, and there is room for full vectors of them. Each goes to the place whose number is
 * that of those that are less. */
static int64_t in_order_of(int64_t *keys, const double *errors, int64_t count, int64_t keep,
                           int64_t *to, double *kept) {
    const int64_t blocks = (count + LANES - 1) / LANES;
    ivec less[blocks];
    for (int64_t i = count; i < blocks * LANES; i++) keys[i] = INT64_MAX;
    for (int64_t b = 0; b < blocks; b++) less[b] = (ivec){0};
    for (int64_t i = 0; i < count; i++)
        for (int64_t b = 0; b < blocks; b++) {
            ivec own;
            memcpy(&own, keys + b * LANES, sizeof own);
            less[b] -= keys[i] < own;
        }
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = less[i / LANES][i % LANES];
        if (at < keep) to[at] = keys[i], kept[at] = errors[i];
    }
    return count < keep ? count : keep;
}

/* The least numbers so far of each lane. */
INLINE void among_least(vec x, vec *lanes, int64_t depth) {
    for (int64_t d = 0; d < depth; d++) {
        vec less = smaller(x, lanes[d]);
        x = larger(x, lanes[d]), lanes[d] = less;
    }
}

/* Writes the `keep` least keys in ascending order, of errors (H') of H hypotheses: their bits, whose
 * last ones give way to the place (see `least`). No error that is greater than the `keep`-th of the
 * `depth` least ones of each lane is among them but for the slack, and of the others there are few. */
INLINE void least_beside(const double *errors, int64_t count, int64_t keep, int64_t mask,
                         int64_t depth, const vec *lanes, const Again *again, int64_t *keys,
                         double *kept) {
    const int64_t room = 2 * keep < ROOM ? ROOM : 2 * keep;
    int64_t found[room + LANES], number = 0, bits;
    double error_of[room], limit = -INFINITY;
    for (int64_t d = 0; d < depth; d++) { /* the greatest of which fewer than `keep` are less */
        ivec less = (ivec){0};
        for (int64_t i = 0; i < depth; i++)
            for (int l = 0; l < LANES; l++) less -= lanes[i][l] < lanes[d];
        const double most = most_of(choose(less < keep, lanes[d], all(-INFINITY)));
        limit = most > limit ? most : limit;
    }
    limit += again->slack;
    memcpy(&bits, &limit, sizeof bits);
    bits |= mask;
    memcpy(&limit, &bits, sizeof limit);
    if (isnan(limit)) limit = INFINITY;
    for (int64_t start = 0; start < count; start += LANES) {
        uint64_t flags = flags_of(load(errors + start) <= limit);
        for (; flags; flags &= flags - 1) {
            const int64_t h = start + __builtin_ctzll(flags) / 8;
            if (h >= count) break;
            double error = errors[h];
            if (error < again->difference * again->scale[h]) error = again->error(again->of, h);
            if (number == room) { /* many are alike */
                number = in_order_of(found, error_of, number, keep, keys, kept);
                memcpy(found, keys, sizeof(int64_t) * (size_t)number);
                memcpy(error_of, kept, sizeof(double) * (size_t)number);
            }
            memcpy(&bits, &error, sizeof bits);
            found[number] = (bits & ~mask) | h, error_of[number++] = error;
        }
    }
    in_order_of(found, error_of, number, keep, keys, kept);
}

/* The same of errors whose least ones are not known yet. */
INLINE void least_of_lanes(const double *errors, int64_t count, int64_t keep, int64_t mask,
                           int64_t depth, const Again *again, int64_t *keys, double *kept) {
    vec lanes[depth];
    for (int64_t d = 0; d < depth; d++) lanes[d] = all(INFINITY);
    for (int64_t start = 0; start < count; start += LANES)
        among_least(load(errors + start), lanes, depth);
    least_beside(errors, count, keep, mask, depth, lanes, again, keys, kept);
}

static void least_of(const double *errors, int64_t count, int64_t keep, int64_t mask,
                     const Again *again, int64_t *keys, double *kept) {
    const int64_t depth = keep / LANES + 1;
    if (depth == 1) least_of_lanes(errors, count, keep, mask, 1, again, keys, kept);
    else if (depth == 2) least_of_lanes(errors, count, keep, mask, 2, again, keys, kept);
    else least_of_lanes(errors, count, keep, mask, depth, again, keys, kept);
}
