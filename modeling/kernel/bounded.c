/* One round of adaptive importance sampling under bounded noise (see `evidence.bounded_noise`). */

#include "vectors.h"

/* What the laws of one size have in common: (N) laws of k coefficients at p points. */
typedef struct {
    int64_t k, points, far, laws, samples, cells;
    const double *columns, *beyond, *counts, *lows, *highs, *prior, *total, *noise;
    const int64_t *kind;                   /* (N): row of `above` */
    const uint8_t *nonnegative;
    const double *z, *log_density;         /* (k, M), (M) */
    const double *density, *edges, *above; /* (cells), logs (cells + 1), (kinds, cells) */
    double first_edge, negative, log_width, tiny, value, clipped, good, tempered, tempering, kept;
    double correlation;
    int64_t equal, rounds;
} Sampling;

/* Logarithms that all samples of a law have in common: of the prior of signs, and of the number of
 * observations. */
typedef struct {
    double yes, no, total;
} Logs;

/* Log target and least half width of eight samples (at, k) of law n. */
static vec target(const Sampling *s, int64_t n, const Logs *log, const vec *at, vec *width) {
    const int64_t p = s->points, laws = s->laws;
    vec most = all(0.0), least = all(INFINITY), product = all(1.0), logs = all(0.0);
    ivec possible = at[0] == at[0];
    for (int64_t i = 0; i < p; i++) {
        vec value = all(0.0);
        for (int64_t j = 0; j < s->k; j++) value += at[j] * s->columns[(j * p + i) * laws + n];
        possible &= value > 0.0;
        value = larger(value, all(s->value));
        if (s->equal) product *= value;
        else logs += s->counts[i * laws + n] * log_of(value);
        vec back = 1.0 / value;
        least = smaller(least, s->lows[i * laws + n] * back);
        most = larger(most, s->highs[i * laws + n] * back);
    }
    vec h = larger(most - 1.0, 1.0 - least);
    if (s->equal) logs = s->counts[n] * log_of(larger(product, all(s->tiny)));
    vec sign = all(0.0), sizes = all(1.0);
    for (int64_t j = 0; j < s->k; j++) {
        double noise = s->noise[j * laws + n];
        sign += choose(at[j] > 0.0, all(log->yes), all(log->no));
        sizes *= at[j] * at[j] + noise * noise;
    }
    vec size = 0.5 * log_of(larger(sizes, all(s->tiny))) + (double)s->k * s->log_width;
    double total = s->total[n], last = s->edges[s->cells];
    vec x = log_of(larger(h, all(s->first_edge)));
    x = smaller(larger(x, all(s->edges[0])), all(last));
    double step = (last - s->edges[0]) / (double)s->cells;
    vec density, edge, above;
    ivec places = __builtin_convertvector((x - s->edges[0]) / step, ivec);
    const double *sums = s->above + s->kind[n] * s->cells;
    for (int l = 0; l < LANES; l++) {
        int64_t place = places[l] < s->cells - 1 ? places[l] : s->cells - 1;
        place -= place > 0 && x[l] < s->edges[place];
        density[l] = s->density[place], edge[l] = s->edges[place + 1], above[l] = sums[place];
    }
    vec here = density - total * x - log->total +
               log_of(larger(rest_of(total * (edge - x)), all(s->tiny)));
    vec top = larger(here, above), less = smaller(here, above);
    ivec some = top > -INFINITY;
    top = choose(some, top, all(0.0));
    vec likelihood = top + log_of(1.0 + exp_of(less - top)) - logs - total * 0.69314718055994530942;
    *width = h;
    possible &= some & (x < last);
    return choose(possible, likelihood + sign - size, all(-INFINITY));
}

/* `_tempered`: shares of the weights, and the power of them; `plain` is the sum of all weights as
 * they are. */
static double tempered(const Sampling *s, const double *logs, double top, double *share,
                       double *plain) {
    const int64_t m = s->samples;
    double power = 1.0, total = 0.0;
    for (int64_t round = 0; round < s->rounds; round++) {
        vec sum = all(0.0), squares = all(0.0);
        for (int64_t i = 0; i < m; i += LANES) {
            vec x = load(logs + i);
            vec e = exp_of(larger((x - top) * power, all(-s->clipped)));
            e = (vec)((ivec)e & (x > -INFINITY));
            store(share + i, e);
            sum += e, squares += e * e;
        }
        total = sum_of(sum);
        if (!round) *plain = total;
        double square = sum_of(squares);
        double effective = total * total / (square > s->tiny ? square : s->tiny);
        double wanted = power < 1 ? s->tempered : s->good;
        if (!(effective < wanted * (double)m)) break;
        power *= s->tempering;
    }
    double back = 1 / (total > s->tiny ? total : s->tiny);
    for (int64_t i = 0; i < m; i++) share[i] *= back;
    return power;
}

