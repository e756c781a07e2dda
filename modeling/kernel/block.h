/* Least squares of eight problems at a time, one lane each. */
#pragma once

#include "vectors.h"

/* What one fit needs beside its data: see `CoefficientSettings` and `Arithmetic`. */
typedef struct {
    double closest, lowest, highest, step, log_width, negative, dependent, tiny, residual, ratio;
    double strength;
    int64_t steps, positive;
} Rules;

/* Eight problems of k columns at p points: one lane each. */
typedef struct {
    int64_t k, p;
    double *columns, *work, *y, *magnitude, *deviation, *scale, *target, *value;
    vec *root; /* k x k */
    vec *coefficients, *rss, *base, *residual_top;
} Block;

/* `factor`: modified Gram-Schmidt, twice; the inverse of the triangle to b->root. The logarithm of
 * the volume is infinite where a column depends on others, which is zero then. */
static vec factored(const Block *b, const Rules *r, vec *upper) {
    const int64_t k = b->k, p = b->p;
    vec volume = all(0.0);
    for (int64_t j = 0; j < k; j++) {
        double *v = b->work + j * p * LANES;
        vec size = all(0.0);
        for (int64_t i = 0; i < p; i++) {
            vec x = load(v + i * LANES);
            size += x * x;
        }
        vec least = r->dependent * root_of(size) + r->tiny;
        for (int64_t i = 0; i < j; i++) upper[i * k + j] = all(0.0);
        for (int pass = 0; pass < (j ? 2 : 0); pass++)
            for (int64_t i = 0; i < j; i++) {
                const double *q = b->work + i * p * LANES;
                vec part = all(0.0);
                for (int64_t t = 0; t < p; t++) part += load(q + t * LANES) * load(v + t * LANES);
                upper[i * k + j] += part;
                for (int64_t t = 0; t < p; t++)
                    store(v + t * LANES, load(v + t * LANES) - part * load(q + t * LANES));
            }
        size = all(0.0);
        for (int64_t i = 0; i < p; i++) {
            vec x = load(v + i * LANES);
            size += x * x;
        }
        vec length = root_of(size), back;
        ivec own = length > least;
        upper[j * k + j] = length = choose(own, length, least);
        volume += choose(own, log_of(length), all(INFINITY));
        back = choose(own, 1.0 / length, all(0.0));
        for (int64_t i = 0; i < p; i++) store(v + i * LANES, load(v + i * LANES) * back);
    }
    for (int64_t j = 0; j < k; j++) {
        for (int64_t i = 0; i < k; i++) b->root[i * k + j] = all(0.0);
        b->root[j * k + j] = 1.0 / upper[j * k + j];
        for (int64_t i = j - 1; i >= 0; i--) {
            vec total = all(0.0);
            for (int64_t l = i + 1; l <= j; l++) total += upper[i * k + l] * b->root[l * k + j];
            b->root[i * k + j] = -total / upper[i * k + i];
        }
    }
    return volume;
}

/* How probable it is that coefficients of so many standard deviations are positive; those closer to
 * zero than `least` are zero. */
INLINE vec signs_of(vec x, double least) {
    return normals((vec)((ivec)x & (larger(x, -x) >= least)));
}

/* `coefficient_evidence`. */
static vec coefficient_evidence(const vec *c, const vec *noise, int64_t k, const Rules *r) {
    vec signs = all(1.0);
    Product sizes = ONE;
    for (int64_t i = 0; i < k; i++) {
        vec width = noise[i] + r->tiny, positive = signs_of(c[i] / width, r->strength);
        times(&sizes, larger(c[i] * c[i] + width * width, all(r->tiny)));
        signs *= (1 - r->negative) * positive + r->negative * (1.0 - positive);
    }
    return log_of(signs) - (double)k * r->log_width - 0.5 * log_of_product(sizes);
}

/* `fit_rows` of eight problems, with so many points of finite deviation. `top` is the point whose
 * residual is kept. */
