/* The most probable fits of each series, and the choice among them: see `gather` and `choose` in
 * search/model_selection.py. One pass over each series, nothing between them. */

#include "vectors.h"

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
} Gathering;

/* The posterior mean of the logarithm of the noise level, as a level. */
static double sigma_of(const Gathering *g, const Fits *f, double base, double rss, int64_t row) {
    const double *constants = f->constants + row * g->levels;
    double top = -INFINITY, total = 0.0, sum = 0.0;
    for (int64_t s = 0; s < g->levels; s++) {
        double each = base + constants[s] + rss * g->slopes[s];
        top = each > top ? each : top;
    }
    for (int64_t s = 0; s < g->levels; s++) {
        double each = base + constants[s] + rss * g->slopes[s];
        double share = isfinite(top) ? exp(each - top) : 1.0;
        total += share, sum += share * g->log_sigmas[s];
    }
    return exp(sum / total);
}

/* `gather`: the `kept` fits of each series with the greatest log weight, the first one in front:
 * codes (K, A, most, m), coefficients (K, A, most), root (K, A, most, most), beyond (K, A, F), lead
 * (K, A, m), prior, sigma, profile, evidence (K, A); all of them zero before. */
int gather(const Gathering *gathering, int64_t *codes, double *coefficients, double *root,
           double *beyond, int64_t *lead, double *prior, double *sigma, int64_t *profile,
           double *evidence) {
    const Gathering g = *gathering;
    const int64_t m = g.parameters, v_count = g.profiles;
    for (int64_t series = 0; series < g.series; series++) {
        double weight[g.kept];
        int64_t group[g.kept], place[g.kept], count = 0;
        for (int64_t of = 0; of < g.groups; of++) {
            const int64_t size = g.fits[of].n * v_count;
            const double *own = g.fits[of].log_weight + series * size;
            for (int64_t i = 0; i < size; i++) {
                int64_t at = count;
                if (count < g.kept) count++;
                else if (!(own[i] > weight[g.kept - 1])) continue;
                else at = g.kept - 1;
                for (; at > 0 && weight[at - 1] < own[i]; at--)
                    weight[at] = weight[at - 1], group[at] = group[at - 1], place[at] = place[at - 1];
                weight[at] = own[i], group[at] = of, place[at] = i;
            }
        }
        for (int64_t a = 0; a < count; a++) {
            const Fits *f = g.fits + group[a];
            const int64_t k = f->k, to = series * g.kept + a;
            const int64_t hypothesis = series * f->n + place[a] / v_count, v = place[a] % v_count;
            const int64_t from = hypothesis * v_count + v, *code = f->codes + hypothesis * k * m;
            const double *own = f->coefficients + from * k;
            int64_t first = 0;
            double greatest = -INFINITY;
            memcpy(codes + to * g.most * m, code, sizeof(int64_t) * (size_t)(k * m));
            memcpy(coefficients + to * g.most, own, sizeof(double) * (size_t)k);
            for (int64_t i = 0; i < k; i++)
                memcpy(root + (to * g.most + i) * g.most, f->root + (from * k + i) * k,
                       sizeof(double) * (size_t)k);
            memcpy(beyond + to * g.beyond, f->beyond + from * g.beyond,
                   sizeof(double) * (size_t)g.beyond);
            for (int64_t i = 0; i < k; i++) { /* `leading` */
                double last = own[i];
                int64_t varies = 0;
                for (int64_t q = 0; q < m; q++) {
                    varies |= code[i * m + q];
                    last *= g.far[q][code[i * m + q] * g.beyond + g.beyond - 1];
                }
                last = varies ? fabs(last) : -1.0;
                if (last > greatest) greatest = last, first = i;
            }
            memcpy(lead + to * m, code + first * m, sizeof(int64_t) * (size_t)m);
            prior[to] = f->prior[hypothesis], evidence[to] = weight[a], profile[to] = g.numbers[v];
            sigma[to] = sigma_of(&g, f, f->base[from], f->rss[from], series * v_count + v);
        }
    }
    return 0;
}

