/* The most probable fits of each series, and the choice among them: see `gather` and `choose` in
 * search/gathered.py and search/model_selection.py. One pass over each series, nothing between them. */

#include "candidates.h"

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
        double share = isfinite(top) ? exp_one(each - top) : 1.0;
        total += share, sum += share * g->log_sigmas[s];
    }
    return exp_one(sum / total);
}

/* One fit of a series as it is gathered, number `to` of all: number i of its size. */
static void gather_one(const Gathering *g, const Fits *f, int64_t series, int64_t i, double weight,
                       const Gathered *found, int64_t to) {
    const int64_t k = f->k, m = g->parameters, most = g->most, far = g->beyond;
    const int64_t own = i / g->profiles, v = i - own * g->profiles, hypothesis = series * f->n + own;
    const int64_t from = hypothesis * g->profiles + v, *code = f->codes + hypothesis * k * m;
    const int fitted = isfinite(f->prior[hypothesis]) != 0; /* others are nowhere */
    const double *root = f->root + from * k * k, *beyond = f->beyond + from * far;
    int64_t *codes = found->codes + to * most * m, first = 0;
    double *coefficients = found->coefficients + to * most, *roots = found->root + to * most * most;
    double greatest = -INFINITY, parts[k], largest = 0.0;
    for (int64_t j = 0; j < most * m; j++) codes[j] = j < k * m ? code[j] : 0;
    for (int64_t j = 0; j < most; j++)
        coefficients[j] = fitted && j < k ? f->coefficients[from * k + j] : 0.0;
    for (int64_t j = 0; j < most; j++)
        for (int64_t l = 0; l < most; l++)
            roots[j * most + l] = fitted && j < k && l < k ? root[j * k + l] : 0.0;
    for (int64_t j = 0; j < far; j++) found->beyond[to * far + j] = fitted ? beyond[j] : 0.0;
    for (int64_t j = 0; j < k; j++) { /* `leading` */
        parts[j] = coefficients[j];
        for (int64_t q = 0; q < m; q++) parts[j] *= g->far[q][code[j * m + q] * far + far - 1];
        parts[j] = fabs(parts[j]);
        largest = parts[j] > largest ? parts[j] : largest;
    }
    for (int64_t j = 0; j < k; j++) {
        int64_t varies = 0;
        for (int64_t q = 0; q < m; q++) varies |= code[j * m + q];
        double last = parts[j] <= g->rounding * largest ? 0.0 : parts[j];
        last = varies ? last : -1.0;
        if (last > greatest) greatest = last, first = j;
    }
    for (int64_t q = 0; q < m; q++) found->lead[to * m + q] = code[first * m + q];
    found->prior[to] = f->prior[hypothesis], found->evidence[to] = weight;
    found->profile[to] = g->numbers[v];
    found->sigma[to] = sigma_of(g, f, f->base[from], f->rss[from], series * g->profiles + v);
}

/* `gather`: the `kept` fits of each series with the greatest log weight, the first one in front:
 * codes (K, A, most, m), coefficients (K, A, most), root (K, A, most, most), beyond (K, A, F), lead
 * (K, A, m), prior, sigma, profile, evidence (K, A). */
int gather(const Gathering *gathering, const Gathered *found) {
    const Gathering g = *gathering;
    for (int64_t series = 0; series < g.series; series++) {
        double weight[g.kept], key[g.kept];
        int64_t group[g.kept], place[g.kept], count = 0;
        double limit = -INFINITY;
        for (int64_t of = 0; of < g.groups; of++) {
            const int64_t size = g.fits[of].n * g.profiles;
            const double *own = g.fits[of].log_weight + series * size;
            for (int64_t i = 0; i < size; i++) {
                int64_t at = count;
                if (count == g.kept && !(own[i] >= limit)) continue;
                const double nearest = rounded(own[i] / g.equal);
                if (count < g.kept) count++;
                else if (!(nearest > key[g.kept - 1])) continue;
                else at = g.kept - 1;
                for (; at > 0 && key[at - 1] < nearest; at--) {
                    weight[at] = weight[at - 1], key[at] = key[at - 1];
                    group[at] = group[at - 1], place[at] = place[at - 1];
                }
                weight[at] = own[i], key[at] = nearest, group[at] = of, place[at] = i;
                if (count == g.kept) limit = key[g.kept - 1] * g.equal; /* what is below is not kept */
            }
        }
        for (int64_t a = 0; a < count; a++)
            gather_one(&g, g.fits + group[a], series, place[a], weight[a], found,
                       series * g.kept + a);
    }
    return 0;
}

typedef struct {
    int64_t series, fits, beyond, horizon, parameters, kept, grouped, compared;
    const double *evidence, *power;    /* (K, A), (K) */
    const double *values;              /* (K, A, F), of which the last `horizon` count */
    const int64_t *lead;               /* (K, A, m) */
    const double *line, *line_weight;  /* (K, horizon), (K): local extrapolation */
    double action_share, lead_weight, agreement, rounding, equal;
} Choosing;