static void fit_block(const Block *b, const Rules *r, int64_t top, vec volume, vec points) {
    const int64_t k = b->k, p = b->p;
    vec upper[k * k], noise[k];
    vec logs = all(0.0);
    for (int64_t i = 0; i < p; i++) {
        store(b->scale + i * LANES, load(b->magnitude + i * LANES));
        store(b->target + i * LANES, load(b->y + i * LANES));
    }
    for (int64_t step = 0;; step++) {
        for (int64_t i = 0; i < p; i++) {
            vec w = 1.0 / (load(b->scale + i * LANES) * load(b->deviation + i * LANES));
            for (int64_t j = 0; j < k; j++)
                store(b->work + (j * p + i) * LANES, load(b->columns + (j * p + i) * LANES) * w);
            store(b->target + i * LANES, load(b->target + i * LANES) * w);
        }
        logs = factored(b, r, upper);
        vec parts[k];
        for (int64_t j = 0; j < k; j++) {
            parts[j] = all(0.0);
            for (int64_t i = 0; i < p; i++)
                parts[j] += load(b->work + (j * p + i) * LANES) * load(b->target + i * LANES);
        }
        for (int64_t i = k - 1; i >= 0; i--) { /* not by the root, whose rounding values would show */
            vec left = parts[i];
            for (int64_t j = i + 1; j < k; j++) left -= upper[i * k + j] * b->coefficients[j];
            b->coefficients[i] = left / upper[i * k + i];
        }
        for (int64_t i = 0; i < p; i++) {
            vec value = all(0.0);
            for (int64_t j = 0; j < k; j++)
                value += b->coefficients[j] * load(b->columns + (j * p + i) * LANES);
            store(b->value + i * LANES, value);
        }
        if (!r->positive || step == r->steps) break;
        for (int64_t i = 0; i < p; i++) {
            vec y = load(b->y + i * LANES), value = load(b->value + i * LANES);
            vec off = log_of(y / larger(value, r->closest * y));
            vec scale = smaller(larger(value, r->lowest * y), r->highest * y);
            off = smaller(larger(off, all(-r->step)), all(r->step));
            store(b->scale + i * LANES, scale);
            store(b->target + i * LANES, value + scale * off);
        }
    }
    vec rss = all(0.0);
    for (int64_t i = 0; i < p; i++) {
        vec y = load(b->y + i * LANES), value = load(b->value + i * LANES);
        vec residual = r->positive ? log_of(larger(value / y, all(r->ratio)))
                                   : (y - value) / load(b->magnitude + i * LANES);
        if (i == top) *b->residual_top = residual;
        store(b->value + i * LANES, residual);
        residual = residual / load(b->deviation + i * LANES);
        rss += residual * residual;
    }
    rss = larger(rss, points * r->residual);
    const vec freedom = larger(points - (double)k, all(1.0));
    for (int64_t i = 0; i < k; i++) {
        vec size = all(0.0);
        for (int64_t j = i; j < k; j++) size += b->root[i * k + j] * b->root[i * k + j];
        noise[i] = root_of(rss / freedom * size);
    }
    *b->rss = rss;
    *b->base = coefficient_evidence(b->coefficients, noise, k, r) - logs - volume;
}

/* Log of the sum over levels of exp(base + constants[s] + rss * slopes[s]); each lane has constants
 * of its own. */
INLINE vec over_levels(vec base, vec rss, const double *const *constants, const double *slopes,
                       int64_t count) {
    vec found[count], top = all(-INFINITY), total = all(0.0);
    for (int64_t s = 0; s < count; s++) {
        found[s] = base + lanes_of(constants, s) + rss * slopes[s];
        top = larger(top, found[s]);
    }
    ivec some = top > -INFINITY;
    for (int64_t s = 0; s < count; s++) total += (vec)((ivec)exp_of(found[s] - top) & some);
    return choose(some, top + log_of(larger(total, all(1e-300))), all(-INFINITY));
}

/* Room for a block; NULL where there is none. */
static double *reserve(Block *b, vec *small, int64_t k, int64_t p) {
    double *room = malloc(sizeof(double) * LANES * (size_t)(2 * k * p + 6 * p));
    if (!room) return NULL;
    b->k = k, b->p = p;
    b->columns = room;
    b->work = b->columns + k * p * LANES;
    b->y = b->work + k * p * LANES;
    b->magnitude = b->y + p * LANES;
    b->deviation = b->magnitude + p * LANES;
    b->scale = b->deviation + p * LANES;
    b->target = b->scale + p * LANES;
    b->value = b->target + p * LANES;
    b->coefficients = small;
    b->rss = small + k, b->base = small + k + 1, b->residual_top = small + k + 2;
    b->root = small + k + 3;
    return room;
}