typedef struct {
    int64_t series, fits, beyond, horizon, parameters, kept;
    const double *evidence, *power;    /* (K, A), (K) */
    const double *values;              /* (K, A, F), of which the last `horizon` count */
    const int64_t *lead;               /* (K, A, m) */
    const double *line, *line_weight;  /* (K, horizon), (K): local extrapolation */
    double action_share, lead_weight, agreement;
} Choosing;

INLINE double difference(double a, double b) {
    double total = fabs(a) + fabs(b);
    return 2 * fabs(a - b) / (total > 0 ? total : 1.0);
}

/* `choose`: order (K, kept), the chosen fit first; their share (K, kept) of the probability of
 * those that are kept; lead_share and agreement (K) of the chosen one. */
int choose_fits(const Choosing *choosing, int64_t *order, double *shares, double *lead_share,
                double *agreement) {
    const Choosing c = *choosing;
    const int64_t m = c.parameters, n = c.fits, first = c.beyond - c.horizon;
    for (int64_t k = 0; k < c.series; k++) {
        double share[n], total = 0.0, least = INFINITY;
        int64_t best = 0;
        const double *values = c.values + k * n * c.beyond + first;
        for (int64_t a = 0; a < n; a++)
            total += share[a] = exp((c.evidence[k * n + a] - c.evidence[k * n]) * c.power[k]);
        for (int64_t a = 0; a < n; a++) share[a] /= total;
        for (int64_t a = 0; a < n; a++) {
            if (!(share[a] >= c.action_share * share[0])) continue;
            double expected = 0.0, right = 0.0, agree = 0.0;
            const double *own = values + a * c.beyond;
            const int64_t *lead = c.lead + (k * n + a) * m;
            for (int64_t b = 0; b < n; b++) {
                if (share[b] == 0.0) continue;
                double error = 0.0, last = 0.0;
                for (int64_t h = 0; h < c.horizon; h++)
                    error += last = difference(own[h], values[b * c.beyond + h]);
                expected += error / (double)c.horizon * share[b];
                agree += last < c.agreement ? share[b] : 0.0;
                right += memcmp(lead, c.lead + (k * n + b) * m, sizeof(int64_t) * (size_t)m)
                             ? 0.0 : share[b];
            }
            double loss = expected + c.lead_weight * (1 - right), weight = c.line_weight[k];
            if (weight != 0) {
                double error = 0.0;
                for (int64_t h = 0; h < c.horizon; h++) {
                    double line = c.line[k * c.horizon + h];
                    error += 2 * fabs(own[h] - line) / (fabs(own[h]) + line);
                }
                loss = (1 - weight) * loss + weight * error / (double)c.horizon;
            }
            if (loss < least)
                least = loss, best = a, lead_share[k] = right, agreement[k] = agree;
        }
        int64_t *to = order + k * c.kept;
        double *given = shares + k * c.kept, sum = 0.0;
        for (int64_t a = 0, b = 0; a < c.kept; a++) {
            to[a] = a ? b + (b >= best ? 1 : 0) : best;
            b += a ? 1 : 0;
        }
        for (int64_t a = 0; a < c.kept; a++) sum += given[a] = share[to[a]];
        for (int64_t a = 0; a < c.kept; a++) given[a] /= sum;
    }
    return 0;
}

/* Rows order (K, kept) of an array (K, A, width bytes). */
int rows_in_order(int64_t series, int64_t fits, int64_t kept, int64_t width, const int64_t *order,
                  const char *from, char *to) {
    for (int64_t k = 0; k < series; k++)
        for (int64_t a = 0; a < kept; a++)
            memcpy(to + (k * kept + a) * width, from + (k * fits + order[k * kept + a]) * width,
                   (size_t)width);
    return 0;
}