/* `_cholesky` of a covariance (k, k) with a share of that before. */
static void moved(const Sampling *s, const double *covariance, const double *before, double *root) {
    const int64_t k = s->k;
    double whole[k * k], deviation[k];
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l < k; l++) {
            double product = 0.0;
            for (int64_t j = 0; j < k; j++) product += before[i * k + j] * before[l * k + j];
            whole[i * k + l] = covariance[i * k + l] + s->kept * product;
        }
    for (int64_t i = 0; i < k; i++) deviation[i] = sqrt(whole[i * k + i]);
    for (int64_t i = 0; i < k; i++) {
        for (int64_t l = 0; l < k; l++) root[i * k + l] = 0.0;
        for (int64_t l = 0; l <= i; l++) {
            double x = whole[i * k + l] / (deviation[i] * deviation[l]);
            x += i == l ? s->correlation : 0.0;
            for (int64_t j = 0; j < l; j++) x -= root[i * k + j] * root[l * k + j];
            root[i * k + l] = i == l ? sqrt(x) : x / root[l * k + l];
        }
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l <= i; l++) root[i * k + l] *= deviation[i];
}

/* One round for some of the laws (rows): centre (k, N) and root (k, k, N) are where samples are
 * drawn; found are mean (k, n), moved root (k, k, n), log evidence (n) with the prior, least half
 * width (n), power (n), whether the law is nowhere possible (n) and negative beyond the data. */
int sampled(const Sampling *sampling, int64_t count, const int64_t *rows, const double *centre,
            const double *root, double *mean, double *after, double *evidence, double *width,
            double *power, uint8_t *nowhere, uint8_t *negative) {
    const Sampling *s = sampling;
    const int64_t k = s->k, m = s->samples, laws = s->laws;
    double *room = malloc(sizeof(double) * (size_t)((k + 3) * m));
    if (!room) return SHORT;
    double *at = room, *logs = at + k * m, *widths = logs + m, *share = widths + m;
    const double yes = log_one(1 - s->negative), no = log_one(s->negative);
    for (int64_t row = 0; row < count; row++) {
        const int64_t n = rows[row];
        double here[k * k], first[k], covariance[k * k], then[k * k], volume = 0.0;
        for (int64_t i = 0; i < k * k; i++) here[i] = root[i * laws + n];
        for (int64_t i = 0; i < k; i++)
            volume += log_one(here[i * k + i]), first[i] = centre[i * laws + n];
        const Logs of = {yes, no, log_one(s->total[n])};
        vec highest = all(-INFINITY);
        for (int64_t i = 0; i < m; i += LANES) {
            vec x[k], h;
            for (int64_t j = 0; j < k; j++) {
                x[j] = all(first[j]);
                for (int64_t l = 0; l < k; l++) x[j] += here[j * k + l] * load(s->z + l * m + i);
                store(at + j * m + i, x[j]);
            }
            vec found = target(s, n, &of, x, &h) - load(s->log_density + i) + volume;
            highest = larger(highest, found);
            store(logs + i, found), store(widths + i, h);
        }
        double top = most_of(highest), total = 0.0;
        vec least = all(0.0);
        nowhere[row] = !isfinite(top);
        power[row] = tempered(s, logs, isfinite(top) ? top : 0.0, share, &total);
        for (int64_t i = 0; i < m; i += LANES) least += load(share + i) * load(widths + i);
        evidence[row] = isfinite(top) ? top + log_one(total) - log_one((double)m) + s->prior[n] : -INFINITY;
        width[row] = sum_of(least);
        double middle[k];
        for (int64_t j = 0; j < k; j++) {
            vec sum = all(0.0);
            for (int64_t i = 0; i < m; i += LANES) sum += load(share + i) * load(at + j * m + i);
            mean[j * count + row] = middle[j] = nowhere[row] ? first[j] : sum_of(sum);
        }
        for (int64_t j = 0; j < k; j++)
            for (int64_t l = 0; l <= j; l++) {
                vec sum = all(0.0);
                for (int64_t i = 0; i < m; i += LANES)
                    sum += load(share + i) * (load(at + j * m + i) - middle[j]) *
                           (load(at + l * m + i) - middle[l]);
                covariance[j * k + l] = covariance[l * k + j] = sum_of(sum);
            }
        moved(s, covariance, here, then);
        for (int64_t i = 0; i < k * k; i++) after[i * count + row] = then[i];
        negative[row] = 0;
        for (int64_t f = 0; f < s->far && s->nonnegative[n]; f++) {
            double value = 0.0;
            for (int64_t j = 0; j < k; j++) value += middle[j] * s->beyond[(j * s->far + f) * laws + n];
            negative[row] |= value < 0;
        }
    }
    free(room);
    return 0;
}
