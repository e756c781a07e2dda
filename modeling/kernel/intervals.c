/* Prediction intervals: quantiles of mixtures of normal distributions, and of the alternatives to the
 * laws of many series (see pmnf/interval.py and fitter/laws.py). */

#include "vectors.h"

/* Levels q (Q) with their normal quantiles z (Q), and how exactly quantiles are found. */
typedef struct {
    int64_t count, rounds;
    const double *q, *z;
    double precision;
} Levels;

/* Quantiles (Q) of a mixture of normal distributions: centres, widths, weight (A), padded to full
 * vectors by what has no weight. Newton's method, for all levels at once. */
static void quantiles_of(const Levels *levels, int64_t a_count, const double *centres,
                         const double *widths, const double *weight, double *found) {
    const int64_t q_count = levels->count, blocks = (a_count + LANES - 1) / LANES;
    double narrow[blocks * LANES], low[q_count], high[q_count], at[q_count], least[q_count];
    double own[blocks * LANES];
    int64_t left = q_count, settled[q_count];
    for (int64_t a = 0; a < blocks * LANES; a++) { /* without weight, nothing of it counts */
        const int has = a < a_count && weight[a] != 0;
        own[a] = has ? centres[a] : 0.0, narrow[a] = has ? 1 / widths[a] : 1.0;
    }
    for (int64_t j = 0; j < q_count; j++) {
        low[j] = INFINITY, high[j] = -INFINITY, at[j] = 0.0, settled[j] = 0;
        for (int64_t a = 0; a < a_count; a++) {
            const double each = centres[a] + levels->z[j] * widths[a];
            low[j] = each < low[j] || isnan(each) ? each : low[j];
            high[j] = each > high[j] || isnan(each) ? each : high[j];
            at[j] += weight[a] * each;
        }
        const double size = fabs(low[j]) > fabs(high[j]) ? fabs(low[j]) : fabs(high[j]);
        least[j] = levels->precision * (size > high[j] - low[j] ? size : high[j] - low[j]);
    }
    for (int64_t round = 0; left && round < levels->rounds; round++)
        for (int64_t j = 0; j < q_count; j++) {
            if (settled[j]) continue;
            vec excesses = all(0.0), slopes = all(0.0);
            for (int64_t b = 0; b < blocks * LANES; b += LANES) {
                const vec x = (at[j] - load(own + b)) * load(narrow + b), w = load(weight + b);
                excesses += w * normals(x);
                slopes += w * load(narrow + b) * exp_of(-0.5 * x * x);
            }
            const double excess = sum_of(excesses) - levels->q[j];
            const double slope = 0.39894228040143267794 * sum_of(slopes);
            if (excess < 0) low[j] = at[j];
            else high[j] = at[j];
            const double newton = at[j] - excess / slope;
            const double following =
                newton >= low[j] && newton <= high[j] ? newton : (low[j] + high[j]) / 2;
            settled[j] = fabs(following - at[j]) <= least[j];
            left -= settled[j], at[j] = following;
        }
    for (int64_t j = 0; j < q_count; j++) found[j] = at[j];
}

/* `_quantiles`: of mixtures of A normal distributions, centres, widths, weight (A, N), at Q levels q
 * with their normal quantiles z; found (Q, N). */
int quantiles(int64_t a_count, int64_t n, const double *centres, const double *widths,
              const double *weight, int64_t q_count, const double *q, const double *z,
              double precision, int64_t rounds, double *found) {
    const Levels levels = {q_count, rounds, q, z, precision};
    const int64_t padded = (a_count + LANES - 1) / LANES * LANES;
    double centre[padded], width[padded], share[padded], here[q_count];
    for (int64_t a = a_count; a < padded; a++) centre[a] = 0.0, width[a] = 1.0, share[a] = 0.0;
    for (int64_t k = 0; k < n; k++) {
        for (int64_t a = 0; a < a_count; a++)
            centre[a] = centres[a * n + k], width[a] = widths[a * n + k], share[a] = weight[a * n + k];
        quantiles_of(&levels, a_count, centre, width, share, here);
        for (int64_t j = 0; j < q_count; j++) found[j * n + k] = here[j];
    }
    return 0;
}