INLINE double difference(double a, double b) {
    double total = fabs(a) + fabs(b);
    return 2 * fabs(a - b) / (total > 0 ? total : 1.0);
}

/* `with_groups` of one series: the fits `rest`, sorted by their last values, in so many groups of
 * equal probability: each is the fit in its middle, with the share of all of them. */
static void grouped_fits(const Choosing *c, const double *share, const double *last, int64_t *rest,
                         int64_t count, int64_t *order, double *given) {
    double total = 0.0, before = 0.0, unit = 0.0, key[count];
    for (int64_t i = 0; i < count; i++) {
        total += share[rest[i]];
        if (share[rest[i]] == 0) continue; /* what is impossible is no unit of others */
        unit = fabs(last[rest[i] * c->beyond]) > unit ? fabs(last[rest[i] * c->beyond]) : unit;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t own = rest[i];
        const double of = unit > 0 ? rounded(last[own * c->beyond] / unit / c->rounding) : 0.0;
        int64_t at = i;
        for (; at > 0 && key[at - 1] > of; at--) key[at] = key[at - 1], rest[at] = rest[at - 1];
        key[at] = of, rest[at] = own;
    }
    for (int64_t g = 0; g < c->grouped; g++) order[g] = rest[0], given[g] = 0.0;
    if (!(total > 0)) return;
    for (int64_t i = 0; i < count; i++) {
        const double own = share[rest[i]], middle = (before + own / 2) / total;
        int64_t g = (int64_t)((middle + c->rounding) * (double)c->grouped);
        g = g < c->grouped - 1 ? g : c->grouped - 1;
        given[g] += own, before += own;
    }
    double reached[c->grouped];
    for (int64_t g = 0; g < c->grouped; g++) reached[g] = 0.0;
    before = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double own = share[rest[i]], middle = (before + own / 2) / total;
        int64_t g = (int64_t)((middle + c->rounding) * (double)c->grouped);
        g = g < c->grouped - 1 ? g : c->grouped - 1;
        if (own > 0 && reached[g] <= given[g] * (0.5 + c->rounding)) order[g] = rest[i];
        reached[g] += own, before += own;
    }
}

/* `choose`: order (K, kept), the chosen fit first; their share (K, kept) of the probability of
 * those that are kept; lead_share and agreement (K) of the chosen one. */
int choose_fits(const Choosing *choosing, int64_t *order, double *shares, double *lead_share,
                double *agreement) {
    const Choosing c = *choosing;
    const int64_t m = c.parameters, n = c.fits, first = c.beyond - c.horizon;
    const int64_t compared = c.compared < n ? c.compared : n;
    for (int64_t k = 0; k < c.series; k++) {
        double share[n], losses[compared], rights[compared], agrees[compared], total = 0.0, least = INFINITY;
        int64_t best = 0;
        const double *values = c.values + k * n * c.beyond + first;
        for (int64_t a = 0; a < n; a++) {
            share[a] = exp_one((c.evidence[k * n + a] - c.evidence[k * n]) * c.power[k]);
            total += a < compared ? share[a] : 0.0;
        }
        for (int64_t a = 0; a < n; a++) share[a] /= total;
        for (int64_t a = 0; a < compared; a++) {
            losses[a] = INFINITY;
            if (!(share[a] >= c.action_share * share[0])) continue;
            double expected = 0.0, right = 0.0, agree = 0.0;
            const double *own = values + a * c.beyond;
            const int64_t *lead = c.lead + (k * n + a) * m;
            for (int64_t b = 0; b < compared; b++) {
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
            losses[a] = loss, rights[a] = right, agrees[a] = agree;
            least = loss < least ? loss : least;
        }
        while (best < compared - 1 && !(losses[best] <= least + c.equal)) best++;
        lead_share[k] = rights[best], agreement[k] = agrees[best];
        int64_t *to = order + k * c.kept;
        double *given = shares + k * c.kept, sum = 0.0;
        for (int64_t a = 0, b = 0; a < c.kept; a++) {
            to[a] = a ? b + (b >= best ? 1 : 0) : best;
            b += a ? 1 : 0;
        }
        for (int64_t a = 0; a < c.kept; a++) given[a] = share[to[a]];
        if (c.grouped) { /* those that stand for all others */
            int64_t rest[n], count = 0, own = c.kept - c.grouped;
            for (int64_t a = 0, b = 1; a < n; a++)
                if (a != best && b++ >= own) rest[count++] = a;
            grouped_fits(&c, share, values + c.horizon - 1, rest, count, to + own, given + own);
        }
        for (int64_t a = 0; a < c.kept; a++) sum += given[a];
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