/* log, also of what is not finite. */
INLINE vec any_log(vec x) { return choose((x == x) & (x <= 1.7e308), log_of(x), x); }

/* The alternatives (K, A) of K series, of k coefficients, asked at N points: see `ChosenLaws`. */
typedef struct {
    int64_t series, fits, size, parameters, points, below;
    const int64_t *codes;                          /* (K, A, k, m) */
    const double *coefficients, *root, *live;      /* (K, A, k), (K, A, k, k), (K, A, k) */
    const double *sigma, *kappa, *weight;          /* (K, A) */
    const double *const *there, *const *inside;    /* (T_l, N): factors there, and where data end */
    const int64_t *change, *below_codes;           /* (K, A), (K, A, b, m), if any law changes */
    const double *below_coefficients;              /* (K, A, b) */
    const uint8_t *is_below, *inside_below;        /* (changes, N) */
    const uint8_t *positive;                       /* (K) */
    const double *distance, *scatter, *changed;    /* (N), (K), (K, N) */
    double selected, left_out, most_fallen, most_deviation, unseen_shift, unseen_spread, widened;
    double tiny, rounding;
} Asked;

/* The value of a term with factor numbers (m) at point p. */
INLINE double term_of(const Asked *a, const double *const *tables, const int64_t *code, int64_t p) {
    double value = tables[0][code[0] * a->points + p];
    for (int64_t q = 1; q < a->parameters; q++)
        value *= tables[q][code[q] * a->points + p];
    return value;
}

/* The value of the law of the regime below alternative number `at`. */
static double below_of(const Asked *a, const double *const *tables, int64_t at, int64_t p) {
    double value = 0.0;
    for (int64_t i = 0; i < a->below; i++)
        value += a->below_coefficients[at * a->below + i] *
                 term_of(a, tables, a->below_codes + (at * a->below + i) * a->parameters, p);
    return value;
}

/* Values, values where the data end, and deviations (A) of the alternatives of a series at point p, and
 * the sums of the sizes of their parts, which rounding goes by. */
static void values_of(const Asked *a, int64_t series, int64_t p, double *value, double *inside,
                      double *deviation, double *parts) {
    const int64_t k = a->size;
    for (int64_t f = 0; f < a->fits; f++) {
        const int64_t at = series * a->fits + f;
        const double *coefficients = a->coefficients + at * k, *live = a->live + at * k;
        double here = 0.0, end = 0.0, size = 0.0, squares = 0.0, projected[k];
        for (int64_t j = 0; j < k; j++) projected[j] = 0.0;
        for (int64_t i = 0; i < k; i++) {
            if (live[i] == 0) continue;
            const int64_t *code = a->codes + (at * k + i) * a->parameters;
            const double term = term_of(a, a->there, code, p), *root = a->root + (at * k + i) * k;
            here += coefficients[i] * term;
            size += fabs(coefficients[i] * term);
            end += coefficients[i] * term_of(a, a->inside, code, p);
            for (int64_t j = 0; j < k; j++) projected[j] += root[j] * term;
        }
        for (int64_t j = 0; j < k; j++) squares += projected[j] * projected[j];
        value[f] = here, inside[f] = end, deviation[f] = a->sigma[at] * sqrt(squares), parts[f] = size;
        if (!a->change || !a->change[at]) continue;
        if (a->is_below[a->change[at] * a->points + p]) {
            value[f] = below_of(a, a->there, at, p);
            deviation[f] = a->sigma[at] * fabs(value[f]), parts[f] = fabs(value[f]);
        }
        if (a->inside_below[a->change[at] * a->points + p])
            inside[f] = below_of(a, a->inside, at, p);
    }
}

/* Lower and upper ends (K, N) of prediction intervals at two levels, as `Laws.interval` does. */
int interval_ends(const Asked *asked, const double *q, const double *z, double precision,
                  int64_t rounds, double *low, double *high) {
    const Asked *a = asked;
    const Levels levels = {2, rounds, q, z, precision};
    const int64_t padded = (a->fits + LANES - 1) / LANES * LANES;
    double value[padded], inside[padded], deviation[padded], sigma[padded], kappa[padded];
    double parts[padded], own[padded];
    double centres[2 * padded], widths[2 * padded], weight[2 * padded], ends[2];
    for (int64_t f = 0; f < padded; f++)
        value[f] = inside[f] = deviation[f] = sigma[f] = kappa[f] = 0.0;
    for (int64_t series = 0; series < a->series; series++) {
        const int positive = a->positive[series];
        for (int64_t f = 0; f < a->fits; f++)
            sigma[f] = a->sigma[series * a->fits + f], kappa[f] = a->kappa[series * a->fits + f];
        for (int64_t p = 0; p < a->points; p++) {
            const double changed = positive ? a->changed[series * a->points + p] : 0.0;
            int64_t count = a->fits;
            values_of(a, series, p, value, inside, deviation, parts);
            double left = 0.0; /* the weight of laws that hold here */
            for (int64_t f = 0; f < a->fits; f++) {
                const int refuted = positive && value[f] < -a->rounding * parts[f];
                own[f] = refuted ? 0.0 : a->weight[series * a->fits + f], left += own[f];
            }
            if (left == 0) {
                low[series * a->points + p] = 0.0, high[series * a->points + p] = INFINITY;
                continue;
            }
            for (int64_t f = 0; f < padded; f += LANES) {
                const vec s = load(sigma + f), v = load(value + f);
                const vec wider = a->selected * (positive ? 1.0 + s : all(1.0));
                const vec usable = larger(all(a->tiny), v), of_law = wider * load(deviation + f);
                vec fallen = larger(all(0.0), load(inside + f) / usable - 1.0);
                fallen = a->left_out * smaller(all(a->most_fallen), fallen);
                if (!positive) fallen = all(0.0);
                const vec relative = 1.0 + load(kappa + f) * load(kappa + f) * a->distance[p] +
                                     fallen * fallen;
                const vec noise = wider * s * wider * s * relative + a->scatter[series];
                vec apart = smaller(all(a->most_deviation), of_law / usable);
                vec squares = positive ? noise + apart * apart : noise * v * v + of_law * of_law;
                store(centres + f, positive ? any_log(usable) : v);
                store(widths + f, larger(all(a->tiny), root_of(squares)));
            }
            for (int64_t f = 0; f < a->fits; f++)
                weight[f] = own[f] / left * (1 - changed);
            for (int64_t f = 0; f < a->fits && changed != 0; f++, count++) { /* laws that have ended */
                centres[count] = centres[f] + a->unseen_shift;
                widths[count] = sqrt(widths[f] * widths[f] + a->unseen_spread * a->unseen_spread);
                weight[count] = own[f] / left * changed;
            }
            for (int64_t f = count; f < (count + LANES - 1) / LANES * LANES; f++) weight[f] = 0.0;
            const double first = centres[0];
            quantiles_of(&levels, count, centres, widths, weight, ends);
            for (int j = 0; j < 2; j++) {
                const double off = ends[j] - first;
                const int outwards = a->widened != 1 && (off > 0) == j && own[0] > 0;
                double end = outwards ? first + a->widened * off : ends[j];
                end = positive ? exp_one(end) : end;
                if (own[0] > 0 && (j ? end < value[0] : end > value[0])) end = value[0];
                (j ? high : low)[series * a->points + p] = end;
            }
        }
    }
    return 0;
}
